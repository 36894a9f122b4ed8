//! The thread that owns the engine.
//!
//! The one idea: jobs in a queue, done in order, so that the desk shares with it only the flags of
//! a search. The engine is built by another thread as soon as no option has come for a moment, and
//! before `readyok`, so that memory is allocated while no clock runs. A move whose time ends before
//! the engine is there is chosen without a search.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, MoveList, quoted};
use alesia::games::{AnyGame, AnyState};
use alesia::net::urgency::Urgency;
use alesia::search::clock::Budget;
use alesia::search::delays::Said;
use alesia::search::report::Report;
use alesia::search::{Engine, best_move_one_ply_ahead, contained};
use alesia::ugi::{NO_MOVE, info};
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender};

use super::Event;
use super::building::{Building, Configuration, Failure};
use super::lines::{complain, say};

/// After this time without another option the engine is built.
const BUILD_DELAY: Duration = Duration::from_millis(50);

/// Time between two looks at a stop while the engine is being built.
const TICK: Duration = Duration::from_millis(5);

/// Time to choose and print a move without a search.
const ONE_PLY_TIME: Duration = Duration::from_millis(5);

/// The flags of one search, shared by desk and thinker.
#[derive(Default)]
pub struct Search {
    /// Answer at once; raised by the desk.
    pub stop: AtomicBool,
    /// The `go` has been answered; raised by the thinker just before it prints the answer.
    pub answered: AtomicBool,
    /// No answer is wanted, as the same search goes on with other limits; raised by the desk before
    /// the stop.
    pub unanswered: AtomicBool,
}

/// The jobs of a thinker.
pub enum Job {
    /// Build the next engine with these options.
    Configure(Configuration),
    /// Use this seed from now on; forget the last game.
    Seed(Option<u64>),
    /// Build the engine, and print `readyok`.
    Ready,
    /// Say that there is no move, when everything before has been answered.
    NoMove {
        /// The reason.
        why: String,
        /// As in [`Job::Think`].
        infinite: bool,
        /// Its flags.
        search: Arc<Search>,
    },
    /// Forget the last game.
    NewGame,
    /// Search, and print the best move.
    Think {
        /// The game so far.
        state: Box<AnyState>,
        /// Limits of the search, and how many lines of play are printed.
        budget: Budget<'static>,
        /// The moves that may be played; none: all legal ones.
        only: Box<MoveList>,
        /// Whether to keep the answer until a stop.
        infinite: bool,
        /// Whether to name the expected reply too.
        reply: bool,
        /// Its flags.
        search: Arc<Search>,
    },
}

/// The owner of the engine.
pub struct Thinker<'a> {
    start: AnyGame,
    configuration: Configuration,
    /// The last one with which an engine could be built.
    proven: Option<Configuration>,
    /// That of the command line.
    at_start: Configuration,
    engine: Option<Box<dyn Engine>>,
    building: Option<Building>,
    /// Why there is no engine with the present options, until it is said.
    failure: Option<Failure>,
    /// Whether no engine can be built, neither with the present options nor with earlier ones.
    refused: bool,
    /// What the runner knows of searches that end before their time.
    said: Said,
    events: &'a Sender<Event>,
}

impl<'a> Thinker<'a> {
    /// A thinker without an engine yet. `start` is any position of the game; where no engine can be
    /// built with the configuration, that of the start of the program is used.
    pub fn new(
        start: AnyGame,
        configuration: Configuration,
        at_start: Configuration,
        events: &'a Sender<Event>,
    ) -> Thinker<'a> {
        Thinker {
            start,
            configuration,
            proven: None,
            at_start,
            engine: None,
            building: None,
            failure: None,
            refused: false,
            said: Said::default(),
            events,
        }
    }

    /// Does jobs until the desk is gone.
    ///
    /// # Errors
    /// Writing an answer failed.
    pub fn work(mut self, jobs: &Receiver<Job>) -> io::Result<()> {
        let _urgency = Urgency::claim();
        loop {
            match jobs.recv_timeout(BUILD_DELAY) {
                Ok(job) => self.obey(job)?,
                Err(RecvTimeoutError::Timeout) => {
                    self.prepare();
                    if self.building.is_some() {
                        continue;
                    }
                    match jobs.recv() {
                        Ok(job) => self.obey(job)?,
                        Err(_) => return Ok(()),
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn obey(&mut self, job: Job) -> io::Result<()> {
        match job {
            Job::Configure(configuration) => {
                self.configuration = configuration;
                self.refused = false;
                self.failure = None;
                // Its memory is freed before that of the next one is allocated.
                self.engine = None;
                if let Some(building) = &mut self.building {
                    building.outdated = true;
                }
            }
            Job::Seed(seed) => {
                self.configuration.arguments.seed = seed;
                if let Some(proven) = &mut self.proven {
                    proven.arguments.seed = seed;
                }
                self.forget();
            }
            Job::Ready => {
                self.await_engine(None, &AtomicBool::new(false))?;
                say("readyok")?;
            }
            Job::NoMove { why, infinite, search } => {
                complain(why)?;
                if infinite {
                    await_stop(&search.stop);
                }
                answer(&search, NO_MOVE)?;
            }
            Job::NewGame => self.forget(),
            Job::Think { state, budget, only, infinite, reply, search } => {
                let budget = Budget { only: &only, ..budget };
                let best = self.think(&state, &budget, infinite, reply, &search.stop)?;
                let answered = answer(&search, &best)?;
                if let Some(engine) = self.engine.as_mut().filter(|_| !answered) {
                    // The same search follows at once, and continues from what was found.
                    engine.keep();
                }
            }
        }
        Ok(())
    }

    /// Forgets the last game.
    fn forget(&mut self) {
        if let Some(building) = &mut self.building {
            building.other_game = true;
        }
        if let Some(engine) = &mut self.engine {
            let Configuration { arguments, book, .. } = &self.configuration;
            engine.new_game(arguments.seed_of_game(*book));
        }
    }

    /// Whether an engine is wanted that is neither there nor known to be impossible.
    fn is_wanting(&self) -> bool {
        self.engine.is_none() && self.failure.is_none() && !self.refused
    }

    fn begin_building(&mut self) {
        self.building = Some(Building::begin(self.start, self.configuration.clone()));
    }

    /// Waits for the engine under construction for some time; returns whether its construction has
    /// ended. It is given back if its options have changed.
    fn collect(&mut self, time: Duration) -> bool {
        let Some(built) = self.building.as_ref().and_then(|building| building.wait(time)) else {
            return false;
        };
        let building = self.building.take();
        let is = |what: fn(&Building) -> bool| building.as_ref().is_some_and(what);
        match built {
            _ if is(|building| building.outdated) => {}
            Ok(engine) => {
                self.engine = Some(engine);
                self.proven = Some(self.configuration.clone());
                if is(|building| building.other_game) {
                    self.forget();
                }
            }
            Err(failure) => self.failure = Some(failure),
        }
        true
    }

    /// What can be done for the next engine while no job waits. A failure is said only when the
    /// engine is asked for, as other options may come before.
    fn prepare(&mut self) {
        self.collect(Duration::ZERO);
        if self.is_wanting() && self.building.is_none() {
            self.begin_building();
        }
    }

    /// Waits for the engine, building it if there is none, at the latest until a moment or a stop.
    /// Prints the reason if it cannot be built; then one with other options is built.
    fn await_engine(&mut self, until: Option<Instant>, stop: &AtomicBool) -> io::Result<()> {
        while self.engine.is_none() && !self.refused {
            if let Some(failure) = self.failure.take() {
                self.fall_back(&failure)?;
                continue;
            }
            if self.building.is_none() {
                self.begin_building();
            }
            let left = until.map_or(TICK, |until| until.saturating_duration_since(Instant::now()));
            if !self.collect(left.min(TICK)) {
                let late = until.is_some_and(|until| until <= Instant::now());
                if late || stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// After options with which no engine can be built: those of the last engine, or else those of
    /// the start. The desk is sent what is kept, as it would ask for the refused value again.
    fn fall_back(&mut self, failure: &Failure) -> io::Result<()> {
        let tried = self.configuration.clone();
        if self.proven.as_ref() == Some(&tried) {
            self.proven = None;
        }
        let mut good = self.proven.as_ref().unwrap_or(&self.at_start).clone();
        good.arguments.seed = tried.arguments.seed;
        if good == tried {
            self.refused = true;
            return complain(&failure.reason);
        }
        let kept = self.configuration.mend(&good, failure);
        let change = Event::Kept(Box::new([tried, self.configuration.clone()]));
        // The desk outlives the thinker.
        let _ = self.events.send(change);
        complain(format_args!("{}; keeping {kept}", failure.reason))
    }

    /// Searches, and returns the best move as it is printed, with `reply` also the expected answer.
    fn think(
        &mut self,
        state: &AnyState,
        budget: &Budget,
        infinite: bool,
        reply: bool,
        stop: &AtomicBool,
    ) -> io::Result<String> {
        let position = &state.position;
        let until =
            budget.deadline.map(|deadline| deadline.checked_sub(ONE_PLY_TIME).unwrap_or(deadline));
        self.await_engine(until, stop)?;
        let mut written = Ok(());
        let budget = Budget { stop: Some(stop), ..*budget };
        let lines = budget.lines;
        let report = match &mut self.engine {
            Some(engine) => contained::think(&mut **engine, state, &budget, &mut |report| {
                if written.is_ok() {
                    written = say(info(report, position, lines));
                    // Without a reader the search is useless.
                    stop.fetch_or(written.is_err(), Ordering::Relaxed);
                }
            }),
            None => {
                let why = if self.refused { "cannot be built" } else { "is not built yet" };
                complain(format_args!("the engine {why}: the move is chosen without a search"))?;
                let Some((m, value)) = best_move_one_ply_ahead(state, &budget) else {
                    complain(format_args!("no legal move in {}", quoted(&position.to_string())))?;
                    return Ok(NO_MOVE.to_string());
                };
                Report { value, ..Report::of_move(m) }
            }
        };
        written?;
        if report.from_book {
            say("info string the move is from the book")?;
        }
        if let Some(haste) = self.said.news(report.haste) {
            complain(haste)?;
        }
        say(info(&report, position, lines))?;
        // An infinite search that ends early answers only after `stop`.
        if infinite {
            await_stop(stop);
        }
        Ok(words(&report, position, reply))
    }
}

/// Waits until the desk raises a flag.
fn await_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Acquire) {
        thread::park();
    }
}

/// Answers a search, if an answer is wanted; returns whether it is.
fn answer(search: &Search, best: &str) -> io::Result<bool> {
    // Before the answer, as the next command may follow at once.
    search.answered.store(true, Ordering::Release);
    // Relaxed: it was raised before the stop that has been seen, if at all.
    let wanted = !search.unanswered.load(Ordering::Relaxed);
    if wanted {
        say(format_args!("bestmove {best}"))?;
    }
    Ok(wanted)
}

/// The words after `bestmove`.
fn words(report: &Report, position: &AnyGame, reply: bool) -> String {
    let best = position.notation(report.best).to_string();
    match report.variation.get(1) {
        Some(&expected) if reply => {
            let after = position.after(report.best);
            format!("{best} ponder {}", after.notation(expected))
        }
        _ => best,
    }
}
