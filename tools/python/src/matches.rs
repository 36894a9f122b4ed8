//! What matches in Python share with those of the lab: openings, seeds and Elo.

use alesia_match::run::opening::Openings;
use alesia_match::run::seeds::seed_of;
use alesia_match::statistics::PairCounts;
use alesia_match::statistics::wording;
use pyo3::prelude::*;

use crate::error::of_command;
use crate::position::{AnyMove, Position, game_of};
use alesia::games::AnyGame;

/// The opening of a pair of games of a match: random moves that follow from its seed, after which
/// nothing is decided; those of `alesia-lab match` with the same seed.
#[pyfunction]
#[pyo3(signature = (game, seed = 0, pair = 0, plies = 4))]
pub fn opening(game: &str, seed: u64, pair: u32, plies: usize) -> PyResult<Position> {
    let spec = game_of(game)?;
    let opening = Openings::Plies(plies).of_round(AnyGame::start(spec), seed, pair);
    let moves = opening.map_err(of_command)?.line.moves;
    let moves: Vec<AnyMove> = moves.into_iter().map(AnyMove::Text).collect();
    Position::begin(spec, None)?.after_all(&moves)
}

/// The seed of a player in both games of a pair, from its own; that of `alesia-lab match`.
#[pyfunction]
#[pyo3(signature = (seed, pair))]
pub fn game_seed(seed: u64, pair: u32) -> u64 {
    // The second stream of random numbers of a pair; the first is the opening's.
    seed_of(seed, 2 * u64::from(pair) + 1)
}

/// The Elo difference and half the width of its 95 % confidence interval, from the numbers of pairs
/// with 0, ½, 1, 1½ and 2 points. Elo is infinite where all points were won or lost; the error is
/// nan where there is none.
#[pyfunction]
pub fn elo(pairs: [u32; 5]) -> (f64, f64) {
    let estimate = PairCounts(pairs).elo();
    (estimate.value, estimate.error)
}

/// The same in words, as the lab prints them: no interval where the pairs determine none.
#[pyfunction]
pub fn elo_in_words(pairs: [u32; 5]) -> String {
    let pairs = PairCounts(pairs);
    wording::with_error(pairs.elo(), &pairs)
}
