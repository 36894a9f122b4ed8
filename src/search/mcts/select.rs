//! Which child an iteration goes to: PUCT with priors and first-play urgency.

use std::ops::Range;

use super::node::{Node, REWARD_OF_WIN, Stats};

/// How much worse than its parent a child without visits is taken to be.
const FIRST_PLAY_REDUCTION: f32 = 0.1;

/// The child to visit next from a node with these statistics (its current visit included):
/// the largest mean + exploration · prior · √visits of the parent / (1 + visits of the child)
/// (PUCT: Rosin 2011, in the form of Silver et al. 2017). Moves proven to lose are left out as
/// long as there is another.
#[inline(always)]
pub fn select(nodes: &[Node], children: Range<usize>, parent: Stats, exploration: f32) -> usize {
    let urgency = exploration * (parent.visits as f32).sqrt();
    // The parent's mean is for the side that moved to it; its children's for the other.
    let first_play = 1.0 - parent.mean() - FIRST_PLAY_REDUCTION;
    let mut best = children.start;
    let mut best_score = f32::NEG_INFINITY;
    for (index, child) in children.clone().zip(&nodes[children]) {
        let Stats { visits, reward } = child.stats();
        let weight = urgency * child.prior();
        let score = if visits == 0 {
            first_play + weight
        } else {
            // mean + weight / (1 + visits), with one division.
            let (n, after) = (visits as f32, visits as f32 + 1.0);
            let mean_times_visits = reward as f32 * (1.0 / REWARD_OF_WIN as f32);
            (mean_times_visits * after + weight * n) / (n * after)
        };
        if score > best_score && !child.bounds().is_win() {
            best = index;
            best_score = score;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::proof::Bounds;
    use super::*;

    /// Children with (visits, wins, prior).
    fn nodes(children: &[(u32, u32, f32)]) -> Vec<Node> {
        let nodes = children.iter().map(|&(visits, wins, prior)| {
            let node = Node::default();
            node.reset(None, prior);
            for i in 0..visits {
                node.add_visit::<true>();
                node.add_reward::<true>(if i < wins { REWARD_OF_WIN } else { 0 });
            }
            node
        });
        nodes.collect()
    }

    fn choose(nodes: &[Node], exploration: f32) -> usize {
        let visits: u32 = nodes.iter().map(|n| n.stats().visits).sum();
        let reward: u64 = nodes.iter().map(|n| n.stats().reward).sum();
        let won_by_parent = u64::from(visits) * u64::from(REWARD_OF_WIN) - reward;
        select(nodes, 0..nodes.len(), Stats { visits, reward: won_by_parent }, exploration)
    }

    #[test]
    fn without_exploration_the_best_mean_is_taken() {
        assert_eq!(choose(&nodes(&[(10, 5, 0.4), (10, 8, 0.1), (10, 2, 0.5)]), 0.0), 1);
    }

    #[test]
    fn equal_means_go_to_the_larger_prior_then_to_fewer_visits() {
        assert_eq!(choose(&nodes(&[(10, 5, 0.2), (10, 5, 0.5), (10, 5, 0.3)]), 1.0), 1);
        assert_eq!(choose(&nodes(&[(100, 50, 0.3), (10, 5, 0.3), (100, 50, 0.4)]), 1.0), 1);
    }

    #[test]
    fn a_move_proven_to_lose_is_left_alone() {
        let nodes = nodes(&[(10, 9, 0.5), (10, 1, 0.5)]);
        nodes[0].tighten(Bounds::win(3));
        assert_eq!(choose(&nodes, 1.0), 1);
    }
}
