//! The games of a match, on several threads.
//!
//! The one idea: a thread gets the next game's number and plays it with players that have forgotten
//! earlier games. Results are put in order before they count, so that with a node limit and one
//! thread per player, the output depends neither on the number of threads nor on interruptions.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use alesia::game::Side;
use alesia::games::AnyGame;
use alesia::net::referee::{RefereeOptions, Wire};
use alesia::record::game_record::today;

use super::arbiter::{self, ArbiterSeat};
use super::audience::{Audience, Spectator};
use super::descriptors;
use super::opening::Opening;
use super::referee::{self, NoGame};
use super::ruling::{GamePlayed, Ruling};
use super::schedule::Task;
use super::seeds::seed_of;
use super::stop_requests::Watch;
use super::terms::Terms;
use crate::players::entrant::{Entrant, Protocol};
use crate::players::limit::{Clocks, Limit};
use crate::players::{self, Fault, NotStarted, Player};
use crate::words::logging::warn;
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Occasion};
use alesia::words::command_error::CommandError;

/// The time between two looks at whether the match is interrupted.
const LOOK_TIME: Duration = Duration::from_millis(50);

/// What happens in a match. All methods are called on one thread.
pub trait Observer {
    /// A game begins; its number is that of the schedule, and games may begin in any order.
    ///
    /// # Errors
    /// End the match.
    fn begins(&mut self, number: u64) -> Result<(), CommandError> {
        let _ = number;
        Ok(())
    }

    /// A game has ended; in the order in which games end.
    fn ended(&mut self, record: &GameRecord);

    /// Returns when all games that have ended are safe.
    ///
    /// # Errors
    /// End the match.
    fn save(&mut self) -> Result<(), CommandError>;

    /// A game that is safe counts; in the order of the match. May end it: games beyond do not
    /// count.
    ///
    /// # Errors
    /// End the match.
    fn counts(&mut self, task: &Task, record: &GameRecord)
    -> Result<ControlFlow<()>, CommandError>;

    /// The match ends before its time, by a signal: says what is known, and how to continue.
    fn interrupted(&mut self);
}

/// Checks before the first game that the players' programs are there.
///
/// # Errors
/// The first that is not.
pub fn check_programs(entrants: &[Entrant]) -> Result<(), CommandError> {
    for Entrant { name, protocol, .. } in entrants {
        let Some(program) = protocol.program() else { continue };
        program.check().map_err(|why| {
            let path = program.path.display();
            CommandError::Failed(format!("-engine {name}, cmd={path}: {why}"))
        })?;
    }
    Ok(())
}

/// Plays the games that are not among `done` already, and shows them where there is a page.
///
/// # Errors
/// A player cannot be built or started, there is no opening of the length asked for, the system has
/// too few threads or files, or the observer's.
pub fn play(
    terms: &Terms,
    done: BTreeMap<u64, GameRecord>,
    observer: &mut impl Observer,
    live: Option<&dyn Audience>,
) -> Result<(), CommandError> {
    let (queue, stop) = (Queue::new(terms, &done), AtomicBool::new(false));
    let left = terms.schedule.games() - done.len() as u64;
    let workers = left.min(terms.concurrency as u64) as usize;
    descriptors::check(terms, workers)?;
    let (sender, receiver) = channel();
    let watch = Watch::start();
    let mut count = Count { terms, done, counted: 0, observer };
    // Closed until all threads are there: what they need must not make others fail.
    let gate = Mutex::new(());
    thread::scope(|scope| {
        let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
        for number in 0..workers {
            let (sender, queue, stop) = (sender.clone(), &queue, &stop);
            let gate = &gate;
            let (begun, has_begun) = channel();
            let work = move || {
                drop(begun);
                drop(gate.lock());
                work(terms, live, queue, stop, &sender);
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                // Relaxed: a flag alone, and the threads are waited for.
                stop.store(true, Ordering::Relaxed);
                return Err(CommandError::Failed(format!(
                    "-concurrency: found {workers}, expected at most {number}, as the system \
                     gives no more threads ({error})"
                )));
            }
            // What a thread takes at its start must not be gone to the next one.
            let _: Result<(), _> = has_begun.recv();
        }
        drop((closed, sender));
        let result = count.until_decided(&receiver, &watch);
        // Relaxed: as above.
        stop.store(true, Ordering::Relaxed);
        count.until_all_end(&receiver, &watch, &result);
        result?.map_or(Ok(()), Err)
    })
}

/// Counts games in the order of the match.
pub(crate) struct Count<'a, O> {
    pub terms: &'a Terms,
    /// Games that do not count yet.
    pub done: BTreeMap<u64, GameRecord>,
    /// The number of games that do.
    pub counted: u64,
    pub observer: &'a mut O,
}

impl<O: Observer> Count<'_, O> {
    /// Takes in games as they end, until those that count decide the match or there are no more.
    /// Returns the error of a game that could not be played.
    fn until_decided(
        &mut self,
        played: &Receiver<Played>,
        watch: &Watch,
    ) -> Result<Option<CommandError>, CommandError> {
        let mut flow = self.go_on()?;
        while flow.is_continue() {
            if watch.is_asked() {
                self.observer.interrupted();
                watch.end();
            }
            let first = match played.recv_timeout(LOOK_TIME) {
                Ok(played) => played,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            };
            // All that wait are made safe at once, also those after an error.
            let mut failure = None;
            for (number, happened) in [first].into_iter().chain(played.try_iter()) {
                match happened {
                    Happened::Begins => self.observer.begins(number)?,
                    Happened::Ended(Ok(record)) => self.ended(number, *record),
                    Happened::Ended(Err(error)) => failure = failure.or(Some(error)),
                }
            }
            self.observer.save()?;
            if failure.is_some() {
                return Ok(failure);
            }
            flow = self.go_on()?;
        }
        Ok(None)
    }

    /// Waits for the games under way, which were told to stop. Those that end all the same are
    /// kept where the match goes on later, as after a failure that is not the observer's.
    fn until_all_end(
        &mut self,
        played: &Receiver<Played>,
        watch: &Watch,
        result: &Result<Option<CommandError>, CommandError>,
    ) {
        let mut keeps = matches!(result, Ok(Some(_)));
        loop {
            if watch.is_asked() {
                self.observer.interrupted();
                if let Ok(Some(error)) | Err(error) = result {
                    warn(&error.to_string());
                }
                watch.end();
            }
            match played.recv_timeout(LOOK_TIME) {
                Ok((number, Happened::Ended(Ok(record)))) if keeps => {
                    self.ended(number, *record);
                    // The first error counts.
                    keeps = self.observer.save().is_ok();
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    pub fn ended(&mut self, number: u64, record: GameRecord) {
        self.observer.ended(&record);
        self.done.insert(number, record);
    }

    /// Counts what follows the games that count already.
    pub fn go_on(&mut self) -> Result<ControlFlow<()>, CommandError> {
        while let Some(record) = self.done.remove(&self.counted) {
            let task = self.terms.schedule.task(self.counted);
            self.counted += 1;
            if self.observer.counts(&task, &record)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// What happens to a game.
enum Happened {
    Begins,
    Ended(Result<Box<GameRecord>, CommandError>),
}

/// The number of a game, and what happens to it.
type Played = (u64, Happened);

/// What one thread does: games until there are none left.
fn work(
    terms: &Terms,
    live: Option<&dyn Audience>,
    queue: &Queue,
    stop: &AtomicBool,
    sender: &Sender<Played>,
) {
    let players = terms.entrants.iter().map(|_| None).collect();
    let start = AnyGame::start(terms.game);
    let mut crew = Crew { start, terms, live, players, stop };
    while let Some(task) = queue.next(stop) {
        let number = terms.schedule.number(task.key).expect("a game of the match has a number");
        // There is no receiver any more if the match is decided; after an error it ends.
        if sender.send((number, Happened::Begins)).is_err() {
            return;
        }
        let played = crew.play(&task).transpose();
        queue.free(&task);
        let Some(played) = played else { return };
        let failed = played.is_err();
        if sender.send((number, Happened::Ended(played.map(Box::new)))).is_err() || failed {
            return;
        }
    }
}

/// The games that nobody plays yet, in their order. A player that comes by itself has one game at a
/// time: others come before its next.
struct Queue<'a> {
    terms: &'a Terms,
    already: HashSet<u64>,
    state: Mutex<Waiting>,
    freed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// All from this one on wait, except for those that were played already.
    next: u64,
    /// Those before it that wait.
    passed: BTreeSet<u64>,
    /// Guests in a game.
    busy: HashSet<usize>,
}

impl Queue<'_> {
    fn new<'a>(terms: &'a Terms, done: &BTreeMap<u64, GameRecord>) -> Queue<'a> {
        let (already, state) = (done.keys().copied().collect(), Mutex::default());
        Queue { terms, already, state, freed: Condvar::new() }
    }

    /// The first game whose guests are free, once there is one; none where no games are left or the
    /// match is stopped.
    fn next(&self, stop: &AtomicBool) -> Option<Task> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // Relaxed: a flag alone.
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(task) = self.first_free(&mut state) {
                state.busy.extend(self.guests(&task));
                return Some(task);
            }
            if state.passed.is_empty() {
                return None;
            }
            let waited = self.freed.wait_timeout(state, LOOK_TIME);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn first_free(&self, state: &mut Waiting) -> Option<Task> {
        let Waiting { next, passed, busy } = state;
        let task = |number| self.terms.schedule.task(number);
        let is_free = |task: &Task| !task.players.iter().any(|player| busy.contains(player));
        if let Some(number) = passed.iter().copied().find(|&number| is_free(&task(number))) {
            passed.remove(&number);
            return Some(task(number));
        }
        while *next < self.terms.schedule.games() {
            let number = *next;
            *next += 1;
            if self.already.contains(&number) {
                continue;
            }
            if is_free(&task(number)) {
                return Some(task(number));
            }
            passed.insert(number);
        }
        None
    }

    /// A game is over.
    fn free(&self, task: &Task) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for player in self.guests(task) {
            state.busy.remove(&player);
        }
        self.freed.notify_all();
    }

    fn guests(&self, task: &Task) -> impl Iterator<Item = usize> {
        let is_guest = |&player: &usize| self.terms.entrants[player].protocol.guest().is_some();
        task.players.into_iter().filter(is_guest)
    }
}

/// The players of one thread.
struct Crew<'a> {
    start: AnyGame,
    terms: &'a Terms,
    live: Option<&'a dyn Audience>,
    /// By number; built when they first play, and clients of tournament servers never.
    players: Vec<Option<Box<dyn Player>>>,
    /// The match is decided.
    stop: &'a AtomicBool,
}

impl Crew<'_> {
    /// Plays a game; none where it was stopped.
    fn play(&mut self, task: &Task) -> Result<Option<GameRecord>, CommandError> {
        let terms = self.terms;
        let date = today();
        let opening = terms.openings.of_round(self.start, task.key.seed, task.round)?;
        let [white, black] = task.players.map(|number| &terms.entrants[number]);
        log::info!(
            "pair {} leg {}: {} against {}",
            task.key.pair,
            task.key.leg,
            white.name,
            black.name
        );
        let live = self
            .live
            .and_then(|live| live.begin(task.key, terms.game, [white, black], &opening.line));
        let live = live.as_deref();
        let played = match self.build(task.players)? {
            Ok(()) => self.play_out(task, &opening, live)?,
            Err(not_started) => Err(not_started),
        };
        let (ruling, moves) = match played {
            Ok(Some(played)) => played,
            Ok(None) => return Ok(None),
            Err(NotStarted(_, why)) if !terms.recover => return Err(CommandError::Failed(why)),
            Err(NotStarted(loser, why)) => {
                log::error!("{why}");
                (Ruling::by_fault(loser, &Fault::NotStarted(why), None), Vec::new())
            }
        };
        if let Cause::Disconnect = ruling.cause {
            log::error!("pair {} leg {}: {}", task.key.pair, task.key.leg, ruling.reason);
        }
        if let Some(live) = live {
            live.hear(&ruling.event());
        }
        let Ruling { result, cause, reason } = ruling;
        log::info!("pair {} leg {}: {} ({reason})", task.key.pair, task.key.leg, result.outcome());
        Ok(Some(GameRecord {
            key: task.key,
            game: terms.game.to_string(),
            white: white.name.clone(),
            black: black.name.clone(),
            board: opening.line.board,
            definition: terms.game.fingerprint(),
            rules: None,
            occasion: Occasion { date: Some(date), ..terms.occasion.clone() },
            opening: opening.line.moves,
            moves,
            result,
            cause,
            reason,
        }))
    }

    /// Builds the players that have not played yet, or returns the one that cannot be started.
    fn build(&mut self, players: [usize; 2]) -> Result<Result<(), NotStarted>, CommandError> {
        for (side, number) in [Side::White, Side::Black].into_iter().zip(players) {
            let entrant = &self.terms.entrants[number];
            if entrant.protocol.is_client() || self.players[number].is_some() {
                continue;
            }
            match players::build(self.start, self.terms.game, entrant) {
                Ok(player) => self.players[number] = Some(player),
                Err(CommandError::Failed(why)) => return Ok(Err(NotStarted(side, why))),
                Err(error) => return Err(error),
            };
        }
        Ok(Ok(()))
    }

    /// Plays a game of players that are built.
    fn play_out(
        &mut self,
        task: &Task,
        opening: &Opening,
        live: Option<&dyn Spectator>,
    ) -> Result<Result<Option<GamePlayed>, NotStarted>, CommandError> {
        let terms = self.terms;
        let entrants = task.players.map(|number| &terms.entrants[number]);
        // The second stream of random numbers of a round; the first is the opening's.
        let stream = 2 * u64::from(task.round) + 1;
        let seeds = entrants.map(|entrant| seed_of(entrant.seed(), stream));
        let players = self.players.get_disjoint_mut(task.players);
        match players.expect("no player meets itself").map(Option::as_mut) {
            [Some(white), Some(black)] => {
                let [white, black] = [(white, 0), (black, 1)].map(|(player, side)| ArbiterSeat {
                    player: &mut **player,
                    margin: entrants[side].margin,
                    seed: seeds[side],
                });
                let clocks = Clocks::new(entrants.map(|entrant| entrant.limit));
                let early = terms.adjudication;
                Ok(arbiter::play(opening, &mut [white, black], clocks, early, self.stop, live))
            }
            [white, black] => {
                let seats = [(white, 0), (black, 1)].map(|(player, side)| {
                    let (Entrant { name, limit, .. }, seed) = (entrants[side], seeds[side]);
                    match (&entrants[side].protocol, player) {
                        (Protocol::Guest(guest), _) => referee::RefereeSeat::Guest(guest),
                        (Protocol::Tcp(program), _) => {
                            let wire = Wire::Tournament;
                            referee::RefereeSeat::Client { name, wire, program, seed }
                        }
                        (Protocol::Relay(programs), _) => {
                            let (wire, program) = (Wire::Relay, &programs[side]);
                            referee::RefereeSeat::Client { name, wire, program, seed }
                        }
                        (_, Some(player)) => referee::RefereeSeat::Local {
                            player: &mut **player,
                            limit: *limit,
                            seed,
                        },
                        (_, None) => unreachable!("players at hand have been built"),
                    }
                });
                play_by_referee(terms, entrants, opening, seats, self.stop, live)
            }
        }
    }
}

/// Plays a game of a client.
fn play_by_referee(
    terms: &Terms,
    entrants: [&Entrant; 2],
    opening: &Opening,
    seats: [referee::RefereeSeat<'_>; 2],
    stop: &AtomicBool,
    live: Option<&dyn Spectator>,
) -> Result<Result<Option<GamePlayed>, NotStarted>, CommandError> {
    let mut clients = entrants.iter().filter_map(|entrant| match entrant {
        Entrant { protocol, limit: Limit::MoveTime(time), .. } if protocol.is_client() => {
            Some(*time)
        }
        _ => None,
    });
    let options = RefereeOptions {
        move_time: clients.next().expect("a client has a time for its moves"),
        tolerance: entrants.map(|entrant| entrant.margin),
        warm_up: Duration::ZERO,
        moves_per_player: terms.adjudication.moves_per_player,
    };
    match referee::play(opening, &terms.game.to_string(), seats, &options, stop, live) {
        Ok(played) => Ok(Ok(played)),
        Err(NoGame::NotStarted(not_started)) => Ok(Err(not_started)),
        Err(NoGame::System(error)) => {
            Err(CommandError::Failed(format!("a game through the referee: {error}")))
        }
    }
}

#[cfg(test)]
mod tests;
