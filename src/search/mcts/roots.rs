//! Where a search begins: roots planted afresh, or moved along with the game.
//!
//! The one idea: before any worker wakes, every root has its children, and those that end the game
//! or that the game's oracle proves are proven. So a legal move is known at any moment, and a win
//! is played at once.

use std::ops::Range;

use parking_lot::{Mutex, MutexGuard};

use super::node::Node;
use super::proof::Bounds;
use super::tree::Tree;
use super::tree_search::TreeSearch;
use super::worker::Worker;
use crate::eval::Evaluate;
use crate::eval::nodes::{LEAF_NODES, Nodes};
use crate::eval::oracle::Oracle;
use crate::game::{GameState, MAX_MOVES, Move};

/// Positions for the proofs of all moves of a root, which no stop ends.
const ROOT_NODES: u64 = 64 * LEAF_NODES;

impl<G: Evaluate> TreeSearch<G> {
    /// Plants every tree anew: a root with its children.
    pub fn plant(&self, state: &GameState<G>) {
        for index in 0..self.trees.len() {
            self.plant_tree(index, state);
        }
    }

    fn plant_tree(&self, index: usize, state: &GameState<G>) {
        let tree = &self.trees[index];
        let block = tree.clear();
        let planted = self.make_root(index, block, state).expect("a tree has room for its root");
        debug_assert_eq!(planted, tree.root());
        self.examine(&self.arena[planted], state);
    }

    /// Makes a root with a child for every move that may be played, from the first node of a block
    /// on; returns its index, or none if there is no room.
    fn make_root(
        &self,
        index: usize,
        mut block: Range<u32>,
        state: &GameState<G>,
    ) -> Option<usize> {
        let tree = &self.trees[index];
        let mut moves = state.position.legal_moves();
        let only = self.only.lock();
        moves.retain(|m| only.is_empty() || only.contains(m));
        assert!(!moves.is_empty(), "a search starts where there is a legal move");
        let at = block.next()? as usize;
        let root = &self.arena[at];
        root.reset(None, 1.0);
        root.claim();
        let mut oracle = self.free_oracle();
        let mut planter = Worker::<G, true>::new(
            (&self.arena, tree),
            &self.parameters,
            &mut oracle,
            state,
            self.seed_of(index),
        );
        planter.use_block(block);
        planter.make_children(root, &moves, MAX_MOVES).then_some(at)
    }

    /// The node to which a path leads from a tree's root.
    pub fn node_at(&self, tree: &Tree, path: &[Move]) -> Option<usize> {
        path.iter().try_fold(tree.root(), |at, &m| {
            let children = self.arena[at].children(&self.arena)?;
            children.indices().find(|&child| self.arena[child].to_here() == Some(m))
        })
    }

    /// An oracle that no worker holds: with late workers, that of one that is not.
    fn free_oracle(&self) -> MutexGuard<'_, G::Oracle> {
        let free = self.oracles.iter().find_map(Mutex::try_lock);
        free.unwrap_or_else(|| self.oracles[0].lock())
    }

    /// Proves the children of a root that end the game or that the oracle or a theorem proves, and
    /// the root if that decides it. At most late workers may be at work on these nodes.
    fn examine(&self, root: &Node, state: &GameState<G>) {
        let children = root.children(&self.arena).expect("a root has children");
        let mut oracle = self.free_oracle();
        let lost = G::Oracle::lost_by_theorem(&state.position);
        let mut visited = Nodes::at_most(ROOT_NODES);
        for child in children.nodes() {
            let known = child.bounds();
            if known.proven() && !state.position.has_repetition() {
                continue;
            }
            let after = state.after(child.to_here().expect("a child has a move"));
            let mut bounds = Bounds::of_state(&after);
            if !bounds.proven() && after.position.count_moves() == 0 {
                bounds = Bounds::without_moves(&after.position);
            }
            if !bounds.proven() {
                bounds = match (G::Oracle::lost_by_theorem(&after.position), lost) {
                    (Some(plies), _) => Bounds::loss(plies),
                    (None, Some(plies)) => Bounds::win(plies.saturating_sub(1)),
                    // So that a win is continued where the leaf that was proven becomes the root.
                    (None, None) => {
                        visited.begin_leaf();
                        let depth = self.parameters.oracle_depth;
                        let proof = oracle.prove_new_leaf(&after.position, depth, &mut visited);
                        proof.map_or(bounds, Bounds::of_proof)
                    }
                };
            }
            // What was proven on another way to it, where it had not come before.
            if bounds.contradicts(known) {
                child.correct(bounds);
            } else {
                child.tighten(bounds);
            }
        }
        // Not what else is known of the root, such as a proof that another worker found while it
        // got children: a move is chosen by what the children prove.
        root.correct(children.bounds_of_parent());
    }

    /// Completes the children of a node, as a root needs one for every move; false if it has none
    /// or there is no room.
    fn complete(&self, index: usize, node: &Node, state: &GameState<G>) -> bool {
        let Some(children) = node.children(&self.arena) else { return false };
        let (tree, seed) = (&self.trees[index], self.seed_of(index));
        let mut oracle = self.free_oracle();
        let mut worker =
            Worker::<G, true>::new((&self.arena, tree), &self.parameters, &mut oracle, state, seed);
        while children.missing() > 0 {
            if worker.make_more(&children).is_none() {
                return false;
            }
        }
        true
    }

    /// The node of a tree to which a path leads, if it can be its root: with a child for every
    /// move.
    fn next_root(&self, index: usize, path: &[Move], state: &GameState<G>) -> Option<usize> {
        let end = self.node_at(&self.trees[index], path)?;
        self.complete(index, &self.arena[end], state).then_some(end)
    }

    /// Makes a node with children the root of its tree.
    fn begin_at(&self, tree: &Tree, node: usize, state: &GameState<G>) {
        tree.set_root(node);
        let root = &self.arena[node];
        root.take_stats_of(&root.children(&self.arena).expect("a root has children"));
        self.examine(root, state);
    }

    /// Moves the root of every tree along a path to `state`; a tree that does not know it yet is
    /// planted anew. No worker may be at work.
    pub fn advance(&self, path: &[Move], state: &GameState<G>) {
        for (index, tree) in self.trees.iter().enumerate() {
            match self.next_root(index, path, state) {
                Some(root) => self.begin_at(tree, root, state),
                None => self.plant_tree(index, state),
            }
        }
    }

    /// The same while late workers still grow the trees from earlier roots, and for a slot's job.
    /// No node is used again. A tree that does not know the position gets a new root on top of its
    /// nodes; in a full one the root may have the children alone that there are. False if one has
    /// no room for a root; then nothing has changed.
    pub fn advance_beside(&self, path: Option<&[Move]>, state: &GameState<G>, slot: usize) -> bool {
        for (index, tree) in self.trees.iter().enumerate() {
            let known = path.and_then(|path| {
                let has_children = |&end: &usize| self.arena[end].children(&self.arena).is_some();
                let incomplete =
                    || self.node_at(tree, path).filter(|_| tree.full()).filter(has_children);
                self.next_root(index, path, state).or_else(incomplete)
            });
            let planted = || self.make_root(index, tree.take_block()?, state);
            let Some(root) = known.or_else(planted) else { return false };
            tree.set_root_of(slot, root);
        }
        self.trees.iter().for_each(|tree| self.begin_at(tree, tree.root_of(slot), state));
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::player::MonteCarlo;
    use super::*;
    use crate::game::Game;
    use crate::games::{BuiltIn, Variant, Voidrider};
    use crate::search::clock::Budget;
    use crate::search::{Engine, EngineOptions};

    #[test]
    fn a_root_beside_a_late_worker_needs_no_room_in_a_full_tree() {
        let start = GameState::new(Voidrider::start());
        let options = EngineOptions { threads: 1, memory: 64 << 10, ..EngineOptions::default() };
        let mut engine = MonteCarlo::new(start.position, &options).unwrap();
        let report = engine.think(&start, &Budget::nodes(20_000), &mut |_| {});
        let shared = &engine.shared();
        let tree = &shared.trees[0];
        assert!(tree.full());
        let root = tree.root();
        // Where nothing is known there is no room for a root.
        assert!(!shared.advance_beside(None, &start, 1) && tree.root() == root);
        let next = start.after(report.best);
        assert!(shared.advance_beside(Some(&[report.best]), &next, 1));
        assert!(tree.root() != root && tree.root() == tree.root_of(1));
        let children = shared.arena[tree.root()].children(&shared.arena).unwrap();
        assert!(children.nodes().any(|child| child.stats().visits > 0));
    }

    #[test]
    fn a_third_occurrence_is_a_draw_whatever_was_proven_on_other_ways() {
        let options = EngineOptions { threads: 1, memory: 1 << 20, ..EngineOptions::default() };
        let engine = MonteCarlo::new(Voidrider::start(), &options).unwrap();
        let shared = &engine.shared();
        let mut state = GameState::new(Voidrider::start());
        state.play_text("b2-c4 b8-c6 c4-b2 c6-b8 b2-c4 b8-c6 c4-b2").unwrap();
        let again = state.position.parse_move("c6-b8").unwrap();
        // The same position, without a past.
        shared.plant(&GameState::new(state.position));
        let root = &shared.arena[shared.trees[0].root()];
        let children = root.children(&shared.arena).unwrap();
        let child = children.nodes().find(|child| child.to_here() == Some(again)).unwrap();
        for wrong in [Bounds::loss(4), Bounds::win(5)] {
            child.correct(wrong);
            root.correct(children.bounds_of_parent());
            assert_eq!(root.bounds().is_win(), wrong.is_loss());
            shared.examine(root, &state);
            assert_eq!(child.bounds(), Bounds::DRAWN);
            assert!(!root.bounds().proven() && root.bounds().is_drawn_at_least());
        }
    }

    #[test]
    fn a_repetition_that_wins_or_loses_counts_whatever_was_known_on_other_ways() {
        let at_least_a_draw = Bounds::of_parent([Bounds::DRAWN, Bounds::UNKNOWN].into_iter());
        let at_most_a_draw = Bounds::of_parent([at_least_a_draw].into_iter());
        assert!(!at_least_a_draw.proven() && !at_most_a_draw.proven());
        let options = EngineOptions { threads: 1, memory: 1 << 20, ..EngineOptions::default() };
        for value in ["win", "loss"] {
            let text = format!("[x:chess]\nnFoldRule = 2\nnFoldValue = {value}");
            let chosen = crate::games::variant::load(&format!("{value}.ini"), text).unwrap()[0];
            let start = Variant::set_up(chosen);
            let engine = MonteCarlo::new(start, &options).unwrap();
            let shared = &engine.shared();
            let mut state = GameState::new(start);
            state.play_text("b1c3 b8c6 c3b1").unwrap();
            let again = state.position.parse_move("c6b8").unwrap();
            let after = state.after(again);
            let by_rule = Bounds::of_state(&after);
            assert!(by_rule.is_win() || by_rule.is_loss());
            shared.plant(&GameState::new(state.position));
            let root = &shared.arena[shared.trees[0].root()];
            let children = root.children(&shared.arena).unwrap();
            let child = children.nodes().find(|child| child.to_here() == Some(again)).unwrap();
            for known in [at_least_a_draw, at_most_a_draw] {
                child.correct(known);
                shared.examine(root, &state);
                assert_eq!(child.bounds(), by_rule, "nFoldValue {value}");
            }
        }
    }
}
