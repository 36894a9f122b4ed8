//! The beginning of a tournament whose players come by themselves.

use std::io::{BufRead, IsTerminal, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use alesia_match::players::guest::{Entrance, Guest, LOOK_TIME};
use alesia_match::words::logging::warn;

use super::plan::Plan;

/// Waits until all players that connect have come, or the organiser presses Enter. Players that
/// listen as White show only when they are visited: with an organiser on a terminal, Enter begins
/// then.
pub fn await_players(plan: &Plan, organised: bool) {
    let guests = || plan.players.iter().filter_map(|player| player.protocol.guest());
    for guest in guests() {
        warn(&format!("{} comes {}", guest.name, entrance(guest, plan.host.port)));
    }
    let missing = || guests().filter(|guest| guest.listens.is_none() && !guest.has_come()).count();
    let at_word =
        organised && stdin().is_terminal() && guests().any(|guest| guest.listens.is_some());
    warn("the first game begins when all have come; Enter begins it now");
    let begun = Arc::new(AtomicBool::new(false));
    let entered = Arc::clone(&begun);
    let read = move || {
        if matches!(stdin().lock().read_line(&mut String::new()), Ok(1..)) {
            // Relaxed: a flag alone.
            entered.store(true, Ordering::Relaxed);
        }
    };
    if let Err(error) = thread::Builder::new().spawn(read) {
        warn(&format!("cannot wait for Enter: {error}"));
    }
    while (missing() > 0 || at_word) && !begun.load(Ordering::Relaxed) {
        thread::sleep(LOOK_TIME);
    }
}

/// Where a player comes in.
fn entrance(guest: &Guest, common: u16) -> String {
    let as_black = match &guest.entrance {
        Entrance::Port(port) => format!("to port {port}"),
        Entrance::From(host) => format!("from {host} to port {common}"),
    };
    match &guest.listens {
        None => as_black,
        Some(endpoint) => format!("{as_black} as Black, and as White is met at {endpoint}"),
    }
}
