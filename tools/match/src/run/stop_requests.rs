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

use alesia::words::command_error::CommandError;
use alesia::words::interruption::{INTERRUPTED, on_interruption};

use crate::players::process;
use crate::words::logging::warn;

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

    /// The same, or with a line on standard error and the status of a run that has failed.
    pub fn end_with(&self, failure: Option<String>) -> ! {
        let Some(failure) = failure else { end() };
        warn(&failure);
        process::end_all();
        exit(1);
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
    on_interruption(handler)
        .map_err(|error| CommandError::Failed(format!("waiting for an interruption: {error}")))
}
