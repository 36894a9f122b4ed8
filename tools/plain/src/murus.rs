//! Murus Gallicus cell by cell.
//!
//! A cell is empty, a wall (one stone) or a tower (two stones). A tower and a direction name at
//! most one move: the cell next to the tower decides whether it is a step or a sacrifice.

use super::{
    EIGHT_DIRECTIONS, Place, PlainGame, PlainResult, Side, letter, read_fields, step, write_rows,
};

const ROWS: usize = 7;
const COLUMNS: usize = 8;

/// Plies after which the game is a tie.
const LAST_PLY: u32 = 120;

/// The names of `EIGHT_DIRECTIONS`.
const NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Wall(Side),
    Tower(Side),
}

/// What the tower on `from` does in a direction, a number into `EIGHT_DIRECTIONS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: Place,
    direction: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Murus {
    board: [[Cell; COLUMNS]; ROWS],
    side: Side,
    ply: u32,
}

impl Murus {
    /// The start position: black towers on row A, white towers on row G.
    pub fn start() -> Murus {
        let mut board = [[Cell::Empty; COLUMNS]; ROWS];
        board[0] = [Cell::Tower(Side::Black); COLUMNS];
        board[ROWS - 1] = [Cell::Tower(Side::White); COLUMNS];
        Murus { board, side: Side::White, ply: 0 }
    }

    fn cell(&self, place: Place) -> Cell {
        self.board[place.0][place.1]
    }

    /// Whether the tower on `from` can step or sacrifice itself in this direction.
    fn can_move(&self, from: Place, direction: usize) -> bool {
        let direction = EIGHT_DIRECTIONS[direction];
        let Some(near) = step(from, direction, ROWS, COLUMNS) else {
            return false;
        };
        if self.cell(near) == Cell::Wall(self.side.other()) {
            return true;
        }
        let Some(far) = step(near, direction, ROWS, COLUMNS) else {
            return false;
        };
        self.takes_stone(near) && self.takes_stone(far)
    }

    /// Whether the side to move may drop a stone on this cell.
    fn takes_stone(&self, place: Place) -> bool {
        let cell = self.cell(place);
        cell == Cell::Empty || cell == Cell::Wall(self.side)
    }

    /// Drops a stone of the side to move on a cell that has room for one.
    fn drop_stone(&mut self, place: Place) {
        self.board[place.0][place.1] = match self.cell(place) {
            Cell::Empty => Cell::Wall(self.side),
            _ => Cell::Tower(self.side),
        };
    }

    /// Adds the moves of the tower on this cell, if the side to move has one there.
    fn add_moves_from(&self, from: Place, moves: &mut Vec<Move>) {
        if self.cell(from) != Cell::Tower(self.side) {
            return;
        }
        for direction in 0..EIGHT_DIRECTIONS.len() {
            if self.can_move(from, direction) {
                moves.push(Move { from, direction });
            }
        }
    }

    fn has_move(&self) -> bool {
        let mut moves = Vec::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                self.add_moves_from((row, column), &mut moves);
                if !moves.is_empty() {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a side has a stone on this row.
    fn stands_on(&self, row: usize, side: Side) -> bool {
        self.board[row].iter().any(|&cell| cell == Cell::Wall(side) || cell == Cell::Tower(side))
    }
}

impl PlainGame for Murus {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                self.add_moves_from((row, column), &mut moves);
            }
        }
        moves
    }

    fn play(&mut self, m: Move) {
        let direction = EIGHT_DIRECTIONS[m.direction];
        let near = step(m.from, direction, ROWS, COLUMNS).expect("a cell next to the tower");
        if self.cell(near) == Cell::Wall(self.side.other()) {
            self.board[near.0][near.1] = Cell::Empty;
            self.board[m.from.0][m.from.1] = Cell::Wall(self.side);
        } else {
            let far = step(near, direction, ROWS, COLUMNS).expect("a cell for the second stone");
            self.board[m.from.0][m.from.1] = Cell::Empty;
            self.drop_stone(near);
            self.drop_stone(far);
        }
        self.side = self.side.other();
        self.ply += 1;
    }

    fn result(&self) -> Option<PlainResult> {
        if self.stands_on(0, Side::White) {
            Some(PlainResult::White)
        } else if self.stands_on(ROWS - 1, Side::Black) {
            Some(PlainResult::Black)
        } else if !self.has_move() {
            Some(self.side.other().wins())
        } else if self.ply >= LAST_PLY {
            Some(PlainResult::Draw)
        } else {
            None
        }
    }

    fn white_to_move(&self) -> bool {
        self.side == Side::White
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn notation(&self, m: Move) -> String {
        let (row, column) = m.from;
        let name = NAMES[m.direction];
        format!("{}{},{}", letter(b'A', row), column + 1, name)
    }

    fn rows(&self) -> String {
        write_rows(self.board.iter().map(|row| &row[..]), |cell| match cell {
            Cell::Empty => '.',
            Cell::Wall(Side::White) => 'w',
            Cell::Wall(Side::Black) => 'b',
            Cell::Tower(Side::White) => 'W',
            Cell::Tower(Side::Black) => 'B',
        })
    }

    fn from_text(text: &str) -> Murus {
        let (rows, side, ply) = read_fields(text);
        let mut board = [[Cell::Empty; COLUMNS]; ROWS];
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                board[row][column] = match character {
                    '.' => Cell::Empty,
                    'w' => Cell::Wall(Side::White),
                    'b' => Cell::Wall(Side::Black),
                    'W' => Cell::Tower(Side::White),
                    'B' => Cell::Tower(Side::Black),
                    other => panic!("cell {other:?}"),
                };
            }
        }
        Murus { board, side, ply }
    }
}
