//! Long work without Python's lock, which ends at Ctrl-C.
//!
//! The one idea: only Python's main thread hears of signals, and only where it asks. So the work is
//! done by another thread, and the one that called asks now and then until it is done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often the caller asks for signals.
const INTERVAL: Duration = Duration::from_millis(20);

/// Does some work, which is handed a flag: once that is raised, its result is not wanted any more.
/// Work that is `brief` is done at once, as another thread would cost more than it may.
///
/// # Errors
/// What a handler of a signal raises, `KeyboardInterrupt` after Ctrl-C; a panic.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    brief: bool,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
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
            if let Err(error) = py.check_signals() {
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
