//! Where a search begins: roots planted afresh, or moved along with the game.
//!
//! The one idea: before any worker wakes, every root has its children, and those that end the game
//! are proven; so a legal move is known at any moment, and a win at once is played at once.

use super::worker::{Worker, bounds_of, bounds_without_moves};
use super::{Node, Shared};
use crate::eval::Evaluate;
use crate::game::{GameState, MAX_MOVES, Move, MoveList};

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
        let mut block = tree.clear();
        let root = &self.arena[tree.root()];
        block.start += 1;
        root.reset(None, 1.0);
        root.claim();
        let mut planter =
            Worker::<G, true>::new(&self.arena, tree, &self.parameters, state, self.seed_of(index));
        planter.use_block(block);
        let planted = planter.make_children(root, &moves, MAX_MOVES);
        assert!(planted, "a tree has room for the moves of its root");
        self.examine(root, state);
    }

    /// Proves the children of a root that end the game, and the root if that decides it.
    fn examine(&self, root: &Node, state: &GameState<G>) {
        let children = root.children(&self.arena).expect("a root has children");
        for child in children.nodes() {
            if child.bounds().proven() {
                continue;
            }
            let mut after = *state;
            after.play(child.to_here().expect("a child has a move"));
            let bounds = bounds_of(&after);
            let stuck = !bounds.proven() && after.position.count_moves() == 0;
            child.tighten(if stuck { bounds_without_moves(&after.position) } else { bounds });
        }
        root.tighten(children.bounds_of_parent());
    }

    /// Makes sure that a node of a tree has children for all moves, as a root must; false where it
    /// has none or there is no room.
    fn complete(&self, index: usize, node: &Node, state: &GameState<G>) -> bool {
        let Some(children) = node.children(&self.arena) else { return false };
        let (tree, seed) = (&self.trees[index], self.seed_of(index));
        let mut worker = Worker::<G, true>::new(&self.arena, tree, &self.parameters, state, seed);
        while children.missing() > 0 {
            if worker.make_more(&children).is_none() {
                return false;
            }
        }
        true
    }

    /// Moves the root of every tree along a path to `state`; a tree that does not know it yet is
    /// planted anew.
    pub fn advance(&self, path: &[Move], state: &GameState<G>) {
        for (index, tree) in self.trees.iter().enumerate() {
            let end = path.iter().try_fold(tree.root(), |at, &m| {
                let children = self.arena[at].children(&self.arena)?;
                children.indices().find(|&child| self.arena[child].to_here() == Some(m))
            });
            match end {
                Some(end) if self.complete(index, &self.arena[end], state) => {
                    tree.set_root(end);
                    let root = &self.arena[end];
                    root.take_stats_of(&root.children(&self.arena).expect("a root has children"));
                    self.examine(root, state);
                }
                _ => self.plant_tree(index, state),
            }
        }
    }
}
