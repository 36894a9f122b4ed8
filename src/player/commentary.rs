//! The lines printed during a game on a server.
//!
//! The one idea: the thread that plays calls this, so nothing here allocates or waits.

use std::time::Duration;

use super::printer::Printer;
use crate::game::Game;
use crate::net::client::ClientEvent;
use crate::net::tournament::readable;
use crate::search::clock::MoveTime;

/// The terms of a game, for its first line.
pub struct Terms<'a> {
    /// The address of the server, such as `lab1:8901`.
    pub server: &'a str,
    /// The time for a move.
    pub time: MoveTime,
    /// Search threads.
    pub threads: usize,
}

/// Prints an event. A move of ours is followed by the time from `YOUR_TURN` until it was sent and,
/// in brackets, by how many ms that was late.
pub fn print<G: Game>(printer: &Printer, terms: &Terms, event: &ClientEvent<'_, G>) {
    match event {
        ClientEvent::Connected(_) => {}
        ClientEvent::Welcome { side, .. } => {
            let Terms { server, time, threads } = terms;
            let (total, answer) = (time.total(), time.total() - time.margin());
            printer.line(format_args!(
                "{}: we are {side} on {server}; {} ms a move, answering at {} ms, {threads} thread{}",
                G::TITLE,
                total.as_millis(),
                answer.as_millis(),
                if *threads == 1 { "" } else { "s" }
            ));
        }
        ClientEvent::Message(text) => printer.line(format_args!("server: {}", readable(text))),
        ClientEvent::Moved { side, text, thinking, overshoot, state } => {
            let ply = state.position.ply();
            match thinking.map(|time| time.as_millis()) {
                None => printer.line(format_args!("{ply} {side} {text}")),
                Some(ms) if overshoot.is_zero() => {
                    printer.line(format_args!("{ply} {side} {text} {ms} ms"));
                }
                Some(ms) => {
                    let late = milliseconds(*overshoot);
                    printer.line(format_args!("{ply} {side} {text} {ms} ms (+{late:.1})"));
                }
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

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
