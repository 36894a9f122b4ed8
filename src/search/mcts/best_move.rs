//! The best move, read off the roots while the workers may still be at work.
//!
//! The one idea: at the root all trees count as one: the visits of a move are added up, and a proof
//! in any tree counts. Proofs decide first, then visits (the robust child), unless a move with
//! fewer visits has the better mean result (the max child), then the order of the moves.

use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::node::Node;
use super::proof::Bounds;
use super::stats::{REWARD_OF_WIN, Stats};
use super::tree::Tree;
use super::tree_search::TreeSearch;
use crate::eval::Evaluate;
use crate::game::{MAX_MOVES, Move, MoveList};
use crate::search::clock::{Budget, Instant};
use crate::search::report::{
    Alternative, MAX_LINES, MAX_TOP_MOVES, MAX_VARIATION, Proof, Report, RootMove, TreeSize,
};

/// Nothing is settled before 1/8 of the time left has been spent.
const MIN_SPENT: u32 = 8;

/// Where the leader is clear, the search ends once its lead is more than this share of the visits
/// still to come.
const CLEAR_SHARE: f32 = 0.5;

/// A move at the root, in all trees together.
#[derive(Clone, Copy)]
struct Candidate {
    m: Move,
    /// Its place among the root's children.
    index: usize,
    tally: Tally,
    /// In the first tree, as the trees vary it.
    prior: f32,
    /// For the opponent, the side to move after it.
    bounds: Bounds,
}

impl Candidate {
    /// The move's bounds for the side to move at the root.
    fn for_mover(&self) -> Bounds {
        Bounds::of_parent(std::iter::once(self.bounds))
    }

    fn describe(&self) -> RootMove {
        let proof = self.for_mover().proof();
        RootMove {
            m: self.m,
            visits: self.tally.visits,
            value: value(self.tally, proof),
            prior: self.prior,
            proof,
        }
    }
}

/// Visits and rewards of a move, in all trees together: more than a node's statistics have room
/// for.
#[derive(Clone, Copy)]
struct Tally {
    visits: u64,
    /// For the side that makes the move.
    reward: u64,
}

impl Tally {
    /// Those of a node, `scale` times as many.
    fn of(stats: Stats, scale: f64) -> Tally {
        let (visits, reward) = (u64::from(stats.visits), stats.reward);
        if scale == 1.0 {
            return Tally { visits, reward };
        }
        let scaled = |count: u64| (count as f64 * scale) as u64;
        Tally { visits: scaled(visits), reward: scaled(reward) }
    }

    fn plus(self, other: Tally) -> Tally {
        Tally { visits: self.visits + other.visits, reward: self.reward + other.reward }
    }

    /// The mean result, 0 to 1; 1/2 without visits.
    fn mean(self) -> f32 {
        if self.visits == 0 {
            return 0.5;
        }
        (self.reward as f32 / (self.visits as f32 * REWARD_OF_WIN as f32)).min(1.0)
    }
}

type Candidates = ArrayVec<Candidate, MAX_MOVES>;

/// A node of a tree, if it has it.
type NodeOf<'a> = dyn Fn(&Tree) -> Option<usize> + 'a;

impl<G: Evaluate> TreeSearch<G> {
    /// The children of a tree's root, in the order of that tree's priors.
    pub fn root_children(&self, tree: &Tree) -> impl Iterator<Item = &Node> {
        let children = self.arena[tree.root()].children(&self.arena).expect("the root is planted");
        children.nodes()
    }

    /// Iterations since the engine was built.
    pub fn count_all(&self) -> u64 {
        self.work.iter().map(|work| work.iterations.load(Ordering::Relaxed)).sum()
    }

    /// Iterations of this search so far.
    pub fn count(&self) -> u64 {
        // Relaxed: written before the workers were woken.
        self.count_all() - self.before.load(Ordering::Relaxed)
    }

    /// The moves at the root in all trees, and what their bounds together say of the root.
    fn candidates(&self) -> (Candidates, Bounds) {
        self.candidates_below(&|tree| Some(tree.root())).expect("the roots are planted")
    }

    /// The same at other nodes, one of each tree that has it; none if none has children.
    fn candidates_below(&self, node: &NodeOf) -> Option<(Candidates, Bounds)> {
        let below = |tree| {
            let at = node(tree)?;
            Some((self.arena[at].children(&self.arena)?, self.scale_at(tree, at)))
        };
        let mut all = self.trees.iter().filter_map(below);
        let (first, scale) = all.next()?;
        let mut candidates: Candidates = first
            .nodes()
            .enumerate()
            .map(|(index, child)| Candidate {
                m: child.to_here().expect("a child has a move"),
                index,
                tally: Tally::of(child.stats(), scale),
                prior: child.prior(),
                bounds: child.bounds(),
            })
            .collect();
        for (children, scale) in all {
            for candidate in &mut candidates {
                let same_move = |child: &&Node| child.to_here() == Some(candidate.m);
                // Roots have all moves, other nodes maybe not.
                let Some(child) = children.nodes().find(same_move) else { continue };
                candidate.tally = candidate.tally.plus(Tally::of(child.stats(), scale));
                candidate.bounds = candidate.bounds.and(child.bounds());
            }
        }
        let missing = (first.missing() > 0).then_some(Bounds::UNKNOWN);
        let bounds = candidates.iter().map(|candidate| candidate.bounds);
        let root = Bounds::of_parent(bounds.chain(missing));
        Some((candidates, root))
    }

    /// By how much the visits below a tree's node count: for all that halving has taken from the
    /// root, so that trees are compared, and reports go on, as if none were halved.
    fn scale_at(&self, tree: &Tree, node: usize) -> f64 {
        let away = if node == tree.root() { tree.halved_away() } else { 0 };
        let visits = self.arena[node].stats().visits.max(1);
        (u64::from(visits) + away) as f64 / f64::from(visits)
    }

    /// The moves at the root that do not lose for certain.
    pub fn open_moves(&self) -> MoveList {
        let (candidates, _) = self.candidates();
        candidates
            .iter()
            .filter(|candidate| !candidate.bounds.is_win())
            .map(|open| open.m)
            .collect()
    }

    /// Whether a search may end before its deadline. It may where its line is as long as was asked
    /// for, where only one move does not lose, or where the time left serves later moves and the
    /// leader can hardly be caught. The visits still to come follow from the rate of this search. A
    /// clear leader, which has the best mean result too, is not caught with half of them, another
    /// not with all: so unclear positions get more time. Time that would be lost is used to the
    /// end, as the tree is kept, but not with full trees, which only count the same leaves again.
    pub fn settled(&self, started: Instant, budget: &Budget) -> bool {
        let deep = |depth: usize| self.report(started).depth >= depth.min(MAX_VARIATION);
        if budget.depth.is_some_and(deep) {
            return true;
        }
        let Some(deadline) = budget.deadline else { return false };
        let now = Instant::now();
        let (spent, left) = (now - started, deadline.saturating_duration_since(now));
        // Without an iteration counted yet there is no rate.
        if spent < left / MIN_SPENT || self.count() == 0 {
            return false;
        }
        let (mut candidates, _) = self.candidates();
        candidates.retain(|candidate| !candidate.bounds.is_win());
        candidates.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.tally.visits));
        let [leader, runner_up, ..] = candidates[..] else { return true };
        if !budget.saves && !self.trees.iter().all(Tree::full) {
            return false;
        }
        let visited = candidates.iter().filter(|candidate| candidate.tally.visits > 0);
        let clear = visited.map(|c| c.tally.mean()).all(|mean| mean <= leader.tally.mean());
        let share = if clear { CLEAR_SHARE } else { 1.0 };
        let rate = self.count() as f64 / spent.as_secs_f64();
        let to_come = rate * left.as_secs_f64();
        (leader.tally.visits - runner_up.tally.visits) as f64 > f64::from(share) * to_come
    }

    /// The moves at some nodes, one of each tree that has it, the preferred ones first, and what is
    /// proven there; none if none has children.
    fn ranked_below(&self, node: &NodeOf) -> Option<(Candidates, Bounds)> {
        let (mut candidates, root) = self.candidates_below(node)?;
        candidates.sort_unstable_by(|a, b| {
            let merit = |c: &Candidate| preference(c.tally, c.bounds, root);
            merit(b).total_cmp(&merit(a)).then(a.index.cmp(&b.index))
        });
        if !root.proven()
            && let Some(place) = max_child(&candidates, self.parameters.max_child_share)
        {
            candidates[..=place].rotate_right(1);
        }
        Some((candidates, root))
    }

    /// All moves at the roots, the preferred ones first.
    pub fn root_moves(&self) -> Vec<RootMove> {
        let ranked = self.ranked_below(&|tree| Some(tree.root()));
        ranked.iter().flat_map(|(candidates, _)| candidates).map(Candidate::describe).collect()
    }

    /// Reads the answer off the roots.
    pub fn report(&self, started: Instant) -> Report {
        self.report_below(started, &|tree| Some(tree.root())).expect("the roots are planted")
    }

    /// Reads the answer off other nodes, one of each tree that has it; none if none has children.
    pub fn report_below(&self, started: Instant, node: &NodeOf) -> Option<Report> {
        let (candidates, root) = self.ranked_below(node)?;
        let best = candidates[0];
        let mut report = Report::of_move(best.m);
        report.proof = if best.bounds.is_loss() {
            // The win that is played, at its own distance.
            best.for_mover().proof()
        } else {
            root.proof()
        };
        report.value = value(best.tally, report.proof);
        report.nodes = self.count();
        report.elapsed = started.elapsed();
        let (used, all) = self.trees.iter().fold((0, 0), |(used, all), tree| {
            let (u, a) = tree.usage();
            (used + u64::from(u), all + u64::from(a))
        });
        report.fill = (1000 * used / all.max(1)) as u32;
        // Relaxed: written before the workers were woken.
        let kept = self.kept.load(Ordering::Relaxed);
        report.tree = Some(TreeSize { nodes: used, kept });
        let top = candidates.iter().take(MAX_TOP_MOVES).map(Candidate::describe);
        report.top_moves.extend(top);
        let mut nodes = self.trees.iter().filter_map(node);
        let children = nodes.find_map(|node| self.arena[node].children(&self.arena))?;
        self.follow(children.nodes().nth(best.index)?, &mut report.variation);
        report.depth = report.variation.len();
        Some(report)
    }

    /// The lines of play that begin with other moves than the best, as many of which something is
    /// known, the preferred ones first.
    pub fn alternatives(
        &self,
        best: Move,
        count: usize,
    ) -> ArrayVec<Alternative, { MAX_LINES - 1 }> {
        let root = self.trees[0].root();
        let ranked = self.ranked_below(&|tree| Some(tree.root()));
        let children = self.arena[root].children(&self.arena);
        let (Some((candidates, _)), Some(children)) = (ranked, children) else {
            return ArrayVec::new();
        };
        let known = |c: &&Candidate| c.m != best && (c.tally.visits > 0 || c.bounds.proven());
        let line = |c: &Candidate| {
            let proof = c.for_mover().proof();
            let mut variation = ArrayVec::from_iter([c.m]);
            self.follow(children.nodes().nth(c.index)?, &mut variation);
            let depth = variation.len();
            Some(Alternative { value: value(c.tally, proof), proof, depth, variation })
        };
        candidates.iter().filter(known).filter_map(line).take(count.min(MAX_LINES - 1)).collect()
    }

    /// Extends the variation from a root move along the preferred children.
    fn follow(&self, best: &Node, variation: &mut ArrayVec<Move, MAX_VARIATION>) {
        let mut at = best;
        while let Some(children) = at.children(&self.arena) {
            if variation.is_full() {
                break;
            }
            let merit = |n: &Node| preference(Tally::of(n.stats(), 1.0), n.bounds(), at.bounds());
            let next = children
                .nodes()
                .reduce(|best, next| match merit(next).total_cmp(&merit(best)) {
                    std::cmp::Ordering::Greater => next,
                    _ => best,
                })
                .expect("an expanded node has children");
            if next.stats().visits == 0 && !next.bounds().proven() {
                break;
            }
            variation.push(next.to_here().expect("a child has a move"));
            at = next;
        }
    }
}

/// The place of the max child, if it is played rather than the robust child, which is the first
/// candidate, as the most visited. Of those with at least `share` of its visits it is the one with
/// the best mean result. Visits follow a changing mean with a delay, and the search may end before.
fn max_child(candidates: &[Candidate], share: f32) -> Option<usize> {
    let leader = candidates[0];
    if leader.bounds.proven() {
        return None;
    }
    let least = leader.tally.visits as f32 * share;
    let mut best = 0;
    for (place, candidate) in candidates.iter().enumerate() {
        let better = candidate.tally.mean() > candidates[best].tally.mean();
        if better && !candidate.bounds.proven() && candidate.tally.visits as f32 >= least {
            best = place;
        }
    }
    (best > 0).then_some(best)
}

/// The expected result: the proven one, else the mean.
fn value(tally: Tally, proof: Option<Proof>) -> f32 {
    match proof {
        Some(Proof::Win(_)) => 1.0,
        Some(Proof::Draw) => 0.5,
        Some(Proof::Loss(_)) => 0.0,
        None => tally.mean(),
    }
}

/// How much a move is preferred: what secures a proven result of its parent first; then proven
/// wins, the quickest of them foremost; then by visits; proven losses last, the slowest of them
/// foremost. The child's bounds are the opponent's.
fn preference(tally: Tally, child: Bounds, parent: Bounds) -> f64 {
    let merit = match child.proof() {
        Some(Proof::Loss(plies)) => 1e12 - f64::from(plies),
        Some(Proof::Win(plies)) => f64::from(plies) - 1e12,
        _ => tally.visits as f64 + f64::from(tally.mean()) * 0.5,
    };
    if parent.proven() && !child.secures(parent) { merit - 1e15 } else { merit }
}

#[cfg(test)]
mod tests {
    use super::super::stats::MAX_VISITS;
    use super::*;

    #[test]
    fn visits_of_many_trees_add_up_beyond_what_a_node_has_room_for() {
        let full = Stats { visits: MAX_VISITS, reward: u64::from(MAX_VISITS) * 600 };
        let all = (1..100).fold(Tally::of(full, 1.0), |sum, _| sum.plus(Tally::of(full, 1.0)));
        assert_eq!(all.visits, 100 * u64::from(MAX_VISITS));
        assert_eq!(all.mean(), full.mean());
        let halved = Stats { visits: full.visits / 2, reward: full.reward / 2 };
        assert!(Tally::of(halved, 2.0).visits.abs_diff(full.visits.into()) < 2);
    }

    #[test]
    fn a_better_mean_is_played_if_enough_visits_stand_behind_it() {
        let of = |visits: u64, mean: u64, bounds| Candidate {
            m: Move::from_code(0),
            index: 0,
            tally: Tally { visits, reward: visits * mean },
            prior: 0.5,
            bounds,
        };
        let open = |visits, mean| of(visits, mean, Bounds::UNKNOWN);
        assert_eq!(max_child(&[open(1000, 300), open(100, 400), open(99, 900)], 0.1), Some(1));
        assert_eq!(max_child(&[open(1000, 300), open(500, 400), open(400, 500)], 0.1), Some(2));
        assert_eq!(max_child(&[open(1000, 300), open(500, 300)], 0.1), None, "as good");
        assert_eq!(max_child(&[open(1000, 300), open(999, 400)], 1.0), None, "not asked for");
        let drawn = of(500, 511, Bounds::DRAWN);
        assert_eq!(max_child(&[open(1000, 300), drawn], 0.1), None, "proofs have been looked at");
        assert_eq!(max_child(&[drawn, open(400, 600)], 0.1), None);
    }

    #[test]
    fn a_proven_draw_is_played_rather_than_what_was_visited_more() {
        let stats = |visits| Tally { visits, reward: 0 };
        let drawn_root = Bounds::DRAWN;
        let drawn = preference(stats(3), Bounds::DRAWN, drawn_root);
        let doubtful = preference(stats(1000), Bounds::UNKNOWN, drawn_root);
        assert!(drawn > doubtful);
        // While the root is open, visits decide; won and lost moves come first and last.
        let open = Bounds::UNKNOWN;
        assert!(preference(stats(1000), open, open) > preference(stats(3), Bounds::DRAWN, open));
        assert!(preference(stats(1), Bounds::loss(4), open) > preference(stats(1000), open, open));
        assert!(
            preference(stats(1), Bounds::loss(2), open)
                > preference(stats(9), Bounds::loss(4), open)
        );
        assert!(preference(stats(0), open, open) > preference(stats(1000), Bounds::win(9), open));
        assert!(
            preference(stats(1), Bounds::win(9), open) > preference(stats(9), Bounds::win(1), open)
        );
    }
}
