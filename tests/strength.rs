//! How the Monte Carlo player does against a random one: 200 games each at 50 ms a move.
//!
//! `cargo test --release --test strength -- --ignored --nocapture`

use std::time::Duration;

use alesia::duel::{Contestant, Limit, Score, play_pair};
use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::{EngineKind, EngineOptions};

const GAMES: usize = 200;
const LIMIT: Limit = Limit::Time(Duration::from_millis(50));

/// Wins, draws and losses of the Monte Carlo player on one thread, colours alternating.
fn against_random<G: Evaluate>(start: G) -> [usize; 3] {
    let options = EngineOptions { memory: 64 << 20, seed: 1, ..Default::default() };
    let mut engine = EngineKind::MonteCarlo.build(start, &options).unwrap();
    let mut random = EngineKind::Random.build(start, &options).unwrap();
    let opening = GameState::new(start);
    let mut counts = [0; 3];
    for round in 0..GAMES as u64 / 2 {
        let seed = 2 * round;
        let player = Contestant { engine: &mut *engine, limit: LIMIT, seed };
        let random = Contestant { engine: &mut *random, limit: LIMIT, seed };
        for score in play_pair(&opening, [player, random]) {
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
