//! Everything around the client: server, opponent, network and time.
//!
//! The one idea: the client is the real one, and the world runs inside its reads. When it reads,
//! time passes, event by event, until there are bytes; when it thinks or writes, its own clock
//! advances. So one thread is enough, and one seed decides everything.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::rc::Rc;
use std::time::Instant;

use fastrand::Rng;

use super::desk::{Desk, find};
use super::oracle::{Arrived, Terms};
use super::pipe::{Micros, Pipe, PipeEnd, SimulatedClock, Weather};
use super::rulers::Ruler;
use crate::game::chance::Chance;
use crate::game::{Game, Move, Side};
use crate::games::AnyState;
use crate::net::client::{Answer, Player};
use crate::net::line::{LineError, LineReader};
use crate::net::referee::judge::{Arrival, Input};
use crate::search::clock::MoveTime;

/// What befalls a connection at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The client's is reset.
    Reset,
    /// All that the client sends or is sent is lost from then on.
    Silence,
    /// The opponent's is closed.
    PeerGone,
}

/// The habits of one session.
#[derive(Clone, Copy)]
pub struct Habits {
    pub peer_weather: Weather,
    /// Turns of a thousand in which the opponent misbehaves.
    pub peer_faults: u32,
    /// The longest way of a line from its stamp to the judge.
    pub handover: Micros,
    /// How late the client's machine may be, and how often of a thousand.
    pub overshoot: Micros,
    pub overshoots: u32,
    /// Moves of a thousand for which the player names an illegal one.
    pub illegal_choices: u32,
    pub fate: Option<(Micros, Fate)>,
}

/// A line that the client has sent.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// After the planned time.
    pub over: Micros,
    /// In transit; none: lost.
    pub way: Option<Micros>,
}

/// See the head of this file.
pub struct World {
    pub desk: Desk,
    pub ruler: Option<Box<dyn Ruler>>,
    pub terms: Terms,
    pub habits: Habits,
    pub client_clock: SimulatedClock,
    pub up: [Rc<RefCell<Pipe>>; 2],
    pub readers: [LineReader<PipeEnd, SimulatedClock>; 2],
    pub open: [bool; 2],
    pub down_end: PipeEnd,
    /// Bytes that the client has read.
    pub taken: u64,
    pub handed: VecDeque<(Micros, Arrival)>,
    pub last_handed: Micros,
    pub arrivals: Vec<Arrived>,
    /// What the client keeps back of its time.
    pub margin: Micros,
    /// When the client planned to send.
    pub planned: Option<Micros>,
    pub last_sent: Option<Sent>,
    pub slowest: Micros,
    pub last_read: Micros,
    pub over: bool,
}

impl World {
    fn rng(&mut self) -> &mut Rng {
        &mut self.desk.rng
    }

    fn peer(&self) -> Side {
        !self.desk.client
    }

    /// When something next happens on the server's side.
    pub fn next_event(&self) -> Option<Micros> {
        if self.over {
            return None;
        }
        let pipes = [Side::White, Side::Black].into_iter().filter(|&side| self.open[side as usize]);
        let arriving = pipes.filter_map(|side| self.up[side as usize].borrow().next());
        let ruler = self.ruler.as_ref().expect("it is there between events");
        let wakes = ruler.wakes_at().map(|at| self.desk.clock.micros(at));
        let fate = self.habits.fate.map(|(at, _)| at);
        let handed = self.handed.front().map(|(at, _)| *at);
        arriving.chain(wakes).chain(fate).chain(handed).min()
    }

    /// Lets the next event happen.
    pub fn step(&mut self) {
        let Some(at) = self.next_event() else { return };
        let now = self.desk.clock.now.get().max(at);
        self.desk.clock.now.set(now);
        if let Some((_, fate)) = self.habits.fate.take_if(|(at, _)| *at <= now) {
            self.befall(fate, now);
        } else if self.take_lines(now) {
            // The lines are handed over later.
        } else if let Some((_, arrival)) = self.handed.pop_front_if(|(at, _)| *at <= now) {
            let (side, input) = (arrival.side, arrival.input.clone());
            let stamp = self.desk.clock.micros(arrival.at);
            self.arrivals.push(Arrived { side, stamp, handed: now, input });
            self.ruled(|ruler, desk| ruler.arrived(arrival, desk));
        } else {
            self.ruled(|ruler, desk| ruler.time_passed(desk));
        }
    }

    fn ruled(&mut self, happens: impl FnOnce(&mut dyn Ruler, &mut Desk)) {
        let mut ruler = self.ruler.take().expect("it is there between events");
        happens(&mut *ruler, &mut self.desk);
        self.over = ruler.result().is_some();
        self.ruler = Some(ruler);
        let now = self.desk.clock.now.get();
        if self.over {
            self.desk.down.borrow_mut().finish(now);
        } else if std::mem::take(&mut self.desk.peer_is_asked) {
            self.peer_moves(now);
        }
    }

    fn befall(&mut self, fate: Fate, now: Micros) {
        let (client, peer) = (self.desk.client as usize, self.peer() as usize);
        match fate {
            Fate::Reset => {
                self.desk.down.borrow_mut().cut(now);
                self.up[client].borrow_mut().cut(now);
            }
            Fate::Silence => {
                self.desk.down.borrow_mut().mute();
                self.up[client].borrow_mut().mute();
            }
            Fate::PeerGone => self.up[peer].borrow_mut().finish(now),
        }
    }

    /// Stamps what has come by now; returns whether there was anything.
    fn take_lines(&mut self, now: Micros) -> bool {
        let mut any = false;
        for side in [Side::White, Side::Black] {
            let index = side as usize;
            let there = self.up[index].borrow().next().is_some_and(|at| at <= now);
            while there && self.open[index] {
                any = true;
                let (at, input) = match self.readers[index].read_line() {
                    Ok(line) => {
                        assert_eq!(self.desk.clock.micros(line.received), now, "the stamp");
                        (line.received, Input::Line(line.bytes.to_vec()))
                    }
                    Err(LineError::TooLong) => (self.desk.now(), Input::TooLong),
                    Err(LineError::Silent) => break,
                    Err(_) => (self.desk.now(), Input::Closed),
                };
                self.open[index] = input != Input::Closed;
                let most = self.habits.handover;
                let rng = self.rng();
                let delay = if rng.u32(..8) == 0 { most } else { rng.u64(0..=most) };
                self.last_handed = self.last_handed.max(now + delay);
                self.handed.push_back((self.last_handed, Arrival { side, at, input }));
            }
        }
        any
    }

    /// The opponent answers its turn, one way or another.
    fn peer_moves(&mut self, now: Micros) {
        let position = self.desk.truth.position;
        let limit = self.terms.limit;
        let faults = self.habits.peer_faults;
        let rng = self.rng();
        let m = position.random_move(rng).expect("the game is not over");
        let text = position.notation(m).to_string();
        let line = match rng.u32(..4) {
            0 => format!("move  {} \r\n", text.to_lowercase()),
            _ => format!("MOVE {text}\n"),
        };
        let mut at = now + rng.u64(..limit / 2);
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let fault = if rng.u32(..1000) < faults { rng.u32(..10) } else { 99 };
        match fault {
            // About the last moment, or long after it.
            0 | 1 => at = now + limit - 3 + rng.u64(..6),
            2 => at = now + limit + rng.u64(..2 * limit),
            3 => lines.push(b"MOVE A1,N\n".to_vec()),
            4 => lines.push(b"MOVE \xff\0\n".to_vec()),
            5 => lines.push([&[b'y'; 2000][..], b"\n"].concat()),
            6 => lines.resize(12, b"MOVE zz\n".to_vec()),
            // The next move, or the same again, too early.
            7 => lines.push(line.clone().into_bytes()),
            8 => return,
            9 => {
                let half = line.as_bytes()[..line.len() / 2].to_vec();
                self.peer_sends(at, &half);
                self.up[self.peer() as usize].borrow_mut().finish(at);
                return;
            }
            _ => {}
        }
        let place = if self.rng().bool() { 0 } else { lines.len() };
        lines.insert(place, line.into_bytes());
        for line in lines {
            self.peer_sends(at, &line);
        }
    }

    pub fn peer_sends(&mut self, at: Micros, bytes: &[u8]) {
        let (peer, weather) = (self.peer() as usize, self.habits.peer_weather);
        self.up[peer].borrow_mut().send(at, bytes, &weather, &mut self.desk.rng);
    }

    /// The client asks for bytes.
    fn client_reads(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let now = self.client_clock.now.get();
            let event = self.next_event();
            let data = self.desk.down.borrow().next();
            match (data, event) {
                (_, Some(event)) if event <= now => self.step(),
                (Some(data), _) if data <= now => {
                    let count = self.down_end.read(room)?;
                    self.taken += count as u64;
                    self.last_read = now;
                    let turn = &mut self.desk.turn;
                    if turn.read.is_none() && self.taken >= turn.end {
                        turn.read = Some(now);
                    }
                    return Ok(count);
                }
                (Some(data), event) if event.is_none_or(|event| data < event) => {
                    let late = self.stumble();
                    self.client_clock.now.set(data + late);
                }
                (_, Some(_)) => self.step(),
                // No more bytes will come.
                (_, None) => return Err(ErrorKind::TimedOut.into()),
            }
        }
    }

    /// How late the client's machine is this time.
    fn stumble(&mut self) -> Micros {
        let Habits { overshoot, overshoots, .. } = self.habits;
        let rng = self.rng();
        if rng.u32(..1000) < overshoots { rng.u64(0..=overshoot) } else { rng.u64(..100) }
    }

    /// The client sends a line: it must be a move, legal, and the only one of its turn.
    fn client_writes(&mut self, line: &[u8]) -> io::Result<usize> {
        let now = self.client_clock.now.get();
        self.slowest = self.slowest.max(now - self.last_read);
        let text = str::from_utf8(line).expect("plain text");
        let named = text.strip_prefix("MOVE ").and_then(|rest| rest.strip_suffix('\n'));
        let named = named.unwrap_or_else(|| panic!("{text:?} is no move in the document's form"));
        let position = &self.desk.truth.position;
        assert_eq!(position.side(), self.desk.client, "{named} is not out of turn");
        assert!(find(position, named).is_some(), "{named} is legal in {position}");
        assert!(!self.desk.under_way, "{named} is the only move of its turn");
        self.desk.under_way = true;
        // Without a plan where the client answers without its player, after the end of the game.
        let over = self.planned.take().map_or(0, |planned| now.saturating_sub(planned));
        let mut weather = self.desk.weather;
        let turn = self.desk.turn;
        // Sometimes the network needs the whole margin, to the microsecond.
        if let Some(read) = turn.read
            && self.rng().u32(..8) == 0
            && let Some(left) = self.margin.checked_sub(read - turn.sent + over)
        {
            weather = Weather { latency: left, jitter: 0, loss: 0, slices: false };
        }
        let client = self.desk.client as usize;
        let arrives = self.up[client].borrow_mut().send(now, line, &weather, &mut self.desk.rng);
        let way = arrives.map(|arrives| arrives - now);
        self.last_sent = Some(Sent { over, way });
        // Some systems report at once that a connection has ended, others accept the bytes.
        if way.is_none() && self.rng().bool() {
            return Err(ErrorKind::BrokenPipe.into());
        }
        Ok(line.len())
    }
}

/// The client's end of its connection.
pub struct ClientEnd(pub Rc<RefCell<World>>);

impl Read for ClientEnd {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().client_reads(room)
    }
}

impl Write for ClientEnd {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().client_writes(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A player that thinks until a random time, at most until its deadline.
pub struct Thinker {
    pub world: Rc<RefCell<World>>,
    pub time: MoveTime,
}

impl Player for Thinker {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        let world = &mut *self.world.borrow_mut();
        assert!(state.position == world.desk.truth.position, "the client knows the position");
        let deadline = world.client_clock.micros(self.time.deadline(received));
        let now = world.client_clock.now.get();
        let received = world.client_clock.micros(received);
        assert_eq!(received, world.last_read, "the time runs since the line was there");
        let planned =
            if world.rng().bool() { deadline } else { world.rng().u64(now..=deadline.max(now)) };
        world.planned = Some(deadline);
        let late = world.stumble();
        world.client_clock.now.set(planned.max(now) + late);
        let moves = state.position.legal_moves();
        let illegal = world.habits.illegal_choices;
        let rng = world.rng();
        let m = match rng.u32(..1000) < illegal {
            true => Move::from_code(rng.u16(..u16::MAX)),
            false => moves[rng.index(..moves.len())],
        };
        m.into()
    }
}
