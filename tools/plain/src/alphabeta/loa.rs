//! Lines of Action in sets of cells.
//!
//! Cell `row * 8 + column` is a bit, row 0 being the top of the board (row 8 by its name). A move
//! is the stone's cell plus 64 times its new cell.

use super::board::{Board, Move, bits, random_key};
use crate::read_fields;

/// Plies after which the game is a draw.
const LAST_PLY: u32 = 200;

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

/// A line through each cell, in the four directions of `LINES`.
const MASKS: [[u64; 64]; 4] = masks();
/// Steps along lines, in rows down and columns to the right.
const LINES: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

const fn masks() -> [[u64; 64]; 4] {
    let mut masks = [[0; 64]; 4];
    let mut line = 0;
    while line < 4 {
        let (down, right) = LINES[line];
        let mut cell = 0;
        while cell < 64 {
            let mut distance = -7;
            while distance <= 7 {
                let row = cell / 8 + distance * down;
                let column = cell % 8 + distance * right;
                if row >= 0 && row < 8 && column >= 0 && column < 8 {
                    masks[line][cell as usize] |= 1 << (row * 8 + column);
                }
                distance += 1;
            }
            cell += 1;
        }
        line += 1;
    }
    masks
}

#[derive(Clone)]
pub struct Loa {
    /// White's and Black's stones.
    stones: [u64; 2],
    black_to_move: bool,
    ply: u32,
    key: u64,
}

/// A set and all neighbours of its cells.
fn grown(set: u64) -> u64 {
    let row = set | (set & !LAST_COLUMN) << 1 | (set & !FIRST_COLUMN) >> 1;
    row | row << 8 | row >> 8
}

/// The group of the lowest of some stones.
fn first_group(stones: u64) -> u64 {
    let mut group = stones & stones.wrapping_neg();
    loop {
        let larger = grown(group) & stones;
        if larger == group {
            return group;
        }
        group = larger;
    }
}

fn is_connected(stones: u64) -> bool {
    stones != 0 && first_group(stones) == stones
}

/// How far a side is from its aim: the mean distance of its stones from their middle.
fn scatter(stones: u64) -> i32 {
    let count = stones.count_ones().max(1) as i32;
    let (rows, columns) = bits(stones)
        .fold((0, 0), |(rows, columns), cell| (rows + cell as i32 / 8, columns + cell as i32 % 8));
    let (row, column) = ((rows + count / 2) / count, (columns + count / 2) / count);
    let distances: i32 = bits(stones)
        .map(|cell| (cell as i32 / 8 - row).abs().max((cell as i32 % 8 - column).abs()))
        .sum();
    200 * distances / count
}

impl Loa {
    fn sides(&self) -> [usize; 2] {
        if self.black_to_move { [1, 0] } else { [0, 1] }
    }

    /// Where a stone arrives by so many steps, if it may move there.
    fn target(&self, from: usize, (down, right): (i32, i32), steps: i32) -> Option<usize> {
        let [own, enemy] = self.sides();
        let (row, column) = (from as i32 / 8, from as i32 % 8);
        let on_board = 0..8;
        let (to_row, to_column) = (row + steps * down, column + steps * right);
        if !on_board.contains(&to_row) || !on_board.contains(&to_column) {
            return None;
        }
        let jumps_enemy = (1..steps).any(|step| {
            self.stones[enemy] >> ((row + step * down) * 8 + column + step * right) & 1 != 0
        });
        let to = (to_row * 8 + to_column) as usize;
        (!jumps_enemy && self.stones[own] >> to & 1 == 0).then_some(to)
    }

    fn toggle(&mut self, side: usize, cell: usize) {
        self.stones[side] ^= 1 << cell;
        self.key ^= random_key(side, cell);
    }
}

impl Board for Loa {
    fn from_text(text: &str) -> Loa {
        let (rows, side, ply) = read_fields(text);
        let black_to_move = side == crate::Side::Black;
        let mut board = Loa { stones: [0; 2], black_to_move, ply, key: u64::from(black_to_move) };
        for (cell, character) in rows.concat().chars().enumerate() {
            match character {
                'w' => board.toggle(0, cell),
                'b' => board.toggle(1, cell),
                _ => {}
            }
        }
        board
    }

    fn add_moves(&self, moves: &mut Vec<Move>) {
        let [own, enemy] = self.sides();
        let all = self.stones[own] | self.stones[enemy];
        for from in bits(self.stones[own]) {
            for (line, (down, right)) in LINES.into_iter().enumerate() {
                let steps = (MASKS[line][from] & all).count_ones() as i32;
                for direction in [(down, right), (-down, -right)] {
                    let to = self.target(from, direction, steps);
                    moves.extend(to.map(|to| (from + 64 * to) as Move));
                }
            }
        }
    }

    fn play(&mut self, m: Move) {
        let [own, enemy] = self.sides();
        let (from, to) = (usize::from(m) % 64, usize::from(m) / 64);
        self.toggle(own, from);
        self.toggle(own, to);
        if self.stones[enemy] >> to & 1 != 0 {
            self.toggle(enemy, to);
        }
        self.black_to_move = !self.black_to_move;
        self.key ^= 1;
        self.ply += 1;
    }

    /// The side that has moved wins, also if both are connected.
    fn decided(&self) -> Option<bool> {
        let [own, enemy] = self.sides();
        if is_connected(self.stones[enemy]) {
            Some(false)
        } else {
            is_connected(self.stones[own]).then_some(true)
        }
    }

    fn is_drawn(&self) -> bool {
        self.ply >= LAST_PLY
    }

    fn evaluate(&self) -> i32 {
        let [own, enemy] = self.sides();
        // To be on the move is worth something.
        scatter(self.stones[enemy]) - scatter(self.stones[own]) + 20
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn notation(&self, m: Move) -> String {
        let name = |cell: u16| format!("{}{}", char::from(b'A' + (cell % 8) as u8), 8 - cell / 8);
        format!("{}-{}", name(m % 64), name(m / 64))
    }
}
