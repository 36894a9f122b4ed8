//! A game's own proofs about positions, beyond its rules.
//!
//! The one idea: a proof is worth more than any estimate, so the tree search calls the game's
//! oracle at leaves and at its root, and alpha-beta at every node. A game without one has
//! [`NoOracle`], which the compiler removes.

use std::fmt;

use super::nodes::Nodes;
use super::stop::Stop;

/// A result under best play, from the side to move's point of view.
///
/// The plies are an upper bound: a proof by an oracle may overlook a quicker win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It wins within this many plies.
    Win(u16),
    /// Neither side can win.
    Draw,
    /// It loses within this many plies.
    Loss(u16),
}

impl Proof {
    /// As UCI counts: the moves of the side to move until it has won, negative where it loses. A
    /// draw has no such number.
    pub fn in_moves(self) -> Option<i32> {
        match self {
            Proof::Win(plies) => Some(i32::from(plies.div_ceil(2))),
            Proof::Loss(plies) => Some(-i32::from(plies.div_ceil(2))),
            Proof::Draw => None,
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Proof::Win(plies) => write!(f, "win in {plies}"),
            Proof::Draw => f.write_str("draw"),
            Proof::Loss(plies) => write!(f, "loss in {plies}"),
        }
    }
}

/// A game's oracle: one for each worker, built before the search and kept from one to the next.
///
/// It is called only for positions that are neither decided nor over, except by having no legal
/// move. Each method returns a proof or none; without a proof the search continues as without an
/// oracle.
pub trait Oracle<G>: Default + Send + 'static {
    /// Iterations of the tree search between two checks of the stop flag: fewer where proving a
    /// leaf is slow.
    const POLL_ITERATIONS: u64 = 128;

    /// Bytes of its tables, about.
    const BYTES: usize = 0;

    /// Forgets what belongs to earlier games.
    fn clear(&mut self) {}

    /// Whether the side to move loses by a theorem of the game, without search, and within how many
    /// plies. Both engines ask about the root of a search and about the positions after its moves.
    #[inline(always)]
    fn lost_by_theorem(position: &G) -> Option<u16> {
        let _ = position;
        None
    }

    /// Asked by the tree search at every leaf, when it is first visited and before it gets
    /// children. What it costs is spent of the leaf's nodes, here and below.
    #[inline(always)]
    fn prove_leaf(&mut self, position: &G, nodes: &mut Nodes<'_>) -> Option<Proof> {
        let _ = (position, nodes);
        None
    }

    /// Asked by the tree search at a node's first visit, unless the transposition table knows
    /// another node of its position, and about the root's children. `depth` is the parameter
    /// `oracle_depth`, 0: not at all.
    #[inline(always)]
    fn prove_new_leaf(&mut self, position: &G, depth: u32, nodes: &mut Nodes<'_>) -> Option<Proof> {
        let _ = (position, depth, nodes);
        None
    }

    /// Whether it is worth the time to prove the moves of a root by [`Oracle::prove_move`].
    fn may_prove_root(&self, root: &G) -> bool {
        let _ = root;
        false
    }

    /// Asked again and again about the position after a move of the root, each time with more
    /// steps. Returns the proof and the steps taken.
    fn prove_move(&mut self, after: &G, steps: u64, stop: Stop<'_>) -> (Option<Proof>, u64) {
        let _ = (after, stop);
        (None, steps)
    }

    /// Asked by alpha-beta at every node, `depth` plies above its horizon.
    #[inline(always)]
    fn prove_node(&mut self, position: &G, depth: i32, stop: Stop<'_>) -> Option<Proof> {
        let _ = (position, depth, stop);
        None
    }
}

/// The oracle of games that can prove nothing by themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<G> Oracle<G> for NoOracle {}
