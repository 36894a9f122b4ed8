//! One direction of a simulated connection.
//!
//! The one idea: TCP delivers all bytes in order or none any more; all a network can do to it is to
//! choose the pieces and the delays, and to end it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::game::chance::Chance;
use crate::net::clock::Clock;

/// Microseconds since the session began.
pub type Micros = u64;

/// The time after which a lost packet is sent again.
const RETRANSMISSION: Micros = 200_000;

/// A clock that stands still until it is set.
#[derive(Clone)]
pub struct SimulatedClock {
    pub base: Instant,
    pub now: Rc<Cell<Micros>>,
}

impl SimulatedClock {
    pub fn new(base: Instant) -> SimulatedClock {
        SimulatedClock { base, now: Rc::default() }
    }

    pub fn at(&self, time: Micros) -> Instant {
        self.base + Duration::from_micros(time)
    }

    pub fn micros(&self, at: Instant) -> Micros {
        (at - self.base).as_micros() as Micros
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Instant {
        self.at(self.now.get())
    }
}

/// What a network does to the bytes of a session.
#[derive(Clone, Copy)]
pub struct Weather {
    /// The least delay, and how much more there may be.
    pub latency: Micros,
    pub jitter: Micros,
    /// Packets lost of a thousand.
    pub loss: u32,
    /// Whether lines come in pieces.
    pub slices: bool,
}

/// Bytes under way.
#[derive(Default)]
pub struct Pipe {
    bytes: VecDeque<u8>,
    /// When this many of the bytes arrive.
    pieces: VecDeque<(Micros, usize)>,
    last: Micros,
    /// When the connection ends, and whether properly.
    end: Option<(Micros, bool)>,
    /// Nothing arrives any more, without an error on either side.
    mute: bool,
}

impl Pipe {
    /// Sends bytes at a time; answers when the last of them arrives, if they do.
    pub fn send(
        &mut self,
        now: Micros,
        bytes: &[u8],
        weather: &Weather,
        rng: &mut Rng,
    ) -> Option<Micros> {
        if self.mute || self.end.is_some() {
            return None;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let most = if weather.slices { rng.index(1..=12) } else { rest.len() };
            let (piece, after) = rest.split_at(most.min(rest.len()));
            let mut delay = weather.latency + rng.u64(0..=weather.jitter);
            while weather.loss > 0 && rng.u32(..1000) < weather.loss {
                delay += RETRANSMISSION;
            }
            self.last = self.last.max(now + delay);
            self.bytes.extend(piece);
            self.pieces.push_back((self.last, piece.len()));
            rest = after;
        }
        Some(self.last)
    }

    /// Ends the connection after what has been sent.
    pub fn finish(&mut self, now: Micros) {
        self.end.get_or_insert((self.last.max(now), true));
    }

    /// Ends the connection at a time; what has not arrived by then is lost.
    pub fn cut(&mut self, now: Micros) {
        while let Some(&(at, count)) = self.pieces.back().filter(|piece| piece.0 > now) {
            debug_assert!(at > now);
            self.pieces.pop_back();
            self.bytes.truncate(self.bytes.len() - count);
        }
        self.end = Some((now, false));
    }

    /// From now on all is lost.
    pub fn mute(&mut self) {
        self.mute = true;
    }

    /// When there is something to read, the end included.
    pub fn next(&self) -> Option<Micros> {
        self.pieces.front().map(|piece| piece.0).or(self.end.map(|end| end.0))
    }

    fn read(&mut self, now: Micros, room: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while let Some((at, length)) = self.pieces.front_mut()
            && *at <= now
            && count < room.len()
        {
            let taken = (*length).min(room.len() - count);
            for byte in &mut room[count..count + taken] {
                *byte = self.bytes.pop_front().expect("a piece has its bytes");
            }
            count += taken;
            *length -= taken;
            if *length == 0 {
                self.pieces.pop_front();
            }
        }
        match self.end {
            _ if count > 0 => Ok(count),
            Some((at, properly)) if at <= now && self.pieces.is_empty() => match properly {
                true => Ok(0),
                false => Err(ErrorKind::ConnectionReset.into()),
            },
            _ => Err(ErrorKind::WouldBlock.into()),
        }
    }
}

/// The reading end.
pub struct PipeEnd {
    pub pipe: Rc<RefCell<Pipe>>,
    pub clock: SimulatedClock,
}

impl Read for PipeEnd {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.pipe.borrow_mut().read(self.clock.now.get(), room)
    }
}
