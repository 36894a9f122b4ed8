//! A move of any game, and the list of a position's legal moves.
//!
//! The one idea: a move is 16 bits that only its game understands, so that a node of the search and
//! an entry of a table hold it for every game alike.

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

/// A move of any game in 16 bits; each game defines what they mean. Never zero, so that
/// `Option<Move>` is two bytes too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    /// Packs a game's own encoding, which must be below `u16::MAX`.
    #[inline(always)]
    pub const fn from_code(code: u16) -> Move {
        debug_assert!(code < u16::MAX);
        match NonZeroU16::new(code.wrapping_add(1)) {
            Some(bits) => Move(bits),
            None => panic!("a move's code is below u16::MAX"),
        }
    }

    /// The game's own encoding back.
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0.get() - 1
    }

    /// The move as plain bits, never zero, for storing.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move stored as `bits`; none for zero.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }
}

/// Room for the legal moves of a position; the tree search allows at most 255.
///
/// Murus Gallicus 64, Hadron 81, Lines of Action 96. In Voidrider Chess a side has at most 13
/// pieces of up to 18 moves each, and a king of up to 10, in all 244. The 18 are those of a
/// voidrider: the 14 other cells of its rank and file, each a square or void, and 4 diagonals.
pub const MAX_MOVES: usize = 256;

/// The legal moves of a position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
