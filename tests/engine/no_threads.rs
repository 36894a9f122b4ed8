//! An engine without threads: the thread that asks does the work, and reports the same.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alesia::game::GameState;
use alesia::games::{AnyGame, GameSpec};
use alesia::search::clock::Budget;
use alesia::search::report::Report;
use alesia::search::{Engine, EngineKind, EngineOptions};

fn engine(kind: EngineKind, start: AnyGame, threads: usize, memory: usize) -> Box<dyn Engine> {
    let options = EngineOptions { threads, memory, ..EngineOptions::default() };
    kind.build(start, &options).unwrap()
}

/// What a report says but the time.
fn seen(report: &Report) -> String {
    format!("{:?}", Report { elapsed: Duration::ZERO, ..report.clone() })
}

#[test]
fn without_threads_a_search_is_the_same_as_with_one() {
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        for spec in GameSpec::all() {
            let start = AnyGame::start(spec);
            let [mut without, mut with] =
                [0, 1].map(|threads| engine(kind, start, threads, 1 << 20));
            let mut state = GameState::new(start);
            // With a megabyte, trees are compacted between moves.
            for _ in 0..4 {
                let budget = Budget::nodes(3_000);
                let reports =
                    [&mut without, &mut with].map(|one| one.think(&state, &budget, &mut |_| {}));
                assert_eq!(seen(&reports[0]), seen(&reports[1]), "{kind} {spec}");
                assert_eq!(without.root_moves(&state).len(), with.root_moves(&state).len());
                state.play(reports[0].best);
                without.ponder(&state);
            }
        }
    }
}

#[test]
fn without_threads_a_search_reports_and_ends_when_it_is_asked_to() {
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        for game in ["murus", "hadron", "loa", "voidrider"] {
            let start = AnyGame::named(game).unwrap();
            let (mut engine, state) = (engine(kind, start, 0, 64 << 20), GameState::new(start));
            let hour = Budget::until(Instant::now() + Duration::from_secs(3600));
            let stop = AtomicBool::new(false);
            // It would last an hour if no report came, or if nobody saw the stop.
            let budget = Budget { stop: Some(&stop), ..hour };
            engine.think(&state, &budget, &mut |_| stop.store(true, Ordering::Relaxed));
            let started = Instant::now();
            let budget = Budget::until(started + Duration::from_millis(100));
            let report = engine.think(&state, &budget, &mut |_| {});
            assert!(report.nodes > 0 && started.elapsed() < Duration::from_secs(20), "{game}");
            // The tree search is ended by its watcher here, alpha-beta by itself.
            let budget = Budget { depth: Some(2), ..Budget::default() };
            assert!(engine.think(&state, &budget, &mut |_| {}).depth >= 2, "{game}");
        }
    }
}
