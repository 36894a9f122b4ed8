//! A TCP proxy that does to a connection what networks do, by a script.
//!
//! The one idea: each direction has its own list of faults and its own thread, which passes pieces
//! of bytes on through that list. Everything that is not a fault goes through unchanged, ends and
//! resets of connections too.

// Every test program uses its own part of this.
#![allow(dead_code)]

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use socket2::SockRef;

/// What happens to the bytes of one direction.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// Every piece comes so much later.
    Latency(Duration),
    /// This many bytes come at a time, each piece a packet.
    Slices(usize),
    /// Every line that begins so comes twice.
    Twice(&'static str),
    /// This many of these bytes, then a line's end, come before every line.
    Noise(&'static [u8], usize),
    /// After this many bytes both connections are reset.
    Reset(usize),
    /// After this many bytes both connections are closed.
    Close(usize),
    /// After this many bytes nothing comes any more, not even an end: a half-open connection.
    Silence(usize),
    /// Nothing is taken from the sender.
    Deafness,
    /// The end comes so much later.
    SlowClose(Duration),
}

/// How often a thread without anything to do looks whether all is over.
const LOOK_TIME: Duration = Duration::from_millis(10);

/// The pause between the packets of sliced bytes.
const SLICE_PAUSE: Duration = Duration::from_micros(100);

/// A proxy for one connection after another. Dropping it ends them.
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    over: Arc<AtomicBool>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Relaxed: the flag alone matters.
        self.over.store(true, Ordering::Relaxed);
    }
}

impl Proxy {
    /// Listens for clients of a server.
    pub fn new(
        server: SocketAddr,
        to_client: &'static [Fault],
        to_server: &'static [Fault],
    ) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let Ok((client, _)) = listener.accept() else {
                    thread::sleep(LOOK_TIME);
                    continue;
                };
                client.set_nonblocking(false).unwrap();
                // A server that is not there: the client's connection is closed.
                let Ok(server) = TcpStream::connect(server) else { continue };
                let (client, server) = (Arc::new(client), Arc::new(server));
                let over = Arc::new(AtomicBool::new(false));
                for (from, to, faults) in
                    [(&client, &server, to_server), (&server, &client, to_client)]
                {
                    let pump = Pump {
                        from: Arc::clone(from),
                        to: Arc::clone(to),
                        faults,
                        passed: 0,
                        over: [Arc::clone(&over), Arc::clone(&ended)],
                    };
                    thread::spawn(move || pump.run());
                }
            }
        });
        Proxy { address, over }
    }
}

/// One direction of a connection.
struct Pump {
    from: Arc<TcpStream>,
    to: Arc<TcpStream>,
    faults: &'static [Fault],
    /// Bytes passed on.
    passed: usize,
    /// Raised when this connection, or the proxy, has ended.
    over: [Arc<AtomicBool>; 2],
}

/// Whether a connection continues.
#[derive(PartialEq)]
enum Next {
    Goes,
    Ends,
}

impl Pump {
    fn is_over(&self) -> bool {
        self.over.iter().any(|over| over.load(Ordering::Relaxed))
    }

    fn run(mut self) {
        for stream in [&self.from, &self.to] {
            stream.set_read_timeout(Some(LOOK_TIME)).unwrap();
            stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
            stream.set_nodelay(true).unwrap();
        }
        let mut room = [0; 4096];
        let mut line = Vec::new();
        while !self.is_over() {
            if self.faults.iter().any(|fault| matches!(fault, Fault::Deafness)) {
                thread::sleep(LOOK_TIME);
                continue;
            }
            let mut from = &*self.from;
            let count = match from.read(&mut room) {
                Ok(0) => {
                    // The beginning of a line, if any.
                    if self.pass(&line) == Next::Goes {
                        self.end();
                    }
                    return;
                }
                Ok(count) => count,
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    continue;
                }
                Err(_) => return self.reset(),
            };
            let by_line = |fault: &Fault| matches!(fault, Fault::Twice(_) | Fault::Noise(..));
            if !self.faults.iter().any(by_line) {
                if self.pass(&room[..count]) == Next::Ends {
                    return;
                }
                continue;
            }
            for &byte in &room[..count] {
                line.push(byte);
                if byte == b'\n' {
                    if self.pass_line(&line) == Next::Ends {
                        return;
                    }
                    line.clear();
                }
            }
        }
    }

    fn pass_line(&mut self, line: &[u8]) -> Next {
        let mut times = 1;
        for fault in self.faults {
            match *fault {
                Fault::Twice(begin) if line.starts_with(begin.as_bytes()) => times += 1,
                Fault::Noise(bytes, number) => {
                    let noise = [&bytes.repeat(number), &b"\n"[..]].concat();
                    if self.pass(&noise) == Next::Ends {
                        return Next::Ends;
                    }
                }
                _ => {}
            }
        }
        for _ in 0..times {
            if self.pass(line) == Next::Ends {
                return Next::Ends;
            }
        }
        Next::Goes
    }

    /// Passes bytes on in pieces, as far as the faults let them through.
    fn pass(&mut self, bytes: &[u8]) -> Next {
        let (mut slice, mut latency, mut most) = (usize::MAX, Duration::ZERO, usize::MAX);
        for fault in self.faults {
            match *fault {
                Fault::Slices(size) => (slice, latency) = (size, latency.max(SLICE_PAUSE)),
                Fault::Latency(time) => latency = time,
                Fault::Reset(after) | Fault::Close(after) | Fault::Silence(after) => most = after,
                _ => {}
            }
        }
        let (passing, stopped) = bytes.split_at(bytes.len().min(most - self.passed));
        for piece in passing.chunks(slice) {
            thread::sleep(latency);
            let mut to = &*self.to;
            if to.write_all(piece).is_err() {
                self.reset();
                return Next::Ends;
            }
            self.passed += piece.len();
        }
        if stopped.is_empty() && self.passed < most { Next::Goes } else { self.stop() }
    }

    /// The fault that stops everything.
    fn stop(&mut self) -> Next {
        for fault in self.faults {
            match fault {
                Fault::Reset(_) => self.reset(),
                Fault::Close(_) => {
                    let _ = self.from.shutdown(Shutdown::Both);
                    let _ = self.to.shutdown(Shutdown::Both);
                }
                Fault::Silence(_) => {
                    let mut room = [0; 4096];
                    while !self.is_over() {
                        // Ends and failures are kept from the other side too.
                        if !matches!((&*self.from).read(&mut room), Ok(1..)) {
                            thread::sleep(LOOK_TIME);
                        }
                    }
                }
                _ => continue,
            }
            break;
        }
        Next::Ends
    }

    /// The sender has ended: so does the receiver, as soon as it may know.
    fn end(&self) {
        for fault in self.faults {
            if let Fault::SlowClose(time) = fault {
                thread::sleep(*time);
            }
        }
        let _ = self.to.shutdown(Shutdown::Write);
    }

    /// Both connections are torn down, as by a crash: their last closing sends a reset.
    fn reset(&self) {
        for stream in [&self.from, &self.to] {
            let _ = SockRef::from(&**stream).set_linger(Some(Duration::ZERO));
        }
        self.over[0].store(true, Ordering::Relaxed);
    }
}
