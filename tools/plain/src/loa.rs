//! Lines of Action cell by cell.
//!
//! A stone moves along a line exactly as many cells as there are stones on that whole line; the
//! aim is to have all one's stones in one group, which a flood fill finds out.

use super::{
    Direction, EIGHT_DIRECTIONS, Place, PlainGame, PlainResult, Side, letter, read_fields, step,
    write_rows,
};

const SIZE: usize = 8;

/// Plies after which the game is a draw.
const LAST_PLY: u32 = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Stone(Side),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: Place,
    to: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loa {
    board: [[Cell; SIZE]; SIZE],
    side: Side,
    ply: u32,
}

impl Loa {
    /// The usual start: white on the top and bottom rows, black on the outer files.
    pub fn start() -> Loa {
        Loa::start_with(Side::White, Side::Black)
    }

    /// The other start: white on the outer files, black on the top and bottom rows.
    pub fn start_files() -> Loa {
        Loa::start_with(Side::Black, Side::White)
    }

    fn start_with(on_rows: Side, on_files: Side) -> Loa {
        let mut board = [[Cell::Empty; SIZE]; SIZE];
        board[0][1..SIZE - 1].fill(Cell::Stone(on_rows));
        board[SIZE - 1][1..SIZE - 1].fill(Cell::Stone(on_rows));
        for row in &mut board[1..SIZE - 1] {
            row[0] = Cell::Stone(on_files);
            row[SIZE - 1] = Cell::Stone(on_files);
        }
        Loa { board, side: Side::White, ply: 0 }
    }

    fn cell(&self, place: Place) -> Cell {
        self.board[place.0][place.1]
    }

    /// The number of stones beyond `from` in one direction, up to the edge of the board.
    fn stones_beyond(&self, from: Place, direction: Direction) -> usize {
        let mut stones = 0;
        let mut next = step(from, direction, SIZE, SIZE);
        while let Some(place) = next {
            if self.cell(place) != Cell::Empty {
                stones += 1;
            }
            next = step(place, direction, SIZE, SIZE);
        }
        stones
    }

    /// Where the stone on `from` arrives in this direction, if it may move there.
    fn target(&self, from: Place, direction: Direction) -> Option<Place> {
        let (down, right) = direction;
        let distance =
            1 + self.stones_beyond(from, direction) + self.stones_beyond(from, (-down, -right));
        let mut place = from;
        for _ in 1..distance {
            place = step(place, direction, SIZE, SIZE)?;
            if self.cell(place) == Cell::Stone(self.side.other()) {
                return None;
            }
        }
        place = step(place, direction, SIZE, SIZE)?;
        (self.cell(place) != Cell::Stone(self.side)).then_some(place)
    }

    /// Adds the moves of the stone on this cell, if the side to move has one there.
    fn add_moves_from(&self, from: Place, moves: &mut Vec<Move>) {
        if self.cell(from) != Cell::Stone(self.side) {
            return;
        }
        for direction in EIGHT_DIRECTIONS {
            if let Some(to) = self.target(from, direction) {
                moves.push(Move { from, to });
            }
        }
    }

    fn has_move(&self) -> bool {
        let mut moves = Vec::new();
        for row in 0..SIZE {
            for column in 0..SIZE {
                self.add_moves_from((row, column), &mut moves);
                if !moves.is_empty() {
                    return true;
                }
            }
        }
        false
    }

    /// Whether all stones of a side form one group.
    fn is_connected(&self, side: Side) -> bool {
        let mut reached = [[false; SIZE]; SIZE];
        let mut groups = 0;
        for row in 0..SIZE {
            for column in 0..SIZE {
                if self.board[row][column] == Cell::Stone(side) && !reached[row][column] {
                    groups += 1;
                    self.reach_group((row, column), &mut reached);
                }
            }
        }
        groups == 1
    }

    /// Marks every stone of the group that the stone on `first` belongs to.
    fn reach_group(&self, first: Place, reached: &mut [[bool; SIZE]; SIZE]) {
        reached[first.0][first.1] = true;
        let mut waiting = vec![first];
        while let Some(place) = waiting.pop() {
            for direction in EIGHT_DIRECTIONS {
                if let Some(next) = step(place, direction, SIZE, SIZE)
                    && self.cell(next) == self.cell(first)
                    && !reached[next.0][next.1]
                {
                    reached[next.0][next.1] = true;
                    waiting.push(next);
                }
            }
        }
    }
}

impl PlainGame for Loa {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for row in 0..SIZE {
            for column in 0..SIZE {
                self.add_moves_from((row, column), &mut moves);
            }
        }
        moves
    }

    fn play(&mut self, m: Move) {
        self.board[m.to.0][m.to.1] = self.cell(m.from);
        self.board[m.from.0][m.from.1] = Cell::Empty;
        self.side = self.side.other();
        self.ply += 1;
    }

    fn result(&self) -> Option<PlainResult> {
        let mover = self.side.other();
        if self.is_connected(mover) {
            Some(mover.wins())
        } else if self.is_connected(self.side) {
            Some(self.side.wins())
        } else if !self.has_move() {
            Some(mover.wins())
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
        let name = |(row, column): Place| format!("{}{}", letter(b'A', column), SIZE - row);
        format!("{}-{}", name(m.from), name(m.to))
    }

    fn rows(&self) -> String {
        write_rows(self.board.iter().map(|row| &row[..]), |cell| match cell {
            Cell::Empty => '.',
            Cell::Stone(Side::White) => 'w',
            Cell::Stone(Side::Black) => 'b',
        })
    }

    fn from_text(text: &str) -> Loa {
        let (rows, side, ply) = read_fields(text);
        let mut board = [[Cell::Empty; SIZE]; SIZE];
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                board[row][column] = match character {
                    '.' => Cell::Empty,
                    'w' => Cell::Stone(Side::White),
                    'b' => Cell::Stone(Side::Black),
                    other => panic!("cell {other:?}"),
                };
            }
        }
        Loa { board, side, ply }
    }
}
