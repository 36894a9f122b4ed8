//! What came of a move elsewhere in the search, beyond what was expected where it was made.
//!
//! The one idea: a move that refutes much is likely to refute the next position too (the history
//! heuristic: Schaeffer 1989; in the priors of a tree search, progressive history: Nijssen and
//! Winands 2011). So each worker keeps a running mean for every move of both sides. Where a node
//! gets children, their priors are multiplied by e to the power of `history_factor` times that
//! mean, and made to sum to 1 again. Priors that a node has already stay. Each search begins with
//! nothing learned.

use crate::eval::network::exp;
use crate::game::{Move, Side};

/// Moves whose codes differ by a multiple of this share a mean. Small in the models of loom, where
/// threads have small stacks.
const SLOTS: usize = if cfg!(loom) { 1 << 4 } else { 1 << 12 };

/// How much of a mean is what came of the move the last time: about the last fifty times matter.
const RATE: f32 = 0.02;

/// A weight is multiplied or divided by e to the power of this at most.
const MAX_POWER: f32 = 3.0;

/// What a worker has learned of moves since its search began.
pub struct MoveHistory {
    /// What a mean is multiplied with to be a power of e; 0: nothing is learned.
    factor: f32,
    /// For each side and move what came of it, less what was expected: -1 to 1.
    means: [[f32; SLOTS]; 2],
}

impl MoveHistory {
    /// Nothing is known, and nothing will be if the factor is 0.
    pub fn new(factor: f32) -> MoveHistory {
        MoveHistory { factor, means: [[0.0; SLOTS]; 2] }
    }

    /// Whether it learns.
    #[inline(always)]
    pub fn learns(&self) -> bool {
        self.factor > 0.0
    }

    /// Notes what came of a side's move, less what was expected before it: -1 to 1.
    #[inline(always)]
    pub fn note(&mut self, side: Side, m: Move, surplus: f32) {
        let mean = &mut self.means[side as usize][slot(m)];
        *mean += (surplus - *mean) * RATE;
    }

    /// Multiplies the weights of a side's moves by factors from their means.
    #[inline(always)]
    pub fn adjust(&self, side: Side, moves: &[Move], weights: &mut [f32]) {
        if !self.learns() {
            return;
        }
        let means = &self.means[side as usize];
        for (weight, &m) in weights.iter_mut().zip(moves) {
            let power = self.factor * means[slot(m)];
            *weight *= exp(power.clamp(-MAX_POWER, MAX_POWER));
        }
    }
}

#[inline(always)]
fn slot(m: Move) -> usize {
    usize::from(m.code()) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVE: Move = Move::from_code(12);
    const OTHER: Move = Move::from_code(13);

    /// The weights of both moves, 1 before, for a side.
    fn weights(history: &MoveHistory, side: Side) -> [f32; 2] {
        let mut weights = [1.0; 2];
        history.adjust(side, &[MOVE, OTHER], &mut weights);
        weights
    }

    #[test]
    fn unknown_moves_change_nothing() {
        let mut history = MoveHistory::new(10.0);
        assert_eq!(weights(&history, Side::White), [1.0; 2]);
        history.note(Side::White, MOVE, 0.5);
        assert_eq!(weights(&history, Side::Black), [1.0; 2], "the other side");
        assert_eq!(weights(&history, Side::White)[1], 1.0, "another move");
    }

    #[test]
    fn a_weight_grows_with_what_came_of_the_move_and_shrinks_again() {
        let mut history = MoveHistory::new(10.0);
        history.note(Side::White, MOVE, 0.5);
        let once = weights(&history, Side::White)[0];
        assert!((once - (10.0 * 0.5 * RATE).exp()).abs() < 1e-3, "{once}");
        history.note(Side::White, MOVE, 0.5);
        assert!(weights(&history, Side::White)[0] > once);
        for _ in 0..10 {
            history.note(Side::White, MOVE, -0.5);
        }
        assert!(weights(&history, Side::White)[0] < 1.0);
    }

    #[test]
    fn a_mean_comes_to_what_is_always_seen_and_a_weight_to_its_limits() {
        let mut history = MoveHistory::new(10.0);
        for _ in 0..1000 {
            history.note(Side::Black, MOVE, 0.2);
            history.note(Side::Black, OTHER, -1.0);
        }
        let [good, bad] = weights(&history, Side::Black);
        assert!((good / 2f32.exp() - 1.0).abs() < 1e-3, "{good}");
        assert!((bad * MAX_POWER.exp() - 1.0).abs() < 1e-3, "{bad}");
    }

    #[test]
    fn nothing_is_learned_with_a_factor_of_0() {
        let mut history = MoveHistory::new(0.0);
        history.note(Side::White, MOVE, 1.0);
        assert!(!history.learns());
        assert_eq!(weights(&history, Side::White), [1.0; 2]);
    }
}
