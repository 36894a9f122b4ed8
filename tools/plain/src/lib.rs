//! The four games written straight from their rules, cell by cell.
//!
//! This is the reference for the fast game code: tests compare every move and every result with it,
//! and benches measure how much faster the fast code is. So it shares nothing with that code and
//! uses only the standard library. Boards are two-dimensional arrays of cells, moves come in a
//! `Vec`, and the effect of a move is found by playing it on a copy.
//!
//! [`alphabeta`] is a yardstick of strength in the same way: a textbook player with quick boards of
//! its own, which are tested against these rules.

pub mod alphabeta;
mod hadron;
mod loa;
mod murus;
mod solve;
mod voidrider;

pub use hadron::Hadron;
pub use loa::Loa;
pub use murus::Murus;
pub use solve::wins;
pub use voidrider::Voidrider;

/// The games that are written here: passes their types to another macro, with further arguments of
/// that macro. A game without a twin is only left out where the two are compared.
#[macro_export]
macro_rules! twins {
    ($($macro:tt)::+ $(, $($argument:tt)*)?) => {
        $($macro)::+! { [Murus, Hadron, Loa, Voidrider,] $($($argument)*)? }
    };
}

/// How a game ended; black is red in Voidrider Chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainResult {
    White,
    Black,
    Draw,
}

/// One of the four games at one moment of play.
pub trait PlainGame: Clone {
    type Move: Copy + PartialEq + std::fmt::Debug;

    /// All legal moves of the side to move, also when a win or a draw rule has ended the game.
    fn moves(&self) -> Vec<Self::Move>;

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move);

    /// The result: a win or loss by the last move, then no legal move, then the draw rules.
    fn result(&self) -> Option<PlainResult>;

    fn white_to_move(&self) -> bool;

    /// The number of plies played since the start of the game.
    fn ply(&self) -> u32;

    /// The move as the players write it.
    fn notation(&self, m: Self::Move) -> String;

    /// The rows of the board from top to bottom, joined by `/`.
    fn rows(&self) -> String;

    /// Reads a full text board that is known to be valid; panics on some others.
    fn from_text(text: &str) -> Self;

    /// The full text board: rows, side to move, plies played.
    fn text(&self) -> String {
        let side = if self.white_to_move() { 'w' } else { 'b' };
        format!("{} {} {}", self.rows(), side, self.ply())
    }
}

/// The number of move sequences of length `depth`; a finished position has none.
///
/// The last move of a sequence is counted without being played.
pub fn perft<G: PlainGame>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.result().is_some() {
        return 0;
    }
    let moves = position.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut sequences = 0;
    for m in moves {
        let mut next = position.clone();
        next.play(m);
        sequences += perft(&next, depth - 1);
    }
    sequences
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    White,
    Black,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The result when this side wins.
    fn wins(self) -> PlainResult {
        match self {
            Side::White => PlainResult::White,
            Side::Black => PlainResult::Black,
        }
    }
}

/// A row and a column, both counted from 0; row 0 is the top of the board.
type Place = (usize, usize);

/// A step: rows down and columns to the right.
type Direction = (isize, isize);

/// N, NE, E, SE, S, SW, W, NW.
const EIGHT_DIRECTIONS: [Direction; 8] =
    [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

/// N, E, S, W.
const ORTHOGONALS: [Direction; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// NE, SE, SW, NW.
const DIAGONALS: [Direction; 4] = [(-1, 1), (1, 1), (1, -1), (-1, -1)];

/// The place one step away, or `None` beyond the edge of a board of that size.
fn step(from: Place, direction: Direction, rows: usize, columns: usize) -> Option<Place> {
    let row = from.0.checked_add_signed(direction.0)?;
    let column = from.1.checked_add_signed(direction.1)?;
    (row < rows && column < columns).then_some((row, column))
}

/// The letter with this number, counted from the first one.
fn letter(first: u8, number: usize) -> char {
    char::from(first + number as u8)
}

/// Writes rows of cells, one character a cell, joined by `/`.
fn write_rows<'a, Cell: Copy + 'a>(
    rows: impl Iterator<Item = &'a [Cell]>,
    character: impl Fn(Cell) -> char,
) -> String {
    let mut text = String::new();
    for row in rows {
        if !text.is_empty() {
            text.push('/');
        }
        text.extend(row.iter().map(|&cell| character(cell)));
    }
    text
}

/// The parts that every text board begins with: its rows, the side to move, the plies played.
fn read_fields(text: &str) -> (Vec<&str>, Side, u32) {
    let mut fields = text.split_whitespace();
    let rows = fields.next().expect("rows").split('/').collect();
    let side = match fields.next().expect("side to move") {
        "w" => Side::White,
        "b" => Side::Black,
        other => panic!("side to move {other:?}"),
    };
    let ply = fields.next().expect("plies played");
    (rows, side, ply.parse().expect("a number of plies"))
}
