//! Hadron on any board up to 9 × 9: place a stone where white and black neighbours balance.
//!
//! The one idea: a board of two words (`u128`) whose rows are ten bits apart, one more than the
//! widest row. So neighbours are plain shifts, and the empty tenth column stops them from wrapping.
//! The legal cells are those where two four-input bit counters agree.
//!
//! Rules: Mark Steere's Hadron as in the course's document, settled in the project's specification.

use std::fmt;

use crate::game::bitboard::nth_cell;
use crate::game::{Ending, Game, Move, MoveList, ParseError, Side, quoted};
use crate::games::text::{self, BoardText};
use crate::games::zobrist;

/// Max rows and max columns of a board in play.
pub const MAX_SIZE: usize = 9;

/// Max rows of a board that is only solved ([`Hadron::tall`]): the words have room for them.
pub const MAX_ROWS: usize = 12;

/// Bits from one row to the next.
pub const STRIDE: usize = MAX_SIZE + 1;

const STONE_KEYS: [u64; 2 * 128] = zobrist::keys(0x4841_4452_4f01);
const BLACK_KEY: u64 = zobrist::keys::<1>(0x4841_4452_4f02)[0];

/// The cells of a board of `rows` × `columns`.
const fn board_of(rows: usize, columns: usize) -> u128 {
    let mut board = 0;
    let mut row = 0;
    while row < rows {
        board |= ((1 << columns) - 1) << (row * STRIDE);
        row += 1;
    }
    board
}

/// A position of Hadron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hadron {
    stones: [u128; 2],
    /// The cells of the board.
    board: u128,
    key: u64,
    rows: u8,
    columns: u8,
    side: Side,
    ply: u8,
}

const _: () = assert!(size_of::<Hadron>() <= 64 && MAX_ROWS * STRIDE <= 128);

/// The cells of a set, lowest first.
#[inline(always)]
pub(super) fn cells(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let cell = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(cell)
    })
}

/// For every cell the number of its orthogonal neighbours in the set, as three bit planes
/// (ones, twos, fours).
#[inline(always)]
pub(super) fn count_neighbours(stones: u128) -> [u128; 3] {
    let (north, south) = (stones << STRIDE, stones >> STRIDE);
    let (west, east) = (stones << 1, stones >> 1);
    let (vertical, both_vertical) = (north ^ south, north & south);
    let (horizontal, both_horizontal) = (west ^ east, west & east);
    let carry = vertical & horizontal;
    [
        vertical ^ horizontal,
        both_vertical ^ both_horizontal ^ carry,
        both_vertical & both_horizontal,
    ]
}

/// The cells at which one number is larger than the sum of two others; each up to 4, the sum of
/// the latter two as well.
#[inline(always)]
fn exceeds(large: [u128; 3], first: [u128; 3], second: [u128; 3]) -> u128 {
    let ones = first[0] ^ second[0];
    let carry = first[0] & second[0];
    let twos = first[1] ^ second[1] ^ carry;
    let carry = (first[1] & second[1]) | (carry & (first[1] ^ second[1]));
    let fours = first[2] | second[2] | carry;
    // From the highest plane down: larger there, or equal there and larger below.
    (large[2] & !fours)
        | (!(large[2] ^ fours) & ((large[1] & !twos) | (!(large[1] ^ twos) & (large[0] & !ones))))
}

impl Hadron {
    /// The empty board of `rows` × `columns` cells, each 1 to [`MAX_SIZE`].
    ///
    /// # Panics
    /// On a size out of range.
    pub fn start(rows: usize, columns: usize) -> Hadron {
        assert!(rows <= MAX_SIZE, "a board of 1×1 to 9×9 cells");
        Hadron::tall(rows, columns)
    }

    /// The same with up to [`MAX_ROWS`] rows, for solvers of whole boards. The engine's evaluation
    /// has no room for more than [`MAX_SIZE`].
    ///
    /// # Panics
    /// On a size out of range.
    pub fn tall(rows: usize, columns: usize) -> Hadron {
        let fits = (1..=MAX_ROWS).contains(&rows) && (1..=MAX_SIZE).contains(&columns);
        assert!(fits, "a board of 1×1 to 12×9 cells");
        Hadron {
            stones: [0; 2],
            board: board_of(rows, columns),
            key: 0,
            rows: rows as u8,
            columns: columns as u8,
            side: Side::White,
            ply: 0,
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        (self.rows as usize, self.columns as usize)
    }

    /// The cell that a move fills.
    #[inline(always)]
    pub(super) fn cell(m: Move) -> usize {
        decode(m)
    }

    /// The stones of a side; row and column of a cell are bit / [`STRIDE`] and bit % [`STRIDE`].
    #[inline(always)]
    pub fn stones(&self, side: Side) -> u128 {
        self.stones[side as usize]
    }

    /// The empty cells.
    #[inline(always)]
    pub fn empty(&self) -> u128 {
        self.board & !(self.stones[0] | self.stones[1])
    }

    /// The empty cells where a stone may still come to be placed. An empty cell is dead once the
    /// stones beside it differ by more than the empty cells beside it that are not dead.
    pub fn live(&self) -> u128 {
        let [white, black] = self.stones.map(count_neighbours);
        let mut live = self.empty();
        loop {
            let beside = count_neighbours(live);
            let dead = live & (exceeds(white, black, beside) | exceeds(black, white, beside));
            if dead == 0 {
                return live;
            }
            live &= !dead;
        }
    }

    /// Whether half a turn about the centre exchanges the colours of all stones, on a board with an
    /// even number of rows and of columns.
    pub fn is_its_own_negative(&self) -> bool {
        let (rows, columns) = self.size();
        if rows % 2 != 0 || columns % 2 != 0 {
            return false;
        }
        let last = (rows - 1) * STRIDE + columns - 1;
        self.stones[0].reverse_bits() >> (127 - last) == self.stones[1]
    }

    /// The cells of a set that touch another of it.
    #[inline(always)]
    pub fn touching(cells: u128) -> u128 {
        cells & (cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE)
    }

    /// The cells where a stone may be placed, the same for both sides.
    #[inline(always)]
    pub fn legal(&self) -> u128 {
        let white = count_neighbours(self.stones[0]);
        let black = count_neighbours(self.stones[1]);
        let unequal = (white[0] ^ black[0]) | (white[1] ^ black[1]) | (white[2] ^ black[2]);
        self.empty() & !unequal
    }
}

#[inline(always)]
fn encode(cell: usize) -> Move {
    Move::from_code(cell as u16)
}

#[inline(always)]
fn decode(m: Move) -> usize {
    m.code() as usize & 127
}

impl Game for Hadron {
    const TITLE: &'static str = "Hadron";
    const MOVE_FORM: &'static str = "A1 (row, column)";
    const PLY_LIMIT: usize = MAX_SIZE * MAX_SIZE;

    fn codes(&self) -> usize {
        usize::from(self.rows) * STRIDE
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn ply(&self) -> usize {
        self.ply as usize
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn count_moves(&self) -> usize {
        let legal = self.legal();
        ((legal as u64).count_ones() + ((legal >> 64) as u64).count_ones()) as usize
    }

    #[inline(always)]
    fn moves(&self, list: &mut MoveList) {
        list.clear();
        list.extend(cells(self.legal()).map(encode));
    }

    #[inline(always)]
    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        let legal = self.legal();
        let (low, high) = (legal as u64, (legal >> 64) as u64);
        let in_low = low.count_ones();
        let total = in_low + high.count_ones();
        if total == 0 {
            return None;
        }
        let choice = rng.u32(..total);
        let cell = if choice < in_low {
            nth_cell(low, choice)
        } else {
            64 + nth_cell(high, choice - in_low)
        };
        Some(encode(cell as usize))
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        let cell = decode(m);
        self.stones[self.side as usize] |= 1 << cell;
        self.key ^= STONE_KEYS[self.side as usize * 128 + cell] ^ BLACK_KEY;
        self.side = !self.side;
        self.ply += 1;
    }

    #[inline(always)]
    fn won(&self) -> Option<Ending> {
        None
    }

    /// Never: a full board leaves the side to move without a move, which is its loss.
    #[inline(always)]
    fn drawn(&self, _: &crate::game::History) -> Option<Ending> {
        None
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        let cell = decode(m);
        let row = char::from(b'A' + (cell / STRIDE) as u8);
        write!(f, "{row}{}", cell % STRIDE + 1)
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        let (rows, columns) = self.size();
        let error = || {
            let last = char::from(b'A' + self.rows - 1);
            let expected =
                format!("a cell such as `A1`: row A to {last}, column 1 to {}", self.columns);
            ParseError::new("move", quoted(text), expected)
        };
        let &[row, column] = text.as_bytes() else { return Err(error()) };
        let row = text::index_of(row, b'A', rows).ok_or_else(error)?;
        let column = text::index_of(column, b'1', columns).ok_or_else(error)?;
        Ok(encode(row * STRIDE + column))
    }

    fn parse_board(&self, text: &str) -> Result<Hadron, ParseError> {
        let (rows, columns) = self.size();
        let board = BoardText::split(text, (rows, columns), 0, rows * columns)?;
        let mut position = Hadron::tall(rows, columns);
        board.each_cell("`.` `w` `b`", |row, column, character| {
            let cell = row * STRIDE + column;
            let side = match character {
                'w' => Side::White,
                'b' => Side::Black,
                _ => return character == '.',
            };
            position.stones[side as usize] |= 1 << cell;
            position.key ^= STONE_KEYS[side as usize * 128 + cell];
            true
        })?;
        let stones = (position.stones[0] | position.stones[1]).count_ones() as usize;
        if board.ply != stones {
            let expected = format!("{stones}, the number of stones on the board");
            return Err(ParseError::new("plies played", board.ply.to_string(), expected));
        }
        if board.side == Side::Black {
            position.key ^= BLACK_KEY;
        }
        position.side = board.side;
        position.ply = board.ply as u8;
        Ok(position)
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        text::write_rows(f, self.size(), |row, column| {
            let cell = 1 << (row * STRIDE + column);
            match (self.stones[0] & cell != 0, self.stones[1] & cell != 0) {
                (true, _) => 'w',
                (_, true) => 'b',
                _ => '.',
            }
        })
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        let (rows, columns) = self.size();
        (text::names(b'A', rows), text::names(b'1', columns))
    }
}

impl fmt::Display for Hadron {
    /// The full text board.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.rows(), text::side_letter(self.side), self.ply)
    }
}
