//! Hadron in rows of bits, on boards of up to 12 rows and 16 columns.
//!
//! A move is the row times 16 plus the column.

use super::board::{Board, Move, bits, random_key};
use crate::read_fields;

const MAX_ROWS: usize = 12;

#[derive(Clone)]
pub struct Hadron {
    /// White's and Black's stones in each row.
    stones: [[u16; MAX_ROWS]; 2],
    rows: usize,
    /// A bit for each column.
    columns: u16,
    black_to_move: bool,
    key: u64,
}

/// How many of four bits are set, for each column at once: the digits of a binary number.
fn count([a, b, c, d]: [u16; 4]) -> [u16; 3] {
    let (ab, cd, both_ab, both_cd) = (a ^ b, c ^ d, a & b, c & d);
    let carry = ab & cd;
    [ab ^ cd, both_ab ^ both_cd ^ carry, both_ab & both_cd]
}

impl Hadron {
    /// The cells of a row on which either side may play.
    fn playable(&self, row: usize) -> u16 {
        let digits = self.stones.each_ref().map(|stones| {
            let above = if row > 0 { stones[row - 1] } else { 0 };
            let below = if row + 1 < self.rows { stones[row + 1] } else { 0 };
            count([above, below, stones[row] << 1, stones[row] >> 1])
        });
        let differs = (0..3).fold(0, |bits, digit| bits | digits[0][digit] ^ digits[1][digit]);
        self.columns & !(differs | self.stones[0][row] | self.stones[1][row])
    }

    fn place(&mut self, side: usize, row: usize, column: usize) {
        self.stones[side][row] |= 1 << column;
        self.key ^= random_key(side, row * 16 + column);
    }
}

impl Board for Hadron {
    fn from_text(text: &str) -> Hadron {
        let (rows, side, _) = read_fields(text);
        let black_to_move = side == crate::Side::Black;
        let mut board = Hadron {
            stones: [[0; MAX_ROWS]; 2],
            rows: rows.len(),
            columns: ((1_u32 << rows[0].len()) - 1) as u16,
            black_to_move,
            key: u64::from(black_to_move),
        };
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                match character {
                    'w' => board.place(0, row, column),
                    'b' => board.place(1, row, column),
                    _ => {}
                }
            }
        }
        board
    }

    fn add_moves(&self, moves: &mut Vec<Move>) {
        for row in 0..self.rows {
            let columns = bits(self.playable(row).into());
            moves.extend(columns.map(|column| (row * 16 + column) as Move));
        }
    }

    fn play(&mut self, m: Move) {
        self.place(usize::from(self.black_to_move), usize::from(m) / 16, usize::from(m) % 16);
        self.black_to_move = !self.black_to_move;
        self.key ^= 1;
    }

    fn decided(&self) -> Option<bool> {
        (0..self.rows).all(|row| self.playable(row) == 0).then_some(false)
    }

    /// Who moves last wins: an odd number of moves that are left is good, the better the fewer
    /// they are.
    fn evaluate(&self) -> i32 {
        let moves: u32 = (0..self.rows).map(|row| self.playable(row).count_ones()).sum();
        let score = (1_000 / (moves + 1)) as i32;
        if moves % 2 == 1 { score } else { -score }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn notation(&self, m: Move) -> String {
        format!("{}{}", char::from(b'A' + (m / 16) as u8), m % 16 + 1)
    }
}
