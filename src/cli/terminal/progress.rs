//! One line that says what is waited for, while nothing else happens.
//!
//! The one idea: the line stands on standard error at a terminal, is drawn anew by a thread of its
//! own, and is gone without a trace when the waiting ends.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use alesia::player::panel::unless_held;

use super::Terminal;

/// What takes less time is not worth a line.
const DELAY: Duration = Duration::from_millis(250);

/// How often the line is drawn.
const REFRESH: Duration = Duration::from_millis(100);

/// The line while this amount of memory is taken, in bytes.
pub fn taking_memory(bytes: usize) -> impl Fn(Duration) -> String + Send + 'static {
    move |time| format!("taking {} MiB of memory: {:.1} s", bytes >> 20, time.as_secs_f64())
}

/// The line while something is waited for at most so long.
pub fn waiting_for(
    what: impl Display,
    patience: Duration,
) -> impl Fn(Duration) -> String + Send + 'static {
    let what = what.to_string();
    move |time| format!("waiting for {what}: {} s left", patience.saturating_sub(time).as_secs())
}

/// A line that is shown until this is dropped.
pub struct Progress {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Shows what `line` makes of the time since now, if there is a terminal. With `-v` the log
    /// says it instead.
    pub fn start(line: impl Fn(Duration) -> String + Send + 'static) -> Progress {
        let ended = Arc::new(AtomicBool::new(false));
        let is_shown = stderr().is_terminal() && !log::log_enabled!(log::Level::Info);
        let terminal = Terminal::of_output().filter(|_| is_shown);
        // Without a thread nothing is shown.
        let thread = terminal.and_then(|terminal| {
            let ended = ended.clone();
            thread::Builder::new().spawn(move || show(line, terminal.columns, &ended)).ok()
        });
        Progress { ended, thread }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Relaxed: nothing else is passed on.
        self.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn show(line: impl Fn(Duration) -> String, columns: usize, ended: &AtomicBool) {
    let begin = Instant::now();
    let mut shown = false;
    while !ended.load(Ordering::Relaxed) {
        if begin.elapsed() >= DELAY {
            let text: String = line(begin.elapsed()).chars().take(columns - 1).collect();
            // The cursor stays at the beginning, where a line of the log may come. A line that
            // cannot be shown is not worth an error.
            let drawn = format!("\r{text}\u{1b}[K\r");
            let _ = unless_held(|| stderr().write_all(drawn.as_bytes()));
            shown = true;
        }
        thread::park_timeout(REFRESH);
    }
    if shown {
        let _ = unless_held(|| stderr().write_all(b"\r\x1b[K"));
    }
}
