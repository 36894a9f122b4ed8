//! What an engine thought last, for those who look at it while it plays.
//!
//! The one idea: the thread that plays never waits; if somebody is just looking, this report is not
//! kept, and the next one is.

use parking_lot::Mutex;

use crate::game::Game;
use crate::games::AnyGame;
use crate::search::report::Report;

/// The latest report of an engine, with the position that was searched.
pub struct Latest {
    slot: Mutex<Option<(AnyGame, Report)>>,
}

impl Default for Latest {
    fn default() -> Latest {
        Latest { slot: Mutex::new(None) }
    }
}

impl Latest {
    /// Keeps a report unless somebody is looking.
    pub(super) fn keep(&self, position: &AnyGame, report: &Report) {
        if let Some(mut slot) = self.slot.try_lock() {
            *slot = Some((*position, report.clone()));
        }
    }

    /// The latest report, if there is one. For threads without a clock.
    pub fn get(&self) -> Option<(AnyGame, Report)> {
        self.slot.lock().clone()
    }
}

impl Latest {
    /// What a function makes of the latest report, if its move led to this position; none if it is
    /// of another move, or somebody is looking. Allocates nothing and does not wait.
    pub fn of_move<T>(&self, after: &AnyGame, read: impl FnOnce(&Report) -> T) -> Option<T> {
        let slot = self.slot.try_lock()?;
        let (before, report) = slot.as_ref()?;
        let reached = before.after(report.best);
        (reached == *after).then(|| read(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Hadron;

    /// A report on a move of an empty board, and the board after it.
    fn report(text: &str) -> (Report, AnyGame) {
        let mut position = AnyGame::from(Hadron::start(3, 3));
        let m = position.parse_move(text).unwrap();
        position.play(m);
        (Report::of_move(m), position)
    }

    #[test]
    fn nobody_waits_for_one_who_looks() {
        let (latest, start) = (Latest::default(), AnyGame::from(Hadron::start(3, 3)));
        assert!(latest.get().is_none());
        let ((first, after), (second, _)) = (report("B2"), report("A1"));
        latest.keep(&start, &first);
        let looking = latest.slot.lock();
        latest.keep(&after, &second);
        assert_eq!(latest.of_move(&after, |report| report.best), None);
        drop(looking);
        let (position, found) = latest.get().unwrap();
        assert_eq!((position, found.best), (start, first.best), "the second was not kept");
        assert_eq!(latest.of_move(&after, |report| report.best), Some(first.best));
    }

    #[test]
    fn a_report_is_not_taken_for_that_of_another_move() {
        let latest = Latest::default();
        latest.keep(&AnyGame::from(Hadron::start(3, 3)), &report("B2").0);
        assert!(latest.of_move(&report("B2").1, |_| ()).is_some());
        assert!(latest.of_move(&report("A1").1, |_| ()).is_none());
    }
}
