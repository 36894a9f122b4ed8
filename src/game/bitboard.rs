//! Rectangular boards in one `u64`: whole-board shifts with edge masks, rays and floods.
//!
//! The one idea: a board of `ROWS` × `COLUMNS` cells is a set of bits, cell (row, column) at bit
//! `row * COLUMNS + column`, row 0 being the top row of the text board. A step of all cells at
//! once is one rotation and one mask of the cells that have a predecessor, so nothing wraps.
//! (Hadron, with more than 64 cells, keeps its own two-word board.)

/// The eight compass directions, clockwise from north; north is toward row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the names say it
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All eight, in the order of their indices.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// The four that share a side with the cell.
    pub const ORTHOGONAL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    /// Rows and columns moved by one step.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::North => (-1, 0),
            Direction::NorthEast => (-1, 1),
            Direction::East => (0, 1),
            Direction::SouthEast => (1, 1),
            Direction::South => (1, 0),
            Direction::SouthWest => (1, -1),
            Direction::West => (0, -1),
            Direction::NorthWest => (-1, -1),
        }
    }

    /// The direction back.
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) % 8]
    }
}

/// The geometry of a board of `ROWS` × `COLUMNS` cells, at most 64; a namespace, never built.
pub struct Grid<const ROWS: usize, const COLUMNS: usize>;

impl<const ROWS: usize, const COLUMNS: usize> Grid<ROWS, COLUMNS> {
    /// Number of cells.
    pub const CELLS: usize = {
        assert!(ROWS * COLUMNS <= 64);
        ROWS * COLUMNS
    };

    /// Every cell of the board.
    pub const BOARD: u64 = u64::MAX >> (64 - Self::CELLS);

    /// For each direction: how far to rotate left, and the cells a step can arrive on.
    const STEPS: [(u32, u64); 8] = {
        let mut steps = [(0, 0); 8];
        let mut d = 0;
        while d < 8 {
            let (row_step, column_step) = Direction::ALL[d].delta();
            let offset = row_step * COLUMNS as i32 + column_step;
            let mut arrivals = 0;
            let mut cell = 0;
            while cell < Self::CELLS {
                if let Some(target) = Self::step(cell, Direction::ALL[d]) {
                    arrivals |= 1 << target;
                }
                cell += 1;
            }
            steps[d] = (offset.rem_euclid(64) as u32, arrivals);
            d += 1;
        }
        steps
    };

    /// For each direction and cell: the cells on the ray from it, itself excluded.
    /// Index 63 is a valid row of zeros where the board has fewer than 64 cells.
    pub const RAYS: [[u64; 64]; 8] = {
        let mut rays = [[0; 64]; 8];
        let mut d = 0;
        while d < 8 {
            let mut cell = 0;
            while cell < Self::CELLS {
                let mut at = cell;
                while let Some(next) = Self::step(at, Direction::ALL[d]) {
                    rays[d][cell] |= 1 << next;
                    at = next;
                }
                cell += 1;
            }
            d += 1;
        }
        rays
    };

    /// The neighbour of `cell` in a direction, if it is on the board.
    pub const fn step(cell: usize, direction: Direction) -> Option<usize> {
        let (row_step, column_step) = direction.delta();
        Self::offset(cell, row_step, column_step)
    }

    /// The cell `rows` down and `columns` to the right of `cell`, if it is on the board.
    pub const fn offset(cell: usize, rows: i32, columns: i32) -> Option<usize> {
        let row = (cell / COLUMNS) as i32 + rows;
        let column = (cell % COLUMNS) as i32 + columns;
        if row < 0 || row >= ROWS as i32 || column < 0 || column >= COLUMNS as i32 {
            None
        } else {
            Some(row as usize * COLUMNS + column as usize)
        }
    }

    /// The cells of one row, 0 at the top.
    pub const fn row(row: usize) -> u64 {
        assert!(row < ROWS);
        (u64::MAX >> (64 - COLUMNS)) << (row * COLUMNS)
    }

    /// Moves every cell of the set one step; what would leave the board is dropped.
    #[inline(always)]
    pub const fn shift(cells: u64, direction: Direction) -> u64 {
        let (rotation, arrivals) = Self::STEPS[direction as usize];
        cells.rotate_left(rotation) & arrivals
    }

    /// The set and all its neighbours in eight directions.
    #[inline(always)]
    pub const fn dilate(cells: u64) -> u64 {
        let wide =
            cells | Self::shift(cells, Direction::East) | Self::shift(cells, Direction::West);
        wide | Self::shift(wide, Direction::North) | Self::shift(wide, Direction::South)
    }

    /// Whether the set is one group of 8-neighbours (true of the empty set).
    #[inline(always)]
    pub const fn connected(cells: u64) -> bool {
        Self::first_group(cells) == cells
    }

    /// The group of 8-neighbours that holds the lowest cell of the set (empty of the empty set).
    #[inline(always)]
    pub const fn first_group(cells: u64) -> u64 {
        let mut group = cells & cells.wrapping_neg();
        loop {
            let grown = Self::dilate(group) & cells;
            if grown == group {
                return group;
            }
            group = grown;
        }
    }
}

/// Iterates over the cell indices of a set, lowest first.
#[inline(always)]
pub fn cells(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let cell = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(cell)
    })
}

/// The index of the `n`-th lowest set bit, 0-based; `n` must be below the number of set bits.
#[inline(always)]
pub fn nth_cell(set: u64, n: u32) -> u32 {
    debug_assert!(n < set.count_ones());
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        #[target_feature(enable = "bmi2")]
        #[inline]
        fn by_deposit(set: u64, n: u32) -> u32 {
            std::arch::x86_64::_pdep_u64(1 << n, set).trailing_zeros()
        }
        // SAFETY: the processor has the instruction, as it has just said.
        return unsafe { by_deposit(set, n) };
    }
    select_in_word(set, n)
}

/// [`nth_cell`] without a dedicated instruction: a binary search over the sideways sums of
/// halves, quarters and bytes (Vigna 2008, "Broadword implementation of rank/select queries").
#[inline(always)]
fn select_in_word(set: u64, mut n: u32) -> u32 {
    let pairs = set - ((set >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Byte i holds the number of set bits in bytes 0..=i.
    let sums = bytes.wrapping_mul(0x0101_0101_0101_0101);
    // A byte's high bit stays set where its sum is at most n; counting them finds the byte.
    let at_most = ((u64::from(n) * 0x0101_0101_0101_0101) | 0x8080_8080_8080_8080) - sums;
    let place = 8
        * (((at_most >> 7) & 0x0101_0101_0101_0101).wrapping_mul(0x0101_0101_0101_0101) >> 56)
            as u32;
    n -= ((sums << 8) >> place) as u32 & 0xff;
    place + u32::from(SELECT_IN_BYTE[n as usize & 7][(set >> place) as usize & 0xff])
}

/// The index of the `n`-th lowest set bit of a byte, for each n and byte; 0 where there is none.
static SELECT_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn select_finds_every_bit_of_random_words() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let set = rng.u64(..) & if rng.bool() { rng.u64(..) } else { u64::MAX };
            for (n, cell) in cells(set).enumerate() {
                assert_eq!(select_in_word(set, n as u32) as usize, cell);
                assert_eq!(nth_cell(set, n as u32) as usize, cell);
            }
        }
    }

    #[test]
    fn shifts_agree_with_single_steps() {
        fn check<const R: usize, const C: usize>() {
            for direction in Direction::ALL {
                for cell in 0..Grid::<R, C>::CELLS {
                    let expected = Grid::<R, C>::step(cell, direction).map_or(0, |to| 1 << to);
                    assert_eq!(Grid::<R, C>::shift(1 << cell, direction), expected);
                }
            }
        }
        check::<7, 8>();
        check::<8, 8>();
        check::<9, 7>();
    }

    #[test]
    fn connectivity_of_small_sets() {
        type Board = Grid<8, 8>;
        assert!(Board::connected(0));
        assert!(Board::connected(1 << 63));
        assert!(Board::connected(1 | 1 << 9 | 1 << 18));
        assert!(!Board::connected(1 << 7 | 1 << 8), "rows do not wrap");
        assert!(!Board::connected(1 | 1 << 2));
    }
}
