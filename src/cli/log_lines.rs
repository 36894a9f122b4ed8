//! The log of the player, on standard error.
//!
//! The one idea: a game never waits for the reader of the log; its lines go through a
//! [`Printer`], as those on standard output do, and are lost where nobody reads them.

use std::io::{self, Write, stderr};

use alesia::player::printer::Printer;
use alesia::words::command_error::on_standard_error;
use anstream::{AutoStream, ColorChoice};
use env_logger::{Builder, Env, Target, WriteStyle};

/// A log that has begun; without a printer where the system has no thread for one.
pub struct Log(Option<&'static Printer>);

/// Starts the log, at a level unless `RUST_LOG` says another. Once in a program.
pub fn start(level: &str) -> Log {
    let mut logger = Builder::from_env(Env::default().default_filter_or(level));
    // The logger lives as long as the program.
    let printer = Printer::of_log().ok().map(|printer| &*Box::leak(Box::new(printer)));
    if let Some(printer) = printer {
        // What is a pipe for the logger may be a terminal.
        let colors = match AutoStream::choice(&stderr()) {
            ColorChoice::Never => WriteStyle::Never,
            _ => WriteStyle::Always,
        };
        logger.target(Target::Pipe(Box::new(Lines(printer)))).write_style(colors);
    }
    logger.init();
    Log(printer)
}

impl Log {
    /// Waits until everything is written, or nobody reads.
    pub fn end(self) {
        if let Some(Ok(lost @ 1..)) = self.0.map(|printer| printer.end(String::new())) {
            on_standard_error(format_args!(
                "alesia: standard error was read too slowly: {lost} lines of it are lost"
            ));
        }
    }
}

/// Hands over what the logger writes: one or several whole lines each time.
struct Lines(&'static Printer);

impl Write for Lines {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        String::from_utf8_lossy(text).lines().for_each(|line| self.0.line(format_args!("{line}")));
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
