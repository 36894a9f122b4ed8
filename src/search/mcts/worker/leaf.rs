//! What a worker does at a leaf: it proves, shares, makes children or evaluates; and how a node gets
//! children, the first ones and more.
//!
//! The one idea: at a leaf each of these is tried in turn, the one that says most first: a draw where a
//! position comes back, a result that is certain, the children of another node of the same position, a win
//! by threats, children of its own, and at last the mean of such a node or the evaluation.

use super::{Thrift, Worker};
use crate::eval::{Evaluate, expectation};
use crate::game::{GameState, Move, MoveList, Outcome};
use crate::games::murus::threats;
use crate::processor::with_v3_instructions;
use crate::search::mcts::children::Children;
use crate::search::mcts::node::Node;
use crate::search::mcts::proof::Bounds;
use crate::search::mcts::quiescence::quiesce;
use crate::search::mcts::stats::{REWARD_OF_DRAW, REWARD_OF_WIN};

/// What the position of a node says by itself: a finished game, or one that is decided. A
/// side without a legal move is only found where the moves are generated, unless a draw rule
/// applies, which it comes before.
#[inline(always)]
pub fn bounds_of<G: Evaluate>(state: &GameState<G>) -> Bounds {
    let position = &state.position;
    let ending = position.won().or_else(|| position.drawn(&state.history));
    match ending.map(|ending| ending.outcome) {
        Some(Outcome::Draw) if position.count_moves() == 0 => bounds_without_moves(position),
        Some(outcome) => bounds_of_outcome(position, outcome),
        None => match position.decided() {
            Some((winner, plies)) if winner == position.side() => Bounds::win(plies as u16),
            Some((_, plies)) => Bounds::loss(plies as u16),
            None => Bounds::UNKNOWN,
        },
    }
}

/// The bounds of a position without a legal move.
pub fn bounds_without_moves<G: Evaluate>(position: &G) -> Bounds {
    bounds_of_outcome(position, position.without_moves().outcome)
}

/// The bounds of a finished game for its side to move.
#[inline(always)]
fn bounds_of_outcome<G: Evaluate>(position: &G, outcome: Outcome) -> Bounds {
    match outcome {
        Outcome::Draw => Bounds::DRAWN,
        Outcome::Win(side) if side == position.side() => Bounds::win(0),
        Outcome::Win(_) => Bounds::loss(0),
    }
}

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Deals with a node without children: answers the reward for its side to move, or none if it
    /// has children now.
    pub(super) fn visit_leaf(&mut self, node: &Node, visits_before: u32) -> Option<u32> {
        with_v3_instructions(
            #[inline(always)]
            || self.look_at_leaf(node, visits_before),
        )
    }

    #[inline(always)]
    fn look_at_leaf(&mut self, node: &Node, visits_before: u32) -> Option<u32> {
        // Before a third occurrence is proven to be a draw, which it may not be on another way.
        if G::REPETITION && self.comes_back() {
            return Some(REWARD_OF_DRAW);
        }
        let expands = visits_before + 1 >= self.thrift.expand_visits;
        // Before it gets children as well: another worker, the first here, may not have told yet,
        // and nothing is to be played on after the end.
        if visits_before == 0 || expands {
            let mut bounds = bounds_of(&self.state);
            if !bounds.proven() {
                bounds = self.endgames.try_leaf(&self.state.position);
            }
            if bounds.proven() {
                return Some(self.prove(node, bounds));
            }
        }
        let key = self.key();
        let twin = self.transpositions.find(key).map(|index| &self.nodes[index]);
        if let Some(twin) = twin.filter(|twin| twin.children(self.nodes).is_some()) {
            let bounds = twin.bounds();
            // Sharing takes no nodes of the pool, however full it is.
            let shares = visits_before + 1 >= self.parameters.expand_visits || bounds.proven();
            if shares && self.claims(node.claim()) {
                node.share_children_of(twin);
                return bounds.proven().then(|| self.prove(node, bounds));
            }
        }
        // A position that has children elsewhere was tried there.
        if visits_before == 0
            && twin.is_none()
            && let Some(proof) = threats::solve(&self.state.position, self.parameters.threats)
        {
            return Some(self.prove(node, Bounds::of_proof(proof)));
        }
        if expands && self.claims(node.claim()) {
            let mut moves = MoveList::new();
            self.state.position.moves(&mut moves);
            if moves.is_empty() {
                return Some(self.prove(node, bounds_without_moves(&self.state.position)));
            }
            if self.make_children(node, &moves, self.thrift.first_children) {
                self.transpositions.store(key, self.path[self.depth] as usize);
                return None;
            }
            node.unclaim();
        }
        // The mean of the other node says more than the evaluation.
        if visits_before == 0
            && let Some(stats) = twin.map(Node::stats).filter(|stats| stats.visits > 0)
        {
            return Some(REWARD_OF_WIN - stats.mean_reward());
        }
        Some(self.evaluate())
    }

    /// Whether the current position has been on the way from the root. It counts as a draw then, though not
    /// a proven one: other ways to it may not pass through it before, and what else can be played from it
    /// is tried where it came first. Once the root has moved on beyond that place, the node goes on as
    /// any other; its draws fade among further rewards.
    #[inline(always)]
    pub(super) fn comes_back(&self) -> bool {
        self.state.history.occurrences(self.state.position.key(), self.depth) > 0
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
    /// answers the index of the first; none when there are all, the pool is full or another worker
    /// is about it.
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
        let known = |m: Move| children.nodes().any(|child| child.to_here() == Some(m));
        self.rank(&moves);
        self.fill(start, self.ranking.moves(&moves).filter(|&(m, _)| !known(m)).take(size));
        last.publish_next(start);
        Some(start)
    }

    /// Whether a claim has succeeded; counts those that another worker was quicker with.
    #[inline(always)]
    fn claims(&mut self, succeeded: bool) -> bool {
        self.contention.lost_claims += u64::from(!succeeded);
        succeeded
    }

    /// Takes so many nodes of the pool, in one piece; none when it is full.
    #[inline(always)]
    fn take(&mut self, count: usize) -> Option<u32> {
        let count = count as u32;
        if self.block.end - self.block.start < count {
            let block = self.tree.take_block();
            self.contention.blocks += u64::from(block.is_some());
            // Of a full pool as well: then hardly a leaf asks again.
            self.thrift = Thrift::of(self.tree, self.parameters);
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

    /// The score of a position for its side to move, in games with noisy moves after these.
    #[inline(always)]
    fn score(&self, position: &G) -> i32 {
        if G::NOISY {
            quiesce(position, self.parameters.quiescence_plies)
        } else {
            position.evaluate()
        }
    }

    /// The reward of a leaf for its side to move: a short random playout, then the evaluation.
    #[inline(always)]
    fn evaluate(&mut self) -> u32 {
        let side = self.state.position.side();
        let won = |outcome| match outcome {
            Outcome::Draw => REWARD_OF_DRAW,
            Outcome::Win(winner) if winner == side => REWARD_OF_WIN,
            Outcome::Win(_) => 0,
        };
        // On copies, which live in registers rather than behind `self`.
        let mut position = self.state.position;
        let mut rng = self.rng.clone();
        let mut end = None;
        for _ in 0..self.parameters.playout_plies {
            let Some(m) = position.random_move(&mut rng) else {
                end = Some(position.without_moves());
                break;
            };
            if G::REPETITION {
                self.state.history.push(&position);
                position.play(m);
            } else {
                position.play_unkeyed(m);
            }
            end = position.won().or_else(|| position.drawn(&self.state.history));
            if end.is_some() {
                break;
            }
        }
        self.rng = rng;
        if let Some(end) = end {
            return won(end.outcome);
        }
        let expected = expectation(self.score(&position));
        let expected = if position.side() == side { expected } else { 1.0 - expected };
        (expected * REWARD_OF_WIN as f32 + 0.5) as u32
    }
}
