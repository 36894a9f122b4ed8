//! The thread that owns the engine.
//!
//! The one idea: jobs in a queue, done in order, so that the threads share only two flags. The
//! engine is built when a job first needs one: after all options, and before `readyok`, so that
//! memory is allocated while no clock runs.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use alesia::game::GameState;
use alesia::games::BuiltIn;
use alesia::search::Engine;
use alesia::search::clock::Budget;
use alesia::search::contained;
use alesia::ugi::{NO_MOVE, info};
use crossbeam::channel::Receiver;

use super::{complain, say};
use crate::cli::options::EngineArguments;

/// The flags that desk and thinker share.
#[derive(Default)]
pub struct Signals {
    /// Answer at once; lowered by the desk before it requests a search.
    pub stop: AtomicBool,
    /// A `go` has not been answered yet; raised by the desk, lowered by the thinker.
    pub thinking: AtomicBool,
}

/// The options with which an engine is built.
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
    },
}

/// The owner of the engine.
pub struct Thinker<'a, G> {
    start: G,
    configuration: Configuration,
    engine: Option<Box<dyn Engine<G>>>,
    signals: &'a Signals,
}

impl<'a, G: BuiltIn> Thinker<'a, G> {
    /// A thinker without an engine yet. `start` is any position of the game.
    pub fn new(start: G, configuration: Configuration, signals: &'a Signals) -> Thinker<'a, G> {
        Thinker { start, configuration, engine: None, signals }
    }

    /// Does jobs until the desk is gone.
    ///
    /// # Errors
    /// Writing an answer failed.
    pub fn work(mut self, jobs: &Receiver<Job<G>>) -> io::Result<()> {
        for job in jobs {
            match job {
                Job::Configure(configuration) => {
                    self.configuration = configuration;
                    // Its memory is freed before that of the next one is allocated.
                    self.engine = None;
                }
                Job::Seed(seed) => {
                    self.configuration.arguments.seed = seed;
                    self.forget();
                }
                Job::Ready => {
                    self.engine()?;
                    say("readyok")?;
                }
                Job::NewGame => self.forget(),
                Job::Think { state, budget, infinite } => {
                    let best = self.think(&state, &budget, infinite)?;
                    // Before the answer, as the next command may follow at once.
                    self.signals.thinking.store(false, Ordering::Release);
                    say(format_args!("bestmove {best}"))?;
                }
            }
        }
        Ok(())
    }

    /// Forgets the last game.
    fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            let Configuration { arguments, book } = &self.configuration;
            engine.new_game(arguments.seed_of_game(*book));
        }
    }

    /// The engine, built on first use; none, with the reason printed, if that fails.
    fn engine(&mut self) -> io::Result<Option<&mut Box<dyn Engine<G>>>> {
        if self.engine.is_none() {
            let Configuration { arguments, book } = &self.configuration;
            match arguments.build_with_book(self.start, *book) {
                Ok(engine) => self.engine = Some(engine),
                Err(error) => complain(error)?,
            }
        }
        Ok(self.engine.as_mut())
    }

    /// Searches, and returns the best move as it is printed.
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        infinite: bool,
    ) -> io::Result<String> {
        let stop = &self.signals.stop;
        let position = &state.position;
        let Some(engine) = self.engine()? else { return Ok(NO_MOVE.to_string()) };
        let mut written = Ok(());
        let budget = Budget { stop: Some(stop), ..*budget };
        let report = contained::think(&mut **engine, state, &budget, &mut |report| {
            if written.is_ok() {
                written = say(info(report, position));
                // Without a reader the search is useless.
                stop.fetch_or(written.is_err(), Ordering::Relaxed);
            }
        });
        written?;
        if report.from_book {
            say("info string the move is from the book")?;
        }
        say(info(&report, position))?;
        // An infinite search that ends early answers only after `stop`.
        while infinite && !stop.load(Ordering::Relaxed) {
            thread::park();
        }
        Ok(position.notation(report.best).to_string())
    }
}
