//! Boards that may be turned or mirrored without changing what a position is worth.

use alesia::games::{Loa, Murus, Voidrider};

/// The symmetries of a game, as they change what its network sees.
pub trait Symmetry {
    /// How many, with the one that changes nothing.
    const SYMMETRIES: usize;
    /// What an input becomes.
    fn input(input: usize, symmetry: usize) -> usize;
    /// What a row of a move becomes.
    fn row(row: usize, symmetry: usize) -> usize;
}

impl Symmetry for Murus {
    const SYMMETRIES: usize = 2;

    fn input(input: usize, symmetry: usize) -> usize {
        // The columns are eight; the threat stays where it is.
        if symmetry == 0 || input == 4 * 56 { input } else { input ^ 7 }
    }

    fn row(row: usize, symmetry: usize) -> usize {
        if symmetry == 0 || row >= 8 * 56 {
            return row;
        }
        let (cell, direction) = (row / 8, row % 8);
        (cell ^ 7) * 8 + (8 - direction) % 8
    }
}

fn square(cell: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (cell / 8, cell % 8);
    if symmetry & 1 != 0 {
        row = 7 - row;
    }
    if symmetry & 2 != 0 {
        column = 7 - column;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * 8 + column
}

impl Symmetry for Loa {
    const SYMMETRIES: usize = 8;

    fn input(input: usize, symmetry: usize) -> usize {
        if input >= 128 { input } else { input & 64 | square(input & 63, symmetry) }
    }

    fn row(row: usize, symmetry: usize) -> usize {
        Loa::input(row, symmetry)
    }
}

/// A cell of seven columns, mirrored.
fn mirrored(cell: usize) -> usize {
    cell / 7 * 7 + 6 - cell % 7
}

impl Symmetry for Voidrider {
    const SYMMETRIES: usize = 2;

    fn input(input: usize, symmetry: usize) -> usize {
        match input {
            _ if symmetry == 0 => input,
            0..819 => input / 63 * 63 + mirrored(input % 63),
            819..823 => 819 + ((input - 819) ^ 1),
            _ => input,
        }
    }

    fn row(row: usize, symmetry: usize) -> usize {
        match row {
            _ if symmetry == 0 => row,
            0..441 => row / 63 * 63 + mirrored(row % 63),
            _ => row,
        }
    }
}
