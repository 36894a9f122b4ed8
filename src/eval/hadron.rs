//! Hadron: who runs out of moves first is a matter of parity, which only the end of a game shows.

use super::Evaluate;
use crate::game::Game;
use crate::games::{Hadron, hadron};

/// What the right parity of legal cells is worth when none of them touches another.
const PARITY: i32 = 400;

impl Evaluate for Hadron {
    /// To the end: a random game takes 46 plies and a few microseconds.
    const PLAYOUT_PLIES: u32 = Hadron::PLY_LIMIT as u32;
    const EXPLORATION: f32 = 0.9;

    /// If no legal cell touched another, the moves left would be their number, and an odd one
    /// would win for the side to move. Every legal cell that does touch another makes that less
    /// certain.
    #[inline(always)]
    fn evaluate(&self) -> i32 {
        let legal = self.legal();
        let touching =
            legal & (legal << 1 | legal >> 1 | legal << hadron::STRIDE | legal >> hadron::STRIDE);
        let count = |set: u128| (set as u64).count_ones() + ((set >> 64) as u64).count_ones();
        let total = count(legal) as i32;
        let certain = PARITY / (1 + count(touching) as i32);
        if total % 2 == 1 { certain } else { -certain }
    }
}
