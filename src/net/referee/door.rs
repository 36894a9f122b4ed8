//! The door of the lobby: accepts connections, and lets them in as players.
//!
//! The one idea: a newcomer settles for a moment before it gets a seat. A connection that is closed
//! at once (a port scan, a health check) is gone by then, and costs nobody a game.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use socket2::SockRef;

use crate::net::arrival::ask_for_stamps;
use crate::net::socket::{SETTLING_TIME, has_left, is_there};
use crate::net::tournament::ServerMessage;

/// The pause after the system has refused a thread or a socket.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// Max newcomers at a time, and max of one address where only some may play; the others wait in
/// the system's queue, or are refused.
const MAX_NEWCOMERS: usize = 64;
const MAX_OF_ADDRESS: usize = 8;

/// Max players in the system's queue of connections: beyond it, the system of a player is not
/// refused, but tries again after seconds, and may report a connection meanwhile.
const QUEUE_LENGTH: i32 = 1024;

/// The only machines that may play, one entry for each seat. A machine may have several addresses,
/// and a machine with two seats two entries.
#[derive(Clone, Debug, Default)]
pub struct Guests(Vec<Vec<IpAddr>>);

impl Guests {
    /// The machines with these addresses.
    pub fn new(seats: impl IntoIterator<Item = Vec<IpAddr>>) -> Guests {
        let canonical = |seat: Vec<IpAddr>| seat.iter().map(IpAddr::to_canonical).collect();
        Guests(seats.into_iter().map(canonical).collect())
    }

    /// Whether an address may play, against `opponent` if there is one already.
    fn may_play(&self, address: IpAddr, opponent: Option<IpAddr>) -> bool {
        let seats = |of: IpAddr| {
            let is_its = move |(_, seat): &(usize, &Vec<IpAddr>)| seat.contains(&of);
            self.0.iter().enumerate().filter(is_its).map(|(number, _)| number)
        };
        match opponent {
            None => seats(address).next().is_some(),
            Some(other) => seats(address).any(|seat| seats(other).any(|taken| taken != seat)),
        }
    }
}

/// A connection that may become a player.
pub struct Newcomer {
    stream: Arc<TcpStream>,
    /// Its address.
    pub ip: IpAddr,
    since: Instant,
}

impl Newcomer {
    /// The connection.
    pub fn stream(&self) -> Arc<TcpStream> {
        self.stream.clone()
    }
}

/// Accepts players.
pub struct Door<'a> {
    listener: TcpListener,
    guests: Option<&'a Guests>,
    newcomers: VecDeque<Newcomer>,
    /// The system has refused to accept; until when nothing is tried.
    resting: Option<Instant>,
    /// A refusal has been reported.
    reported: bool,
}

impl<'a> Door<'a> {
    /// Opens the door to `guests`, or to everybody.
    ///
    /// # Errors
    /// The listener is broken.
    pub fn new(listener: TcpListener, guests: Option<&'a Guests>) -> io::Result<Door<'a>> {
        listener.set_nonblocking(true)?;
        // If the system refuses, the queue stays short, and many players that connect at once must
        // try again.
        if let Err(error) = SockRef::from(&listener).listen(QUEUE_LENGTH) {
            log::info!("cannot set the length of the queue of connections: {error}");
        }
        ask_for_stamps(&listener);
        Ok(Door { listener, guests, newcomers: VecDeque::new(), resting: None, reported: false })
    }

    /// Accepts all that are in the queue of the system.
    ///
    /// # Errors
    /// The listener is broken. A want of sockets or memory is none: it may pass, and the queue
    /// stays.
    pub fn admit(&mut self) -> io::Result<()> {
        if self.resting.is_some_and(|end| Instant::now() < end) {
            return Ok(());
        }
        while self.newcomers.len() < MAX_NEWCOMERS {
            match self.listener.accept() {
                Ok((stream, peer)) => {
                    self.receive(stream, peer.ip().to_canonical());
                }
                Err(error) if has_left(&error) => {}
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => break,
                    ErrorKind::InvalidInput | ErrorKind::Unsupported => return Err(error),
                    _ => {
                        if !std::mem::replace(&mut self.reported, true) {
                            log::warn!("accepting a player: {error}; trying again");
                        }
                        self.resting = Some(Instant::now() + PAUSE);
                        break;
                    }
                },
            }
        }
        Ok(())
    }

    fn receive(&mut self, mut stream: TcpStream, ip: IpAddr) {
        if let Some(guests) = self.guests {
            let same = self.newcomers.iter().filter(|other| other.ip == ip).count();
            let refusal: Option<&[u8]> = if !guests.may_play(ip, None) {
                Some(b"these games are for other players")
            } else if same == MAX_OF_ADDRESS {
                Some(b"too many players of your machine wait for a seat")
            } else {
                None
            };
            if let Some(reason) = refusal {
                log::info!("no seat for {ip}");
                // It may be gone.
                let _ = stream.write_all(&ServerMessage::Message(reason).to_line());
                return;
            }
        }
        // A failure means a dead connection.
        if stream.set_nonblocking(true).is_ok() {
            let (stream, since) = (Arc::new(stream), Instant::now());
            self.newcomers.push_back(Newcomer { stream, ip, since });
        }
    }

    /// The first newcomer that has settled, is still there, and may play, against `opponent` if
    /// there is one.
    pub fn next(&mut self, opponent: Option<IpAddr>) -> Option<Newcomer> {
        let mut index = 0;
        while let Some(newcomer) = self.newcomers.get(index)
            && newcomer.since.elapsed() >= SETTLING_TIME
        {
            let ip = newcomer.ip;
            if !is_there(&newcomer.stream) {
                log::info!("{ip} has left before it had a seat");
                self.newcomers.remove(index);
            } else if self.guests.is_none_or(|guests| guests.may_play(ip, opponent)) {
                let newcomer = self.newcomers.remove(index)?;
                // A failure means a dead connection.
                if newcomer.stream.set_nonblocking(false).is_ok() {
                    return Some(newcomer);
                }
            } else {
                index += 1;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_as_many_seats_as_entries() {
        let ip = |last: u8| IpAddr::from([192, 0, 2, last]);
        // The last machine has two addresses, which also belong to no other.
        let guests = Guests::new([vec![ip(1)], vec![ip(2)], vec![ip(2)], vec![ip(3), ip(4)]]);
        let may = |address, opponent| guests.may_play(ip(address), opponent);
        for address in 1..=4 {
            assert!(may(address, None));
        }
        assert!(!may(5, None) && !may(5, Some(ip(1))));
        assert!(may(1, Some(ip(2))) && may(2, Some(ip(1))) && may(3, Some(ip(1))));
        assert!(!may(1, Some(ip(1))), "one entry, one seat");
        assert!(may(2, Some(ip(2))), "two entries");
        assert!(!may(3, Some(ip(4))), "the same machine");
        let mapped = Guests::new([vec!["::ffff:192.0.2.1".parse().unwrap()]]);
        assert!(mapped.may_play(ip(1), None));
    }
}
