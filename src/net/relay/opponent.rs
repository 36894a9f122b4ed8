//! What comes from the opponent in a game over the relay.
//!
//! The one idea: moves may have any case and blanks, as another relay may be lenient. Ours closes
//! after a message that is not exactly right; so if the connection ends after such a message, the
//! opponent has lost by it.

use std::io;
use std::net::TcpStream;
use std::time::Instant;

use super::{MESSAGE_LENGTH, read_exactly};
use crate::game::{Move, Side};
use crate::games::AnyGame;
use crate::net::arrival::{OwnTurn, StampedStream};
use crate::net::line::{LineError, LineReader, MAX_LINE};
use crate::net::socket::peek_at_once;
use crate::net::tournament::{self, quoted_bytes};

/// Why there is no move.
pub enum Stop {
    /// The opponent has lost by a mistake: the reason of the result.
    Fault(String),
    /// The connection has ended: its error.
    CutOff(String),
}

/// The opponent at the other end of the relay.
pub struct Opponent<'s> {
    side: Side,
    stream: &'s TcpStream,
    reader: LineReader<&'s StampedStream<'s>, OwnTurn<'s>>,
    /// Its last message, if that was understood, but was not exactly right.
    inexact: Option<String>,
}

impl<'s> Opponent<'s> {
    /// An opponent that plays `side`; `stamped` reads from `stream`.
    pub fn new(side: Side, stream: &'s TcpStream, stamped: &'s StampedStream<'s>) -> Opponent<'s> {
        let reader = LineReader::with_clock(stamped, OwnTurn(stamped));
        Opponent { side, stream, reader, inexact: None }
    }

    /// Waits for a move, `patiently` for ever; returns it and when it came.
    ///
    /// # Errors
    /// See [`Stop`].
    pub fn next_move(
        &mut self,
        position: &AnyGame,
        patiently: bool,
    ) -> Result<(Move, Instant), Stop> {
        let line = loop {
            match self.reader.read_line() {
                Err(LineError::Silent) if patiently => {}
                line => break line,
            }
        };
        let line = match line {
            Ok(line) => line,
            Err(error) => return Err(self.stopped(error)),
        };
        let Ok(m) = tournament::read_move(position, line.bytes) else {
            return Err(Stop::Fault(illegal(self.side, &quoted_bytes(line.bytes))));
        };
        let is_exact = read_exactly(position, line.with_end).is_ok();
        let shown = line.with_end.strip_suffix(b"\n").unwrap_or(line.with_end);
        self.inexact = (!is_exact).then(|| quoted_bytes(shown));
        Ok((m, line.received))
    }

    /// What it means that there is no line.
    fn stopped(&self, error: LineError) -> Stop {
        let is_over = match &error {
            LineError::TooLong => return Stop::Fault(format!("{} sent {error}", self.side)),
            LineError::Closed { .. } => true,
            LineError::Io(error) => is_end(error),
            LineError::Silent => false,
        };
        self.ended(is_over, error.to_string())
    }

    /// What it means that our move could not be sent.
    pub fn unreachable(&self, error: &io::Error) -> Stop {
        self.ended(is_end(error), error.to_string())
    }

    /// The connection fails; `is_over` if the relay may have closed it.
    fn ended(&self, is_over: bool, why: String) -> Stop {
        // A shorter one may be the beginning of a right one.
        let unfinished = Some(self.reader.rest()).filter(|rest| rest.len() >= MESSAGE_LENGTH);
        let wrong = unfinished.map(quoted_bytes).or_else(|| self.inexact.clone());
        match wrong.filter(|_| is_over) {
            Some(wrong) => Stop::Fault(illegal(self.side, &wrong)),
            None => Stop::CutOff(why),
        }
    }

    /// Whether a whole message has come before our move: the reason of the result, if so. Does not
    /// wait. The end of the connection is no message.
    pub fn moved_out_of_turn(&mut self) -> Option<String> {
        let mut waiting = [0; MAX_LINE];
        let count = peek_at_once(self.stream, &mut waiting);
        if !self.reader.rest().iter().chain(&waiting[..count]).any(|&byte| byte == b'\n') {
            return None;
        }
        let what = match self.reader.read_line() {
            Ok(line) => quoted_bytes(line.with_end),
            Err(error) => error.to_string(),
        };
        Some(format!("{} sent {what} out of turn", self.side))
    }
}

/// Whether an error is the end of a connection.
fn is_end(error: &io::Error) -> bool {
    use io::ErrorKind::*;
    matches!(error.kind(), ConnectionReset | ConnectionAborted | BrokenPipe)
}

/// The reason of a loss by a message.
fn illegal(side: Side, quoted: &str) -> String {
    format!("{side} made an illegal move: {quoted}")
}
