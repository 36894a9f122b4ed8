//! The games of a match, on several threads.
//!
//! The one idea: a thread takes the next round's number and plays its pair of games with engines
//! that know nothing of earlier games; the results are put back in order before they count.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use alesia::duel::{Contestant, Score, play_pair, random_opening};
use alesia::eval::Evaluate;
use alesia::search::{Engine, EngineError};

use super::entrant::Entrant;
use super::options::Options;
use crate::CommandError;
use crate::statistics::Tally;

/// Plays the rounds and answers the results of the first entrant. `counted` is called after each
/// round, in order, and may end the match; rounds beyond it do not count.
///
/// # Errors
/// An engine cannot be built, or there is no opening of the length asked for.
pub fn play<G: Evaluate>(
    start: G,
    options: &Options,
    mut counted: impl FnMut(&Tally) -> ControlFlow<()>,
) -> Result<Tally, CommandError> {
    let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..options.concurrency.min(options.rounds as usize) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || work(start, options, next, stop, &sender));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut tally = Tally::new();
        let result = 'match_: {
            for (round, played) in receiver {
                match played {
                    Ok(scores) => early.insert(round, scores),
                    Err(error) => break 'match_ Err(error),
                };
                while let Some(scores) = early.remove(&(tally.pairs.pairs() as u32)) {
                    tally.add(scores);
                    if counted(&tally).is_break() {
                        break 'match_ Ok(tally);
                    }
                }
            }
            Ok(tally)
        };
        // Relaxed: a flag alone, and the threads are waited for.
        stop.store(true, Ordering::Relaxed);
        result
    })
}

type Played = (u32, Result<[Score; 2], CommandError>);

/// What one thread does: rounds until there are none left.
fn work<G: Evaluate>(
    start: G,
    options: &Options,
    next: &AtomicU32,
    stop: &AtomicBool,
    sender: &Sender<Played>,
) {
    let [first, second] = &options.entrants;
    let built = build(start, first).and_then(|first| Ok([first, build(start, second)?]));
    let mut engines = match built {
        Ok(engines) => engines,
        Err(error) => {
            // Nobody listens any more where another thread has failed.
            let _ = sender.send((options.rounds, Err(error)));
            return;
        }
    };
    // Relaxed: the number alone is shared.
    while !stop.load(Ordering::Relaxed) {
        let round = next.fetch_add(1, Ordering::Relaxed);
        if round >= options.rounds {
            return;
        }
        let played = play_round(start, options, round, &mut engines);
        // Nobody listens any more where the match is decided; after an error it ends.
        let failed = played.is_err();
        if sender.send((round, played)).is_err() || failed {
            return;
        }
    }
}

/// The scores of the first entrant as White and as Black.
fn play_round<G: Evaluate>(
    start: G,
    options: &Options,
    round: u32,
    engines: &mut [Box<dyn Engine<G>>; 2],
) -> Result<[Score; 2], CommandError> {
    // Two streams of random numbers to a round: the opening's and that of its games.
    let stream = 2 * u64::from(round);
    let mut rng = fastrand::Rng::with_seed(seed_of(options.seed, stream));
    let opening = random_opening(start, options.plies, &mut rng).ok_or_else(|| {
        let plies = options.plies;
        CommandError::Usage(format!(
            "-openings: found no game of {plies} plies that is not over, expected fewer plies"
        ))
    })?;
    let [first, second] = engines;
    let player = |engine, entrant: &Entrant| Contestant {
        engine,
        limit: entrant.limit,
        seed: seed_of(entrant.options.seed, stream + 1),
    };
    let [first_entrant, second_entrant] = &options.entrants;
    Ok(play_pair(
        &opening,
        [player(&mut **first, first_entrant), player(&mut **second, second_entrant)],
    ))
}

/// The seed of one of many streams of random numbers.
fn seed_of(seed: u64, stream: u64) -> u64 {
    // Multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
    seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// An entrant's engine, built once for all games of a thread.
fn build<G: Evaluate>(start: G, entrant: &Entrant) -> Result<Box<dyn Engine<G>>, CommandError> {
    entrant.kind.build(start, &entrant.options).map_err(|error| {
        let text = format!("-engine {}, {error}", entrant.name);
        match error {
            EngineError::MemoryTooSmall { .. } | EngineError::MemoryTooLarge { .. } => {
                CommandError::Usage(text)
            }
            EngineError::MemoryNotThere { .. }
            | EngineError::NoThreads(_)
            | EngineError::NoMemory { .. } => CommandError::Failed(text),
        }
    })
}
