//! What threads share a tree by: atomics and a queue. They are the usual ones, or under `cfg(loom)`
//! those of loom, which tries out every order that the memory model allows (see `loom_tests.rs`).

#[cfg(not(loom))]
pub use crossbeam::queue::ArrayQueue;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(all(test, loom))]
pub use loom::thread;
#[cfg(loom)]
pub use loom::thread::yield_now;
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(all(test, not(loom)))]
pub use std::thread;
#[cfg(not(loom))]
pub use std::thread::yield_now;

/// What crossbeam's queue promises: what is popped was pushed before, with all that came before.
/// Its own atomics are not loom's.
#[cfg(loom)]
pub struct ArrayQueue<T> {
    items: loom::sync::Mutex<std::collections::VecDeque<T>>,
    capacity: usize,
}

#[cfg(loom)]
impl<T> ArrayQueue<T> {
    /// An empty queue with room for `capacity` items.
    pub fn new(capacity: usize) -> ArrayQueue<T> {
        ArrayQueue { items: loom::sync::Mutex::default(), capacity }
    }

    /// Adds an item at the end; returns it if there is no room.
    pub fn push(&self, item: T) -> Result<(), T> {
        let mut items = self.items.lock().unwrap();
        if items.len() == self.capacity {
            return Err(item);
        }
        items.push_back(item);
        Ok(())
    }

    /// Takes the oldest item.
    pub fn pop(&self) -> Option<T> {
        self.items.lock().unwrap().pop_front()
    }
}
