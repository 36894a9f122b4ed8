//! A node of the tree: 32 bytes, shared between threads without a lock.
//!
//! The one idea: every word is an atomic that makes sense by itself. Visits and reward share one
//! word, so that an average is never torn; the word that links to the children is written once
//! and publishes them.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use super::proof::Bounds;
use crate::game::Move;

/// What a won iteration adds to a node's reward; a draw adds half of it, exactly.
pub const REWARD_OF_WIN: u32 = 1022;

/// Bits of the reward sum in the statistics word, below the visits.
const REWARD_BITS: u32 = 37;
const ONE_VISIT: u64 = 1 << REWARD_BITS;

/// Visits at which a search stops adding to a node; the rest of the 27 bits leaves room for the
/// iterations that threads have under way.
pub const MAX_VISITS: u32 = (1 << (64 - REWARD_BITS)) - (1 << 20);

// So many visits of the highest reward never carry into the visits.
const _: () = assert!((1u64 << (64 - REWARD_BITS)) * (REWARD_OF_WIN as u64) < ONE_VISIT);

/// The link of a node whose children are being made.
const CLAIMED: u64 = 1 << 63;

/// One position of the tree, reached by one move. All zeros is a node without statistics.
#[repr(C, align(32))]
#[derive(Default)]
pub struct Node {
    /// Visits (upper bits) and the sum of rewards (lower), for the side that moved here.
    stats: AtomicU64,
    /// 0: no children yet; [`CLAIMED`]; else the children's first index (low 32 bits) and count.
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
}

const _: () = assert!(size_of::<Node>() == 32 && align_of::<Node>() == 32);

/// Visits and rewards of a node at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Iterations that passed through, those still under way included.
    pub visits: u32,
    /// The sum of their rewards so far, each 0 to [`REWARD_OF_WIN`], for the side that moved here.
    pub reward: u64,
}

impl Stats {
    #[inline(always)]
    fn from_word(word: u64) -> Stats {
        Stats { visits: (word >> REWARD_BITS) as u32, reward: word & (ONE_VISIT - 1) }
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
    }

    /// Makes the node a copy of another that nobody changes meanwhile, its link included.
    pub fn copy_from(&self, other: &Node) {
        self.stats.store(other.stats.load(Ordering::Relaxed), Ordering::Relaxed);
        self.link.store(other.link.load(Ordering::Relaxed), Ordering::Relaxed);
        self.proof.store(other.proof.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior.load(Ordering::Relaxed), Ordering::Relaxed);
        self.to_here.store(other.to_here.load(Ordering::Relaxed), Ordering::Relaxed);
        self.minimax.store(other.minimax.load(Ordering::Relaxed), Ordering::Relaxed);
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

    /// Counts a visit on the way down; until its reward comes it counts as a loss, which keeps
    /// other threads away (virtual loss). Answers the visits before. With `OWNED` the tree
    /// belongs to one thread, and a plain load and store does.
    #[inline(always)]
    pub fn add_visit<const OWNED: bool>(&self) -> u32 {
        (self.add::<OWNED>(ONE_VISIT) >> REWARD_BITS) as u32
    }

    /// Adds the reward of an iteration on the way back, 0 to [`REWARD_OF_WIN`].
    #[inline(always)]
    pub fn add_reward<const OWNED: bool>(&self, reward: u32) {
        debug_assert!(reward <= REWARD_OF_WIN);
        self.add::<OWNED>(u64::from(reward));
    }

    /// Counts iterations that are complete, with the sum of their rewards for the side to move
    /// here.
    #[inline(always)]
    pub fn add_iterations<const OWNED: bool>(&self, count: u32, reward: u64) {
        let all = u64::from(count) * u64::from(REWARD_OF_WIN);
        debug_assert!(reward <= all);
        self.add::<OWNED>(u64::from(count) * ONE_VISIT + (all - reward));
    }

    /// Counts iterations that end here because the result is proven; answers the sum of their
    /// rewards for the side to move here.
    pub fn add_proven<const OWNED: bool>(&self, bounds: Bounds, count: u32) -> u64 {
        let reward = u64::from(count) * u64::from(bounds.halves() * (REWARD_OF_WIN / 2));
        self.add_iterations::<OWNED>(count, reward);
        reward
    }

    #[inline(always)]
    fn add<const OWNED: bool>(&self, amount: u64) -> u64 {
        if OWNED {
            let before = self.stats.load(Ordering::Relaxed);
            self.stats.store(before + amount, Ordering::Relaxed);
            before
        } else {
            self.stats.fetch_add(amount, Ordering::Relaxed)
        }
    }

    /// The indices of the children, if they have been published.
    #[inline(always)]
    pub fn children(&self) -> Option<Range<usize>> {
        // Acquire: pairs with the Release in `publish`, so that the children's contents are seen.
        let link = self.link.load(Ordering::Acquire);
        if link == 0 || link == CLAIMED {
            return None;
        }
        let first = link as u32 as usize;
        Some(first..first + (link >> 32) as usize)
    }

    /// Tries to become the one thread that makes this node's children.
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

    /// Shows `count` finished children to all threads; the node must be claimed.
    #[inline(always)]
    pub fn publish(&self, first: u32, count: usize) {
        debug_assert!(first > 0 && count > 0);
        // Release: everything written to the children comes before.
        self.link.store(u64::from(first) | (count as u64) << 32, Ordering::Release);
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
            node.add_visit::<false>();
            node.add_reward::<true>(REWARD_OF_WIN);
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
        assert_eq!(node.children(), None);
        node.publish(7, 3);
        assert_eq!(node.children(), Some(7..10));
        assert!(!node.claim());
    }
}
