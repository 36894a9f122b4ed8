//! One game as a client of a tournament server.
//!
//! The one idea: a single thread owns the connection. It reads a line and carries it out; between
//! reading `YOUR_TURN` and writing the answer it only asks the player, and printing waits until the
//! answer is sent.

mod as_written;
mod session;

use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use self::session::Session;
use super::arrival::{OwnTurn, StampedStream};
use super::clock::{Clock, SystemClock};
use super::line::{LineError, LineReader};
use super::socket;
use super::stand_in::{Connection, Outgoing, Second};
use super::tournament::MoveText;
use super::urgency::Urgency;
use crate::game::{Ending, Move, Outcome, ParseError, Side};
use crate::games::{AnyGame, AnyState};

pub use super::socket::{ConnectError, connect};

/// Chooses our moves.
pub trait Player {
    /// Our turn: `received` is when the line `YOUR_TURN` came. Must return a legal move in time.
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer;

    /// The same where a second process sends the move that was last given to `so_far`, if the
    /// answer has not come by the moment that was given with it.
    fn choose_watched(&mut self, state: &AnyState, received: Instant, so_far: SoFar) -> Answer {
        let _ = so_far;
        self.choose(state, received)
    }

    /// The chosen move is illegal, or the server has refused it although our rules allow it:
    /// returns one of `moves` (at least one) at once.
    fn instead(&mut self, state: &AnyState, moves: &[Move]) -> Move {
        let _ = state;
        moves[0]
    }

    /// An event of the game. A player may start to ponder here, but must return at once, as no line
    /// is read meanwhile.
    fn event(&mut self, event: &ClientEvent<'_>) {
        let _ = event;
    }
}

/// Hears the best move so far, and the latest moment at which it is of use.
pub type SoFar<'a> = &'a mut dyn FnMut(Move, Instant);

/// A player's answer to its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// When it should have been sent, where the player has a plan.
    pub due: Option<Instant>,
}

impl Answer {
    /// By how much an answer sent at `sent` was late.
    pub fn overshoot(&self, sent: Instant) -> Duration {
        self.due.map_or(Duration::ZERO, |due| sent.saturating_duration_since(due))
    }
}

impl From<Move> for Answer {
    /// An answer without a plan.
    fn from(m: Move) -> Answer {
        Answer { m, due: None }
    }
}

/// An event of a game, for the player and then for an observer that shows it. Reported on the
/// thread that owns the connection, never between a `YOUR_TURN` and its answer: neither may wait.
#[derive(Clone, Debug)]
pub enum ClientEvent<'a> {
    /// The connection to the server has this address on our side.
    Connected(SocketAddr),
    /// The server has named our colour; the game begins after its warm-up.
    Welcome {
        /// Our colour.
        side: Side,
        /// The game before its first move.
        state: &'a AnyState,
    },
    /// Text from the server; [`readable`](super::tournament::readable) makes it fit for display.
    Message(&'a [u8]),
    /// A move of ours has been sent, or one of the opponent has come.
    Moved {
        /// Who moved.
        side: Side,
        /// The move in the game's notation.
        text: MoveText,
        /// For a move of ours, the time from `YOUR_TURN` to having written the answer.
        thinking: Option<Duration>,
        /// By how much a move of ours was late; see [`Answer::overshoot`].
        overshoot: Duration,
        /// The game after the move.
        state: &'a AnyState,
    },
    /// The end; the same report is returned afterwards.
    Ended(&'a ClientReport),
}

/// The report on a game. Its `Display` is the fixed form of every result line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientReport {
    /// Our side.
    pub side: Side,
    /// The result: as announced by the server, else by our own position.
    pub outcome: Outcome,
    /// Whether the server has announced the result before closing.
    pub announced: bool,
    /// The end by our own rules; may be missing (such as after a time-out) or differ.
    pub ending: Option<Ending>,
    /// The reason: by our rules if they agree with the outcome, else the server's text.
    pub reason: String,
    /// Whether the server says that we lost by an illegal or late move.
    pub our_fault: bool,
    /// Number of moves of both sides.
    pub plies: usize,
    /// The longest time from `YOUR_TURN` to having written the answer.
    pub slowest: Duration,
    /// The largest delay of a move of ours; see [`Answer::overshoot`].
    pub overshoot: Duration,
}

impl fmt::Display for ClientReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}

/// Why a game has no reliable result.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The connection ended too early.
    #[error("the connection to the server ended {when}: {why}")]
    NoResult {
        /// Before `WELCOME`, before the first move, or in which move.
        when: String,
        /// How it ended.
        why: String,
        /// Whether a turn or a move had come. If not, the server can be joined again, such as after
        /// a restart.
        begun: bool,
    },
    /// The server relayed a move that our rules do not know, and did not continue the game.
    #[error(
        "the server relayed an illegal move {number} of {side}: {fault}; {}{}",
        match announced {
            Some(outcome) => format!("its result is {outcome}"),
            None => "then it closed without a result".to_owned(),
        },
        other_game.as_ref().map(|ours| format!("; {}", is_it_another_game(ours))).unwrap_or_default()
    )]
    IllegalOpponentMove {
        /// Number of the move, counted for each side from 1.
        number: usize,
        /// The opponent's side.
        side: Side,
        /// The relayed text and its error.
        fault: ParseError,
        /// The result that the server announced afterwards.
        announced: Option<Outcome>,
        /// Our game, if the opponent's first move has another notation than its moves: the server
        /// may play another.
        other_game: Option<Cow<'static, str>>,
    },
}

/// The question to a user whose server knows other moves than we do; `ours` is our game.
fn is_it_another_game(ours: &str) -> String {
    format!("is it playing another game? This player plays {ours} (--game)")
}

/// Max silence of a server once the game has begun: programs move within a second, people within
/// minutes. Before the game there is no limit, as the opponent may come late; the system notices a
/// machine that is gone at any time (see [`socket::prepare`]).
pub const MAX_SILENCE: Duration = Duration::from_secs(600);

/// Plays one game from `start` on a connected socket until the server announces the result or
/// closes.
///
/// # Errors
/// See [`ClientError`].
pub fn play_game(
    stream: TcpStream,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
) -> Result<ClientReport, ClientError> {
    play(stream, start, player, observer, MAX_SILENCE, None)
}

/// The same with another limit for the server's silence once the game has begun.
///
/// # Errors
/// See [`ClientError`].
pub fn play_game_within(
    stream: TcpStream,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
    max_silence: Duration,
) -> Result<ClientReport, ClientError> {
    play(stream, start, player, observer, max_silence, None)
}

/// The same with a [second process](super::stand_in), if one is wanted.
fn play(
    stream: TcpStream,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
    max_silence: Duration,
    second: Option<&Second>,
) -> Result<ClientReport, ClientError> {
    socket::prepare(&stream);
    let stamped = StampedStream::new(&stream);
    if let Err(error) = stream.set_read_timeout(Some(max_silence)) {
        log::warn!("cannot set a time limit for the server's silence: {error}");
    }
    if let Ok(local) = stream.local_addr() {
        let event = ClientEvent::Connected(local);
        player.event(&event);
        observer(&event);
    }
    let urgency = Urgency::claim();
    let reader = LineReader::with_clock(&stamped, OwnTurn(&stamped));
    let connection = Connection::new(&stamped, second.filter(|_| !urgency.is_high()));
    converse_with(&SystemClock, reader, connection, start, player, observer)
}

/// As [`play_game`], over any two streams of bytes; a read that fails with [`LineError::Silent`]
/// means that the limit of silence is reached.
///
/// # Errors
/// See [`ClientError`].
pub fn converse(
    incoming: impl Read,
    outgoing: impl Write,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
) -> Result<ClientReport, ClientError> {
    converse_by(&SystemClock, incoming, outgoing, start, player, observer)
}

/// As [`converse`], with any clock.
pub(super) fn converse_by(
    clock: &dyn Clock,
    incoming: impl Read,
    outgoing: impl Write,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
) -> Result<ClientReport, ClientError> {
    let reader = LineReader::with_clock(incoming, clock);
    converse_with(clock, reader, outgoing, start, player, observer)
}

/// The same, whose lines may come by another clock.
fn converse_with(
    clock: &dyn Clock,
    mut reader: LineReader<impl Read, impl Clock>,
    outgoing: impl Outgoing,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
) -> Result<ClientReport, ClientError> {
    let mut session = Session::new(clock, outgoing, start, player, observer);
    loop {
        match reader.read_line() {
            Ok(line) => {
                if let Some(outcome) = session.hear(line.bytes, line.received) {
                    return session.announced(outcome);
                }
            }
            Err(LineError::TooLong) => {
                session.complain(format_args!("ignored {}", LineError::TooLong));
            }
            // The opponent has not come yet.
            Err(LineError::Silent) if !session.has_begun() => {}
            Err(error) => return session.cut_off(error),
        }
    }
}

/// How often a server that goes away before the game is joined again.
const MAX_REJOINS: usize = 3;

/// The pause before each of these.
const REJOIN_PAUSE: Duration = Duration::from_secs(1);

/// Joins a server and plays one game: tries to [`connect`] for `patience`, and joins again if the
/// server goes away before the game has begun (a restart), whether it had welcomed us or not.
/// A [second process](super::stand_in), if one is wanted, may send our moves.
///
/// # Errors
/// See [`JoinError`].
pub fn join_game(
    host: &str,
    port: u16,
    patience: Duration,
    start: AnyGame,
    player: &mut impl Player,
    observer: &mut dyn FnMut(&ClientEvent<'_>),
    second: Option<&Second>,
) -> Result<ClientReport, JoinError> {
    for _ in 0..MAX_REJOINS {
        let stream = connect(host, port, patience)?;
        match play(stream, start, player, observer, MAX_SILENCE, second) {
            Err(error @ ClientError::NoResult { begun: false, .. }) => {
                log::warn!("{error}; joining again");
                thread::sleep(REJOIN_PAUSE);
            }
            played => return Ok(played?),
        }
    }
    let stream = connect(host, port, patience)?;
    Ok(play(stream, start, player, observer, MAX_SILENCE, second)?)
}

/// Why there was no game with a result.
#[derive(Debug, Error)]
pub enum JoinError {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// No result.
    #[error(transparent)]
    Play(#[from] ClientError),
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::game::Game;
    use crate::games::Murus;
    use crate::net::stand_in::Sent;
    use crate::net::tournament::{OutgoingLine, move_line, move_text};

    /// A connection that has always sent the move so far.
    struct Hasty(Option<OutgoingLine>);

    impl Outgoing for Hasty {
        fn is_watched(&self) -> bool {
            true
        }

        fn so_far(&mut self, line: &OutgoingLine, _: Instant) {
            self.0 = Some(line.clone());
        }

        fn send(&mut self, _: &OutgoingLine) -> io::Result<Sent> {
            Ok(Sent { instead: self.0.take(), left: None })
        }
    }

    /// A player that changes its mind, last to no legal move.
    struct Undecided;

    impl Player for Undecided {
        fn choose(&mut self, state: &AnyState, _: Instant) -> Answer {
            state.position.legal_moves()[2].into()
        }

        fn choose_watched(&mut self, state: &AnyState, received: Instant, so_far: SoFar) -> Answer {
            let legal = state.position.legal_moves();
            so_far(legal[0], received);
            so_far(legal[1], received);
            let after = state.after(legal[1]).position.legal_moves();
            so_far(*after.iter().find(|m| !legal.contains(m)).unwrap(), received);
            self.choose(state, received)
        }
    }

    #[test]
    fn the_move_that_was_sent_is_the_one_that_is_played() {
        let start = AnyGame::from(Murus::start());
        let mut played = Vec::new();
        let lines = "WELCOME White\nYOUR_TURN\nVALID_MOVE\nVICTORY\n".as_bytes();
        let reader = LineReader::with_clock(lines, &SystemClock as &dyn Clock);
        converse_with(&SystemClock, reader, Hasty(None), start, &mut Undecided, &mut |event| {
            if let ClientEvent::Moved { text, state, .. } = event {
                played.push((*text, state.position));
            }
        })
        .unwrap();
        let second = start.legal_moves()[1];
        assert_eq!(played, [(move_text(&start, second), start.after(second))]);
        assert_ne!(move_line(&played[0].0), move_line(&move_text(&start, start.legal_moves()[2])));
    }
}
