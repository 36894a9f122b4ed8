//! On boards of Hadron with both sides even the second player wins by the mirror: the theorem, and
//! that both engines use it however little time they have.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use alesia::eval::oracle::Oracle;
use alesia::game::{Game, GameState, Move, MoveList, Outcome, Side};
use alesia::games::Hadron;
use alesia::games::hadron::MAX_SIZE;
use alesia::games::hadron::endgame::Solver;
use alesia::search::clock::Budget;
use alesia::search::report::Proof;
use alesia::search::{Engine, EngineKind, EngineOptions};
use alesia_plain::{self as plain, PlainGame};

use crate::support::cases;

const BOTH: [EngineKind; 2] = [EngineKind::MonteCarlo, EngineKind::AlphaBeta];

fn legal(position: &Hadron) -> MoveList {
    position.legal_moves()
}

fn after(position: &Hadron, m: Move) -> Hadron {
    position.after(m)
}

/// The move on the cell opposite through the centre.
fn mirror(position: &Hadron, m: Move) -> Move {
    let (rows, columns) = position.size();
    let text = position.notation(m).to_string();
    let row = usize::from(text.as_bytes()[0] - b'A');
    let column: usize = text[1..].parse().unwrap();
    let row = char::from(b'A' + (rows - 1 - row) as u8);
    position.parse_move(&format!("{row}{}", columns + 1 - column)).expect("the mirror is legal")
}

/// The plies within which the side to move loses by the theorem.
fn lost(position: &Hadron) -> Option<u16> {
    <Solver as Oracle<Hadron>>::lost_by_theorem(position)
}

/// Goes through all positions to which any moves, each answered by its mirror, lead.
fn mirrored_positions(rows: usize, columns: usize) -> Vec<Hadron> {
    let mut all = vec![Hadron::start(rows, columns)];
    let mut seen = HashSet::from([all[0].key()]);
    let mut next = 0;
    while next < all.len() {
        let position = all[next];
        next += 1;
        for &m in &legal(&position) {
            let answered = after(&after(&position, m), mirror(&position, m));
            if seen.insert(answered.key()) {
                all.push(answered);
            }
        }
    }
    all
}

#[test]
fn the_mirror_is_always_legal_and_wins_on_small_even_boards() {
    for (rows, columns, least) in [(2, 2, 3), (2, 4, 10), (4, 2, 10), (4, 4, 300)] {
        let mut known = HashMap::new();
        let positions = mirrored_positions(rows, columns);
        assert!(positions.len() >= least, "{rows}x{columns}: {}", positions.len());
        for position in positions {
            assert!(lost(&position).is_some(), "{position}");
            let plain = plain::Hadron::from_text(&position.to_string());
            assert!(!plain::wins(&plain, &mut known), "{position}");
        }
    }
}

#[test]
fn the_mirror_ends_random_games_on_large_even_boards() {
    let mut rng = fastrand::Rng::with_seed(1);
    for (rows, columns) in [(6, 6), (4, 8), (8, 8)] {
        for _ in 0..cases(2_000) {
            let mut position = Hadron::start(rows, columns);
            while let Some(m) = position.random_move(&mut rng) {
                assert!(lost(&position).is_some(), "{position}");
                let answer = mirror(&position, m);
                position.play(m);
                position.play(answer);
            }
            assert_eq!(position.side(), Side::White, "White cannot move");
        }
    }
}

#[test]
fn nothing_is_said_where_opposite_cells_differ_or_a_side_is_odd() {
    for (rows, columns) in [(3, 3), (2, 5), (4, 7), (9, 9)] {
        assert_eq!(lost(&Hadron::start(rows, columns)), None);
    }
    let mut rng = fastrand::Rng::with_seed(2);
    for (rows, columns) in [(4, 4), (6, 8)] {
        let mut position = Hadron::start(rows, columns);
        while let Some(m) = position.random_move(&mut rng) {
            let answer = mirror(&position, m);
            let before = after(&position, m);
            assert_eq!(lost(&before), None, "{before}");
            for &other in legal(&before).iter().filter(|&&other| other != answer) {
                assert_eq!(lost(&after(&before, other)), None, "{before}");
            }
            position = after(&before, answer);
        }
    }
}

/// The boards of even sides.
fn even_boards() -> impl Iterator<Item = (usize, usize)> {
    let sides = || (2..=MAX_SIZE).step_by(2);
    sides().flat_map(move |rows| sides().map(move |columns| (rows, columns)))
}

fn engine(kind: EngineKind, start: Hadron) -> Box<dyn Engine<Hadron>> {
    let options = EngineOptions { memory: 1 << 20, ..EngineOptions::default() };
    kind.build_for(start, &options).expect("memory and threads")
}

/// Plays games as the second player with ten iterations a move, against an opponent with `nodes`.
/// Each answer must be a proven win.
fn never_loses(kind: EngineKind, opponent: EngineKind, nodes: u64, games: u64) {
    for (rows, columns) in even_boards() {
        let start = Hadron::start(rows, columns);
        let (mut player, mut opponent) = (engine(kind, start), engine(opponent, start));
        for game in 0..games {
            player.new_game(game);
            opponent.new_game(game);
            let mut state = GameState::new(start);
            while state.ending().is_none() {
                if state.position.side() == Side::White {
                    let report = opponent.think(&state, &Budget::nodes(nodes), &mut |_| {});
                    state.play(report.best);
                    continue;
                }
                let report = player.think(&state, &Budget::nodes(10), &mut |_| {});
                assert!(matches!(report.proof, Some(Proof::Win(_))), "{}", state.position);
                assert_eq!((report.value, report.variation[0]), (1.0, report.best));
                state.play(report.best);
            }
            let winner = state.ending().map(|ending| ending.outcome);
            assert_eq!(winner, Some(Outcome::Win(Side::Black)), "{kind} on {rows}x{columns}");
        }
    }
}

#[test]
fn either_engine_wins_as_second_player_against_random_moves() {
    for kind in BOTH {
        never_loses(kind, EngineKind::Random, 1, cases(200));
    }
}

#[test]
fn either_engine_wins_as_second_player_against_a_longer_search() {
    for kind in BOTH {
        for opponent in BOTH {
            never_loses(kind, opponent, cases(20_000), 1);
        }
    }
}

#[test]
fn a_mirrored_position_is_reported_as_lost_and_its_answer_as_won_without_time() {
    for kind in BOTH {
        for (rows, columns) in even_boards() {
            let start = Hadron::start(rows, columns);
            let mut state = GameState::new(start);
            let past = Budget::until(Instant::now());
            let mut player = engine(kind, start);
            let report = player.think(&state, &past, &mut |_| {});
            let plies = (rows * columns) as u16;
            // A quick worker may have found a shorter way.
            assert!(matches!(report.proof, Some(Proof::Loss(most)) if most <= plies), "{report:?}");
            assert_eq!(report.value, 0.0, "{kind} on {rows}x{columns}");
            state.play(report.best);
            let mirror = mirror(&start, report.best);
            let report = player.think(&state, &past, &mut |_| {});
            // On small boards another win may be certain at a glance.
            assert!(report.best == mirror || plies < 24, "{kind} on {rows}x{columns}");
            assert_eq!(report.value, 1.0, "{kind} on {rows}x{columns}");
            assert!(matches!(report.proof, Some(Proof::Win(most)) if most < plies), "{report:?}");
        }
    }
}
