//! Threads that are started once and parked between searches.
//!
//! The one idea: starting a thread under load takes milliseconds, waking a parked one microseconds;
//! so both kinds of engines keep their workers and start each search by raising an epoch. Nothing
//! here allocates after [`Workers::start`], and no thread ever waits for a lock: a worker that owns
//! one while it waits for a core would delay the watcher beyond its deadline.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::clock::Budget;
use super::memory::touch_stack;

/// What the workers and their watcher share.
struct WorkersState {
    count: usize,
    /// Raised by one for each phase of a search.
    epoch: AtomicU64,
    /// Workers that have not finished the current phase of it.
    running: AtomicUsize,
    /// The current phase and the number of phases of the search.
    phase: AtomicUsize,
    phases: AtomicUsize,
    quit: AtomicBool,
    /// The workers, once all have been started.
    threads: OnceLock<Vec<Thread>>,
    /// The thread that waits for the workers. No thread waits for this lock: if it is taken, the
    /// watcher is not woken, and checks a tick later.
    watcher: Mutex<Thread>,
}

/// Time to the first interim report; each further one comes after twice as long, up to a maximum.
const FIRST_REPORT: Duration = Duration::from_millis(50);
const MAX_REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two looks at whether the search is settled.
const TICK: Duration = Duration::from_millis(8);

/// A fixed crew of parked threads.
pub struct Workers {
    shared: Arc<WorkersState>,
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
        let shared = Arc::new(WorkersState {
            count,
            epoch: AtomicU64::new(0),
            running: AtomicUsize::new(count),
            phase: AtomicUsize::new(0),
            phases: AtomicUsize::new(1),
            quit: AtomicBool::new(false),
            threads: OnceLock::new(),
            watcher: Mutex::new(thread::current()),
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
        let threads = workers.threads.iter().map(|worker| worker.thread().clone()).collect();
        let known = workers.shared.threads.set(threads);
        debug_assert!(known.is_ok());
        workers.wait_until(None);
        Ok(workers)
    }

    /// Wakes all workers for a search in this many phases: the next begins when all workers have
    /// ended one. The previous search must have finished. The caller is the watcher.
    pub fn begin(&self, phases: usize) {
        let shared = &*self.shared;
        assert_eq!(shared.running.load(Ordering::Acquire), 0, "the previous search has finished");
        shared.watched_by_us();
        // Relaxed: read by workers that have seen the epoch.
        shared.phases.store(phases, Ordering::Relaxed);
        shared.begin_phase(0);
    }

    /// Waits until all workers have finished, at the latest until `deadline`. Returns whether
    /// they have. Waits for nothing else.
    pub fn wait_until(&self, deadline: Option<Instant>) -> bool {
        // Acquire: what the workers have done is seen.
        while self.shared.running.load(Ordering::Acquire) > 0 {
            match deadline {
                None => thread::park_timeout(TICK),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return self.shared.running.load(Ordering::Acquire) == 0;
                    }
                    thread::park_timeout(left.min(TICK));
                }
            }
        }
        true
    }

    /// Watches a search that began at `started`: returns at the deadline, at a stop, when all
    /// workers have finished, or when `settled` returns true. Calls `interim` from time to time.
    /// Returns whether all workers have finished.
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
                next_report += (next_report - started).min(MAX_REPORT_INTERVAL);
            }
        }
    }
}

impl Drop for Workers {
    /// Ends and joins the threads; a search must have finished or been stopped.
    fn drop(&mut self) {
        // Relaxed: the flag alone matters, and unparking comes after.
        self.shared.quit.store(true, Ordering::Relaxed);
        for worker in &self.threads {
            worker.thread().unpark();
        }
        for thread in self.threads.drain(..) {
            // A worker's panics have been caught and logged.
            let _ = thread.join();
        }
    }
}

impl WorkersState {
    /// Makes this thread the one that the last worker wakes. No worker may be at work.
    fn watched_by_us(&self) {
        if let Some(mut watcher) = self.watcher.try_lock()
            && watcher.id() != thread::current().id()
        {
            *watcher = thread::current();
        }
    }

    /// Sets all workers to work on a phase; none may be at work.
    fn begin_phase(&self, phase: usize) {
        // Relaxed: read by workers that have seen the epoch.
        self.phase.store(phase, Ordering::Relaxed);
        self.running.store(self.count, Ordering::Relaxed);
        // Release: everything that a worker is to see comes before.
        self.epoch.fetch_add(1, Ordering::Release);
        self.threads.get().into_iter().flatten().for_each(Thread::unpark);
    }

    /// Records that a worker has finished a phase. The last one begins the next phase, if any; in
    /// between, the workers never count as finished.
    fn finish(&self) {
        // Relaxed: the phase stays until all have finished it.
        let next = self.phase.load(Ordering::Relaxed) + 1;
        let is_last_phase = next == self.phases.load(Ordering::Relaxed);
        // Acquire and release: the last worker, and the thread that waits for it, see all writes.
        let mut running = self.running.load(Ordering::Acquire);
        loop {
            if running == 1 && !is_last_phase {
                return self.begin_phase(next);
            }
            match self.running.compare_exchange_weak(
                running,
                running - 1,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => break,
                Err(now) => running = now,
            }
        }
        if running == 1
            && let Some(watcher) = self.watcher.try_lock()
        {
            watcher.unpark();
        }
    }
}

fn run(index: usize, shared: &WorkersState, search: &impl Fn(usize, usize)) {
    touch_stack();
    shared.finish();
    let mut seen = 0;
    loop {
        // Acquire: what was set before the epoch was raised is seen.
        let epoch = shared.epoch.load(Ordering::Acquire);
        if shared.quit.load(Ordering::Relaxed) {
            return;
        }
        if epoch == seen {
            thread::park();
            continue;
        }
        seen = epoch;
        let phase = shared.phase.load(Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| search(index, phase))).is_err() {
            log::error!("worker {index} panicked; the search continues without it");
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
        let budget = Budget { deadline, stop: Some(&stop), ..Budget::default() };
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
