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

use std::cell::{Cell, RefCell};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle, Thread};
use std::time::Duration;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::clock::{Budget, Instant};
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
const FIRST_REPORT: Duration = TICK;
const MAX_REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two looks at whether the search is settled.
const TICK: Duration = Duration::from_millis(8);

/// Without threads the watcher answers one in this many questions whether the search is over:
/// fewer than are asked in a tick, and more than would make its clock felt.
const ASKED: u32 = 16;

/// Asked by workers without threads whether the watcher ends the search.
pub type Watcher<'a> = Option<&'a dyn Fn() -> bool>;

/// The part of a worker, which gets its index, the number of the phase and who watches.
type Part = Box<dyn Fn(usize, usize, Watcher) + Send + Sync>;

/// A fixed crew of parked threads, or one worker without a thread.
pub struct Workers {
    shared: Arc<WorkersState>,
    threads: Vec<JoinHandle<()>>,
    /// Without threads, the work that waits for its watcher to do it.
    here: Option<Part>,
    /// How late the watcher wakes, and what that meant for the last search.
    delays: Cell<Option<Delays>>,
    haste: Cell<Option<Haste>>,
}

impl Workers {
    /// Starts `count` threads; each calls `search` with its index and the number of the phase for
    /// every phase of a [`Workers::begin`].
    /// A panic in one ends its part of that search and nothing else. Without threads there is one
    /// worker, whose part is done by who waits for it or watches it.
    ///
    /// # Errors
    /// The system has no thread to give; those that had started are ended.
    pub fn start(
        count: usize,
        search: impl Fn(usize, usize, Watcher) + Send + Sync + 'static,
    ) -> io::Result<Workers> {
        let here = count == 0;
        let count = count.max(1);
        let shared = Arc::new(WorkersState {
            count,
            epoch: AtomicU64::new(0),
            running: AtomicU64::new(if here { 0 } else { count as u64 }),
            ended: (0..count).map(|_| CachePadded::default()).collect(),
            phase: AtomicUsize::new(0),
            phases: AtomicUsize::new(1),
            quit: AtomicBool::new(false),
            threads: OnceLock::new(),
            watcher: Mutex::new(thread::current()),
        });
        let (threads, delays, haste) = Default::default();
        let mut workers = Workers { shared, threads, here: None, delays, haste };
        if here {
            workers.here = Some(Box::new(search));
            return Ok(workers);
        }
        let search = Arc::new(search);
        workers.threads.reserve_exact(count);
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
    /// they have. Waits for nothing else. Without threads it does their work.
    pub fn wait_until(&self, deadline: Option<Instant>) -> bool {
        if let Some(part) = &self.here {
            self.shared.work_here(part, None);
            return true;
        }
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
    /// finished. Without threads it does their work, and asks the same between two parts of it.
    pub fn watch(
        &self,
        started: Instant,
        budget: &Budget,
        settled: impl FnMut() -> bool,
        interim: impl FnMut(),
    ) -> bool {
        let mut watch = Watch::new(started, budget, settled, interim);
        if let Some(part) = &self.here {
            return self.watch_here(part, watch);
        }
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
            if ended || watch.is_over(until, late) {
                self.haste.set(self.delays().haste(started, budget).filter(|_| late));
                return ended;
            }
        }
    }

    /// Does the work, and watches it meanwhile.
    fn watch_here(&self, part: &Part, watch: Watch<impl FnMut() -> bool, impl FnMut()>) -> bool {
        let deadline = watch.budget.deadline;
        let tick = |now: Instant| deadline.map_or(now + TICK, |end| end.min(now + TICK));
        let next = Cell::new(tick(watch.started));
        let (asked, watch) = (Cell::new(0), RefCell::new(watch));
        let is_over = || {
            asked.set(asked.get() + 1);
            if asked.get() % ASKED != 0 {
                return false;
            }
            let now = Instant::now();
            // Never in use: a report asks for nothing of its own.
            let Ok(mut watch) = watch.try_borrow_mut() else { return false };
            if now < next.get() {
                return false;
            }
            next.set(tick(now));
            watch.is_over(now, deadline.is_some_and(|end| end <= now))
        };
        self.shared.work_here(part, Some(&is_over));
        true
    }
}

impl Workers {
    /// Whether work is done only while somebody waits for it or watches it.
    pub fn have_no_threads(&self) -> bool {
        self.here.is_some()
    }

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

/// What a watcher asks at each tick.
struct Watch<'a, S, I> {
    started: Instant,
    budget: &'a Budget<'a>,
    settled: S,
    interim: I,
    next_report: Instant,
}

impl<'a, S: FnMut() -> bool, I: FnMut()> Watch<'a, S, I> {
    fn new(started: Instant, budget: &'a Budget<'a>, settled: S, interim: I) -> Self {
        Watch { started, budget, settled, interim, next_report: started + FIRST_REPORT }
    }

    /// Whether the search ends at this moment, as where it is `late`; else reports if it is time.
    fn is_over(&mut self, now: Instant, late: bool) -> bool {
        if late || self.budget.stopped() || (self.settled)() {
            return true;
        }
        if now >= self.next_report {
            (self.interim)();
            self.next_report += (self.next_report - self.started).min(MAX_REPORT_INTERVAL);
        }
        false
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

    /// The part of a worker in the current phase, and its end of all that it owes.
    fn take_part(&self, index: usize, epoch: u64, owed: u64, part: impl FnOnce(usize)) {
        let phase = self.phase.load(Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| part(phase))).is_err() {
            log::error!("worker {index} panicked; the search continues without it");
        }
        // Release: who sees it sees what the worker has done.
        self.ended[index].store(epoch, Ordering::Release);
        self.finish(owed);
    }

    /// Does all that the only worker has to do, in this thread.
    fn work_here(&self, part: &Part, watcher: Watcher) {
        // Relaxed, here and below: no other thread is about it.
        while self.running.load(Ordering::Relaxed) > 0 {
            let epoch = self.epoch.load(Ordering::Relaxed);
            self.take_part(0, epoch, 1, |phase| part(0, phase, watcher));
        }
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

fn run(index: usize, shared: &WorkersState, search: &impl Fn(usize, usize, Watcher)) {
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
        shared.take_part(index, epoch, owed, |phase| search(index, phase, None));
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
        let workers = Workers::start(3, move |index, _, _| {
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
        let workers = Workers::start(4, move |_, phase, _| {
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
    fn without_threads_the_work_is_done_in_turn_by_who_waits_for_it() {
        let phases = Arc::new(Mutex::new(Vec::new()));
        let (seen, us) = (phases.clone(), thread::current().id());
        let workers = Workers::start(0, move |index, phase, _| {
            assert_eq!((index, thread::current().id()), (0, us));
            seen.lock().push(phase);
        })
        .unwrap();
        assert!(workers.have_no_threads() && workers.count() == 1);
        for _ in 0..2 {
            workers.begin(3);
            assert!(phases.lock().is_empty() && !workers.all_ended(workers.epoch()));
            assert!(workers.wait_until(None) && workers.all_ended(workers.epoch()));
            assert_eq!(std::mem::take(&mut *phases.lock()), [0, 1, 2]);
        }
    }

    #[test]
    fn without_threads_the_work_asks_its_watcher() {
        let workers = Workers::start(0, |_, _, watcher| while !watcher.unwrap()() {}).unwrap();
        let (hour, mut ends) = (Instant::now() + Duration::from_secs(3600), 0);
        for kind in 0..3 {
            let stop = AtomicBool::new(kind == 0);
            let soon = Instant::now() + FIRST_REPORT + 4 * TICK;
            let budget = Budget { stop: Some(&stop), ..Budget::until([hour, hour, soon][kind]) };
            let mut reports = 0;
            workers.begin(1);
            assert!(workers.watch(Instant::now(), &budget, || kind == 1, || reports += 1));
            assert_eq!(reports > 0, kind == 2, "one may be due before the deadline alone");
            assert_eq!(Instant::now() >= soon, kind == 2);
            ends += 1;
        }
        assert_eq!(ends, 3);
    }

    #[test]
    fn a_watch_ends_when_a_stop_is_asked_for() {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = stop.clone();
        let workers = Workers::start(1, move |_, _, _| {
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
        let workers = Workers::start(3, move |index, _, _| {
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
        let workers = Workers::start(2, |index, _, _| assert_ne!(index, 0, "planted")).unwrap();
        for _ in 0..3 {
            workers.begin(1);
            assert!(workers.wait_until(Some(Instant::now() + Duration::from_secs(60))));
        }
    }
}
