//! A sum: the values and the large regions that are left, in no order.
//!
//! The one idea: White is always to move; after a move the colours are exchanged. So there is one
//! kind of sum, and each has one result.

use arrayvec::ArrayVec;

use super::Solver;
use super::region::{Region, mix};
use super::symmetry::symmetric_keys;
use super::value::{Id, TooMuch, Values, ZERO};

/// Max values and max large regions of a sum that is searched.
const MAX_VALUES: usize = 40;
const MAX_LARGE: usize = 6;

/// A region without a value, with its key and that of its negative.
#[derive(Clone, Copy)]
pub struct Large {
    /// The cells.
    pub region: Region,
    key: u128,
    negative_key: u128,
}

/// The remaining game, White to move.
#[derive(Clone)]
pub struct Sum {
    /// None of them is zero, and no two cancel.
    pub values: ArrayVec<Id, MAX_VALUES>,
    /// No two of them cancel.
    pub large: ArrayVec<Large, MAX_LARGE>,
    /// A hash of all that: 64 bits in the player, 128 where whole boards are solved.
    pub key: u128,
    /// How hard it looks for White to win: less is tried earlier.
    pub hope: i32,
}

impl Sum {
    /// Nothing.
    pub const EMPTY: Sum =
        Sum { values: ArrayVec::new_const(), large: ArrayVec::new_const(), key: 0, hope: 0 };

    /// Sets the key to what the sum consists of, in any order. Its last bit is zero.
    pub fn set_key<const BOARDS: bool>(&mut self) {
        let values = self.values.iter().map(|&id| mix(mix(u64::from(id))));
        let large = self.large.iter().map(|large| mix(large.key as u64));
        let low = values.chain(large).fold(0, u64::wrapping_add) & !1;
        self.key = u128::from(low);
        if BOARDS {
            let values = self.values.iter().map(|&id| mix(mix(mix(u64::from(id)))));
            let large = self.large.iter().map(|large| mix((large.key >> 64) as u64));
            let high = values.chain(large).fold(0, u64::wrapping_add);
            self.key |= u128::from(high) << 64;
        }
    }

    /// Exchanges the colours.
    pub fn negate(&mut self, values: &Values) {
        for value in &mut self.values {
            *value = values.negative(*value);
        }
        for large in &mut self.large {
            let (key, negative_key) = (large.negative_key, large.key);
            *large = Large { region: large.region.negated(), key, negative_key };
        }
    }

    /// Adds a value.
    pub fn add(&mut self, value: Id, values: &Values) -> Result<(), TooMuch> {
        if value == ZERO {
            return Ok(());
        }
        let negative = values.negative(value);
        match self.values.iter().position(|&other| other == negative) {
            Some(at) => drop(self.values.swap_remove(at)),
            None => self.values.try_push(value).map_err(|_| TooMuch)?,
        }
        Ok(())
    }

    /// Adds a region without a value.
    fn add_large<const BOARDS: bool>(&mut self, region: Region) -> Result<(), TooMuch> {
        if BOARDS && region.is_lost_by_mirror() {
            return Ok(());
        }
        let [key, negative_key] = if BOARDS {
            symmetric_keys(&region)
        } else {
            [region.key(), region.negated().key()].map(u128::from)
        };
        match self.large.iter().position(|other| other.key == negative_key) {
            Some(at) => drop(self.large.swap_remove(at)),
            None => {
                self.large.try_push(Large { region, key, negative_key }).map_err(|_| TooMuch)?
            }
        }
        Ok(())
    }
}

impl<const BOARDS: bool> Solver<BOARDS> {
    /// Adds what some live cells fall into to a sum.
    pub fn put(&mut self, sum: &mut Sum, cells: Region) -> Result<(), TooMuch> {
        for region in cells.split() {
            match self.shapes.value(&region, &mut self.values) {
                Ok(Some(value)) => sum.add(value, &self.values)?,
                Ok(None) => sum.add_large::<BOARDS>(region)?,
                // Without room for its value it is searched as a large one.
                Err(TooMuch) if BOARDS => sum.add_large::<BOARDS>(region)?,
                Err(TooMuch) => return Err(TooMuch),
            }
        }
        Ok(())
    }
}
