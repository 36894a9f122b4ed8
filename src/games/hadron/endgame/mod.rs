//! Exact endgames of Hadron: who wins a sum of regions.
//!
//! The one idea: towards its end a position falls apart into regions that no longer interact, a
//! sum of games (Conway 1976). Both sides have the same legal cells, so a region and the same one
//! with the colours exchanged cancel, as two single cells do. A small region is replaced by the
//! canonical form of its value (`value`), kept by its shape (`shapes`); what is left of large
//! ones is searched cell by cell (`search`), until small ones remain. Most positions of the
//! engine's games are solved so from half of the game on, the last twenty live cells within some
//! microseconds (`cargo bench --bench hadron_endgames`).
//!
//! Only who wins is found, not how soon: the plies told are the most there can be. All memory is
//! taken at the beginning, and what is once found is kept from one position to the next.

mod region;
mod search;
mod shapes;
mod sum;
#[cfg(test)]
mod tests;
mod value;

use std::any::Any;
use std::sync::atomic::AtomicBool;

use self::region::Region;
use self::shapes::Shapes;
use self::sum::Sum;
use self::value::Values;
use crate::game::{Game, Side};
use crate::games::Hadron;

/// Results of sums that are kept.
const RESULTS: usize = 1 << 18;

/// Sums that wait to be searched, at most.
const WAITING: usize = 1 << 10;

/// The result of a position under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Whether the side to move wins.
    pub wins: bool,
    /// No play lasts longer, in plies.
    pub plies: u16,
}

/// Solves endgames in fixed memory, about 8 MiB.
pub struct Solver {
    values: Values,
    shapes: Shapes,
    /// By the keys of sums, whose last bit says whether the side to move wins.
    results: Box<[u64]>,
    /// The sums that the search has before it.
    waiting: Vec<Sum>,
}

impl Solver {
    /// Takes its memory.
    pub fn new() -> Solver {
        // Filled once, so that every page is there.
        let mut waiting = vec![Sum::EMPTY; WAITING];
        waiting.clear();
        Solver {
            values: Values::new(),
            shapes: Shapes::new(),
            results: vec![NO_RESULT; RESULTS].into_boxed_slice(),
            waiting,
        }
    }

    /// A solver for a game, if there is one.
    pub fn of_game<G: Game>(start: &G) -> Option<Solver> {
        as_hadron(start).map(|_| Solver::new())
    }

    /// Forgets all that it has found.
    pub fn clear(&mut self) {
        self.values.clear();
        self.shapes.clear();
        self.results.fill(NO_RESULT);
    }

    /// The result of a position, if it is found within so many steps, each a fifth of a microsecond
    /// or less, and before a stop is called.
    pub fn solve(&mut self, position: &Hadron, steps: u64, stop: &AtomicBool) -> Option<Solved> {
        if self.values.is_nearly_full() {
            self.clear();
        }
        self.values.allow(steps);
        self.waiting.clear();
        let mut region = Region::of(position);
        if position.side() == Side::Black {
            region = region.negated();
        }
        let mut sum = Sum::EMPTY;
        self.put(&mut sum, region).ok()?;
        sum.set_key();
        let wins = self.wins(&sum, stop).ok()?;
        // Each ply takes a live cell, and whoever wins makes the last one.
        let most = region.size() as u16;
        Some(Solved { wins, plies: most - u16::from((most % 2 == 1) != wins) })
    }

    /// Steps of the last search.
    pub fn steps(&self) -> u64 {
        self.values.steps()
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

/// A position as what it is if the game is Hadron.
#[inline(always)]
pub fn as_hadron<G: Game>(position: &G) -> Option<&Hadron> {
    (position as &dyn Any).downcast_ref()
}

/// No sum has this key: keys of results differ from their complement in the last bit alone.
const NO_RESULT: u64 = u64::MAX;
