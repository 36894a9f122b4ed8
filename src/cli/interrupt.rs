//! Ctrl-C: what is needed to go on by hand is printed, and the run ends.
//!
//! The one idea: nobody is kept waiting. The signal only wakes a thread, which starts another one
//! to print and is free again; so the second Ctrl-C ends the process at once, even where standard
//! output is stuck. The game knows nothing of it, until it cannot note its next move any more.

use std::io::{Write, stderr, stdout};
use std::process::exit;
use std::sync::Arc;
use std::thread;

use alesia::game::Game;

use super::record::Record;

/// The exit status of a run that was interrupted: 128 and the signal's number, by convention.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C (or a request to terminate) prints the record and ends the run. To be called
/// once, before any clock runs.
pub fn print_on_ctrl_c<G: Game>(record: &Arc<Record<G>>) {
    let record = record.clone();
    let mut interrupted = false;
    let handler = move || {
        if std::mem::replace(&mut interrupted, true) {
            exit(INTERRUPTED);
        }
        let record = record.clone();
        if thread::Builder::new().spawn(move || end(&record)).is_err() {
            exit(INTERRUPTED);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("Ctrl-C will end the program without a word: {error}");
    }
}

fn end<G: Game>(record: &Record<G>) {
    // In one piece. Nobody may be reading along.
    let _ = stdout().lock().write_all(record.last_lines().as_bytes());
    let _ = writeln!(stderr(), "alesia: interrupted");
    exit(INTERRUPTED);
}
