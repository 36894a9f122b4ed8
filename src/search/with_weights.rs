//! An engine with weights of its own.
//!
//! The one idea: positions say how they are evaluated, so a wrapper around any engine has only to
//! hand it each position with its weights; games, protocols and other engines know nothing of them.

use super::Engine;
use super::clock::Budget;
use super::report::{Report, RootMove};
use crate::eval::Evaluate;
use crate::game::GameState;

/// An engine that sees each position with the weights of `like`.
pub struct WithWeights<G> {
    engine: Box<dyn Engine<G>>,
    like: G,
}

impl<G: Evaluate> WithWeights<G> {
    pub fn new(engine: Box<dyn Engine<G>>, like: G) -> WithWeights<G> {
        WithWeights { engine, like }
    }

    fn seen(&self, state: &GameState<G>) -> GameState<G> {
        GameState { position: state.position.evaluated_like(&self.like), ..*state }
    }
}

impl<G: Evaluate> Engine<G> for WithWeights<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.engine.think(&self.seen(state), budget, progress)
    }

    fn root_moves(&self, state: &GameState<G>) -> Vec<RootMove> {
        self.engine.root_moves(&self.seen(state))
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }

    fn keep(&mut self) {
        self.engine.keep();
    }

    fn ponder(&mut self, state: &GameState<G>) {
        self.engine.ponder(&self.seen(state));
    }
}
