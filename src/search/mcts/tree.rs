//! One tree: a range of the arena, handed out to its workers in blocks.
//!
//! The one idea: workers take nodes by the block, so that the pool's head is touched rarely; and
//! as the pool fills, a leaf must have been visited more often before it gets children. A full
//! pool is the normal case of a long search, not an error: the search goes on with what stands.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crossbeam::utils::CachePadded;

use crate::game::MAX_MOVES;

/// Most nodes of a block, and fewest: the children of one position must fit.
const LARGEST_BLOCK: u32 = 4096;
const SMALLEST_BLOCK: u32 = MAX_MOVES as u32;

/// Visits before a leaf gets children while the pool is at most half full.
const BASE_THRESHOLD: u32 = 2;

/// A tree's root and the free part of its range.
pub struct Tree {
    /// The root; changed only while no worker is at work.
    root: AtomicU32,
    first: u32,
    end: u32,
    block: u32,
    next: CachePadded<AtomicU32>,
}

impl Tree {
    /// A tree over a range of the arena, for so many workers.
    pub fn new(range: Range<u32>, workers: usize) -> Tree {
        let even = (range.end - range.start) / (64 * workers as u32);
        Tree {
            root: AtomicU32::new(range.start),
            first: range.start,
            end: range.end,
            block: even.clamp(SMALLEST_BLOCK, LARGEST_BLOCK),
            next: CachePadded::new(AtomicU32::new(range.start + 1)),
        }
    }

    /// The index of the root.
    pub fn root(&self) -> usize {
        // Relaxed: workers are woken through a lock after it was set.
        self.root.load(Ordering::Relaxed) as usize
    }

    /// Makes a node of the tree its root. The rest stays where it is; what is no longer reached
    /// is not used again until the tree is cleared.
    pub fn set_root(&self, root: usize) {
        debug_assert!((self.first as usize..self.end as usize).contains(&root));
        self.root.store(root as u32, Ordering::Relaxed);
    }

    /// Forgets all nodes but a root at the start of the range: sets two indices, clears nothing.
    pub fn clear(&self) {
        // Relaxed: as for the root.
        self.root.store(self.first, Ordering::Relaxed);
        self.next.store(self.first + 1, Ordering::Relaxed);
    }

    /// Reserves the next block; none when the pool is full.
    #[inline(always)]
    pub fn take_block(&self) -> Option<Range<u32>> {
        // Relaxed: the counter alone is shared; the nodes are published by their parent's link.
        // The first test keeps the counter from running on when the pool is full.
        if self.next.load(Ordering::Relaxed) >= self.end {
            return None;
        }
        let first = self.next.fetch_add(self.block, Ordering::Relaxed);
        if first >= self.end {
            return None;
        }
        Some(first..self.end.min(first + self.block))
    }

    /// Nodes handed out and nodes in all.
    pub fn usage(&self) -> (u32, u32) {
        let next = self.next.load(Ordering::Relaxed).min(self.end);
        (next - self.first, self.end - self.first)
    }

    /// Visits before a leaf gets children at the current fill: doubled at a half, three quarters,
    /// seven eighths and so on.
    pub fn threshold(&self) -> u32 {
        let (used, all) = self.usage();
        let free_share = all / (all - used).max(1);
        BASE_THRESHOLD << free_share.max(1).ilog2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_the_range_once_and_then_end() {
        let tree = Tree::new(1..10_000, 2);
        let mut expected = 2;
        while let Some(block) = tree.take_block() {
            assert_eq!(block.start, expected);
            expected = block.end;
        }
        assert_eq!(expected, 10_000);
        assert!(tree.take_block().is_none());
        tree.clear();
        assert_eq!(tree.take_block().unwrap().start, 2);
    }

    #[test]
    fn the_threshold_rises_as_the_pool_fills() {
        let tree = Tree::new(0..1 << 20, 1);
        let mut last = tree.threshold();
        assert_eq!(last, BASE_THRESHOLD);
        while tree.take_block().is_some() {
            assert!(tree.threshold() >= last);
            last = tree.threshold();
        }
        assert!(last >= BASE_THRESHOLD << 6);
    }
}
