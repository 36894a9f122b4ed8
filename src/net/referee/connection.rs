//! A player's connection to the referee.
//!
//! The one idea: one thread per connection only reads and stamps. A line is stamped as soon as its
//! last byte is read, so that other work of the game's thread costs the player no time; the stamped
//! lines of both players go through one bounded channel.

use std::io::{self, Read, Take, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam::channel::Sender;

use super::MAX_BYTES;
use super::judge::{Arrival, Input};
use crate::game::Side;
use crate::net::line::{LineError, LineReader};
use crate::net::socket::{self, Incoming};
use crate::net::tournament::ServerMessage;
use crate::net::urgency::Urgency;

/// A connection with its reading thread. Dropping it closes the connection and waits for the thread
/// to end; drop the receiver of its arrivals first, or the thread may wait for room in the channel.
pub struct PlayerConnection {
    side: Side,
    stream: Arc<TcpStream>,
    reader: Option<JoinHandle<()>>,
}

impl PlayerConnection {
    /// Seats a player: sends `WELCOME`, and forwards its lines to `arrivals`.
    ///
    /// # Errors
    /// The system refuses to start a thread. A connection that is already dead is no error, but an
    /// [`Input::Closed`].
    pub fn new(
        side: Side,
        stream: TcpStream,
        arrivals: Sender<Arrival>,
    ) -> io::Result<PlayerConnection> {
        socket::prepare(&stream);
        let stream = Arc::new(stream);
        let reading = Arc::clone(&stream);
        let reader = thread::Builder::new()
            .name(format!("{side} arrivals"))
            .spawn(move || forward_lines(side, &reading, &arrivals))?;
        let seat = PlayerConnection { side, stream, reader: Some(reader) };
        seat.send(ServerMessage::Welcome(side));
        seat.send(ServerMessage::Message(b"waiting for the opponent"));
        Ok(seat)
    }

    /// The player's address, if the connection still has one.
    pub fn peer(&self) -> Option<SocketAddr> {
        self.stream.peer_addr().ok()
    }

    /// Sends a message; returns the time right before. A failure ends the connection, which then
    /// arrives as [`Input::Closed`].
    pub fn send(&self, message: ServerMessage) -> Instant {
        let line = message.to_line();
        let before = Instant::now();
        let mut stream = &*self.stream;
        if let Err(error) = stream.write_all(&line) {
            log::info!("sending to {} failed: {error}", self.side);
            self.close();
        }
        before
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
            let _ = reader.join();
        }
    }
}

/// Forwards a player's lines to `arrivals` until the connection ends or the receiver is gone.
fn forward_lines(side: Side, stream: &TcpStream, arrivals: &Sender<Arrival>) {
    let _urgency = Urgency::claim();
    let mut capped = Incoming(stream).take(MAX_BYTES as u64);
    let mut reader = LineReader::new(&mut capped);
    loop {
        let (at, input) = match reader.read_line() {
            Ok(line) => (line.received, Input::Line(line.bytes.to_vec())),
            Err(LineError::TooLong) => (Instant::now(), Input::TooLong),
            Err(error) => {
                log::debug!("{side}: {error}");
                break;
            }
        };
        if arrivals.send(Arrival { side, at, input }).is_err() {
            return;
        }
    }
    let send = |input| arrivals.send(Arrival { side, at: Instant::now(), input });
    if capped.limit() == 0 && send(Input::TooMuch).is_ok() {
        throw_away(capped);
    }
    // The receiver may be gone.
    let _ = send(Input::Closed);
}

/// Reads to the end of the connection, as closing it with unread bytes would discard sent lines;
/// but at most `MAX_BYTES`, since a player that never stops sending would be read for ever, even
/// after [`PlayerConnection::close`].
fn throw_away(capped: Take<Incoming>) {
    let mut rest = capped.into_inner().take(MAX_BYTES as u64);
    let mut room = [0; 4096];
    while rest.read(&mut room).is_ok_and(|count| count > 0) {}
}
