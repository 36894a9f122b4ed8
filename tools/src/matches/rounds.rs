//! The games of a match, on several threads.
//!
//! The one idea: a thread takes the next round's number and plays its pair of games with engines
//! that know nothing of earlier games; the results are put back in order before they count.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use alesia::duel::{Score, play_out, random_opening};
use alesia::eval::Evaluate;
use alesia::game::{GameState, Side};
use alesia::search::clock::Budget;
use alesia::search::report::Report;
use alesia::search::{Engine, EngineError, EngineKind};

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
    let mut seats = [Seat::new(start, first), Seat::new(start, second)];
    // Relaxed: the number alone is shared.
    while !stop.load(Ordering::Relaxed) {
        let round = next.fetch_add(1, Ordering::Relaxed);
        if round >= options.rounds {
            return;
        }
        let played = play_round(start, options, round, &mut seats);
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
    seats: &mut [Seat<'_, G>; 2],
) -> Result<[Score; 2], CommandError> {
    // Three streams of random numbers to a round: the opening's and those of its games.
    let stream = 3 * u64::from(round);
    let mut rng = fastrand::Rng::with_seed(seed_of(options.seed, stream));
    let opening = random_opening(start, options.plies, &mut rng).ok_or_else(|| {
        let plies = options.plies;
        CommandError::Usage(format!(
            "-openings: found no game of {plies} plies that is not over, expected fewer plies"
        ))
    })?;
    let [first, second] = seats;
    for seat in [&mut *first, &mut *second] {
        seat.take_place(stream + 1)?;
    }
    let limits = options.entrants.each_ref().map(|entrant| entrant.limit);
    let white = play_out(&opening, [&mut *first, &mut *second], limits);
    for seat in [&mut *first, &mut *second] {
        seat.take_place(stream + 2)?;
    }
    let black = play_out(&opening, [second, first], [limits[1], limits[0]]);
    Ok([Score::of(white, Side::White), Score::of(black, Side::Black)])
}

/// The seed of one of many streams of random numbers.
fn seed_of(seed: u64, stream: u64) -> u64 {
    // Multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
    seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Where an entrant sits in the games of one thread: its engine, and how often it has thought in
/// the current game.
struct Seat<'a, G> {
    start: G,
    entrant: &'a Entrant,
    engine: Option<Box<dyn Engine<G>>>,
    thoughts: usize,
}

impl<'a, G: Evaluate> Seat<'a, G> {
    fn new(start: G, entrant: &'a Entrant) -> Seat<'a, G> {
        Seat { start, entrant, engine: None, thoughts: 0 }
    }

    /// Has an engine ready that knows nothing of earlier games. A tree goes on to later positions
    /// only: whoever has thought twice stands after any first move of the next game, and begins
    /// afresh. The table of alpha-beta and the random player's numbers always go on. What would
    /// go on is built anew.
    fn take_place(&mut self, stream: u64) -> Result<(), CommandError> {
        let kind = self.entrant.kind;
        let keeps = kind == EngineKind::MonteCarlo && self.thoughts >= 2;
        self.thoughts = 0;
        if keeps {
            return Ok(());
        }
        // The old one's memory is given back first.
        self.engine = None;
        let mut options = self.entrant.options;
        if kind == EngineKind::Random {
            options.seed = seed_of(options.seed, stream);
        }
        let built = kind.build(self.start, &options).map_err(|error| {
            let text = format!("-engine {}, {error}", self.entrant.name);
            match error {
                EngineError::MemoryTooSmall { .. } | EngineError::MemoryTooLarge { .. } => {
                    CommandError::Usage(text)
                }
                EngineError::MemoryNotThere { .. }
                | EngineError::NoThreads(_)
                | EngineError::NoMemory { .. } => CommandError::Failed(text),
            }
        });
        self.engine = Some(built?);
        Ok(())
    }
}

impl<G: Evaluate> Engine<G> for Seat<'_, G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        self.thoughts += 1;
        let engine = self.engine.as_mut().expect("a place was taken before the game");
        engine.think(state, budget, progress)
    }
}
