//! Captures en passant: the cell that a pawn has stepped over, and the pawn.
//!
//! The one idea: a move and the text of a position ask the same question, which cell of the en
//! passant region lies on the way of a first move. Only where it is a single one can the pawn be
//! captured there.

use super::position::{NOWHERE, Position};
use crate::game::Side;
use crate::game::bitboard::cells;
use crate::games::variant::read::tables::{Movement, Piece, Tables};
use crate::games::zobrist;

static EN_PASSANT_KEYS: [u64; 64] = zobrist::keys(0x5641_5249_0004);
static VICTIM_KEYS: [u64; 64] = zobrist::keys(0x5641_5249_0006);

impl Tables {
    /// The cell on which a pawn can be captured that has made a first move; `blockers` are there
    /// after it. A leap passes no cells.
    fn stepped_over(
        &self,
        initial: &Movement,
        from: usize,
        to: usize,
        blockers: u64,
    ) -> Option<usize> {
        let lame = initial.lame.iter().filter(|lame| lame.target[from] >> to & 1 != 0);
        let lame = lame.map(|lame| lame.way[from]);
        let lines = initial.lines.iter().map(|&(_, line)| &self.lines[line]);
        let lines = lines.filter(|line| line.ray[from] >> to & 1 != 0);
        let lines = lines.map(|line| line.ray[from] & !self.lines[line.full].ray[to] & !(1 << to));
        let free = lame.chain(lines).filter(|way| way & blockers == 0);
        let over = free.fold(0, |set, way| set | way) & self.definition.en_passant_region;
        (over.count_ones() == 1).then(|| over.trailing_zeros() as usize)
    }

    /// Whether pieces of a kind are captured en passant.
    fn is_passer(&self, kind: usize) -> bool {
        self.definition.pawns >> kind & 1 != 0 && self.royal != Some(kind)
    }
}

impl Position<'_> {
    /// The cell on which the last move's pawn can be captured en passant, as a set.
    #[inline(always)]
    pub(super) fn passed(&self) -> u64 {
        1u64.checked_shl(self.passed.into()).unwrap_or(0)
    }

    /// The share of the capture en passant in the key; `owner` has the pawn. The pawn has one of
    /// its own unless it stands straight before the cell, as it always does in chess.
    #[inline(always)]
    pub(super) fn passed_key(&self, owner: Side) -> u64 {
        if self.passed == NOWHERE {
            return 0;
        }
        let (cell, victim) = (usize::from(self.passed), usize::from(self.victim));
        let columns = self.rules.area.columns;
        let is_straight = match owner {
            Side::White => victim + columns == cell,
            Side::Black => cell + columns == victim,
        };
        EN_PASSANT_KEYS[cell] ^ if is_straight { 0 } else { VICTIM_KEYS[victim] }
    }

    /// Notes where the pawn that has just moved can be captured en passant, if an enemy stands
    /// ready to.
    pub(super) fn note_passed(&mut self, kind: usize, from: usize, to: usize) {
        let (rules, me) = (self.rules, self.side);
        if !rules.is_passer(kind) {
            return;
        }
        let piece = &rules.pieces[me as usize][kind];
        let Some(initial) = self.initial(piece, me, from) else { return };
        if let Some(cell) = rules.stepped_over(initial, from, to, self.board().blockers()) {
            self.set_passed(cell, to, !me);
        }
    }

    /// Notes a cell over which the last move of the other side may have stepped. Like every
    /// program, it believes the text only where that is so and the pawn can be captured. Of several
    /// pawns it is the one that has come from the first cell.
    pub(super) fn read_passed(&mut self, cell: usize) {
        let (rules, mover) = (self.rules, !self.side);
        let blockers = self.board().blockers();
        for from in cells(self.squares & !blockers) {
            let pieces = rules.pieces[mover as usize].iter().enumerate();
            for (kind, piece) in pieces.filter(|&(kind, _)| rules.is_passer(kind)) {
                let Some(initial) = self.initial(piece, mover, from) else { continue };
                let steps_over =
                    |&to: &usize| rules.stepped_over(initial, from, to, blockers) == Some(cell);
                let own = self.of_kind(kind) & self.pieces(mover);
                if let Some(victim) = cells(own).find(steps_over) {
                    return self.set_passed(cell, victim, !mover);
                }
            }
        }
    }

    /// Notes a cell that a pawn has stepped over, if a piece of `taker` may capture on it.
    fn set_passed(&mut self, cell: usize, victim: usize, taker: Side) {
        let takes = |(kind, piece): (usize, &Piece)| {
            let from = piece.en_passant.as_ref().map_or(0, |table| table[1][cell]);
            from & self.pieces(taker) != 0 && from & self.pieces(taker) & self.of_kind(kind) != 0
        };
        if self.rules.pieces[taker as usize].iter().enumerate().any(takes) {
            self.passed = cell as u8;
            self.victim = victim as u8;
            self.key ^= self.passed_key(!taker);
        }
    }
}
