//! Engines at the games of the page.
//!
//! The one idea: a game with engines has one thread, which waits until one of them is to move, lets
//! it search without a lock, and plays its move unless the game has changed meanwhile. The thread
//! ends with the game, after a long time without a move, or after a while without spectators of two
//! engines. The engines' memory and places are free then, and the next move or spectator starts it
//! again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use alesia::game::Side;
use alesia::record::game_record::GameLine;
use alesia::search::clock::Budget;

use crate::door::failure::{Failure, aside};
use alesia_answers::insight::Insight;

use crate::engines::mind::Mind;
use crate::games::game_seat::GameSeat;
use crate::games::game_table::GameTable;
use crate::games::hall::Hall;
use crate::games::local_players::Driver;
use crate::page::topic::Topic;

/// Minimum time between two reports of a thinking engine.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// The time before an engine whose move the disk has refused thinks again.
const REFUSED_TIME: Duration = Duration::from_secs(1);

/// How long engines are kept while a person thinks.
const IDLE_TIME: Duration = Duration::from_secs(10 * 60);

/// How long two engines continue without spectators.
const UNWATCHED_TIME: Duration = Duration::from_secs(30);

/// Makes sure that a game's engines are there to answer a move.
///
/// # Errors
/// There are too many engines.
pub async fn ready(hall: &Arc<Hall>, table: &Arc<Topic<GameTable>>) -> Result<(), Failure> {
    if !asleep(&mut table.state()) {
        return Ok(());
    }
    let (hall, table) = (hall.clone(), table.clone());
    aside(move || start(&hall, &table)).await
}

/// Makes the engines of a game continue when it is watched again.
pub async fn watched(hall: &Arc<Hall>, table: &Arc<Topic<GameTable>>) -> Result<(), Failure> {
    let stands_still = {
        let mut state = table.state();
        let is_engine = state.seats[state.side() as usize].engine.is_some();
        state.runs() && is_engine && asleep(&mut state)
    };
    if stands_still {
        // The time in between counts for neither side.
        let _ = hall.change(table, |table| Ok::<_, ()>(table.begin()));
        ready(hall, table).await?;
    }
    Ok(())
}

/// Whether engines must be built; an existing one begins to wait anew.
fn asleep(table: &mut GameTable) -> bool {
    let Some(local_players) = &table.local_players else { return false };
    local_players.wake();
    local_players.driver.is_none() && table.seats.iter().any(|seat| seat.engine.is_some())
}

/// Builds the engines of a game and starts their thread; this needs a moment.
///
/// # Errors
/// There are too many, or the system refuses memory or threads.
pub fn start(hall: &Arc<Hall>, table: &Arc<Topic<GameTable>>) -> Result<(), Failure> {
    let (game, seats, owner) = {
        let state = table.state();
        (state.game, state.seats.clone(), state.owner)
    };
    let build = |seat: &GameSeat| {
        let Some(engine) = seat.engine else { return Ok(None) };
        let (strength, seed) = (engine.parse()?, fastrand::u64(..));
        hall.minds.build(owner, game, strength, seed).map(Some)
    };
    let minds: [Option<Mind>; 2] = [build(&seats[0])?, build(&seats[1])?];
    let (wakes, woken) = sync_channel(1);
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let mut thread = Thread {
        hall: hall.clone(),
        table: Arc::downgrade(table),
        minds,
        woken,
        interrupted,
        watched: Instant::now(),
    };
    let mut state = table.state();
    let Some(local_players) = &mut state.local_players else { return Ok(()) };
    // Another request may have been quicker.
    if local_players.driver.is_none() {
        let named = std::thread::Builder::new().name("engine".into());
        named.spawn(move || thread.run()).map_err(|error| {
            Failure::busy(format!("cannot start a thread for the engine: {error}"))
        })?;
        local_players.driver = Some(Driver { wakes, interrupted: flag });
    }
    Ok(())
}

/// What the thread does next.
enum Next {
    Think { side: Side, line: GameLine, time: Duration },
    Wait,
    End,
}

struct Thread {
    hall: Arc<Hall>,
    /// Not owned while waiting, so that a removed game ends the thread: its sender is gone then.
    table: Weak<Topic<GameTable>>,
    minds: [Option<Mind>; 2],
    woken: Receiver<()>,
    interrupted: Arc<AtomicBool>,
    /// When a person last watched or woke it, as of the last check.
    watched: Instant,
}

impl Thread {
    fn run(&mut self) {
        let mut idle = false;
        while let Some(table) = self.table.upgrade() {
            if table.listeners() > 0 {
                self.watched = Instant::now();
            }
            let next = self.next(&mut table.state(), idle, UNWATCHED_TIME);
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

    fn next(&mut self, table: &mut GameTable, idle: bool, unwatched: Duration) -> Next {
        let (side, over, runs) = (table.side(), table.result().is_some(), table.runs());
        let alone = table.seats.iter().all(|seat| seat.engine.is_some());
        let Some(local_players) = &mut table.local_players else { return Next::End };
        let engine = table.seats[side as usize].ms.filter(|_| runs);
        if let Some(ms) = engine {
            if alone && self.watched.elapsed() >= unwatched {
                // The one who woke it is about to watch.
                if self.woken.try_recv().is_err() {
                    local_players.driver = None;
                    return Next::End;
                }
                self.watched = Instant::now();
            }
            self.interrupted.store(false, Ordering::Relaxed);
            let (line, time) = (table.line().clone(), Duration::from_millis(ms));
            return Next::Think { side, line, time };
        }
        // A request that woke it since then relies on it.
        if over || idle && self.woken.try_recv().is_err() {
            local_players.driver = None;
            return Next::End;
        }
        Next::Wait
    }

    fn think(
        &mut self,
        table: &Arc<Topic<GameTable>>,
        side: Side,
        line: &GameLine,
        time: Duration,
    ) {
        let began = Instant::now();
        let stop = &*self.interrupted;
        let stopped = || stop.load(Ordering::Relaxed);
        let mut published: Option<Instant> = None;
        let mut progress = |insight: &dyn Fn() -> Insight| {
            let early = published.is_some_and(|published| published.elapsed() < REPORT_INTERVAL);
            if early || table.listeners() == 0 {
                return;
            }
            published = Some(Instant::now());
            let report = insight().report;
            table.change(|table, publish| {
                if !stopped() {
                    publish(table.thinking(side, &report));
                }
            });
        };
        let budget = Budget { deadline: Some(began + time), stop: Some(stop), ..Budget::default() };
        let mind = self.minds[side as usize].as_mut().expect("an engine sits there");
        let insight =
            mind.thinker.think(line, &budget, &mut progress).expect("the game is not over");
        let played = self.hall.change(table, |table| {
            if stopped() {
                return Err(None);
            }
            table.play(&insight.best.text, None, Some(insight.report)).map_err(Some)
        });
        // Else the game has been changed meanwhile, and the thread looks at it again.
        if let Err(Some(_refused)) = played {
            let _ = self.hall.change(table, |table| Ok::<_, ()>(table.news(table.length())));
            let _ = self.woken.recv_timeout(REFUSED_TIME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_table::Source;
    use crate::games::keys::Keys;
    use crate::games::local_players::LocalPlayers;
    use crate::games::play::seats::Wish;

    fn engine() -> Wish {
        Wish::Engine { engine: "random".into(), ms: 10 }
    }

    /// A game of a person, who is to move, with an engine.
    fn table(hall: &Hall, white: &Wish) -> Arc<Topic<GameTable>> {
        let seats = [white.seat(Side::White).unwrap(), engine().seat(Side::Black).unwrap()];
        let line = GameLine { board: None, moves: Vec::new() };
        let game = "hadron3".parse().unwrap();
        let table = hall
            .add(|id| GameTable::new(id, game, Source::Board, String::new(), seats, line))
            .unwrap();
        let keys = Keys::new([white.is_own(), false]);
        let mut state = table.state();
        state.local_players = Some(LocalPlayers { keys, ..LocalPlayers::default() });
        state.begin();
        drop(state);
        table
    }

    /// A thread that has not been started, for a game that it belongs to from now on.
    fn thread(hall: &Arc<Hall>, table: &Arc<Topic<GameTable>>) -> Thread {
        let (wakes, woken) = sync_channel(1);
        let interrupted = Arc::new(AtomicBool::new(false));
        let driver = Driver { wakes, interrupted: interrupted.clone() };
        table.state().local_players.as_mut().unwrap().driver = Some(driver);
        let (hall, table, minds) = (hall.clone(), Arc::downgrade(table), [None, None]);
        Thread { hall, table, minds, woken, interrupted, watched: Instant::now() }
    }

    const ME: Wish = Wish::Me { name: None };

    #[test]
    fn an_engine_leaves_after_a_long_time_without_a_move() {
        let hall = Arc::new(Hall::default());
        let table = table(&hall, &ME);
        assert!(asleep(&mut table.state()), "it was not built");
        let mut thread = thread(&hall, &table);
        let mut state = table.state();
        let mut next = |state: &mut GameTable, idle| thread.next(state, idle, Duration::ZERO);
        assert!(matches!(next(&mut state, false), Next::Wait));
        assert!(!asleep(&mut state));
        assert!(matches!(next(&mut state, true), Next::Wait), "a move is on its way");
        assert!(matches!(next(&mut state, true), Next::End));
        assert!(asleep(&mut state));
    }

    #[test]
    fn two_engines_leave_without_spectators_and_come_back_with_one() {
        let hall = Arc::new(Hall::default());
        let table = table(&hall, &engine());
        let mut thread = thread(&hall, &table);
        let mut next = |unwatched| thread.next(&mut table.state(), false, unwatched);
        assert!(matches!(next(UNWATCHED_TIME), Next::Think { side: Side::White, .. }));
        assert!(matches!(next(Duration::ZERO), Next::End));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(watched(&hall, &table)).unwrap();
        let goes_on = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            table.state().length() > 0
        });
        assert!(goes_on);
    }

    #[test]
    fn the_thread_of_a_removed_game_ends_and_its_place_is_free() {
        let hall = Arc::new(Hall::default());
        let table = table(&hall, &ME);
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
