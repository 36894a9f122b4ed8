//! Searching: two engines under one clock, behind one trait.

pub mod alphabeta;
mod any;
pub mod clock;
#[doc(hidden)]
pub mod contained;
mod control_group;
pub mod delays;
pub mod duel;
pub mod judged;
#[doc(hidden)]
pub mod levels;
pub mod mcts;
#[doc(hidden)]
pub mod memory;
mod one_ply;
mod priority;
mod proven_win;
#[doc(hidden)]
pub mod random;
pub mod report;
mod shell;
#[doc(hidden)]
pub mod signature;
#[doc(hidden)]
pub mod size;
mod system;
mod theorem;
mod with_weights;
#[doc(hidden)]
pub mod workers;

use crate::eval::Evaluate;
use crate::eval::parameters::Parameters;
use crate::eval::weights_file::WeightsFile;
use crate::game::named::named;
use crate::game::{Game, GameState, ParseError};
use crate::games::AnyGame;
use crate::search::size::readable;
use clock::Budget;
use report::{Report, RootMove};
use thiserror::Error;

pub use any::best_move_one_ply_ahead;
pub use mcts::max_memory;

/// What every engine is built with.
#[derive(Clone, Copy, Debug)]
pub struct EngineOptions {
    /// Worker threads. 0: none is started; the thread that asks does the work of one, and reports
    /// the same, so that a search needs no system. Such an engine does not ponder.
    pub threads: usize,
    /// Trees of the tree search, from 1 (shared by all threads) to `threads` (one each).
    pub trees: usize,
    /// Bytes for the node arena (plus a sixteenth for its table of positions) or for the
    /// transposition table.
    pub memory: usize,
    /// Seed of all random choices.
    pub seed: u64,
    /// How the tree search grows its trees; none: as is best for the game.
    pub parameters: Option<Parameters>,
    /// Weights of the evaluation, for games that read them from a file.
    pub weights: Option<&'static WeightsFile>,
}

impl Default for EngineOptions {
    /// One thread, one tree, 512 MiB, seed 0.
    fn default() -> EngineOptions {
        EngineOptions {
            threads: 1,
            trees: 1,
            memory: 512 << 20,
            seed: 0,
            parameters: None,
            weights: None,
        }
    }
}

/// A player's thinking part, for one game or, as everything above the search has it, for any. All
/// its memory and threads are taken when it is built; thinking allocates nothing.
pub trait Engine<G: Game = AnyGame>: Send {
    /// Thinks about a position that is not over, until the budget ends or the result is proven,
    /// and reports the move to play. Now and then hands an interim report to `progress`.
    ///
    /// # Panics
    /// If the side to move has no legal move. After any panic the engine can be asked again; see
    /// [`contained`].
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report;

    /// All moves at the root of the last search, the preferred ones first, if that was of `state`
    /// and the engine has a tree; a report has only the best of them.
    fn root_moves(&self, state: &GameState<G>) -> Vec<RootMove> {
        let _ = state;
        Vec::new()
    }

    /// Forgets all earlier games: the engine behaves as if just built with this seed. Waits for the
    /// end of pondering.
    fn new_game(&mut self, seed: u64);

    /// Has the next search continue the last one, if it is of the same position, as after
    /// pondering; otherwise it begins anew. Does nothing in an engine that always continues.
    fn keep(&mut self) {}

    /// Starts pondering a position that is not over, usually with the opponent to move, and returns
    /// at once; the search continues until the next [`Engine::think`], which keeps its useful part.
    /// Does nothing in an engine that cannot ponder.
    fn ponder(&mut self, state: &GameState<G>) {
        let _ = state;
    }
}

/// Why an engine cannot be built.
#[derive(Debug, Error)]
pub enum EngineError {
    /// Too little memory for any search.
    #[error("memory: found {}, expected at least {}", readable(*bytes), readable(*least))]
    MemoryTooSmall {
        /// Asked for.
        bytes: usize,
        /// Needed.
        least: usize,
    },
    /// More memory than node indices can address, or than the address space has.
    #[error("memory: found {}, expected at most {}", readable(*bytes), readable(*most))]
    MemoryTooLarge {
        /// Asked for.
        bytes: usize,
        /// Addressable, and free as far as that is known.
        most: usize,
    },
    /// More memory than the machine has free.
    #[error(
        "memory: found {}, expected at most {} (free on this machine)",
        readable(*bytes),
        readable(*most)
    )]
    MemoryNotThere {
        /// Asked for.
        bytes: usize,
        /// Free, with what comes on top of it.
        most: usize,
    },
    /// The system refuses to start the threads.
    #[error("threads: the system refused to start them ({0}); try fewer --threads")]
    NoThreads(#[from] std::io::Error),
    /// The system refuses to allocate the memory.
    #[error("memory: the system refused {} ({error}); try a smaller --memory", readable(*bytes))]
    NoMemory {
        /// Asked for.
        bytes: usize,
        /// Its answer.
        error: std::io::Error,
    },
    /// The weights are not those of the game.
    #[error("weights: {0}")]
    Weights(#[from] ParseError),
}

named! {
    /// The engines there are.
    pub enum EngineKind ("engine", name) {
        /// Monte Carlo tree search.
        MonteCarlo = "mcts",
        /// Alpha-beta with iterative deepening.
        AlphaBeta = "alphabeta",
        /// Random legal moves.
        Random = "random",
    }
}

impl EngineKind {
    /// Its description for people.
    pub fn description(self) -> &'static str {
        match self {
            EngineKind::MonteCarlo => "Monte Carlo tree search",
            EngineKind::AlphaBeta => "alpha-beta with iterative deepening",
            EngineKind::Random => "random legal moves",
        }
    }

    /// Builds an engine for the game of a position: allocates its memory and starts its threads.
    ///
    /// # Errors
    /// The options do not fit the game, or the system refuses memory or threads.
    pub fn build(
        self,
        start: AnyGame,
        options: &EngineOptions,
    ) -> Result<Box<dyn Engine>, EngineError> {
        any::build(self, start, options)
    }

    /// The same for one game, whose positions the engine then gets.
    ///
    /// # Errors
    /// As above.
    pub fn build_for<G: Evaluate>(
        self,
        start: G,
        options: &EngineOptions,
    ) -> Result<Box<dyn Engine<G>>, EngineError> {
        G::touch_weights();
        let start = match options.weights {
            Some(file) => start.with_weights(file)?,
            None => start,
        };
        let engine: Box<dyn Engine<G>> = match self {
            EngineKind::MonteCarlo => Box::new(mcts::MonteCarlo::new(start, options)?),
            EngineKind::AlphaBeta => Box::new(alphabeta::AlphaBeta::new(start, options)?),
            EngineKind::Random => Box::new(random::Random::new(options)),
        };
        Ok(match options.weights {
            Some(_) => Box::new(with_weights::WithWeights::new(engine, start)),
            None => engine,
        })
    }
}
