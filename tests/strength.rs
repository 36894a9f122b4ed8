//! How the Monte Carlo player does against a random one: 200 games each at 50 ms a move.
//!
//! `cargo test --release --test strength -- --ignored --nocapture`

use std::time::Duration;

use alesia::duel::{Limit, Score, play_pair, random_opening};
use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::{EngineKind, EngineOptions};

const GAMES: usize = 200;
const LIMITS: [Limit; 2] = [Limit::Time(Duration::from_millis(50)); 2];

/// Wins, draws and losses of the Monte Carlo player on one thread, colours alternating.
fn against_random<G: Evaluate>(start: G) -> [usize; 3] {
    let options = EngineOptions { memory: 64 << 20, seed: 1, ..Default::default() };
    let mut engine = EngineKind::MonteCarlo.build(start, &options).unwrap();
    let mut random = EngineKind::Random.build(start, &options).unwrap();
    let opening = GameState::new(start);
    let mut counts = [0; 3];
    for _ in 0..GAMES / 2 {
        for score in play_pair(&opening, [&mut *engine, &mut *random], LIMITS) {
            counts[match score {
                Score::Win => 0,
                Score::Draw => 1,
                Score::Loss => 2,
            }] += 1;
        }
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
    let [mut own, mut shared] = [2, 1].map(|trees| {
        let options = EngineOptions { threads: 2, trees, memory: 256 << 20, ..Default::default() };
        EngineKind::MonteCarlo.build(start, &options).unwrap()
    });
    let mut rng = fastrand::Rng::with_seed(7);
    let mut halves = 0;
    for _ in 0..PAIRS {
        let opening = random_opening(start, OPENING_PLIES, &mut rng).unwrap();
        let scores = play_pair(&opening, [&mut *own, &mut *shared], LIMITS);
        halves += scores.map(Score::halves).iter().sum::<u32>();
    }
    println!("{}: {} of {}", G::TITLE, f64::from(halves) / 2.0, 2 * PAIRS);
}
