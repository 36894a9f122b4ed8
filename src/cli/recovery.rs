//! Ctrl-C: prints how to continue the game by hand, and ends the run.
//!
//! The one idea: the handler never waits. It starts another thread that prints, so that a second
//! Ctrl-C ends the process at once even where standard output is stuck. The game notices only when
//! it cannot record its next move.

use std::io::{Write, stderr, stdout};
use std::process::exit;
use std::sync::Arc;
use std::thread;

use alesia::player::panel;
use alesia::words::interruption::{INTERRUPTED, on_interruption};

use super::moves_so_far::LiveRecord;

/// From now on Ctrl-C (or a request to terminate) prints the record and ends the run. Must be
/// called once, before any clock runs.
pub fn print_on_ctrl_c(record: &Arc<LiveRecord>) {
    keep_on_ctrl_c(record, || {});
}

/// The same; `keep` is called first, as there may be no terminal any more.
pub fn keep_on_ctrl_c(record: &Arc<LiveRecord>, keep: impl Fn() + Clone + Send + 'static) {
    let record = record.clone();
    echo::keep();
    let mut interrupted = false;
    let handler = move || {
        if std::mem::replace(&mut interrupted, true) {
            exit(INTERRUPTED);
        }
        let (record, keep) = (record.clone(), keep.clone());
        let last = move || {
            keep();
            end(&record)
        };
        if thread::Builder::new().spawn(last).is_err() {
            exit(INTERRUPTED);
        }
    };
    if let Err(error) = on_interruption(handler) {
        log::warn!("Ctrl-C will end the program without printing the game: {error}");
    }
}

/// The mode of the terminal, which a line editor changes while a line is edited.
#[cfg(target_os = "linux")]
mod echo {
    use std::sync::OnceLock;

    static MODE: OnceLock<libc::termios> = OnceLock::new();

    /// Keeps the present mode, if there is a terminal.
    pub fn keep() {
        // SAFETY: all zeros are a valid value, which the call replaces.
        let mut mode: libc::termios = unsafe { std::mem::zeroed() };
        // SAFETY: there is room for the mode.
        if unsafe { libc::tcgetattr(libc::STDIN_FILENO, &raw mut mode) } == 0 {
            MODE.get_or_init(|| mode);
        }
    }

    /// Sets the kept mode again, so that a shell shows what is typed.
    pub fn restore() {
        if let Some(mode) = MODE.get() {
            // SAFETY: a mode that the system has given.
            unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, mode) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod echo {
    pub fn keep() {}

    pub fn restore() {}
}

/// Prints the record, and ends the run.
pub fn end(record: &LiveRecord) -> ! {
    // What is printed now is the last, and must stay.
    panel::hold();
    // In one piece; there may be no reader.
    let _ = stdout().lock().write_all(record.last_lines().as_bytes());
    let _ = writeln!(stderr(), "alesia: interrupted");
    echo::restore();
    exit(INTERRUPTED);
}
