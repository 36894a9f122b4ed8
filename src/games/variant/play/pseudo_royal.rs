//! Pieces that may not be left attacked while a side has few of their kind.
//!
//! The one idea: which pieces are royal is counted before a move, and the move is then played and
//! looked at. Where captures explode, a royal piece beside an enemy's is safe, as who captures it
//! blows up his own.

use super::position::{Position, decode};
use crate::game::bitboard::cells;
use crate::game::{Move, Side};
use crate::games::variant::read::castling::Castling;
use crate::games::variant::read::tables::Board;

impl Position<'_> {
    /// The pseudo-royal pieces of a side.
    fn pseudo_royals(&self, side: Side) -> u64 {
        let Some(royal) = &self.rules.definition.pseudo_royal else { return 0 };
        let of = |&kinds: &u32| {
            let all = cells(kinds.into()).fold(0, |set, kind| set | self.of_kind(kind));
            let own = all & self.pieces(side);
            if own.count_ones() <= royal.count { own } else { 0 }
        };
        royal.kinds.iter().map(of).fold(0, |set, one| set | one)
    }

    /// Those of some pieces of a side that are attacked on a board; `theirs` are the pseudo-royal
    /// pieces of the other side.
    fn attacked_among(&self, pieces: u64, side: Side, board: Board, theirs: u64) -> u64 {
        let explodes = self.rules.definition.blast_on_capture;
        let sets = self.by_kind();
        let is_attacked = |&cell: &usize| {
            let is_safe = explodes && self.rules.around[cell] & theirs != 0;
            !is_safe && self.attackers_of(cell, !side, board, &sets) != 0
        };
        cells(pieces).filter(is_attacked).fold(0, |set, cell| set | 1 << cell)
    }

    /// The pseudo-royal pieces of the side to move that are attacked.
    #[cold]
    pub(super) fn checked_pseudo_royals(&self) -> u64 {
        let (own, theirs) = (self.pseudo_royals(self.side), self.pseudo_royals(!self.side));
        self.attacked_among(own, self.side, self.board(), theirs)
    }

    /// Whether a move leaves no pseudo-royal piece of its side attacked or blown up, unless it
    /// blows up one of the other side's.
    pub(super) fn keeps_pseudo_royals(&self, m: Move) -> bool {
        let (from, to, _) = decode(m);
        let (me, theirs) = (self.side, self.pseudo_royals(!self.side));
        let mut own = self.pseudo_royals(me);
        let castling = self.castling(from, to);
        let is_royal = own >> from & 1 != 0;
        if is_royal {
            let reached = castling.map_or(to, |castling| castling.king_to);
            own = own & !(1 << from) | 1 << reached;
            if castling.is_some_and(|castling| !self.castles_safely(&castling, theirs)) {
                return false;
            }
        }
        if let Some(kind) = self.promoted(m) {
            own = self.with_promoted(own, kind, to);
        }
        let mut after = *self;
        after.make(m);
        if own & !after.occupied() != 0 {
            return false;
        }
        theirs & !after.occupied() != 0 || after.attacked_among(own, me, after.board(), theirs) == 0
    }

    /// The pseudo-royal pieces after a promotion: one more of a kind may be too many.
    fn with_promoted(&self, own: u64, kind: usize, to: usize) -> u64 {
        let Some(royal) = &self.rules.definition.pseudo_royal else { return own };
        if !royal.kinds.contains(&(1 << kind)) {
            own
        } else if self.count(self.side, 1 << kind) >= royal.count {
            own & !self.of_kind(kind)
        } else {
            own | 1 << to
        }
    }

    /// Whether a pseudo-royal piece crosses no attacked cell when it castles; its last one is
    /// looked at with the rook in its new place.
    fn castles_safely(&self, castling: &Castling, theirs: u64) -> bool {
        let Castling { king_from, king_to, .. } = *castling;
        let way = king_from.min(king_to)..=king_from.max(king_to);
        let way = way.fold(0u64, |set, cell| set | 1 << cell);
        let crossed = if king_from == king_to { way } else { way & !(1 << king_to) };
        let board = self.board();
        let around = Board { occupied: board.occupied & !(1 << king_from), ..board };
        self.attacked_among(crossed, self.side, around, theirs) == 0
    }
}
