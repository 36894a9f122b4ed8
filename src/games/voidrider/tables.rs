//! Precomputed geometry of the 9 × 7 area: leaps, rays and the cells between two cells.

use crate::game::bitboard::{Direction, Grid};

/// Ranks 9 (row 0) to 1 (row 8).
pub const ROWS: usize = 9;
/// Files a to g.
pub const COLUMNS: usize = 7;
/// The area in which squares move.
pub type Board = Grid<ROWS, COLUMNS>;

/// The row of each side's king at the start (ranks 2 and 8).
pub const HOME_ROW: [usize; 2] = [7, 1];
/// The row on which each side's pawns promote (ranks 9 and 1).
pub const LAST_ROW: [usize; 2] = [0, 8];

/// A set of cells for every cell; the last entry is unused.
pub type ByCell = [u64; 64];

const fn leaps<const N: usize>(offsets: [(i32, i32); N]) -> ByCell {
    let mut sets = [0; 64];
    let mut cell = 0;
    while cell < Board::CELLS {
        let mut i = 0;
        while i < N {
            if let Some(to) = Board::offset(cell, offsets[i].0, offsets[i].1) {
                sets[cell] |= 1 << to;
            }
            i += 1;
        }
        cell += 1;
    }
    sets
}

/// Where a knight leaps.
pub static KNIGHT: ByCell =
    leaps([(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);

/// Where a king steps.
pub static KING: ByCell =
    leaps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);

/// The cells that share a side.
pub static SIDES: ByCell = leaps([(-1, 0), (0, -1), (0, 1), (1, 0)]);

/// Where a pawn of each side captures.
pub static PAWN_CAPTURES: [ByCell; 2] = [leaps([(-1, -1), (-1, 1)]), leaps([(1, -1), (1, 1)])];

/// Every cell in line with a cell, in four or eight directions, itself excluded.
const fn lines(directions: &[Direction]) -> ByCell {
    let mut sets = [0; 64];
    let mut d = 0;
    while d < directions.len() {
        let mut cell = 0;
        while cell < Board::CELLS {
            sets[cell] |= Board::RAYS[directions[d] as usize][cell];
            cell += 1;
        }
        d += 1;
    }
    sets
}

/// The rank and file of a cell.
pub static ORTHOGONALS: ByCell = lines(&Direction::ORTHOGONAL);

/// The diagonals of a cell.
pub static DIAGONALS: ByCell = lines(&[
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::SouthWest,
    Direction::NorthWest,
]);

/// The cells strictly between two cells in line; empty for cells that are not.
pub static BETWEEN: [ByCell; 64] = {
    let mut between = [[0; 64]; 64];
    let mut d = 0;
    while d < 8 {
        let direction = Direction::ALL[d];
        let mut from = 0;
        while from < Board::CELLS {
            let mut passed = 0;
            let mut at = from;
            while let Some(next) = Board::step(at, direction) {
                between[from][next] = passed;
                passed |= 1 << next;
                at = next;
            }
            from += 1;
        }
        d += 1;
    }
    between
};

/// The cells reached from `cell` in one direction, up to and including the first blocker.
#[inline(always)]
fn slide_one(cell: usize, direction: Direction, blockers: u64) -> u64 {
    let rays = &Board::RAYS[direction as usize];
    let ray = rays[cell];
    // Bits 63 and 0 stand in for "no blocker": the rays from there are empty in the directions
    // toward higher and toward lower bits.
    let first = match direction {
        Direction::East | Direction::SouthEast | Direction::South | Direction::SouthWest => {
            (ray & blockers | 1 << 63).trailing_zeros()
        }
        _ => (ray & blockers | 1).leading_zeros() ^ 63,
    };
    ray ^ rays[first as usize & 63]
}

/// The cells a rook's move may reach among `blockers`, the first blocker of each line included.
#[inline(always)]
pub fn slide_orthogonal(cell: usize, blockers: u64) -> u64 {
    slide_one(cell, Direction::North, blockers)
        | slide_one(cell, Direction::East, blockers)
        | slide_one(cell, Direction::South, blockers)
        | slide_one(cell, Direction::West, blockers)
}

/// The same for a bishop.
#[inline(always)]
pub fn slide_diagonal(cell: usize, blockers: u64) -> u64 {
    slide_one(cell, Direction::NorthEast, blockers)
        | slide_one(cell, Direction::SouthEast, blockers)
        | slide_one(cell, Direction::SouthWest, blockers)
        | slide_one(cell, Direction::NorthWest, blockers)
}
