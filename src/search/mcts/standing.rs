//! Where the trees stand: at the position of the next search, which they keep what they know of.
//!
//! The one idea: a game goes on by a move or two between two searches. If those moves lead from
//! where the trees stand to the new position, the roots move along; otherwise all begins anew.

use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::tree_search::TreeSearch;
use crate::eval::Evaluate;
use crate::game::{GameState, Move, MoveList};
use crate::search::shell::{Shell, Way};

/// Where the trees stand: nowhere before the first search, and after a panic.
pub struct Standing<G: Evaluate>(Option<GameState<G>>);

impl<G: Evaluate> Default for Standing<G> {
    fn default() -> Standing<G> {
        Standing(None)
    }
}

impl<G: Evaluate> Standing<G> {
    /// The state at the roots.
    pub fn state(&self) -> Option<&GameState<G>> {
        self.0.as_ref()
    }

    /// The moves from the roots to `state`, if it lies up to two plies after them.
    pub fn path_to(&self, state: &GameState<G>) -> Option<ArrayVec<Move, 2>> {
        path(self.state()?, state)
    }

    /// The same, if what the trees know of `state` may be used: where it is the root itself, only
    /// after pondering.
    fn useful_path_to(&self, state: &GameState<G>, pondered: bool) -> Option<ArrayVec<Move, 2>> {
        self.path_to(state).filter(|path| pondered || !path.is_empty())
    }

    /// Makes `state` the root of all trees. They keep its subtree if a path leads there. After a
    /// panic they are planted anew. No worker may be at work.
    pub fn stand_at(&mut self, shell: &Shell<TreeSearch<G>>, state: &GameState<G>, pondered: bool) {
        let (search, path) = (shell.search(), self.useful_path_to(state, pondered));
        // They stand nowhere until this is done, as a panic may leave some here and some there.
        self.0 = None;
        // Relaxed: the workers have been waited for.
        let sound = !search.broken.swap(false, Ordering::Relaxed);
        match path.filter(|_| sound) {
            Some(path) => search.advance(&path, state),
            None => search.plant(state),
        }
        self.0 = Some(*state);
        let slot = shell.next_slot();
        search.trees.iter().for_each(|tree| tree.set_root_of(slot, tree.root()));
    }

    /// The same beside late workers, which still grow the trees from earlier roots. False if no
    /// search can begin there: after a panic, or where the trees have no room.
    fn stand_beside(
        &mut self,
        shell: &Shell<TreeSearch<G>>,
        state: &GameState<G>,
        pondered: bool,
    ) -> bool {
        let (search, path) = (shell.search(), self.useful_path_to(state, pondered));
        // As above; where they cannot stand there, they stay.
        let before = self.0.take();
        let slot = shell.next_slot();
        // Relaxed: a panic that is seen later is dealt with before the next search.
        let sound = !search.broken.load(Ordering::Relaxed);
        let stands = sound && search.advance_beside(path.as_deref(), state, slot);
        self.0 = if stands { Some(*state) } else { before };
        stands
    }

    /// Makes `state` the root of all trees, if any worker can begin to grow them from there.
    pub fn stand(
        &mut self,
        shell: &Shell<TreeSearch<G>>,
        way: Way,
        state: &GameState<G>,
        pondered: bool,
    ) -> bool {
        match way {
            Way::Clear => {
                self.stand_at(shell, state, pondered);
                true
            }
            Way::Beside => self.stand_beside(shell, state, pondered),
            Way::Blocked => false,
        }
    }
}

/// The moves that lead from one state to another, if it is up to two plies later.
fn path<G: Evaluate>(before: &GameState<G>, after: &GameState<G>) -> Option<ArrayVec<Move, 2>> {
    let leads_there = |moves: &[Move]| {
        let mut state = *before;
        moves.iter().for_each(|&m| state.play(m));
        state.same_as(after)
    };
    let target = &after.position;
    let mut first_moves = MoveList::new();
    before.position.moves(&mut first_moves);
    match target.ply().checked_sub(before.position.ply())? {
        0 => leads_there(&[]).then(ArrayVec::new),
        1 => first_moves.iter().find(|&&m| leads_there(&[m])).map(|&m| [m].into_iter().collect()),
        2 => first_moves.iter().find_map(|&first| {
            let mut position = before.position;
            position.play(first);
            let mut second_moves = MoveList::new();
            position.moves(&mut second_moves);
            let second = second_moves.into_iter().find(|&second| {
                let mut position = position;
                position.play(second);
                position == *target && leads_there(&[first, second])
            })?;
            Some([first, second].into())
        }),
        _ => None,
    }
}
