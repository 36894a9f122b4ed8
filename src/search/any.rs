//! An engine of one game in the form that everything above the search knows.
//!
//! The one idea: the search is compiled for each game; here is the one place where a position of
//! any game becomes one of the engine's own.

use super::clock::Budget;
use super::report::{Report, RootMove};
use super::{Engine, EngineError, EngineKind, EngineOptions, one_ply};
use crate::game::{Game, GameState, Move};
use crate::games::{AnyGame, AnyState, Listed};
use crate::with_game;

/// Builds an engine for the game of a position.
pub fn build(
    kind: EngineKind,
    start: AnyGame,
    options: &EngineOptions,
) -> Result<Box<dyn Engine>, EngineError> {
    with_game!(start, start => Ok(Box::new(OfOneGame { engine: kind.build_for(start, options)?, see: own })))
}

/// The best move of a position of any game one ply ahead, of those that a budget allows, and its
/// expected result (`one_ply`); none without a legal move.
pub fn best_move_one_ply_ahead(state: &AnyState, budget: &Budget) -> Option<(Move, f32)> {
    let history = state.history;
    with_game!(state.position, position => {
        one_ply::best_move(&GameState { position, history }, &|m| budget.allows(m))
    })
}

/// The engine of one game, and how it sees a state of any.
pub(super) struct OfOneGame<G: Game> {
    pub engine: Box<dyn Engine<G>>,
    pub see: fn(&AnyState) -> GameState<G>,
}

/// A state as the engine knows it.
///
/// # Panics
/// If it is one of another game, for which the engine was not built.
pub(super) fn own<G: Listed>(state: &AnyState) -> GameState<G> {
    let Some(position) = G::of(&state.position) else {
        panic!("an engine of {} was given a position of {}", G::NAME, state.position.name())
    };
    GameState { position: *position, history: state.history }
}

impl<G: Game> Engine for OfOneGame<G> {
    fn think(
        &mut self,
        state: &AnyState,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.engine.think(&(self.see)(state), budget, progress)
    }

    fn root_moves(&self, state: &AnyState) -> Vec<RootMove> {
        self.engine.root_moves(&(self.see)(state))
    }

    fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
    }

    fn keep(&mut self) {
        self.engine.keep();
    }

    fn ponder(&mut self, state: &AnyState) {
        self.engine.ponder(&(self.see)(state));
    }
}
