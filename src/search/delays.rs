//! How late the system wakes the watcher of a search, learnt from its own waking.
//!
//! The one idea: a watcher wakes every few milliseconds anyway, and how late it woke then foretells
//! how late it will wake at the end. A search ends as much earlier as is needed for an answer by
//! [`Budget::latest`]. One hiccup foretells nothing; two do, and are forgotten slowly. Only of the
//! very first wakings each counts, and a watcher without a high priority is taken for a late one,
//! as nothing is known before them.

use std::fmt;
use std::time::Duration;

use super::clock::{Budget, Instant};

/// A delay fades by one part in this many with each waking: by half in about 700 of them, which is
/// six seconds of searching on a machine that is quiet again.
const FADING: u32 = 1024;

/// At least one part in this many of the planned time is searched, however late the machine is.
const LEAST_SHARE: u32 = 8;

/// Of this many wakings at the start the largest delay counts, afterwards the second largest: a
/// hiccup is rare, so a delay that comes so soon is likely to come again.
const FIRST_WAKINGS: u32 = 16;

/// What is expected at the start of a watcher whose priority is that of all others: about as long
/// as a thread may wait on two cores beside a dozen busy sessions.
const ASSUMED: Duration = Duration::from_millis(40);

/// That fades by one part in this many with each waking: by half in 45 of them.
const ASSUMED_FADING: u32 = 64;

/// The largest recent delays of a watcher.
#[derive(Clone, Copy, Debug)]
pub struct Delays {
    largest: Duration,
    second: Duration,
    /// How many were recorded, up to [`FIRST_WAKINGS`].
    wakings: u32,
    /// What is expected without having been seen.
    assumed: Duration,
}

impl Delays {
    /// Nothing seen yet, of a watcher that runs before others or does not.
    pub fn new(high_priority: bool) -> Delays {
        let (largest, second) = (Duration::ZERO, Duration::ZERO);
        let assumed = if high_priority { Duration::ZERO } else { ASSUMED };
        Delays { largest, second, wakings: 0, assumed }
    }

    /// Records by how much a waking was late.
    pub fn add(&mut self, delay: Duration) {
        self.assumed -= self.assumed / ASSUMED_FADING;
        self.largest -= self.largest / FADING;
        self.second -= self.second / FADING;
        self.second = self.second.max(delay.min(self.largest));
        self.largest = self.largest.max(delay);
        if self.wakings < FIRST_WAKINGS {
            self.wakings += 1;
            self.second = self.largest;
        }
    }

    /// Nearly all wakings to come are less late than this: half as much again as the second
    /// largest recent delay. Of two wakings before, a third is often later than both; of fifty,
    /// one in a thousand is later than this where delays are spread as on a busy Linux.
    pub fn expected(&self) -> Duration {
        self.seen().max(self.assumed)
    }

    fn seen(&self) -> Duration {
        self.second + self.second / 2
    }

    /// When the watcher of a search that began at `started` is to wake at the latest: at the
    /// deadline, or so much earlier that it answers by the latest moment even if it wakes late.
    pub fn end(&self, started: Instant, budget: &Budget) -> Option<Instant> {
        let (deadline, latest) = (budget.deadline?, budget.latest);
        let awake = |latest: Instant| latest.checked_sub(self.expected()).unwrap_or(started);
        let in_time = latest.map_or(deadline, awake);
        Some(in_time.max(least(started, deadline)).min(deadline))
    }

    /// How delays that were seen hurry such a search; none where it lasts until its deadline.
    pub fn haste(&self, started: Instant, budget: &Budget) -> Option<Haste> {
        let (deadline, latest, delay) = (budget.deadline?, budget.latest?, self.seen());
        let in_time = latest.checked_sub(delay).unwrap_or(started);
        let least = least(started, deadline);
        let earlier = deadline.saturating_duration_since(in_time.max(least));
        let enough = in_time >= least;
        (!earlier.is_zero()).then_some(Haste { delay, earlier, enough })
    }
}

/// The least that is searched before a deadline.
fn least(started: Instant, deadline: Instant) -> Instant {
    started + deadline.saturating_duration_since(started) / LEAST_SHARE
}

/// Why a search ends before its deadline: the machine wakes its watcher late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Haste {
    /// The delay that is expected.
    pub delay: Duration,
    /// By how much the search ends before its deadline.
    pub earlier: Duration,
    /// Whether that makes up for the delay.
    pub enough: bool,
}

impl fmt::Display for Haste {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Haste { delay, earlier, enough } = self;
        write!(f, "this machine wakes the player up to {} ms late: ", delay.as_millis())?;
        match enough {
            true => write!(f, "moves leave up to {} ms before their time", earlier.as_millis()),
            false => write!(f, "a move can be late, though moves leave as early as they may"),
        }
    }
}

/// What has been said of haste: each of its two kinds is said once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    enough: bool,
    not_enough: bool,
}

impl Said {
    /// What is to be said now: the haste of a search, if its kind is new.
    pub fn news(&mut self, haste: Option<Haste>) -> Option<Haste> {
        let haste = haste?;
        let said = if haste.enough { &mut self.enough } else { &mut self.not_enough };
        (!std::mem::replace(said, true)).then_some(haste)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::clock::MoveTime;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// What is known after wakings that were late by these milliseconds.
    fn at_first(delays: impl IntoIterator<Item = u64>) -> Delays {
        let mut known = Delays::new(true);
        delays.into_iter().for_each(|delay| known.add(ms(delay)));
        known
    }

    /// The same after the very first ones, which were on time.
    fn after(delays: impl IntoIterator<Item = u64>) -> Delays {
        at_first([0; FIRST_WAKINGS as usize].into_iter().chain(delays))
    }

    /// When a move of `total` ms leaves with a margin of `margin`, in ms, and whether that is
    /// believed to be early enough.
    fn leaves(known: Delays, total: u64, margin: u64) -> (u128, bool) {
        let started = Instant::now();
        let budget = MoveTime::new(ms(total), ms(margin)).budget(started);
        let end = known.end(started, &budget).unwrap() - started;
        let haste = known.haste(started, &budget);
        let earlier = haste.map_or(Duration::ZERO, |haste| haste.earlier);
        assert_eq!(started + end + earlier, budget.deadline.unwrap(), "with a high priority");
        (end.as_millis(), haste.is_none_or(|haste| haste.enough))
    }

    #[test]
    fn a_quiet_machine_uses_the_whole_time() {
        assert_eq!(leaves(after([]), 1000, 150), (850, true));
        assert_eq!(leaves(after([0, 1, 4, 0, 3, 4]), 1000, 150), (850, true));
        assert_eq!(leaves(after([0, 1, 4, 0, 3, 4]), 100, 150), (75, true));
    }

    #[test]
    fn one_hiccup_costs_nothing() {
        let known = after([0, 0, 35].into_iter().chain([0; 5000]));
        assert_eq!(leaves(known, 100, 150), (75, true));
        assert_eq!(leaves(after([900]), 1000, 150), (850, true));
    }

    #[test]
    fn a_delay_among_the_very_first_wakings_counts_at_once() {
        assert_eq!(leaves(at_first([20]), 100, 150), (57, true));
        assert_eq!(leaves(at_first([0, 0, 20]), 100, 150), (57, true));
        // And is forgotten like others.
        let later = at_first([20].into_iter().chain([0; 1000]));
        assert_eq!(leaves(later, 100, 150), (75, true));
    }

    #[test]
    fn without_a_high_priority_moves_leave_early_at_first() {
        let quiet = |wakings: usize, total| {
            let mut known = Delays::new(false);
            (0..wakings).for_each(|_| known.add(ms(0)));
            let started = Instant::now();
            let budget = MoveTime::new(ms(total), ms(150)).budget(started);
            assert_eq!(known.haste(started, &budget), None, "nothing was seen");
            (known.end(started, &budget).unwrap() - started).as_millis()
        };
        assert_eq!([0, 45, 90].map(|wakings| quiet(wakings, 100)), [47, 67, 75]);
        assert_eq!(quiet(0, 1000), 850, "a long move has room for that");
    }

    #[test]
    fn two_delays_bring_the_answer_forward() {
        // Half of the margin is the network's: a move of 100 ms has left by 87.5 ms.
        assert_eq!(leaves(after([20, 1, 20]), 100, 150), (57, true));
        assert_eq!(leaves(after([20, 30, 10]), 100, 150), (57, true), "the second largest counts");
        // A long move has room for them.
        assert_eq!(leaves(after([35, 35, 35]), 1000, 150), (850, true));
        assert_eq!(leaves(after([80, 80]), 1000, 150), (805, true));
    }

    #[test]
    fn delays_are_forgotten_when_the_machine_is_quiet_again() {
        let quiet = |wakings| leaves(after([20, 20].into_iter().chain(vec![0; wakings])), 100, 150);
        let [soon, later, at_last] = [100, 500, 1000].map(quiet);
        assert!(57 < soon.0 && soon.0 < later.0 && later.0 < at_last.0, "{soon:?} {later:?}");
        assert_eq!(at_last, (75, true));
        // But not while it is busy.
        let busy = (0..5000).map(|waking| if waking % 50 == 0 { 20 } else { 2 });
        assert!(leaves(after(busy), 100, 150).0 <= 61);
    }

    #[test]
    fn a_margin_is_never_shortened_and_an_eighth_of_the_time_is_searched() {
        for delay in [0, 1, 10, 40, 100, 5000] {
            for margin in [0, 5, 25] {
                let (left, _) = leaves(after([delay, delay]), 100, margin);
                assert!(left <= u128::from(100 - margin), "{delay} {margin}");
                assert!(left >= u128::from((100 - margin) / 8), "{delay} {margin}");
            }
        }
        assert_eq!(leaves(after([50, 50]), 100, 25), (12, true));
        assert_eq!(leaves(after([60, 60]), 100, 25), (9, false));
    }

    #[test]
    fn without_a_latest_moment_or_a_deadline_nothing_is_hurried() {
        let (known, now) = (after([500, 500]), Instant::now());
        let budget = Budget::until(now + ms(100));
        assert_eq!(known.end(now, &budget), budget.deadline);
        assert_eq!(known.haste(now, &budget), None);
        assert_eq!(known.end(now, &Budget::nodes(7)), None);
    }

    #[test]
    fn each_kind_of_haste_is_said_once() {
        let haste = |enough| Some(Haste { delay: ms(31), earlier: ms(18), enough });
        let mut said = Said::default();
        let lines = [None, haste(true), haste(true), haste(false), haste(false), haste(true)]
            .map(|haste| said.news(haste).map(|haste| haste.to_string()));
        let enough = "this machine wakes the player up to 31 ms late: moves leave up to 18 ms \
                      before their time";
        let not_enough = "this machine wakes the player up to 31 ms late: a move can be late, \
                          though moves leave as early as they may";
        assert_eq!(lines.iter().flatten().collect::<Vec<_>>(), [enough, not_enough]);
    }
}
