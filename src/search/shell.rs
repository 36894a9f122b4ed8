//! What both engines do alike: hand a job to the workers, watch the clock, stop, and end.
//!
//! The one idea: an engine is what its workers share ([`Search`]) and the shell around it. The
//! calling thread is the watcher: it wakes the workers with a job and waits until the budget ends.
//!
//! On a busy machine a worker may get no core for longer than a move lasts, so a search can begin
//! while a late worker is still in an earlier one. Each job therefore stands in a slot of its own,
//! with its own stop flag, which stays raised until all workers have left that slot.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::RwLock;

use super::clock::{Budget, Instant};
use super::delays::Haste;
use super::workers::Workers;
use crate::eval::stop::Stop;

/// How long a search waits for the workers to end the previous one; after that it begins beside
/// those that are late. Workers at work look at the stop flag more often.
const MAX_DELAY: Duration = Duration::from_millis(5);

/// Jobs that a worker may lag behind: a worker in an older one keeps the next from beginning. A
/// move takes up to three.
pub const SLOTS: usize = 16;

/// What an engine gives the shell: the state that its workers share, and their work.
pub trait Search: Send + Sync + 'static {
    /// What the workers of one search are to do.
    type Job: Copy + Send + Sync;

    /// The part of one worker in a phase of a search, until it ends or `stop` is raised. What
    /// differs from search to search is kept for each of [`SLOTS`] jobs, as a late worker may still
    /// be in an earlier one.
    fn work(&self, worker: usize, phase: usize, slot: usize, job: &Self::Job, stop: Stop<'_>);

    /// Whether a search may begin beside workers that are late in a stopped one, for all that they
    /// may still do there.
    fn may_begin_beside(&self) -> bool {
        true
    }
}

/// How the next search can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// All workers have ended the previous search.
    Clear,
    /// Some have not, but the others can begin.
    Beside,
    /// Nobody can begin.
    Blocked,
}

/// A job and what ends it.
struct Slot<J> {
    /// Workers only read it: they would wait for each other at a mutex, and waiting allocates.
    job: RwLock<J>,
    stop: AtomicBool,
    /// The epoch with which the job was over. For the watcher alone.
    last_epoch: AtomicU64,
}

/// What a shell and its workers share.
struct ShellState<S: Search> {
    search: S,
    slots: [Slot<S::Job>; SLOTS],
    /// The slot of the newest job.
    newest: AtomicUsize,
}

/// An engine's workers with what they share.
pub struct Shell<S: Search> {
    shared: Arc<ShellState<S>>,
    workers: Workers,
}

// Orderings: the stop flag is Relaxed, as it alone matters, and a stop seen a poll later is soon
// enough.
impl<S: Search> Shell<S> {
    /// Starts the threads; with none, a search is done while it is [watched](Shell::watch).
    /// `job` is any job; none is done before [`Shell::begin`].
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(search: S, threads: usize, job: S::Job) -> io::Result<Shell<S>> {
        let slot = |_| Slot {
            job: RwLock::new(job),
            stop: AtomicBool::new(true),
            last_epoch: AtomicU64::new(0),
        };
        let slots = std::array::from_fn(slot);
        let shared = Arc::new(ShellState { search, slots, newest: AtomicUsize::new(0) });
        let at_work = shared.clone();
        let workers = Workers::start(threads, move |worker, phase, watcher| {
            // Acquire: pairs with the Release in `begin`. At least as new as the epoch that the
            // worker has seen.
            let newest = at_work.newest.load(Ordering::Acquire);
            let Slot { job, stop, .. } = &at_work.slots[newest];
            let job = *job.read();
            let stop = Stop::new(stop).watched(watcher);
            at_work.search.work(worker, phase, newest, &job, stop);
        })?;
        Ok(Shell { shared, workers })
    }

    /// What the workers share.
    pub fn search(&self) -> &S {
        &self.shared.search
    }

    /// The slot of the next job, in which no worker can be before [`Shell::begin`].
    pub fn next_slot(&self) -> usize {
        (self.newest() + 1) % SLOTS
    }

    fn newest(&self) -> usize {
        // Relaxed: our own word.
        self.shared.newest.load(Ordering::Relaxed)
    }

    /// Whether a search of one phase may begin though some worker has not ended the previous one.
    /// It may not in the midst of the phases of that, and not if a worker may still be in the next
    /// slot.
    pub fn may_begin_beside(&self) -> bool {
        // A worker that has ended an epoch reads the newest slot anew, so it can only be in a job
        // that was not over with that epoch.
        let over = self.shared.slots[self.next_slot()].last_epoch.load(Ordering::Relaxed);
        self.workers.in_last_phase()
            && self.workers.all_ended(over)
            && self.search().may_begin_beside()
    }

    /// Whether the current search is in its last phase, where it stays.
    pub fn in_last_phase(&self) -> bool {
        self.workers.in_last_phase()
    }

    /// Whether a worker has not ended the current search yet.
    pub fn is_late(&self, worker: usize) -> bool {
        !self.workers.has_ended(worker, self.workers.epoch())
    }

    /// Wakes the workers for a job in this many phases. The previous search must have ended, or
    /// there is one phase and it [may begin beside](Shell::may_begin_beside) late workers.
    pub fn begin(&self, job: S::Job, phases: usize) {
        let (newest, next) = (self.newest(), self.next_slot());
        self.stop();
        let last_epoch = self.workers.epoch();
        // Relaxed: read by this thread alone.
        self.shared.slots[newest].last_epoch.store(last_epoch, Ordering::Relaxed);
        let slot = &self.shared.slots[next];
        *slot.job.write() = job;
        slot.stop.store(false, Ordering::Relaxed);
        // Release: a late worker may see it before the epoch, and then sees all that the job needs.
        self.shared.newest.store(next, Ordering::Release);
        if self.wait(Some(Instant::now())) {
            self.workers.begin(phases);
        } else {
            assert_eq!(phases, 1, "beside late workers there is one phase");
            self.workers.begin_beside();
        }
    }

    /// Watches over the search ([`Workers::watch`]); returns whether all workers have finished.
    pub fn watch(
        &self,
        started: Instant,
        budget: &Budget,
        settled: impl FnMut() -> bool,
        interim: impl FnMut(),
    ) -> bool {
        self.workers.watch(started, budget, settled, interim)
    }

    /// Why the search that was watched last ended before its deadline, if it did
    /// ([`Workers::haste`]).
    pub fn haste(&self) -> Option<Haste> {
        self.workers.haste()
    }

    /// Whether all workers have ended a search of one phase but those that are still late in an
    /// earlier one.
    pub fn is_over(&self) -> bool {
        let epoch = self.workers.epoch();
        let has_left = |worker| {
            self.workers.has_ended(worker, epoch) || !self.workers.has_ended(worker, epoch - 1)
        };
        (0..self.workers.count()).all(has_left)
    }

    /// Has the workers stop, without waiting for them.
    pub fn stop(&self) {
        self.shared.slots[self.newest()].stop.store(true, Ordering::Relaxed);
    }

    /// Stops the previous search, and waits until the workers have ended it, at the latest until
    /// the deadline; returns whether they have. It was stopped when it was reported, except for
    /// pondering, which ends only here.
    pub fn halt(&self, deadline: Option<Instant>) -> bool {
        self.stop();
        self.wait(deadline)
    }

    /// Stops the previous search, and waits a moment for workers that are late; then the next
    /// search begins beside them, if it may. Otherwise waits for them as long as the budget lasts,
    /// as where a number of nodes asks for reproducible moves.
    pub fn make_way(&self, budget: &Budget) -> Way {
        self.stop();
        let soon = Instant::now() + MAX_DELAY;
        let mut until = budget.deadline.map_or(soon, |deadline| soon.min(deadline));
        loop {
            if self.wait(Some(until)) {
                return Way::Clear;
            }
            if budget.nodes.is_none() && self.has_idle_worker() && self.may_begin_beside() {
                return Way::Beside;
            }
            let now = Instant::now();
            if budget.stopped() || budget.deadline.is_some_and(|deadline| deadline <= now) {
                return Way::Blocked;
            }
            until = budget.deadline.map_or(now + MAX_DELAY, |end| end.min(now + MAX_DELAY));
        }
    }

    /// The same before pondering, which does not wait long, and which nobody does without threads.
    pub fn make_way_to_ponder(&self) -> Way {
        if self.workers.have_no_threads() {
            return Way::Blocked;
        }
        self.make_way(&Budget::until(Instant::now() + MAX_DELAY))
    }

    /// Whether some worker has ended the current search.
    fn has_idle_worker(&self) -> bool {
        (0..self.workers.count()).any(|worker| !self.is_late(worker))
    }

    /// Waits until the workers have ended the search by themselves, at the latest until the
    /// deadline; returns whether they have.
    pub fn wait(&self, deadline: Option<Instant>) -> bool {
        self.workers.wait_until(deadline)
    }
}

impl<S: Search> Drop for Shell<S> {
    /// The workers are joined when they are dropped themselves.
    fn drop(&mut self) {
        self.stop();
    }
}

/// The part of one worker in a number of nodes or iterations dealt out to all; without a number
/// there is no limit.
pub fn share_of(all: Option<u64>, worker: usize, workers: usize) -> u64 {
    let (worker, workers) = (worker as u64, workers as u64);
    all.map_or(u64::MAX, |all| all / workers + u64::from(worker < all % workers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    /// Counts up to the job's number, or until it is stopped.
    struct Counter(AtomicU64);

    impl Search for Counter {
        type Job = u64;

        fn work(&self, _: usize, phase: usize, _: usize, job: &u64, stop: Stop<'_>) {
            for _ in 0..*job {
                if stop.raised() {
                    break;
                }
                self.0.fetch_add(1 + phase as u64, Ordering::Relaxed);
            }
        }
    }

    #[test]
    fn every_worker_does_every_phase_of_a_job() {
        let shell = Shell::start(Counter(AtomicU64::new(0)), 3, 0).unwrap();
        shell.begin(10, 2);
        assert!(shell.wait(None));
        assert_eq!(shell.search().0.load(Ordering::Relaxed), 3 * 10 * (1 + 2));
    }

    #[test]
    fn a_search_without_end_is_halted_and_the_next_begins() {
        let shell = Shell::start(Counter(AtomicU64::new(0)), 2, 0).unwrap();
        for _ in 0..3 {
            shell.begin(u64::MAX, 1);
            assert!(!shell.wait(Some(Instant::now())));
            assert!(shell.halt(None));
        }
        shell.begin(u64::MAX, 1);
        // Ends without a stop.
        drop(shell);
    }

    /// Its first worker pays no heed to a stop while it is held back. A job 0 ends at once.
    struct Held {
        held: AtomicBool,
        /// The last job of each worker.
        jobs: [AtomicU64; 2],
    }

    impl Search for Held {
        type Job = u64;

        fn work(&self, worker: usize, _: usize, _: usize, job: &u64, stop: Stop<'_>) {
            self.jobs[worker].store(*job, Ordering::Relaxed);
            let held = || worker == 0 && self.held.load(Ordering::Relaxed);
            while held() || *job > 0 && !stop.raised() {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn a_late_worker_keeps_the_others_from_nothing_until_the_slots_come_round() {
        let search = Held { held: AtomicBool::new(true), jobs: Default::default() };
        let shell = Shell::start(search, 2, 0).unwrap();
        let at = |worker: usize, job| {
            while shell.search().jobs[worker].load(Ordering::Relaxed) != job {
                std::thread::yield_now();
            }
        };
        shell.begin(1, 1);
        at(0, 1);
        at(1, 1);
        let soon = || Budget::until(Instant::now() + Duration::from_secs(60));
        for job in 2..SLOTS as u64 {
            assert_eq!(shell.make_way(&soon()), Way::Beside);
            shell.begin(job, 1);
            at(1, job);
            assert!(shell.is_late(0));
        }
        assert_eq!(shell.make_way(&soon()), Way::Beside);
        let last = SLOTS as u64;
        shell.begin(last, 1);
        at(1, last);
        // The next slot is the one in which the late worker is.
        assert_eq!(shell.make_way(&Budget::until(Instant::now())), Way::Blocked);
        // Nor is anything begun beside it where moves are to be reproducible.
        shell.search().held.store(false, Ordering::Relaxed);
        assert!(shell.halt(None));
        assert_eq!(shell.make_way(&soon()), Way::Clear);
        shell.begin(last + 1, 1);
        at(0, last + 1);
        at(1, last + 1);
        shell.search().held.store(true, Ordering::Relaxed);
        let nodes = Budget { nodes: Some(1), ..Budget::until(Instant::now() + MAX_DELAY) };
        assert_eq!(shell.make_way(&nodes), Way::Blocked);
        shell.search().held.store(false, Ordering::Relaxed);
        assert!(shell.halt(None));
    }

    #[test]
    fn a_search_is_over_when_all_but_the_late_have_ended_it() {
        let search = Held { held: AtomicBool::new(true), jobs: Default::default() };
        let shell = Shell::start(search, 2, 1).unwrap();
        shell.begin(1, 1);
        while shell.search().jobs[0].load(Ordering::Relaxed) != 1 {
            std::thread::yield_now();
        }
        let budget = Budget::until(Instant::now() + Duration::from_secs(60));
        assert_eq!(shell.make_way(&budget), Way::Beside);
        shell.begin(0, 1);
        assert!(!shell.watch(Instant::now(), &budget, || shell.is_over(), || ()));
        assert!(shell.is_late(0) && !shell.is_late(1) && !budget.stopped());
        assert!(Instant::now() < budget.deadline.unwrap());
        shell.search().held.store(false, Ordering::Relaxed);
        assert!(shell.halt(None));
    }

    #[test]
    fn all_is_dealt_out() {
        for (all, workers) in [(0, 1), (1, 4), (10, 3), (12, 4)] {
            let shares: Vec<u64> =
                (0..workers).map(|worker| share_of(Some(all), worker, workers)).collect();
            assert_eq!(shares.iter().sum::<u64>(), all);
            assert!(shares[0] - shares[workers - 1] <= 1 && shares.is_sorted_by(|a, b| a >= b));
        }
        assert_eq!(share_of(None, 0, 2), u64::MAX);
    }
}
