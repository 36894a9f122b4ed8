//! A worker that gets no core, in the midst of a search, does not cost the game. The others begin
//! the next search without it; where there are none, the best move that is known is played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::fragile::{ALL, Fragile, Fuse};
use alesia::eval::Evaluate;
use alesia::game::{Game, GameState};
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::report::Report;
use alesia::search::{Engine, EngineKind, EngineOptions, contained};

/// Longer than any search here lasts, unless it waits for the late worker.
const PATIENCE: Duration = Duration::from_secs(60);

/// Searches until a report shows work, or as long as patience lasts.
fn think<G: Evaluate>(engine: &mut dyn Engine<G>, state: &GameState<G>) -> Report {
    let stop = AtomicBool::new(false);
    let deadline = Instant::now() + PATIENCE;
    let budget = Budget { stop: Some(&stop), ..Budget::until(deadline) };
    let report = engine.think(state, &budget, &mut |report| {
        stop.fetch_or(report.nodes > 0, Ordering::Relaxed);
    });
    assert!(Instant::now() < deadline, "the late worker was waited for");
    let legal = state.position.legal_moves();
    assert!(legal.contains(&report.best));
    report
}

/// Has an engine ponder until a worker of it is held back. On a busy machine pondering may be left
/// out.
fn hold<G: Evaluate>(engine: &mut dyn Engine<G>, state: &GameState<G>, fuse: &Fuse, worker: u32) {
    let started = Instant::now();
    fuse.hold(worker);
    while !fuse.holds() {
        assert!(started.elapsed() < PATIENCE, "worker {worker} is not at work");
        engine.ponder(state);
        thread::sleep(Duration::from_millis(20));
    }
}

/// Lets the worker go when the test ends, also by a failure: the engine waits for it.
struct Released(&'static Fuse);

impl Drop for Released {
    fn drop(&mut self) {
        self.0.release();
    }
}

/// Plays with a worker held back in the midst of a search for some moves, lets it go, and plays on.
fn play<G: Evaluate>(game: G, kind: EngineKind, threads: usize, trees: usize) {
    let fuse = Fuse::new();
    let start = Fragile { game, fuse };
    let options = EngineOptions { threads, trees, memory: 64 << 20, ..EngineOptions::default() };
    let mut engine = kind.build_for(start, &options).unwrap();
    let _released = Released(fuse);
    let mut state = GameState::new(start);
    for number in 0..15 {
        if state.ending().is_some() {
            break;
        }
        if number == 2 {
            hold(&mut *engine, &state, fuse, threads as u32 - 1);
        } else if number == 7 {
            fuse.release();
        }
        let report = think(&mut *engine, &state);
        assert!(report.nodes > 0 || report.proof.is_some() || state.position.count_moves() == 1);
        state.play(report.best);
        if number % 3 == 1 && state.ending().is_none() {
            engine.ponder(&state);
        }
    }
}

#[test]
fn alpha_beta_searches_beside_a_late_worker() {
    play(Murus::start(), EngineKind::AlphaBeta, 2, 1);
    play(Voidrider::start(), EngineKind::AlphaBeta, 3, 1);
}

#[test]
fn the_tree_search_begins_beside_a_late_worker() {
    play(Murus::start(), EngineKind::MonteCarlo, 2, 1);
    play(Hadron::start(7, 7), EngineKind::MonteCarlo, 3, 3);
    play(Loa::start(Default::default()), EngineKind::MonteCarlo, 3, 1);
    play(Voidrider::start(), EngineKind::MonteCarlo, 3, 2);
}

#[test]
fn a_panic_beside_a_late_worker_is_answered_by_a_legal_move() {
    let fuse = Fuse::new();
    let start = Fragile { game: Voidrider::start(), fuse };
    let options =
        EngineOptions { threads: 3, trees: 2, memory: 8 << 20, ..EngineOptions::default() };
    let mut engine = EngineKind::MonteCarlo.build_for(start, &options).unwrap();
    let _released = Released(fuse);
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..12 {
        let mut state = GameState::new(start);
        hold(&mut *engine, &state, fuse, 2);
        for _ in 0..5 {
            fuse.light_for_watcher(ALL, rng.u32(..300));
            let budget = Budget::until(Instant::now() + Duration::from_millis(20));
            let report = contained::think(&mut *engine, &state, &budget, &mut |_| {});
            fuse.put_out();
            let legal = state.position.game.legal_moves();
            assert!(legal.contains(&report.best), "{}", state.position);
            state.play(report.best);
        }
        fuse.release();
        // Waits until it has come.
        engine.new_game(1);
    }
    assert!(fuse.panics() > 0);
}

#[test]
fn with_all_workers_late_the_best_move_that_is_known_is_played() {
    let fuse = Fuse::new();
    let mut others = 0;
    for seed in 0..12 {
        let start = Fragile { game: Loa::start(Default::default()), fuse };
        let options = EngineOptions { memory: 4 << 20, seed, ..EngineOptions::default() };
        let mut engine = EngineKind::MonteCarlo.build_for(start, &options).unwrap();
        let _released = Released(fuse);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(start);
        for _ in 0..4 {
            state.play(state.position.random_move(&mut rng).unwrap());
        }
        // The tree stands there, and is asked again while its worker is late.
        let known = engine.think(&state, &Budget::nodes(3_000), &mut |_| {});
        hold(&mut *engine, &state, fuse, 0);
        let budget = Budget::until(Instant::now() + Duration::from_millis(20));
        let report = engine.think(&state, &budget, &mut |_| {});
        fuse.release();
        let legal = state.position.legal_moves();
        let most = report.top_moves.iter().map(|top| top.visits).max().unwrap();
        assert!(most >= known.top_moves[0].visits, "less than was known");
        assert_eq!(report.top_moves[0].m, report.best);
        assert!(20 * report.top_moves[0].visits >= most && report.nodes == 0);
        others += usize::from(report.best != legal[0]);
    }
    assert!(others >= 6, "{others}");
}
