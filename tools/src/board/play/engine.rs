//! Engines at the games of the page.
//!
//! The one idea: a game with engines has one thread, which waits until one of them is to move, lets it
//! think without a lock, and plays its move unless the game has been changed meanwhile. The thread
//! ends with the game, or when nobody has moved for long, and the engines' memory and places are free
//! then; the next move starts it again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use alesia::game::Side;
use alesia::games::GameSpec;
use alesia::search::clock::Budget;

use super::requests::blocking;
use crate::board::failure::Failure;
use crate::board::hall::Hall;
use crate::board::mind::{self, Insight, Mind};
use crate::board::table::{Seat, Table};
use crate::board::topic::Topic;
use crate::matches::players::Line;

/// The least time between two messages of what an engine thinks.
const TELLING_TIME: Duration = Duration::from_millis(250);

/// How long engines are kept for a person who thinks.
const IDLE_TIME: Duration = Duration::from_secs(10 * 60);

/// The way to the thread of a game's engines. Used while the game is locked.
pub struct Driver {
    wakes: SyncSender<()>,
    interrupted: Arc<AtomicBool>,
}

impl Driver {
    /// It looks at the game.
    pub fn wake(&self) {
        // One that waits already is enough.
        let _ = self.wakes.try_send(());
    }

    /// An engine that thinks stops, and its move is not played.
    pub fn interrupt(&self) {
        // Relaxed: what the flag stands for is behind the game's lock.
        self.interrupted.store(true, Ordering::Relaxed);
        self.wake();
    }
}

/// Makes sure that a game's engines are there to answer a move.
///
/// # Errors
/// There are too many engines.
pub async fn ready(hall: &Arc<Hall>, table: &Arc<Topic<Table>>) -> Result<(), Failure> {
    if !asleep(&mut table.state()) {
        return Ok(());
    }
    let (hall, table) = (hall.clone(), table.clone());
    blocking(move || start(&hall, &table)).await
}

/// Whether engines must be built; one that is there begins to wait anew.
fn asleep(table: &mut Table) -> bool {
    let Some(play) = &table.play else { return false };
    play.wake();
    play.driver.is_none() && table.seats.iter().any(|seat| seat.engine.is_some())
}

/// Builds the engines of a game and starts their thread. It takes a moment.
///
/// # Errors
/// There are too many, or the system does not give what they need.
pub fn start(hall: &Arc<Hall>, table: &Arc<Topic<Table>>) -> Result<(), Failure> {
    let (game, [white, black]) = {
        let state = table.state();
        (state.game, state.seats.clone())
    };
    let minds = [build(hall, game, &white)?, build(hall, game, &black)?];
    let (wakes, woken) = sync_channel(1);
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let mut thread =
        Thread { hall: hall.clone(), table: Arc::downgrade(table), minds, woken, interrupted };
    let mut state = table.state();
    let Some(play) = &mut state.play else { return Ok(()) };
    // Another request may have been quicker.
    if play.driver.is_none() {
        let named = std::thread::Builder::new().name("engine".into());
        named.spawn(move || thread.run()).map_err(|error| {
            Failure::busy(format!("the system gives no thread for an engine: {error}"))
        })?;
        play.driver = Some(Driver { wakes, interrupted: flag });
    }
    Ok(())
}

fn build(hall: &Hall, game: GameSpec, seat: &Seat) -> Result<Option<Box<dyn Mind>>, Failure> {
    let engine = seat.engine.map(|engine| {
        let (_, kind) = mind::kind(engine)?;
        hall.minds.build(game, kind, fastrand::u64(..))
    });
    engine.transpose()
}

/// What the thread does next.
enum Next {
    Think { side: Side, line: Line, time: Duration },
    Wait,
    End,
}

struct Thread {
    hall: Arc<Hall>,
    /// Not held while waiting, so that a removed game ends the thread: its sender is gone then.
    table: Weak<Topic<Table>>,
    minds: [Option<Box<dyn Mind>>; 2],
    woken: Receiver<()>,
    interrupted: Arc<AtomicBool>,
}

impl Thread {
    fn run(&mut self) {
        let mut idle = false;
        while let Some(table) = self.table.upgrade() {
            let next = self.next(&mut table.state(), idle);
            match next {
                Next::Think { side, line, time } => self.think(&table, side, &line, time),
                Next::Wait => {
                    drop(table);
                    idle = self.woken.recv_timeout(IDLE_TIME).is_err();
                }
                Next::End => return,
            }
        }
    }

    fn next(&self, table: &mut Table, idle: bool) -> Next {
        let (side, over, runs) = (table.side(), table.result().is_some(), table.runs());
        let Some(play) = &mut table.play else { return Next::End };
        let engine = table.seats[side as usize].ms.filter(|_| runs);
        if let Some(ms) = engine {
            self.interrupted.store(false, Ordering::Relaxed);
            let (line, time) = (table.line().clone(), Duration::from_millis(ms));
            return Next::Think { side, line, time };
        }
        // Whoever has woken it since relies on it.
        if over || idle && self.woken.try_recv().is_err() {
            play.driver = None;
            return Next::End;
        }
        Next::Wait
    }

    fn think(&mut self, table: &Arc<Topic<Table>>, side: Side, line: &Line, time: Duration) {
        let began = Instant::now();
        let stop = &*self.interrupted;
        let stopped = || stop.load(Ordering::Relaxed);
        let mut told: Option<Instant> = None;
        let mut progress = |insight: &dyn Fn() -> Insight| {
            let early = told.is_some_and(|told| told.elapsed() < TELLING_TIME);
            if early || table.listeners() == 0 {
                return;
            }
            told = Some(Instant::now());
            let report = insight().report;
            table.change(|table, tell| {
                if !stopped() {
                    tell(table.thinking(side, &report));
                }
            });
        };
        let budget = Budget { deadline: Some(began + time), stop: Some(stop), ..Budget::default() };
        let mind = self.minds[side as usize].as_mut().expect("an engine sits there");
        let insight = mind.think(line, &budget, &mut progress).expect("the game goes on");
        // An error: the game has been changed meanwhile, and the thread looks at it again.
        let _ = self.hall.change(table, |table| {
            if stopped() {
                return Err(());
            }
            let played = table.play(&insight.best.text, None, Some(insight.report));
            Ok(played.expect("an engine's move is legal"))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::play::seats::Wish;
    use crate::board::play::{Keys, Play};
    use crate::board::table::Source;

    /// A game of a person, who is to move, with an engine.
    fn table(hall: &Hall) -> Arc<Topic<Table>> {
        let me = Wish::Me { name: None };
        let engine = Wish::Engine { engine: "random".into(), ms: 10 };
        let seats = [me.seat(Side::White).unwrap(), engine.seat(Side::Black).unwrap()];
        let line = Line { board: None, moves: Vec::new() };
        let game = "hadron3".parse().unwrap();
        let table =
            hall.add(|id| Table::new(id, game, Source::Board, String::new(), seats, line)).unwrap();
        let keys = Keys::new([&me, &engine]);
        let mut state = table.state();
        state.play = Some(Play { keys, ..Play::default() });
        state.begin();
        drop(state);
        table
    }

    #[test]
    fn an_engine_leaves_when_nobody_moves_for_long_unless_somebody_just_has() {
        let hall = Arc::new(Hall::new());
        let table = table(&hall);
        assert!(asleep(&mut table.state()), "nobody has built it");
        let (wakes, woken) = sync_channel(1);
        let interrupted = Arc::new(AtomicBool::new(false));
        let driver = Driver { wakes, interrupted: interrupted.clone() };
        let weak = Arc::downgrade(&table);
        let thread =
            Thread { hall: hall.clone(), table: weak, minds: [None, None], woken, interrupted };
        let mut state = table.state();
        state.play.as_mut().unwrap().driver = Some(driver);
        assert!(matches!(thread.next(&mut state, false), Next::Wait));
        assert!(!asleep(&mut state));
        assert!(matches!(thread.next(&mut state, true), Next::Wait), "a move is on its way");
        assert!(matches!(thread.next(&mut state, true), Next::End));
        assert!(asleep(&mut state));
    }

    #[test]
    fn the_thread_of_a_removed_game_ends_and_its_place_is_free() {
        let hall = Arc::new(Hall::new());
        let table = table(&hall);
        start(&hall, &table).unwrap();
        start(&hall, &table).unwrap();
        assert!(!asleep(&mut table.state()));
        assert!(Arc::strong_count(&hall) > 1);
        hall.remove(&table);
        drop(table);
        let ended = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            Arc::strong_count(&hall) == 1
        });
        assert!(ended);
    }
}
