//! A player's connection to the referee.
//!
//! The one idea: one thread per connection only reads and stamps. A line is stamped when its last
//! byte arrives, by the system where it can, so that other work of ours costs the player no time.
//! The stamped lines of both players go through one bounded channel.

use std::io::{self, Read, Take, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::Sender;
use socket2::SockRef;

use super::judge::{Arrival, Input};
use super::{MAX_BYTES, Wire};
use crate::game::Side;
use crate::net::arrival::StampedStream;
use crate::net::clock::Clock;
use crate::net::line::{LineError, LineReader};
use crate::net::relay::forward::each_message;
use crate::net::socket;
use crate::net::tournament::ServerMessage;
use crate::net::urgency::Urgency;

/// A connection with its reading thread. Dropping it closes the connection and waits for the thread
/// to end; drop the receiver of its arrivals first, or the thread may wait for room in the channel.
pub struct PlayerConnection {
    side: Side,
    wire: Wire,
    stream: Arc<TcpStream>,
    /// Returns whether the player has sent too much.
    reader: Option<JoinHandle<bool>>,
}

impl PlayerConnection {
    /// Seats a player: sends `WELCOME`, and forwards its lines to `arrivals`.
    ///
    /// # Errors
    /// The system refuses to start a thread; nothing has happened then, and the caller may try
    /// again. A connection that is already dead is no error, but an [`Input::Closed`].
    pub fn new(
        side: Side,
        wire: Wire,
        stream: Arc<TcpStream>,
        arrivals: Sender<Arrival>,
    ) -> io::Result<PlayerConnection> {
        socket::prepare(&stream);
        let reading = Arc::clone(&stream);
        let reader =
            thread::Builder::new().name(format!("{side} arrivals")).spawn(move || match wire {
                Wire::Tournament => forward_lines(side, &reading, &arrivals),
                Wire::Relay => forward_messages(side, &reading, &arrivals),
            })?;
        let seat = PlayerConnection { side, wire, stream, reader: Some(reader) };
        seat.send(ServerMessage::Welcome(side));
        seat.send(ServerMessage::Message(b"waiting for the opponent"));
        Ok(seat)
    }

    /// The player's address, if the connection still has one.
    pub fn peer(&self) -> Option<SocketAddr> {
        self.stream.peer_addr().ok()
    }

    /// Sends a message; returns the time right after, so that a pause of ours before costs the
    /// player nothing. A failure ends the connection, which then arrives as [`Input::Closed`].
    pub fn send(&self, message: ServerMessage) -> Instant {
        match (self.wire, message) {
            (Wire::Tournament, message) => self.write(&message.to_line()),
            (Wire::Relay, ServerMessage::OpponentMove(text)) => self.write(&[text, b"\n"].concat()),
            // That protocol has no other message.
            (Wire::Relay, _) => {}
        }
        Instant::now()
    }

    /// Passes a player's message on to its opponent as it is, if that speaks the relay protocol.
    pub fn pass_on(&self, bytes: &[u8]) {
        if self.wire == Wire::Relay {
            self.write(bytes);
        }
    }

    /// How the player is spoken to.
    pub fn wire(&self) -> Wire {
        self.wire
    }

    fn write(&self, bytes: &[u8]) {
        let mut stream = &*self.stream;
        if let Err(error) = stream.write_all(bytes) {
            log::info!("sending to {} failed: {error}", self.side);
            self.close();
        }
    }

    /// Ends our stream to the player, while still listening, so that all sent lines arrive: closing
    /// a socket with unread bytes would discard them at the other end.
    pub fn finish(&self) {
        // Fails only where the connection has ended anyway.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Ends the connection, which wakes the reading thread.
    fn close(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl Drop for PlayerConnection {
    fn drop(&mut self) {
        self.close();
        if let Some(reader) = self.reader.take() {
            // It never panics, and a destructor could not react anyway.
            let too_much = reader.join().unwrap_or(true);
            if too_much {
                // Resets the connection: a player that still sends notices at once, instead of
                // asking for room in our buffer at growing intervals. Fails where it has ended.
                let _ = SockRef::from(&*self.stream).set_linger(Some(Duration::ZERO));
            }
        }
    }
}

/// Forwards a player's lines to `arrivals` until the connection ends or the receiver is gone;
/// returns whether the player has sent too much.
fn forward_lines(side: Side, stream: &TcpStream, arrivals: &Sender<Arrival>) -> bool {
    let _urgency = Urgency::claim();
    let stamped = StampedStream::new(stream);
    let mut capped = (&stamped).take(MAX_BYTES as u64);
    let mut reader = LineReader::with_clock(&mut capped, &stamped);
    loop {
        let (at, input) = match reader.read_line() {
            Ok(line) => (line.received, Input::Line(line.bytes.to_vec())),
            Err(LineError::TooLong) => (stamped.now(), Input::TooLong),
            Err(error) => {
                log::debug!("{side}: {error}");
                break;
            }
        };
        if arrivals.send(Arrival { side, at, input }).is_err() {
            return false;
        }
    }
    let send = |input| arrivals.send(Arrival { side, at: Instant::now(), input });
    let too_much = capped.limit() == 0;
    if too_much && send(Input::TooMuch).is_ok() {
        throw_away(capped);
    }
    // The receiver may be gone.
    let _ = send(Input::Closed);
    too_much
}

/// The same for a player that speaks the relay protocol; too much is a wrong message there.
fn forward_messages(side: Side, stream: &TcpStream, arrivals: &Sender<Arrival>) -> bool {
    each_message(stream, |at, bytes| {
        let input = bytes.map_or(Input::Closed, Input::Message);
        arrivals.send(Arrival { side, at, input }).is_ok()
    });
    false
}

/// Reads to the end of the connection, as closing it with unread bytes would discard sent lines.
/// It reads `MAX_BYTES` at most, since a player that never stops sending would be read for ever,
/// even after [`PlayerConnection::close`].
fn throw_away(capped: Take<&StampedStream>) {
    let mut rest = capped.into_inner().take(MAX_BYTES as u64);
    let mut room = [0; 4096];
    while rest.read(&mut room).is_ok_and(|count| count > 0) {}
}
