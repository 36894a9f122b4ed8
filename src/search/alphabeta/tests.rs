//! The search against plain negamax, with more and more switched on.

use std::sync::atomic::AtomicBool;

use super::best::{Best, Finding};
use super::lines::DeepestLines;
use super::random_trees::RandomTree;
use super::root::Wanted;
use super::score::{self, WIN_SCORE};
use super::search::{Features, Memory, Search};
use super::table::Table;
use crate::eval::Evaluate;
use crate::eval::nodes::Nodes;
use crate::eval::stop::Stop;
use crate::game::chance::Chance;
use crate::game::{Game, GameState, Outcome};
use crate::games::{AnyGame, GameSpec, Hadron, Loa, Murus, Voidrider};
use crate::with_game;

/// The score of a finished game for its side to move.
fn result<G: Game>(state: &GameState<G>, height: usize) -> Option<i32> {
    state.ending().map(|ending| match ending.outcome {
        Outcome::Draw => 0,
        Outcome::Win(side) if side == state.position.side() => WIN_SCORE - height as i32,
        Outcome::Win(_) => height as i32 - WIN_SCORE,
    })
}

fn successors<G: Game>(state: &GameState<G>) -> impl Iterator<Item = GameState<G>> {
    let moves = state.position.legal_moves();
    let state = *state;
    moves.into_iter().map(move |m| state.after(m))
}

/// Negamax without any window, order or memory.
fn negamax<G: Evaluate>(state: &GameState<G>, depth: usize, height: usize) -> i32 {
    if let Some(score) = result(state, height) {
        return score;
    }
    if state.history.occurrences(state.position.key(), height) > 0 {
        return 0;
    }
    if depth == 0 || state.position.decided().is_some() {
        return quiesce(state, height, -WIN_SCORE, WIN_SCORE);
    }
    successors(state).map(|next| -negamax(&next, depth - 1, height + 1)).max().unwrap()
}

/// Plain fail-hard alpha-beta over noisy moves, which grow too many without it.
fn quiesce<G: Evaluate>(state: &GameState<G>, height: usize, mut alpha: i32, beta: i32) -> i32 {
    let position = &state.position;
    if let Some(score) = result(state, height) {
        return score.clamp(alpha, beta);
    }
    if state.history.occurrences(position.key(), height) > 0 {
        return 0.clamp(alpha, beta);
    }
    if let Some((winner, plies)) = position.decided() {
        let score = WIN_SCORE - (height + plies) as i32;
        return if winner == position.side() { score } else { -score }.clamp(alpha, beta);
    }
    alpha = position.evaluate().clamp(alpha, beta);
    let moves = position.legal_moves();
    for &m in moves.iter().filter(|&&m| position.is_noisy(m)) {
        let next = state.after(m);
        alpha = alpha.max(-quiesce(&next, height + 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Runs one worker without a limit of time.
fn search<G: Evaluate>(
    state: &GameState<G>,
    depth: usize,
    nodes: u64,
    features: Features,
    table: &Table,
    memory: &mut Memory<G>,
) -> Finding {
    let stop = AtomicBool::new(false);
    let best = Best::new();
    memory.order.enabled = features.order;
    memory.order.begin_search();
    table.begin_search();
    let mut search = Search {
        root: state.position,
        history: state.history,
        table,
        memory,
        nodes: Nodes::new(nodes, Stop::new(&stop)),
        features,
        salt: 0,
    };
    let wanted = Wanted { only: &[], lines: 1, best: &best, deepest: &DeepestLines::new() };
    search.deepen(1..=depth, &wanted);
    let (finding, line) = best.get().unwrap();
    let mut end = *state;
    for &m in &line {
        let legal = end.position.legal_moves();
        assert!(end.ending().is_none() && legal.contains(&m), "{line:?} from {}", state.position);
        end.play(m);
    }
    finding
}

/// Positions of random games, the last of each game first.
fn random_game<G: Game>(start: G, rng: &mut fastrand::Rng) -> Vec<GameState<G>> {
    let mut game = vec![GameState::new(start)];
    while let Some(state) = game.last().filter(|state| state.ending().is_none()) {
        let next = state.after(state.position.random_move(rng).unwrap());
        game.push(next);
    }
    game.pop();
    game.reverse();
    game
}

/// The same position `left` plies before the end of the longest game, or one ply earlier.
fn near_the_end<G: Game>(position: &G, left: usize) -> G {
    let text = position.to_string();
    let mut fields: Vec<String> = text.split_whitespace().map(String::from).collect();
    let parity = (position.ply_limit() - left - position.ply()) % 2;
    fields[2] = (position.ply_limit() - left - parity).to_string();
    position.parse_board(&fields.join(" ")).unwrap()
}

fn agrees_with_negamax<G: Evaluate>(start: G, depth: usize, limit_matters: bool) {
    let mut rng = fastrand::Rng::with_seed(11);
    let table = Table::new(1 << 20, 1).unwrap();
    let mut memory = Memory::new();
    let remembering = Features { deeper_entries: false, ..Features::ALL.exact() };
    let bare = Features { order: false, table: false, ..remembering };
    for round in 0..10 {
        let game = random_game(start, &mut rng);
        let mut state = GameState::new(game[rng.index(..game.len())].position);
        if limit_matters && round % 2 == 1 {
            state.position = near_the_end(&state.position, 1 + round / 2);
        }
        for features in [bare, Features { order: true, ..bare }, remembering] {
            let finding = search(&state, depth, u64::MAX, features, &table, &mut memory);
            let expected = negamax(&state, finding.depth, 0);
            assert_eq!(finding.score, expected, "{features:?} in {}", state.position);
            let after = state.after(finding.best);
            let after = -negamax(&after, finding.depth - 1, 1);
            assert_eq!(after, expected, "the best move in {}", state.position);
        }
    }
}

/// One more ply where the compiler has optimised.
const MORE: usize = if cfg!(debug_assertions) { 0 } else { 1 };

/// Trees in which order, memory and windows have nothing to go by.
#[test]
fn random_trees_agree_with_negamax() {
    for seed in 0..if cfg!(debug_assertions) { 25 } else { 60 } {
        agrees_with_negamax(RandomTree::<false>::start(seed), 8 + MORE, false);
        agrees_with_negamax(RandomTree::<true>::start(seed), 6 + MORE, false);
    }
}

#[test]
fn murus_agrees_with_negamax() {
    agrees_with_negamax(Murus::start(), 3 + MORE, true);
}

#[test]
fn hadron_agrees_with_negamax() {
    agrees_with_negamax(Hadron::start(4, 5), 4 + MORE, false);
    agrees_with_negamax(Hadron::start(9, 9), 2 + MORE, false);
}

#[test]
fn loa_agrees_with_negamax() {
    agrees_with_negamax(Loa::start(Default::default()), 2 + MORE, true);
}

#[test]
fn voidrider_agrees_with_negamax() {
    agrees_with_negamax(Voidrider::start(), 2 + MORE, true);
}

/// A search that is stopped at any point has a legal move, and the next one is not disturbed.
#[test]
fn a_search_may_be_stopped_anywhere() {
    for name in ["murus", "hadron", "loa", "voidrider"] {
        let spec: GameSpec = name.parse().unwrap();
        with_game!(AnyGame::start(spec), start => {
            let mut rng = fastrand::Rng::with_seed(13);
            let table = Table::new(1 << 20, 1).unwrap();
            let mut memory = Memory::new();
            let game = random_game(start, &mut rng);
            for _ in 0..if cfg!(debug_assertions) { 5 } else { 40 } {
                let state = game[rng.index(..game.len())];
                let nodes = rng.u64(100..20_000);
                search(&state, 64, nodes, Features::ALL, &table, &mut memory);
            }
        });
    }
}

/// Who is mated may not stand pat, however well it stands.
#[test]
fn mates_by_the_weaker_side_are_found_at_the_horizon() {
    let start = Voidrider::start();
    let table = Table::new(1 << 20, 1).unwrap();
    let mut memory = Memory::new();
    let mut mates = 0;
    for seed in 0..60 {
        for state in random_game(start, &mut fastrand::Rng::with_seed(seed)) {
            let is_mate = |next: GameState<Voidrider>| {
                next.position.count_moves() == 0 && next.position.in_check()
            };
            if state.position.evaluate() < -300 && successors(&state).any(is_mate) {
                let finding = search(&state, 1, u64::MAX, Features::ALL, &table, &mut memory);
                assert!(score::is_win(finding.score), "{}", state.position);
                mates += 1;
            }
        }
    }
    assert!(mates > 0);
}
