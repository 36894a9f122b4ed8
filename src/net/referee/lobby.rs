//! Accepts players and seats them in pairs, in order of arrival.
//!
//! The one idea: one loop, which never waits for a player. It looks alternately at the *door*,
//! where newcomers settle for a moment, and at the one player that waits for its opponent; a player
//! that leaves makes room for the next. Every pair then plays in a thread of its own, which is
//! forgotten when its game ends. What the system refuses for the moment is tried again later.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, Scope};
use std::time::Duration;

use parking_lot::Mutex;

use super::door::{Door, Guests, Newcomer, PAUSE};
use super::table::{SeatedPair, WaitingTable};
use super::{GameEvent, GameResult, RefereeOptions};
use crate::games::AnyGame;

/// The time between two looks at the door.
const LOOK_TIME: Duration = Duration::from_millis(5);

/// How many games are served, and to whom.
#[derive(Clone, Debug)]
pub struct Service {
    /// Number of games; all may run at once.
    pub games: usize,
    /// The only machines that may play; none: any.
    pub guests: Option<Guests>,
}

/// What is reported of a service; both hear the number of the game, from 0.
pub struct Reports<'a> {
    /// Hears each event.
    pub event: &'a (dyn Fn(usize, GameEvent) + Sync),
    /// Hears each result.
    pub result: &'a (dyn Fn(usize, GameResult) + Sync),
}

/// Referees `games` games at once between players in order of arrival: of each pair the first
/// is white. Returns the results in that order when all games have ended. The observer hears
/// the number of the game, from 0, with each event.
///
/// # Errors
/// The listener is broken; games that had begun were played to their end before.
pub fn serve(
    listener: TcpListener,
    start: AnyGame,
    games: usize,
    options: &RefereeOptions,
    observer: &(dyn Fn(usize, GameEvent) + Sync),
) -> io::Result<Vec<GameResult>> {
    let results = Mutex::new(vec![None; games]);
    let keep = |game: usize, result| results.lock()[game] = Some(result);
    let reports = Reports { event: observer, result: &keep };
    let service = Service { games, guests: None };
    serve_all(listener, start, &service, options, &reports)?;
    // Every game has ended, so that every result is there.
    Ok(results.into_inner().into_iter().flatten().collect())
}

/// As [`serve`], in the same memory for any number of games: results are reported, not kept.
///
/// # Errors
/// The listener is broken; games that had begun were played to their end before.
pub fn serve_all(
    listener: TcpListener,
    start: AnyGame,
    service: &Service,
    options: &RefereeOptions,
    reports: &Reports,
) -> io::Result<()> {
    // Closed when the last seat is taken: later players are refused at once.
    let mut door = Door::new(listener, service.guests.as_ref())?;
    thread::scope(|scope| {
        for game in 0..service.games {
            let mut observer = |event| (reports.event)(game, event);
            let pair = seat_pair(&mut door, &mut observer)?;
            start_game(scope, game, pair, start, options, reports);
        }
        drop(door);
        Ok(())
    })
}

/// Waits until two players sit at a table.
fn seat_pair(door: &mut Door, observer: &mut dyn FnMut(GameEvent)) -> io::Result<SeatedPair> {
    loop {
        door.admit()?;
        let Some(white) = door.next(None) else {
            thread::sleep(LOOK_TIME);
            continue;
        };
        let mut waiting = take_first_seat(&white, observer);
        // Whatever it has said is heard before it gets an opponent.
        while waiting.listen() {
            door.admit()?;
            match door.next(Some(white.ip)) {
                Some(black) => {
                    let seat = || waiting.seat_black(black.stream(), observer);
                    let black = insist("seating a player", seat);
                    return Ok(waiting.with_black(black));
                }
                None => thread::sleep(LOOK_TIME),
            }
        }
        observer(GameEvent::Left);
    }
}

fn take_first_seat(white: &Newcomer, observer: &mut dyn FnMut(GameEvent)) -> WaitingTable {
    insist("seating a player", || WaitingTable::new(white.stream(), observer))
}

/// Lets a pair play in a thread of its own.
fn start_game<'scope>(
    scope: &'scope Scope<'scope, '_>,
    game: usize,
    pair: SeatedPair,
    start: AnyGame,
    options: &'scope RefereeOptions,
    reports: &'scope Reports<'_>,
) {
    // A thread that could not be started must not take the pair with it.
    let pair = Arc::new(Mutex::new(Some(pair)));
    insist("starting a game", || {
        let pair = pair.clone();
        let play = move || {
            let Some(pair) = pair.lock().take() else { return };
            let result = pair.play(start, options, &mut |event| (reports.event)(game, event));
            (reports.result)(game, result);
        };
        let name = format!("game {}", game + 1);
        // Not joined: the system frees the thread's memory when its game ends.
        thread::Builder::new().name(name).spawn_scoped(scope, play).map(drop)
    });
}

/// Bytes of addresses that must be free before a thread is started: its stack of 2 MiB, and what
/// those that play may ask for.
#[cfg(target_os = "linux")]
const ROOM: usize = 3 << 20;

/// Tries again what the system refuses for the moment (threads, memory), until games that end have
/// made room. Other games go on meanwhile.
fn insist<T>(what: &str, mut attempt: impl FnMut() -> io::Result<T>) -> T {
    let mut reported = false;
    loop {
        match has_room().and_then(|()| attempt()) {
            Ok(done) => return done,
            Err(error) if !reported => {
                log::warn!("{what}: {error}; trying again until there is room");
                reported = true;
            }
            Err(_) => {}
        }
        thread::sleep(PAUSE);
    }
}

/// A thread that takes the last of a limited memory would end the program at the next request.
#[cfg(target_os = "linux")]
fn has_room() -> io::Result<()> {
    let (hint, flags) = (std::ptr::null_mut(), libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a mapping of its own, which nobody uses and which is given back below.
    let room = unsafe { libc::mmap(hint, ROOM, libc::PROT_NONE, flags, -1, 0) };
    if room == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: as above.
    unsafe { libc::munmap(room, ROOM) };
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn has_room() -> io::Result<()> {
    Ok(())
}
