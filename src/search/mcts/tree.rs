//! One tree: a ring of nodes in the arena, allocated to its workers in blocks.
//!
//! The one idea: the live part of a tree and its free part share one ring. Workers allocate whole
//! blocks, so that the pool's head is rarely touched, and use fewer nodes as the pool fills (see
//! [`super::expansion_policy`]). A full pool is the normal case of a long search: the search
//! continues with the existing nodes. A search never uses a part of the ring, so that there is
//! always room for a copy of the reachable part of the tree (see [`super::compaction`]); the rest
//! is free afterwards.

use std::ops::Range;

use crossbeam::utils::CachePadded;

use super::sync::{AtomicU32, AtomicU64, Ordering};
use crate::game::MAX_MOVES;
use crate::search::shell::SLOTS;

/// Max and min nodes of a block: the children of one position must fit.
const MAX_BLOCK: u32 = 4096;
const MIN_BLOCK: u32 = MAX_MOVES as u32;

/// A search leaves 1/4 of the ring free.
const RESERVE: u32 = 4;

/// A tree's root and its ring of nodes.
///
/// Places in the ring are counted on and on: place p is node p modulo the ring's size. What a
/// worker reads changes while it is at work in `next` alone.
pub struct Tree {
    /// The index of the ring's first node in the arena.
    first: u32,
    /// Nodes of the ring, and those that a search may use: multiples of the block.
    size: u32,
    capacity: u32,
    block: u32,
    /// Workers that may be at work on the tree.
    workers: u32,
    /// The index of the root in the arena.
    root: AtomicU32,
    /// The root for the job of each slot: a worker that is late keeps that of its own job, whose
    /// position it knows.
    roots: [AtomicU32; SLOTS],
    /// The place where the live part begins, less than the size.
    start: AtomicU64,
    /// Raised whenever node indices are reused.
    generation: AtomicU64,
    /// Visits of the present root that halving has taken away.
    halved_away: AtomicU64,
    /// Nodes that have been halved since the tree was cleared.
    nodes_halved: AtomicU64,
    /// The place of the next block.
    next: CachePadded<AtomicU64>,
}

// Orderings: all Relaxed but those of the root. Waking the workers and waiting for them makes what
// was set before visible (`search/workers.rs`); among workers `next` alone is shared, and it hands
// over nothing: nodes are published by their parent's link. But where the time ends while a tree is
// copied, the watcher reads its root without waiting, perhaps that of the copy.
impl Tree {
    /// A tree over a range of the arena, for `workers` workers.
    pub fn new(range: Range<u32>, workers: usize) -> Tree {
        let length = range.end - range.start;
        let block = (length / (64 * workers as u32)).clamp(MIN_BLOCK, MAX_BLOCK);
        Tree::in_blocks(range, workers, block)
    }

    /// The same, with `block` nodes in a block.
    pub fn in_blocks(range: Range<u32>, workers: usize, block: u32) -> Tree {
        let blocks = (range.end - range.start) / block;
        Tree {
            first: range.start,
            size: blocks * block,
            capacity: (blocks - blocks.div_ceil(RESERVE)) * block,
            block,
            workers: workers as u32,
            root: AtomicU32::new(range.start),
            roots: std::array::from_fn(|_| AtomicU32::new(range.start)),
            start: AtomicU64::new(0),
            generation: AtomicU64::new(0),
            halved_away: AtomicU64::new(0),
            nodes_halved: AtomicU64::new(0),
            next: CachePadded::new(AtomicU64::new(0)),
        }
    }

    /// The index of the root.
    #[inline(always)]
    pub fn root(&self) -> usize {
        // Acquire: who sees the root of a copy sees the copy. Not read in descents.
        self.root.load(Ordering::Acquire) as usize
    }

    /// The index of the root for the job of a slot.
    pub fn root_of(&self, slot: usize) -> usize {
        self.roots[slot].load(Ordering::Relaxed) as usize
    }

    /// Sets the root for the job of a slot, in which no worker grows the tree yet.
    pub fn set_root_of(&self, slot: usize, root: usize) {
        self.roots[slot].store(root as u32, Ordering::Relaxed);
    }

    /// Makes a node of the tree its root. The rest stays in place; unreachable nodes are not used
    /// again until the tree is cleared or copied.
    pub fn set_root(&self, root: usize) {
        if root != self.root() {
            self.halved_away.store(0, Ordering::Relaxed);
        }
        self.root.store(root as u32, Ordering::Relaxed);
    }

    /// Clears the tree by setting a few indices, and allocates the first block, whose first node is
    /// the root.
    pub fn clear(&self) -> Range<u32> {
        self.halved_away.store(0, Ordering::Relaxed);
        self.nodes_halved.store(0, Ordering::Relaxed);
        self.set_live_part(0, u64::from(self.block));
        self.first..self.first + self.block
    }

    /// Workers that may be at work on the tree.
    pub fn workers(&self) -> u32 {
        self.workers
    }

    /// Counts a node that has been halved; `visits` are those that were taken away if it is the
    /// root.
    pub fn count_halving(&self, node: usize, visits: u32) {
        self.nodes_halved.fetch_add(1, Ordering::Relaxed);
        if node == self.root() {
            self.halved_away.fetch_add(visits.into(), Ordering::Relaxed);
        }
    }

    /// Visits of the present root that halving has taken away.
    pub fn halved_away(&self) -> u64 {
        self.halved_away.load(Ordering::Relaxed)
    }

    /// Nodes that have been halved since the tree was cleared.
    pub fn nodes_halved(&self) -> u64 {
        self.nodes_halved.load(Ordering::Relaxed)
    }

    /// Makes the nodes from one place to another the live part; the first of them is the root.
    pub fn set_live_part(&self, start: u64, end: u64) {
        let size = u64::from(self.size);
        let turn = start - start % size;
        // Release: as in `root`.
        self.root.store(self.node_at(start) as u32, Ordering::Release);
        self.start.store(start - turn, Ordering::Relaxed);
        self.begin_generation();
        let block = u64::from(self.block);
        self.next.store((end - turn).next_multiple_of(block), Ordering::Relaxed);
    }

    /// Begins a new generation, in which indices mean other nodes; returns it. No other worker
    /// may be at work on the tree.
    pub fn begin_generation(&self) -> u64 {
        let generation = self.generation() + 1;
        self.generation.store(generation, Ordering::Relaxed);
        generation
    }

    /// Generation counter: raised whenever node indices are reused.
    #[inline(always)]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Nodes of the ring.
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// Nodes of a block.
    pub fn block(&self) -> u32 {
        self.block
    }

    /// Blocks of the ring.
    pub fn blocks(&self) -> usize {
        (self.size / self.block) as usize
    }

    /// The places that hold nothing.
    pub fn free(&self) -> Range<u64> {
        let start = self.start.load(Ordering::Relaxed);
        self.next.load(Ordering::Relaxed).min(start + u64::from(self.capacity))
            ..start + u64::from(self.size)
    }

    /// A test of whether an index is in the live part.
    pub fn live(&self) -> impl Fn(usize) -> bool {
        let start = self.start.load(Ordering::Relaxed);
        let live: std::collections::HashSet<usize> =
            (start..self.free().start).map(|place| self.node_at(place)).collect();
        move |node| live.contains(&node)
    }

    /// The index of the node at a place.
    #[inline(always)]
    pub fn node_at(&self, place: u64) -> usize {
        (u64::from(self.first) + place % u64::from(self.size)) as usize
    }

    /// Reserves the next block; none when the pool is full.
    #[inline(always)]
    pub fn take_block(&self) -> Option<Range<u32>> {
        let limit = self.start.load(Ordering::Relaxed) + u64::from(self.capacity);
        let place = self.take_place(&self.next, limit)?;
        let first = self.node_at(place) as u32;
        Some(first..first + self.block)
    }

    /// Takes the place of the next block below a limit, and moves on by a block.
    #[inline(always)]
    pub fn take_place(&self, next: &AtomicU64, limit: u64) -> Option<u64> {
        // The first test keeps the counter from running on when there is no room.
        if next.load(Ordering::Relaxed) >= limit {
            return None;
        }
        let place = next.fetch_add(u64::from(self.block), Ordering::Relaxed);
        (place < limit).then_some(place)
    }

    /// Nodes handed out, and those that a search may use in all.
    pub fn usage(&self) -> (u32, u32) {
        let used = self.next.load(Ordering::Relaxed) - self.start.load(Ordering::Relaxed);
        (used.min(u64::from(self.capacity)) as u32, self.capacity)
    }

    /// Whether more than one in `one_in` nodes that a search may use have been handed out.
    pub fn fuller_than(&self, one_in: u32) -> bool {
        let (used, capacity) = self.usage();
        used > capacity / one_in
    }

    /// Whether a search can have no more nodes.
    pub fn full(&self) -> bool {
        let (used, capacity) = self.usage();
        used == capacity
    }

    /// How often the free part has been halved: 0 until the pool is half full, 1 until it is three
    /// quarters full, and so on.
    pub fn halvings(&self) -> u32 {
        let (used, all) = self.usage();
        (all / (all - used).max(1)).max(1).ilog2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mcts::node::Node;

    /// The blocks of a search to the end of the pool.
    fn blocks(tree: &Tree) -> Vec<Range<u32>> {
        std::iter::from_fn(|| tree.take_block()).collect()
    }

    #[test]
    fn blocks_lie_in_the_range_one_after_another_and_leave_a_part_free() {
        let tree = Tree::new(1..10_001, 2);
        assert_eq!(tree.clear(), 1..257);
        assert_eq!(tree.root(), 1);
        let taken = blocks(&tree);
        assert!(taken.windows(2).all(|pair| pair[0].end == pair[1].start));
        let end = taken.last().unwrap().end;
        let blocks_of_ring = 10_000_u32 / 256;
        assert_eq!(end, 1 + 256 * (blocks_of_ring - blocks_of_ring.div_ceil(RESERVE)));
        assert_eq!(tree.usage(), (end - 1, end - 1));
        assert_eq!(tree.free().end - tree.free().start, u64::from(10_001 / 256 * 256 + 1 - end));
        tree.clear();
        assert_eq!(tree.take_block().unwrap().start, 257);
    }

    #[test]
    fn the_ring_goes_round_for_ever() {
        let tree = Tree::new(1..10_001, 1);
        tree.clear();
        for _ in 0..100 {
            blocks(&tree);
            let free = tree.free();
            tree.set_live_part(free.start, free.start + 300);
            assert_eq!(tree.root(), tree.node_at(free.start));
            assert_eq!(tree.usage().0, 512);
            let kept = free.start..free.start + 300;
            let kept: Vec<usize> = kept.map(|place| tree.node_at(place)).collect();
            for block in blocks(&tree) {
                assert!(1 <= block.start && block.end <= 10_001, "in one piece, in the range");
                assert!(kept.iter().all(|&node| !block.contains(&(node as u32))));
            }
        }
    }

    #[test]
    fn the_greatest_ring_stays_within_32_bits() {
        // As many nodes as an index can name, which is 128 GiB of them; and as many as the memory
        // that a program of 32 bits can take in one piece has room for.
        let of_32_bits = (u64::from(u32::MAX) + 1) / size_of::<Node>() as u64 / 2;
        for end in [u32::MAX, of_32_bits as u32] {
            for workers in [1, 2, 1024] {
                let tree = Tree::new(1..end, workers);
                tree.clear();
                // Nearly round the ring, and round it once more.
                let size = u64::from(tree.size);
                for start in [size - 3 * u64::from(tree.block), 2 * size - 1] {
                    tree.set_live_part(start, start + 1);
                    for _ in 0..5 {
                        let block = tree.take_block().unwrap();
                        assert!(1 <= block.start && block.start < block.end && block.end <= end);
                    }
                    let (used, all) = tree.usage();
                    assert!(0 < used && used < all && all < end, "{used} of {all}");
                    assert!(!tree.fuller_than(2) && tree.halvings() == 0);
                }
            }
        }
    }

    #[test]
    fn the_free_part_is_halved_again_and_again() {
        let tree = Tree::new(0..1 << 20, 1);
        let mut seen = vec![tree.halvings()];
        while tree.take_block().is_some() {
            seen.push(tree.halvings());
        }
        // Of 192 blocks; with none left it is as good as halved to the last node.
        let full = seen.pop().unwrap();
        let half_and_three_quarters = (seen[95], seen[96], seen[143], seen[144]);
        assert_eq!(half_and_three_quarters, (0, 1, 1, 2));
        assert!(seen.is_sorted() && seen.last() == Some(&7) && full > 7, "{seen:?}, {full}");
    }
}
