//! Room for a command where the system gives the program little.
//!
//! The one idea: the stack of the first thread is as large as the system's limit (`ulimit -s`),
//! that of every other thread as large as we say.

use std::panic::resume_unwind;
use std::thread;

use parking_lot::Mutex;

/// Bytes of stack that every command can do with.
const ENOUGH: usize = 4 << 20;

/// Runs a program's work, on a thread of its own where the first one has too small a stack.
pub fn with_enough_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if first_stack().is_none_or(|bytes| bytes >= ENOUGH as u64) {
        return work();
    }
    // A thread that could not be started must not take the work with it.
    let work = Mutex::new(Some(work));
    let run = || {
        let work = work.lock().take().expect("it is run once");
        work()
    };
    thread::scope(|scope| {
        match thread::Builder::new().stack_size(ENOUGH).spawn_scoped(scope, run) {
            Ok(running) => running.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}

/// Max bytes of the first thread's stack; none where that is not known or has no limit.
#[cfg(unix)]
fn first_stack() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is room for the limits.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) } == 0;
    // Not everywhere of the same type.
    #[allow(clippy::useless_conversion)]
    (known && limit.rlim_cur != libc::RLIM_INFINITY).then(|| limit.rlim_cur.into())
}

#[cfg(not(unix))]
fn first_stack() -> Option<u64> {
    None
}
