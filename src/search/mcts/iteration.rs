//! One iteration: select, expand, evaluate, back up (Browne et al., "A Survey of Monte Carlo Tree
//! Search Methods", 2012).
//!
//! The one idea: an iteration owns nothing but its path. It goes down from the root by
//! [selection](super::select) to a node without children, which it [expands](super::expand) or
//! [evaluates](super::evaluate), and [backs up](super::backup) the reward. Each change to a shared
//! node is one atomic operation, so no thread ever waits for another.
//!
//! A node with many visits is given several iterations at once, a [`Batch`].

use super::batch::{Batch, Share};
use super::children::Children;
use super::expand::Expansion;
use super::node::Node;
use super::select::visits_alternate;
use super::stats::Stats;
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::eval::processor::with_v3_instructions;

/// What a descent has come to: the reward for the side to move of the current node, and the
/// iterations that it stands for.
pub struct Descent {
    pub iterations: u32,
    pub reward: u32,
}

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Runs this many iterations from the root.
    pub fn iterate(&mut self, count: u32) {
        with_v3_instructions(
            #[inline(always)]
            || self.run(count),
        );
    }

    /// The same, with the instructions of its caller.
    #[inline(always)]
    fn run(&mut self, count: u32) {
        self.state.position = self.start.position;
        self.state.history.truncate(self.start.history.len());
        self.depth = 0;
        self.begin_batch(self.root, count);
        while !self.batches.is_empty() {
            let descent = self.descend();
            self.back_up(descent);
        }
    }

    /// Begins iterations through a node, whose position is the current one.
    #[inline(always)]
    fn begin_batch(&mut self, node: usize, count: u32) -> Stats {
        let stats = self.nodes[node].begin::<OWNED>(count);
        self.batches.push(Batch {
            node: node as u32,
            depth: self.depth,
            share: Share::new(count),
            sum: 0,
            stats,
            position: self.state.position,
            past: self.state.history.len(),
        });
        stats
    }

    /// Goes from the deepest batch's node, whose position is the current one, down to a node whose
    /// reward is known.
    #[inline(always)]
    fn descend(&mut self) -> Descent {
        let nodes = self.nodes;
        let batch = self.batches.last().expect("an iteration is in a batch");
        let (mut at, mut stats, mut share) = (batch.node as usize, batch.stats, batch.share);
        loop {
            self.path[self.depth] = at as u32;
            let node = &nodes[at];
            let bounds = node.bounds();
            if bounds.proven() && self.depth > 0 {
                self.propagate_shared_proof();
                return Descent { iterations: share.left, reward: bounds.reward() };
            }
            let children = match node.children(nodes) {
                Some(children) => {
                    if share.is_untouched()
                        && !bounds.proven()
                        && let Some(reward) = self.reward_of_inner_repetition(node)
                    {
                        return Descent { iterations: share.left, reward };
                    }
                    children
                }
                None => match self.visit_leaf(node, stats.visits) {
                    Some(reward) => {
                        // Without a playout the next evaluation would say the same.
                        let iterations =
                            if self.parameters.playout_plies == 0 { share.left } else { 1 };
                        return Descent { iterations, reward };
                    }
                    None => node.children(nodes).expect("just made by this worker"),
                },
            };
            if children.marked() {
                self.do_deferred_work(node, &children);
            }
            let child = self.select(node, stats.plus_visit(), &children);
            let of_child = self.stats_of_child(child, &children);
            let childs_share = if visits_alternate(bounds) {
                Share::new(1)
            } else {
                share.of_child(of_child.visits, self.parameters.batch_visits)
            };
            // Below a batch of one, nodes are written once, during backup.
            stats =
                if share.all > 1 { self.begin_batch(child, childs_share.all) } else { of_child };
            (at, share) = (child, childs_share);
        }
    }

    /// Does what was put off at a node until it is visited: it is stored in the transposition
    /// table, its children are halved.
    #[inline(never)]
    fn do_deferred_work(&self, node: &Node, children: &Children) {
        self.store_copied(node);
        self.halve_children(node, children);
    }

    /// Deals with a node without children: returns the reward for its side to move, or none if it
    /// has children now.
    pub(super) fn visit_leaf(&mut self, node: &Node, visits_before: u32) -> Option<u32> {
        self.visited.begin_leaf();
        with_v3_instructions(
            #[inline(always)]
            || match self.expand(node, visits_before) {
                Expansion::Children => None,
                Expansion::Reward(reward) => Some(reward),
                Expansion::Leaf => Some(self.evaluate()),
            },
        )
    }
}
