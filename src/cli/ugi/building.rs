//! The engine under construction.
//!
//! The one idea: another thread takes the memory, so that the thinker answers meanwhile; what has
//! changed since it began is noted here, and done when it is there.

use std::thread;
use std::time::Duration;

use alesia::games::AnyGame;
use alesia::search::Engine;
use alesia::search::levels::Level;
use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};

use crate::cli::options::{EngineArguments, Weights};

/// The options with which an engine is built.
#[derive(Clone, PartialEq)]
pub struct Configuration {
    /// Those of the engine itself.
    pub arguments: EngineArguments,
    /// Whether it has a book.
    pub book: bool,
    /// The level at which it plays; none: at full strength.
    pub level: Option<&'static Level>,
}

impl Configuration {
    /// Replaces the value that was refused by that of a good configuration: the weights where they
    /// are at fault, else the memory, else all; returns its name for people. The seed is kept.
    pub fn mend(&mut self, good: &Configuration, failure: &Failure) -> String {
        let (now, before) = (&mut self.arguments, &good.arguments);
        if failure.of_weights && now.weights != before.weights {
            let of_path = |weights: &Option<Weights>| weights.as_ref().map(|of| of.path.clone());
            let [refused, kept] = [&now.weights, &before.weights].map(of_path);
            now.weights.clone_from(&before.weights);
            return match kept {
                Some(path) if refused.as_ref() == Some(&path) => {
                    format!("{} as it was before", path.display())
                }
                Some(path) => path.display().to_string(),
                None => "the built-in weights".to_owned(),
            };
        }
        if now.memory != before.memory {
            now.memory = before.memory;
            return now.memory.to_string();
        }
        let seed = now.seed;
        *self = good.clone();
        self.arguments.seed = seed;
        "the options that were there before".to_owned()
    }
}

/// Why there is no engine.
pub struct Failure {
    /// For people.
    pub reason: String,
    /// Whether the weights are at fault.
    of_weights: bool,
}

/// An engine, or the reason why there is none.
type Built = Result<Box<dyn Engine>, Failure>;

/// An engine that another thread builds.
pub struct Building {
    built: Receiver<Built>,
    /// Whether its options have changed meanwhile.
    pub outdated: bool,
    /// Whether another game has begun meanwhile, perhaps with another seed.
    pub other_game: bool,
}

impl Building {
    /// Has another thread build the engine. It is never joined: at the end of the program it ends
    /// with it.
    pub fn begin(start: AnyGame, configuration: Configuration) -> Building {
        let (sender, built) = bounded(1);
        let build = move || {
            let Configuration { arguments, book, level } = &configuration;
            let built = match level {
                Some(level) => arguments.build_at_level(start, level),
                None => arguments.build_with_book(start, *book),
            };
            let built = built.map_err(|error| Failure {
                reason: error.to_string(),
                of_weights: refuses_weights(start, arguments),
            });
            // There may be nobody any more who wants it.
            let _ = sender.send(built);
        };
        let started = thread::Builder::new().name("builder".into()).spawn(build);
        // If not, the sender is gone, and the receiver says so.
        drop(started);
        Building { built, outdated: false, other_game: false }
    }

    /// Waits for the engine for some time; none if it is not there then.
    pub fn wait(&self, time: Duration) -> Option<Built> {
        match self.built.recv_timeout(time) {
            Ok(built) => Some(built),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                let reason = "the system starts no thread".to_owned();
                Some(Err(Failure { reason, of_weights: false }))
            }
        }
    }
}

/// Whether the weights asked for cannot be read, or are not those of the game.
fn refuses_weights(start: AnyGame, arguments: &EngineArguments) -> bool {
    let options = arguments.options(&start);
    options.map_or(true, |options| {
        options.weights.is_some_and(|file| start.with_weights(file).is_err())
    })
}
