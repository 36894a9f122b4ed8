//! Where a search begins: roots planted afresh, or kept from pondering.
//!
//! The one idea: before any worker wakes, every root has its children, and those that end the game
//! are proven; so a legal move is known at any moment, and a win at once is played at once.

use super::proof::Bounds;
use super::tree::Tree;
use super::worker::{Worker, bounds_of, bounds_without_moves};
use super::{Node, Shared};
use crate::eval::Evaluate;
use crate::game::{GameState, MoveList};

/// A tree is kept from pondering only if at most this part of its pool is used, in quarters;
/// with less room left, a fresh one grows larger.
const KEPT_QUARTERS: u64 = 3;

impl<G: Evaluate> Shared<G> {
    /// Makes every tree a root with children.
    pub fn plant(&self, state: &GameState<G>) {
        for tree in &self.trees {
            self.plant_tree(tree, state);
        }
    }

    fn plant_tree(&self, tree: &Tree, state: &GameState<G>) {
        let mut moves = MoveList::new();
        state.position.moves(&mut moves);
        assert!(!moves.is_empty(), "a search starts where there is a legal move");
        tree.clear();
        let root = &self.arena[tree.root()];
        root.reset(None, 1.0);
        root.claim();
        let mut planter = Worker::<G, true>::new(&self.arena, tree, state, 0);
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
            child.set_bounds(if stuck { bounds_without_moves(&after.position) } else { bounds });
        }
        root.set_bounds(Bounds::of_parent(self.arena[children].iter().map(Node::bounds)));
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
        for tree in &self.trees {
            let child = &self.root_children(tree)[step];
            let (used, all) = tree.usage();
            let room = u64::from(used) * 4 <= u64::from(all) * KEPT_QUARTERS;
            match self.arena[tree.root()].children() {
                Some(range) if room && child.children().is_some() => {
                    tree.set_root(range.start + step);
                    self.examine(child, state);
                }
                _ => self.plant_tree(tree, state),
            }
        }
        true
    }
}
