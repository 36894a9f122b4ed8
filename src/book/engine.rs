//! An engine that uses a book first.
//!
//! The one idea: a book is a wrapper around any engine, so neither searches nor players know of it.
//! A search without any limit, or for several lines, analyses a position: it asks the engine.

use super::Book;
use crate::game::Game;
use crate::game::chance::Chance;
use crate::games::{AnyGame, AnyState};
use crate::search::Engine;
use crate::search::clock::{Budget, Instant};
use crate::search::report::{Report, RootMove};

/// An engine with a book.
pub struct WithBook {
    engine: Box<dyn Engine>,
    book: Book,
    /// Chooses among the answers.
    rng: fastrand::Rng,
}

impl WithBook {
    /// An engine with the book of its game that is compiled in. Its choices follow from the seed.
    pub fn new(engine: Box<dyn Engine>, start: &AnyGame, seed: u64) -> WithBook {
        let book = Book::compiled_in(start).unwrap_or_else(|error| {
            log::error!("the book of {} is not used: {error}", start.title());
            Book::empty()
        });
        WithBook::with(engine, book, seed)
    }

    /// The same with any book.
    pub fn with(engine: Box<dyn Engine>, book: Book, seed: u64) -> WithBook {
        WithBook { engine, book, rng: fastrand::Rng::with_seed(seed) }
    }

    /// A move of the book, if it has the position, and if that may be played.
    fn look_up(&mut self, state: &AnyState, budget: &Budget) -> Option<Report> {
        let started = Instant::now();
        let answer = *self.rng.pick(self.book.answers(&state.position))?;
        if !budget.allows(answer.m) {
            return None;
        }
        let mut report = Report::of_move(answer.m);
        report.value = f32::from(answer.thousandths) / 1000.0;
        report.from_book = true;
        report.elapsed = started.elapsed();
        log::info!("{} is from the book", state.position.notation(answer.m));
        Some(report)
    }
}

impl Engine for WithBook {
    fn think(
        &mut self,
        state: &AnyState,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let Budget { deadline, nodes, depth, .. } = budget;
        let limited = deadline.is_some() || nodes.is_some() || depth.is_some();
        let plays = limited && budget.lines <= 1;
        let found = if plays { self.look_up(state, budget) } else { None };
        found.unwrap_or_else(|| self.engine.think(state, budget, progress))
    }

    fn root_moves(&self, state: &AnyState) -> Vec<RootMove> {
        self.engine.root_moves(state)
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = fastrand::Rng::with_seed(seed);
        self.engine.new_game(seed);
    }

    fn keep(&mut self) {
        self.engine.keep();
    }

    fn ponder(&mut self, state: &AnyState) {
        self.engine.ponder(state);
    }
}
