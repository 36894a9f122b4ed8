//! Ctrl-C, and the requests to end: what is known by then is printed, and all programs end.
//!
//! The one idea: the handler only asks. The thread that records the games looks for that between
//! two of them ([`Watch`]), so that no game is recorded in part, or with the loss of a program that
//! was only told to end. If it does not come to that, or at the second request, the run ends at
//! once.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::players::process;
use crate::words::error::CommandError;

/// The status of a run that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// Max time from a request to the end.
const PATIENCE: Duration = Duration::from_secs(3);

/// The end was asked for.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Somebody looks for that.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Looks for the request to end, for as long as it lives.
pub struct Watch(());

impl Watch {
    /// From now on the run ends by [`Watch::end`].
    pub fn start() -> Watch {
        // Relaxed, as everywhere here: flags alone.
        WATCHED.store(true, Ordering::Relaxed);
        Watch(())
    }

    /// Whether the end was asked for.
    pub fn is_asked(&self) -> bool {
        ASKED.load(Ordering::Relaxed)
    }

    /// Ends all programs and this one, with the status of an interrupted run.
    pub fn end(&self) -> ! {
        end()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHED.store(false, Ordering::Relaxed);
    }
}

fn end() -> ! {
    process::end_all();
    exit(INTERRUPTED);
}

/// From now on a signal to end is a request; a run that was started to outlive its terminal
/// (`nohup`) still does.
///
/// # Errors
/// The system's.
pub fn end_with_us() -> Result<(), CommandError> {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) || !WATCHED.load(Ordering::Relaxed) {
            end();
        }
        let late = || {
            thread::sleep(PATIENCE);
            end();
        };
        if thread::Builder::new().spawn(late).is_err() {
            end();
        }
    };
    process::bind_to_us().map_err(CommandError::Failed)?;
    hangups::kept_as_they_are(|| ctrlc::set_handler(handler))
        .map_err(|error| CommandError::Failed(format!("waiting for an interruption: {error}")))
}

#[cfg(unix)]
mod hangups {
    /// Runs an action that sets signal handlers; a hang-up that was ignored is so afterwards.
    pub fn kept_as_they_are<T>(action: impl FnOnce() -> T) -> T {
        // SAFETY: all zeros are a valid value, which the call replaces.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: no new handler is given, and there is room for the present one.
        let known =
            unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut before) } == 0;
        let result = action();
        if known && before.sa_sigaction == libc::SIG_IGN {
            // SAFETY: no handler of ours runs.
            unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
        }
        result
    }
}

#[cfg(not(unix))]
mod hangups {
    /// Runs the action.
    pub fn kept_as_they_are<T>(action: impl FnOnce() -> T) -> T {
        action()
    }
}
