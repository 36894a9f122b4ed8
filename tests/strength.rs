//! How the Monte Carlo player does against a random one: 200 games each at 50 ms a move.
//!
//! `cargo test --release --test strength -- --ignored --nocapture`

use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::game::{GameState, Outcome, Side};
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};

const GAMES: usize = 200;
const MOVE_TIME: Duration = Duration::from_millis(50);

/// Wins, draws and losses of the Monte Carlo player on one thread, colours alternating.
fn against_random<G: Evaluate>(start: G) -> [usize; 3] {
    let options = EngineOptions { memory: 64 << 20, seed: 1, ..Default::default() };
    let mut engine = EngineKind::MonteCarlo.build(start, &options).unwrap();
    let mut rng = fastrand::Rng::with_seed(1);
    let mut counts = [0; 3];
    for game in 0..GAMES {
        let ours = if game % 2 == 0 { Side::White } else { Side::Black };
        let mut state = GameState::new(start);
        let outcome = loop {
            if let Some(ending) = state.ending() {
                break ending.outcome;
            }
            let m = if state.position.side() == ours {
                let budget = Budget::until(Instant::now() + MOVE_TIME);
                engine.think(&state, &budget, &mut |_| {}).best
            } else {
                state.position.random_move(&mut rng).unwrap()
            };
            state.play(m);
        };
        counts[match outcome {
            Outcome::Win(side) if side == ours => 0,
            Outcome::Draw => 1,
            Outcome::Win(_) => 2,
        }] += 1;
    }
    let [won, drawn, lost] = counts;
    println!("{}: {won} won, {drawn} drawn, {lost} lost of {GAMES}", G::TITLE);
    counts
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn murus_gallicus() {
    let [won, ..] = against_random(Murus::start());
    assert!(won >= 198);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn hadron() {
    let [won, ..] = against_random(Hadron::start(9, 9));
    assert!(won >= 198);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn lines_of_action() {
    let [won, ..] = against_random(Loa::start(Default::default()));
    assert!(won >= 198);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn voidrider_chess() {
    let [won, _, lost] = against_random(Voidrider::start());
    assert!(lost == 0 && won > GAMES / 2);
}

/// Two threads on a tree each against two on one shared tree: prints the score of the former over
/// 40 games of each kind at 50 ms a move, both colours from random openings of four plies.
#[test]
#[ignore = "takes ten minutes; a measurement that nothing depends on"]
fn trees_of_their_own_against_a_shared_one() {
    compare_trees(Murus::start());
    compare_trees(Loa::start(Default::default()));
    compare_trees(Hadron::start(9, 9));
    compare_trees(Voidrider::start());
}

fn compare_trees<G: Evaluate>(start: G) {
    const PAIRS: usize = 20;
    const OPENING_PLIES: usize = 4;
    let mut engines = [2, 1].map(|trees| {
        let options = EngineOptions { threads: 2, trees, memory: 256 << 20, ..Default::default() };
        EngineKind::MonteCarlo.build(start, &options).unwrap()
    });
    let mut rng = fastrand::Rng::with_seed(7);
    let mut halves = 0;
    for _ in 0..PAIRS {
        let mut opening = GameState::new(start);
        for _ in 0..OPENING_PLIES {
            opening.play(opening.position.random_move(&mut rng).unwrap());
        }
        for own_side in [Side::White, Side::Black] {
            let mut state = opening;
            let outcome = loop {
                if let Some(ending) = state.ending() {
                    break ending.outcome;
                }
                let engine = &mut engines[usize::from(state.position.side() != own_side)];
                let budget = Budget::until(Instant::now() + MOVE_TIME);
                let m = engine.think(&state, &budget, &mut |_| {}).best;
                state.play(m);
            };
            halves += match outcome {
                Outcome::Win(side) if side == own_side => 2,
                Outcome::Draw => 1,
                Outcome::Win(_) => 0,
            };
        }
    }
    println!("{}: {} of {}", G::TITLE, f64::from(halves) / 2.0, 2 * PAIRS);
}
