//! Hadron cell by cell, on any board up to 12 by 12.
//!
//! A cell may be played when it is empty and its orthogonal neighbours hold equally many white and
//! black stones; the side that cannot move has lost.

use super::{
    ORTHOGONALS, Place, PlainGame, PlainResult, Side, letter, read_fields, step, write_rows,
};

const LARGEST: usize = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Stone(Side),
}

/// The cell that gets a stone of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    place: Place,
}

/// A board that uses the first `rows` rows and `columns` columns of the array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hadron {
    board: [[Cell; LARGEST]; LARGEST],
    rows: usize,
    columns: usize,
    side: Side,
    ply: u32,
}

impl Hadron {
    /// The start position: an empty board of that size.
    pub fn start(rows: usize, columns: usize) -> Hadron {
        assert!((1..=LARGEST).contains(&rows) && (1..=LARGEST).contains(&columns));
        Hadron {
            board: [[Cell::Empty; LARGEST]; LARGEST],
            rows,
            columns,
            side: Side::White,
            ply: 0,
        }
    }

    /// Whether either side may play on this cell.
    fn is_playable(&self, place: Place) -> bool {
        if self.board[place.0][place.1] != Cell::Empty {
            return false;
        }
        let mut white = 0;
        let mut black = 0;
        for direction in ORTHOGONALS {
            if let Some((row, column)) = step(place, direction, self.rows, self.columns) {
                match self.board[row][column] {
                    Cell::Empty => {}
                    Cell::Stone(Side::White) => white += 1,
                    Cell::Stone(Side::Black) => black += 1,
                }
            }
        }
        white == black
    }

    fn has_move(&self) -> bool {
        for row in 0..self.rows {
            for column in 0..self.columns {
                if self.is_playable((row, column)) {
                    return true;
                }
            }
        }
        false
    }
}

impl PlainGame for Hadron {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let place = (row, column);
                if self.is_playable(place) {
                    moves.push(Move { place });
                }
            }
        }
        moves
    }

    fn play(&mut self, m: Move) {
        self.board[m.place.0][m.place.1] = Cell::Stone(self.side);
        self.side = self.side.other();
        self.ply += 1;
    }

    fn result(&self) -> Option<PlainResult> {
        if self.has_move() { None } else { Some(self.side.other().wins()) }
    }

    fn white_to_move(&self) -> bool {
        self.side == Side::White
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn notation(&self, m: Move) -> String {
        let (row, column) = m.place;
        format!("{}{}", letter(b'A', row), column + 1)
    }

    fn rows(&self) -> String {
        let rows = self.board[..self.rows].iter();
        write_rows(rows.map(|row| &row[..self.columns]), |cell| match cell {
            Cell::Empty => '.',
            Cell::Stone(Side::White) => 'w',
            Cell::Stone(Side::Black) => 'b',
        })
    }

    fn from_text(text: &str) -> Hadron {
        let (rows, side, ply) = read_fields(text);
        let mut game = Hadron::start(rows.len(), rows[0].len());
        game.side = side;
        game.ply = ply;
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                game.board[row][column] = match character {
                    '.' => Cell::Empty,
                    'w' => Cell::Stone(Side::White),
                    'b' => Cell::Stone(Side::Black),
                    other => panic!("cell {other:?}"),
                };
            }
        }
        game
    }
}
