//! A node of the tree: 32 bytes, shared between threads without a lock.
//!
//! The one idea: every word is an atomic that is valid independently. Visits and reward share one
//! word (`stats.rs`); the word that links to the children is written once and publishes them.
//! Several nodes may link to the same children.

use super::proof::Bounds;
use super::stats::{ONE_VISIT, Stats, VIRTUAL_LOSS, opponents_share};
use super::sync::{AtomicU16, AtomicU32, AtomicU64, Ordering};
use crate::game::Move;

/// The link of a node whose children are being made.
const CLAIMED: u64 = 1 << 63;

/// A bit of a link: other nodes have the same children, or had.
const SHARED: u64 = 1 << 62;

/// A bit of a link: the transposition table does not know the node since the tree was copied.
const UNSTORED: u64 = 1 << 61;

/// A bit of a link: the node has been halved, and its children not yet (`halving.rs`).
const UNHALVED: u64 = 1 << 60;

/// Where the count of the first children and the number of all moves stand in a link, above the
/// first child's index.
const COUNT_SHIFT: u32 = 32;
const MOVES_SHIFT: u32 = 40;

/// The index that marks that the next group of a node's children is being made; no node has it.
const NEXT_CLAIMED: u32 = u32::MAX;

/// One position of the tree, reached by one move. All zeros is a node without statistics.
#[repr(C, align(32))]
#[derive(Default)]
pub struct Node {
    /// Visits (upper bits) and the sum of rewards (lower), for the side that moved here.
    stats: AtomicU64,
    /// 0: no children yet; [`CLAIMED`]; else the index of the first group of children (low 32
    /// bits), their count, the number of legal moves, and maybe [`SHARED`],
    /// [`UNSTORED`] and [`UNHALVED`].
    link: AtomicU64,
    /// Proven bounds for the side to move here: [`Bounds`] packed.
    proof: AtomicU32,
    /// The bits of an `f32`: the share of the move among its siblings, 0 to 1.
    prior: AtomicU32,
    /// The move that led here, as [`Move::to_bits`].
    to_here: AtomicU16,
    /// In the first node of a group of siblings, 0: the next group, if there are moves left for
    /// one, is not made yet; [`NEXT_CLAIMED`]; else the index of its first node.
    next: AtomicU32,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 32 && align_of::<Node>() == 32);

/// Where the first children of a node lie.
#[derive(Clone, Copy)]
pub struct Link {
    /// The index of the child that had the largest prior when it was made.
    pub first: u32,
    /// Nodes of the first group.
    pub count: u8,
    /// Legal moves.
    pub moves: u8,
    /// Whether the transposition table does not know the node yet, or its children are to be
    /// halved.
    pub marked: bool,
}

// Orderings: statistics, proofs, priors and moves are Relaxed. A stale statistic or proof only
// makes one choice a little older; priors and moves are written before the parent's link is
// published with Release and read after it was read with Acquire.
impl Node {
    /// Resets the node to a new child.
    #[inline(always)]
    pub fn reset(&self, to_here: Option<Move>, prior: f32) {
        self.stats.store(0, Ordering::Relaxed);
        self.link.store(0, Ordering::Relaxed);
        self.proof.store(Bounds::UNKNOWN.to_bits(), Ordering::Relaxed);
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
        self.to_here.store(to_here.map_or(0, Move::to_bits), Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
    }

    /// Makes the node a copy of another that no thread changes meanwhile, with its children,
    /// without its siblings.
    pub fn copy_from(&self, other: &Node) {
        self.stats.store(other.stats.load(Ordering::Relaxed), Ordering::Relaxed);
        self.link.store(other.link.load(Ordering::Relaxed), Ordering::Relaxed);
        self.proof.store(other.proof.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        self.to_here.store(other.to_here.load(Ordering::Relaxed), Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
    }

    /// Makes the node a leaf again, its statistics as they are. No worker may be at work.
    pub fn forget_children(&self) {
        self.link.store(0, Ordering::Relaxed);
    }

    /// The current statistics.
    #[inline(always)]
    pub fn stats(&self) -> Stats {
        Stats::from_word(self.stats.load(Ordering::Relaxed))
    }

    /// Begins `count` iterations: until they end they count as lost visits, [`VIRTUAL_LOSS`] each,
    /// which turns other threads to the node's siblings, so that threads work in different parts.
    /// Returns the statistics before. With `OWNED` the tree belongs to one thread, and a plain load
    /// and store is enough.
    #[inline(always)]
    pub fn begin<const OWNED: bool>(&self, count: u32) -> Stats {
        Stats::from_word(self.add::<OWNED>(u64::from(count) * VIRTUAL_LOSS * ONE_VISIT))
    }

    /// Ends iterations that have begun, with the sum of their rewards for the side to move here.
    #[inline(always)]
    pub fn end<const OWNED: bool>(&self, count: u32, sum: u64) {
        let surplus = u64::from(count) * (VIRTUAL_LOSS - 1) * ONE_VISIT;
        self.add::<OWNED>(opponents_share(count, sum).wrapping_sub(surplus));
    }

    /// Counts iterations that are complete, with the sum of their rewards for the side to move
    /// here.
    #[inline(always)]
    pub fn add_iterations<const OWNED: bool>(&self, count: u32, sum: u64) {
        self.add::<OWNED>(u64::from(count) * ONE_VISIT + opponents_share(count, sum));
    }

    /// Makes these iterations all that the node has, if it has fewer, with the sum of their rewards
    /// for the side to move here. Those that other threads begin or end meanwhile stay counted.
    pub fn raise_iterations(&self, count: u32, sum: u64) {
        let now = self.stats.load(Ordering::Relaxed);
        if count > Stats::from_word(now).visits {
            let all = u64::from(count) * ONE_VISIT + opponents_share(count, sum);
            self.stats.fetch_add(all.wrapping_sub(now), Ordering::Relaxed);
        }
    }

    /// Halves visits and rewards if there are at least `fewest` visits; returns the visits that
    /// are taken away, or 0. Of several threads one does it; what others add meanwhile stays
    /// counted.
    pub fn halve(&self, fewest: u32) -> u32 {
        let mut now = self.stats.load(Ordering::Relaxed);
        loop {
            let Stats { visits, reward } = Stats::from_word(now);
            if visits < fewest {
                return 0;
            }
            // Visits are rounded up and rewards down, so that no mean rises above a win.
            let taken = u64::from(visits / 2) * ONE_VISIT + reward.div_ceil(2);
            let order = Ordering::Relaxed;
            match self.stats.compare_exchange_weak(now, now - taken, order, order) {
                Ok(_) => return visits / 2,
                Err(changed) => now = changed,
            }
        }
    }

    #[inline(always)]
    fn add<const OWNED: bool>(&self, amount: u64) -> u64 {
        if OWNED {
            let before = self.stats.load(Ordering::Relaxed);
            self.stats.store(before.wrapping_add(amount), Ordering::Relaxed);
            before
        } else {
            self.stats.fetch_add(amount, Ordering::Relaxed)
        }
    }

    /// Where the first children lie, if they have been published.
    #[inline(always)]
    pub fn link(&self) -> Option<Link> {
        // Acquire: pairs with the Release in `publish`, so that the children's contents are seen.
        let link = self.link.load(Ordering::Acquire);
        if link == 0 || link == CLAIMED {
            return None;
        }
        let (count, moves) = ((link >> COUNT_SHIFT) as u8, (link >> MOVES_SHIFT) as u8);
        Some(Link { first: link as u32, count, moves, marked: link & (UNSTORED | UNHALVED) != 0 })
    }

    /// The index of the first node of the next group of siblings; 0 where there is none. For the
    /// first node of a group.
    #[inline(always)]
    pub fn next_group(&self) -> usize {
        // Acquire: pairs with the Release in `publish_next`, so that the contents are seen.
        match self.next.load(Ordering::Acquire) {
            NEXT_CLAIMED => 0,
            next => next as usize,
        }
    }

    /// Tries to become the one thread that makes this node's first children.
    #[inline(always)]
    pub fn claim(&self) -> bool {
        // Relaxed: nothing is handed over by a claim; what it guards is published by `publish`.
        self.link.compare_exchange(0, CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Gives a claim back, no children made.
    #[inline(always)]
    pub fn unclaim(&self) {
        // Relaxed: nothing was written that others could read through it.
        self.link.store(0, Ordering::Relaxed);
    }

    /// Shows `count` finished children, the first of `moves` moves, to all threads; the node must
    /// be claimed.
    #[inline(always)]
    pub fn publish(&self, first: u32, count: usize, moves: usize) {
        debug_assert!(first > 0 && 0 < count && count <= moves);
        assert!(moves <= usize::from(u8::MAX), "a position has at most 255 moves");
        let counts = (count as u64) << COUNT_SHIFT | (moves as u64) << MOVES_SHIFT;
        // Release: everything written to the children comes before.
        self.link.store(u64::from(first) | counts, Ordering::Release);
    }

    /// Links to the children of another node, which has some; this one must be claimed.
    #[inline(always)]
    pub fn share_children_of(&self, other: &Node) {
        // Acquire: pairs with the Release in `publish`, for threads that read the link here.
        let link = other.link.fetch_or(SHARED, Ordering::Acquire) | SHARED;
        debug_assert!(link & CLAIMED == 0 && link as u32 != 0);
        let link = link & !(UNSTORED | UNHALVED);
        // Release: as in `publish`.
        self.link.store(link, Ordering::Release);
    }

    /// Records of a copy that other nodes have the same children, or had, if so; that the
    /// transposition table does not know it; and whether its children are to be halved. No worker
    /// may be at work.
    pub fn mark_as_copied(&self, shares_children: bool, unhalved: bool) {
        let mut bits = UNSTORED;
        for (bit, set) in [(SHARED, shares_children), (UNHALVED, unhalved)] {
            bits |= if set { bit } else { 0 };
        }
        self.link.fetch_or(bits, Ordering::Relaxed);
    }

    /// Whether the transposition table does not know the node since the tree was copied.
    pub fn unstored(&self) -> bool {
        self.link.load(Ordering::Relaxed) & UNSTORED != 0
    }

    /// Records that the transposition table knows the node.
    pub fn mark_as_stored(&self) {
        // Relaxed: two threads may both store the same.
        self.link.fetch_and(!UNSTORED, Ordering::Relaxed);
    }

    /// Records that the children, if there are any, are to be halved.
    pub fn mark_children_unhalved(&self) {
        // Relaxed: published children stay published while workers are at work, and a change of
        // the link by an atomic operation hands over what its publication does.
        let link = self.link.load(Ordering::Relaxed);
        if link != 0 && link & CLAIMED == 0 {
            self.link.fetch_or(UNHALVED, Ordering::Relaxed);
        }
    }

    /// Whether the children are to be halved.
    pub fn has_unhalved_children(&self) -> bool {
        self.link.load(Ordering::Relaxed) & UNHALVED != 0
    }

    /// Tries to become the one thread that halves the children.
    pub fn claim_halving(&self) -> bool {
        // Relaxed: as for `claim`.
        self.link.fetch_and(!UNHALVED, Ordering::Relaxed) & UNHALVED != 0
    }

    /// Whether other nodes have the same children, or had.
    #[inline(always)]
    pub fn shares_children(&self) -> bool {
        // Relaxed: a stale answer costs a proof that comes later.
        self.link.load(Ordering::Relaxed) & SHARED != 0
    }

    /// Tries to become the one thread that makes the next group of siblings, at the first node of
    /// the last group that there is.
    pub fn claim_next(&self) -> bool {
        // Relaxed: as for `claim`.
        self.next.compare_exchange(0, NEXT_CLAIMED, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Gives a claim of the next group back, none made.
    pub fn unclaim_next(&self) {
        // Relaxed: as for `unclaim`.
        self.next.store(0, Ordering::Relaxed);
    }

    /// Shows the finished next group to all threads; it must be claimed.
    pub fn publish_next(&self, first: u32) {
        debug_assert!(first > 0 && first != NEXT_CLAIMED);
        // Release: everything written to the group comes before.
        self.next.store(first, Ordering::Release);
    }

    /// The proven bounds of the node, for its side to move.
    #[inline(always)]
    pub fn bounds(&self) -> Bounds {
        Bounds::from_bits(self.proof.load(Ordering::Relaxed))
    }

    /// Tightens the proven bounds; returns whether anything was new. Bounds never widen.
    #[inline(always)]
    pub fn tighten(&self, bounds: Bounds) -> bool {
        // Relaxed: the word holds the whole proof; code that depends on the order of two proofs
        // sets a fence between them.
        let mut known = self.proof.load(Ordering::Relaxed);
        loop {
            let tightened = Bounds::from_bits(known).and(bounds).to_bits();
            if tightened == known {
                return false;
            }
            match self.proof.compare_exchange_weak(
                known,
                tightened,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(now) => known = now,
            }
        }
    }

    /// Sets the proven bounds, while no worker is at work.
    pub fn correct(&self, bounds: Bounds) {
        // Relaxed: waking the workers for the next search makes it visible.
        self.proof.store(bounds.to_bits(), Ordering::Relaxed);
    }

    /// The move's share among its siblings, 0 to 1.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Ordering::Relaxed))
    }

    /// The move that led here; none at a root.
    #[inline(always)]
    pub fn to_here(&self) -> Option<Move> {
        Move::from_bits(self.to_here.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::super::stats::{MAX_VISITS, REWARD_OF_WIN};
    use super::*;

    #[test]
    fn the_longest_search_carries_nothing_from_rewards_into_visits() {
        let node = Node::default();
        // One node holds the statistics of MAX_VISITS won iterations …
        let full = u64::from(MAX_VISITS) * (ONE_VISIT + u64::from(REWARD_OF_WIN));
        node.stats.store(full, Ordering::Relaxed);
        let expected =
            Stats { visits: MAX_VISITS, reward: u64::from(MAX_VISITS) * u64::from(REWARD_OF_WIN) };
        assert_eq!(node.stats(), expected);
        assert_eq!(node.stats().mean(), 1.0);
        // … and those that a thousand threads may have under way on top.
        for _ in 0..1000 {
            node.begin::<false>(1);
            node.end::<true>(1, 0);
        }
        assert_eq!(node.stats().visits, MAX_VISITS + 1000);
    }

    #[test]
    fn a_full_node_is_halved_once_and_what_others_add_stays_counted() {
        let node = Node::default();
        node.raise_iterations(MAX_VISITS - 100, u64::from(MAX_VISITS - 100) * 511);
        // Each has iterations under way, which count as losses, while it is halved.
        let taken = std::thread::scope(|scope| {
            let thread = || {
                (0..1_000)
                    .map(|_| {
                        node.begin::<false>(2);
                        let taken = node.halve(MAX_VISITS);
                        node.end::<false>(2, 2 * 511);
                        taken
                    })
                    .filter(|&taken| taken > 0)
                    .collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(thread)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        let [taken] = taken[..] else { panic!("halved {} times", taken.len()) };
        assert_eq!(node.stats().visits + taken, MAX_VISITS - 100 + 8 * 2_000);
        assert!((node.stats().mean() - 0.5).abs() < 1e-5, "{}", node.stats().mean());
        assert_eq!(node.halve(MAX_VISITS), 0, "it is not full any more");
    }

    #[test]
    fn only_one_thread_claims_a_leaf() {
        let node = Node::default();
        let claims = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| node.claim())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).filter(|&won| won).count()
        });
        assert_eq!(claims, 1);
        let nodes: Vec<Node> = (0..10).map(|_| Node::default()).collect();
        assert!(node.children(&nodes).is_none());
        node.publish(7, 3, 3);
        let children = node.children(&nodes).unwrap();
        assert_eq!(children.indices().collect::<Vec<_>>(), [7, 8, 9]);
        assert_eq!(children.missing(), 0);
        assert!(!node.claim());
    }
}
