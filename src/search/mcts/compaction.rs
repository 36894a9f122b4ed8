//! Compaction: copies the reachable part of a tree after a move to the free part of the ring.
//!
//! The one idea: a copying collector (Cheney 1970). Nodes are copied breadth-first, the children of
//! a node in one piece, without unvisited ones except at the root; the copies not yet scanned are
//! the queue. The old tree is only read and stays valid until the copy replaces it, so a copy can
//! be abandoned at any moment. And as the order is breadth-first, a copy that ends early (no time
//! or no room) has lost only the deepest nodes. Shared children are copied once, as long as the
//! table still has their place.
//!
//! All workers of a tree copy it together (Imai and Tick 1993). Each fills blocks of its own. What
//! it has copied goes into a queue, about a thousand nodes at a time, and the next free worker
//! copies their children. One worker alone copies in exactly Cheney's order.

use std::ops::Range;

use crossbeam::utils::CachePadded;

use super::node::Node;
use super::proof::Bounds;
use super::sync::{ArrayQueue, AtomicU32, AtomicU64, Ordering, yield_now};
use super::transpositions::{Key, Transpositions};
use super::tree::Tree;
use crate::eval::stop::Stop;
use crate::search::clock::Instant;

/// Copied nodes that are handed on together. Few in the models of loom, whose trees are small.
const RANGE: usize = if cfg!(loom) { 2 } else { 1024 };

/// Nodes of a range between the one that is scanned and the one whose children are fetched.
const AHEAD: u32 = 4;

/// Whether a child holds more than what can be made again when it is needed.
pub fn says_something(child: &Node) -> bool {
    child.stats().visits > 0 || child.bounds() != Bounds::UNKNOWN
}

/// What the workers that copy a tree share.
pub struct Compaction {
    /// Copied nodes whose children have not been copied, oldest first.
    queue: ArrayQueue<Range<u32>>,
    /// Ranges in the queue and in workers' hands. The copy is finished when there are none: only
    /// who has one makes another.
    pending: CachePadded<AtomicU64>,
    /// The place of the next block to be filled.
    next: CachePadded<AtomicU64>,
    /// The free part, whose first node is the root of the copy.
    start: AtomicU64,
    end: AtomicU64,
    /// Workers that have come to help.
    helpers: AtomicU32,
}

// Orderings: what `begin` sets is made visible by waking the workers. Copied nodes are handed on by
// the queue, which has the orderings for it, and by `pending`, whose end shows all of them.
impl Compaction {
    /// For copies of a tree.
    pub fn new(tree: &Tree) -> Compaction {
        // Each range in the queue is a full one or the last of a block.
        let most = tree.size() / RANGE + tree.blocks() + 1;
        Compaction {
            queue: ArrayQueue::new(most),
            pending: CachePadded::default(),
            next: CachePadded::default(),
            start: AtomicU64::new(0),
            end: AtomicU64::new(0),
            helpers: AtomicU32::new(0),
        }
    }

    /// Prepares a copy of the part that the root reaches. No worker may be at work on the tree.
    pub fn begin(&self, nodes: &[Node], tree: &Tree) {
        // Of a copy that was given up.
        while self.queue.pop().is_some() {}
        tree.begin_generation();
        let free = tree.free();
        let root = tree.node_at(free.start);
        nodes[root].copy_from(&nodes[tree.root()]);
        self.start.store(free.start, Ordering::Relaxed);
        self.next.store(free.start, Ordering::Relaxed);
        self.end.store(free.end, Ordering::Relaxed);
        self.helpers.store(0, Ordering::Relaxed);
        self.pending.store(1, Ordering::Relaxed);
        self.hand_on(root as u32..root as u32 + 1);
    }

    /// Helps to copy the tree, if there is anything left to do and fewer workers help than the tree
    /// has, until it is done. The last one makes the copy the live part, and returns true. Copies
    /// no deeper once `until` has come; gives up when `stop` is raised, after which only the
    /// transposition table has forgotten the tree.
    pub fn help(
        &self,
        nodes: &[Node],
        tree: &Tree,
        transpositions: Transpositions,
        until: Option<Instant>,
        stop: Stop<'_>,
    ) -> bool {
        // Relaxed: the number alone matters.
        if self.helpers.fetch_add(1, Ordering::Relaxed) >= tree.workers() {
            return false;
        }
        let mut copier =
            Copier { nodes, tree, transpositions, compaction: self, open: 0..0, unscanned: 0..0 };
        let mut scanned = 0;
        // Acquire: as below.
        while self.pending.load(Ordering::Acquire) > 0 {
            if stop.raised() {
                return false;
            }
            let Some(range) = copier.take_range() else {
                yield_now();
                continue;
            };
            // The root and what lies near it is kept at any rate.
            let late = scanned > RANGE && until.is_some_and(|until| Instant::now() >= until);
            scanned += range.len();
            copier.scan(range, late);
            // Release, Acquire: the last one sees all copies.
            if self.pending.fetch_sub(1, Ordering::AcqRel) == 1 {
                tree.set_live_part(self.start.load(Ordering::Relaxed), self.filled());
                return true;
            }
        }
        false
    }

    /// The index of the copy's root.
    fn root(&self, tree: &Tree) -> usize {
        tree.node_at(self.start.load(Ordering::Relaxed))
    }

    /// Puts nodes that are counted as pending into the queue.
    fn hand_on(&self, range: Range<u32>) {
        self.queue.push(range).expect("the queue has room for all nodes of a tree");
    }

    /// The place up to which blocks have been filled.
    fn filled(&self) -> u64 {
        let end = self.end.load(Ordering::Relaxed);
        self.next.load(Ordering::Relaxed).clamp(self.start.load(Ordering::Relaxed) + 1, end)
    }

    /// Takes the next block to fill; none if there is no room.
    fn take_block(&self, tree: &Tree) -> Option<Range<u32>> {
        let (start, end) = (self.start.load(Ordering::Relaxed), self.end.load(Ordering::Relaxed));
        let place = tree.take_place(&self.next, end)?;
        let first = tree.node_at(place) as u32;
        let root = u32::from(place == start);
        Some(first + root..first + tree.block())
    }
}

/// A worker's part in a copy.
struct Copier<'a> {
    nodes: &'a [Node],
    tree: &'a Tree,
    transpositions: Transpositions<'a>,
    compaction: &'a Compaction,
    /// What is free in the blocks that it fills.
    open: Range<u32>,
    /// The copies before it that it has not handed on. They count as one pending range, if there
    /// are any.
    unscanned: Range<u32>,
}

impl Copier<'_> {
    /// Takes the oldest nodes that nobody has: others' first.
    fn take_range(&mut self) -> Option<Range<u32>> {
        self.compaction.queue.pop().or_else(|| {
            let own = std::mem::replace(&mut self.unscanned, self.open.start..self.open.start);
            (!own.is_empty()).then_some(own)
        })
    }

    /// Copies the children of some copies, or if it is `late` only forgets them.
    fn scan(&mut self, range: Range<u32>, late: bool) {
        let nodes = self.nodes;
        for at in range.clone() {
            if at + AHEAD < range.end
                && let Some(children) = nodes[(at + AHEAD) as usize].children(nodes)
            {
                children.prefetch();
            }
            self.copy_children(at as usize, late);
        }
    }

    fn copy_children(&mut self, at: usize, late: bool) {
        let node = &self.nodes[at];
        let Some(children) = node.children(self.nodes) else { return };
        let at_root = at == self.compaction.root(self.tree);
        let kept = || children.nodes().filter(|child| at_root || says_something(child));
        let count = kept().count();
        let unhalved = node.has_unhalved_children();
        let generation = self.tree.generation();
        let group = node.shares_children().then(|| Key::of_group(children.first(), generation));
        // Where two workers look at once, the children are copied twice.
        if let Some(copied) = group.and_then(|group| self.transpositions.find(group)) {
            node.forget_children();
            node.share_children_of(&self.nodes[copied]);
            node.mark_as_copied(true, unhalved);
            return;
        }
        let moves = children.moves();
        node.forget_children();
        if late || count == 0 {
            return;
        }
        let Some(first) = self.allocate(count) else { return };
        for (copy, child) in self.nodes[first..].iter().zip(kept()) {
            copy.copy_from(child);
        }
        node.publish(first as u32, count, moves);
        node.mark_as_copied(group.is_some(), unhalved);
        if let Some(group) = group {
            self.transpositions.store(group, at);
        }
        if self.unscanned.len() >= RANGE {
            self.share();
        }
    }

    /// Allocates `count` nodes in one piece, at most a block, and returns the first index. The
    /// nodes are still to be scanned.
    fn allocate(&mut self, count: usize) -> Option<usize> {
        if self.open.len() < count {
            let block = self.compaction.take_block(self.tree)?;
            if block.start == self.open.end {
                self.open.end = block.end;
            } else {
                self.share();
                self.unscanned = block.start..block.start;
                self.open = block;
            }
        }
        if self.unscanned.is_empty() {
            // Relaxed: it is above zero, as the range at hand is counted.
            self.compaction.pending.fetch_add(1, Ordering::Relaxed);
        }
        let first = self.open.start;
        self.open.start += count as u32;
        self.unscanned.end = self.open.start;
        Some(first as usize)
    }

    /// Hands its copies on.
    fn share(&mut self) {
        if !self.unscanned.is_empty() {
            let next = self.open.start;
            self.compaction.hand_on(std::mem::replace(&mut self.unscanned, next..next));
        }
    }
}
