//! Castlings: which are legal, how one is played, and which move of the king is one.
//!
//! The one idea: the code of a castling goes to the cell of its rook, which no other move of the
//! king reaches; only where moves are written may the two be confused.

use super::moves::Sink;
use super::position::{Position, encode};
use crate::game::bitboard::cells;
use crate::games::variant::read::castling::Castling;
use crate::games::variant::read::piece_kinds::MAX_KINDS;
use crate::games::variant::read::tables::{Board, Movement, Way, targets};

impl Position<'_> {
    /// A castling goes to the cell of its rook. None is possible while the king is attacked.
    #[inline(always)]
    pub(super) fn generate_castling<S: Sink>(
        &self,
        sink: &mut S,
        sets: &[u64; MAX_KINDS],
        board: Board,
        maybe_in_check: bool,
    ) {
        if maybe_in_check && self.is_attacked(self.side) {
            return;
        }
        for way in self.rules.ways.iter().flatten() {
            let castling = &way.castling;
            let is_held = self.rights & castling.bit() != 0 && castling.side == self.side;
            if !is_held || way.free & board.blockers() != 0 {
                continue;
            }
            let others = board.occupied & !(1 << castling.king_from);
            let around = Board { occupied: others, ..board };
            let attacked = |cell: usize| self.attackers_of(cell, !self.side, around, sets) != 0;
            let m = encode(castling.king_from, castling.rook_from, 0);
            // The king's last cell is looked at with the rook in its new place.
            let crossed = way.crossed & !(1 << castling.king_to);
            if !cells(crossed).any(attacked) && self.is_safe(m) {
                sink.to_each(castling.king_from, 1 << castling.rook_from);
            }
        }
    }

    /// Moves king and rook.
    pub(super) fn castle(&mut self, king: usize, rook: usize) {
        let (me, rules) = (self.side, self.rules);
        let is_this = |way: &&Way| {
            let castling = &way.castling;
            (castling.side, castling.king_from, castling.rook_from) == (me, king, rook)
        };
        // A move that is not legal may be none.
        let Some(way) = rules.ways.iter().flatten().find(is_this) else { return };
        let reached = 1 << way.castling.king_to | 1 << way.castling.rook_to;
        if self.occupied() & reached & !(1 << king | 1 << rook) != 0 {
            return;
        }
        let (of_king, of_rook) = (self.kind_at(king), self.kind_at(rook));
        self.remove(me, of_king, king);
        self.remove(me, of_rook, rook);
        self.put(me, of_king, way.castling.king_to);
        self.put(me, of_rook, way.castling.rook_to);
    }

    /// The castling that a move is.
    pub(super) fn castling(&self, from: usize, to: usize) -> Option<Castling> {
        let ways = self.rules.ways.iter().flatten().map(|way| way.castling);
        let mut own = ways.filter(|castling| castling.side == self.side);
        own.find(|castling| {
            (castling.king_from, castling.rook_from) == (from, to)
                && self.rights & castling.bit() != 0
        })
    }

    /// Whether the king of a castling may have another move to the cell where it castles to,
    /// whatever else stands on the board, or another castling.
    pub(super) fn is_ambiguous(&self, castling: &Castling) -> bool {
        let Castling { side, king, king_from, king_to, rook_from, .. } = *castling;
        let rules = self.rules;
        let piece = &rules.pieces[side as usize][king];
        let alone = Board { occupied: 1 << king_from, squares: self.squares };
        let of_movement = |movement: &Movement| {
            let hops = movement.hops.iter();
            let hops = hops.fold(0, |set, hop| set | rules.lines[hop.line].ray[king_from]);
            hops | targets(rules, movement, king_from, alone, [self.squares; 3])
        };
        let initial = self.initial(piece, side, king_from).map_or(0, of_movement);
        let moves = of_movement(&piece.usual) | initial | piece.void_steps[king_from];
        let is_other = |way: &Way| {
            let cells = |castling: &Castling| (castling.king_from, castling.king_to);
            cells(&way.castling) == (king_from, king_to) && way.castling.rook_from != rook_from
        };
        (moves | self.attacks(side, king, king_from, alone)) >> king_to & 1 != 0
            || rules.ways.iter().flatten().any(is_other)
    }
}
