//! Lines for standard output that must not keep anybody waiting.
//!
//! The one idea: whoever plays against a clock hands its lines to a thread that writes them, on the
//! stack and without taking memory. If standard output is stuck, lines are lost, and the game goes
//! on.

use std::fmt::{self, Write as _};
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};

use alesia::search::memory::touch_stack;
use arrayvec::ArrayString;
use crossbeam::queue::ArrayQueue;

/// Lines that may wait to be written.
const WAITING_LINES: usize = 256;

/// The most bytes of a line; the rest is lost. A message of a server may be as long.
const LONGEST_LINE: usize = 1200;

type Line = ArrayString<LONGEST_LINE>;

/// A thread that writes lines.
pub struct Printer {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

/// Between whoever says lines and the thread that writes them, which parks while there are none: a
/// channel would take memory when it is first waited at.
struct Shared {
    lines: ArrayQueue<Line>,
    /// Whether no more lines will come.
    finished: AtomicBool,
    /// Where the thread and whoever started it meet.
    started: Barrier,
}

impl Printer {
    /// Starts the thread, and waits until it has its memory: on a busy machine it might take it in the
    /// middle of a game.
    pub fn start() -> Printer {
        let lines = ArrayQueue::new(WAITING_LINES);
        let finished = AtomicBool::new(false);
        let shared = Arc::new(Shared { lines, finished, started: Barrier::new(2) });
        let of_thread = shared.clone();
        let thread = thread::spawn(move || of_thread.write());
        shared.started.wait();
        Printer { shared, thread }
    }

    /// Hands over a line; drops it if too many wait.
    pub fn line(&self, text: fmt::Arguments) {
        let mut line = Line::new();
        let _ = Cut(&mut line).write_fmt(text);
        let _ = self.shared.lines.push(line);
        self.thread.thread().unpark();
    }

    /// Waits until everything is written.
    pub fn finish(self) {
        // Release: all lines come before.
        self.shared.finished.store(true, Ordering::Release);
        self.thread.thread().unpark();
        let _ = self.thread.join();
    }
}

impl Shared {
    /// Writes lines until no more will come.
    fn write(&self) {
        touch_stack();
        // Which takes its memory as it is first asked for.
        let mut output = stdout();
        self.started.wait();
        loop {
            // Acquire: before the last look at the lines.
            let last = self.finished.load(Ordering::Acquire);
            while let Some(line) = self.lines.pop() {
                // Nobody may be reading along.
                let _ = writeln!(output, "{line}");
            }
            if last {
                return;
            }
            thread::park();
        }
    }
}

/// Writes as much as there is room for.
struct Cut<'a>(&'a mut Line);

impl fmt::Write for Cut<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut fits = text.len().min(self.0.remaining_capacity());
        while !text.is_char_boundary(fits) {
            fits -= 1;
        }
        self.0.push_str(&text[..fits]);
        if fits < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_cut_between_characters() {
        let mut line = Line::new();
        let long = "\u{e9}".repeat(LONGEST_LINE);
        assert!(write!(Cut(&mut line), "x{long}").is_err());
        assert_eq!(line.len(), LONGEST_LINE - 1);
        assert!(write!(Cut(&mut line), "y").is_ok(), "there is room for one byte");
    }
}
