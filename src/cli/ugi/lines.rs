//! Lines in and lines out.
//!
//! The one idea: the clock of a move begins when its line arrives, so each line is stamped by a
//! thread that does nothing else.

use std::fmt::Display;
use std::io::{self, BufRead, Write, stdin, stdout};
use std::time::Instant;

use alesia::game::without_bom;
use alesia::net::urgency::Urgency;
use crossbeam::channel::Sender;

use super::Event;

/// Sends lines of any bytes until the end of the input.
pub fn read_lines(events: &Sender<Event>) {
    // It stamps the lines that start our clock.
    let _urgency = Urgency::claim();
    let mut input = stdin().lock();
    let mut bytes = Vec::new();
    let mut first = true;
    while matches!(input.read_until(b'\n', &mut bytes), Ok(1..)) {
        let mut line = String::from_utf8_lossy(&bytes).into_owned();
        if std::mem::take(&mut first) {
            line = without_bom(&line).to_owned();
        }
        if events.send(Event::Line(line, Instant::now())).is_err() {
            return;
        }
        bytes.clear();
    }
    // If this cannot be sent, there is no receiver any more.
    let _ = events.send(Event::EndOfInput);
}

/// Writes a whole line and flushes it.
pub fn say(line: impl Display) -> io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Reports an error to the runner.
pub fn complain(what: impl Display) -> io::Result<()> {
    say(format_args!("info string {what}"))
}
