//! Pieces that are royal by their number, and captures that explode, cell by cell.

use super::{Cell, Place, PlainMove, PlainVariant};
use alesia::game::Side;

/// Whether two cells share a side or a corner.
fn is_beside(one: Place, other: Place) -> bool {
    one != other && one.0.abs_diff(other.0) <= 1 && one.1.abs_diff(other.1) <= 1
}

impl PlainVariant<'_> {
    /// The pieces of a side of some kinds.
    fn of_kinds(&self, side: Side, kinds: u32) -> Vec<Place> {
        let is_one = |&place: &Place| match self.at(place) {
            Cell::Piece(owner, kind) => owner == side && kinds >> kind & 1 != 0,
            _ => false,
        };
        self.places().filter(is_one).collect()
    }

    /// The pieces of a side that are so few that they are royal.
    fn royals(&self, side: Side) -> Vec<Place> {
        let Some(royal) = &self.definition.pseudo_royal else { return Vec::new() };
        let few = |&kinds: &u32| {
            let all = self.of_kinds(side, kinds);
            if all.len() <= royal.count as usize { all } else { Vec::new() }
        };
        royal.kinds.iter().flat_map(few).collect()
    }

    /// Whether a piece that is royal by its number could be captured, where none of the other
    /// side's would explode with it.
    fn is_taken(&self, place: Place, side: Side, theirs: &[Place]) -> bool {
        let is_safe = theirs.iter().any(|&other| is_beside(place, other));
        !(self.definition.blast_on_capture && is_safe) && self.attacks(!side, place)
    }

    /// Whether the side to move is in check.
    pub(super) fn is_checked(&self) -> bool {
        let (own, theirs) = (self.royals(self.side), self.royals(!self.side));
        let mut now = self.clone();
        now.passed = None;
        self.in_check(self.side) || own.iter().any(|&one| now.is_taken(one, self.side, &theirs))
    }

    /// Whether a move leaves no piece that is royal by its number to be captured or blown up, or
    /// blows one of the other side up.
    pub(super) fn keeps_royals(&self, m: &PlainMove) -> bool {
        let (side, theirs) = (self.side, self.royals(!self.side));
        let mut own = self.royals(side);
        if own.contains(&m.from) && m.castling.is_some() && !self.crosses_safely(m, &theirs) {
            return false;
        }
        own.iter_mut().filter(|place| **place == m.from).for_each(|place| *place = m.to);
        let royal = self.definition.pseudo_royal.as_ref();
        if let (Some(kind), Some(royal)) = (m.promotion, royal)
            && royal.kinds.contains(&(1 << kind))
        {
            let before = self.of_kinds(side, 1 << kind);
            if before.len() >= royal.count as usize {
                own.retain(|place| !before.contains(place));
            } else {
                own.push(m.to);
            }
        }
        let mut after = self.after(m);
        after.passed = None;
        if own.iter().any(|&place| after.at(place) == Cell::Empty) {
            return false;
        }
        theirs.iter().any(|&place| after.at(place) == Cell::Empty)
            || !own.iter().any(|&place| after.is_taken(place, side, &theirs))
    }

    /// Whether a piece that castles could be captured on no cell of its way but the last.
    fn crosses_safely(&self, m: &PlainMove, theirs: &[Place]) -> bool {
        let piece = self.at(m.from);
        let mut column = m.from.1;
        loop {
            let place = (m.from.0, column);
            let mut there = self.clone();
            there.passed = None;
            there.put(m.from, Cell::Empty);
            there.put(place, piece);
            if there.is_taken(place, self.side, theirs) {
                return false;
            }
            let step = m.to.1 as isize - column as isize;
            column = column.wrapping_add_signed(step.signum());
            if column == m.to.1 {
                return true;
            }
        }
    }

    /// Takes away what an explosion destroys; returns where it stood.
    pub(super) fn explode(&mut self, cell: Place) -> Vec<Place> {
        let proof = self.definition.blast_proof;
        let is_gone = |&place: &Place| match self.at(place) {
            Cell::Piece(_, kind) => {
                place == cell || is_beside(place, cell) && proof >> kind & 1 == 0
            }
            _ => false,
        };
        let gone: Vec<Place> = self.places().filter(is_gone).collect();
        gone.iter().for_each(|&place| self.put(place, Cell::Empty));
        gone
    }
}
