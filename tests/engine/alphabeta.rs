//! The alpha-beta engine from outside: legal answers at any moment, the same answers for the same
//! nodes, forced results found, with one thread and with several.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::exhaustive::{forced_positions, solve};
use alesia::game::{Game, GameState, Move, MoveList, Outcome, Side};
use alesia::games::{AnyGame, AnyState, Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::report::{Proof, Report};
use alesia::search::{Engine, EngineError, EngineKind, EngineOptions};

const GAMES: [&str; 4] = ["murus", "hadron", "loa", "voidrider"];

fn options(threads: usize, memory: usize) -> EngineOptions {
    EngineOptions { threads, memory, ..Default::default() }
}

fn engine(start: AnyGame, threads: usize) -> Box<dyn Engine> {
    EngineKind::AlphaBeta.build(start, &options(threads, 1 << 20)).unwrap()
}

fn legal(state: &AnyState) -> MoveList {
    state.position.legal_moves()
}

/// A position of a random game that is not over, after at most `plies` plies.
fn random_position(start: AnyGame, plies: usize, rng: &mut fastrand::Rng) -> AnyState {
    let mut state = GameState::new(start);
    for _ in 0..rng.usize(..=plies) {
        let next = state.after(state.position.random_move(rng).unwrap());
        if next.ending().is_some() {
            break;
        }
        state = next;
    }
    state
}

/// Checks that all moves of a report can be played.
fn check(state: &AnyState, report: &Report) {
    assert_eq!(report.variation.first(), Some(&report.best));
    assert!((0.0..=1.0).contains(&report.value));
    let mut state = *state;
    for &m in &report.variation {
        assert!(state.ending().is_none(), "{report:?} does not end after {}", state.position);
        assert!(legal(&state).contains(&m), "{report:?} is illegal in {}", state.position);
        state.play(m);
    }
}

fn think(engine: &mut dyn Engine, state: &AnyState, budget: Budget) -> Report {
    let mut deepest = 0;
    let report = engine.think(state, &budget, &mut |interim| {
        check(state, interim);
        deepest = deepest.max(interim.depth);
    });
    check(state, &report);
    assert!(report.depth >= deepest || report.proof.is_some());
    report
}

#[test]
fn a_millisecond_is_enough_for_a_legal_move() {
    for name in GAMES {
        let start = AnyGame::named(name).unwrap();
        let mut rng = fastrand::Rng::with_seed(1);
        let mut engine = engine(start, 2);
        for _ in 0..100 {
            let state = random_position(start, 100, &mut rng);
            let deadline = Instant::now() + Duration::from_millis(1);
            think(&mut *engine, &state, Budget::until(deadline));
        }
    }
}

#[test]
fn no_time_at_all_is_enough_for_a_legal_move() {
    for name in GAMES {
        let start = AnyGame::named(name).unwrap();
        let mut rng = fastrand::Rng::with_seed(2);
        let mut engine = engine(start, 2);
        let past = Instant::now();
        for _ in 0..50 {
            let state = random_position(start, 100, &mut rng);
            think(&mut *engine, &state, Budget::until(past));
            let report = think(&mut *engine, &state, Budget::nodes(0));
            assert_eq!(report.nodes, 0);
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    for name in GAMES {
        let start = AnyGame::named(name).unwrap();
        let mut engines = [engine(start, 1), engine(start, 1)];
        let mut rng = fastrand::Rng::with_seed(3);
        for round in 0..5 {
            let state = random_position(start, 60, &mut rng);
            let nodes = 1_000 + 777 * round;
            let [a, b] =
                engines.each_mut().map(|engine| think(&mut **engine, &state, Budget::nodes(nodes)));
            let what_counts = |r: &Report| {
                (r.best, r.value, r.proof, r.depth, r.nodes, r.fill, r.variation.clone())
            };
            assert_eq!(what_counts(&a), what_counts(&b), "{}", state.position);
            assert!(a.nodes <= nodes);
            assert!(a.nodes == nodes || a.proof.is_some() || legal(&state).len() == 1);
        }
    }
}

#[test]
fn several_threads_share_the_nodes() {
    let start = AnyGame::from(Loa::start(Default::default()));
    let report = think(&mut *engine(start, 3), &GameState::new(start), Budget::nodes(10_001));
    assert_eq!(report.nodes, 10_001);
    assert_eq!(report.proof, None);
}

#[test]
fn an_only_move_is_played_at_once() {
    let start = AnyGame::from(Hadron::start(1, 1));
    let report = think(&mut *engine(start, 2), &GameState::new(start), Budget::default());
    assert!(report.nodes <= 2 && report.proof == Some(Proof::Win(1)), "{report:?}");
}

/// A forced result is proven, with the quickest win or the slowest loss.
fn proves_forced_results(start: AnyGame, depth: u16, count: usize) {
    let mut positions = forced_positions(start, depth, 2 * count, 12);
    // A single legal move is played without a search.
    positions.retain(|(state, _)| state.position.count_moves() > 1);
    assert!(positions.len() >= count, "the sample is large enough: {}", positions.len());
    let mut engine = engine(start, 1);
    for (state, proof) in positions {
        let report = think(&mut *engine, &state, Budget::nodes(2_000_000));
        assert_eq!(report.proof, Some(proof), "{}", state.position);
        let after = state.after(report.best);
        let opposite = match proof {
            Proof::Win(plies) => Proof::Loss(plies - 1),
            Proof::Draw => Proof::Draw,
            Proof::Loss(plies) => Proof::Win(plies - 1),
        };
        assert_eq!(solve(&after, depth - 1), Some(opposite), "{}", state.position);
    }
}

#[test]
fn forced_results_of_murus_gallicus_are_proven() {
    proves_forced_results(AnyGame::from(Murus::start()), 4, 30);
}

#[test]
fn forced_results_of_hadron_are_proven() {
    proves_forced_results(AnyGame::from(Hadron::start(6, 6)), 6, 30);
}

#[test]
fn forced_results_of_lines_of_action_are_proven() {
    proves_forced_results(AnyGame::from(Loa::start(Default::default())), 3, 20);
}

#[test]
fn forced_results_of_voidrider_chess_are_proven() {
    proves_forced_results(AnyGame::from(Voidrider::start()), 3, 10);
}

/// Whether the side to move wins, by trying everything.
fn wins(position: &AnyGame, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&wins) = known.get(&position.key()) {
        return wins;
    }
    let won = legal(&GameState::new(*position)).iter().any(|&m| {
        let after = position.after(m);
        !wins(&after, known)
    });
    known.insert(position.key(), won);
    won
}

#[test]
fn every_first_move_on_small_hadron_boards_is_judged_rightly() {
    for (rows, columns) in [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 3), (3, 4)] {
        let start = AnyGame::from(Hadron::start(rows, columns));
        let mut known = HashMap::new();
        let mut engine = engine(start, 1);
        for &m in &legal(&GameState::new(start)) {
            let mut state = GameState::new(start);
            state.play(m);
            let proof = think(&mut *engine, &state, Budget::default()).proof;
            match proof {
                Some(Proof::Win(_)) => assert!(wins(&state.position, &mut known)),
                Some(Proof::Loss(_)) => assert!(!wins(&state.position, &mut known)),
                _ => assert_eq!(state.position.count_moves(), 1, "{}", state.position),
            }
        }
    }
}

/// Larger boards, solved from the start by any crew, even when the table has room for four
/// entries only.
#[test]
fn hadron_boards_are_solved_by_any_crew() {
    let boards: &[_] = if cfg!(debug_assertions) {
        &[(4, 4, false), (3, 5, true), (2, 7, true)]
    } else {
        &[(4, 4, false), (3, 5, true), (2, 7, true), (3, 6, true), (4, 5, true)]
    };
    for &(rows, columns, won) in boards {
        let start = AnyGame::from(Hadron::start(rows, columns));
        let crews: &[_] =
            if rows * columns > 14 { &[(1, 1 << 24), (2, 1 << 24)] } else { &[(2, 64)] };
        for &(threads, memory) in crews {
            let mut engine = EngineKind::AlphaBeta.build(start, &options(threads, memory)).unwrap();
            let report = think(&mut *engine, &GameState::new(start), Budget::default());
            let value = if won { 1.0 } else { 0.0 };
            assert_eq!(report.value, value, "{rows}x{columns} {report:?}");
            assert!(report.proof.is_some());
        }
    }
}

#[test]
fn pondering_gives_way_to_thinking_at_once() {
    let start = AnyGame::from(Loa::start(Default::default()));
    let mut engine = engine(start, 2);
    let mut rng = fastrand::Rng::with_seed(4);
    let mut state = GameState::new(start);
    for _ in 0..50 {
        engine.ponder(&state);
        state.play(state.position.random_move(&mut rng).unwrap());
        if state.ending().is_some() {
            break;
        }
        think(&mut *engine, &state, Budget::until(Instant::now() + Duration::from_millis(1)));
    }
}

#[test]
fn a_win_at_once_is_seen_and_played() {
    let start = AnyGame::from(Murus::start());
    // The tower on C3 reaches the home row in three directions.
    let board = "bb....bb/......../..W...../......../....B.../......../w...w..w w 30";
    let state = GameState::new(start.parse_board(board).unwrap());
    let report = think(&mut *engine(start, 1), &state, Budget::nodes(10_000));
    assert_eq!(report.proof, Some(Proof::Win(1)));
    let after = state.after(report.best);
    assert_eq!(after.ending().map(|ending| ending.outcome), Some(Outcome::Win(Side::White)));
}

/// A hanging piece at the horizon is no gain if its taker is taken.
#[test]
fn a_guarded_piece_is_not_taken_by_a_better_one() {
    let start = AnyGame::from(Voidrider::start());
    let board = "#.###.#/.bp.k../#.p.p.#/#.p...#/#..n..#/#..R..#/#.....#/#..K..#/#.###.# w 40 - 3";
    let state = GameState::new(start.parse_board(board).unwrap());
    let taken = state.position.parse_move("d4-d5").unwrap();
    for nodes in [200, 2_000, 20_000] {
        let report = think(&mut *engine(start, 1), &state, Budget::nodes(nodes));
        assert_ne!(report.best, taken, "{report:?}");
    }
}

/// Plays one game against random moves and returns whether the engine won it.
fn beats_random(start: AnyGame, side: Side, nodes: u64, seed: u64) -> Outcome {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut engine = engine(start, 1);
    let mut state = GameState::new(start);
    loop {
        if let Some(ending) = state.ending() {
            return ending.outcome;
        }
        let m: Move = if state.position.side() == side {
            think(&mut *engine, &state, Budget::nodes(nodes)).best
        } else {
            state.position.random_move(&mut rng).unwrap()
        };
        state.play(m);
    }
}

#[test]
fn random_moves_do_not_stand_a_chance() {
    for (seed, side) in [(1, Side::White), (2, Side::Black)] {
        let won = Outcome::Win(side);
        assert_eq!(beats_random(AnyGame::from(Murus::start()), side, 500, seed), won);
        assert_eq!(beats_random(AnyGame::from(Hadron::start(9, 9)), side, 500, seed), won);
        assert_eq!(
            beats_random(AnyGame::from(Loa::start(Default::default())), side, 500, seed),
            won
        );
        assert_eq!(beats_random(AnyGame::from(Voidrider::start()), side, 2_000, seed), won);
    }
}

#[test]
fn too_little_memory_is_refused() {
    let refused = EngineKind::AlphaBeta.build(AnyGame::from(Murus::start()), &options(1, 63)).err();
    assert!(matches!(refused, Some(EngineError::MemoryTooSmall { bytes: 63, least: 64 })));
}

/// In release: a minute or two.
#[test]
#[ignore = "a long search, for the release build"]
fn hadron_5x5_is_won_with_every_first_move() {
    let start = GameState::new(AnyGame::from(Hadron::start(5, 5)));
    let mut engine = EngineKind::AlphaBeta.build(start.position, &options(2, 1 << 30)).unwrap();
    // One of each eight that reflections and rotations turn into one another.
    for first in ["A1", "A2", "A3", "B2", "B3", "C3"] {
        let mut state = start;
        state.play_text(first).unwrap();
        let report = engine.think(&state, &Budget::nodes(1_000_000_000), &mut |_| {});
        assert!(matches!(report.proof, Some(Proof::Loss(_))), "{first}: {:?}", report.proof);
    }
}
