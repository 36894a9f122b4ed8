//! Work without Python's lock, which ends at Ctrl-C and at the end of the interpreter.
//!
//! The one idea: only Python's main thread hears of signals, and only where it asks. So the work is
//! done by another thread, and the one that called asks now and then until it is done. A thread
//! that asks for the lock of an interpreter that has ended is killed, which Rust does not survive;
//! so the interpreter waits for all work before it ends.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};
use pyo3::exceptions::{PyRuntimeError, PySystemExit};
use pyo3::prelude::*;

/// How often the caller asks for signals.
const INTERVAL: Duration = Duration::from_millis(20);

/// Time between two looks at the work that the end of the interpreter waits for.
const WAIT: Duration = Duration::from_millis(2);

// All three change only under Python's lock, which orders them: Relaxed is enough.
/// Whether the interpreter ends.
static ENDING: AtomicBool = AtomicBool::new(false);
/// How many threads of this process work without the lock.
static WORKING: AtomicUsize = AtomicUsize::new(0);
/// The process that has counted them: its threads are not in one that was forked from it.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// What ends a thread of an interpreter that ends, without a word.
fn ended() -> PyErr {
    PySystemExit::new_err("the interpreter ends")
}

/// Refuses to work on where the interpreter ends.
///
/// # Errors
/// It ends.
pub fn while_it_lasts() -> PyResult<()> {
    if ENDING.load(Ordering::Relaxed) { Err(ended()) } else { Ok(()) }
}

/// Work without the lock, counted while it lasts.
struct Counted;

impl Counted {
    fn begin() -> PyResult<Counted> {
        while_it_lasts()?;
        if PROCESS.swap(process::id(), Ordering::Relaxed) != process::id() {
            WORKING.store(0, Ordering::Relaxed);
        }
        WORKING.fetch_add(1, Ordering::Relaxed);
        Ok(Counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        WORKING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Does some work without Python's lock.
///
/// # Errors
/// The interpreter ends.
pub fn unlocked<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let _counted = Counted::begin()?;
    Ok(py.detach(work))
}

/// Stops all work and waits for its end; called as the interpreter ends.
#[pyfunction]
pub fn end_of_interpreter(py: Python<'_>) {
    ENDING.store(true, Ordering::Relaxed);
    let is_ours = || PROCESS.load(Ordering::Relaxed) == process::id();
    while is_ours() && WORKING.load(Ordering::Relaxed) > 0 {
        py.detach(|| thread::sleep(WAIT));
    }
}

/// Does some work, which is handed a flag: once that is raised, its result is not wanted any more.
/// Work that is `brief` is done at once, as another thread would cost more than it may.
///
/// # Errors
/// What a handler of a signal raises, `KeyboardInterrupt` after Ctrl-C; the interpreter ends; a
/// panic.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    brief: bool,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let _counted = Counted::begin()?;
    let stop = Arc::new(AtomicBool::new(false));
    if brief {
        let result = py.detach(|| work(&stop));
        return py.check_signals().map(|()| result);
    }
    thread::scope(|scope| {
        let (sender, receiver) = bounded::<()>(0);
        let worker = scope.spawn(|| {
            // Dropped at the end, also after a panic, by which the receiver knows.
            let _done = sender;
            work(&stop)
        });
        let interrupted = loop {
            let waited = py.detach(|| receiver.recv_timeout(INTERVAL));
            if waited != Err(RecvTimeoutError::Timeout) {
                break None;
            }
            if let Err(error) = while_it_lasts().and_then(|()| py.check_signals()) {
                // Relaxed: the flag alone matters.
                stop.store(true, Ordering::Relaxed);
                break Some(error);
            }
        };
        let result = py.detach(|| worker.join());
        match (interrupted, result) {
            (Some(error), _) => Err(error),
            (None, Ok(result)) => Ok(result),
            (None, Err(_)) => Err(PyRuntimeError::new_err("the work ended in a panic")),
        }
    })
}
