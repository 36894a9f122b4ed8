//! What is printed of a game on a server while it is played.
//!
//! The one idea: the thread that plays calls this, so nothing here allocates or waits.

use std::time::Duration;

use super::printer::Printer;
use crate::game::Game;
use crate::net::client::ClientEvent;
use crate::net::tournament::readable;
use crate::search::clock::MoveTime;

/// Prints what has happened. A move of ours is followed by the time from `YOUR_TURN` to its
/// leaving and, in brackets, by how much that was after its time, if it was.
pub fn print<G: Game>(printer: &Printer, time: MoveTime, event: &ClientEvent<'_, G>) {
    match event {
        ClientEvent::Connected(_) => {}
        ClientEvent::Welcome { side, .. } => printer.line(format_args!("playing {side}")),
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
            "slowest answer {} ms of {}, at most {:.1} ms after its time",
            report.slowest.as_millis(),
            time.total().as_millis(),
            milliseconds(report.overshoot)
        )),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
