//! One iteration: select, expand, evaluate, back up (Browne et al., "A Survey of Monte Carlo Tree
//! Search Methods", 2012).
//!
//! The one idea: an iteration owns nothing but its path. It goes down from the root by
//! [selection](super::select) to a node without children, which it [expands](super::expand) or
//! [evaluates](super::evaluate), and [backs up](super::backup) the reward. Each change to a shared
//! node is one atomic operation, so no thread ever waits for another.
//!
//! A node with many visits is given several iterations at once, a [`Batch`], so that selection at
//! the nodes above it runs once for all of them.

use super::batch::Batch;
use super::children::Children;
use super::expand::Expansion;
use super::node::Node;
use super::stats::Stats;
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::eval::processor::with_v3_instructions;

/// What a descent has come to: the reward for the side to move of the current node, and the
/// iterations it stands for.
pub struct Descent {
    pub times: u32,
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
            count,
            left: count,
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
        let (mut at, mut stats) = (batch.node as usize, batch.stats);
        let (mut count, mut left) = (batch.count, batch.left);
        // Otherwise `back_up` has returned to a batch that has been below its node before.
        let mut first_time = count == left;
        loop {
            self.path[self.depth] = at as u32;
            let node = &nodes[at];
            let bounds = node.bounds();
            if bounds.proven() && self.depth > 0 {
                self.propagate_shared_proof();
                return Descent { times: left, reward: bounds.reward() };
            }
            let children = match node.children(nodes) {
                Some(children) => {
                    if first_time
                        && !bounds.proven()
                        && let Some(reward) = self.repeats_with_children(node)
                    {
                        return Descent { times: left, reward };
                    }
                    children
                }
                None => match self.visit_leaf(node, stats.visits) {
                    Some(reward) => {
                        // Without a playout the next evaluation would say the same.
                        let times = if self.parameters.playout_plies == 0 { left } else { 1 };
                        return Descent { times, reward };
                    }
                    None => node.children(nodes).expect("just made by this worker"),
                },
            };
            if children.marked() {
                self.attend_to_marks(node, &children);
            }
            let child = self.select(node, stats.plus_visit(), &children);
            let mut of_child = nodes[child].stats();
            // One at a time where a draw is certain, as then every second one goes elsewhere.
            let share = if left > 1 && !bounds.is_drawn_at_least() {
                (of_child.visits / self.parameters.batch_visits).clamp(1, left)
            } else {
                1
            };
            if of_child.full() {
                of_child = self.halve_full_child(child, &children);
            }
            at = child;
            // Below a batch of one, nodes are written once, during backup.
            stats = if count > 1 { self.begin_batch(child, share) } else { of_child };
            (count, left) = (share, share);
            first_time = true;
        }
    }

    /// Does what a node's marks ask for: it is stored in the transposition table, its children are
    /// halved.
    #[inline(never)]
    fn attend_to_marks(&self, node: &Node, children: &Children) {
        self.store_copied(node);
        self.halve_children(node, children);
    }

    /// Deals with a node without children: returns the reward for its side to move, or none if it
    /// has children now.
    pub(super) fn visit_leaf(&mut self, node: &Node, visits_before: u32) -> Option<u32> {
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
