//! A position of Voidrider Chess.
//!
//! The one idea: a third kind of bitboard beside colours and kinds says which cells of the 7 × 9
//! area exist as squares. A space move (a piece stepping into the void, its square with it) is
//! then two bits of that word.

use super::tables::{COLUMNS, HOME_ROW};
use crate::game::bitboard::cells;
use crate::game::{Move, Side};
use crate::games::zobrist;

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Voidrider,
    King,
}

impl Kind {
    /// All six, in the order of their indices.
    pub const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Voidrider, Kind::King];
    /// What a pawn may become.
    pub(super) const PROMOTIONS: [Kind; 4] =
        [Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Voidrider];

    /// The letter of a white piece.
    pub(super) const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'V', 'K'][self as usize]
    }

    /// The kind of a letter in either case.
    pub(super) fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }
}

/// The two castlings of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Right {
    TowardA,
    TowardG,
}

impl Right {
    /// Its bit among the rights of a position.
    pub(super) const fn bit(self, side: Side) -> u8 {
        1 << (2 * side as u8 + self as u8)
    }

    /// The home cell of its rook.
    pub(super) const fn rook(self, side: Side) -> usize {
        let column = match self {
            Right::TowardA => 0,
            Right::TowardG => COLUMNS - 1,
        };
        HOME_ROW[side as usize] * COLUMNS + column
    }
}

/// The home cell of a side's king.
pub(super) const fn king_home(side: Side) -> usize {
    HOME_ROW[side as usize] * COLUMNS + COLUMNS / 2
}

/// For each cell the rights that end when a piece leaves or reaches it.
static RIGHTS_ENDED: [u8; 64] = {
    let mut ended = [0; 64];
    let mut i = 0;
    while i < 2 {
        let side = [Side::White, Side::Black][i];
        let (a, g) = (Right::TowardA, Right::TowardG);
        ended[king_home(side)] = a.bit(side) | g.bit(side);
        ended[a.rook(side)] = a.bit(side);
        ended[g.rook(side)] = g.bit(side);
        i += 1;
    }
    ended
};

/// Keys of side × kind × cell, of existing squares, of the rights, and of black to move.
static PIECE_KEYS: [u64; 2 * 6 * 64] = zobrist::keys(0x0056_4f49_4401);
static SQUARE_KEYS: [u64; 64] = zobrist::keys(0x0056_4f49_4402);
static RIGHTS_KEYS: [u64; 16] = zobrist::keys(0x0056_4f49_4403);
const BLACK_KEY: u64 = zobrist::keys::<1>(0x0056_4f49_4404)[0];

#[inline(always)]
fn piece_key(side: Side, kind: usize, cell: usize) -> u64 {
    PIECE_KEYS[(side as usize * 6 + kind) * 64 + cell]
}

/// Plies without capture or pawn move that make a draw.
pub(super) const QUIET_LIMIT: u16 = 100;

/// Max plies of a game of the tournament; the network is trained on such games.
pub const TOURNAMENT_PLIES: usize = 200;

/// A position of Voidrider Chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voidrider {
    /// Pieces of each side.
    pub(super) pieces: [u64; 2],
    /// Pieces of each kind, of both sides.
    pub(super) kinds: [u64; 6],
    /// The cells that exist as squares.
    pub(super) squares: u64,
    pub(super) key: u64,
    pub(super) side: Side,
    /// Castling rights still held, by [`Right::bit`].
    pub(super) rights: u8,
    pub(super) ply: u16,
    /// Plies since the last capture or pawn move.
    pub(super) quiet: u16,
    /// Whether stalemate is the only draw: the text of the author alone (`voidrider:thery`).
    pub(super) is_text_alone: bool,
}

const _: () = assert!(size_of::<Voidrider>() <= 88);

/// What a move does.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The cell it reaches.
    pub to: usize,
    /// The kind that moves.
    pub moved: Kind,
    /// The kind it captures.
    pub captured: Option<Kind>,
    /// What the pawn becomes.
    pub promoted: Option<Kind>,
}

impl Voidrider {
    /// The pieces of a side; bit 0 is a9, bit 6 g9, bit 56 a1.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side as usize]
    }

    /// The pieces of a kind and side.
    #[inline(always)]
    pub fn pieces_of(&self, side: Side, kind: Kind) -> u64 {
        self.pieces[side as usize] & self.kinds[kind as usize]
    }

    /// The cells that exist as squares.
    #[inline(always)]
    pub fn squares(&self) -> u64 {
        self.squares
    }

    /// The cell of a side's king.
    #[inline(always)]
    pub(super) fn king(&self, side: Side) -> usize {
        // A position has a king of each side; the mask only spares the bounds checks.
        self.pieces_of(side, Kind::King).trailing_zeros() as usize & 63
    }

    /// The rights to castle, a bit each: those of the side to move first, toward its left hand
    /// first.
    #[inline(always)]
    pub fn seen_rights(&self) -> u8 {
        match self.side {
            Side::White => self.rights,
            // Turned round, the files change their places.
            Side::Black => {
                let of_each = self.rights >> 2 | self.rights << 2 & 12;
                (of_each & 5) << 1 | (of_each & 10) >> 1
            }
        }
    }

    /// The cell a move leaves.
    #[inline(always)]
    pub fn source(m: Move) -> usize {
        decode(m).0
    }

    #[inline(always)]
    pub(super) fn may_castle(&self, side: Side, right: Right) -> bool {
        self.rights & right.bit(side) != 0
    }

    /// The index of the kind of the piece on a cell (a king's where it is empty).
    #[inline(always)]
    pub(super) fn kind_at(&self, cell: usize) -> usize {
        (0..5).find(|&kind| self.kinds[kind] >> cell & 1 != 0).unwrap_or(Kind::King as usize)
    }

    /// What a legal move does.
    #[inline(always)]
    pub fn describe(&self, m: Move) -> Description {
        let (from, to, promotion) = decode(m);
        let captures = self.pieces[!self.side as usize] >> to & 1 != 0;
        Description {
            to,
            moved: Kind::ALL[self.kind_at(from)],
            captured: captures.then(|| Kind::ALL[self.kind_at(to)]),
            promoted: (promotion != 0).then(|| Kind::ALL[promotion.min(5)]),
        }
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn make(&mut self, m: Move) {
        let (from, to, promotion) = decode(m);
        let (me, enemy) = (self.side, !self.side);
        let kind = self.kind_at(from);
        self.quiet = if kind == Kind::Pawn as usize { 0 } else { self.quiet + 1 };
        if self.pieces[enemy as usize] >> to & 1 != 0 {
            self.remove(enemy, self.kind_at(to), to);
            self.quiet = 0;
        }
        self.remove(me, kind, from);
        self.put(me, if promotion == 0 { kind } else { promotion.min(5) }, to);
        if self.squares >> to & 1 == 0 {
            self.squares ^= 1 << from | 1 << to;
            self.key ^= SQUARE_KEYS[from] ^ SQUARE_KEYS[to];
        }
        if kind == Kind::King as usize && from.abs_diff(to) == 2 {
            let right = if to < from { Right::TowardA } else { Right::TowardG };
            self.remove(me, Kind::Rook as usize, right.rook(me));
            self.put(me, Kind::Rook as usize, (from + to) / 2);
        }
        let rights = self.rights & !(RIGHTS_ENDED[from] | RIGHTS_ENDED[to]);
        self.key ^= RIGHTS_KEYS[self.rights as usize & 15] ^ RIGHTS_KEYS[rights as usize & 15];
        self.rights = rights;
        self.key ^= BLACK_KEY;
        self.side = enemy;
        self.ply += 1;
    }

    /// The Zobrist key from scratch.
    pub(super) fn full_key(&self) -> u64 {
        let mut key = if self.side == Side::Black { BLACK_KEY } else { 0 };
        for side in [Side::White, Side::Black] {
            for kind in Kind::ALL {
                for cell in cells(self.pieces_of(side, kind)) {
                    key ^= piece_key(side, kind as usize, cell);
                }
            }
        }
        key = cells(self.squares).fold(key, |key, cell| key ^ SQUARE_KEYS[cell]);
        key ^ RIGHTS_KEYS[self.rights as usize]
    }

    #[inline(always)]
    fn remove(&mut self, side: Side, kind: usize, cell: usize) {
        self.pieces[side as usize] &= !(1 << cell);
        self.kinds[kind] &= !(1 << cell);
        self.key ^= piece_key(side, kind, cell);
    }

    #[inline(always)]
    fn put(&mut self, side: Side, kind: usize, cell: usize) {
        self.pieces[side as usize] |= 1 << cell;
        self.kinds[kind] |= 1 << cell;
        self.key ^= piece_key(side, kind, cell);
    }
}

/// From and to cell, and what a pawn becomes: zero for nothing, or the kind's index, which for
/// the kinds that it may become is not zero.
#[inline(always)]
pub(super) fn encode(from: usize, to: usize, promotion: usize) -> Move {
    Move::from_code((promotion << 12 | from << 6 | to) as u16)
}

#[inline(always)]
pub(super) fn decode(m: Move) -> (usize, usize, usize) {
    let code = m.code() as usize;
    ((code >> 6) & 63, code & 63, (code >> 12) & 7)
}
