//! A worker: all that one thread needs to grow a tree.
//!
//! The one idea: a worker borrows the tree and owns the rest, its path, its random numbers and the
//! nodes it has reserved. What it does with them is in the files named after the four steps of an
//! [iteration](super::iteration).

use std::ops::Range;

use arrayvec::ArrayVec;

use super::batch::Batch;
use super::expansion_limits::ExpansionLimits;
use super::history::MoveHistory;
use super::node::Node;
use super::prove_root::RootProver;
use super::rank::Ranking;
use super::transpositions::{Key, Transpositions};
use super::tree::Tree;
use crate::eval::Evaluate;
use crate::eval::nodes::Nodes;
use crate::eval::parameters::Parameters;
use crate::eval::stop::Stop;
use crate::game::{GameState, MAX_PLIES};

/// Batches under way, one within the other. The models of loom need few, and have small stacks.
const MAX_BATCHES: usize = if cfg!(loom) { 16 } else { MAX_PLIES + 1 };

/// Searches one tree from one position. `OWNED`: no other worker has the tree.
pub struct Worker<'a, G: Evaluate, const OWNED: bool> {
    pub(super) nodes: &'a [Node],
    pub(super) tree: &'a Tree,
    /// The index of the root, the node of `start`.
    pub(super) root: usize,
    pub(super) parameters: &'a Parameters,
    pub(super) start: GameState<G>,
    /// The current position, with the history that leads to it.
    pub(super) state: GameState<G>,
    pub(super) rng: fastrand::Rng,
    /// The nodes from the root to the current one.
    pub(super) path: [u32; MAX_PLIES + 1],
    pub(super) depth: usize,
    /// The batches on the path, the deepest one last.
    pub(super) batches: ArrayVec<Batch<G>, MAX_BATCHES>,
    /// Finds the node that has a position's children already.
    pub(super) transpositions: Transpositions<'a>,
    /// Nodes reserved and not used.
    pub(super) block: Range<u32>,
    pub(super) limits: ExpansionLimits,
    pub(super) ranking: Ranking,
    pub(super) history: MoveHistory,
    pub(super) contention: Contention,
    pub(super) oracle: &'a mut G::Oracle,
    /// The positions visited at its leaves.
    pub(super) visited: Nodes<'a>,
    root_prover: RootProver,
}

/// How often a worker came to what it shares with others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contention {
    /// Blocks of the pool that it has taken.
    pub blocks: u64,
    /// Places where it wanted to make children and another worker was at it.
    pub lost_claims: u64,
}

impl<'a, G: Evaluate, const OWNED: bool> Worker<'a, G, OWNED> {
    /// A worker on a tree with the root position `start`.
    pub fn new(
        (nodes, tree): (&'a [Node], &'a Tree),
        parameters: &'a Parameters,
        oracle: &'a mut G::Oracle,
        start: &GameState<G>,
        seed: u64,
    ) -> Self {
        Worker {
            nodes,
            tree,
            root: tree.root(),
            parameters,
            start: *start,
            state: *start,
            rng: fastrand::Rng::with_seed(seed),
            path: [0; MAX_PLIES + 1],
            depth: 0,
            batches: ArrayVec::new(),
            transpositions: Transpositions::new(&[]),
            block: 0..0,
            limits: ExpansionLimits::of(tree, parameters),
            ranking: Ranking::new(),
            history: MoveHistory::new(parameters.history_factor),
            contention: Contention::default(),
            oracle,
            visited: Nodes::at_most(u64::MAX),
            root_prover: RootProver::new(),
        }
    }

    /// Has the oracle try to prove the moves of the root, for a time that is fair after this many
    /// iterations.
    pub fn prove_root(&mut self, iterations: u64, stop: Stop<'_>) {
        let root = (&self.nodes[self.root], self.nodes);
        self.root_prover.advance(self.oracle, root, &self.start, iterations, stop);
    }

    /// Begins at another root than the tree's present one.
    pub fn use_root(&mut self, root: usize) {
        self.root = root;
    }

    /// Gives it a table of the positions that the tree knows.
    pub fn use_transpositions(&mut self, transpositions: Transpositions<'a>) {
        self.transpositions = transpositions;
    }

    /// Gives it the count that ends its work at leaves.
    pub fn use_count(&mut self, visited: Nodes<'a>) {
        self.visited = visited;
    }

    /// Gives it nodes to use first.
    pub fn use_block(&mut self, block: Range<u32>) {
        self.block = block;
    }

    /// How often it came to what it shares with others.
    pub fn contention(&self) -> Contention {
        self.contention
    }

    /// Whether more iterations cannot change anything: the root is proven.
    pub fn finished(&self) -> bool {
        self.nodes[self.root].bounds().proven()
    }

    /// The key of the current position in the transposition table.
    #[inline(always)]
    pub(super) fn key(&self) -> Key {
        let position = &self.state.position;
        Key::of_position(position.key(), position.ply(), self.tree.generation())
    }
}

#[cfg(all(test, not(loom)))]
pub mod tests {
    use super::*;
    use crate::eval::oracle::NoOracle;

    /// A worker with the only tree that there is.
    pub fn worker<'a, G: Evaluate<Oracle = NoOracle>>(
        nodes: &'a [Node],
        tree: &'a Tree,
        parameters: &'a Parameters,
        start: &GameState<G>,
    ) -> Worker<'a, G, true> {
        // Of no size, so that nothing is leaked.
        let oracle: &mut NoOracle = Box::leak(Box::default());
        Worker::new((nodes, tree), parameters, oracle, start, 1)
    }
}
