//! How a result reaches the nodes above: rewards by addition, proofs by the rules of
//! [`Bounds`](super::proof::Bounds).

use super::iteration::Descent;
use super::node::Node;
use super::proof::Bounds;
use super::stats::{REWARD_OF_WIN, Stats};
use super::sync::{Ordering, fence};
use super::worker::Worker;
use crate::eval::Evaluate;

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Adds what a descent has come to at all nodes of its path, ends the batches that are
    /// complete, and returns to the node of the deepest one that is not.
    #[inline(always)]
    pub(super) fn back_up(&mut self, Descent { mut iterations, reward }: Descent) {
        let win = u64::from(REWARD_OF_WIN);
        let mut sum = u64::from(iterations) * u64::from(reward);
        let batch = self.batches.last().expect("an iteration is in a batch");
        let top = batch.depth;
        if self.history.learns() && batch.share.all == 1 {
            let of_top = batch.stats;
            self.learn(top, of_top, reward);
        }
        for &index in self.path[top + 1..self.depth + 1].iter().rev() {
            self.nodes[index as usize].add_iterations::<OWNED>(iterations, sum);
            sum = u64::from(iterations) * win - sum;
        }
        while let Some(batch) = self.batches.last_mut() {
            batch.stats = batch.stats.plus(iterations, sum);
            batch.sum += sum;
            batch.share.left -= iterations;
            if batch.share.left > 0 {
                self.state.position = batch.position;
                self.state.history.truncate(batch.past);
                self.depth = batch.depth;
                return;
            }
            let all = batch.share.all;
            (iterations, sum) = (all, u64::from(all) * win - batch.sum);
            self.nodes[batch.node as usize].end::<OWNED>(all, batch.sum);
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
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::history::MoveHistory;
    use super::super::tree::Tree;
    use super::super::worker::tests::worker;
    use super::*;
    use crate::eval::parameters::Parameters;
    use crate::game::{Game, GameState, Side};
    use crate::games::Voidrider;

    #[test]
    fn each_side_learns_how_much_better_than_expected_its_moves_were() {
        let start = GameState::new(Voidrider::start());
        let moves = start.position.legal_moves();
        let [whites, blacks] = [moves[0], moves[1]];
        let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
        let tree = Tree::new(1..4, 1);
        let parameters = Parameters { history_factor: 50.0, ..Voidrider::TUNING };
        nodes[2].reset(Some(whites), 0.5);
        nodes[3].reset(Some(blacks), 0.5);
        // White expects three quarters at the root, Black half after White's move.
        nodes[1].raise_iterations(4, u64::from(REWARD_OF_WIN) * 3);
        nodes[2].raise_iterations(2, u64::from(REWARD_OF_WIN));
        let mut worker = worker(&nodes, &tree, &parameters, &start);
        worker.path[..3].copy_from_slice(&[1, 2, 3]);
        worker.depth = 2;
        // White, to move after both, wins.
        worker.learn(0, nodes[1].stats(), REWARD_OF_WIN);
        let mut expected = MoveHistory::new(50.0);
        expected.note(Side::White, whites, 0.25);
        expected.note(Side::Black, blacks, -0.5);
        for side in [Side::White, Side::Black] {
            let weights_by = |history: &MoveHistory| -> [f32; 2] {
                let mut weights = [1.0; 2];
                history.adjust(side, &[whites, blacks], &mut weights);
                weights
            };
            assert_eq!(weights_by(&worker.history), weights_by(&expected), "{side}");
        }
    }
}
