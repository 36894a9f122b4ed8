//! The thread that owns the engine.
//!
//! The one idea: jobs in a queue, done in order, so that the desk shares with it only the flags of
//! a search. The engine is built by another thread as soon as no option has come for a moment, and
//! before `readyok`, so that memory is allocated while no clock runs; a move whose time ends before
//! the engine is there is chosen without a search.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, quoted};
use alesia::games::BuiltIn;
use alesia::net::urgency::Urgency;
use alesia::player::TOLERATED_OVERSHOOT;
use alesia::search::clock::Budget;
use alesia::search::report::Report;
use alesia::search::{Engine, contained, one_ply};
use alesia::ugi::{NO_MOVE, info};
use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};

use super::{complain, say};
use crate::cli::options::EngineArguments;

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

/// What desk and thinker share at all times.
#[derive(Default)]
pub struct Signals {
    /// By how many ms the last move left too late that left much too late, or 0: from then on a
    /// larger margin is kept. Set by the thinker; cleared by the desk before another game.
    pub overshoot: AtomicU64,
}

/// The options with which an engine is built.
#[derive(Clone)]
pub struct Configuration {
    /// Those of the engine itself.
    pub arguments: EngineArguments,
    /// Whether it has a book.
    pub book: bool,
}

/// The jobs of a thinker.
pub enum Job<G> {
    /// Build the next engine with these options.
    Configure(Configuration),
    /// Use this seed from now on; forget the last game.
    Seed(Option<u64>),
    /// Build the engine, and print `readyok`.
    Ready,
    /// Print this when everything before has been answered.
    Answer(String),
    /// Forget the last game.
    NewGame,
    /// Search, and print the best move.
    Think {
        /// The game so far.
        state: Box<GameState<G>>,
        /// Limits of the search.
        budget: Budget<'static>,
        /// Whether to keep the answer until a stop.
        infinite: bool,
        /// Whether to name the expected reply too.
        reply: bool,
        /// Its flags.
        search: Arc<Search>,
    },
}

/// An engine, or the reason why there is none.
type Built<G> = Result<Box<dyn Engine<G>>, String>;

/// The owner of the engine.
pub struct Thinker<'a, G> {
    start: G,
    configuration: Configuration,
    /// The last one with which an engine could be built.
    proven: Option<Configuration>,
    engine: Option<Box<dyn Engine<G>>>,
    /// The engine under construction, and whether its options have changed meanwhile.
    building: Option<(Receiver<Built<G>>, bool)>,
    /// Whether the present options are known to give no engine.
    refused: bool,
    signals: &'a Signals,
}

impl<'a, G: BuiltIn> Thinker<'a, G> {
    /// A thinker without an engine yet. `start` is any position of the game.
    pub fn new(start: G, configuration: Configuration, signals: &'a Signals) -> Thinker<'a, G> {
        Thinker {
            start,
            configuration,
            proven: None,
            engine: None,
            building: None,
            refused: false,
            signals,
        }
    }

    /// Does jobs until the desk is gone.
    ///
    /// # Errors
    /// Writing an answer failed.
    pub fn work(mut self, jobs: &Receiver<Job<G>>) -> io::Result<()> {
        let _urgency = Urgency::claim();
        loop {
            match jobs.recv_timeout(BUILD_DELAY) {
                Ok(job) => self.obey(job)?,
                Err(RecvTimeoutError::Timeout) => {
                    // There is nothing else to do meanwhile.
                    if self.is_wanting() {
                        self.start_building();
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

    fn obey(&mut self, job: Job<G>) -> io::Result<()> {
        match job {
            Job::Configure(configuration) => {
                self.configuration = configuration;
                self.refused = false;
                // Its memory is freed before that of the next one is allocated.
                self.engine = None;
                if let Some((_, outdated)) = &mut self.building {
                    *outdated = true;
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
            Job::Answer(text) => say(text)?,
            Job::NewGame => self.forget(),
            Job::Think { state, budget, infinite, reply, search } => {
                let answer = self.think(&state, &budget, infinite, reply, &search.stop)?;
                // Before the answer, as the next command may follow at once.
                search.answered.store(true, Ordering::Release);
                // Relaxed: it was raised before the stop that has been seen, if at all.
                if !search.unanswered.load(Ordering::Relaxed) {
                    say(format_args!("bestmove {answer}"))?;
                } else if let Some(engine) = &mut self.engine {
                    // The same search follows at once, and continues from what was found.
                    engine.keep();
                }
                self.check_margin(&budget, &search.stop);
            }
        }
        Ok(())
    }

    /// Forgets the last game.
    fn forget(&mut self) {
        if let Some((_, outdated)) = &mut self.building {
            // It may have been given another seed.
            *outdated = true;
        }
        if let Some(engine) = &mut self.engine {
            let Configuration { arguments, book } = &self.configuration;
            engine.new_game(arguments.seed_of_game(*book));
        }
    }

    /// Notes an answer that had a deadline and left much too late.
    fn check_margin(&self, budget: &Budget, stop: &AtomicBool) {
        let late = budget.deadline.map_or(Duration::ZERO, |deadline| deadline.elapsed());
        // Relaxed: a number that matters alone.
        if late > TOLERATED_OVERSHOOT && !stop.load(Ordering::Relaxed) {
            self.signals.overshoot.store(late.as_millis() as u64, Ordering::Relaxed);
        }
    }

    /// Whether an engine could be built that is neither there nor under construction.
    fn is_wanting(&self) -> bool {
        self.engine.is_none() && self.building.is_none() && !self.refused
    }

    /// Has another thread build the engine. It is never joined: at the end of the program it ends
    /// with it.
    fn start_building(&mut self) {
        let (sender, receiver) = bounded(1);
        let (start, configuration) = (self.start, self.configuration.clone());
        let build = move || {
            let Configuration { arguments, book } = &configuration;
            let built = arguments.build_with_book(start, *book);
            // There may be nobody any more who wants it.
            let _ = sender.send(built.map_err(|error| error.to_string()));
        };
        let started = thread::Builder::new().name("builder".into()).spawn(build);
        // If not, the sender is gone, and the receiver says so.
        drop(started);
        self.building = Some((receiver, false));
    }

    /// Waits for the engine, building it if there is none, at the latest until a moment or a stop.
    /// Prints the reason if it cannot be built; then the engine with the last options that were
    /// possible is built again.
    fn await_engine(&mut self, until: Option<Instant>, stop: &AtomicBool) -> io::Result<()> {
        while self.engine.is_none() && !self.refused {
            if self.building.is_none() {
                self.start_building();
            }
            let Some((built, outdated)) = &self.building else { continue };
            let left = until.map_or(TICK, |until| until.saturating_duration_since(Instant::now()));
            let found = match built.recv_timeout(left.min(TICK)) {
                Ok(found) => found,
                Err(RecvTimeoutError::Disconnected) => Err("the system starts no thread".into()),
                Err(RecvTimeoutError::Timeout) => {
                    let late = until.is_some_and(|until| until <= Instant::now());
                    if late || stop.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    continue;
                }
            };
            let outdated = *outdated;
            self.building = None;
            match found {
                // It is given back before the next one is built.
                _ if outdated => {}
                Ok(engine) => {
                    self.engine = Some(engine);
                    self.proven = Some(self.configuration.clone());
                }
                Err(error) => self.fall_back(&error)?,
            }
        }
        Ok(())
    }

    /// After options with which no engine can be built: the memory of the last engine, then all its
    /// options.
    fn fall_back(&mut self, error: &str) -> io::Result<()> {
        let Some(proven) = self.proven.clone() else {
            self.refused = true;
            return complain(error);
        };
        let memory = proven.arguments.memory;
        if self.configuration.arguments.memory == memory {
            self.proven = None;
            self.configuration = proven;
            return complain(format_args!("{error}; keeping the engine that was there before"));
        }
        self.configuration.arguments.memory = memory;
        complain(format_args!("{error}; keeping {memory}"))
    }

    /// Searches, and returns the best move as it is printed, with `reply` also the expected answer.
    fn think(
        &mut self,
        state: &GameState<G>,
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
        let report = match &mut self.engine {
            Some(engine) => contained::think(&mut **engine, state, &budget, &mut |report| {
                if written.is_ok() {
                    written = say(info(report, position));
                    // Without a reader the search is useless.
                    stop.fetch_or(written.is_err(), Ordering::Relaxed);
                }
            }),
            None => {
                let why = if self.refused { "cannot be built" } else { "is not built yet" };
                complain(format_args!("the engine {why}: the move is chosen without a search"))?;
                let Some((m, value)) = one_ply::best_move(state, |_| true) else {
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
        say(info(&report, position))?;
        // An infinite search that ends early answers only after `stop`.
        while infinite && !stop.load(Ordering::Acquire) {
            thread::park();
        }
        Ok(answer(&report, position, reply))
    }
}

/// The words after `bestmove`.
fn answer<G: Game>(report: &Report, position: &G, reply: bool) -> String {
    let best = position.notation(report.best).to_string();
    match report.variation.get(1) {
        Some(&expected) if reply => {
            let mut after = *position;
            after.play(report.best);
            format!("{best} ponder {}", after.notation(expected))
        }
        _ => best,
    }
}
