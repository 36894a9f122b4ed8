//! What a move does, for those who draw it.

use super::position::{Position, decode};
use crate::game::Move;
use crate::game::bitboard::cells;
use crate::game::shape::MoveKind;
use crate::games::variant::read::values::Area;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// The cell that is left.
    pub from: usize,
    /// The cell that is reached, of a castling by the king.
    pub to: usize,
    /// The cell that the rook of a castling reaches, or where a pawn is captured en passant.
    pub also: Option<usize>,
    /// What it is.
    pub kind: MoveKind,
    /// The letter of what a pawn becomes, in upper case.
    pub promotion: Option<char>,
}

impl Position<'_> {
    /// What a legal move does.
    pub fn describe(&self, m: Move) -> Action {
        let (from, to, _) = decode(m);
        let letter = |kind: usize| self.rules.definition.kinds[kind].letter.to_ascii_uppercase();
        let promotion = self.promoted(m).map(letter);
        let action = |to, also, kind| Action { from, to, also, kind, promotion };
        if let Some(castling) = self.castling(from, to) {
            return action(castling.king_to, Some(castling.rook_to), MoveKind::Castle);
        }
        match self.captured(m) {
            Some((_, cell)) => action(to, (cell != to).then_some(cell), MoveKind::Capture),
            None if self.squares >> to & 1 == 0 => action(to, None, MoveKind::Space),
            None => action(to, None, MoveKind::Move),
        }
    }

    /// The rows from top to bottom, a character for each cell: a piece's letter, `.`, or `*`.
    pub fn drawn_rows(&self) -> Vec<String> {
        let Area { rows, columns } = self.rules.area;
        let row = |row| (0..columns).map(|column| self.character(row * columns + column)).collect();
        (0..rows).map(row).collect()
    }

    /// The name of a cell.
    pub fn cell_name(&self, cell: usize) -> String {
        self.rules.area.name(cell)
    }

    /// The cell of the king of the side to move, or of a pseudo-royal piece, if it is in check.
    pub fn checked_king(&self) -> Option<usize> {
        let king = self.king(self.side).filter(|_| self.is_attacked(self.side));
        king.or_else(|| cells(self.checked_pseudo_royals()).next())
    }
}
