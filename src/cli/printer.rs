//! Lines for standard output that must not keep anybody waiting.
//!
//! The one idea: whoever plays against a clock hands its lines to a thread that writes them, on the
//! stack and without taking memory. If standard output is stuck, lines are lost, and the game goes
//! on.

use std::fmt::{self, Write as _};
use std::io::{Write, stdout};
use std::thread::{self, JoinHandle};

use arrayvec::ArrayString;
use crossbeam::channel::{Sender, bounded};

/// Lines that may wait to be written.
const WAITING_LINES: usize = 256;

/// The most bytes of a line; the rest is lost. A message of a server may be as long.
const LONGEST_LINE: usize = 1200;

type Line = ArrayString<LONGEST_LINE>;

/// A thread that writes lines.
pub struct Printer {
    lines: Sender<Line>,
    thread: JoinHandle<()>,
}

impl Printer {
    /// Starts the thread.
    pub fn start() -> Printer {
        let (lines, waiting) = bounded::<Line>(WAITING_LINES);
        let thread = thread::spawn(move || {
            for line in waiting {
                // Nobody may be reading along.
                let _ = writeln!(stdout(), "{line}");
            }
        });
        Printer { lines, thread }
    }

    /// Hands over a line; drops it if too many wait.
    pub fn line(&self, text: fmt::Arguments) {
        let mut line = Line::new();
        let _ = Cut(&mut line).write_fmt(text);
        let _ = self.lines.try_send(line);
    }

    /// Waits until everything is written.
    pub fn finish(self) {
        drop(self.lines);
        let _ = self.thread.join();
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
