//! Lines for standard output that must not keep anybody waiting.
//!
//! The one idea: whoever plays against a clock hands its lines to a thread that writes them. If
//! standard output is stuck, lines are lost, and the game goes on.

use std::io::{Write, stdout};
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Sender, bounded};

/// Lines that may wait to be written.
const WAITING_LINES: usize = 1024;

/// A thread that writes lines.
pub struct Printer {
    lines: Sender<String>,
    thread: JoinHandle<()>,
}

impl Printer {
    /// Starts the thread.
    pub fn start() -> Printer {
        let (lines, waiting) = bounded::<String>(WAITING_LINES);
        let thread = thread::spawn(move || {
            for line in waiting {
                // Nobody may be reading along.
                let _ = writeln!(stdout(), "{line}");
            }
        });
        Printer { lines, thread }
    }

    /// Hands over a line; drops it if too many wait.
    pub fn line(&self, line: String) {
        let _ = self.lines.try_send(line);
    }

    /// Waits until everything is written.
    pub fn finish(self) {
        drop(self.lines);
        let _ = self.thread.join();
    }
}
