//! A region: live cells that hang together, each with its balance, and nothing else.
//!
//! The one idea: all that later moves depend on is which live cells touch and by how much white or
//! black stones prevail beside each. Stones, dead cells and the place on the board do not matter,
//! so regions of many positions are the same one.

use arrayvec::ArrayVec;

use crate::game::Side;
use crate::games::Hadron;
use crate::games::hadron::{MAX_SIZE, STRIDE};

/// No set of cells of a board falls into more regions than half of its cells.
pub const MAX_REGIONS: usize = 41;

/// Live cells with their balances: white less black stones beside a cell. No live cell has a
/// balance beyond ±2, as its stones and its live neighbours, which must make up for the balance,
/// are four at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    cells: u128,
    /// The cells whose balance is 1, and 2.
    white: [u128; 2],
    /// The cells whose balance is -1, and -2.
    black: [u128; 2],
}

/// Regions that a set of live cells falls into.
pub type Regions = ArrayVec<Region, MAX_REGIONS>;

#[inline(always)]
fn beside(cells: u128) -> u128 {
    cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE
}

impl Region {
    /// The live cells of a position, which may be several regions.
    #[inline(always)]
    pub fn of(position: &Hadron) -> Region {
        let mut region = Region { cells: position.live(), white: [0; 2], black: [0; 2] };
        let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side));
        // Alternating colours, so that no balance leaves ±2 in between.
        region.shift_balances(white << 1, black << 1);
        region.shift_balances(white >> 1, black >> 1);
        region.shift_balances(white << STRIDE, black << STRIDE);
        region.shift_balances(white >> STRIDE, black >> STRIDE);
        region
    }

    #[inline(always)]
    fn shift_balances(&mut self, white: u128, black: u128) {
        let overflow = self.raise(white & !black);
        debug_assert_eq!(overflow, 0);
        *self = self.negated();
        let overflow = self.raise(black & !white);
        debug_assert_eq!(overflow, 0);
        *self = self.negated();
    }

    /// Adds one to the balances of some cells; returns the cells with a balance of 2 before.
    #[inline(always)]
    fn raise(&mut self, cells: u128) -> u128 {
        let cells = cells & self.cells;
        let [one, two] = self.white;
        let [minus_one, minus_two] = self.black;
        let zero = cells & !(one | two | minus_one | minus_two);
        self.black = [(minus_one & !cells) | (minus_two & cells), minus_two & !cells];
        self.white = [(one & !cells) | zero, two | (one & cells)];
        two & cells
    }

    /// The same with the colours exchanged: the game's negative.
    #[inline(always)]
    pub fn negated(self) -> Region {
        Region { cells: self.cells, white: self.black, black: self.white }
    }

    /// How many cells there are.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.cells.count_ones() as usize
    }

    /// The cells where a stone may be placed.
    #[inline(always)]
    pub fn legal(&self) -> u128 {
        self.cells & !(self.white[0] | self.white[1] | self.black[0] | self.black[1])
    }

    /// The same one by one, each as a set.
    #[inline(always)]
    pub fn legal_cells(&self) -> impl Iterator<Item = u128> + use<> {
        let mut left = self.legal();
        std::iter::from_fn(move || {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            (cell != 0).then_some(cell)
        })
    }

    /// The cells that remain after White has placed a stone on a legal cell; maybe several regions.
    #[inline(always)]
    pub fn after_white(mut self, cell: u128) -> Region {
        self.keep(!cell);
        let dead = self.raise(beside(cell));
        self.keep(!dead);
        loop {
            let cells = self.cells;
            let (north, south) = (cells << STRIDE, cells >> STRIDE);
            let (west, east) = (cells << 1, cells >> 1);
            let some = north | south | west | east;
            let several = (north & south) | (west & east) | ((north | south) & (west | east));
            let dead = ((self.white[0] | self.black[0]) & !some)
                | ((self.white[1] | self.black[1]) & !several);
            if dead == 0 {
                return self;
            }
            self.keep(!dead);
        }
    }

    #[inline(always)]
    fn keep(&mut self, cells: u128) {
        self.cells &= cells;
        self.white = self.white.map(|set| set & cells);
        self.black = self.black.map(|set| set & cells);
    }

    /// The regions that these cells fall into, each moved to where its first cell is the lowest
    /// bit: the same shape elsewhere is the same region.
    #[inline(always)]
    pub fn split(self) -> Regions {
        let mut regions = Regions::new();
        let mut left = self.cells;
        while left != 0 {
            let mut part = left & left.wrapping_neg();
            loop {
                let grown = part | (beside(part) & left);
                if grown == part {
                    break;
                }
                part = grown;
            }
            left &= !part;
            let shift = part.trailing_zeros();
            let moved = |set: u128| (set & part) >> shift;
            regions.push(Region {
                cells: part >> shift,
                white: self.white.map(moved),
                black: self.black.map(moved),
            });
        }
        regions
    }

    /// A hash of a region that [`Region::split`] has moved.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let white = self.white[0] | self.white[1];
        let (one, two) = (self.white[0] | self.black[0], self.white[1] | self.black[1]);
        let sets = [self.cells, white, one, two];
        sets.iter().fold(0, |key, &set| mix(mix(key ^ set as u64) ^ (set >> 64) as u64))
    }

    /// The region turned and mirrored in all ways, moved as by [`Region::split`].
    pub fn symmetric(&self) -> [Region; 8] {
        // A region that was moved reaches to the left of its first cell; moved on until the last
        // column is empty, none of its rows is broken.
        let columns = (0..=STRIDE).fold(0, |columns, row| columns | self.cells >> (row * STRIDE));
        let columns = columns as usize & ((1 << STRIDE) - 1);
        let last_is_empty = |shift: &usize| columns >> (STRIDE - 1 - shift) & 1 == 0;
        let shift = (0..STRIDE).find(last_is_empty).unwrap_or(0);
        std::array::from_fn(|symmetry| {
            self.mapped(|cell| {
                let (mut row, mut column) = ((cell + shift) / STRIDE, (cell + shift) % STRIDE);
                if symmetry & 1 != 0 {
                    row = MAX_SIZE - 1 - row;
                }
                if symmetry & 2 != 0 {
                    column = MAX_SIZE - 1 - column;
                }
                if symmetry & 4 != 0 {
                    (row, column) = (column, row);
                }
                row * STRIDE + column
            })
        })
    }

    fn mapped(&self, to: impl Fn(usize) -> usize) -> Region {
        let map = |mut set: u128| {
            let mut mapped = 0_u128;
            while set != 0 {
                mapped |= 1 << to(set.trailing_zeros() as usize);
                set &= set - 1;
            }
            mapped
        };
        let cells = map(self.cells);
        let shift = cells.trailing_zeros();
        let moved = |set| map(set) >> shift;
        Region { cells: cells >> shift, white: self.white.map(moved), black: self.black.map(moved) }
    }
}

/// Spreads the bits of a word (the multiplier is that of Steele and Vigna 2021).
#[inline(always)]
pub fn mix(word: u64) -> u64 {
    let word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(0x9e37_79b9_7f4a_7c15);
    word ^ word >> 29
}
