//! The progress of long work on standard error: a bar on a terminal, elsewhere a line after each
//! tenth.

use std::io::{IsTerminal, Write, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How far some work has come.
pub struct Progress {
    what: &'static str,
    total: u64,
    shown: u64,
    /// None where there is no terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Nothing done of `total`.
    pub fn new(what: &'static str, total: u64) -> Progress {
        let bar = stderr().is_terminal().then(|| {
            let style =
                ProgressStyle::with_template("{prefix}: {pos}/{len} {bar:20} {eta} {wide_msg}");
            ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr())
                .with_prefix(what)
                .with_style(style.expect("the template is well-formed"))
        });
        Progress { what, total, shown: 0, bar }
    }

    /// Shows the number done, with `text`. A standard error that is gone is no error.
    pub fn show(&mut self, done: u64, text: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(text());
            bar.set_position(done);
            return;
        }
        let tenths = |done: u64| 10 * done / self.total;
        if tenths(done) > tenths(self.shown) {
            let _ = writeln!(stderr(), "{}: {done}/{}, {}", self.what, self.total, text());
        }
        self.shown = done;
    }

    /// Shows the same, and off a terminal a line for each that is done.
    pub fn each(&mut self, done: u64, text: impl FnOnce() -> String) {
        if self.bar.is_some() {
            return self.show(done, text);
        }
        let _ = writeln!(stderr(), "{}: {done}/{}, {}", self.what, self.total, text());
    }

    /// Does something with the terminal while the bar is hidden.
    pub fn suspend<T>(&self, action: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(action),
            None => action(),
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
