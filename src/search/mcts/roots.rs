//! Where a search begins: roots planted afresh, or kept from pondering.
//!
//! The one idea: before any worker wakes, every root has its children, and those that end the game
//! are proven; so a legal move is known at any moment, and a win at once is played at once.

use super::proof::Bounds;
use super::worker::{Worker, bounds_of, bounds_without_moves};
use super::{Node, Shared};
use crate::eval::Evaluate;
use crate::game::{GameState, MoveList};

/// A reply's part of a tree is kept only if at most so many quarters of the pool are used: with
/// less room left, a fresh tree grows larger.
const KEPT_QUARTERS: u64 = 3;

impl<G: Evaluate> Shared<G> {
    /// Makes every tree a root with children.
    pub fn plant(&self, state: &GameState<G>) {
        for index in 0..self.trees.len() {
            self.plant_tree(index, state);
        }
    }

    fn plant_tree(&self, index: usize, state: &GameState<G>) {
        let tree = &self.trees[index];
        let mut moves = MoveList::new();
        state.position.moves(&mut moves);
        assert!(!moves.is_empty(), "a search starts where there is a legal move");
        tree.clear();
        let root = &self.arena[tree.root()];
        root.reset(None, 1.0);
        root.claim();
        let mut planter =
            Worker::<G, true>::new(&self.arena, tree, &self.parameters, state, self.seed_of(index));
        let planted = planter.make_children(root, &moves);
        assert!(planted, "a tree has room for the moves of its root");
        self.examine(root, state);
    }

    /// Proves the children of a root that end the game, and the root if that decides it.
    fn examine(&self, root: &Node, state: &GameState<G>) {
        let children = root.children().expect("a root has children");
        for child in &self.arena[children.clone()] {
            if child.bounds().proven() {
                continue;
            }
            let mut after = *state;
            after.play(child.to_here().expect("a child has a move"));
            let bounds = bounds_of(&after);
            let stuck = !bounds.proven() && after.position.count_moves() == 0;
            child.tighten(if stuck { bounds_without_moves(&after.position) } else { bounds });
        }
        root.tighten(Bounds::of_parent(self.arena[children].iter().map(Node::bounds)));
    }

    /// Makes `state` the root of all trees that stand at `before`, keeping what they know of it:
    /// the same position, or one a move later. False if it is neither; then nothing has changed.
    pub fn advance(&self, before: &GameState<G>, state: &GameState<G>) -> bool {
        if before.same_as(state) {
            return true;
        }
        let step = self.root_children(&self.trees[0]).iter().position(|child| {
            let mut after = *before;
            after.play(child.to_here().expect("a child has a move"));
            after.same_as(state)
        });
        let Some(step) = step else { return false };
        for (index, tree) in self.trees.iter().enumerate() {
            let child = &self.root_children(tree)[step];
            let (used, all) = tree.usage();
            let room = u64::from(used) * 4 <= u64::from(all) * KEPT_QUARTERS;
            match self.arena[tree.root()].children() {
                Some(range) if room && child.children().is_some() => {
                    tree.set_root(range.start + step);
                    self.examine(child, state);
                }
                _ => self.plant_tree(index, state),
            }
        }
        true
    }
}
