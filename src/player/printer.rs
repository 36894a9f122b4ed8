//! Lines for standard output or standard error, written by a thread of their own.
//!
//! The one idea: a thread that watches a clock hands its lines over on the stack and never
//! allocates or waits. If the stream is stuck, lines are lost, and the games continue; the end
//! waits only as long as something is still read, and reports what was lost.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use arrayvec::ArrayString;
use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};
use crossbeam::queue::ArrayQueue;
use parking_lot::Mutex;
use thiserror::Error;

use super::panel::{Panel, PlacedPanel, REFRESH};
use crate::search::memory::prepare_thread;

/// Lines of one game that may wait to be written.
const WAITING_LINES: usize = 512;

/// Max bytes of a line, as long as a server's message; the rest is lost.
const MAX_LINE: usize = 1200;

/// Bytes that are written at once where many lines wait.
const BATCH: usize = 8 * MAX_LINE;

/// At the end, after so long without progress, the stream counts as stuck.
const STUCK_TIME: Duration = Duration::from_secs(2);

type PrintedLine = ArrayString<MAX_LINE>;

/// A thread that writes lines.
pub struct Printer {
    queue: Arc<PrintQueue>,
    thread: JoinHandle<()>,
    /// Broken when the thread ends.
    ended: Receiver<()>,
}

/// Why something that must be shown is not written.
#[derive(Debug, Error)]
pub enum PrintError {
    /// The system has no thread to give.
    #[error("no thread that prints: {0}")]
    NoThread(io::Error),
    /// Writing failed.
    #[error("standard output: {0}; lines are lost")]
    Failed(io::Error),
    /// Nobody reads.
    #[error("standard output: its reader has stopped; lines are lost")]
    Stuck,
}

/// The lines between the threads. The writer parks while there are none: a channel would allocate
/// at its first wait.
struct PrintQueue {
    lines: ArrayQueue<PrintedLine>,
    /// Lines for which there was no room, and those of them that must not be lost.
    dropped: [AtomicUsize; 2],
    /// Batches written, as a sign of progress.
    written: AtomicUsize,
    /// The first failure.
    failure: Mutex<Option<io::Error>>,
    /// What is written after all lines.
    last: Mutex<String>,
    /// Whether no more lines will come.
    finished: AtomicBool,
    /// The thread and the one that started it meet here.
    started: Barrier,
}

impl Printer {
    /// A printer for one game. Waits until the thread has its memory: on a busy machine it might
    /// otherwise allocate in the middle of a game.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start() -> Result<Printer, PrintError> {
        Printer::with_room(WAITING_LINES, None)
    }

    /// The same with a panel beneath the lines, where there is a terminal.
    ///
    /// # Errors
    /// As above.
    pub fn with_panel(panel: Option<Box<dyn Panel>>) -> Result<Printer, PrintError> {
        Printer::with_room(WAITING_LINES, panel)
    }

    /// The same with room for that number of lines.
    ///
    /// # Errors
    /// As above.
    pub fn with_room(lines: usize, panel: Option<Box<dyn Panel>>) -> Result<Printer, PrintError> {
        Printer::on(|| Box::new(io::stdout()), lines, panel)
    }

    /// A printer for the log, on standard error.
    ///
    /// # Errors
    /// As above.
    pub fn of_log() -> Result<Printer, PrintError> {
        Printer::on(|| Box::new(anstream::stderr()), WAITING_LINES, None)
    }

    fn on(
        open: fn() -> Box<dyn Write>,
        lines: usize,
        panel: Option<Box<dyn Panel>>,
    ) -> Result<Printer, PrintError> {
        let queue = Arc::new(PrintQueue {
            lines: ArrayQueue::new(lines),
            dropped: Default::default(),
            written: AtomicUsize::new(0),
            failure: Mutex::new(None),
            last: Mutex::new(String::new()),
            finished: AtomicBool::new(false),
            started: Barrier::new(2),
        });
        let of_thread = queue.clone();
        let (ending, ended) = bounded::<()>(0);
        let thread = thread::Builder::new().name("printer".into()).spawn(move || {
            of_thread.write(&mut *open(), panel.map(PlacedPanel::new));
            drop(ending);
        });
        let thread = thread.map_err(PrintError::NoThread)?;
        queue.started.wait();
        Ok(Printer { queue, thread, ended })
    }

    /// Hands over a line; drops it if half of the room is taken.
    pub fn line(&self, text: fmt::Arguments) {
        self.push(text, self.queue.lines.capacity() / 2, false);
    }

    /// Hands over a line that must not be lost, such as a result: half of the room is for these.
    pub fn result(&self, text: fmt::Arguments) {
        self.push(text, self.queue.lines.capacity(), true);
    }

    fn push(&self, text: fmt::Arguments, room: usize, must: bool) {
        let mut line = PrintedLine::new();
        let _ = Cut(&mut line).write_fmt(text);
        if self.queue.lines.len() >= room || self.queue.lines.push(line).is_err() {
            // Relaxed: counts for the end, where the other threads have ended.
            self.queue.dropped[usize::from(must)].fetch_add(1, Ordering::Relaxed);
        }
        self.thread.thread().unpark();
    }

    /// Writes `last`, and waits until everything is written or standard output is stuck.
    ///
    /// # Errors
    /// Something that must be shown is lost.
    pub fn finish(self, last: String) -> Result<(), PrintError> {
        let lost = self.end(last)?;
        if lost > 0 {
            log::warn!("standard output was read too slowly: {lost} lines are lost");
        }
        Ok(())
    }

    /// The same for a printer of which there is one as long as the program runs. Returns how many
    /// lines are lost that need not be shown.
    ///
    /// # Errors
    /// Something that must be shown is lost.
    pub fn end(&self, last: String) -> Result<usize, PrintError> {
        let queue = &self.queue;
        *queue.last.lock() = last;
        // Release: all lines come before.
        queue.finished.store(true, Ordering::Release);
        self.thread.thread().unpark();
        // Relaxed: only a sign of life.
        let progress = || queue.written.load(Ordering::Relaxed);
        let mut before = progress();
        while self.ended.recv_timeout(STUCK_TIME) == Err(RecvTimeoutError::Timeout) {
            let now = progress();
            if now == before {
                return Err(PrintError::Stuck);
            }
            before = now;
        }
        let [lines, results] = [0, 1].map(|kind| queue.dropped[kind].load(Ordering::Relaxed));
        match queue.failure.lock().take() {
            Some(error) => Err(PrintError::Failed(error)),
            None if results > 0 => Err(PrintError::Stuck),
            None => Ok(lines),
        }
    }
}

impl PrintQueue {
    /// Writes lines until no more will come.
    fn write(&self, output: &mut dyn Write, mut panel: Option<PlacedPanel>) {
        prepare_thread();
        // Allocated and touched before a game.
        let mut batch = vec![b'\n'; BATCH];
        self.started.wait();
        loop {
            // Acquire: before the last look at the lines.
            let last = self.finished.load(Ordering::Acquire);
            match &mut panel {
                None => {
                    while self.collect(&mut batch) {
                        self.put(output, |output| output.write_all(&batch));
                    }
                }
                // Also where nothing new is printed, as clocks run in it.
                Some(panel) => loop {
                    self.collect(&mut batch);
                    self.put(output, |output| panel.print(&batch, output));
                    if self.lines.is_empty() {
                        break;
                    }
                },
            }
            if last {
                let text = std::mem::take(&mut *self.last.lock());
                return self.put(output, |output| output.write_all(text.as_bytes()));
            }
            match panel {
                None => thread::park(),
                Some(_) => thread::park_timeout(REFRESH),
            }
        }
    }

    /// Fills a batch with whole lines; returns whether there are any.
    fn collect(&self, batch: &mut Vec<u8>) -> bool {
        batch.clear();
        while batch.len() + MAX_LINE < BATCH
            && let Some(line) = self.lines.pop()
        {
            batch.extend_from_slice(line.as_bytes());
            batch.push(b'\n');
        }
        !batch.is_empty()
    }

    fn put(&self, output: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if let Err(error) = write(output).and_then(|()| output.flush()) {
            self.failure.lock().get_or_insert(error);
        }
        // Relaxed: only a sign of life.
        self.written.fetch_add(1, Ordering::Relaxed);
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
