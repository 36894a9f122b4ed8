//! Voidrider Chess: material, advanced pawns, and pieces near the enemy king.

use super::network::{Network, Seen};
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
    const EXPLORATION: f32 = 0.8;
    const ENOUGH_MOVES: &'static [usize] = &[4, 7, 12, 19];

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        NETWORK.score(self, &NETWORK.hidden(self))
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

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        NETWORK.weigh(self, &NETWORK.hidden(self), moves, weights);
    }
}

static NETWORK: Network<{ Voidrider::INPUTS }, { Voidrider::MOVE_ROWS }> =
    Network::from_bytes(include_bytes!("weights/voidrider.bin"));

/// Inputs: kind by kind the pieces of the side to move and of the other, the void, rights to castle,
/// and check.
const CELLS: usize = 63;
const VOID_INPUTS: usize = 12 * CELLS;
const RIGHT_INPUTS: usize = VOID_INPUTS + CELLS;
const CHECK_INPUT: usize = RIGHT_INPUTS + 4;
/// Each piece of each side that is attacked or undefended, by kind: by pawns, by knights or bishops,
/// by rooks or voidriders, by nothing of its own.
const ATTACKED_INPUTS: usize = CHECK_INPUT + 1;
/// Each piece of each side by kind and half the number of squares it attacks.
const REACH_INPUTS: usize = ATTACKED_INPUTS + 2 * 6 * 16;
/// Attacks at squares beside the king of each side, pieces that make them.
const RING_INPUTS: usize = REACH_INPUTS + 2 * 6 * 8;
/// Rows of moves: kind and cell reached, cell left, kind and what it captures, promotion, check by
/// each kind, a space move by each kind.
const FROM_ROWS: usize = 6 * CELLS;
const CAPTURE_ROWS: usize = FROM_ROWS + CELLS;
const PROMOTION_ROWS: usize = CAPTURE_ROWS + 36;
const CHECK_ROWS: usize = PROMOTION_ROWS + 6;
const SPACE_ROWS: usize = CHECK_ROWS + 6;

/// A cell as the side to move sees it: black turns the board round.
#[inline(always)]
fn seen_cell(cell: usize, side: Side) -> usize {
    if side == Side::White { cell } else { CELLS - 1 - cell }
}

impl Seen for Voidrider {
    const INPUTS: usize = RING_INPUTS + 2 * 6;
    const MOVE_ROWS: usize = SPACE_ROWS + 6;

    #[inline(always)]
    fn each_input(&self, mut see: impl FnMut(usize)) {
        let me = self.side();
        let mut by_pawns = [0; 2];
        let mut by_minor = [0; 2];
        let mut by_major = [0; 2];
        let mut by_king = [0; 2];
        for (index, side) in [me, !me].into_iter().enumerate() {
            let ring = Board::dilate(self.pieces_of(!side, Kind::King));
            self.each_attack(side, |kind, attacked| {
                let of_kind = match kind {
                    Kind::Pawn => &mut by_pawns[index],
                    Kind::Knight | Kind::Bishop => &mut by_minor[index],
                    Kind::Rook | Kind::Voidrider => &mut by_major[index],
                    Kind::King => &mut by_king[index],
                };
                *of_kind |= attacked;
                if kind != Kind::Pawn {
                    let reach = (attacked.count_ones() as usize / 2).min(7);
                    see(REACH_INPUTS + (index * 6 + kind as usize) * 8 + reach);
                }
                if attacked & ring != 0 {
                    see(RING_INPUTS + index * 6 + kind as usize);
                }
            });
        }
        let defended: [u64; 2] =
            std::array::from_fn(|i| by_pawns[i] | by_minor[i] | by_major[i] | by_king[i]);
        // Black turns the board round.
        let turned = |set: u64| if me == Side::White { set } else { set.reverse_bits() >> 1 };
        for (index, side) in [me, !me].into_iter().enumerate() {
            for kind in Kind::ALL {
                let first = (index * 6 + kind as usize) * CELLS;
                let pieces = self.pieces_of(side, kind);
                for cell in cells(turned(pieces)) {
                    see(first + cell);
                }
                let other = 1 - index;
                let bare = !defended[index];
                let marked = pieces & (by_pawns[other] | by_minor[other] | by_major[other] | bare);
                for cell in cells(marked) {
                    let bit = |set: u64| (set >> cell & 1) as usize;
                    let marks = bit(by_pawns[other])
                        + 2 * bit(by_minor[other])
                        + 4 * bit(by_major[other])
                        + 8 * bit(bare);
                    see(ATTACKED_INPUTS + (index * 6 + kind as usize) * 16 + marks);
                }
            }
        }
        for cell in cells(turned(Board::BOARD & !self.squares())) {
            see(VOID_INPUTS + cell);
        }
        for right in cells(u64::from(self.seen_rights())) {
            see(RIGHT_INPUTS + right);
        }
        if self.in_check() {
            see(CHECK_INPUT);
        }
    }

    /// The cells from which each kind gives check.
    type Sight = [u64; 6];

    #[inline(always)]
    fn sight(&self) -> [u64; 6] {
        self.checking_cells()
    }

    #[inline(always)]
    fn base(&self) -> i32 {
        self.strength(self.side()) - self.strength(!self.side()) + TEMPO
    }

    #[inline(always)]
    fn each_row(&self, checking: &[u64; 6], m: Move, mut see: impl FnMut(usize)) {
        let me = self.side();
        let from = Voidrider::source(m);
        let m = self.describe(m);
        let moved = m.moved as usize;
        see(moved * CELLS + seen_cell(m.to, me));
        see(FROM_ROWS + seen_cell(from, me));
        if let Some(captured) = m.captured {
            see(CAPTURE_ROWS + moved * 6 + captured as usize);
        }
        if let Some(promoted) = m.promoted {
            see(PROMOTION_ROWS + promoted as usize);
        }
        let placed = m.promoted.unwrap_or(m.moved) as usize;
        if checking[placed] >> m.to & 1 != 0 {
            see(CHECK_ROWS + placed);
        }
        if self.squares() >> m.to & 1 == 0 {
            see(SPACE_ROWS + moved);
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
