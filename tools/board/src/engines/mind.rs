//! Engines for the page: they play in games of people, give hints and analyse.
//!
//! The one idea: an engine answers for a line of text, in words of the page. Their
//! number is limited, as each has its own memory and threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use alesia::games::{AnyGame, GameSpec};
use alesia::search::levels::Strength;
use alesia::search::size::Size;
use alesia::search::{EngineKind, EngineOptions};
use alesia_answers::insight::Thinker;

use crate::door::failure::Failure;
use crate::door::places::{Full, Place, Places, Visitor};

/// Max engines at once.
const MAX_MINDS: usize = 16;

/// The same of a visitor.
const MAX_MINDS_EACH: usize = 12;

/// Default memory of an engine that plays.
pub const USUAL_MEMORY: &str = "128MiB";

/// How many times the memory of a playing engine an analysing one gets, as it thinks longer.
const FOR_ANALYSIS: usize = 2;

/// An engine at work for the page.
pub struct Mind {
    pub thinker: Thinker,
    _place: Place,
}

/// The places for engines.
pub struct Minds {
    places: Places,
    /// The last who wanted a place got none.
    crowded: AtomicBool,
    /// Bytes of each that plays.
    memory: usize,
}

impl Default for Minds {
    fn default() -> Minds {
        Minds::new(USUAL_MEMORY.parse().expect("it is a size"))
    }
}

impl Minds {
    /// Places for engines with so much memory in games.
    pub fn new(memory: Size) -> Minds {
        let places = Places::new(MAX_MINDS, MAX_MINDS_EACH);
        Minds { places, crowded: AtomicBool::new(false), memory: memory.bytes() }
    }

    /// Whether somebody waits for a place.
    pub fn are_crowded(&self) -> bool {
        // Relaxed: a flag alone.
        self.crowded.load(Ordering::Relaxed)
    }

    fn take(&self, visitor: Option<Visitor>) -> Result<Place, Failure> {
        let place = self.places.take(visitor);
        self.crowded.store(place.is_err(), Ordering::Relaxed);
        place.map_err(|full| match full {
            Full::ForAll => Failure::busy(format!(
                "{MAX_MINDS} engines are running already: wait until a game or an analysis ends"
            )),
            Full::ForYou => Failure::greedy(format!(
                "{MAX_MINDS_EACH} engines are running for you already: end a game or an analysis"
            )),
        })
    }

    /// Builds an engine for a visitor with a thread for each core; touching its memory may need a
    /// moment.
    ///
    /// # Errors
    /// There are too many already, or the system refuses memory or threads.
    pub fn build(
        &self,
        visitor: Option<Visitor>,
        game: GameSpec,
        strength: Strength,
        seed: u64,
    ) -> Result<Mind, Failure> {
        self.build_in(self.memory, self.take(visitor)?, game, strength, seed)
    }

    /// The same with the memory for long searches.
    ///
    /// # Errors
    /// As for [`Minds::build`].
    pub fn build_large(
        &self,
        visitor: Option<Visitor>,
        game: GameSpec,
        kind: EngineKind,
    ) -> Result<Mind, Failure> {
        let memory = self.memory.saturating_mul(FOR_ANALYSIS);
        self.build_in(memory, self.take(visitor)?, game, kind.into(), 0)
    }

    fn build_in(
        &self,
        memory: usize,
        place: Place,
        game: GameSpec,
        strength: Strength,
        seed: u64,
    ) -> Result<Mind, Failure> {
        let threads = available_parallelism().map_or(1, usize::from);
        let options = EngineOptions { threads, memory, seed, ..EngineOptions::default() };
        let start = AnyGame::start(game);
        let engine = strength.build(start, &options);
        let engine = engine.map_err(|error| Failure::busy(error.to_string()))?;
        Ok(Mind { thinker: Thinker::new(start, engine), _place: place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::record::game_record::GameLine;
    use alesia::search::clock::Budget;

    #[test]
    fn an_engine_answers_in_words_of_the_page() {
        let minds = Minds::default();
        let game = "hadron3".parse().unwrap();
        let mut mind = minds.build(None, game, Strength::Full(EngineKind::MonteCarlo), 0).unwrap();
        let line = |moves: &str| GameLine {
            board: None,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        };
        let insight = mind.thinker.think(&line("B1"), &Budget::nodes(5000), &mut |_| {}).unwrap();
        assert_eq!(insight.pv[0].shape, insight.best);
        assert_eq!(insight.report.pv[0], insight.best.text);
        assert_eq!(insight.top[0].shape, insight.best);
        let error =
            mind.thinker.think(&line("B1 A3 C2"), &Budget::nodes(10), &mut |_| {}).unwrap_err();
        assert!(error.to_string().starts_with("game: found its end: White"), "{error}");
    }

    #[test]
    fn nothing_is_said_of_moves_that_were_never_looked_at() {
        let minds = Minds::default();
        let mut mind = minds
            .build(None, "murus".parse().unwrap(), Strength::Full(EngineKind::MonteCarlo), 0)
            .unwrap();
        let line = GameLine { board: None, moves: Vec::new() };
        let insight = mind.thinker.think(&line, &Budget::nodes(2), &mut |_| {}).unwrap();
        assert_eq!(insight.top.len(), insight.report.top.len());
        for (shape, top) in insight.top.iter().zip(&insight.report.top) {
            assert_eq!(shape.shape.text, top.text);
            assert!(top.visits > 0 || top.proof.is_some(), "{top:?}");
        }
    }

    #[test]
    fn there_is_an_end_to_the_number_of_engines() {
        let minds = Minds::default();
        let places: Vec<Place> = (0..MAX_MINDS).map(|_| minds.take(None).ok().unwrap()).collect();
        assert!(!minds.are_crowded() && minds.take(None).is_err() && minds.are_crowded());
        drop(places);
        assert!(minds.take(None).is_ok() && !minds.are_crowded());
    }
}
