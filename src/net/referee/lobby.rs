//! Accepts players and seats them in pairs, in order of arrival.
//!
//! The one idea: at most one player waits at a time. Meanwhile the lobby checks alternately for an
//! opponent and for lines of the waiting player, so that a player that leaves makes room for the
//! next. Every pair then plays in a separate thread.

use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::panic;
use std::thread;
use std::time::Duration;

use socket2::SockRef;

use super::table::{SeatedPair, WaitingTable};
use super::{GameEvent, GameResult, RefereeOptions};
use crate::game::Game;

/// The time between two looks at the door. Also the least time for which a player is alone, so that
/// one that leaves at once gets no opponent.
const LOOK_TIME: Duration = Duration::from_millis(5);

/// Max players in the queue of connections: beyond it, the system of a player is not refused, but
/// tries again after seconds, and may report a connection meanwhile.
const QUEUE_LENGTH: i32 = 1024;

/// Referees `games` games at once between players in order of arrival: of each pair the first
/// is white. Returns the results in that order when all games have ended. The observer hears
/// the number of the game, from 0, with each event.
///
/// # Errors
/// Listening failed, or the system has no threads to give; games that had begun were played to
/// their end before.
pub fn serve<G: Game>(
    listener: TcpListener,
    start: G,
    games: usize,
    options: &RefereeOptions,
    observer: &(dyn Fn(usize, GameEvent) + Sync),
) -> io::Result<Vec<GameResult>> {
    // Closed when the last seat is taken: later players are refused at once.
    let door = Door::new(listener)?;
    thread::scope(|scope| {
        let mut running = Vec::new();
        let seated: io::Result<()> = (0..games).try_for_each(|game| {
            let mut observer = move |event| observer(game, event);
            let table = seat_pair(&door, &mut observer)?;
            let play = move || table.play(start, options, &mut observer);
            let name = format!("game {}", game + 1);
            running.push(thread::Builder::new().name(name).spawn_scoped(scope, play)?);
            Ok(())
        });
        drop(door);
        let results = running
            .into_iter()
            .map(|game| game.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
            .collect();
        seated.map(|()| results)
    })
}

/// Waits until two players sit at a table.
fn seat_pair(door: &Door, observer: &mut dyn FnMut(GameEvent)) -> io::Result<SeatedPair> {
    loop {
        let Some(white) = door.look()? else {
            thread::sleep(LOOK_TIME);
            continue;
        };
        let mut waiting = WaitingTable::new(white, observer)?;
        while waiting.listen(LOOK_TIME) {
            if let Some(black) = door.look()? {
                return waiting.join(black, observer);
            }
        }
        observer(GameEvent::Left);
    }
}

/// Accepts players.
struct Door(TcpListener);

impl Door {
    fn new(listener: TcpListener) -> io::Result<Door> {
        listener.set_nonblocking(true)?;
        // If the system refuses, the queue stays short, and many players that connect at once must
        // try again.
        if let Err(error) = SockRef::from(&listener).listen(QUEUE_LENGTH) {
            log::info!("cannot set the length of the queue of connections: {error}");
        }
        Ok(Door(listener))
    }

    /// The next player in the queue.
    fn look(&self) -> io::Result<Option<TcpStream>> {
        match self.0.accept() {
            Ok((stream, _)) => {
                // On some systems the stream inherits the listener's mode. A failure means a dead
                // connection.
                Ok(stream.set_nonblocking(false).ok().map(|()| stream))
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted => Ok(None),
                // The player left before it was accepted.
                ErrorKind::ConnectionAborted
                | ErrorKind::ConnectionReset
                | ErrorKind::HostUnreachable
                | ErrorKind::NetworkUnreachable
                | ErrorKind::NetworkDown => Ok(None),
                _ => Err(error),
            },
        }
    }
}
