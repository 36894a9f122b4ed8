//! The random player: the floor every other is measured from.

use super::clock::{Budget, Instant};
use super::report::Report;
use super::{Engine, EngineOptions};
use crate::game::chance::Chance;
use crate::game::{Game, GameState};

/// Plays a uniformly random legal move at once.
pub struct Random {
    rng: fastrand::Rng,
}

impl Random {
    /// A player with moves that follow from the seed.
    pub fn new(options: &EngineOptions) -> Random {
        Random { rng: fastrand::Rng::with_seed(options.seed) }
    }
}

impl<G: Game> Engine<G> for Random {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        _: &mut dyn FnMut(&Report),
    ) -> Report {
        let started = Instant::now();
        let chosen = match budget.only {
            [] => state.position.random_move(&mut self.rng),
            only => self.rng.pick(only).copied(),
        };
        let mut report =
            Report::of_move(chosen.expect("a search starts where there is a legal move"));
        report.elapsed = started.elapsed();
        report
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = fastrand::Rng::with_seed(seed);
    }
}
