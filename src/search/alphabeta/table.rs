//! The transposition table: what other paths and earlier iterations found, shared without a lock.
//!
//! The one idea: an entry is two words, the data and the key XOR the data. Threads may overwrite
//! each other between the two. Then the words no longer give the key back, and the entry counts as
//! absent (Hyatt and Mann, "A Lock-less Transposition Table Implementation for Parallel Search
//! Chess Engines", 2002). Four entries share a cache line; the least useful one gives way.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::game::Move;
use crate::search::EngineError;
use crate::search::memory::{Block, Element};

/// Entries in a bucket.
const WAYS: usize = 4;

/// The fewest buckets of a table.
const MIN_BUCKETS: usize = 1;

/// Searches after which the age of an entry starts again from zero.
const GENERATIONS: u8 = 64;

/// Plies of depth that one search of age weighs when an entry is chosen to give way.
const AGE_WEIGHT: i32 = 8;

/// What a score says about the position's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The value is at most the score.
    Upper = 1,
    /// The value is at least the score.
    Lower = 2,
    /// The value is the score.
    Exact = 3,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, where one was found.
    pub best: Option<Move>,
    /// For the side to move, wins counted from this position.
    pub score: i32,
    /// How the score bounds the value.
    pub bound: Bound,
    /// Plies searched, at least 1.
    pub depth: i32,
}

impl Entry {
    /// Bits 0–15 move, 16–31 score, 32–39 depth, 40–41 bound (0: no entry), 42–47 generation.
    #[inline(always)]
    fn pack(&self, generation: u8) -> u64 {
        u64::from(self.best.map_or(0, Move::to_bits))
            | u64::from(self.score as i16 as u16) << 16
            | (self.depth.clamp(0, 255) as u64) << 32
            | (self.bound as u64) << 40
            | u64::from(generation) << 42
    }

    #[inline(always)]
    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            best: Move::from_bits(data as u16),
            score: i32::from((data >> 16) as i16),
            bound,
            depth: depth_of(data),
        })
    }
}

#[inline(always)]
fn depth_of(data: u64) -> i32 {
    (data >> 32) as u8 as i32
}

#[inline(always)]
fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 % GENERATIONS
}

/// An entry as it lies in memory; zeros are none.
#[repr(C)]
struct Slot {
    /// The position's key XOR the data.
    check: AtomicU64,
    /// The packed [`Entry`].
    data: AtomicU64,
}

// Orderings: every access to a slot is Relaxed. A slot publishes only itself, and the two words
// themselves show whether they belong together, in any order of arrival.
impl Slot {
    /// The data, if it belongs to the position.
    #[inline(always)]
    fn data_of(&self, key: u64) -> Option<u64> {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data == key).then_some(data)
    }

    #[inline(always)]
    fn set(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

#[repr(C, align(64))]
struct Bucket([Slot; WAYS]);

const _: () = assert!(size_of::<Slot>() == 16);
const _: () = assert!(size_of::<Bucket>() == 64 && align_of::<Bucket>() == 64);

// SAFETY: a bucket is made of atomic integers, and any bytes are one.
unsafe impl Element for Bucket {}

/// A table of fixed size.
pub struct Table {
    buckets: Block<Bucket>,
    /// The number of the search, modulo [`GENERATIONS`].
    generation: AtomicU8,
}

impl Table {
    /// Allocates `bytes` bytes (rounded down to whole cache lines), and touches them by up to
    /// `threads` threads.
    pub fn new(bytes: usize, threads: usize) -> Result<Table, EngineError> {
        let buckets = Block::new(bytes, MIN_BUCKETS, threads)?;
        Ok(Table { buckets, generation: AtomicU8::new(0) })
    }

    /// Forgets everything. No worker may be at work.
    pub fn clear(&self) {
        self.generation.store(0, Ordering::Relaxed);
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a search: what earlier ones left is still found, but gives way first.
    pub fn begin_search(&self) {
        // Relaxed: waking the workers orders this before their reads. Late workers of the search
        // before may still store with either generation, which only makes entries older.
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// The bucket of a key: its high bits, scaled to the number of buckets.
    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The stored result of the position with that key.
    #[inline(always)]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| slot.data_of(key)).and_then(Entry::unpack)
    }

    /// Notes what was found out about the position with that key. It replaces what was known
    /// about the position, unless that came from a clearly deeper search of the same generation;
    /// or else the entry of the bucket that is shallowest, counting age as less depth.
    #[inline(always)]
    pub fn store(&self, key: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut entry = entry;
        let mut victim = &bucket.0[0];
        let mut least_worth = i32::MAX;
        for slot in &bucket.0 {
            if let Some(data) = slot.data_of(key) {
                if let Some(known) = Entry::unpack(data) {
                    let deeper = known.depth > entry.depth + 2 && entry.bound != Bound::Exact;
                    if deeper && generation_of(data) == generation {
                        return;
                    }
                    entry.best = entry.best.or(known.best);
                }
                victim = slot;
                break;
            }
            let data = slot.data.load(Ordering::Relaxed);
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            let worth = depth_of(data) - AGE_WEIGHT * i32::from(age);
            if worth < least_worth {
                least_worth = worth;
                victim = slot;
            }
        }
        victim.set(key, entry.pack(generation));
    }

    /// How full the table is with entries of the current search, in thousandths, from a sample.
    pub fn fill(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let current = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            Entry::unpack(data).is_some() && generation_of(data) == generation
        };
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(current).count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chance::Chance;
    use std::thread;

    fn entry(depth: i32, bound: Bound, best: u16) -> Entry {
        Entry { best: Move::from_bits(best), score: -1234, bound, depth }
    }

    #[test]
    fn finds_stored_entries() {
        let table = Table::new(1 << 16, 1).unwrap();
        let mut rng = fastrand::Rng::with_seed(1);
        for score in [-30_000, -1, 0, 1, 30_000] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let key = rng.u64(..);
                let entry = Entry { best: Move::from_bits(77), score, bound, depth: 9 };
                assert_eq!(table.probe(key), None);
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
        }
        assert_eq!(table.probe(0), None, "an empty slot is not the entry of key 0");
    }

    #[test]
    fn a_known_move_survives_a_search_that_found_none() {
        let table = Table::new(64, 1).unwrap();
        table.store(5, entry(3, Bound::Lower, 9));
        table.store(5, entry(4, Bound::Upper, 0));
        assert_eq!(table.probe(5), Some(entry(4, Bound::Upper, 9)));
    }

    #[test]
    fn a_much_deeper_bound_of_this_search_stays() {
        let table = Table::new(64, 1).unwrap();
        table.store(5, entry(8, Bound::Lower, 9));
        table.store(5, entry(2, Bound::Upper, 7));
        assert_eq!(table.probe(5), Some(entry(8, Bound::Lower, 9)));
        table.store(5, entry(2, Bound::Exact, 7));
        assert_eq!(table.probe(5), Some(entry(2, Bound::Exact, 7)));
    }

    #[test]
    fn the_shallowest_gives_way_and_old_age_counts_as_shallow() {
        let table = Table::new(64, 1).unwrap();
        for (key, depth) in [(1, 9), (2, 4), (3, 6), (4, 8)] {
            table.store(key, entry(depth, Bound::Exact, 1));
        }
        table.store(5, entry(1, Bound::Exact, 1));
        assert_eq!(table.probe(2), None);
        for _ in 0..2 {
            table.begin_search();
        }
        table.store(1, entry(3, Bound::Exact, 1));
        table.store(6, entry(2, Bound::Exact, 1));
        assert_eq!(table.probe(5), None);
        assert!(table.probe(1).is_some(), "renewed in this search");
    }

    #[test]
    fn only_entries_of_this_search_fill_the_table() {
        let table = Table::new(64 * 250, 1).unwrap();
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..10_000 {
            table.store(rng.u64(..), entry(1, Bound::Exact, 1));
        }
        assert!(table.fill() > 990);
        table.begin_search();
        assert_eq!(table.fill(), 0);
    }

    /// An entry that follows from its key, so that any other is another position's.
    fn entry_of(key: u64) -> Entry {
        let bound = [Bound::Upper, Bound::Lower, Bound::Exact][(key >> 8) as usize % 3];
        Entry {
            best: Move::from_bits((key >> 16) as u16 | 1),
            score: (key >> 32) as i16 as i32,
            bound,
            depth: (key >> 48) as i32 & 63,
        }
    }

    #[test]
    fn threads_never_see_the_data_of_another_position() {
        const KEYS: usize = 64;
        let rounds = if cfg!(debug_assertions) { 200_000 } else { 2_000_000 };
        let table = Table::new(2 * 64, 1).unwrap();
        let mut rng = fastrand::Rng::with_seed(3);
        let keys: Vec<u64> = (0..KEYS).map(|_| rng.u64(..)).collect();
        let found: usize = thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|seed| {
                    let (table, keys) = (&table, &keys);
                    scope.spawn(move || {
                        let mut rng = fastrand::Rng::with_seed(seed);
                        let mut found = 0;
                        for _ in 0..rounds {
                            let key = keys[rng.index(..KEYS)];
                            if rng.bool() {
                                table.store(key, entry_of(key));
                            } else if let Some(entry) = table.probe(key) {
                                assert_eq!(entry, entry_of(key));
                                found += 1;
                            }
                        }
                        found
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert!(found > 1000, "entries are found at all: {found}");
    }

    #[test]
    fn words_of_two_positions_give_neither() {
        let table = Table::new(64, 1).unwrap();
        let (a, b) = (0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321);
        table.store(a, entry_of(a));
        let slot = &table.buckets[0].0[0];
        slot.data.store(entry_of(b).pack(0), Ordering::Relaxed);
        assert_eq!(table.probe(a), None);
        assert_eq!(table.probe(b), None);
    }
}
