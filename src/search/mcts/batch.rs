//! Iterations that go through a node together.

use super::stats::Stats;

/// Iterations through one node. The node is written only when they begin and when they end, as each
/// write invalidates it in the other threads' caches; its statistics are kept here meanwhile.
#[derive(Clone, Copy)]
pub struct Batch<G> {
    /// The node's index, and its plies below the root.
    pub node: u32,
    pub depth: usize,
    /// All iterations of the batch, and those still to come.
    pub count: u32,
    pub left: u32,
    /// The sum of the rewards so far, for the node's side to move.
    pub sum: u64,
    /// The node's statistics, those of the batch included as far as it has come.
    pub stats: Stats,
    /// The node's position, and how many positions are before it.
    pub position: G,
    pub past: usize,
}
