//! One side of a game over the relay.
//!
//! The one idea: a loop of two steps, our move and theirs, until our own rules say that the game is
//! over, or until the opponent has made a mistake; the protocol announces no result. Our moves
//! follow the protocol exactly.

use std::fmt;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::message;
use super::opponent::{Opponent, Stop};
use crate::game::{Game, GameState, Move, Outcome, Side};
use crate::games::{AnyGame, AnyState};
use crate::net::arrival::StampedStream;
use crate::net::client::{ClientEvent, Player};
use crate::net::socket;
use crate::net::tournament::{self, MoveText};
use crate::net::urgency::Urgency;

/// Max silence of an opponent after the first move. The relay allows two seconds, but a person who
/// enters moves at its board needs more. Before the first move only a machine that is gone ends the
/// wait.
pub const MAX_SILENCE: Duration = Duration::from_secs(180);

/// Max time for the relay to close the connection after our last move.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// The end of a game. Its `Display` is the fixed form of every result line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideReport {
    /// The result.
    pub outcome: Outcome,
    /// The rule, or the error in the opponent's message.
    pub reason: String,
    /// Number of moves of both sides.
    pub plies: usize,
    /// Our slowest move.
    pub slowest: Duration,
}

impl fmt::Display for SideReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}

/// Why a game has no end.
#[derive(Debug, Error)]
#[error(
    "the connection to the relay ended in move {number} of {side}, before the end of the game: {why}; \
     perhaps a move came too late"
)]
pub struct CutOff {
    /// Number of the move, counted for each side from 1.
    pub number: usize,
    /// The side to move.
    pub side: Side,
    /// The error of the connection.
    pub why: String,
}

/// Plays one side of a game; White's time runs since `connected`. The observer gets only moves.
///
/// # Errors
/// The connection ended before the game.
pub fn play_side(
    stream: TcpStream,
    start: AnyGame,
    side: Side,
    connected: Instant,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
) -> Result<SideReport, CutOff> {
    play_side_within(stream, start, side, connected, player, observer, MAX_SILENCE)
}

/// The same with another limit for the opponent's silence.
///
/// # Errors
/// The connection ended before the game, or there was such a silence.
pub fn play_side_within(
    stream: TcpStream,
    start: AnyGame,
    side: Side,
    connected: Instant,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
    max_silence: Duration,
) -> Result<SideReport, CutOff> {
    prepare(&stream, max_silence);
    let stamped = StampedStream::new(&stream);
    let _urgency = Urgency::claim();
    let mut opponent = Opponent::new(!side, &stream, &stamped);
    let mut state = GameState::new(start);
    let mut slowest = Duration::ZERO;
    let mut since = connected;
    let mut number = 0;
    if side != state.position.side() {
        player.event(&ClientEvent::Welcome { side, state: &state });
    }
    let (outcome, reason) = loop {
        if let Some(ending) = state.ending() {
            break (ending.outcome, ending.rule.to_string());
        }
        let mover = state.position.side();
        let made = if mover == side {
            make_move(&stream, &state, since, player, &mut opponent)
        } else {
            opponent.next_move(&state.position, number == 0).map(|(m, received)| {
                since = received;
                let text = tournament::move_text(&state.position, m);
                Made { m, text, thinking: None, overshoot: Duration::ZERO }
            })
        };
        let Made { m, text, thinking, overshoot } = match made {
            Ok(made) => made,
            Err(Stop::Fault(reason)) => break (Outcome::Win(side), reason),
            Err(Stop::CutOff(why)) => {
                return Err(CutOff { number: number / 2 + 1, side: mover, why });
            }
        };
        slowest = slowest.max(thinking.unwrap_or_default());
        state.play(m);
        number += 1;
        let event = ClientEvent::Moved { side: mover, text, thinking, overshoot, state: &state };
        player.event(&event);
        observer(&event);
    };
    leave(&stream);
    Ok(SideReport { outcome, reason, plies: number, slowest })
}

/// Sets the options of the connection, and the limit for the opponent's silence.
fn prepare(stream: &TcpStream, max_silence: Duration) {
    socket::prepare(stream);
    if let Err(error) = stream.set_read_timeout(Some(max_silence)) {
        log::warn!("cannot set a time limit for the opponent's silence: {error}");
    }
}

/// A move that was made.
struct Made {
    m: Move,
    text: MoveText,
    /// For a move of ours, its time.
    thinking: Option<Duration>,
    overshoot: Duration,
}

/// Chooses a move of ours, whose time runs since `since`, and sends it, unless the opponent has
/// moved out of turn.
fn make_move(
    mut stream: &TcpStream,
    state: &AnyState,
    since: Instant,
    player: &mut impl Player,
    opponent: &mut Opponent<'_>,
) -> Result<Made, Stop> {
    let legal = state.position.legal_moves();
    let answer = player.choose(state, since);
    // An illegal move would lose; a game that is not over has a legal one.
    let is_legal = legal.contains(&answer.m);
    let m = if is_legal { answer.m } else { player.instead(state, &legal) };
    let (text, bytes) = message(&state.position, m);
    if let Some(fault) = opponent.moved_out_of_turn() {
        return Err(Stop::Fault(fault));
    }
    stream.write_all(&bytes).map_err(|error| opponent.unreachable(&error))?;
    let left = Instant::now();
    if !is_legal {
        let (chosen, position) = (answer.m, state.position);
        log::error!("the player chose {chosen:?}, illegal in `{position}`: sent {text}");
    }
    let thinking = Some(left.saturating_duration_since(since));
    Ok(Made { m, text, thinking, overshoot: answer.overshoot(left) })
}

/// Ends the connection so that our last move arrives: closing a socket with unread bytes would
/// discard it at the other end.
fn leave(mut stream: &TcpStream) {
    // These calls fail only where the connection has ended anyway.
    let _ = stream.shutdown(Shutdown::Write);
    let end = Instant::now() + CLOSING_TIME;
    let mut rest = [0; 64];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut rest) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
    }
}
