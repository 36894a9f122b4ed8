//! Expansion of a node without children: a proof, children shared with a node of the same position,
//! new children, or none of these; and the later groups of children.
//!
//! The one idea: the most informative result is tried first: an end by repetition, then a result
//! that is certain by rule or by the oracle's quick proof. After these come the children of another
//! node of the same position, the oracle's proof by search, new children, and the mean of another
//! node of the same position. If all fail the leaf is evaluated.

use super::children::Children;
use super::expansion_limits::ExpansionLimits;
use super::node::Node;
use super::proof::Bounds;
use super::stats::REWARD_OF_WIN;
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;
use crate::game::{Move, MoveList};

/// What expanding a node has come to.
pub enum Expansion {
    /// It has children now.
    Children,
    /// Its reward is known, for its side to move.
    Reward(u32),
    /// It stays a leaf and must be evaluated.
    Leaf,
}

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Expands a node without children, whose position is the current one.
    #[inline(always)]
    pub(super) fn expand(&mut self, node: &Node, visits_before: u32) -> Expansion {
        // Before an end by repetition is proven, which it may not be on another way.
        if let Some(reward) = self.reward_of_repetition() {
            return Expansion::Reward(reward);
        }
        let visits = visits_before + 1;
        // Sharing another node's children needs none of the pool, so it does not wait longer when
        // the pool is nearly full.
        let (may_share, may_expand) =
            (visits >= self.parameters.expand_visits, visits >= self.limits.expand_visits);
        // Before it gets children as well: another worker, the first here, may not have proven it
        // yet, and nothing may be played on after the end.
        if visits_before == 0 || may_expand {
            let bounds = self.bounds_of_leaf();
            if bounds.proven() {
                return Expansion::Reward(self.prove(node, bounds));
            }
        }
        let key = self.key();
        let known = self.transpositions.find(key).map(|index| &self.nodes[index]);
        if let Some(known) = known.filter(|known| known.children(self.nodes).is_some()) {
            let bounds = known.bounds();
            if (may_share || bounds.proven()) && self.claims(node.claim()) {
                node.share_children_of(known);
                if bounds.proven() {
                    return Expansion::Reward(self.prove(node, bounds));
                }
                return Expansion::Children;
            }
        }
        // The oracle was asked about a known position where that was first visited.
        let depth = self.parameters.oracle_depth;
        if visits_before == 0
            && known.is_none()
            && let Some(proof) =
                self.oracle.prove_new_leaf(&self.state.position, depth, &mut self.visited)
        {
            return Expansion::Reward(self.prove(node, Bounds::of_proof(proof)));
        }
        if may_expand && self.claims(node.claim()) {
            let mut moves = MoveList::new();
            self.state.position.moves(&mut moves);
            if moves.is_empty() {
                let bounds = Bounds::without_moves(&self.state.position);
                return Expansion::Reward(self.prove(node, bounds));
            }
            if self.make_children(node, &moves, self.limits.first_children) {
                self.transpositions.store(key, self.path[self.depth] as usize);
                return Expansion::Children;
            }
            node.unclaim();
        }
        // The mean of the other node says more than the evaluation.
        if visits_before == 0
            && let Some(stats) = known.map(Node::stats).filter(|stats| stats.visits > 0)
        {
            return Expansion::Reward(REWARD_OF_WIN - stats.mean_reward());
        }
        Expansion::Leaf
    }

    /// The bounds of the current position by the rules, or by the oracle's quick proof.
    #[inline(always)]
    fn bounds_of_leaf(&mut self) -> Bounds {
        let bounds = Bounds::of_state(&self.state);
        if bounds.proven() {
            return bounds;
        }
        let proof = self.oracle.prove_leaf(&self.state.position, &mut self.visited);
        proof.map_or(bounds, Bounds::of_proof)
    }

    /// Gives a claimed node its first children, up to `most`, those with the largest priors; false
    /// when the pool is full.
    #[inline(always)]
    pub fn make_children(&mut self, node: &Node, moves: &MoveList, most: usize) -> bool {
        let count = moves.len().min(most);
        let Some(first) = self.take(count) else { return false };
        self.rank(moves);
        self.fill(first, self.ranking.moves(moves).take(count));
        node.publish(first, count, moves.len());
        true
    }

    /// Gives the current position's node, which has these children, the next group of them, and
    /// returns the index of the first. None when there are no more, the pool is full or another
    /// worker is at it.
    #[inline(always)]
    pub fn make_more(&mut self, children: &Children) -> Option<u32> {
        let mut groups = children.groups();
        let last_group = groups.by_ref().last().expect("there is a group");
        let size = groups.next_size();
        let last = &self.nodes[last_group.start];
        if size == 0 || !self.claims(last.claim_next()) {
            return None;
        }
        let Some(start) = self.take(size) else {
            last.unclaim_next();
            return None;
        };
        let mut moves = MoveList::new();
        self.state.position.moves(&mut moves);
        let has_child = |m: Move| children.nodes().any(|child| child.to_here() == Some(m));
        self.rank(&moves);
        self.fill(start, self.ranking.moves(&moves).filter(|&(m, _)| !has_child(m)).take(size));
        last.publish_next(start);
        Some(start)
    }

    /// Whether a claim has succeeded; counts those that another worker was quicker with.
    #[inline(always)]
    fn claims(&mut self, succeeded: bool) -> bool {
        self.contention.lost_claims += u64::from(!succeeded);
        succeeded
    }

    /// Allocates `count` nodes of the pool, in one piece; none when it is full.
    #[inline(always)]
    fn take(&mut self, count: usize) -> Option<u32> {
        let count = count as u32;
        if self.block.end - self.block.start < count {
            let block = self.tree.take_block();
            self.contention.blocks += u64::from(block.is_some());
            // Of a full pool as well: then hardly a leaf asks again.
            self.limits = ExpansionLimits::of(self.tree, self.parameters);
            self.block = block?;
            if self.block.end - self.block.start < count {
                return None;
            }
        }
        let first = self.block.start;
        self.block.start += count;
        Some(first)
    }

    /// Ranks the moves of the current position.
    #[inline(always)]
    fn rank(&mut self, moves: &MoveList) {
        let position = &self.state.position;
        self.ranking.rank(position, moves, &self.history, self.parameters, &mut self.rng);
    }

    /// Makes nodes from an index on fresh children.
    #[inline(always)]
    fn fill(&self, first: u32, ranked: impl Iterator<Item = (Move, f32)>) {
        for (child, (m, prior)) in self.nodes[first as usize..].iter().zip(ranked) {
            child.reset(Some(m), prior);
        }
    }

    /// Stores the current node in the transposition table, if the table does not know it since the
    /// tree was copied.
    pub(super) fn store_copied(&self, node: &Node) {
        if node.unstored() {
            self.transpositions.store(self.key(), self.path[self.depth] as usize);
            node.mark_as_stored();
        }
    }
}
