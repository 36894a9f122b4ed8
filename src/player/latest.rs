//! What an engine thought last, for those who look at it while it plays.
//!
//! The one idea: the thread that plays never waits; if somebody is just looking, this report is not
//! kept, and the next one is.

use parking_lot::Mutex;

use crate::search::report::Report;

/// The latest report of an engine, with the position that was searched.
pub struct Latest<G> {
    slot: Mutex<Option<(G, Report)>>,
}

impl<G> Default for Latest<G> {
    fn default() -> Latest<G> {
        Latest { slot: Mutex::new(None) }
    }
}

impl<G: Copy> Latest<G> {
    /// Keeps a report unless somebody is looking.
    pub(super) fn keep(&self, position: &G, report: &Report) {
        if let Some(mut slot) = self.slot.try_lock() {
            *slot = Some((*position, report.clone()));
        }
    }

    /// The latest report, if there is one. For threads without a clock.
    pub fn get(&self) -> Option<(G, Report)> {
        self.slot.lock().clone()
    }

    /// What a function makes of the latest report; none if there is no report, or somebody is
    /// looking.
    pub(super) fn glance<T>(&self, read: impl FnOnce(&Report) -> T) -> Option<T> {
        let slot = self.slot.try_lock()?;
        slot.as_ref().map(|(_, report)| read(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;

    #[test]
    fn nobody_waits_for_one_who_looks() {
        let latest = Latest::default();
        assert!(latest.get().is_none());
        latest.keep(&1, &Report::of_move(Move::from_code(7)));
        let looking = latest.slot.lock();
        latest.keep(&2, &Report::of_move(Move::from_code(8)));
        assert_eq!(latest.glance(|report| report.best), None);
        drop(looking);
        let (position, report) = latest.get().unwrap();
        assert_eq!((position, report.best), (1, Move::from_code(7)), "the second was not kept");
        assert_eq!(latest.glance(|report| report.best), Some(Move::from_code(7)));
    }
}
