//! A node of the tree: 32 bytes, shared between threads without a lock.
//!
//! The one idea: every word is an atomic that makes sense by itself. Visits and reward share one
//! word, so that an average is never torn; the word that links to the children is written once
//! and publishes them. Several nodes may link to the same children.

use std::ops::Range;

use super::proof::Bounds;
use super::sync::{AtomicU16, AtomicU32, AtomicU64, Ordering};
use crate::game::Move;

/// What a won iteration adds to a node's reward; a draw adds half of it, exactly.
pub const REWARD_OF_WIN: u32 = 1022;

/// Bits of the reward sum in the statistics word, below the visits.
const REWARD_BITS: u32 = 37;
const ONE_VISIT: u64 = 1 << REWARD_BITS;

/// Visits at which nothing more is added to a node; the rest of the 27 bits leaves room for the
/// iterations that threads have under way.
pub const MAX_VISITS: u32 = (1 << (64 - REWARD_BITS)) - (1 << 20);

// So many visits of the highest reward never carry into the visits.
const _: () = assert!((1u64 << (64 - REWARD_BITS)) * (REWARD_OF_WIN as u64) < ONE_VISIT);

/// Lost visits as which an iteration under way counts (virtual loss).
///
/// With one, two threads on one tree came at times to work in the same part of it, batch after
/// batch, and then ran 0.71 times what two processes run (November 2026, `cargo bench --bench
/// threads`); with two never below 0.81, with four 0.86. Two threads against one at 10,000
/// iterations in Lines of Action: -23 ± 30, 8 ± 30 and -43 ± 33 Elo.
pub const VIRTUAL_LOSS: u64 = 2;

/// The link of a node whose children are being made.
const CLAIMED: u64 = 1 << 63;

/// A bit of a link: other nodes have the same children, or had.
const SHARED: u64 = 1 << 62;

/// A bit of a link: the table of positions does not know the node since the tree was copied.
const UNLISTED: u64 = 1 << 61;

/// Where the count of the first children and the number of all moves stand in a link, above the
/// first child's index.
const COUNT_SHIFT: u32 = 32;
const MOVES_SHIFT: u32 = 40;

/// The index that says that the next group of a node's children is being made; no node has it.
const NEXT_CLAIMED: u32 = u32::MAX;

/// One position of the tree, reached by one move. All zeros is a node without statistics.
#[repr(C, align(32))]
#[derive(Default)]
pub struct Node {
    /// Visits (upper bits) and the sum of rewards (lower), for the side that moved here.
    stats: AtomicU64,
    /// 0: no children yet; [`CLAIMED`]; else the index of the first group of children (low 32
    /// bits), their count, the number of legal moves, and maybe [`SHARED`]
    /// and [`UNLISTED`].
    link: AtomicU64,
    /// What is proven, for the side to move here: [`Bounds`] packed.
    proof: AtomicU32,
    /// The bits of an `f32`: the share of the move among its siblings, 0 to 1.
    prior: AtomicU32,
    /// The move that led here, as [`Move::to_bits`].
    to_here: AtomicU16,
    /// The backed-up evaluation for the side to move here: 0 for none, else 1 (lost) to
    /// `u16::MAX` (won).
    minimax: AtomicU16,
    /// In the first node of a group of siblings, 0: the next group, if there are moves left for
    /// one, is not made yet; [`NEXT_CLAIMED`]; else the index of its first node.
    next: AtomicU32,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 32 && align_of::<Node>() == 32);

/// Visits and rewards of a node at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Iterations that passed through, of those still under way the ones already counted.
    pub visits: u32,
    /// The sum of their rewards so far, each 0 to [`REWARD_OF_WIN`], for the side that moved here.
    pub reward: u64,
}

impl Stats {
    #[inline(always)]
    fn from_word(word: u64) -> Stats {
        Stats { visits: (word >> REWARD_BITS) as u32, reward: word & (ONE_VISIT - 1) }
    }

    /// With one visit more, whose reward is still to come.
    #[inline(always)]
    pub fn plus_visit(self) -> Stats {
        Stats { visits: self.visits + 1, ..self }
    }

    /// With so many iterations more, the sum of whose rewards is for the side to move here.
    #[inline(always)]
    pub fn plus(self, count: u32, sum: u64) -> Stats {
        Stats { visits: self.visits + count, reward: self.reward + all_but(count, sum) }
    }

    /// Whether nothing more may be added: the search ends where it is a root's, and goes no deeper
    /// elsewhere. A node with several parents can have more visits than the root.
    #[inline(always)]
    pub fn full(self) -> bool {
        self.visits >= MAX_VISITS
    }

    /// The mean reward for the side that moved here, where there are visits.
    #[inline(always)]
    pub fn mean_reward(self) -> u32 {
        (self.reward / u64::from(self.visits.max(1))).min(u64::from(REWARD_OF_WIN)) as u32
    }

    /// The mean result, 0 to 1, for the side that moved here; 1/2 without visits.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        if self.visits == 0 {
            return 0.5;
        }
        self.reward as i64 as f32 / (self.visits as f32 * REWARD_OF_WIN as f32)
    }
}

/// What is left for the side that moved of so many rewards, whose sum the side to move has.
#[inline(always)]
fn all_but(count: u32, sum: u64) -> u64 {
    let all = u64::from(count) * u64::from(REWARD_OF_WIN);
    debug_assert!(sum <= all);
    all - sum
}

/// The children that a node has. They lie in groups, in the order of their priors; each group
/// doubles the number of children, as far as there are moves, and the first node of one leads to
/// the next.
#[derive(Clone, Copy)]
pub struct Children<'a> {
    nodes: &'a [Node],
    first: u32,
    count: u8,
    moves: u8,
    unlisted: bool,
}

impl<'a> Children<'a> {
    /// The index of the child with the largest prior.
    #[inline(always)]
    pub fn first(&self) -> usize {
        self.first as usize
    }

    /// Whether the table of positions is still to be told of their parent.
    #[inline(always)]
    pub fn unlisted(&self) -> bool {
        self.unlisted
    }

    /// The groups that there are, at least one.
    #[inline(always)]
    pub fn groups(&self) -> Groups<'a> {
        let (next, size) = (self.first as usize, usize::from(self.count));
        Groups { nodes: self.nodes, next, size, made: 0, moves: usize::from(self.moves) }
    }

    /// The indices of all children there are.
    pub fn indices(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.groups().flatten()
    }

    /// All children there are.
    pub fn nodes(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        let nodes = self.nodes;
        self.groups().flat_map(move |group| &nodes[group])
    }

    /// Moves of the parent's position.
    pub fn moves(&self) -> usize {
        usize::from(self.moves)
    }

    /// Moves for which there is no child yet.
    pub fn missing(&self) -> usize {
        let mut groups = self.groups();
        while groups.next().is_some() {}
        groups.missing()
    }

    /// What the children there are prove about their parent: where some are missing, never that
    /// it is lost.
    pub fn bounds_of_parent(&self) -> Bounds {
        let missing = (self.missing() > 0).then_some(Bounds::UNKNOWN);
        Bounds::of_parent(self.nodes().map(Node::bounds).chain(missing))
    }
}

/// Goes through the groups of a node's children; each is a range of indices.
pub struct Groups<'a> {
    nodes: &'a [Node],
    /// The first index of the next group; 0 where there is none.
    next: usize,
    /// Nodes of the next group.
    size: usize,
    made: usize,
    moves: usize,
}

impl Groups<'_> {
    /// Moves for which no child has come so far.
    #[inline(always)]
    pub fn missing(&self) -> usize {
        self.moves - self.made
    }

    /// How many children belong to the next group: as many as have come so far, or are missing.
    #[inline(always)]
    pub fn next_size(&self) -> usize {
        self.made.min(self.missing())
    }
}

impl Iterator for Groups<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        if self.next == 0 {
            return None;
        }
        let group = self.next..self.next + self.size;
        self.made += self.size;
        self.size = self.next_size();
        self.next = if self.size == 0 { 0 } else { self.nodes[group.start].next_group() };
        Some(group)
    }
}

// Orderings: statistics, proofs, priors and moves are Relaxed. A stale statistic or proof only
// makes one choice a little older; priors and moves are written before the parent's link is
// published with Release and read after it was read with Acquire.
impl Node {
    /// Makes the node a fresh child, whatever it was before.
    #[inline(always)]
    pub fn reset(&self, to_here: Option<Move>, prior: f32) {
        self.stats.store(0, Ordering::Relaxed);
        self.link.store(0, Ordering::Relaxed);
        self.proof.store(Bounds::UNKNOWN.to_bits(), Ordering::Relaxed);
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
        self.to_here.store(to_here.map_or(0, Move::to_bits), Ordering::Relaxed);
        self.minimax.store(0, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
    }

    /// Makes the node a copy of another that nobody changes meanwhile, its children included, its
    /// siblings not.
    pub fn copy_from(&self, other: &Node) {
        self.stats.store(other.stats.load(Ordering::Relaxed), Ordering::Relaxed);
        self.link.store(other.link.load(Ordering::Relaxed), Ordering::Relaxed);
        self.proof.store(other.proof.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        self.to_here.store(other.to_here.load(Ordering::Relaxed), Ordering::Relaxed);
        self.minimax.store(other.minimax.load(Ordering::Relaxed), Ordering::Relaxed);
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

    /// Begins so many iterations: until they end they count as lost visits, [`VIRTUAL_LOSS`] each,
    /// which turns other threads to the node's siblings, so that each thread is at work in a part
    /// of its own. Answers the statistics before. With `OWNED` the tree belongs to one thread,
    /// and a plain load and store does.
    #[inline(always)]
    pub fn begin<const OWNED: bool>(&self, count: u32) -> Stats {
        Stats::from_word(self.add::<OWNED>(u64::from(count) * VIRTUAL_LOSS * ONE_VISIT))
    }

    /// Ends iterations that have begun, with the sum of their rewards for the side to move here.
    #[inline(always)]
    pub fn end<const OWNED: bool>(&self, count: u32, sum: u64) {
        let surplus = u64::from(count) * (VIRTUAL_LOSS - 1) * ONE_VISIT;
        self.add::<OWNED>(all_but(count, sum).wrapping_sub(surplus));
    }

    /// Gives a root the statistics of its children together, as far as they are more than its own:
    /// some came by way of other nodes. No worker may be at work.
    pub fn take_stats_of(&self, children: &Children) {
        let (visits, reward) =
            children.nodes().map(Node::stats).fold((0, 0), |(visits, sum), child| {
                (visits + u64::from(child.visits), sum + child.reward)
            });
        if visits > u64::from(self.stats().visits) && visits < u64::from(MAX_VISITS / 2) {
            self.stats.store(0, Ordering::Relaxed);
            self.add_iterations::<true>(visits as u32, reward);
        }
    }

    /// Counts iterations that are complete, with the sum of their rewards for the side to move
    /// here.
    #[inline(always)]
    pub fn add_iterations<const OWNED: bool>(&self, count: u32, sum: u64) {
        self.add::<OWNED>(u64::from(count) * ONE_VISIT + all_but(count, sum));
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

    /// The children, if any have been published.
    #[inline(always)]
    pub fn children<'a>(&self, nodes: &'a [Node]) -> Option<Children<'a>> {
        // Acquire: pairs with the Release in `publish`, so that the children's contents are seen.
        let link = self.link.load(Ordering::Acquire);
        if link == 0 || link == CLAIMED {
            return None;
        }
        let (count, moves) = ((link >> COUNT_SHIFT) as u8, (link >> MOVES_SHIFT) as u8);
        let unlisted = link & UNLISTED != 0;
        Some(Children { nodes, first: link as u32, count, moves, unlisted })
    }

    /// The index of the first node of the next group of siblings; 0 where there is none. For the
    /// first node of a group.
    #[inline(always)]
    fn next_group(&self) -> usize {
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

    /// Shows `count` finished children, the first of so many moves, to all threads; the node must
    /// be claimed.
    #[inline(always)]
    pub fn publish(&self, first: u32, count: usize, moves: usize) {
        debug_assert!(first > 0 && 0 < count && count <= moves && moves <= usize::from(u8::MAX));
        let counts = (count as u64) << COUNT_SHIFT | (moves as u64) << MOVES_SHIFT;
        // Release: everything written to the children comes before.
        self.link.store(u64::from(first) | counts, Ordering::Release);
    }

    /// Takes the children of another node, which has some; this one must be claimed.
    #[inline(always)]
    pub fn share_children_of(&self, other: &Node) {
        // Acquire: pairs with the Release in `publish`, for those who read the link here.
        let link = other.link.fetch_or(SHARED, Ordering::Acquire) | SHARED;
        debug_assert!(link & CLAIMED == 0 && link as u32 != 0);
        let link = link & !UNLISTED;
        // Release: as in `publish`.
        self.link.store(link, Ordering::Release);
    }

    /// Notes of a copy that other nodes have the same children, or had, if so; and that the table of
    /// positions does not know it. No worker may be at work.
    pub fn mark_as_copied(&self, shares_children: bool) {
        let bits = if shares_children { SHARED | UNLISTED } else { UNLISTED };
        self.link.fetch_or(bits, Ordering::Relaxed);
    }

    /// Notes that the table of positions knows the node.
    pub fn mark_as_listed(&self) {
        // Relaxed: two threads may both tell the table, the same.
        self.link.fetch_and(!UNLISTED, Ordering::Relaxed);
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

    /// What is proven about the node, for its side to move.
    #[inline(always)]
    pub fn bounds(&self) -> Bounds {
        Bounds::from_bits(self.proof.load(Ordering::Relaxed))
    }

    /// Adds to what is proven; answers whether anything was new. Bounds only ever tighten.
    #[inline(always)]
    pub fn tighten(&self, bounds: Bounds) -> bool {
        // Relaxed: what is proven is complete in the word; who depends on the order of two proofs
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

    /// The move's share among its siblings, 0 to 1.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Ordering::Relaxed))
    }

    /// The backed-up evaluation for the side to move here, 1 (lost) to `u16::MAX` (won); 0 where
    /// there is none yet.
    #[inline(always)]
    pub fn minimax(&self) -> u16 {
        self.minimax.load(Ordering::Relaxed)
    }

    /// Notes the backed-up evaluation.
    #[inline(always)]
    pub fn set_minimax(&self, value: u16) {
        self.minimax.store(value, Ordering::Relaxed);
    }

    /// The move that led here; none at a root.
    #[inline(always)]
    pub fn to_here(&self) -> Option<Move> {
        Move::from_bits(self.to_here.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn each_group_of_children_is_made_once_and_doubles_their_number() {
        let nodes: Vec<Node> = (0..40).map(|_| Node::default()).collect();
        let parent = &nodes[1];
        assert!(parent.claim());
        parent.publish(7, 3, 11);
        let starts_and_missing = || {
            let children = parent.children(&nodes).unwrap();
            (children.groups().map(|group| group.start).collect::<Vec<_>>(), children.missing())
        };
        assert_eq!(starts_and_missing(), (vec![7], 8));
        assert!(nodes[7].claim_next() && !nodes[7].claim_next());
        assert_eq!(starts_and_missing(), (vec![7], 8), "not before it is published");
        nodes[7].unclaim_next();
        assert!(nodes[7].claim_next());
        nodes[7].publish_next(20);
        assert_eq!(starts_and_missing(), (vec![7, 20], 5));
        assert!(!nodes[7].claim_next() && nodes[20].claim_next());
        nodes[20].publish_next(30);
        assert_eq!(starts_and_missing(), (vec![7, 20, 30], 0));
        let indices = [7, 8, 9, 20, 21, 22, 30, 31, 32, 33, 34];
        assert!(parent.children(&nodes).unwrap().indices().eq(indices));
    }

    #[test]
    fn a_node_with_missing_children_is_not_lost() {
        let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
        nodes.iter().for_each(|node| assert!(node.tighten(Bounds::win(1))));
        let bounds = |moves| {
            let parent = Node::default();
            parent.publish(1, 3, moves);
            parent.children(&nodes).unwrap().bounds_of_parent()
        };
        assert!(bounds(3).is_loss());
        assert_eq!(bounds(4).proof(), None);
    }
}
