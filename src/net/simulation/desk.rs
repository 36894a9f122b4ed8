//! The server's side of a session: what it sends, and the true state of the game.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use fastrand::Rng;

use super::pipe::{Micros, Pipe, SimulatedClock, Weather};
use crate::game::chance::Chance;
use crate::game::{Game, Move, Side};
use crate::games::{AnyGame, AnyState};
use crate::net::clock::Clock;
use crate::net::referee::GameEvent;
use crate::net::referee::judge::Clerk;
use crate::net::tournament::ServerMessage;

/// The last genuine `YOUR_TURN` of the client.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    pub sent: Micros,
    /// The count of all bytes sent to the client up to its end.
    pub end: u64,
    /// When the client had read it all.
    pub read: Option<Micros>,
}

/// What the server knows and does.
pub struct Desk {
    pub clock: SimulatedClock,
    pub rng: Rng,
    /// The side of the client under test.
    pub client: Side,
    pub weather: Weather,
    /// Needless lines of a thousand.
    pub noise: u32,
    /// To the client.
    pub down: Rc<RefCell<Pipe>>,
    /// Bytes sent to the client.
    pub sent: u64,
    /// The true game.
    pub truth: AnyState,
    pub plies: usize,
    /// A move of the client is under way.
    pub under_way: bool,
    pub turn: Turn,
    /// The peer knows that it is its turn.
    pub peer_is_asked: bool,
}

impl Desk {
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Sends a line to the client in one of the forms in which it may come.
    fn write_line(&mut self, line: &[u8]) {
        let mut bytes = line.trim_ascii_end().to_vec();
        if self.noise > 0 && !line.starts_with(b"MESSAGE") {
            match self.rng.u32(..6) {
                0 => bytes.make_ascii_lowercase(),
                1 => bytes.splice(0..0, *b"  ").for_each(drop),
                2 => bytes.push(b'\r'),
                _ => {}
            }
        }
        bytes.push(b'\n');
        self.push(&bytes);
    }

    fn push(&mut self, bytes: &[u8]) {
        self.sent += bytes.len() as u64;
        let now = self.clock.now.get();
        self.down.borrow_mut().send(now, bytes, &self.weather, &mut self.rng);
    }

    /// Perhaps a line that means nothing, or nothing new.
    fn make_noise(&mut self) {
        while self.rng.u32(..1000) < self.noise {
            let long = [b'x'; 3000];
            let lines: [&[u8]; 9] = [
                b"",
                b"\xff\0 garbage",
                b"MOVE b2",
                b"YOUR_TURNS",
                b"VALID_MOVE",
                b"YOUR_TURN",
                b"MESSAGE \xe8 YOUR_TURN",
                if self.client == Side::White { b"WELCOME Black" } else { b"WELCOME White" },
                &long,
            ];
            let line = lines[self.rng.index(..lines.len())];
            self.push(line);
            self.push(b"\n");
        }
    }
}

impl Clerk for Desk {
    fn send(&mut self, to: Side, message: ServerMessage) -> Instant {
        let turn = message == ServerMessage::YourTurn;
        if to == self.client {
            self.make_noise();
            self.write_line(&message.to_line());
            if turn {
                self.turn = Turn { sent: self.clock.now.get(), end: self.sent, read: None };
            }
        } else if turn {
            self.peer_is_asked = true;
        }
        self.now()
    }

    fn report(&mut self, event: GameEvent) {
        if let GameEvent::Moved { side, text, .. } = event {
            let m = find(&self.truth.position, &text).expect("a ruler accepts legal moves alone");
            assert_eq!(side, self.truth.position.side());
            self.truth.play(m);
            self.plies += 1;
            if side == self.client {
                self.under_way = false;
            }
        }
    }
}

/// The legal move with this notation.
pub fn find(position: &AnyGame, text: &str) -> Option<Move> {
    let moves = position.legal_moves();
    moves.into_iter().find(|&m| position.notation(m).to_string() == text)
}
