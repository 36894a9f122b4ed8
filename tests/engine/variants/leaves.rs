//! A leaf takes no more than its share of the time, however many captures follow from it.

use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::eval::parameters::Parameters;
use alesia::games::Murus;
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};

use super::*;
use crate::support::random_walk;

/// The time that a search is given, and what it may take beside other tests.
const GIVEN: Duration = Duration::from_millis(50);
const BOUND: Duration = Duration::from_secs(2);

/// Armies within reach of each other, one from Fairy-Stockfish's `variants.ini`.
const CROWDED: &[&str] = &[
    "[massacre:chess]\nstartFen = RNBKQBNR/pppppppp/8/8/8/8/PPPPPPPP/rnbkqbnr w - - 0 1",
    "[queens:chess]\nstartFen = qqqqkqqq/qqqqqqqq/QQQQQQQQ/8/8/qqqqqqqq/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    "[leapers:chess]\ncustomPiece1 = a:WFD\nstartFen = aaaakaaa/aaaaaaaa/8/AAAAAAAA/aaaaaaaa/8/AAAAAAAA/AAAAKAAA w - - 0 1",
];

/// A start with pieces of a random move, thrown on the board.
fn thrown(rng: &mut fastrand::Rng) -> Option<Variant> {
    const ATOMS: [&str; 10] = ["W", "F", "N", "D", "A", "R", "B", "NN", "C", "Z"];
    let atoms: String = (0..rng.usize(1..4)).map(|_| ATOMS[rng.usize(..ATOMS.len())]).collect();
    let mut cells: Vec<char> =
        (0..64).map(|_| char::from(b"aAqQrRaAqQ1111"[rng.usize(..14)])).collect();
    (cells[4], cells[60]) = ('k', 'K');
    let rows: Vec<String> = cells.chunks(8).map(|row| row.iter().collect()).collect();
    let fen = format!("{} w - - 0 1", rows.join("/"));
    let text = format!("[thrown:chess]\ncustomPiece1 = a:{atoms}\nstartFen = {fen}");
    let all = variant::load("thrown.ini", text).ok()?;
    let start = Variant::set_up(all[0]);
    let state = GameState::new(start);
    (state.ending().is_none() && !moves(&start).is_empty()).then_some(start)
}

/// Thinks about a position, and says how long it took.
fn time_of_a_search<G: Evaluate>(
    kind: EngineKind,
    start: G,
    parameters: Option<Parameters>,
) -> Duration {
    let options =
        EngineOptions { threads: 1, memory: 4 << 20, parameters, ..EngineOptions::default() };
    let mut engine = kind.build_for(start, &options).unwrap();
    let began = Instant::now();
    engine.think(&GameState::new(start), &Budget::until(began + GIVEN), &mut |_| {});
    // A worker that has not ended would hold up the next search, or the end of the program.
    drop(engine);
    began.elapsed()
}

fn ends_in_time<G: Evaluate>(what: &str, start: G, parameters: Option<Parameters>) {
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        let took = time_of_a_search(kind, start, parameters);
        assert!(took < BOUND, "{what}, {kind}: {took:?}");
    }
}

#[test]
fn a_search_of_crowded_boards_ends_in_time() {
    let fairy = include_str!("../../../examples/variants/fairy.ini");
    for chosen in variant::load("fairy.ini", fairy.to_owned()).unwrap() {
        ends_in_time(chosen.rules().name(), Variant::set_up(chosen), None);
    }
    for text in CROWDED {
        ends_in_time(text, defined(text), None);
    }
}

#[test]
fn a_search_of_random_definitions_ends_in_time() {
    let mut rng = fastrand::Rng::with_seed(60);
    let starts: Vec<Variant> =
        std::iter::repeat_with(|| thrown(&mut rng)).take(20_000).flatten().take(20).collect();
    assert!(starts.len() >= 10, "{}", starts.len());
    for start in starts {
        ends_in_time(&start.to_string(), start, None);
    }
}

#[test]
fn parameters_that_ask_for_much_at_a_leaf_cost_no_time() {
    let murus = Parameters { oracle_depth: 200, playout_plies: 200, ..Murus::TUNING };
    let mut rng = fastrand::Rng::with_seed(60);
    let middle = random_walk(Murus::start(), 12, &mut rng).position;
    ends_in_time("murus", middle, Some(murus));
    let text = CROWDED[0];
    let deep = Parameters { quiescence_plies: 200, playout_plies: 200, ..Variant::TUNING };
    ends_in_time(text, defined(text), Some(deep));
}
