//! Resident memory does not grow from the start of an engine to the end of a game, except by code,
//! which is loaded from the program's file when it first runs.
#![cfg(target_os = "linux")]

use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};

/// Anonymous resident bytes of this process, as `/proc/self/status` says.
fn resident() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    let kibibytes: i64 = line.trim().strip_suffix(" kB").unwrap().parse().unwrap();
    kibibytes * 1024
}

/// The change from the start of an engine to the end of a game in which it ponders.
fn change_over_a_game<G: Evaluate>(start: G) -> i64 {
    let options = EngineOptions { threads: 3, memory: 16 << 20, ..Default::default() };
    let before_start = resident();
    let mut engine = EngineKind::MonteCarlo.build_for(start, &options).unwrap();
    let at_start = resident();
    assert!(at_start - before_start > 15 << 20, "the memory is taken at start");
    let mut rng = fastrand::Rng::with_seed(2);
    let mut state = GameState::new(start);
    while state.ending().is_none() {
        let report = engine.think(&state, &Budget::nodes(1_500), &mut |_| {});
        state.play(report.best);
        if state.ending().is_none() {
            engine.ponder(&state);
            std::thread::sleep(Duration::from_millis(2));
            state.play(state.position.random_move(&mut rng).unwrap());
        }
    }
    resident() - at_start
}

#[test]
fn resident_memory_changes_by_less_than_a_mebibyte_over_a_game() {
    let changes = [
        change_over_a_game(Murus::start()),
        change_over_a_game(Hadron::start(9, 9)),
        change_over_a_game(Loa::start(Default::default())),
        change_over_a_game(Voidrider::start()),
    ];
    println!("{changes:?} bytes");
    assert!(changes.iter().all(|change| change.abs() < 1 << 20), "{changes:?}");
}
