//! Voidrider Chess on one array of cells with a border.
//!
//! Two rows above and below the area and a column on each side are outside, so that no step needs a
//! look at the edge. A move is the old cell plus 128 times the new one, plus 2^14 times the number
//! of the piece that a pawn becomes.

use super::area::*;
use super::board::{Board, Move, random_key};
use crate::read_fields;

/// Plies after which the game is a draw, and those without a capture or a pawn move.
const LAST_PLY: u32 = 200;
const QUIET_PLIES: u32 = 100;

#[derive(Clone)]
pub struct Voidrider {
    cells: [Cell; CELLS],
    /// The cells of each side's pieces, as bits.
    pieces: [u128; 2],
    kings: [usize; 2],
    /// Of each side toward each of the `WINGS`.
    rights: [[bool; 2]; 2],
    side: usize,
    ply: u32,
    quiet_plies: u32,
    /// Of the cells alone.
    hash: u64,
}

/// The moves that are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    Noisy,
}

impl Voidrider {
    fn set(&mut self, cell: usize, to: Cell) {
        let key = |what: Cell| if what == VOID { 0 } else { random_key(what.into(), cell) };
        let old = std::mem::replace(&mut self.cells[cell], to);
        self.hash ^= key(old) ^ key(to);
        if old >= FIRST_PIECE {
            self.pieces[side_of(old)] &= !(1 << cell);
        }
        if to >= FIRST_PIECE {
            self.pieces[side_of(to)] |= 1 << cell;
            if kind_of(to) == KING {
                self.kings[side_of(to)] = cell;
            }
        }
    }

    /// What comes first in a direction after any number of cells of one kind.
    fn beyond(&self, from: usize, step: isize, passed: Cell) -> usize {
        let mut cell = beside(from, step);
        while self.cells[cell] == passed {
            cell = beside(cell, step);
        }
        cell
    }

    fn can_enter(&self, cell: usize) -> bool {
        let there = self.cells[cell];
        there == EMPTY || there >= FIRST_PIECE && side_of(there) != self.side
    }

    fn is_attacked(&self, target: usize, by: usize) -> bool {
        let stands = |cell: usize, kind: u8| self.cells[cell] == piece(by, kind);
        let slides = |steps: &[isize; 4], kind: u8| {
            steps.iter().any(|&step| stands(self.beyond(target, step, EMPTY), kind))
        };
        let back = beside(target, -forward(by));
        slides(&ORTHOGONALS, ROOK)
            || slides(&DIAGONALS, BISHOP)
            || LEAPS.iter().any(|&leap| stands(beside(target, leap), KNIGHT))
            || ALL.iter().any(|&step| {
                stands(self.beyond(target, step, VOID), VOIDRIDER)
                    || stands(beside(target, step), KING)
            })
            || stands(back - 1, PAWN)
            || stands(back + 1, PAWN)
    }

    fn in_check(&self, side: usize) -> bool {
        self.is_attacked(self.kings[side], 1 - side)
    }

    /// Adds a move if it is wanted, or its four promotions.
    fn add(&self, from: usize, to: usize, wanted: Wanted, moves: &mut Vec<Move>) {
        let m = (from | to << 7) as Move;
        if kind_of(self.cells[from]) == PAWN && row_of(to) == last_row(self.side) {
            moves.extend((0..4).map(|number| m | number << 14));
        } else if wanted == Wanted::All || self.cells[to] >= FIRST_PIECE {
            moves.push(m);
        }
    }

    fn add_steps(&self, from: usize, steps: &[isize], wanted: Wanted, moves: &mut Vec<Move>) {
        for &step in steps {
            let to = beside(from, step);
            if self.can_enter(to) {
                self.add(from, to, wanted, moves);
            }
        }
    }

    fn add_slides(&self, from: usize, steps: &[isize], wanted: Wanted, moves: &mut Vec<Move>) {
        for &step in steps {
            let mut to = beside(from, step);
            while self.can_enter(to) {
                self.add(from, to, wanted, moves);
                if self.cells[to] != EMPTY {
                    break;
                }
                to = beside(to, step);
            }
        }
    }

    fn add_pawn_moves(&self, from: usize, wanted: Wanted, moves: &mut Vec<Move>) {
        let ahead = beside(from, forward(self.side));
        for (to, is_capture) in [(ahead, false), (ahead - 1, true), (ahead + 1, true)] {
            if self.can_enter(to) && (self.cells[to] != EMPTY) == is_capture {
                self.add(from, to, wanted, moves);
            }
        }
    }

    /// Moves into void cells, which become squares.
    fn add_space_moves(&self, from: usize, kind: u8, wanted: Wanted, moves: &mut Vec<Move>) {
        for step in ORTHOGONALS {
            if kind == PAWN && step == -forward(self.side) {
                continue;
            }
            let mut to = beside(from, step);
            while self.cells[to] == VOID {
                let mut sides = ORTHOGONALS.iter().map(|&step| beside(to, step));
                if sides.any(|side| side != from && self.cells[side] >= EMPTY) {
                    self.add(from, to, wanted, moves);
                }
                if kind != VOIDRIDER {
                    break;
                }
                to = beside(to, step);
            }
        }
    }

    fn add_castling(&self, moves: &mut Vec<Move>) {
        let row = home_row(self.side);
        for (wing, [_, king_to, rook_to]) in WINGS.into_iter().enumerate() {
            let path = [KING_COLUMN, rook_to, king_to].map(|column| at(row, column));
            if self.rights[self.side][wing]
                && path[1..].iter().all(|&cell| self.cells[cell] == EMPTY)
                && !path.iter().any(|&cell| self.is_attacked(cell, 1 - self.side))
            {
                self.add(path[0], path[2], Wanted::All, moves);
            }
        }
    }

    fn add_wanted(&self, wanted: Wanted, moves: &mut Vec<Move>) {
        for from in cells(self.pieces[self.side]) {
            let kind = kind_of(self.cells[from]);
            match kind {
                KING => self.add_steps(from, &ALL, wanted, moves),
                ROOK => self.add_slides(from, &ORTHOGONALS, wanted, moves),
                BISHOP => self.add_slides(from, &DIAGONALS, wanted, moves),
                KNIGHT => self.add_steps(from, &LEAPS, wanted, moves),
                PAWN => self.add_pawn_moves(from, wanted, moves),
                _ => {
                    for to in ALL.map(|step| self.beyond(from, step, VOID)) {
                        if self.can_enter(to) {
                            self.add(from, to, wanted, moves);
                        }
                    }
                }
            }
            if kind == PAWN || wanted == Wanted::All {
                self.add_space_moves(from, kind, wanted, moves);
            }
        }
    }

    /// Material, advanced pawns, other pieces' distance to the enemy's king and their freedom.
    fn worth(&self, side: usize) -> i32 {
        let king = self.kings[1 - side];
        let of_piece = |cell: usize| {
            let kind = kind_of(self.cells[cell]);
            let far =
                row_of(cell).abs_diff(row_of(king)) + column_of(cell).abs_diff(column_of(king));
            let free = ALL.iter().filter(|&&step| self.cells[beside(cell, step)] == EMPTY).count();
            VALUES[usize::from(kind)]
                + match kind {
                    PAWN => 12 * (8 - row_of(cell).abs_diff(last_row(side))) as i32,
                    KING => 0,
                    _ => 4 * free as i32 - 6 * far as i32,
                }
        };
        cells(self.pieces[side]).map(of_piece).sum()
    }
}

/// The cells of a set.
fn cells(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}

impl Board for Voidrider {
    fn from_text(text: &str) -> Voidrider {
        let (rows, side, ply) = read_fields(text);
        let mut fields = text.split_whitespace().skip(3);
        let letters = fields.next().expect("castling rights");
        let quiet_plies = fields.next().expect("quiet plies").parse();
        let mut board = Voidrider {
            cells: [OUTSIDE; CELLS],
            pieces: [0; 2],
            kings: [0; 2],
            rights: RIGHTS.map(|wings| wings.map(|letter| letters.contains(letter))),
            side: side as usize,
            ply,
            quiet_plies: quiet_plies.expect("a number of plies"),
            hash: 0,
        };
        for (row, line) in rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                let kind = LETTERS.iter().position(|&c| c == character.to_ascii_uppercase());
                let what = match (character, kind) {
                    ('#', _) => VOID,
                    (_, Some(kind)) => piece(character.is_ascii_lowercase().into(), kind as u8),
                    _ => EMPTY,
                };
                board.cells[at(row, column)] = VOID;
                board.set(at(row, column), what);
            }
        }
        board
    }

    fn add_moves(&self, moves: &mut Vec<Move>) {
        self.add_wanted(Wanted::All, moves);
        if self.rights[self.side].contains(&true) {
            self.add_castling(moves);
        }
    }

    fn add_noisy_moves(&self, moves: &mut Vec<Move>) {
        self.add_wanted(Wanted::Noisy, moves);
    }

    fn play(&mut self, m: Move) {
        let (from, to) = (usize::from(m) % 128, usize::from(m) >> 7 & 127);
        let (moved, target) = (self.cells[from], self.cells[to]);
        let promotes = kind_of(moved) == PAWN && row_of(to) == last_row(self.side);
        let becomes = match promotes {
            true => piece(self.side, PROMOTIONS[usize::from(m >> 14)]),
            false => moved,
        };
        self.set(from, if target == VOID { VOID } else { EMPTY });
        self.set(to, becomes);
        if kind_of(moved) == KING {
            self.rights[self.side] = [false; 2];
            // Only castling moves a king two columns.
            if from.abs_diff(to) == 2 {
                let [rook, _, rook_to] = WINGS[usize::from(to > from)];
                self.set(at(row_of(to), rook), EMPTY);
                self.set(at(row_of(to), rook_to), piece(self.side, ROOK));
            }
        }
        for side in [0, 1] {
            for (wing, [rook, ..]) in WINGS.into_iter().enumerate() {
                let corner = at(home_row(side), rook);
                self.rights[side][wing] &= from != corner && to != corner;
            }
        }
        self.quiet_plies = match target >= FIRST_PIECE || kind_of(moved) == PAWN {
            true => 0,
            false => self.quiet_plies + 1,
        };
        self.side = 1 - self.side;
        self.ply += 1;
    }

    fn was_illegal(&self) -> bool {
        self.in_check(1 - self.side)
    }

    fn is_drawn(&self) -> bool {
        self.ply >= LAST_PLY || self.quiet_plies >= QUIET_PLIES
    }

    fn is_threatened(&self) -> bool {
        self.in_check(self.side)
    }

    fn loses_without_moves(&self) -> bool {
        self.in_check(self.side)
    }

    /// The most valuable victim first, taken by the least valuable piece.
    fn gain(&self, m: Move) -> i32 {
        let (from, to) = (usize::from(m) % 128, usize::from(m) >> 7 & 127);
        let value = |cell: Cell| VALUES[usize::from(kind_of(cell))];
        let mut gain = 0;
        if self.cells[to] >= FIRST_PIECE {
            gain += 10 * value(self.cells[to]) - value(self.cells[from]) + 1;
        }
        if kind_of(self.cells[from]) == PAWN && row_of(to) == last_row(self.side) {
            gain += 10 * VALUES[usize::from(PROMOTIONS[usize::from(m >> 14)])];
        }
        gain
    }

    fn reversible_plies(&self) -> usize {
        self.quiet_plies as usize
    }

    fn evaluate(&self) -> i32 {
        // To be on the move is worth something.
        self.worth(self.side) - self.worth(1 - self.side) + 10
    }

    fn key(&self) -> u64 {
        let held = self.rights.as_flattened().iter().enumerate().filter(|(_, held)| **held);
        let rights = held.fold(0, |bits, (number, _)| bits | 1 << number);
        self.hash ^ random_key(rights * 2 + self.side, 255)
    }

    fn notation(&self, m: Move) -> String {
        let (from, to) = (usize::from(m) % 128, usize::from(m) >> 7 & 127);
        let name = |cell: usize| {
            format!("{}{}", char::from(b'a' + column_of(cell) as u8), ROWS - row_of(cell))
        };
        let mut text = format!("{}-{}", name(from), name(to));
        if kind_of(self.cells[from]) == PAWN && row_of(to) == last_row(self.side) {
            text.push('=');
            text.push(LETTERS[usize::from(PROMOTIONS[usize::from(m >> 14)])]);
        }
        text
    }
}
