//! What a position is worth without searching it, and which of its moves look promising.
//!
//! The one idea: both searches ask the same evaluation through one trait, in the same unit, so
//! that they can be compared honestly. Integers and exactly rounded float arithmetic only (no
//! `exp`, `ln` or `powf`), so that results are the same on every machine.

mod hadron;
mod loa;
mod murus;
mod voidrider;

use crate::game::{Game, MAX_MOVES, Move, Side};

/// Evaluations stay strictly between minus and plus this; beyond are proven results.
pub const MAX_SCORE: i32 = 20_000;

/// The score at which a side is expected to take three quarters of the points.
const THREE_QUARTERS_SCORE: f32 = 200.0;

/// Static evaluation and move priors of a game.
pub trait Evaluate: Game {
    /// Random plies the tree search plays from a leaf before it evaluates; a whole game for
    /// games where the end says more than any static evaluation.
    const PLAYOUT_PLIES: u32;

    /// PUCT's exploration constant that goes with the priors and values of the game.
    const EXPLORATION: f32;

    /// The share of the backed-up evaluation in the value of a move (implicit minimax), 0 to 1.
    const MINIMAX_WEIGHT: f32 = 0.0;

    /// How good the position is for the side to move, in hundredths of about a pawn or stone;
    /// within ±[`MAX_SCORE`]. The game must not be over.
    fn evaluate(&self) -> i32;

    /// The result, where it is cheaply known to be certain: who wins, in how many plies at best.
    fn decided(&self) -> Option<(Side, usize)> {
        None
    }

    /// Whether the game has noisy moves, those after which a static evaluation cannot be trusted
    /// before they are answered.
    const NOISY: bool = false;

    /// Whether a legal move is noisy.
    fn is_noisy(&self, m: Move) -> bool {
        let _ = m;
        false
    }

    /// Sets a positive weight for each legal move, larger for more promising ones; only their
    /// proportions count. `weights` is as long as `moves`.
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        debug_assert_eq!(moves.len(), weights.len());
        weights.fill(1.0);
    }
}

/// Turns a score into an expected result from 0 to 1, without `exp`: the rational sigmoid
/// x / (s + |x|), which like the logistic one is 1/2 at 0 and saturates.
#[inline(always)]
pub fn expectation(score: i32) -> f32 {
    let x = score as f32;
    0.5 + 0.5 * x / (THREE_QUARTERS_SCORE + x.abs())
}

/// Room for the weights of the moves of one position.
pub type Weights = [f32; MAX_MOVES];
