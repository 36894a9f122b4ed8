//! Threads that are started once and parked between searches.
//!
//! The one idea: starting a thread under load takes milliseconds, waking a parked one
//! microseconds; so the engines of both kinds keep their workers and call them to each search by
//! raising an epoch. Nothing here allocates after [`Workers::start`].

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::clock::Budget;
use super::memory::touch_stack;

struct State {
    /// Raised by one for each search.
    epoch: u64,
    /// Workers that have not finished the current phase of it.
    running: usize,
    /// The current phase and the number of phases of the search.
    phase: usize,
    phases: usize,
    quit: bool,
}

struct Shared {
    count: usize,
    state: Mutex<State>,
    wake: Condvar,
    finished: Condvar,
}

/// Time to the first interim report; each further one comes after twice as long.
const FIRST_REPORT: Duration = Duration::from_millis(50);

/// Time between two looks at whether the search is settled.
const TICK: Duration = Duration::from_millis(8);

/// How long a new pondering waits for the previous search to end.
pub const HALT_TIME: Duration = Duration::from_millis(5);

/// A fixed crew of parked threads.
pub struct Workers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts `count` threads; each calls `search` with its index and the number of the phase for
    /// every phase of a [`Workers::begin`].
    /// A panic in one ends its part of that search and nothing else.
    ///
    /// # Errors
    /// The system has no thread to give; those that had started are ended.
    pub fn start(
        count: usize,
        search: impl Fn(usize, usize) + Send + Sync + 'static,
    ) -> io::Result<Workers> {
        let shared = Arc::new(Shared {
            count,
            state: Mutex::new(State { epoch: 0, running: count, phase: 0, phases: 1, quit: false }),
            wake: Condvar::new(),
            finished: Condvar::new(),
        });
        let search = Arc::new(search);
        let mut workers = Workers { shared, threads: Vec::with_capacity(count) };
        for index in 0..count {
            let (shared, search) = (workers.shared.clone(), search.clone());
            let thread = thread::Builder::new()
                .name(format!("worker {index}"))
                .spawn(move || run(index, &shared, &*search))?;
            workers.threads.push(thread);
        }
        workers.shared.rehearse_waiting(&workers.shared.finished);
        workers.wait_until(None);
        Ok(workers)
    }

    /// Wakes all workers for a search in so many phases: the next begins when all workers have
    /// ended one. The previous search must have finished.
    pub fn begin(&self, phases: usize) {
        let mut state = self.shared.state.lock();
        assert_eq!(state.running, 0, "the previous search has finished");
        (state.phase, state.phases) = (0, phases);
        state.running = self.shared.count;
        state.epoch += 1;
        self.shared.wake.notify_all();
    }

    /// Waits until all workers have finished, at the latest until `deadline`. Answers whether
    /// they have.
    pub fn wait_until(&self, deadline: Option<Instant>) -> bool {
        let mut state = self.shared.state.lock();
        while state.running > 0 {
            match deadline {
                None => self.shared.finished.wait(&mut state),
                Some(deadline) => {
                    if self.shared.finished.wait_until(&mut state, deadline).timed_out() {
                        return state.running == 0;
                    }
                }
            }
        }
        true
    }

    /// Watches over a search that began at `started`: returns when all workers have finished, the
    /// deadline has come or a stop is asked for, or `settled` says that it may end. Calls `interim`
    /// now and then meanwhile. Answers whether all workers have finished.
    pub fn watch(
        &self,
        started: Instant,
        budget: &Budget,
        mut settled: impl FnMut() -> bool,
        mut interim: impl FnMut(),
    ) -> bool {
        let deadline = budget.deadline;
        let mut next_report = started + FIRST_REPORT;
        loop {
            let tick = Instant::now() + TICK;
            let until = deadline.map_or(tick, |deadline| tick.min(deadline));
            let ended = self.wait_until(Some(until));
            let late = deadline.is_some_and(|deadline| deadline <= until);
            if ended || late || budget.stopped() || settled() {
                return ended;
            }
            if until >= next_report {
                interim();
                next_report += next_report - started;
            }
        }
    }
}

impl Drop for Workers {
    /// Ends and joins the threads; a search must have finished or been told to stop.
    fn drop(&mut self) {
        self.shared.state.lock().quit = true;
        self.shared.wake.notify_all();
        for thread in self.threads.drain(..) {
            // A worker's panics have been caught and logged.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Waits for a moment, since a thread's first wait takes memory that later ones use again.
    fn rehearse_waiting(&self, condition: &Condvar) {
        condition.wait_for(&mut self.state.lock(), Duration::from_nanos(1));
    }

    /// Notes that a worker has finished a phase.
    fn finish(&self) {
        let mut state = self.state.lock();
        state.running -= 1;
        if state.running > 0 {
            return;
        }
        if state.phase + 1 < state.phases {
            state.phase += 1;
            state.running = self.count;
            state.epoch += 1;
            self.wake.notify_all();
        } else {
            self.finished.notify_all();
        }
    }
}

fn run(index: usize, shared: &Shared, search: &impl Fn(usize, usize)) {
    touch_stack();
    shared.rehearse_waiting(&shared.wake);
    shared.finish();
    let mut seen = 0;
    loop {
        let phase = {
            let mut state = shared.state.lock();
            while state.epoch == seen && !state.quit {
                shared.wake.wait(&mut state);
            }
            if state.quit {
                return;
            }
            seen = state.epoch;
            state.phase
        };
        if catch_unwind(AssertUnwindSafe(|| search(index, phase))).is_err() {
            log::error!("worker {index} panicked; the search goes on without it");
        }
        shared.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    #[test]
    fn every_worker_runs_once_per_search() {
        let calls = Arc::new([const { AtomicUsize::new(0) }; 3]);
        let counted = calls.clone();
        let workers = Workers::start(3, move |index, _| {
            counted[index].fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        for _ in 0..100 {
            workers.begin(1);
            assert!(workers.wait_until(None));
        }
        assert!(calls.iter().all(|count| count.load(Ordering::Relaxed) == 100));
    }

    #[test]
    fn a_phase_begins_when_all_have_ended_the_one_before() {
        let ended = Arc::new([const { AtomicUsize::new(0) }; 3]);
        let counted = ended.clone();
        let workers = Workers::start(4, move |_, phase| {
            for (earlier, count) in counted.iter().enumerate() {
                let expected = if earlier < phase { 4 } else { 0 };
                assert!(earlier == phase || count.load(Ordering::Relaxed) == expected);
            }
            counted[phase].fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        for _ in 0..100 {
            ended.iter().for_each(|count| count.store(0, Ordering::Relaxed));
            workers.begin(3);
            assert!(workers.wait_until(None));
            assert!(ended.iter().all(|count| count.load(Ordering::Relaxed) == 4));
        }
    }

    #[test]
    fn a_watch_ends_when_a_stop_is_asked_for() {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = stop.clone();
        let workers = Workers::start(1, move |_, _| {
            while !seen.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        })
        .unwrap();
        workers.begin(1);
        let deadline = Some(Instant::now() + Duration::from_secs(60));
        let budget = Budget { deadline, nodes: None, stop: Some(&stop) };
        thread::scope(|scope| {
            scope.spawn(|| stop.store(true, Ordering::Relaxed));
            workers.watch(Instant::now(), &budget, || false, || ());
        });
        assert!(budget.stopped() && budget.deadline.unwrap() > Instant::now());
        assert!(workers.wait_until(deadline));
    }

    #[test]
    fn a_panic_ends_only_one_part_of_one_search() {
        let workers = Workers::start(2, |index, _| assert_ne!(index, 0, "planted")).unwrap();
        for _ in 0..3 {
            workers.begin(1);
            assert!(workers.wait_until(Some(Instant::now() + Duration::from_secs(60))));
        }
    }
}
