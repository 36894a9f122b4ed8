//! Iterations that go through a node together, so that selection at the nodes above it runs once
//! for all of them.
//!
//! The one idea: a batch at a node is dealt out to its children in shares, each of which is a batch
//! one ply deeper. A child's share grows with its visits. A batch of eight, three of which have
//! ended:
//!
//! ```text
//! root      # # # . . . . .    all 8, left 5
//! child           . .          its share: all 2, left 2
//! its child       .            its share: all 1, left 1
//! below it        .            no batch: nodes are written once, during backup
//! ```
//!
//! When the two have ended (`left` is 0), the root's batch has `left` 3 and selects again.

use super::stats::Stats;

/// Iterations through one node. The node is written only when they begin and when they end, as each
/// write invalidates it in the other threads' caches; its statistics are kept here meanwhile.
#[derive(Clone, Copy)]
pub struct Batch<G> {
    /// The node's index, and its plies below the root.
    pub node: u32,
    pub depth: usize,
    pub share: Share,
    /// The sum of the rewards so far, for the node's side to move.
    pub sum: u64,
    /// The node's statistics, those of the batch included as far as it has come.
    pub stats: Stats,
    /// The node's position, and how many positions are before it.
    pub position: G,
    pub past: usize,
}

/// How many iterations a node was given, and how many of them are still to come.
#[derive(Clone, Copy)]
pub struct Share {
    pub all: u32,
    pub left: u32,
}

impl Share {
    #[inline(always)]
    pub fn new(all: u32) -> Share {
        Share { all, left: all }
    }

    /// Whether none of them has been below the node yet.
    #[inline(always)]
    pub fn is_untouched(self) -> bool {
        self.left == self.all
    }

    /// What a child with these visits gets: one iteration for each `batch_visits` of them, at least
    /// one and at most what is left.
    #[inline(always)]
    pub fn of_child(self, visits: u32, batch_visits: u32) -> Share {
        if self.left > 1 {
            Share::new((visits / batch_visits).clamp(1, self.left))
        } else {
            Share::new(1)
        }
    }
}
