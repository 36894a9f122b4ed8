//! Visits without end: a node that is full is halved, and after it what lies below.
//!
//! The one idea: selection, the choice of a move and the reported shares compare means and
//! proportions, and halving keeps both. So a full node loses half of its visits and rewards in one
//! atomic step, as if the search had been half as long, and learns on.
//!
//! Proportions are those between a node and its children and among these. So a node that is halved
//! is marked, and the next worker that passes halves all its children, whose marks do the same one
//! ply deeper. Nobody walks through the tree for it, and what is not visited needs no halving. The
//! mark shares a word and a test with that of copied nodes, so that it costs nothing elsewhere.
//!
//! Losses under way must not be taken away, since they are subtracted when their batch ends. They
//! cannot be told from other visits, but there is a limit to them; so a child is halved only where
//! at least twice that limit is left. Smaller children keep what they have.

use super::children::Children;
use super::node::Node;
use super::stats::{MAX_VISITS, Stats, VIRTUAL_LOSS};
use super::tree::Tree;
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;

/// Max visits at one node of a tree that are losses of iterations under way, where workers run
/// `poll` iterations at a time: each has at most one batch at a node.
pub fn max_losses(tree: &Tree, poll: u64) -> u32 {
    (u64::from(tree.workers()) * poll * VIRTUAL_LOSS) as u32
}

/// Fewer visits of a child are not halved, if there are at most `losses` under way.
pub fn fewest_halved(losses: u32) -> u32 {
    4 * losses
}

/// Visits of children, of each those beyond what is never halved. Where each visit of a child
/// has passed its parent and both are halved alike, that is at most the visits of the parent.
pub fn halved_visits(children: &Children, fewest: u32) -> u64 {
    children.nodes().map(|child| u64::from(child.stats().visits.saturating_sub(fewest))).sum()
}

/// Whether a node's children must be halved to fit to its own visits.
pub fn too_many(of_children: u64, visits: u32) -> bool {
    of_children > u64::from(visits) + u64::from(visits / 2)
}

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// Halves the root if it is full. Of several workers that come to it one does.
    pub fn halve_full_root(&self) {
        if self.nodes[self.root].stats().full() {
            self.halve(self.root, MAX_VISITS);
        }
    }

    /// The statistics of a child that an iteration is about to visit, which is halved first if it
    /// is full.
    #[inline(always)]
    pub(super) fn stats_of_child(&self, child: usize, children: &Children) -> Stats {
        let stats = self.nodes[child].stats();
        if stats.full() { self.halve_full_child(child, children) } else { stats }
    }

    /// Halves a child that is full, and its siblings with it, as they are compared with it; returns
    /// the statistics that it has then. It can have more visits than the root where it has several
    /// parents.
    #[cold]
    #[inline(never)]
    fn halve_full_child(&self, child: usize, children: &Children) -> Stats {
        if self.halve(child, MAX_VISITS) {
            let fewest = self.fewest_halved();
            for sibling in children.indices().filter(|&sibling| sibling != child) {
                self.halve(sibling, fewest);
            }
        }
        self.nodes[child].stats()
    }

    /// Halves the children of a node that is marked for it. Those that have other parents too may
    /// have been halved for them; then they are halved only as far as they have more visits than
    /// the node. A node that was halved twice meanwhile has its children halved as often.
    pub(super) fn halve_children(&self, node: &Node, children: &Children) {
        if !node.claim_halving() {
            return;
        }
        let fewest = self.fewest_halved();
        let too_many = || too_many(halved_visits(children, fewest), node.stats().visits);
        let mut again = !node.shares_children() || too_many();
        while again {
            for child in children.indices() {
                self.halve(child, fewest);
            }
            again = too_many();
        }
    }

    /// Halves a node that has at least `fewest` visits, and marks it; returns whether it had.
    fn halve(&self, index: usize, fewest: u32) -> bool {
        let node = &self.nodes[index];
        let taken = node.halve(fewest);
        if taken > 0 {
            node.mark_children_unhalved();
            self.tree.count_halving(index, taken);
        }
        taken > 0
    }

    fn fewest_halved(&self) -> u32 {
        fewest_halved(max_losses(self.tree, G::Oracle::POLL_ITERATIONS))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::player::MonteCarlo;
    use super::super::standing::Next;
    use super::super::stats::REWARD_OF_WIN;
    use super::super::tree_search::TreeSearch;
    use super::*;
    use crate::game::GameState;
    use crate::games::{Hadron, Loa, Murus};
    use crate::search::clock::Budget;
    use crate::search::{Engine, EngineOptions};

    /// As if the search below a node had been longer: the node gets `visits`, and what lies up to
    /// two plies below it as many more, with the same means.
    fn lengthen<G: Evaluate>(shared: &TreeSearch<G>, node: usize, visits: u32) {
        let factor = f64::from(visits) / f64::from(shared.arena[node].stats().visits);
        let children = |&at: &usize| shared.arena[at].children(&shared.arena);
        let mut below = vec![node];
        for first in [0, 1] {
            let more = below[first..].iter().filter_map(children).flat_map(|c| c.indices());
            below.extend(more.collect::<Vec<_>>());
        }
        below.sort_unstable();
        below.dedup();
        for node in below.into_iter().map(|at| &shared.arena[at]) {
            let Stats { visits, reward } = node.stats();
            let more = (f64::from(visits) * factor) as u32;
            // The sum is for the other side than the node's reward.
            let all = u64::from(more) * u64::from(REWARD_OF_WIN);
            let sum = all.saturating_sub((reward as f64 * factor) as u64);
            node.raise_iterations(more.min(MAX_VISITS - 1), sum);
        }
    }

    /// Each move's share of the visits at the root.
    fn shares<G: Evaluate>(engine: &MonteCarlo<G>, state: &GameState<G>) -> Vec<(u16, f64)> {
        let moves = engine.root_moves(state);
        let all: u64 = moves.iter().map(|root| root.visits).sum();
        let mut shares: Vec<_> =
            moves.iter().map(|root| (root.m.code(), root.visits as f64 / all as f64)).collect();
        shares.sort_unstable_by_key(|&(code, _)| code);
        shares
    }

    /// Searches on from roots that are nearly full.
    fn searches_on<G: Evaluate>(start: G, threads: usize, trees: usize) {
        const ITERATIONS: u64 = 4_000;
        let options =
            EngineOptions { threads, trees, memory: 8 << 20, seed: 5, ..Default::default() };
        let mut engine = MonteCarlo::new(start, &options).unwrap();
        let mut state = GameState::new(start);
        let best = engine.think(&state, &Budget::nodes(ITERATIONS), &mut |_| {}).best;
        engine.shell.wait(None);
        state.play(best);
        for tree in &engine.shared().trees {
            if let Some(next) = engine.shared().node_at(tree, &[best]) {
                lengthen(engine.shared(), next, MAX_VISITS - 100);
            }
        }
        engine.standing.stand_at(&engine.shell, &Next::of_all_moves(&state, false));
        let (before, nearly) = (shares(&engine, &state), u64::from(MAX_VISITS - 200));
        let at_moves = |engine: &MonteCarlo<G>| -> u64 {
            engine.root_moves(&state).iter().map(|root| root.visits).sum()
        };
        let at_moves_before = at_moves(&engine);
        engine.keep();
        let report = engine.think(&state, &Budget::nodes(ITERATIONS), &mut |_| {});
        let found = engine.inspect().unwrap();
        assert!(found.halved >= 2 * trees as u64, "roots and children: {found:?}");
        assert_eq!(found.iterations, ITERATIONS);
        // What is reported knows nothing of it.
        let kept = report.tree.unwrap().kept;
        assert!(kept >= nearly * trees as u64, "{kept}");
        let (at_moves, expected) = (at_moves(&engine), at_moves_before + ITERATIONS);
        assert!(at_moves.abs_diff(expected) < kept / 1000, "{at_moves}, expected {expected}");
        for ((m, before), (same, after)) in before.into_iter().zip(shares(&engine, &state)) {
            assert!(m == same && (before - after).abs() < 1e-3, "{before} and {after}");
        }
        for tree in &engine.shared().trees {
            assert!(engine.shared().arena[tree.root()].stats().visits < MAX_VISITS);
        }
        // And the game goes on.
        state.play(report.best);
        let report = engine.think(&state, &Budget::nodes(ITERATIONS), &mut |_| {});
        engine.inspect().unwrap();
        assert!(report.tree.unwrap().kept > 1_000_000);
    }

    #[test]
    fn a_search_goes_on_where_its_roots_are_full() {
        searches_on(Murus::start(), 1, 1);
        searches_on(Loa::start(Default::default()), 4, 1);
        searches_on(Hadron::start(9, 9), 3, 1);
        // Few iterations must reach the same move in each tree.
        searches_on(Murus::start(), 3, 2);
    }

    #[test]
    fn a_full_child_is_halved_with_its_siblings_and_searched_on() {
        let options = EngineOptions { threads: 1, memory: 8 << 20, ..Default::default() };
        let mut engine = MonteCarlo::new(Murus::start(), &options).unwrap();
        let state = GameState::new(Murus::start());
        engine.think(&state, &Budget::nodes(20_000), &mut |_| {});
        engine.shell.wait(None);
        let shared = engine.shared();
        let tree = &shared.trees[0];
        for child in shared.root_children(tree) {
            let all = MAX_VISITS / 2 + child.stats().visits;
            child.raise_iterations(all, u64::from(all) * 511);
        }
        let best = shared.root_children(tree).max_by_key(|child| child.stats().visits).unwrap();
        best.raise_iterations(MAX_VISITS, u64::from(MAX_VISITS) * 100);
        let before: Vec<Stats> = shared.root_children(tree).map(Node::stats).collect();
        let mut oracle = shared.oracles[0].lock();
        let parts = (&*shared.arena, tree);
        Worker::<_, true>::new(parts, &shared.parameters, &mut *oracle, &state, 1).iterate(1_000);
        let more = |(before, child): (Stats, &Node)| {
            let halved = before.visits.div_ceil(2);
            assert!((halved..=halved + 1_000).contains(&child.stats().visits), "{before:?}");
            assert!((child.stats().mean() - before.mean()).abs() < 1e-4);
            child.stats().visits - halved
        };
        let visits: u32 = before.into_iter().zip(shared.root_children(tree)).map(more).sum();
        assert_eq!(visits, 1_000);
    }
}
