//! Players that come by themselves: any client that connects, known by where it does.
//!
//! The one idea: the reception listens all the time and keeps the newest connection of each guest
//! until its next game takes it. So a player may come early, leave, and come again, before its
//! game and after the server was started again.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use alesia::game::{ParseError, quoted};
use alesia::net::address::{Address, Endpoint};
use alesia::net::referee::Wire;
use alesia::net::relay::HIGHEST_FILTERED_PORT;
use alesia::net::socket::{SETTLING_TIME, is_there};
use alesia::words::command_error::CommandError;

use super::entrant::Entrant;
use crate::words::grammar::number;
use crate::words::logging::warn;

/// The time between two looks for connections.
pub const LOOK_TIME: Duration = Duration::from_millis(10);

/// Default time of a player that is called to come, in seconds.
const WAIT: u64 = 120;

/// Where a guest comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrance {
    /// A port of its own.
    Port(u16),
    /// The port of all, from this machine.
    From(String),
}

/// A player that comes by itself.
#[derive(Clone, Debug)]
pub struct Guest {
    pub name: String,
    pub wire: Wire,
    pub entrance: Entrance,
    /// Where it listens as White in the relay protocol.
    pub listens: Option<Endpoint>,
    /// How long its opponent waits for it once the game is called.
    pub wait: Duration,
    /// From both players being there to the first turn.
    pub warm_up: Duration,
    door: Arc<Mutex<Door>>,
}

/// What has come.
#[derive(Debug, Default)]
struct Door {
    has_come: bool,
    /// Still there and known to stay.
    settled: Option<TcpStream>,
    /// Perhaps gone in a moment, as a port scan is.
    newest: Option<(TcpStream, Instant)>,
}

impl Door {
    /// Forgets those that have left.
    fn look(&mut self, name: &str) {
        if self.newest.as_ref().is_some_and(|(_, since)| since.elapsed() >= SETTLING_TIME)
            && let Some((stream, _)) = self.newest.take()
            && is_there(&stream)
        {
            if !std::mem::replace(&mut self.has_come, true) {
                warn(&format!("{name} has come"));
            }
            self.settled = Some(stream);
        }
        self.settled = self.settled.take().filter(is_there);
    }
}

impl Guest {
    /// The keys that make a player a guest.
    pub const KEYS: [&str; 5] = ["port", "from", "listens", "wait", "warmup"];

    /// Reads the values of [`Guest::KEYS`], by key with their places.
    ///
    /// # Errors
    /// One is unusable, or they do not fit each other.
    pub fn read<'a>(
        name: &str,
        place: &str,
        wire: Wire,
        value: impl Fn(&str) -> Option<(&'a str, &'a str)>,
    ) -> Result<Guest, ParseError> {
        let seconds = |key: &str, default: u64| match value(key) {
            Some((place, text)) => number(place, text, 0..=86_400).map(Duration::from_secs),
            None => Ok(Duration::from_secs(default)),
        };
        let entrance = match (value("port"), value("from")) {
            (Some((place, port)), None) => {
                let port = number(place, port, 1..=u64::from(u16::MAX))? as u16;
                Entrance::Port(check_port(place, wire, port)?)
            }
            (None, Some((_, host))) => Entrance::From(host.to_owned()),
            (Some(_), Some(_)) => {
                return Err(ParseError::new(place, "port and from", "one of them"));
            }
            (None, None) => {
                return Err(ParseError::new(place, "neither", "port=N or from=ADDRESS"));
            }
        };
        let listens = match (wire, value("listens")) {
            (Wire::Tournament, Some(_)) => {
                let expected = "none, as only White in proto=relay listens";
                return Err(ParseError::new(place, "listens", expected));
            }
            (Wire::Tournament, None) => None,
            (Wire::Relay, None) => {
                let expected = "listens=HOST:PORT, where it waits as White (proto=relay)";
                return Err(ParseError::new(place, "no address", expected));
            }
            (Wire::Relay, Some((place, text))) => {
                let address: Address = text.parse().map_err(|e| ParseError::within(e, place))?;
                let endpoint = address.at(None).map_err(|error| error.within(place))?;
                check_port(place, wire, endpoint.port)?;
                Some(endpoint)
            }
        };
        Ok(Guest {
            name: name.to_owned(),
            wire,
            entrance,
            listens,
            wait: seconds("wait", WAIT)?,
            warm_up: seconds("warmup", 0)?,
            door: Arc::default(),
        })
    }

    /// Whether it has come, now or earlier.
    pub fn has_come(&self) -> bool {
        self.with_door(|door| door.has_come)
    }

    /// Whether it is there.
    pub fn is_here(&self) -> bool {
        self.with_door(|door| door.settled.is_some())
    }

    /// Its connection, for a game.
    pub fn take(&self) -> Option<TcpStream> {
        let stream = self.with_door(|door| door.settled.take())?;
        stream.set_nonblocking(false).is_ok().then_some(stream)
    }

    fn with_door<T>(&self, action: impl FnOnce(&mut Door) -> T) -> T {
        let mut door = self.door.lock().unwrap_or_else(PoisonError::into_inner);
        door.look(&self.name);
        action(&mut door)
    }

    /// A new connection takes the place of one that waits: the machine of that may have vanished.
    fn comes(&self, stream: TcpStream) {
        self.with_door(|door| door.newest = Some((stream, Instant::now())));
    }
}

/// Refuses a port that the laboratory's routers may filter.
pub fn check_port(place: &str, wire: Wire, port: u16) -> Result<u16, ParseError> {
    if wire == Wire::Tournament || port > HIGHEST_FILTERED_PORT {
        return Ok(port);
    }
    let expected = format!("a port above {HIGHEST_FILTERED_PORT} with proto=relay");
    Err(ParseError::new(place, port.to_string(), expected))
}

/// Lets guests in until it is dropped.
pub struct Reception {
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A listener, and who comes there: one player, or those of some addresses.
struct Desk {
    listener: TcpListener,
    guests: Vec<(Vec<IpAddr>, Guest)>,
}

impl Reception {
    /// Listens on the ports of all guests, and on `common` for those that are known by their
    /// machine.
    ///
    /// # Errors
    /// A machine is not known, two players come in at one place, or a port is not free.
    pub fn open(
        entrants: &[Entrant],
        bind: IpAddr,
        common: u16,
    ) -> Result<Reception, CommandError> {
        let mut desks: Vec<(u16, Desk)> = Vec::new();
        for guest in entrants.iter().filter_map(|entrant| entrant.protocol.guest()) {
            let place = format!("[[player]] {}", guest.name);
            let (port, addresses) = match &guest.entrance {
                Entrance::Port(port) => (*port, Vec::new()),
                Entrance::From(host) => {
                    check_port("[host], port", guest.wire, common)?;
                    (common, addresses_of(host, &place)?)
                }
            };
            let desk = match desks.iter_mut().find(|(own, _)| *own == port) {
                Some((_, desk)) => desk,
                None => {
                    let failed = |error: io::Error| {
                        let address = SocketAddr::from((bind, port));
                        CommandError::Failed(format!("{place}: listening on {address}: {error}"))
                    };
                    let listener = TcpListener::bind((bind, port)).map_err(failed)?;
                    listener.set_nonblocking(true).map_err(failed)?;
                    desks.push((port, Desk { listener, guests: Vec::new() }));
                    &mut desks.last_mut().expect("one was added").1
                }
            };
            let same = desk.guests.iter().find(|(others, _)| {
                let shared = others.iter().any(|other| addresses.contains(other));
                shared || others.is_empty() || addresses.is_empty()
            });
            if let Some((_, other)) = same {
                let found = format!("the entrance of {}", other.name);
                return Err(ParseError::new(place, found, "a port or machine of its own").into());
            }
            desk.guests.push((addresses, guest.clone()));
        }
        let closing = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&closing);
        let receive = move || {
            // Relaxed: a flag alone.
            while !closed.load(Ordering::Relaxed) {
                desks.iter().for_each(|(_, desk)| desk.receive());
                thread::sleep(LOOK_TIME);
            }
        };
        let thread = thread::Builder::new().name("reception".to_owned()).spawn(receive);
        let failed = |error| CommandError::Failed(format!("receiving players: {error}"));
        Ok(Reception { closing, thread: Some(thread.map_err(failed)?) })
    }
}

impl Drop for Reception {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _: Result<(), _> = thread.join();
        }
    }
}

impl Desk {
    /// Accepts all that have come.
    fn receive(&self) {
        for (_, guest) in &self.guests {
            guest.with_door(|_| ());
        }
        loop {
            match self.listener.accept() {
                Ok((stream, peer)) => self.admit(stream, peer.ip().to_canonical()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // Those that left, and what the system refuses for the moment: the next look sees.
                Err(_) => break,
            }
        }
    }

    fn admit(&self, stream: TcpStream, ip: IpAddr) {
        let known = |addresses: &Vec<IpAddr>| addresses.is_empty() || addresses.contains(&ip);
        match self.guests.iter().find(|(addresses, _)| known(addresses)) {
            // A failure means a dead connection.
            Some((_, guest)) => {
                if stream.set_nonblocking(true).is_ok() {
                    guest.comes(stream);
                }
            }
            None => warn(&format!("a connection from {ip}, which is no player's, was closed")),
        }
    }
}

/// The addresses of a machine.
fn addresses_of(host: &str, place: &str) -> Result<Vec<IpAddr>, ParseError> {
    let expected = "the name or IP address of a machine";
    let wrong = || ParseError::new(format!("{place}, from"), quoted(host), expected);
    let found = (host.trim_matches(['[', ']']), 0).to_socket_addrs().map_err(|_| wrong())?;
    Ok(found.map(|address| address.ip().to_canonical()).collect())
}
