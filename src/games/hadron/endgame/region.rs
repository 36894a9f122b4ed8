//! A region: live cells that hang together, each with its balance, and nothing else.
//!
//! The one idea: all that later moves depend on is which live cells touch and by how much white or
//! black stones prevail beside each. Stones, dead cells and the place on the board do not matter,
//! so regions of many positions are the same one.

use crate::game::{Game, Side};
use crate::games::Hadron;
use crate::games::hadron::{MAX_ROWS, MAX_SIZE, STRIDE};

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

    /// The same as the side to move sees it, as if it were White.
    #[inline(always)]
    pub fn of_mover(position: &Hadron) -> Region {
        let region = Region::of(position);
        if position.side() == Side::Black { region.negated() } else { region }
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
    pub fn split(self) -> impl Iterator<Item = Region> {
        let mut left = self.cells;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
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
            Some(Region {
                cells: part >> shift,
                white: self.white.map(moved),
                black: self.black.map(moved),
            })
        })
    }

    /// Whether half a turn makes it its own negative, and no cell is its own image or touches it.
    /// Then the side to move loses, as the other answers each stone on the image of its cell. Both
    /// cells have balances of 0, or neither has, and a stone on one changes nothing about the
    /// other.
    #[inline(always)]
    pub fn is_lost_by_mirror(&self) -> bool {
        if self.cells == 0 {
            return true;
        }
        // The half turn takes a bit to the first bit and the last bit less it: what touches before
        // touches after it, wherever the rows begin.
        let first = self.cells.trailing_zeros();
        let last = 127 - self.cells.leading_zeros() - first;
        let turned = |set: u128| (set >> first).reverse_bits() >> (127 - last);
        let same =
            |one: [u128; 2], other: [u128; 2]| one.map(turned) == other.map(|set| set >> first);
        if turned(self.cells) != self.cells >> first || !same(self.white, self.black) {
            return false;
        }
        let middle = self.cells >> first >> (last / 2);
        let above = self.cells >> first >> (last / 2).saturating_sub(STRIDE as u32 / 2);
        // With an even last bit the cell in the middle is its own image, and the cell half a row
        // before may lie above its own. With an odd one the cell in the middle is beside its own.
        let is_beside = last.is_multiple_of(2) && last >= STRIDE as u32 && above & 1 != 0;
        middle & 1 == 0 && !is_beside
    }

    /// The number of cells that are not the negative of their image after half a turn.
    pub fn unbalanced(&self) -> u32 {
        if self.cells == 0 {
            return 0;
        }
        let first = self.cells.trailing_zeros();
        let last = 127 - self.cells.leading_zeros() - first;
        let turned = |set: u128| ((set >> first).reverse_bits() >> (127 - last)) << first;
        let differ = (turned(self.cells) ^ self.cells)
            | (turned(self.white[0]) ^ self.black[0])
            | (turned(self.white[1]) ^ self.black[1]);
        (differ & self.cells).count_ones()
    }

    /// A hash of a region that [`Region::split`] has moved.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        let white = self.white[0] | self.white[1];
        let (one, two) = (self.white[0] | self.black[0], self.white[1] | self.black[1]);
        let sets = [self.cells, white, one, two];
        sets.iter().fold(0, |key, &set| mix(mix(key ^ set as u64) ^ (set >> 64) as u64))
    }

    /// The region turned and mirrored in all ways, moved as by [`Region::split`]. For regions of up
    /// to [`STRIDE`] rows, and so for all of up to as many cells.
    pub fn symmetric(&self) -> [Region; 8] {
        let shift = self.unbroken();
        std::array::from_fn(|symmetry| {
            self.mapped(|cell| {
                let (mut row, mut column) = ((cell + shift) / STRIDE, (cell + shift) % STRIDE);
                if symmetry & 1 != 0 {
                    row = MAX_ROWS - 1 - row;
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

    /// The bits to move a region by so that none of its rows is broken. A region that was moved
    /// reaches to the left of its first cell; moved on until the last column is empty, it does not.
    pub fn unbroken(&self) -> usize {
        let columns = (0..MAX_ROWS).fold(0, |columns, row| columns | self.cells >> (row * STRIDE));
        let columns = columns as usize & ((1 << STRIDE) - 1);
        let last_is_empty = |shift: &usize| columns >> (STRIDE - 1 - shift) & 1 == 0;
        (0..STRIDE).find(last_is_empty).unwrap_or(0)
    }

    /// The cells, lowest first, each with its balance, counted from -2: a balance of 0 is 2.
    pub fn balances(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let Region { mut cells, white, black } = *self;
        std::iter::from_fn(move || {
            if cells == 0 {
                return None;
            }
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let has = |set: u128| (set >> cell) as usize & 1;
            Some((cell, 2 + has(white[0]) + 2 * has(white[1]) - has(black[0]) - 2 * has(black[1])))
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
