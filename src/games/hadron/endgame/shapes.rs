//! The values of small regions by their shape.
//!
//! The one idea: the value of a region follows from those of the regions after its moves. It is
//! stored under the region's shape, and under the least of its eight symmetric ones and their
//! negatives. So each is computed once. The table has a fixed size; later entries replace earlier
//! ones.

use super::region::Region;
use super::value::{Id, Options, STAR, TooMuch, Values, ZERO};

/// Regions of at most this many cells have a value. With 8 or 12 the endgames of the bench need the
/// same time at 26 live cells; at 50, those with 8 need a third more.
const LARGEST: usize = 10;

/// No shape has this key.
const NO_SHAPE: u64 = u64::MAX;

/// The table.
pub struct Shapes {
    entries: Box<[(u64, Id)]>,
}

impl Shapes {
    /// An empty table of this many entries, a power of two.
    pub fn new(entries: usize) -> Shapes {
        assert!(entries.is_power_of_two());
        Shapes { entries: vec![(NO_SHAPE, ZERO); entries].into_boxed_slice() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill((NO_SHAPE, ZERO));
    }

    fn look_up(&self, key: u64) -> Option<Id> {
        let (known, value) = self.entries[self.place(key)];
        (known == key).then_some(value)
    }

    fn store(&mut self, key: u64, value: Id) {
        let place = self.place(key);
        self.entries[place] = (key, value);
    }

    fn place(&self, key: u64) -> usize {
        (key >> 20) as usize & (self.entries.len() - 1)
    }

    /// The value of one region, as [`Region::split`] makes them; none if it is too large.
    pub fn value(&mut self, region: &Region, values: &mut Values) -> Result<Option<Id>, TooMuch> {
        match region.size() {
            1 => return Ok(Some(STAR)),
            size if size > LARGEST => return Ok(None),
            _ => {}
        }
        let key = region.key();
        if let Some(value) = self.look_up(key) {
            return Ok(Some(value));
        }
        let turned = region.symmetric();
        let keys = turned.iter().map(|region| (region.key(), false));
        let negative_keys = turned.iter().map(|region| (region.negated().key(), true));
        let least = keys.chain(negative_keys).min().unwrap_or((key, false));
        let value = match (self.look_up(least.0), least.1) {
            (Some(known), false) => known,
            (Some(known), true) => values.negative(known),
            (None, _) => self.work_out(region, values)?,
        };
        self.store(key, value);
        self.store(least.0, if least.1 { values.negative(value) } else { value });
        Ok(Some(value))
    }

    fn work_out(&mut self, region: &Region, values: &mut Values) -> Result<Id, TooMuch> {
        let white = self.moves(region, values)?;
        let minus_black = self.moves(&region.negated(), values)?;
        let black = minus_black.iter().map(|&id| values.negative(id)).collect();
        values.canonical(white, black)
    }

    /// What White's moves turn a region into.
    fn moves(&mut self, region: &Region, values: &mut Values) -> Result<Options, TooMuch> {
        let mut moves = Options::new();
        for cell in region.legal_cells() {
            let mut total = ZERO;
            for part in region.after_white(cell).split() {
                let value = self.value(&part, values)?.ok_or(TooMuch)?;
                total = values.add(total, value)?;
            }
            if !moves.contains(&total) {
                moves.push(total);
            }
        }
        Ok(moves)
    }
}
