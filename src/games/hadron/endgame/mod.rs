//! Exact endgames of Hadron: the winner of a sum of regions.
//!
//! The one idea: towards its end a position splits into regions that no longer interact, a sum of
//! games (Conway 1976). Both sides have the same legal cells, so a region cancels the same one with
//! the colours exchanged, as two single cells do. A small region is replaced by the canonical form
//! of its value (`value`), stored by its shape (`shapes`); large ones are searched cell by cell
//! (`search`) until only small ones remain. From the middle of a game on most positions of the
//! engine's games are solved, the last twenty live cells within some microseconds (`cargo bench
//! --bench hadron_endgames`).
//!
//! Only the winner is found, not the distance: the plies are the max possible. All memory is
//! allocated at the start, and results are kept from one position to the next.

pub mod boards;
mod region;
mod search;
mod shapes;
mod sum;
mod symmetry;
#[cfg(test)]
mod tests;
mod value;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use self::region::Region;
use self::shapes::Shapes;
use self::sum::Sum;
use self::value::Values;
use super::Hadron;
use crate::eval::nodes::Nodes;
use crate::eval::oracle::{Oracle, Proof};
use crate::eval::stop::Stop;

/// Games whose values the player keeps, regions whose values it looks up, and results of sums.
const VALUES: usize = 1 << 15;
const SHAPES: usize = 1 << 16;
const RESULTS: usize = 1 << 18;

/// Sums that wait to be searched, at most.
const WAITING: usize = 1 << 10;

/// Leaves of the tree search with more live cells are not tried, and the others for this many
/// steps.
const MAX_LEAF_CELLS: u32 = 40;
const LEAF_STEPS: u64 = 300;

/// Roots of the tree search with more live cells are not tried.
const MAX_ROOT_CELLS: u32 = 56;

/// Nodes of alpha-beta with more live cells are not tried, and the others for this many steps,
/// doubled for every ply of depth.
const MAX_NODE_CELLS: u32 = 48;
const NODE_STEPS: u64 = 100;

/// The result of a position under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Whether the side to move wins.
    pub wins: bool,
    /// No play lasts longer, in plies.
    pub plies: u16,
}

/// Solves endgames in fixed memory, about 8 MiB; with `BOARDS`, whole boards ([`boards`]).
pub struct Solver<const BOARDS: bool = false> {
    values: Values,
    shapes: Shapes,
    /// The results of sums by key; the last bit is set if the side to move wins.
    results: Box<[u64]>,
    /// The sums that the search has before it.
    waiting: Vec<Sum>,
    /// Sums that were searched, where whole boards are solved.
    nodes: Arc<AtomicU64>,
}

impl Solver {
    /// Allocates its memory.
    pub fn new() -> Solver {
        let results = vec![NO_RESULT; RESULTS];
        Solver::with_tables(Values::new(VALUES), Shapes::new(SHAPES), results, WAITING)
    }
}

impl<const BOARDS: bool> Solver<BOARDS> {
    fn with_tables(values: Values, shapes: Shapes, results: Vec<u64>, most: usize) -> Self {
        // Filled once, so that every page is there.
        let mut waiting = vec![Sum::EMPTY; most];
        waiting.clear();
        Solver {
            values,
            shapes,
            results: results.into_boxed_slice(),
            waiting,
            nodes: Arc::default(),
        }
    }

    /// Forgets all that it has found.
    pub fn clear(&mut self) {
        self.values.clear();
        self.shapes.clear();
        self.results.fill(NO_RESULT);
    }

    /// The result of a position, if it is found within `steps` steps, each a fifth of a microsecond
    /// or less, and before a stop is called.
    pub fn solve(&mut self, position: &Hadron, steps: u64, stop: Stop<'_>) -> Option<Solved> {
        if self.values.is_nearly_full() {
            self.clear();
        }
        self.values.allow(steps);
        self.waiting.clear();
        let region = Region::of_mover(position);
        let mut sum = Sum::EMPTY;
        self.put(&mut sum, region).ok()?;
        sum.set_key::<BOARDS>();
        let wins = self.wins(&sum, stop).ok()?;
        Some(Solved::of(&region, wins))
    }

    /// Steps of the last search.
    pub fn steps(&self) -> u64 {
        self.values.steps()
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Oracle<Hadron> for Solver {
    // A leaf may need about sixty microseconds.
    const POLL_ITERATIONS: u64 = 8;
    const BYTES: usize = 8 << 20;

    fn clear(&mut self) {
        Solver::clear(self);
    }

    /// Where opposite cells hold opposite colours on a board of even sides, every move can be
    /// answered on the opposite cell: it is legal too, and the move does not touch it.
    fn lost_by_theorem(position: &Hadron) -> Option<u16> {
        let lost = position.is_its_own_negative();
        lost.then(|| Solved::of(&Region::of(position), false).plies)
    }

    #[inline(always)]
    fn prove_leaf(&mut self, position: &Hadron, nodes: &mut Nodes<'_>) -> Option<Proof> {
        if position.live().count_ones() > MAX_LEAF_CELLS || nodes.over() {
            return None;
        }
        let solved = self.solve(position, LEAF_STEPS, nodes.stop());
        nodes.spend(self.steps());
        solved.map(Solved::proof)
    }

    fn may_prove_root(&self, root: &Hadron) -> bool {
        root.live().count_ones() <= MAX_ROOT_CELLS
    }

    fn prove_move(&mut self, after: &Hadron, steps: u64, stop: Stop<'_>) -> (Option<Proof>, u64) {
        let solved = self.solve(after, steps, stop);
        (solved.map(Solved::proof), self.steps())
    }

    #[inline(always)]
    fn prove_node(&mut self, position: &Hadron, depth: i32, stop: Stop<'_>) -> Option<Proof> {
        if position.live().count_ones() > MAX_NODE_CELLS {
            return None;
        }
        let steps = NODE_STEPS << depth.min(10);
        self.solve(position, steps, stop).map(Solved::proof)
    }
}

impl Solved {
    /// Each ply uses a live cell, and the winner makes the last one.
    fn of(region: &Region, wins: bool) -> Solved {
        let most = region.size() as u16;
        Solved { wins, plies: most - u16::from((most % 2 == 1) != wins) }
    }

    fn proof(self) -> Proof {
        if self.wins { Proof::Win(self.plies) } else { Proof::Loss(self.plies) }
    }
}

/// No sum has this key: keys of results differ from their complement in the last bit alone.
const NO_RESULT: u64 = u64::MAX;
