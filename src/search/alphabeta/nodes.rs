//! Counting visited positions, and noticing that the search is over.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Nodes between two checks of the stop flag: at most a millisecond of work.
const LOOK_EVERY: u64 = 256;

/// The node counter of one worker.
pub struct Nodes<'a> {
    visited: u64,
    /// The count at which the flag is checked next; at most `limit`.
    next_look: u64,
    /// At this count the search is over.
    limit: u64,
    stopped: bool,
    stop: &'a AtomicBool,
    /// The moment at which the search is over, should the watcher get no core to stop it.
    deadline: Option<Instant>,
    /// Where the watcher reads the count.
    published: &'a AtomicU64,
}

impl<'a> Nodes<'a> {
    /// A count from zero to at most `limit`, or until `stop` is raised.
    pub fn new(limit: u64, stop: &'a AtomicBool, published: &'a AtomicU64) -> Nodes<'a> {
        Nodes { visited: 0, next_look: 0, limit, stopped: false, stop, deadline: None, published }
    }

    /// The same, at most until a moment.
    pub fn until(self, deadline: Option<Instant>) -> Nodes<'a> {
        Nodes { deadline, ..self }
    }

    /// Counts one more position to visit; false when the search is over instead.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        if self.visited >= self.next_look && self.look() {
            return false;
        }
        self.visited += 1;
        true
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        self.publish();
        // Relaxed: the flag alone matters, and a stop seen a moment later is soon enough.
        self.stopped = self.visited >= self.limit
            || self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if !self.stopped {
            self.next_look = self.limit.min(self.visited + LOOK_EVERY);
        }
        self.stopped
    }

    /// The flag that ends the search.
    pub fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Lets the watcher see the count.
    pub fn publish(&self) {
        // Relaxed: a counter for reports.
        self.published.store(self.visited, Ordering::Relaxed);
    }

    /// Whether the search is over; an unfinished result is then invalid.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Positions visited.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Ends the search after at most `more` further positions.
    pub fn allow(&mut self, more: u64) {
        self.limit = self.limit.min(self.visited.saturating_add(more));
        self.next_look = self.next_look.min(self.limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_is_visited() {
        let (stop, published) = (AtomicBool::new(false), AtomicU64::new(0));
        for limit in [0, 1, 255, 256, 257, 10_000] {
            let mut nodes = Nodes::new(limit, &stop, &published);
            let visited = std::iter::repeat_with(|| nodes.visit()).take_while(|&go| go).count();
            assert_eq!(visited as u64, limit);
            assert!(nodes.stopped());
            assert_eq!(published.load(Ordering::Relaxed), limit);
        }
    }

    #[test]
    fn an_allowance_only_shortens() {
        let (stop, published) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut nodes = Nodes::new(1000, &stop, &published);
        (0..500).for_each(|_| assert!(nodes.visit()));
        nodes.allow(100);
        nodes.allow(10_000);
        assert_eq!((0..1000).filter(|_| nodes.visit()).count(), 100);
    }

    #[test]
    fn a_raised_flag_is_seen_soon() {
        let (stop, published) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut nodes = Nodes::new(u64::MAX, &stop, &published);
        (0..1000).for_each(|_| assert!(nodes.visit()));
        stop.store(true, Ordering::Relaxed);
        assert!((0..LOOK_EVERY + 1).any(|_| !nodes.visit()));
    }
}
