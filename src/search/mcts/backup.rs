//! How a result reaches the nodes above: rewards by addition, proofs by the rules of
//! [`Bounds`](super::proof::Bounds).

use super::iteration::Descent;
use super::node::Node;
use super::proof::Bounds;
use super::stats::{REWARD_OF_DRAW, REWARD_OF_WIN, Stats};
use super::sync::{Ordering, fence};
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::game::GameState;

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Adds what a descent has come to at all nodes of its path, ends the batches that are
    /// complete, and returns to the node of the deepest one that is not.
    #[inline(always)]
    pub(super) fn back_up(&mut self, Descent { mut times, reward }: Descent) {
        let win = u64::from(REWARD_OF_WIN);
        let mut sum = u64::from(times) * u64::from(reward);
        let batch = self.batches.last().expect("an iteration is in a batch");
        let top = batch.depth;
        if self.history.learns() && batch.count == 1 {
            let of_top = batch.stats;
            self.learn(top, of_top, reward);
        }
        for &index in self.path[top + 1..self.depth + 1].iter().rev() {
            self.nodes[index as usize].add_iterations::<OWNED>(times, sum);
            sum = u64::from(times) * win - sum;
        }
        while let Some(batch) = self.batches.last_mut() {
            batch.stats = batch.stats.plus(times, sum);
            batch.sum += sum;
            batch.left -= times;
            if batch.left > 0 {
                self.state.position = batch.position;
                self.state.history.truncate(batch.past);
                self.depth = batch.depth;
                return;
            }
            (times, sum) = (batch.count, u64::from(batch.count) * win - batch.sum);
            self.nodes[batch.node as usize].end::<OWNED>(batch.count, batch.sum);
            self.batches.pop();
        }
    }

    /// Updates for each move below a node of the path its mean surplus: what came of it, less what
    /// was expected where it was made. `of_top` are that node's statistics without the visit under
    /// way (but with those of other workers, as losses); the reward is for the side to move in the
    /// current position. Moves above, which have many visits, are left out.
    #[inline(always)]
    pub(super) fn learn(&mut self, top: usize, of_top: Stats, mut reward: u32) {
        // Who moved to the current node.
        let root_side = self.start.position.side();
        let mut mover = if self.depth.is_multiple_of(2) { !root_side } else { root_side };
        for depth in (top + 1..=self.depth).rev() {
            reward = REWARD_OF_WIN - reward;
            let [above, node] = [depth - 1, depth].map(|at| &self.nodes[self.path[at] as usize]);
            let of_above = if depth - 1 == top { of_top } else { above.stats() };
            if let Some(m) = node.to_here() {
                let came = reward as f32 / REWARD_OF_WIN as f32;
                self.history.note(mover, m, came - (1.0 - of_above.mean()));
            }
            mover = !mover;
        }
    }

    /// Tightens the bounds of the current node, which is proven, and of those above; returns the
    /// reward for the node's side to move.
    #[inline(never)]
    pub(super) fn prove(&self, node: &Node, bounds: Bounds) -> u32 {
        node.tighten(bounds);
        self.propagate_bounds();
        bounds.reward()
    }

    /// Propagates what the current node's siblings and it prove towards the root until nothing
    /// changes.
    #[inline(never)]
    fn propagate_bounds(&self) {
        for &above in self.path[..self.depth].iter().rev() {
            // Two workers may prove the last two children of a node at the same time. With a
            // fence between each one's proof and its look at the siblings, at least one of them
            // sees both.
            fence(Ordering::SeqCst);
            let above = &self.nodes[above as usize];
            let Some(children) = above.children(self.nodes) else { break };
            if !above.tighten(children.bounds_of_parent()) {
                break;
            }
        }
    }

    /// Propagates the proof of the current node where its parent shares its children with other
    /// nodes: the proof may have come by way of another parent.
    #[inline(always)]
    pub(super) fn propagate_shared_proof(&self) {
        if self.depth > 0 && self.nodes[self.path[self.depth - 1] as usize].shares_children() {
            self.propagate_bounds();
        }
    }

    /// The reward of an unproven node with children whose position now ends the game by repetition:
    /// it did not when the node got its children, on another path or earlier in the game. (Ends by
    /// other rules are proven before a node gets children.)
    #[inline(always)]
    pub(super) fn repeats_with_children(&self, node: &Node) -> Option<u32> {
        if !G::REPETITION {
            return None;
        }
        if let Some(reward) = self.comes_back() {
            return Some(reward);
        }
        // All ways from the root have these earlier occurrences.
        let position = &self.state.position;
        let ending = position.drawn(&self.state.history)?;
        Some(self.prove(node, Bounds::of_outcome(position, ending.outcome)))
    }

    /// The reward of the current position if it occurred before on the path from the root. It then
    /// counts as a draw, though not a proven one: other paths reach it for the first time, and its
    /// other moves are tried at the first occurrence. Once the root has moved beyond that place,
    /// the node is an ordinary one, and further rewards outweigh its draws. Where a repetition wins
    /// or loses, it counts only when it ends the game.
    #[inline(always)]
    pub(super) fn comes_back(&self) -> Option<u32> {
        let GameState { position, history } = &self.state;
        if history.occurrences(position.key(), self.depth) == 0 {
            return None;
        }
        if position.repetition_draws() {
            return Some(REWARD_OF_DRAW);
        }
        let ending = position.drawn(history)?;
        (position.count_moves() > 0)
            .then(|| ending.outcome.for_side(position.side()).halves() * REWARD_OF_DRAW)
    }
}
