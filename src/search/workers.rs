//! Threads that are started once and parked between searches.
//!
//! The one idea: starting a thread under load takes milliseconds, waking a parked one microseconds;
//! so both kinds of engines keep their workers and start each search by raising an epoch. Nothing
//! here allocates after [`Workers::start`], and no thread ever waits for a lock: a worker that owns
//! one while it waits for a core would delay the watcher beyond its deadline.
//!
//! A worker that gets no core may still be in the previous search when the next one begins: that
//! one is begun beside it ([`Workers::begin_beside`]). It owes an end of each search; when it
//! comes, it joins the newest.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::clock::Budget;
use super::delays::{Delays, Haste};
use super::memory::prepare_thread;
use super::priority;

/// What the workers and their watcher share.
struct WorkersState {
    count: usize,
    /// Raised by one for each phase of a search.
    epoch: AtomicU64,
    /// Ends that the workers owe: one each of the current phase, and one more of each earlier
    /// search that a worker has not ended.
    running: AtomicU64,
    /// For each worker, the epoch up to which it has ended everything.
    ended: Vec<CachePadded<AtomicU64>>,
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
    /// How late the watcher wakes, and what that meant for the last search.
    delays: Cell<Option<Delays>>,
    haste: Cell<Option<Haste>>,
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
            running: AtomicU64::new(count as u64),
            ended: (0..count).map(|_| CachePadded::default()).collect(),
            phase: AtomicUsize::new(0),
            phases: AtomicUsize::new(1),
            quit: AtomicBool::new(false),
            threads: OnceLock::new(),
            watcher: Mutex::new(thread::current()),
        });
        let search = Arc::new(search);
        let threads = Vec::with_capacity(count);
        let (delays, haste) = Default::default();
        let mut workers = Workers { shared, threads, delays, haste };
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

    /// Wakes all workers for a search of one phase, though some have not ended the previous one,
    /// which must be in its last phase ([`Workers::in_last_phase`]). These join when they have.
    pub fn begin_beside(&self) {
        let shared = &*self.shared;
        debug_assert!(self.in_last_phase());
        shared.watched_by_us();
        // Relaxed: an end of this search comes after the epoch was seen. The phase stays the last
        // one, so no worker can take its end for that of an earlier phase.
        shared.running.fetch_add(shared.count as u64, Ordering::Relaxed);
        shared.wake();
    }

    /// Whether the current search is in its last phase, where it stays.
    pub fn in_last_phase(&self) -> bool {
        // Relaxed: the number of phases is our own word. Acquire: the ends that the workers owe of
        // the phase are counted already. It may rise meanwhile, but not beyond the last.
        let (phase, phases) = (&self.shared.phase, &self.shared.phases);
        phase.load(Ordering::Acquire) + 1 == phases.load(Ordering::Relaxed)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.shared.count
    }

    /// Whether all workers have ended everything up to an epoch.
    pub fn all_ended(&self, epoch: u64) -> bool {
        (0..self.shared.count).all(|worker| self.has_ended(worker, epoch))
    }

    /// Whether a worker has ended everything up to an epoch.
    pub fn has_ended(&self, worker: usize, epoch: u64) -> bool {
        // Acquire: what the worker has done is seen.
        self.shared.ended[worker].load(Ordering::Acquire) >= epoch
    }

    /// The epoch of the current phase.
    pub fn epoch(&self) -> u64 {
        // Relaxed: it only rises, and what it stands for is not read by it.
        self.shared.epoch.load(Ordering::Relaxed)
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

    /// Watches a search that began at `started`: returns at the deadline or as much before it as
    /// the machine is late ([`Delays::end`]), at a stop, when all workers have finished, or when
    /// `settled` returns true. Calls `interim` from time to time. Returns whether all workers have
    /// finished.
    pub fn watch(
        &self,
        started: Instant,
        budget: &Budget,
        mut settled: impl FnMut() -> bool,
        mut interim: impl FnMut(),
    ) -> bool {
        let mut next_report = started + FIRST_REPORT;
        loop {
            let now = Instant::now();
            let tick = now + TICK;
            let end = self.delays().end(started, budget);
            let until = end.map_or(tick, |end| tick.min(end));
            let ended = self.wait_until(Some(until));
            // Who did not sleep was not woken late.
            if !ended && now < until {
                self.learn(Instant::now().saturating_duration_since(until));
            }
            let late = end.is_some_and(|end| end <= until);
            if ended || late || budget.stopped() || settled() {
                self.haste.set(self.delays().haste(started, budget).filter(|_| late));
                return ended;
            }
            if until >= next_report {
                interim();
                next_report += (next_report - started).min(MAX_REPORT_INTERVAL);
            }
        }
    }
}

impl Workers {
    /// Records by how much the watcher woke late.
    fn learn(&self, delay: Duration) {
        let mut delays = self.delays();
        delays.add(delay);
        self.delays.set(Some(delays));
    }

    /// What is known of them, by the thread that watches.
    fn delays(&self) -> Delays {
        self.delays.get().unwrap_or_else(|| Delays::new(priority::is_high()))
    }

    /// Why the last search that was watched ended before its deadline; none if it did not, or ended
    /// by itself.
    pub fn haste(&self) -> Option<Haste> {
        self.haste.get()
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
        // Relaxed: read by workers that have seen the epoch, or by who has seen the phase.
        self.running.store(self.count as u64, Ordering::Relaxed);
        // Release, and after the count: who sees the last phase may add to the ends that are owed
        // before the epoch is raised (`begin_beside`).
        self.phase.store(phase, Ordering::Release);
        self.wake();
    }

    /// Raises the epoch, and wakes all workers.
    fn wake(&self) {
        // Release: everything that a worker is to see comes before.
        self.epoch.fetch_add(1, Ordering::Release);
        self.threads.get().into_iter().flatten().for_each(Thread::unpark);
    }

    /// Records that a worker has finished a phase, with as many ends as it owes. The last one
    /// begins the next phase, if any; in between, the workers never count as finished.
    fn finish(&self, owed: u64) {
        // Relaxed: the phase stays until all have finished it.
        let next = self.phase.load(Ordering::Relaxed) + 1;
        let is_last_phase = next == self.phases.load(Ordering::Relaxed);
        // Acquire and release: the last worker, and the thread that waits for it, see all writes.
        let mut running = self.running.load(Ordering::Acquire);
        loop {
            if running == owed && !is_last_phase {
                return self.begin_phase(next);
            }
            match self.running.compare_exchange_weak(
                running,
                running - owed,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => break,
                Err(now) => running = now,
            }
        }
        if running == owed
            && let Some(watcher) = self.watcher.try_lock()
        {
            watcher.unpark();
        }
    }
}

fn run(index: usize, shared: &WorkersState, search: &impl Fn(usize, usize)) {
    prepare_thread();
    shared.finish(1);
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
        // More than one if searches began beside this worker before it woke: all but the newest are
        // over.
        let owed = epoch - seen;
        seen = epoch;
        let phase = shared.phase.load(Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| search(index, phase))).is_err() {
            log::error!("worker {index} panicked; the search continues without it");
        }
        // Release: who sees it sees what the worker has done.
        shared.ended[index].store(epoch, Ordering::Release);
        shared.finish(owed);
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
    fn searches_begin_beside_a_late_worker_which_joins_the_newest() {
        let gate = Arc::new(AtomicBool::new(true));
        let calls = Arc::new([const { AtomicUsize::new(0) }; 3]);
        let (counted, held) = (calls.clone(), gate.clone());
        let workers = Workers::start(3, move |index, _| {
            counted[index].fetch_add(1, Ordering::Relaxed);
            while index == 2 && held.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        })
        .unwrap();
        let called = |worker: usize| calls[worker].load(Ordering::Relaxed);
        workers.begin(1);
        // Otherwise it might wake when that search is over, and have no part in it.
        while called(2) == 0 {
            thread::yield_now();
        }
        for search in 1..=5 {
            while !(workers.has_ended(0, search) && workers.has_ended(1, search)) {
                thread::yield_now();
            }
            assert_eq!((called(0), called(1)), (search as usize, search as usize));
            assert!(!workers.wait_until(Some(Instant::now())) && !workers.all_ended(1));
            workers.begin_beside();
        }
        gate.store(false, Ordering::Relaxed);
        assert!(workers.wait_until(Some(Instant::now() + Duration::from_secs(60))));
        assert!(workers.all_ended(workers.epoch()));
        assert_eq!((called(0), called(1), called(2)), (6, 6, 2));
        workers.begin(1);
        assert!(workers.wait_until(None));
        assert_eq!(called(2), 3);
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
