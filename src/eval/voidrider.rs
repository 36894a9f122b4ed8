//! Voidrider Chess: material, advanced pawns, and pieces near the enemy king.

use super::{Evaluate, MAX_SCORE};
use crate::bitboard::{Grid, cells};
use crate::game::{Game, Move, Side};
use crate::games::voidrider::{Kind, Voidrider};

type Board = Grid<9, 7>;

/// Pawn, knight, bishop, rook, voidrider, king.
const VALUE: [i32; 6] = [100, 280, 260, 430, 380, 0];
/// A pawn by the ranks left to its promotion.
const PAWN_BY_RANKS_LEFT: [i32; 9] = [0, 150, 90, 55, 35, 20, 10, 5, 0];
/// A piece other than king and pawn one step from the enemy king, or up to three; the first
/// counts twice.
const NEAR_KING: i32 = 8;
/// What is added to the weight 1 of a quiet move: for a capture, by its gain in hundredths; for a
/// promotion; for a check.
const CAPTURE_WEIGHT: f32 = 1.0 / 60.0;
const PROMOTION_WEIGHT: f32 = 4.0;
const CHECK_WEIGHT: f32 = 3.0;
/// Being on turn.
const TEMPO: i32 = 10;

impl Evaluate for Voidrider {
    const PLAYOUT_PLIES: u32 = 0;
    const EXPLORATION: f32 = 1.2;
    const ENOUGH_MOVES: &'static [usize] = &[4, 7, 12, 19];

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        let score = self.strength(self.side()) - self.strength(!self.side()) + TEMPO;
        score.clamp(1 - MAX_SCORE, MAX_SCORE - 1)
    }

    const NOISY: bool = true;

    /// Captures and promotions.
    #[inline(always)]
    fn is_noisy(&self, m: Move) -> bool {
        let m = self.describe(m);
        m.captured.is_some() || m.promoted.is_some()
    }

    #[inline(always)]
    fn is_urgent(&self) -> bool {
        self.in_check()
    }

    /// Captures by what they win and risk, promotions, checks.
    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        let checking = self.checking_cells();
        for (&m, weight) in moves.iter().zip(weights) {
            let m = self.describe(m);
            let placed = m.promoted.unwrap_or(m.moved);
            *weight = 1.0;
            if let Some(captured) = m.captured {
                let gain = 300 + VALUE[captured as usize] - VALUE[m.moved as usize] / 2;
                *weight += gain as f32 * CAPTURE_WEIGHT;
            }
            if m.promoted.is_some() {
                *weight += PROMOTION_WEIGHT;
            }
            if checking[placed as usize] >> m.to & 1 != 0 {
                *weight += CHECK_WEIGHT;
            }
        }
    }
}

impl Voidrider {
    #[inline(always)]
    fn strength(&self, side: Side) -> i32 {
        let of = |kind: Kind| self.pieces_of(side, kind);
        let mut score: i32 =
            Kind::ALL.map(|kind| VALUE[kind as usize] * of(kind).count_ones() as i32).iter().sum();
        for pawn in cells(of(Kind::Pawn)) {
            let row = pawn / 7;
            let left = if side == Side::White { row } else { 8 - row };
            score += PAWN_BY_RANKS_LEFT[left];
        }
        let ring = Board::dilate(self.pieces_of(!side, Kind::King));
        let attackers = self.pieces(side) & !(of(Kind::Pawn) | of(Kind::King));
        let near = (attackers & ring).count_ones()
            + (attackers & Board::dilate(Board::dilate(ring))).count_ones();
        score + NEAR_KING * near as i32
    }
}
