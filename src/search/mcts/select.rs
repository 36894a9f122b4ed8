//! Which child an iteration goes to: PUCT with priors and first-play urgency.

use super::children::Children;
use super::node::Node;
use super::proof::Bounds;
use super::stats::{REWARD_OF_WIN, Stats};
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::eval::parameters::Parameters;
use crate::eval::processor::with_v3_instructions;

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Steps to the child that PUCT prefers, where the statistics of the node are these, the visit
    /// under way included; returns its index. Makes the next group of children where one of those
    /// would be preferred (progressive unpruning: Chaslot et al. 2008).
    #[inline(always)]
    pub(super) fn select(&mut self, node: &Node, stats: Stats, children: &Children) -> usize {
        let choice = best_child(self.nodes, node, stats, children, self.parameters);
        let mut child = choice.child;
        if choice.more {
            let more = with_v3_instructions(
                #[inline(always)]
                || self.make_more(children),
            );
            child = more.map_or(child, |first| first as usize);
        }
        let chosen = &self.nodes[child];
        if let Some(m) = chosen.to_here() {
            self.state.play(m);
        }
        if chosen.link().is_none() {
            self.transpositions.prefetch(self.key());
        }
        self.depth += 1;
        child
    }
}

/// Whether a node's visit of this number heeds what is proven there: every second one does.
///
/// A child whose result is proven, or that cannot be better than a proven one, has nothing more to
/// offer, but its value still counts at the nodes above. So every second visit goes only to
/// children that may still be proven; the others go where they always would, except to moves that
/// are proven to lose.
#[inline(always)]
fn visit_heeds_proofs(number: u32) -> bool {
    number.is_multiple_of(2)
}

/// Whether that makes a node with these bounds choose anew for each visit: where a draw is certain,
/// every second one goes elsewhere.
#[inline(always)]
pub fn visits_alternate(bounds: Bounds) -> bool {
    bounds.is_drawn_at_least()
}

/// What to visit next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    /// The best of the children there are.
    child: usize,
    /// Whether one of the missing children would be better.
    more: bool,
}

/// The child to visit next: the largest mean result + exploration · prior · √visits of the parent /
/// (1 + visits of the child) (PUCT: Rosin 2011, in the form of Silver et al. 2017). Where there is
/// a floor of exploration, the square root gives way to floor · visits of the parent once that is
/// more. Exploration and the reduction of a first visit may count less where a side is ahead. Moves
/// proven to lose are left out as long as there is another. The statistics are the parent's, with
/// the visit under way, a loss so far, so that a rarely visited node tries more moves.
///
/// Children of a group lie in the order of their priors, and those without visits are taken in that
/// order. At the first of them the rest need not be looked at, and later groups have no visits yet.
#[inline(always)]
fn best_child(
    nodes: &[Node],
    parent: &Node,
    stats: Stats,
    children: &Children,
    parameters: &Parameters,
) -> Choice {
    let mean = stats.mean();
    // Where a side is ahead, the expected results of good moves and bad ones lie closer together.
    // The visit under way is in this mean too, which holds back exploration after the first visits.
    let ahead = 1.0 - 2.0 * mean.min(1.0 - mean);
    let unclear = 1.0 - parameters.ahead_discount * ahead;
    let visits = stats.visits as f32;
    let growth = visits.sqrt().max(visits * parameters.exploration_floor);
    let urgency = unclear * parameters.exploration * growth;
    // The parent's mean is for the side that moved to it; its children's for the other.
    let first_play = 1.0 - mean - unclear * parameters.first_play_reduction;
    let mut groups = children.groups();
    let mut last = 0;
    let mut best = children.first();
    let mut best_score = f32::NEG_INFINITY;
    let to_beat = if visit_heeds_proofs(stats.visits) { parent.bounds() } else { Bounds::UNKNOWN };
    let mut all_visited = true;
    'groups: for group in groups.by_ref() {
        last = group.end - 1;
        let first = group.start;
        for (place, child) in nodes[group].iter().enumerate() {
            let Stats { visits, reward } = child.stats();
            let weight = urgency * child.prior();
            if visits == 0 {
                if !child.bounds().may_improve(to_beat) {
                    continue;
                }
                // Of those without visits this is the best, since it has the largest prior.
                if first_play + weight > best_score {
                    best = first + place;
                }
                all_visited = false;
                break 'groups;
            }
            // mean + weight / (1 + visits), with one division.
            let (n, after) = (visits as f32, visits as f32 + 1.0);
            // As a signed number, since that is one instruction.
            let mean_times_visits = reward as i64 as f32 * (1.0 / REWARD_OF_WIN as f32);
            let score = (mean_times_visits * after + weight * n) / (n * after);
            if score > best_score && child.bounds().may_improve(to_beat) {
                best = first + place;
                best_score = score;
                // Likely to be needed next: fetched while the rest is compared.
                if let Some(below) = child.children(nodes) {
                    below.prefetch();
                }
            }
        }
    }
    // A missing child had at most the prior of the last one made, at that time; what the search
    // has learned since is not computed for each visit.
    let more = all_visited
        && groups.missing() > 0
        && first_play + urgency * nodes[last].prior() > best_score;
    Choice { child: best, more }
}

#[cfg(test)]
mod tests {
    use super::super::proof::Bounds;
    use super::*;
    use crate::games::Loa;

    /// Node 0, which is not used, and children with (visits, wins, prior).
    fn nodes(children: &[(u32, u32, f32)]) -> Vec<Node> {
        let nodes = [(0, 0, 0.0)].iter().chain(children).map(|&(visits, wins, prior)| {
            let node = Node::default();
            node.reset(None, prior);
            for i in 0..visits {
                // Its wins are losses of the side to move.
                node.add_iterations::<true>(1, if i < wins { 0 } else { REWARD_OF_WIN.into() });
            }
            node
        });
        nodes.collect()
    }

    fn choose(nodes: &[Node], exploration: f32) -> usize {
        choose_by(nodes, &Parameters { exploration, ..Loa::TUNING })
    }

    fn choose_by(nodes: &[Node], parameters: &Parameters) -> usize {
        let parent = Node::default();
        for child in nodes {
            let Stats { visits, reward } = child.stats();
            parent.add_iterations::<true>(visits, reward);
        }
        parent.publish(1, nodes.len() - 1, nodes.len() - 1);
        let choice = best_child(
            nodes,
            &parent,
            parent.stats(),
            &parent.children(nodes).unwrap(),
            parameters,
        );
        assert!(!choice.more);
        choice.child - 1
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
    fn a_floor_of_exploration_counts_where_there_are_many_visits() {
        let choose = |children: &[(u32, u32, f32)], exploration_floor: f32| {
            let parameters = Parameters { exploration: 1.0, exploration_floor, ..Loa::TUNING };
            choose_by(&nodes(children), &parameters)
        };
        let many = [(9_900, 5_940, 0.9), (100, 50, 0.1)];
        assert_eq!([choose(&many, 0.0), choose(&many, 0.01), choose(&many, 0.02)], [0, 0, 1]);
        let few = [(396, 237, 0.9), (100, 50, 0.1)];
        assert_eq!([choose(&few, 0.0), choose(&few, 0.02)], [0, 0]);
    }

    #[test]
    fn less_may_be_explored_where_a_side_is_ahead() {
        let choose = |wins: [u32; 2], ahead_discount: f32| {
            let nodes = nodes(&[(100, wins[0], 0.9), (100, wins[1], 0.1)]);
            let parameters = Parameters { ahead_discount, ..Loa::TUNING };
            choose_by(&nodes, &parameters)
        };
        // The worse move has the larger prior.
        assert_eq!([choose([46, 54], 0.0), choose([46, 54], 1.0)], [0, 0]);
        assert_eq!([choose([88, 96], 0.0), choose([88, 96], 1.0)], [0, 1]);
        assert_eq!([choose([4, 12], 0.0), choose([4, 12], 1.0)], [0, 1]);
    }

    #[test]
    fn a_move_proven_to_lose_is_left_alone() {
        let nodes = nodes(&[(10, 9, 0.5), (10, 1, 0.5)]);
        nodes[1].tighten(Bounds::win(3));
        assert_eq!(choose(&nodes, 1.0), 1);
    }
}
