//! The result of the captures on one cell (static exchange evaluation), for any pieces.
//!
//! The one idea: both sides capture alternately on the same cell, the least valuable piece first,
//! and either may stop. No move is played for it: a piece that has captured only opens the line
//! behind it. Pins are ignored, and so is a promotion by a recapturing piece.

use super::position::{Position, decode};
use crate::game::Move;
use crate::games::variant::read::tables::Board;

impl Position<'_> {
    /// Whether a legal capture or promotion gains at least the given amount after the captures that
    /// follow on its cell.
    #[inline(always)]
    pub(super) fn exchange_gains(&self, m: Move, least: i32) -> bool {
        let values = &self.rules.piece_values;
        let worth = |kind: usize| values.values[kind][0];
        let (from, to, _) = decode(m);
        let captured = self.captured(m);
        let moved = self.kind_at(from);
        let placed = self.promoted(m).unwrap_or(moved);
        let mut balance = captured.map_or(0, |(kind, _)| self.worth_of_capture(kind)) - least
            + worth(placed)
            - worth(moved);
        if balance < 0 {
            return false;
        }
        // From the first answer on, with its piece lost as well.
        balance -= worth(placed);
        if balance >= 0 {
            return true;
        }
        let me = self.side;
        let moves_square = !self.squares >> to & 1;
        let gone = 1 << from | captured.map_or(0, |(_, cell)| 1 << cell);
        let mut board = Board {
            occupied: self.occupied() & !gone | 1 << to,
            squares: (self.squares | 1 << to) & !(moves_square << from),
        };
        let sets = self.by_kind();
        let mut taker = !me;
        loop {
            // The piece on the cell itself is of the other side.
            let taking = self.attackers_of(to, taker, board, &sets) & !(1 << to);
            if taking == 0 {
                break;
            }
            let least = values.by_value.iter().find(|&&kind| taking & sets[kind] != 0);
            let Some(&kind) = least else {
                // Only the king can capture, if no piece recaptures.
                if self.attackers_of(to, !taker, board, &sets) & !(1 << to) == 0 {
                    taker = !taker;
                }
                break;
            };
            let pieces = taking & sets[kind];
            board.occupied &= !(pieces & pieces.wrapping_neg());
            // The side that began needs `least`, the other one less than that for it: hence 1.
            balance = -balance - 1 - worth(kind);
            taker = !taker;
            if balance >= 0 {
                break;
            }
        }
        taker != me
    }
}
