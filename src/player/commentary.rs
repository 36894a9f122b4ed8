//! The lines printed during a game on a server.
//!
//! The one idea: the thread that plays calls this, so nothing here allocates or waits.

use std::fmt;
use std::time::Duration;

use super::latest::Latest;
use super::printer::Printer;
use crate::game::Game;
use crate::net::client::ClientEvent;
use crate::net::tournament::readable;
use crate::record::thought::Thought;
use crate::search::clock::MoveTime;
use crate::search::report::{Proof, Report};

/// The terms of a game, for its first line.
pub struct Terms<'a> {
    /// The game, see [`Game::title`].
    pub title: &'a str,
    /// The address of the server, such as `lab1:8901`.
    pub server: &'a str,
    /// The time for a move.
    pub time: MoveTime,
    /// Search threads.
    pub threads: usize,
    /// Where our moves are printed with the engine's value.
    pub values: Option<&'a Latest>,
}

/// Prints an event. A move of ours is followed by the time from `YOUR_TURN` until it was sent and,
/// in brackets, by how many ms that was late.
pub fn print(printer: &Printer, terms: &Terms, event: &ClientEvent<'_>) {
    match event {
        ClientEvent::Connected(_) => {}
        ClientEvent::Welcome { side, .. } => {
            let Terms { title, server, time, threads, .. } = terms;
            let (total, answer) = (time.total(), time.total() - time.margin());
            printer.line(format_args!(
                "{title}: we are {side} on {server}; {} ms a move, answering at {} ms, {threads} thread{}",
                total.as_millis(),
                answer.as_millis(),
                if *threads == 1 { "" } else { "s" }
            ));
        }
        ClientEvent::Message(text) => printer.line(format_args!("server: {}", readable(text))),
        ClientEvent::Moved { side, text, thinking, overshoot, state } => {
            let ply = state.position.ply();
            let Some(ms) = thinking.map(|time| time.as_millis()) else {
                return printer.line(format_args!("{ply} {side} {text}"));
            };
            let value = Value(
                terms.values.and_then(|latest| latest.of_move(&state.position, expectation)?),
            );
            if overshoot.is_zero() {
                printer.line(format_args!("{ply} {side} {text} {ms} ms{value}"));
            } else {
                let late = milliseconds(*overshoot);
                printer.line(format_args!("{ply} {side} {text} {ms} ms (+{late:.1}){value}"));
            }
        }
        ClientEvent::Ended(report) => printer.line(format_args!(
            "slowest answer: {} of {} ms, at most {:.1} ms late",
            report.slowest.as_millis(),
            terms.time.total().as_millis(),
            milliseconds(report.overshoot)
        )),
    }
}

/// The expected result of a report, from 0 to 1, and a proven one; none where nothing is known.
fn expectation(report: &Report) -> Option<(f32, Option<Proof>)> {
    Thought::of(report).map(|_| (report.value, report.proof))
}

/// What a line says of the engine's value, after a blank; nothing where it is not known.
struct Value(Option<(f32, Option<Proof>)>);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some((value, None)) => write!(f, " value {value:.3}"),
            Some((value, Some(proof))) => write!(f, " value {value:.3} proof {proof}"),
        }
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
