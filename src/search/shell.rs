//! What both engines do alike: hand a job to the workers, watch the clock, stop, and end.
//!
//! The one idea: an engine is what its workers share ([`Search`]) and the shell around it. The
//! calling thread is the watcher: it wakes the workers with a job and waits until the budget ends.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::RwLock;

use super::clock::Budget;
use super::workers::Workers;

/// How long pondering waits for the previous search to end; after that it is left out this time,
/// as its caller must not be kept waiting.
const MAX_PONDER_DELAY: Duration = Duration::from_millis(5);

/// What an engine gives the shell: the state that its workers share, and their work.
pub trait Search: Send + Sync + 'static {
    /// What the workers of one search are to do.
    type Job: Copy + Send + Sync;

    /// The part of one worker in a phase of a search, until it ends or `stop` is raised.
    fn work(&self, worker: usize, phase: usize, job: &Self::Job, stop: &AtomicBool);
}

/// What a shell and its workers share.
struct ShellState<S: Search> {
    search: S,
    /// Workers only read it: they would wait for each other at a mutex, and waiting allocates.
    job: RwLock<S::Job>,
    stop: AtomicBool,
}

/// An engine's workers with what they share.
pub struct Shell<S: Search> {
    shared: Arc<ShellState<S>>,
    workers: Workers,
}

// Orderings: the stop flag is Relaxed, as it alone matters, and a stop seen a poll later is soon
// enough.
impl<S: Search> Shell<S> {
    /// Starts the threads. `job` is any job; none is done before [`Shell::begin`].
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(search: S, threads: usize, job: S::Job) -> io::Result<Shell<S>> {
        let stop = AtomicBool::new(false);
        let shared = Arc::new(ShellState { search, job: RwLock::new(job), stop });
        let at_work = shared.clone();
        let workers = Workers::start(threads, move |worker, phase| {
            let job = *at_work.job.read();
            at_work.search.work(worker, phase, &job, &at_work.stop);
        })?;
        Ok(Shell { shared, workers })
    }

    /// What the workers share.
    pub fn search(&self) -> &S {
        &self.shared.search
    }

    /// Wakes the workers for a job in this many phases. The previous search must have ended.
    pub fn begin(&self, job: S::Job, phases: usize) {
        *self.shared.job.write() = job;
        self.shared.stop.store(false, Ordering::Relaxed);
        self.workers.begin(phases);
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

    /// Has the workers stop, without waiting for them.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Stops the previous search, and waits until the workers have ended it, at the latest until
    /// the deadline; returns whether they have. It was stopped when it was reported, except for
    /// pondering, which ends only here.
    pub fn halt(&self, deadline: Option<Instant>) -> bool {
        self.stop();
        self.wait(deadline)
    }

    /// The same before pondering, which does not wait long.
    pub fn halt_to_ponder(&self) -> bool {
        self.halt(Some(Instant::now() + MAX_PONDER_DELAY))
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

        fn work(&self, _: usize, phase: usize, job: &u64, stop: &AtomicBool) {
            for _ in 0..*job {
                if stop.load(Ordering::Relaxed) {
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
