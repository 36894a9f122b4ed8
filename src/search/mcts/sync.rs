//! The atomics of the tree: the standard library's, or under `cfg(loom)` those of loom, which
//! tries out every order that the memory model allows (see `loom_tests.rs`).

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(all(test, loom))]
pub use loom::thread;
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(all(test, not(loom)))]
pub use std::thread;
