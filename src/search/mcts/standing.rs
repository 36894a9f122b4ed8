//! Where the trees stand: at the position of the next search, which they keep what they know of.
//!
//! The one idea: a game goes on by a move or two between two searches. If those moves lead from
//! where the trees stand to the new position, the roots move along; otherwise all begins anew.

use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::player::MonteCarlo;
use crate::eval::Evaluate;
use crate::game::{GameState, Move, MoveList};
use crate::search::shell::Way;

/// The moves that lead from one state to another, if it is up to two plies later.
pub fn path<G: Evaluate>(before: &GameState<G>, after: &GameState<G>) -> Option<ArrayVec<Move, 2>> {
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

impl<G: Evaluate> MonteCarlo<G> {
    /// The path from where the trees stand to `state`, if what they know of it may be used: it lies
    /// up to two plies after their root, or is the root itself after pondering.
    fn path_to(&self, state: &GameState<G>, pondered: bool) -> Option<ArrayVec<Move, 2>> {
        let path = path(self.standing.as_ref()?, state)?;
        (pondered || !path.is_empty()).then_some(path)
    }

    /// Makes `state` the root of all trees. They keep its subtree if a path leads there. After a
    /// panic they are planted anew. No worker may be at work.
    pub(super) fn stand_at(&mut self, state: &GameState<G>, pondered: bool) {
        let path = self.path_to(state, pondered);
        // They stand nowhere until this is done, as a panic may leave some here and some there.
        self.standing = None;
        // Relaxed: the workers have been waited for.
        let sound = !self.shared().broken.swap(false, Ordering::Relaxed);
        match path.filter(|_| sound) {
            Some(path) => self.shared().advance(&path, state),
            None => self.shared().plant(state),
        }
        self.standing = Some(*state);
        let slot = self.shell.next_slot();
        self.shared().trees.iter().for_each(|tree| tree.set_root_of(slot, tree.root()));
    }

    /// The same beside late workers, which still grow the trees from earlier roots. False if no
    /// search can begin there: after a panic, or where the trees have no room.
    fn stand_beside(&mut self, state: &GameState<G>, pondered: bool) -> bool {
        let path = self.path_to(state, pondered);
        // As above; where they cannot stand there, they stay.
        let before = self.standing.take();
        let slot = self.shell.next_slot();
        // Relaxed: a panic that is seen later is dealt with before the next search.
        let sound = !self.shared().broken.load(Ordering::Relaxed);
        let stands = sound && self.shared().advance_beside(path.as_deref(), state, slot);
        self.standing = if stands { Some(*state) } else { before };
        stands
    }

    /// Makes `state` the root of all trees, if any worker can begin to grow them from there.
    pub(super) fn stand(&mut self, way: Way, state: &GameState<G>, pondered: bool) -> bool {
        match way {
            Way::Clear => {
                self.stand_at(state, pondered);
                true
            }
            Way::Beside => self.stand_beside(state, pondered),
            Way::Blocked => false,
        }
    }
}
