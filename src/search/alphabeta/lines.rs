//! Several lines of play at the root.
//!
//! The one idea: the next best line is the best one without the moves of the lines before it. So
//! an iteration searches the root once for each line, and what it finds counts only when all of
//! them are complete.

use arrayvec::ArrayVec;
use parking_lot::Mutex;

use super::best::{Finding, Line};
use crate::search::report::MAX_LINES;

/// The lines of an iteration, the best first.
pub type Lines = ArrayVec<(Finding, Line), MAX_LINES>;

/// The lines of the deepest complete iteration, from whichever worker.
pub struct DeepestLines(Mutex<Lines>);

impl DeepestLines {
    /// Nothing found.
    pub fn new() -> DeepestLines {
        DeepestLines(Mutex::new(Lines::new()))
    }

    /// Forgets everything; no worker may be searching.
    pub fn clear(&self) {
        self.0.lock().clear();
    }

    /// Publishes the lines of an iteration, unless those of a deeper one are known.
    pub fn offer(&self, lines: &Lines) {
        let depth = |lines: &Lines| lines.first().map_or(0, |(finding, _)| finding.depth);
        let mut known = self.0.lock();
        if depth(lines) > depth(&known) {
            known.clone_from(lines);
        }
    }

    /// The lines, if they are at hand: nobody waits for an interrupted worker.
    pub fn get(&self) -> Lines {
        self.0.try_lock().map_or_else(Lines::new, |known| known.clone())
    }
}
