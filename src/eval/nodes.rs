//! Counting the positions that a worker visits, and noticing that a leaf or the search is over.
//!
//! The one idea: all that an engine does at a leaf, captures followed, oracle and playout, takes
//! its positions from one count. A leaf that has taken its share, or whose search is over, counts
//! as it stands: so no position holds up a search, however many captures there are in it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::instant::Instant;
use super::stop::Stop;

/// Nodes between two checks of the stop flag: at most a millisecond of work.
const LOOK_EVERY: u64 = 256;

/// Positions that one leaf may take: more than it ever does in play, and few enough that a search
/// of a moment has many leaves.
pub const LEAF_NODES: u64 = 1024;

/// The node counter of one worker.
pub struct Nodes<'a> {
    visited: u64,
    /// The count at which is looked next whether all is over; at most `limit` and `leaf_end`.
    next_look: u64,
    /// At this count the search is over.
    limit: u64,
    /// At this count the leaf is over.
    leaf_end: u64,
    stopped: bool,
    /// Whether the leaf or the search is over.
    over: bool,
    stop: Stop<'a>,
    /// The moment at which the search is over, should the watcher get no core to stop it.
    deadline: Option<Instant>,
    /// Where the watcher reads the count.
    published: Option<&'a AtomicU64>,
}

impl<'a> Nodes<'a> {
    /// A count from zero to at most `limit`, or until `stop` is raised.
    pub fn new(limit: u64, stop: Stop<'a>) -> Nodes<'a> {
        Nodes {
            visited: 0,
            next_look: 0,
            limit,
            leaf_end: u64::MAX,
            stopped: false,
            over: false,
            stop,
            deadline: None,
            published: None,
        }
    }

    /// A count from zero to at most `limit`, which is soon reached.
    pub fn at_most(limit: u64) -> Nodes<'static> {
        Nodes::new(limit, Stop::NEVER)
    }

    /// The same, at most until a moment.
    pub fn until(self, deadline: Option<Instant>) -> Nodes<'a> {
        Nodes { deadline, ..self }
    }

    /// The same, shown to the watcher.
    pub fn shown(self, published: &'a AtomicU64) -> Nodes<'a> {
        Nodes { published: Some(published), ..self }
    }

    /// Counts one more position to visit; false when the leaf or the search is over instead.
    #[inline(always)]
    pub fn visit(&mut self) -> bool {
        if self.visited >= self.next_look && self.look() {
            return false;
        }
        self.visited += 1;
        true
    }

    /// Counts work that is worth a number of positions; false when the leaf or the search is over.
    #[inline(always)]
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.visited += nodes;
        self.visited < self.next_look || !self.look()
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        self.publish();
        self.stopped = self.visited >= self.limit
            || self.stop.raised()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.over = self.stopped || self.visited >= self.leaf_end;
        if !self.over {
            self.next_look = self.limit.min(self.leaf_end).min(self.visited + LOOK_EVERY);
        }
        self.over
    }

    /// What follows is done at one leaf.
    #[inline(always)]
    pub fn begin_leaf(&mut self) {
        const { assert!(LEAF_NODES >= LOOK_EVERY) };
        self.leaf_end = self.visited + LEAF_NODES;
        self.over = self.stopped;
    }

    /// What follows is no longer done at a leaf.
    #[inline(always)]
    pub fn end_leaf(&mut self) {
        self.leaf_end = u64::MAX;
        self.over = self.stopped;
    }

    /// The flag that ends the search.
    pub fn stop(&self) -> Stop<'a> {
        self.stop
    }

    /// Lets the watcher see the count.
    pub fn publish(&self) {
        if let Some(published) = self.published {
            // Relaxed: a counter for reports.
            published.store(self.visited, Ordering::Relaxed);
        }
    }

    /// Whether the search is over; an unfinished result is then invalid.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the leaf or the search is over.
    #[inline(always)]
    pub fn over(&self) -> bool {
        self.over
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
    use std::sync::atomic::AtomicBool;

    #[test]
    fn exactly_the_limit_is_visited() {
        let (stop, published) = (AtomicBool::new(false), AtomicU64::new(0));
        for limit in [0, 1, 255, 256, 257, 10_000] {
            let mut nodes = Nodes::new(limit, Stop::new(&stop)).shown(&published);
            let visited = std::iter::repeat_with(|| nodes.visit()).take_while(|&go| go).count();
            assert_eq!(visited as u64, limit);
            assert!(nodes.stopped());
            assert_eq!(published.load(Ordering::Relaxed), limit);
        }
    }

    #[test]
    fn an_allowance_only_shortens() {
        let mut nodes = Nodes::at_most(1000);
        (0..500).for_each(|_| assert!(nodes.visit()));
        nodes.allow(100);
        nodes.allow(10_000);
        assert_eq!((0..1000).filter(|_| nodes.visit()).count(), 100);
    }

    #[test]
    fn a_raised_flag_is_seen_soon() {
        let stop = AtomicBool::new(false);
        let mut nodes = Nodes::new(u64::MAX, Stop::new(&stop));
        (0..1000).for_each(|_| assert!(nodes.visit()));
        stop.store(true, Ordering::Relaxed);
        assert!((0..LOOK_EVERY + 1).any(|_| !nodes.visit()));
    }

    #[test]
    fn a_leaf_has_its_share_and_the_next_one_has_its_own() {
        let mut nodes = Nodes::at_most(10 * LEAF_NODES);
        for _ in 0..3 {
            nodes.begin_leaf();
            let visited = (0..2 * LEAF_NODES).filter(|_| nodes.visit()).count();
            assert_eq!((visited as u64, nodes.over(), nodes.stopped()), (LEAF_NODES, true, false));
        }
        nodes.end_leaf();
        assert_eq!((0..20 * LEAF_NODES).filter(|_| nodes.visit()).count() as u64, 7 * LEAF_NODES);
        // Once the search is over, so is each leaf.
        nodes.begin_leaf();
        assert!(nodes.stopped() && nodes.over() && !nodes.visit());
    }

    #[test]
    fn work_counts_as_positions() {
        let mut nodes = Nodes::at_most(u64::MAX);
        nodes.begin_leaf();
        assert!(nodes.spend(LEAF_NODES - 1) && nodes.visit() && !nodes.visit() && !nodes.spend(1));
    }
}
