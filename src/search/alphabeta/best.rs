//! The best result of a search so far, from whichever worker, readable at any moment.
//!
//! The one idea: the criteria between two results are packed into one word, most important first,
//! so the better result is the larger number and publishing is one atomic maximum. The watcher
//! never waits for an interrupted worker. Only the principal variation, which is for display, needs
//! a lock, and is omitted when the lock is not free.

use std::sync::atomic::{AtomicU64, Ordering};

use arrayvec::ArrayVec;
use parking_lot::Mutex;

use super::score;
use crate::game::Move;
use crate::search::report::MAX_VARIATION;

/// A line of play.
pub type Line = ArrayVec<Move, MAX_VARIATION>;

/// More than any distance to the end of a game.
const BEYOND_DISTANCE: usize = 1 << 10;

/// The sign of a score.
const SIGN: u16 = 1 << 15;

/// What a worker found at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The move to play.
    pub best: Move,
    /// Its score, or the best bound known.
    pub score: i32,
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// Whether the iteration was completed.
    pub complete: bool,
    /// How often a better move was found in this iteration.
    pub improvements: u8,
}

impl Finding {
    /// Whether the result is proven: a win of any one move, or, with all moves searched, a loss.
    pub fn is_proven(&self) -> bool {
        score::is_win(self.score) || self.complete && score::is_loss(self.score)
    }

    /// From the highest bit: 16 for a proven result, depth 8, completeness 1, improvements 7, score
    /// 16, move 16. A proven result is the larger the nearer, as what is found later about a
    /// distance only ever shortens it. The score's sign is turned round, so that a negative one is
    /// the smaller number.
    fn pack(&self) -> u64 {
        let proven = if self.is_proven() {
            BEYOND_DISTANCE.saturating_sub(score::distance(self.score))
        } else {
            0
        };
        (proven as u64) << 48
            | (self.depth.min(255) as u64) << 40
            | u64::from(self.complete) << 39
            | u64::from(self.improvements.min(127)) << 32
            | u64::from(self.score as i16 as u16 ^ SIGN) << 16
            | u64::from(self.best.to_bits())
    }

    fn unpack(word: u64) -> Option<Finding> {
        Some(Finding {
            best: Move::from_bits(word as u16)?,
            score: i32::from(((word >> 16) as u16 ^ SIGN) as i16),
            depth: (word >> 40) as u8 as usize,
            complete: word >> 39 & 1 != 0,
            improvements: (word >> 32) as u8 & 127,
        })
    }
}

/// The best finding of the current search.
pub struct Best {
    /// The packed [`Finding`], or zero.
    word: AtomicU64,
    /// The line of play of the finding with that word.
    line: Mutex<(u64, Line)>,
}

// Orderings: Relaxed throughout. The word is complete in itself, and the line is compared with it
// under the lock that guards the line.
impl Best {
    /// Nothing found.
    pub fn new() -> Best {
        Best { word: AtomicU64::new(0), line: Mutex::new((0, Line::new_const())) }
    }

    /// Forgets everything; no worker may be searching.
    pub fn clear(&self) {
        self.word.store(0, Ordering::Relaxed);
        self.line.lock().0 = 0;
    }

    /// Publishes a finding with its line, unless a better one is known.
    pub fn offer(&self, finding: &Finding, line: &Line) {
        let word = finding.pack();
        if self.word.fetch_max(word, Ordering::Relaxed) < word {
            let mut known = self.line.lock();
            if known.0 < word {
                known.0 = word;
                known.1.clone_from(line);
            }
        }
    }

    /// The best finding so far, and its line if it is at hand.
    pub fn get(&self) -> Option<(Finding, Line)> {
        let word = self.word.load(Ordering::Relaxed);
        let finding = Finding::unpack(word)?;
        let line = self.line.try_lock().filter(|known| known.0 == word);
        Some((finding, line.map_or_else(Line::new, |known| known.1.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(best: u16, score: i32, depth: usize, complete: bool) -> Finding {
        let best = Move::from_bits(best).unwrap();
        Finding { best, score, depth, complete, improvements: 1 }
    }

    fn winner(findings: &[Finding]) -> Finding {
        let best = Best::new();
        for finding in findings {
            best.offer(finding, &Line::from_iter([finding.best]));
        }
        let (finding, line) = best.get().unwrap();
        assert_eq!(line[..], [finding.best]);
        finding
    }

    #[test]
    fn the_deepest_counts_and_of_one_depth_the_complete() {
        let shallow = finding(1, 500, 7, true);
        let partial = finding(2, -100, 8, false);
        let better = Finding { improvements: 2, ..finding(3, 20, 8, false) };
        let complete = finding(4, -300, 8, true);
        assert_eq!(winner(&[shallow, partial]), partial);
        assert_eq!(winner(&[partial, shallow]), partial);
        assert_eq!(winner(&[better, partial]), better);
        assert_eq!(winner(&[better, complete, partial]), complete);
        // Otherwise the higher score, whatever the signs.
        for (lower, higher) in [(-100, 20), (-300, -100), (20, 500), (-1, 0)] {
            let pair = [finding(5, lower, 8, true), finding(6, higher, 8, true)];
            assert_eq!(winner(&pair), pair[1]);
        }
    }

    #[test]
    fn proven_results_come_first_and_the_nearer_ones_among_them() {
        let win = |plies| score::WIN_SCORE - plies;
        let deep = finding(1, 5000, 20, true);
        let won = finding(2, win(9), 10, false);
        let sooner = finding(3, win(7), 8, true);
        assert_eq!(winner(&[deep, won]), won);
        assert_eq!(winner(&[won, sooner, deep]), sooner);
        let lost = finding(4, -win(6), 5, true);
        assert_eq!(winner(&[lost, deep]), lost);
        let doubtful = finding(4, -win(6), 5, false);
        assert_eq!(winner(&[doubtful, deep]), deep, "other moves may be better");
    }

    #[test]
    fn words_hold_whole_findings() {
        for finding in [finding(65535, -30_000, 96, true), finding(1, 30_000, 0, false)] {
            assert_eq!(Finding::unpack(finding.pack()), Some(finding));
        }
        assert_eq!(Best::new().get(), None);
    }

    #[test]
    fn a_locked_line_is_left_out() {
        let best = Best::new();
        let found = finding(9, 1, 1, true);
        best.offer(&found, &Line::from_iter([found.best]));
        let _held = best.line.lock();
        assert_eq!(best.get(), Some((found, Line::new())));
    }
}
