//! What every TCP socket here needs: no delay on either way, and patience in connecting.
//!
//! The one idea: a move is one small packet that must leave and be acknowledged at once. Nagle's
//! algorithm and delayed acknowledgement together cost 40 ms a move and more, so both are
//! switched off, the second before every read, as the system switches it on again.

use std::fmt::Write;
use std::io::{self, ErrorKind, Read};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::game::quoted;

/// How long a write may block. All lines of a game together fit the system's buffers, so that
/// only a peer that is stuck for good comes near.
const WRITE_TIME: Duration = Duration::from_secs(1);

/// The pause between two rounds of attempts to connect.
const PAUSE: Duration = Duration::from_millis(200);

/// The least and the most time that one attempt gets.
const ATTEMPT_TIME: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// Sets a connected socket up for sending moves. What the system refuses is logged and does no
/// harm but delay; a connection that is already dead shows when it is used.
pub fn prepare(stream: &TcpStream) {
    let done = stream.set_nodelay(true).and_then(|()| stream.set_write_timeout(Some(WRITE_TIME)));
    if let Err(error) = done {
        log::warn!("setting up the connection failed, going on: {error}");
    }
}

/// The reading end of a socket, which asks for immediate acknowledgement before each read.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a>(pub &'a TcpStream);

impl Read for Incoming<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        acknowledge_at_once(self.0);
        let mut stream = self.0;
        stream.read(room)
    }
}

#[cfg(target_os = "linux")]
fn acknowledge_at_once(stream: &TcpStream) {
    use std::os::linux::net::TcpStreamExt;
    // A refusal costs some milliseconds at worst, and is not worth a line for every read.
    let _ = stream.set_quickack(true);
}

#[cfg(not(target_os = "linux"))]
fn acknowledge_at_once(_: &TcpStream) {}

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// The name or address means no machine.
    #[error(
        "address: found {}, expected the name or IP address of a machine ({reason})",
        quoted(host)
    )]
    Unknown {
        /// The name as given.
        host: String,
        /// What the system says.
        reason: String,
    },
    /// No attempt came through.
    #[error("no connection to {host}, port {port}, within {} s ({failures}); \
        is the server running there, and is the port right?", waited.as_secs())]
    Failed {
        /// The name as given.
        host: String,
        /// The port as given.
        port: u16,
        /// The time spent.
        waited: Duration,
        /// Every address with the reason of its last failure.
        failures: String,
    },
}

/// Connects to a server that may not have been started yet: tries all addresses of `host` over
/// and over until `patience` is over, at least once each.
///
/// # Errors
/// Says what was tried and why it failed.
pub fn connect(host: &str, port: u16, patience: Duration) -> Result<TcpStream, ConnectError> {
    let unknown = |reason: String| ConnectError::Unknown { host: host.to_owned(), reason };
    let addresses: Vec<SocketAddr> =
        (host, port).to_socket_addrs().map_err(|error| unknown(error.to_string()))?.collect();
    if addresses.is_empty() {
        return Err(unknown("it has no address".to_owned()));
    }
    let begin = Instant::now();
    let mut told = false;
    loop {
        let mut failures = String::new();
        for address in &addresses {
            let left = patience.saturating_sub(begin.elapsed());
            match attempt(address, left.clamp(ATTEMPT_TIME[0], ATTEMPT_TIME[1])) {
                Ok(stream) => {
                    prepare(&stream);
                    return Ok(stream);
                }
                Err(error) => {
                    let separator = if failures.is_empty() { "" } else { ", " };
                    let _ = write!(failures, "{separator}{address}: {error}");
                }
            }
        }
        let waited = begin.elapsed();
        if waited >= patience {
            return Err(ConnectError::Failed { host: host.to_owned(), port, waited, failures });
        }
        if !told {
            log::info!("waiting for the server ({failures})");
            told = true;
        }
        thread::sleep(PAUSE.min(patience - waited));
    }
}

fn attempt(address: &SocketAddr, time: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(address, time)?;
    // With nobody listening on a port that the system also hands out to outgoing connections,
    // an attempt can, by chance, meet itself.
    if stream.local_addr()? == stream.peer_addr()? {
        let _ = stream.shutdown(Shutdown::Both);
        return Err(ErrorKind::ConnectionRefused.into());
    }
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A loopback port on which nobody listens.
    fn free_port() -> u16 {
        TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
    }

    #[test]
    fn the_server_may_start_later() {
        let port = free_port();
        thread::scope(|scope| {
            let client = scope.spawn(|| connect("localhost", port, Duration::from_secs(20)));
            thread::sleep(Duration::from_millis(300));
            let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
            let (_, peer) = listener.accept().unwrap();
            assert_eq!(client.join().unwrap().unwrap().local_addr().unwrap(), peer);
        });
    }

    #[test]
    fn without_a_server_the_error_says_what_was_tried() {
        // Nobody has listened on port 1 for decades.
        let error = connect("127.0.0.1", 1, Duration::ZERO).unwrap_err().to_string();
        assert!(error.starts_with("no connection to 127.0.0.1, port 1, within "), "{error}");
        assert!(error.contains("127.0.0.1:1: "), "{error}");
    }

    #[test]
    fn a_bad_name_is_an_error_at_once() {
        let error = connect("no host\n", 8901, Duration::from_secs(60)).unwrap_err().to_string();
        assert!(error.starts_with("address: found `no host\\n`, expected the name"), "{error}");
    }
}
