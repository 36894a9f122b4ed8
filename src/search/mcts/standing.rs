//! Where the trees stand: at the position of the next search, which they keep what they know of.
//!
//! The one idea: a game goes on by a move or two between two searches. If those moves lead from
//! where the trees stand to the new position, the roots move along; otherwise all begins anew.

use std::sync::atomic::Ordering;

use arrayvec::ArrayVec;

use super::tree_search::TreeSearch;
use crate::eval::Evaluate;
use crate::game::{GameState, Move};
use crate::search::shell::{Shell, Way};

/// Where the trees stand: nowhere before the first search, and after a panic.
pub struct Standing<G: Evaluate>(Option<GameState<G>>);

/// Where a search is to begin.
pub struct Next<'a, G: Evaluate> {
    pub state: &'a GameState<G>,
    /// Whether it was pondered on.
    pub pondered: bool,
    /// The legal moves that may be played; none: all of them.
    pub only: &'a [Move],
}

impl<'a, G: Evaluate> Next<'a, G> {
    /// With all legal moves.
    pub fn of_all_moves(state: &'a GameState<G>, pondered: bool) -> Next<'a, G> {
        Next { state, pondered, only: &[] }
    }
}

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
    /// after pondering on the same moves; else only where all moves are searched.
    fn useful_path_to(&self, next: &Next<G>, before: &[Move]) -> Option<ArrayVec<Move, 2>> {
        let Next { state, pondered, only } = *next;
        self.path_to(state).filter(|path| match path.is_empty() {
            true => pondered && before == only,
            false => only.is_empty(),
        })
    }

    /// The useful path to the next state; from here on new roots get the moves of that.
    fn choose(&self, shell: &Shell<TreeSearch<G>>, next: &Next<G>) -> Option<ArrayVec<Move, 2>> {
        let mut only = shell.search().only.lock();
        let path = self.useful_path_to(next, &only);
        *only = next.only.iter().copied().collect();
        path
    }

    /// Makes a state the root of all trees. They keep its subtree if a path leads there. After a
    /// panic they are planted anew. No worker may be at work.
    pub fn stand_at(&mut self, shell: &Shell<TreeSearch<G>>, next: &Next<G>) {
        let (search, path) = (shell.search(), self.choose(shell, next));
        let state = next.state;
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
    fn stand_beside(&mut self, shell: &Shell<TreeSearch<G>>, next: &Next<G>) -> bool {
        let (search, path) = (shell.search(), self.choose(shell, next));
        let state = next.state;
        // As above; where they cannot stand there, they stay.
        let before = self.0.take();
        let slot = shell.next_slot();
        // Relaxed: a panic that is seen later is dealt with before the next search.
        let sound = !search.broken.load(Ordering::Relaxed);
        let stands = sound && search.advance_beside(path.as_deref(), state, slot);
        self.0 = if stands { Some(*state) } else { before };
        stands
    }

    /// Makes a state the root of all trees, if any worker can begin to grow them from there.
    pub fn stand(&mut self, shell: &Shell<TreeSearch<G>>, way: Way, next: &Next<G>) -> bool {
        match way {
            Way::Clear => {
                self.stand_at(shell, next);
                true
            }
            Way::Beside => self.stand_beside(shell, next),
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
    let first_moves = before.position.legal_moves();
    match target.ply().checked_sub(before.position.ply())? {
        0 => leads_there(&[]).then(ArrayVec::new),
        1 => first_moves.iter().find(|&&m| leads_there(&[m])).map(|&m| [m].into_iter().collect()),
        2 => first_moves.iter().find_map(|&first| {
            let position = before.position.after(first);
            let second_moves = position.legal_moves();
            let second = second_moves.into_iter().find(|&second| {
                let position = position.after(second);
                position == *target && leads_there(&[first, second])
            })?;
            Some([first, second].into())
        }),
        _ => None,
    }
}
