//! Murus Gallicus in sets of cells.
//!
//! Cell `row * 8 + column` is a bit, row 0 being black's home row. A move is the tower's cell times
//! 8 plus the direction.

use super::board::{Board, Move, bits, random_key};
use crate::read_fields;

const CELLS: u64 = (1 << 56) - 1;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
/// The enemy's home row for White and Black.
const GOAL: [u64; 2] = [0xff, 0xff << 48];
/// The rows from which a tower reaches it.
const NEAR_GOAL: [u64; 2] = [0xff << 16, 0xff << 32];
/// Plies after which the game is a tie.
const LAST_PLY: u32 = 120;

/// Steps of the directions N, NE, E, SE, S, SW, W, NW.
const STEPS: [i32; 8] = [-8, -7, 1, 9, 8, 7, -1, -9];
const NAMES: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// All cells of a set moved a step; those that leave the board are lost.
fn shift(set: u64, direction: usize) -> u64 {
    let set = match direction {
        1..=3 => set & !LAST_COLUMN,
        5..=7 => set & !FIRST_COLUMN,
        _ => set,
    };
    let step = STEPS[direction];
    (if step > 0 { set << step } else { set >> -step }) & CELLS
}

#[derive(Clone)]
pub struct Murus {
    /// Walls of White and of Black.
    walls: [u64; 2],
    towers: [u64; 2],
    black_to_move: bool,
    ply: u32,
    key: u64,
}

impl Murus {
    fn sides(&self) -> [usize; 2] {
        if self.black_to_move { [1, 0] } else { [0, 1] }
    }

    /// The towers of a side that can step, and that can sacrifice themselves, in a direction.
    fn movers(&self, side: usize, direction: usize) -> [u64; 2] {
        let enemy = 1 - side;
        let room = CELLS & !(self.towers[side] | self.towers[enemy] | self.walls[enemy]);
        let back = (direction + 4) % 8;
        let steps = self.towers[side] & shift(room & shift(room, back), back);
        [steps, self.towers[side] & shift(self.walls[enemy], back)]
    }

    /// The towers of a side that reach the goal in a direction.
    fn winners(&self, side: usize, direction: usize) -> u64 {
        self.movers(side, direction)[0] & NEAR_GOAL[side]
    }

    /// The directions towards the goal of a side.
    fn forward(side: usize) -> [usize; 3] {
        [[7, 0, 1], [3, 4, 5]][side]
    }

    fn can_win_at_once(&self, side: usize) -> bool {
        self.towers[side] & NEAR_GOAL[side] != 0
            && Self::forward(side).iter().any(|&direction| self.winners(side, direction) != 0)
    }

    fn toggle_wall(&mut self, side: usize, cell: usize) {
        self.walls[side] ^= 1 << cell;
        self.key ^= random_key(side, cell);
    }

    fn toggle_tower(&mut self, side: usize, cell: usize) {
        self.towers[side] ^= 1 << cell;
        self.key ^= random_key(2 + side, cell);
    }

    fn drop_stone(&mut self, side: usize, cell: usize) {
        if self.walls[side] >> cell & 1 != 0 {
            self.toggle_tower(side, cell);
        }
        self.toggle_wall(side, cell);
    }

    /// Stones, mobility, and how far the stones have come, for one side.
    fn worth(&self, side: usize) -> i32 {
        let (walls, towers) = (self.walls[side], self.towers[side]);
        let mobility: u32 =
            (0..8).flat_map(|direction| self.movers(side, direction)).map(u64::count_ones).sum();
        let advance: u32 = (0..7)
            .map(|row| {
                let rows = if side == 0 { 6 - row } else { row };
                rows * ((walls | towers) >> (8 * row) & 0xff).count_ones()
            })
            .sum();
        (100 * walls.count_ones() + 220 * towers.count_ones() + 15 * mobility + 8 * advance) as i32
    }
}

impl Board for Murus {
    fn from_text(text: &str) -> Murus {
        let (rows, side, ply) = read_fields(text);
        let black_to_move = side == crate::Side::Black;
        let mut board = Murus {
            walls: [0; 2],
            towers: [0; 2],
            black_to_move,
            ply,
            key: u64::from(black_to_move),
        };
        for (cell, character) in rows.concat().chars().enumerate() {
            match character {
                'w' => board.toggle_wall(0, cell),
                'b' => board.toggle_wall(1, cell),
                'W' => board.toggle_tower(0, cell),
                'B' => board.toggle_tower(1, cell),
                _ => {}
            }
        }
        board
    }

    fn add_moves(&self, moves: &mut Vec<Move>) {
        let [own, _] = self.sides();
        for direction in 0..8 {
            let [steps, sacrifices] = self.movers(own, direction);
            moves.extend(bits(steps | sacrifices).map(|cell| (cell * 8 + direction) as Move));
        }
    }

    fn add_noisy_moves(&self, moves: &mut Vec<Move>) {
        let [own, _] = self.sides();
        for direction in Self::forward(own) {
            let winners = self.winners(own, direction);
            moves.extend(bits(winners).map(|cell| (cell * 8 + direction) as Move));
        }
    }

    fn play(&mut self, m: Move) {
        let [own, enemy] = self.sides();
        let (from, step) = (usize::from(m) / 8, STEPS[usize::from(m) % 8]);
        let near = (from as i32 + step) as usize;
        self.toggle_tower(own, from);
        if self.walls[enemy] >> near & 1 != 0 {
            self.toggle_wall(enemy, near);
            self.toggle_wall(own, from);
        } else {
            self.drop_stone(own, near);
            self.drop_stone(own, (near as i32 + step) as usize);
        }
        self.black_to_move = !self.black_to_move;
        self.key ^= 1;
        self.ply += 1;
    }

    fn decided(&self) -> Option<bool> {
        let [_, enemy] = self.sides();
        ((self.walls[enemy] | self.towers[enemy]) & GOAL[enemy] != 0).then_some(false)
    }

    fn is_drawn(&self) -> bool {
        self.ply >= LAST_PLY
    }

    fn is_threatened(&self) -> bool {
        let [_, enemy] = self.sides();
        self.can_win_at_once(enemy)
    }

    fn gain(&self, m: Move) -> i32 {
        let [own, _] = self.sides();
        let (cell, direction) = (usize::from(m) / 8, usize::from(m) % 8);
        let wins = Self::forward(own).contains(&direction)
            && self.winners(own, direction) >> cell & 1 != 0;
        i32::from(wins)
    }

    fn evaluate(&self) -> i32 {
        let [own, enemy] = self.sides();
        // To be on the move is worth something.
        self.worth(own) - self.worth(enemy) + 20
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn notation(&self, m: Move) -> String {
        let (cell, direction) = (usize::from(m) / 8, usize::from(m) % 8);
        let row = char::from(b'A' + (cell / 8) as u8);
        format!("{row}{},{}", cell % 8 + 1, NAMES[direction])
    }
}
