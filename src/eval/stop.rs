//! Whether a search is to end.
//!
//! The one idea: all that works asks here now and then. A watcher with a thread of its own raises
//! the flag; where there are no threads, each question gives the watcher its turn.

use std::sync::atomic::{AtomicBool, Ordering};

/// Where nobody can ask for the end of the search.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The stop flag of a search.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    flag: &'a AtomicBool,
    watcher: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Stop<'a> {
    /// Never raised.
    pub const NEVER: Stop<'static> = Stop::new(&NEVER);

    /// A flag that another thread may raise.
    pub const fn new(flag: &'a AtomicBool) -> Stop<'a> {
        Stop { flag, watcher: None }
    }

    /// The same, where `watcher` is asked too whether the search is over.
    pub fn watched(self, watcher: Option<&'a dyn Fn() -> bool>) -> Stop<'a> {
        Stop { watcher, ..self }
    }

    /// Whether the search is to end.
    #[inline(always)]
    pub fn raised(self) -> bool {
        // Relaxed: the flag alone matters, and a stop seen a moment later is soon enough.
        self.flag.load(Ordering::Relaxed)
            || self.watcher.is_some_and(|is_over| {
                let over = is_over();
                if over {
                    self.raise();
                }
                over
            })
    }

    /// Ends the search for all who ask.
    pub fn raise(self) {
        // Relaxed: as above.
        self.flag.store(true, Ordering::Relaxed);
    }
}
