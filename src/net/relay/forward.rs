//! The relay between two players.
//!
//! The one idea: all bytes are forwarded unchanged and at once. The relay only observes, measures
//! the time from its own sending to its own receiving, and closes when the game is over, a message
//! was wrong, or a player was late.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, Sender};

use super::{FIRST_MOVE_TIME, MOVE_TIME, read_exactly};
use crate::game::{Ending, Game, GameState, Outcome, Side};
use crate::games::AnyGame;
use crate::net::arrival::{HANDOVER_TIME, StampedStream, next_until};
use crate::net::clock::Clock;
use crate::net::lateness::exceeded;
use crate::net::socket;
use crate::net::tournament::{self, MoveText, quoted_bytes};
use crate::net::urgency::Urgency;

/// Max bytes of one message; more without a line end is a wrong one.
const MAX_BYTES: usize = 256;

/// Messages that may wait; a player that sends more waits itself.
const WAITING_MESSAGES: usize = 8;

/// Max time for the players to close their connections after the end.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// The times of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelayTimes {
    /// For the first move of each side.
    pub first: Duration,
    /// For every other.
    pub other: Duration,
}

impl Default for RelayTimes {
    /// The course's.
    fn default() -> RelayTimes {
        RelayTimes { first: FIRST_MOVE_TIME, other: MOVE_TIME }
    }
}

/// A move that has been passed on.
#[derive(Clone, Copy, Debug)]
pub struct Relayed {
    /// Number of the move, counted for both sides together from 1.
    pub number: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub text: MoveText,
    /// From sending the opponent's (or White's connection) to its arrival.
    pub elapsed: Duration,
}

/// How a game ended. Its `Display` is the fixed form of every result line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayResult {
    /// Who won.
    pub outcome: Outcome,
    /// The rule, or the fault of a player.
    pub reason: String,
    /// Number of moves of both sides.
    pub plies: usize,
}

impl fmt::Display for RelayResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}

/// What comes from a player: some bytes as they are, or the end.
struct Arrival {
    side: Side,
    at: Instant,
    bytes: Option<Vec<u8>>,
}

/// Forwards messages between two connected players until the end of the game, and closes the
/// connections. White's time runs since `connected`.
///
/// # Errors
/// The system refuses to start threads. A fault of a player is no error, but a result.
pub fn relay(
    white: TcpStream,
    black: TcpStream,
    connected: Instant,
    start: AnyGame,
    times: RelayTimes,
    observer: &mut dyn FnMut(Relayed),
) -> io::Result<RelayResult> {
    let players = [white, black];
    players.iter().for_each(socket::prepare);
    thread::scope(|scope| {
        let (sender, arrivals) = channel::bounded(WAITING_MESSAGES);
        for (side, stream) in [Side::White, Side::Black].into_iter().zip(&players) {
            let sender = sender.clone();
            let name = format!("{side} arrivals");
            let reading = thread::Builder::new().name(name);
            let started = reading.spawn_scoped(scope, move || stamp(side, stream, &sender));
            if let Err(error) = started {
                close(&players);
                return Err(error);
            }
        }
        drop(sender);
        let result = watch(&players, &arrivals, connected, start, times, observer);
        // What has been sent gets through: the players read it and close.
        for player in &players {
            let _ = player.shutdown(Shutdown::Write);
        }
        let end = Instant::now() + CLOSING_TIME;
        while arrivals.recv_deadline(end).is_ok() {}
        close(&players);
        drop(arrivals);
        Ok(result)
    })
}

/// Ends both connections, which wakes the reading threads.
fn close(players: &[TcpStream; 2]) {
    for player in players {
        // Fails only where the connection has ended anyway.
        let _ = player.shutdown(Shutdown::Both);
    }
}

/// The game itself.
fn watch(
    players: &[TcpStream; 2],
    arrivals: &Receiver<Arrival>,
    connected: Instant,
    start: AnyGame,
    times: RelayTimes,
    observer: &mut dyn FnMut(Relayed),
) -> RelayResult {
    let mut state = GameState::new(start);
    let mut since = connected;
    let mut plies = 0;
    let (outcome, reason) = loop {
        if let Some(Ending { outcome, rule }) = state.ending() {
            break (outcome, rule.to_string());
        }
        let mover = state.position.side();
        let limit = if plies < 2 { times.first } else { times.other };
        let late = |took| (Outcome::Win(!mover), exceeded(mover, took, limit));
        let Arrival { side, at, bytes } =
            match next_until(arrivals, Some(since + limit + HANDOVER_TIME)) {
                Ok(arrival) => arrival,
                Err(_) => break late(None),
            };
        let Some(bytes) = bytes else {
            break (Outcome::Win(!side), format!("{side} disconnected"));
        };
        let elapsed = at.saturating_duration_since(since);
        if side == mover && elapsed > limit {
            break late(Some(elapsed));
        }
        let sent = (&players[!side as usize]).write_all(&bytes);
        // The opponent's time runs from here: a pause of ours before costs it nothing.
        since = Instant::now();
        if side != mover {
            let what = quoted_bytes(&bytes);
            break (Outcome::Win(!side), format!("{side} sent {what} out of turn"));
        }
        let Ok(m) = read_exactly(&state.position, &bytes) else {
            let what = quoted_bytes(&bytes);
            break (Outcome::Win(!side), format!("{side} made an illegal move: {what}"));
        };
        let text = tournament::move_text(&state.position, m);
        state.play(m);
        plies += 1;
        observer(Relayed { number: plies, side, text, elapsed });
        if let Err(error) = sent
            && state.ending().is_none()
        {
            log::info!("forwarding {text} failed: {error}");
            break (Outcome::Win(side), format!("{} disconnected", !side));
        }
    };
    RelayResult { outcome, reason, plies }
}

/// Forwards a player's lines, with their ends, to `arrivals` until the connection ends or the
/// receiver is gone.
fn stamp(side: Side, stream: &TcpStream, arrivals: &Sender<Arrival>) {
    each_message(stream, |at, bytes| arrivals.send(Arrival { side, at, bytes }).is_ok());
}

/// Hands each line of a player over with its end and when it came, then the end of the connection;
/// until that, or until `hear` wants no more.
pub(in crate::net) fn each_message(
    stream: &TcpStream,
    mut hear: impl FnMut(Instant, Option<Vec<u8>>) -> bool,
) {
    let _urgency = Urgency::claim();
    let stamped = StampedStream::new(stream);
    let mut waiting = Vec::new();
    let mut room = [0; MAX_BYTES];
    loop {
        let read = (&stamped).read(&mut room).unwrap_or(0);
        let at = if read == 0 { Instant::now() } else { stamped.now() };
        if read == 0 {
            // Part of a message is passed on as well.
            let _ = waiting.is_empty() || hear(at, Some(waiting));
            let _ = hear(at, None);
            return;
        }
        for &byte in &room[..read] {
            waiting.push(byte);
            let whole = byte == b'\n' || waiting.len() == MAX_BYTES;
            if whole && !hear(at, Some(std::mem::take(&mut waiting))) {
                return;
            }
        }
    }
}
