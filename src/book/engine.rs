//! An engine that uses a book first.
//!
//! The one idea: a book is a wrapper around any engine, so neither searches nor players know of it.
//! A search without any limit analyses a position, and always asks the engine.

use std::time::Instant;

use super::Book;
use crate::game::GameState;
use crate::game::chance::Chance;
use crate::games::BuiltIn;
use crate::search::Engine;
use crate::search::clock::Budget;
use crate::search::report::{Report, RootMove};

/// An engine with a book.
pub struct WithBook<G> {
    engine: Box<dyn Engine<G>>,
    book: Book<G>,
    /// Chooses among the answers.
    rng: fastrand::Rng,
}

impl<G: BuiltIn> WithBook<G> {
    /// An engine with the book of its game that is compiled in. Its choices follow from the seed.
    pub fn new(engine: Box<dyn Engine<G>>, seed: u64) -> WithBook<G> {
        let book = Book::compiled_in().unwrap_or_else(|error| {
            log::error!("the book of {} is not used: {error}", G::TITLE);
            Book::empty()
        });
        WithBook::with(engine, book, seed)
    }

    /// The same with any book.
    pub fn with(engine: Box<dyn Engine<G>>, book: Book<G>, seed: u64) -> WithBook<G> {
        WithBook { engine, book, rng: fastrand::Rng::with_seed(seed) }
    }

    /// A move of the book, if it has the position.
    fn look_up(&mut self, state: &GameState<G>) -> Option<Report> {
        let started = Instant::now();
        let answer = *self.rng.pick(self.book.answers(&state.position))?;
        let mut report = Report::of_move(answer.m);
        report.value = f32::from(answer.thousandths) / 1000.0;
        report.from_book = true;
        report.elapsed = started.elapsed();
        log::info!("{} is from the book", state.position.notation(answer.m));
        Some(report)
    }
}

impl<G: BuiltIn> Engine<G> for WithBook<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let Budget { deadline, nodes, depth, .. } = budget;
        let limited = deadline.is_some() || nodes.is_some() || depth.is_some();
        let found = if limited { self.look_up(state) } else { None };
        found.unwrap_or_else(|| self.engine.think(state, budget, progress))
    }

    fn root_moves(&self, state: &GameState<G>) -> Vec<RootMove> {
        self.engine.root_moves(state)
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = fastrand::Rng::with_seed(seed);
        self.engine.new_game(seed);
    }

    fn keep(&mut self) {
        self.engine.keep();
    }

    fn ponder(&mut self, state: &GameState<G>) {
        self.engine.ponder(state);
    }
}
