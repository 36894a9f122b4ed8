//! One game between two seated players.
//!
//! The one idea: a single loop gives the judge the next event, a player's line or the end of a
//! player's time, and closes the connections only when both players could read their result.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, Sender};

use super::connection::PlayerConnection;
use super::judge::{Arrival, Clerk, Input, Judge};
use super::{GameEvent, GameResult, MAX_EARLY_LINES, RefereeOptions, Wire};
use crate::game::Side;
use crate::games::AnyGame;
use crate::net::arrival::next_until;
use crate::net::tournament::ServerMessage;

/// Arrivals that may wait for the game's thread; a player that sends more waits itself.
const WAITING_ARRIVALS: usize = 64;

/// Max time for the players to close their connections after the result.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// Referees one game between two connected players, from the welcome to the closing.
///
/// # Errors
/// The system refuses to start threads. A fault of a player is no error, but a result.
pub fn serve_game(
    white: TcpStream,
    black: TcpStream,
    start: AnyGame,
    options: &RefereeOptions,
    observer: &mut dyn FnMut(GameEvent),
) -> io::Result<GameResult> {
    serve_game_over([white, black], [Wire::Tournament; 2], start, options, observer)
}

/// The same where each player, White first, has a protocol of its own. A player of the relay
/// protocol as White must be connected last, as its time then runs.
///
/// # Errors
/// As for [`serve_game`].
pub fn serve_game_over(
    [white, black]: [TcpStream; 2],
    wires: [Wire; 2],
    start: AnyGame,
    options: &RefereeOptions,
    observer: &mut dyn FnMut(GameEvent),
) -> io::Result<GameResult> {
    let waiting = WaitingTable::over(wires[0], Arc::new(white), observer)?;
    let black = waiting.take_seat(wires[1], Arc::new(black), observer)?;
    Ok(waiting.with_black(black).play(start, options, observer))
}

/// A table at which White waits for its opponent.
pub struct WaitingTable {
    // Dropped in this order: see `PlayerConnection`.
    arrivals: Receiver<Arrival>,
    sender: Sender<Arrival>,
    early: Vec<Arrival>,
    white: PlayerConnection,
}

impl WaitingTable {
    /// Seats White.
    ///
    /// # Errors
    /// The system refuses to start a thread; the caller may try again.
    pub fn new(
        white: Arc<TcpStream>,
        observer: &mut dyn FnMut(GameEvent),
    ) -> io::Result<WaitingTable> {
        WaitingTable::over(Wire::Tournament, white, observer)
    }

    fn over(
        wire: Wire,
        white: Arc<TcpStream>,
        observer: &mut dyn FnMut(GameEvent),
    ) -> io::Result<WaitingTable> {
        let (sender, arrivals) = channel::bounded(WAITING_ARRIVALS);
        let white = take_seat(Side::White, wire, white, sender.clone(), observer)?;
        Ok(WaitingTable { arrivals, sender, early: Vec::new(), white })
    }

    /// Hears what White has said by now; returns whether it still waits. A player that sends too
    /// many lines gets a message and must leave.
    pub fn listen(&mut self) -> bool {
        // Waiting in the channel would offer the processor to others first, several times.
        while let Ok(arrival) = self.arrivals.try_recv() {
            if arrival.input == Input::Closed {
                return false;
            }
            if self.early.len() == MAX_EARLY_LINES || arrival.input == Input::TooMuch {
                self.white.send(ServerMessage::Message(b"you sent too many lines before the game"));
                return false;
            }
            self.early.push(arrival);
        }
        true
    }

    /// Seats Black.
    ///
    /// # Errors
    /// The system refuses to start a thread; the caller may try again.
    pub fn seat_black(
        &self,
        black: Arc<TcpStream>,
        observer: &mut dyn FnMut(GameEvent),
    ) -> io::Result<PlayerConnection> {
        self.take_seat(Wire::Tournament, black, observer)
    }

    fn take_seat(
        &self,
        wire: Wire,
        black: Arc<TcpStream>,
        observer: &mut dyn FnMut(GameEvent),
    ) -> io::Result<PlayerConnection> {
        take_seat(Side::Black, wire, black, self.sender.clone(), observer)
    }

    /// The table with both players.
    pub fn with_black(self, black: PlayerConnection) -> SeatedPair {
        SeatedPair { arrivals: self.arrivals, early: self.early, seats: [self.white, black] }
    }
}

fn take_seat(
    side: Side,
    wire: Wire,
    stream: Arc<TcpStream>,
    arrivals: Sender<Arrival>,
    observer: &mut dyn FnMut(GameEvent),
) -> io::Result<PlayerConnection> {
    let seat = PlayerConnection::new(side, wire, stream, arrivals)?;
    observer(GameEvent::Seated { side, peer: seat.peer().map(|peer| peer.to_string()) });
    Ok(seat)
}

/// Two seats, and what comes from them.
pub struct SeatedPair {
    // Dropped in this order: see `PlayerConnection`.
    arrivals: Receiver<Arrival>,
    /// What came while white was still alone.
    early: Vec<Arrival>,
    seats: [PlayerConnection; 2],
}

impl SeatedPair {
    /// Plays the game to its end and closes the connections.
    pub fn play(
        self,
        start: AnyGame,
        options: &RefereeOptions,
        observer: &mut dyn FnMut(GameEvent),
    ) -> GameResult {
        let SeatedPair { arrivals, early, seats } = &self;
        let mut open = seats.len();
        let mut desk = Desk { seats, observer };
        let wires = [seats[0].wire(), seats[1].wire()];
        let mut judge = Judge::new(start, *options, Instant::now(), &mut desk).with_wires(wires);
        for arrival in early {
            judge.arrived(arrival.clone(), &mut desk);
        }
        let result = loop {
            if let Some(result) = judge.result() {
                break result.clone();
            }
            match next_until(arrivals, judge.wakes_at()) {
                Ok(arrival) => {
                    open -= usize::from(arrival.input == Input::Closed);
                    judge.arrived(arrival, &mut desk);
                }
                // The channel is empty then, so that no line in time is overlooked. It cannot
                // break before a closing has been judged; if it did, time would pass.
                Err(_) => judge.time_passed(&mut desk),
            }
        };
        for seat in seats {
            seat.finish();
        }
        let closing = Instant::now() + CLOSING_TIME;
        while open > 0
            && let Ok(arrival) = arrivals.recv_deadline(closing)
        {
            open -= usize::from(arrival.input == Input::Closed);
        }
        result
    }
}

/// The judge's clerk at a table with real connections.
struct Desk<'a> {
    seats: &'a [PlayerConnection; 2],
    observer: &'a mut dyn FnMut(GameEvent),
}

impl Clerk for Desk<'_> {
    fn send(&mut self, to: Side, message: ServerMessage) -> Instant {
        self.seats[to as usize].send(message)
    }

    fn pass_on(&mut self, to: Side, bytes: &[u8]) {
        self.seats[to as usize].pass_on(bytes);
    }

    fn report(&mut self, event: GameEvent) {
        (self.observer)(event);
    }
}
