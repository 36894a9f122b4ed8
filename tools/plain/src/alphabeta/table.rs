//! The transposition table: what was found about positions that come again.

use super::board::Move;

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    pub score: i16,
    pub best: Move,
    /// Plies that were searched; below 0 in an empty entry.
    pub depth: i8,
    pub bound: Bound,
    /// The number of the search, modulo 256.
    search: u8,
}

const EMPTY: Entry =
    Entry { key: 0, score: 0, best: 0, depth: -1, bound: Bound::AtMost, search: 0 };

/// One entry for each remainder of a key.
pub struct Table {
    entries: Vec<Entry>,
    search: u8,
}

impl Table {
    /// A table of at most `bytes` bytes, with one entry at least.
    pub fn new(bytes: usize) -> Table {
        let entries = (bytes / size_of::<Entry>()).max(1);
        // The largest power of two that fits.
        Table { entries: vec![EMPTY; 1 << entries.ilog2()], search: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// A new search begins: entries of earlier ones are replaced first.
    pub fn begin_search(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    /// What is known about a position.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.slot(key)];
        (entry.key == key && entry.depth >= 0).then_some(entry)
    }

    /// Keeps what was found, unless a deeper entry of the same search is there for another
    /// position.
    pub fn put(&mut self, key: u64, score: i32, best: Move, depth: i32, bound: Bound) {
        let (slot, search) = (self.slot(key), self.search);
        let old = &mut self.entries[slot];
        let depth = depth.clamp(0, i32::from(i8::MAX)) as i8;
        if old.key == key || old.search != search || old.depth <= depth {
            *old = Entry { key, score: score as i16, best, depth, bound, search };
        }
    }
}
