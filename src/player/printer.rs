//! Lines for standard output, written by a thread of their own.
//!
//! The one idea: the thread that plays against a clock hands its lines over on the stack and never
//! allocates or waits. If standard output is stuck, lines are lost, and the game continues.

use std::fmt::{self, Write as _};
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};

use arrayvec::ArrayString;
use crossbeam::queue::ArrayQueue;

use crate::search::memory::touch_stack;

/// Lines that may wait to be written.
const WAITING_LINES: usize = 256;

/// Max bytes of a line, as long as a server's message; the rest is lost.
const MAX_LINE: usize = 1200;

type PrintedLine = ArrayString<MAX_LINE>;

/// A thread that writes lines.
pub struct Printer {
    queue: Arc<PrintQueue>,
    thread: JoinHandle<()>,
}

/// The lines between both threads. The writer parks while there are none: a channel would allocate
/// at its first wait.
struct PrintQueue {
    lines: ArrayQueue<PrintedLine>,
    /// Whether no more lines will come.
    finished: AtomicBool,
    /// The thread and the one that started it meet here.
    started: Barrier,
}

impl Printer {
    /// Starts the thread, and waits until it has its memory: on a busy machine it might otherwise
    /// allocate in the middle of a game.
    pub fn start() -> Printer {
        let lines = ArrayQueue::new(WAITING_LINES);
        let finished = AtomicBool::new(false);
        let queue = Arc::new(PrintQueue { lines, finished, started: Barrier::new(2) });
        let of_thread = queue.clone();
        let thread = thread::spawn(move || of_thread.write());
        queue.started.wait();
        Printer { queue, thread }
    }

    /// Hands over a line; drops it if too many wait.
    pub fn line(&self, text: fmt::Arguments) {
        let mut line = PrintedLine::new();
        let _ = Cut(&mut line).write_fmt(text);
        let _ = self.queue.lines.push(line);
        self.thread.thread().unpark();
    }

    /// Waits until everything is written.
    pub fn finish(self) {
        // Release: all lines come before.
        self.queue.finished.store(true, Ordering::Release);
        self.thread.thread().unpark();
        let _ = self.thread.join();
    }
}

impl PrintQueue {
    /// Writes lines until no more will come.
    fn write(&self) {
        touch_stack();
        // Allocates on first use.
        let mut output = stdout();
        self.started.wait();
        loop {
            // Acquire: before the last look at the lines.
            let last = self.finished.load(Ordering::Acquire);
            while let Some(line) = self.lines.pop() {
                // There may be no reader.
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
struct Cut<'a>(&'a mut PrintedLine);

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
        let mut line = PrintedLine::new();
        let long = "\u{e9}".repeat(MAX_LINE);
        assert!(write!(Cut(&mut line), "x{long}").is_err());
        assert_eq!(line.len(), MAX_LINE - 1);
        assert!(write!(Cut(&mut line), "y").is_ok(), "there is room for one byte");
    }
}
