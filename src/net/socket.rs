//! What every TCP socket here needs: no delay on either way, patience in connecting, and an eye
//! on whether the other machine is still there.
//!
//! The one idea: a move is one small packet that must leave and be acknowledged at once. Nagle's
//! algorithm and delayed acknowledgement together cost 40 ms a move and more, so both are
//! switched off, the second before every read, as the system switches it on again.

use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};
use thiserror::Error;

use crate::game::quoted;

/// How long a write may block. All lines of a game together fit the system's buffers, so that
/// only a peer that is stuck for good comes near.
const WRITE_TIME: Duration = Duration::from_secs(1);

/// The pause between two rounds of attempts to connect.
const PAUSE: Duration = Duration::from_millis(200);

/// Min and max time of one attempt.
const ATTEMPT_TIME: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// How long the other machine may be unreachable (a pulled cable) before the connection fails: long
/// enough to put the cable back. A side that only waits sends its first keep-alive probe after
/// `FIRST_PROBE`.
const ABSENCE: Duration = Duration::from_secs(90);
const FIRST_PROBE: Duration = Duration::from_secs(30);
const PROBES: u32 = 6;

/// Prepares a connected socket for sending moves, and for distinguishing a quiet machine from one
/// that is gone: keep-alive probes are answered by its system, not by its program. A refused option
/// is logged and costs only time; a dead connection shows when it is used.
pub fn prepare(stream: &TcpStream) {
    let done = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_write_timeout(Some(WRITE_TIME)))
        .and_then(|()| watch_over(stream));
    if let Err(error) = done {
        log::warn!("cannot set the options of the connection: {error}; continuing without them");
    }
}

/// Enables keep-alive probes to the other machine.
fn watch_over(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let interval = (ABSENCE - FIRST_PROBE) / PROBES;
    let signs_of_life = TcpKeepalive::new().with_time(FIRST_PROBE).with_interval(interval);
    #[cfg(any(unix, windows))]
    let signs_of_life = signs_of_life.with_retries(PROBES);
    socket.set_tcp_keepalive(&signs_of_life)?;
    // While sent bytes are not acknowledged, the system sends no probes, but repeats the bytes for
    // a quarter of an hour.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(ABSENCE))?;
    Ok(())
}

/// The error of a read that began at `begin`: [`ErrorKind::WouldBlock`] on every system where the
/// socket's time limit is reached, and [`ErrorKind::TimedOut`] where the other machine is gone.
pub(super) fn read_error(stream: &TcpStream, begin: Instant, error: io::Error) -> io::Error {
    if !is_a_timeout(&error) {
        return error;
    }
    let silent = matches!(stream.read_timeout(), Ok(Some(limit)) if begin.elapsed() >= limit);
    let kind = if silent { ErrorKind::WouldBlock } else { ErrorKind::TimedOut };
    io::Error::new(kind, if silent { "silence" } else { "no sign of life" })
}

fn is_a_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Enables immediate acknowledgement of what comes next.
#[cfg(target_os = "linux")]
pub(super) fn acknowledge_at_once(stream: &TcpStream) {
    use std::os::linux::net::TcpStreamExt;
    // A refusal costs some milliseconds at worst: not worth a log line for every read.
    let _ = stream.set_quickack(true);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn acknowledge_at_once(_: &TcpStream) {}

/// How long a newcomer must stay before it counts as a player: a connection that is closed at once
/// (a port scan, a health check) is gone by then.
pub const SETTLING_TIME: Duration = Duration::from_millis(50);

/// Whether the other side of a connection that is set to non-blocking has not closed yet. Reads
/// nothing.
pub fn is_there(stream: &TcpStream) -> bool {
    match stream.peek(&mut [0]) {
        Ok(count) => count > 0,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    }
}

/// What has come and was not read yet, as far as there is room for it; does not wait and reads
/// nothing. Returns how many bytes that are.
pub(super) fn peek_at_once(stream: &TcpStream, room: &mut [u8]) -> usize {
    if stream.set_nonblocking(true).is_err() {
        return 0;
    }
    let count = stream.peek(room).unwrap_or(0);
    if let Err(error) = stream.set_nonblocking(false) {
        log::error!("the connection cannot be set to wait again: {error}");
    }
    count
}

/// Waits for a connection that stays; returns it and when it was accepted.
///
/// # Errors
/// The listener is broken. A connection that is closed at once is no error.
pub fn accept_one(listener: &TcpListener) -> io::Result<(TcpStream, Instant)> {
    loop {
        let (stream, peer) = match listener.accept() {
            Ok(accepted) => accepted,
            // It has left before it was accepted.
            Err(error) if has_left(&error) => continue,
            Err(error) => return Err(error),
        };
        let accepted = Instant::now();
        stream.set_nonblocking(true)?;
        thread::sleep(SETTLING_TIME);
        if is_there(&stream) {
            stream.set_nonblocking(false)?;
            return Ok((stream, accepted));
        }
        log::warn!("{peer} has left at once; waiting for another connection");
    }
}

/// Whether accepting failed because the other side has left already.
pub(super) fn has_left(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Interrupted
            | ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
    )
}

/// Why there is no connection.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// The name or address is not known.
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
    /// All attempts failed.
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

/// Connects to a server that may not have been started yet: tries all addresses of `host`
/// repeatedly for `patience`, at least once each.
///
/// # Errors
/// All addresses with the reasons of their failures.
pub fn connect(host: &str, port: u16, patience: Duration) -> Result<TcpStream, ConnectError> {
    let unknown = |reason: String| ConnectError::Unknown { host: host.to_owned(), reason };
    let addresses: Vec<SocketAddr> =
        (host, port).to_socket_addrs().map_err(|error| unknown(error.to_string()))?.collect();
    if addresses.is_empty() {
        return Err(unknown("it has no address".to_owned()));
    }
    let begin = Instant::now();
    let mut reported = false;
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
        if !reported {
            log::info!("waiting for the server ({failures})");
            reported = true;
        }
        thread::sleep(PAUSE.min(patience - waited));
    }
}

fn attempt(address: &SocketAddr, time: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(address, time)?;
    // If no server listens on a port that the system also uses for outgoing connections, an
    // attempt can by chance connect to itself.
    if stream.local_addr()? == stream.peer_addr()? {
        let _ = stream.shutdown(Shutdown::Both);
        return Err(ErrorKind::ConnectionRefused.into());
    }
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loopback port without a listener.
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
    fn the_system_watches_over_a_connection() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let socket = SockRef::from(&stream);
        assert!(!socket.keepalive().unwrap());
        prepare(&stream);
        assert!(socket.keepalive().unwrap());
        #[cfg(target_os = "linux")]
        {
            assert_eq!(socket.tcp_user_timeout().unwrap(), Some(ABSENCE));
            let probes = socket.tcp_keepalive_interval().unwrap() * PROBES;
            assert_eq!(socket.tcp_keepalive_time().unwrap() + probes, ABSENCE);
            assert_eq!(socket.tcp_keepalive_retries().unwrap(), PROBES);
        }
    }

    #[test]
    fn without_a_server_the_error_says_what_was_tried() {
        // No program listens on port 1.
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
