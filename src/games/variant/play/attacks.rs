//! What attacks a cell, and so whether a king is in check.
//!
//! The one idea: it is looked up from the cell backward, a group of pieces at a time. Only pieces
//! that hop or can be blocked are asked one by one.

use super::position::Position;
use crate::game::Side;
use crate::game::bitboard::cells;
use crate::games::variant::read::piece_kinds::MAX_KINDS;
use crate::games::variant::read::tables::{Board, Group, Movement, Piece, targets};

impl Position<'_> {
    #[inline(always)]
    pub(super) fn board(&self) -> Board {
        Board { occupied: self.occupied(), squares: self.squares }
    }

    /// The squares that a piece of a side attacks, occupied or not.
    #[inline(always)]
    pub(super) fn attacks(&self, side: Side, kind: usize, from: usize, board: Board) -> u64 {
        let rules = self.rules;
        let piece = &rules.pieces[side as usize][kind];
        let reached = [board.squares, 0, board.squares];
        let mut all = targets(rules, &piece.usual, from, board, reached);
        if let Some(initial) = self.initial(piece, side, from) {
            all |= targets(rules, initial, from, board, reached);
        }
        for &line in &piece.void_lines {
            all |= rules.slide(line, from, board.squares) & board.squares;
        }
        all
    }

    /// The first moves of a piece that stands where it may make them.
    #[inline(always)]
    pub(super) fn initial<'p>(
        &self,
        piece: &'p Piece,
        side: Side,
        from: usize,
    ) -> Option<&'p Movement> {
        let region = self.rules.definition.initial_region[side as usize];
        piece.initial.as_ref().filter(|_| region >> from & 1 != 0)
    }

    /// Those of some pieces that bear on a cell along the lines of a group; `stops` ends a line.
    #[inline(always)]
    fn riders(&self, group: &Group, cell: usize, pieces: u64, stops: u64) -> u64 {
        let mut found = 0;
        if group.from[cell] & pieces != 0 {
            for &line in &group.lines {
                found |= self.rules.slide(line, cell, stops) & pieces;
            }
        }
        found
    }

    /// The pieces of `by` that attack a cell; `sets` are the pieces of each kind.
    #[inline(always)]
    pub(super) fn attackers_of(
        &self,
        cell: usize,
        by: Side,
        board: Board,
        sets: &[u64; MAX_KINDS],
    ) -> u64 {
        let own = self.pieces(by) & board.occupied;
        let attackers = &self.rules.attackers[by as usize];
        let joined = |kinds: &[usize]| own & kinds.iter().fold(0, |set, &kind| set | sets[kind]);
        let mut found = 0;
        for (kind, table) in &attackers.leaps {
            found |= table[cell] & sets[*kind] & own;
        }
        for group in &attackers.riders {
            found |= self.riders(group, cell, joined(&group.kinds), board.blockers());
        }
        for group in &attackers.void_riders {
            found |= self.riders(group, cell, joined(&group.kinds), board.squares);
        }
        for &kind in &attackers.tricky {
            for from in cells(sets[kind] & own) {
                let attacks = self.attacks(by, kind, from, board) >> cell & 1;
                found |= attacks << from;
            }
        }
        found
    }

    /// Whether the king of a side is attacked.
    #[inline(always)]
    pub(super) fn is_attacked(&self, side: Side) -> bool {
        let king = self.king(side);
        king.is_some_and(|king| self.attackers_of(king, !side, self.board(), &self.by_kind()) != 0)
    }

    /// Whether the side to move is in check: its king attacked, or a pseudo-royal piece.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.side)
            || self.rules.definition.pseudo_royal.is_some() && self.checked_pseudo_royals() != 0
    }
}
