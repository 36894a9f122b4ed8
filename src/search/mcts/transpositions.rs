//! The transposition table: finds the node of a tree that has the children of a position.
//!
//! The one idea: the children of a position that several move sequences reach are made once. The
//! first of its nodes that gets children stores its index here. The others link to the same
//! children, so that all share their results. The tree becomes a graph without cycles (Childs,
//! Brodeur and Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", 2008, their
//! UCT2). Only positions of the same ply are equal, since limits and proofs count plies.
//!
//! Where repetitions count, the subtree of a position depends on the path to it. That is neglected:
//! a draw by repetition on one path stays in the mean of all, though it proves nothing. A win that
//! is proven below may on another path pass through a third occurrence, a draw; this is checked
//! only at the moves of the root (`roots.rs`). The plies without capture or pawn move differ only
//! between paths that contain one, and are far from their limit there.
//!
//! A slot is two words, the index and the key XOR the index, so that a slot that two threads write
//! at once counts as empty (Hyatt and Mann 2002). It is always overwritten: a lost entry costs only
//! some work, or some room where a tree is copied.

use super::sync::{AtomicU64, Ordering};
use crate::eval::processor::prefetch;
use crate::search::memory::Element;

/// Near 2^64 / golden ratio: multiples of it are far apart (Knuth, TAOCP 6.4).
const APART: u64 = 0x9e37_79b9_7f4a_7c15;

/// What an entry is found by.
#[derive(Clone, Copy)]
pub struct Key {
    /// Gives the slot: the same in every generation, so that a search does the same in each.
    place: u64,
    /// Identifies the entry.
    whose: u64,
}

impl Key {
    /// Of a position by its Zobrist key and ply, in a generation of its tree.
    #[inline(always)]
    pub fn of_position(key: u64, ply: usize, generation: u64) -> Key {
        let place = key ^ (ply as u64).wrapping_mul(APART);
        Key { place, whose: place ^ (generation << 16).wrapping_mul(APART) }
    }

    /// Of a group of children by the index of its first, in a generation of its tree.
    pub fn of_group(first: usize, generation: u64) -> Key {
        Key::of_position((first as u64).wrapping_mul(APART).rotate_left(32), 0, generation)
    }
}

/// An entry as it lies in memory.
#[repr(C)]
#[derive(Default)]
pub struct Slot {
    /// The key XOR the node.
    check: AtomicU64,
    /// The index of the node; 0, which no node has, where there is none.
    node: AtomicU64,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Slot>() == 16);

// SAFETY: a slot is made of atomic integers, and any bytes are one; of loom's no block is made.
unsafe impl Element for Slot {}

/// A table over slots that are all zero at first.
#[derive(Clone, Copy)]
pub struct Transpositions<'a> {
    slots: &'a [Slot],
}

// Orderings: a thread that finds a node by either word sees all earlier writes to it (Acquire and
// Release), as its place in the ring may have belonged to another node before.
impl<'a> Transpositions<'a> {
    /// A table over these slots; with none, nothing is ever found.
    pub fn new(slots: &'a [Slot]) -> Self {
        Transpositions { slots }
    }

    #[inline(always)]
    fn slot(&self, key: Key) -> Option<&'a Slot> {
        // The low half as a fraction of the table.
        let at = ((key.place & u64::from(u32::MAX)) * self.slots.len() as u64) >> 32;
        self.slots.get(at as usize)
    }

    /// Has the processor fetch the slot of a key that is soon looked for.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        if let Some(slot) = self.slot(key) {
            prefetch(slot);
        }
    }

    /// The index of the node that was stored for a key.
    #[inline(always)]
    pub fn find(&self, key: Key) -> Option<usize> {
        let slot = self.slot(key)?;
        let node = slot.node.load(Ordering::Acquire);
        let same = slot.check.load(Ordering::Acquire) ^ node == key.whose;
        (same && node != 0).then_some(node as usize)
    }

    /// Stores the index of a node, which is not 0, for a key.
    #[inline(always)]
    pub fn store(&self, key: Key, node: usize) {
        if let Some(slot) = self.slot(key) {
            slot.check.store(key.whose ^ node as u64, Ordering::Release);
            slot.node.store(node as u64, Ordering::Release);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn slots(count: usize) -> Vec<Slot> {
        (0..count).map(|_| Slot::default()).collect()
    }

    #[test]
    fn a_node_is_found_by_position_ply_and_generation() {
        let slots = slots(64);
        let table = Transpositions::new(&slots);
        assert_eq!(table.find(Key::of_position(0, 0, 0)), None, "zeros are no entry");
        let key = Key::of_position(0x1234_5678_9abc_def0, 7, 3);
        table.store(key, 42);
        assert_eq!(table.find(key), Some(42));
        for (position, ply, generation) in [(1, 7, 3), (0, 8, 3), (0, 7, 4), (1 << 63, 7, 3)] {
            let other = Key::of_position(0x1234_5678_9abc_def0 ^ position, ply, generation);
            assert_eq!(table.find(other), None);
        }
        table.store(key, 43);
        assert_eq!(table.find(key), Some(43));
    }

    #[test]
    fn entries_of_one_slot_replace_each_other() {
        let slots = slots(1);
        let table = Transpositions::new(&slots);
        let keys = [1, 2].map(|first| Key::of_group(first, 0));
        table.store(keys[0], 5);
        table.store(keys[1], 6);
        assert_eq!(keys.map(|key| table.find(key)), [None, Some(6)]);
    }

    #[test]
    fn a_slot_that_two_threads_have_written_counts_as_empty() {
        let slots = slots(1);
        let table = Transpositions::new(&slots);
        let keys = [1, 2].map(|first| Key::of_group(first, 0));
        table.store(keys[0], 5);
        slots[0].check.store(keys[1].whose ^ 6, Ordering::Relaxed);
        assert_eq!(keys.map(|key| table.find(key)), [None, None]);
    }

    #[test]
    fn without_slots_nothing_is_found() {
        let table = Transpositions::new(&[]);
        let key = Key::of_group(1, 1);
        table.store(key, 1);
        assert_eq!(table.find(key), None);
    }
}
