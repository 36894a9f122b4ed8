//! Whole boards, up to 12 × 9: who wins from the start.
//!
//! The one idea: the player's solver with more memory, and more that it recognises, which costs the
//! player more time than it saves. A region that is lost by the mirror counts as zero
//! (`Region::is_lost_by_mirror`); large regions have one key with all their symmetric ones
//! (`symmetry`). And of the moves those are tried first that leave regions near to their own
//! negatives. A value for which there is no room costs time: its region is searched.
//!
//! Results are found by keys of 128 bits: the upper half is the place, 63 bits of the lower half
//! are compared. In a billion nodes the chance of one wrong result is below 1 in 10^8.

use std::collections::TryReserveError;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::region::Region;
use super::shapes::Shapes;
use super::sum::Sum;
use super::symmetry::symmetric_keys;
use super::value::{TooMuch, Values};
use super::{NO_RESULT, Solver};
use crate::eval::stop::Stop;
use crate::games::Hadron;
use crate::games::hadron::{MAX_ROWS, MAX_SIZE};

/// Solves whole boards.
pub type BoardSolver = Solver<true>;

/// The least memory that a solver can be given, in bytes.
pub const LEAST_MEMORY: usize = 16 << 20;

/// Bytes of the values and of the regions that have them, for each value.
const BYTES_OF_VALUE: usize = 168;

/// Of the memory, one part in this many is for values.
const SHARE_OF_VALUES: usize = 6;

/// Max values: there are fewer regions that have one, up to symmetry, in the boards so far.
const MAX_VALUES: usize = 1 << 20;

/// Sums that wait, at most: the moves of all plies.
const WAITING: usize = MAX_CELLS * (MAX_CELLS + 1) / 2;
const MAX_CELLS: usize = MAX_ROWS * MAX_SIZE;

impl BoardSolver {
    /// Allocates about this many bytes, at least [`LEAST_MEMORY`].
    ///
    /// # Errors
    /// They are not there.
    pub fn with_memory(bytes: usize) -> Result<BoardSolver, TryReserveError> {
        let bytes = bytes.max(LEAST_MEMORY);
        let values = bytes / SHARE_OF_VALUES / BYTES_OF_VALUE;
        // The largest power of two that is not larger.
        let values = (1 << values.ilog2()).min(MAX_VALUES);
        let count = (bytes - values * BYTES_OF_VALUE) / size_of::<u64>();
        let mut results = Vec::new();
        results.try_reserve_exact(count)?;
        results.resize(count, NO_RESULT);
        Ok(Solver::with_tables(Values::new(values), Shapes::new(2 * values), results, WAITING))
    }

    /// Whether the side to move wins; none if a sum has more parts than there is room for, or if a
    /// stop was called.
    pub fn wins_board(&mut self, position: &Hadron, stop: Stop<'_>) -> Option<bool> {
        self.values.allow(u64::MAX);
        self.waiting.clear();
        let sum = self.sum_of(position).ok()?;
        self.wins(&sum, stop).ok()
    }

    /// The same where it is seen without search.
    pub fn seen_board(&mut self, position: &Hadron) -> Option<bool> {
        self.values.allow(u64::MAX);
        let sum = self.sum_of(position).ok()?;
        self.seen(&sum)
    }

    /// How good a position looks for the side to move: a move to a lower one is tried earlier.
    /// Zero where nothing is known of it.
    pub fn promise(&mut self, position: &Hadron) -> i32 {
        self.values.allow(u64::MAX);
        self.sum_of(position).map_or(0, |sum| self.hope(&sum))
    }

    /// The number of sums searched so far, also while it is at work.
    pub fn nodes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.nodes)
    }

    fn sum_of(&mut self, position: &Hadron) -> Result<Sum, TooMuch> {
        let mut sum = Sum::EMPTY;
        self.put(&mut sum, Region::of_mover(position))?;
        sum.set_key::<true>();
        Ok(sum)
    }
}

/// A key of what is left to play for the side to move: positions that a symmetry of the board or an
/// exchange of the colours makes equal have the same one.
pub fn key(position: &Hadron) -> u128 {
    let region = Region::of_mover(position);
    if region.size() == 0 { 0 } else { symmetric_keys(&region)[0] }
}
