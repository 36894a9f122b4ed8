//! A search that returns a move even if the engine panics.
//!
//! The one idea: a fault in the engine may cost the quality of a move, never the game. A panic of a
//! worker is caught by [`Workers`](super::workers::Workers), and the search continues without it. A
//! panic on the calling thread is caught here and answered by the last interim report or else by a
//! legal move. The next search starts anew.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Engine;
use super::clock::Budget;
use super::report::Report;
use crate::game::{Game, GameState};

// On wasm there is no other way, and no tournament.
#[cfg(not(any(panic = "unwind", target_family = "wasm")))]
compile_error!("with `panic = \"abort\"`, a panic of a worker would end the game");

/// As [`Engine::think`]; if the engine panics, the last report before.
///
/// # Panics
/// If the side to move has no legal move.
pub fn think<G: Game>(
    engine: &mut dyn Engine<G>,
    state: &GameState<G>,
    budget: &Budget,
    progress: &mut dyn FnMut(&Report),
) -> Report {
    let mut last = None;
    let thinking = || {
        engine.think(state, budget, &mut |report| {
            last = Some(report.clone());
            progress(report);
        })
    };
    // An engine can be used again after a panic, and nothing else is changed.
    catch_unwind(AssertUnwindSafe(thinking)).unwrap_or_else(|_| {
        log::error!("the engine panicked in `{}`; continuing", state.position);
        last.unwrap_or_else(|| {
            let moves = state.position.legal_moves();
            let first = moves.iter().find(|&&m| budget.allows(m));
            Report::of_move(*first.expect("a search starts where there is a legal move"))
        })
    })
}

/// As [`Engine::ponder`]; if the engine panics, there is no pondering.
pub fn ponder<G: Game>(engine: &mut dyn Engine<G>, state: &GameState<G>) {
    if catch_unwind(AssertUnwindSafe(|| engine.ponder(state))).is_err() {
        log::error!("the engine panicked while pondering `{}`; continuing", state.position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Murus;

    /// An engine that panics, before or after it has reported a move.
    struct Failing {
        interim: Option<Report>,
    }

    impl Engine<Murus> for Failing {
        fn think(
            &mut self,
            _: &GameState<Murus>,
            _: &Budget,
            progress: &mut dyn FnMut(&Report),
        ) -> Report {
            self.interim.iter().for_each(progress);
            panic!("planted");
        }

        fn new_game(&mut self, _: u64) {}

        fn ponder(&mut self, _: &GameState<Murus>) {
            panic!("planted");
        }
    }

    #[test]
    fn a_panic_is_answered_by_a_legal_move_and_by_the_best_known_where_there_is_one() {
        let state = GameState::new(Murus::start());
        let moves = state.position.legal_moves();
        for interim in [None, Some(Report::of_move(moves[7]))] {
            let expected = interim.as_ref().map_or(moves[0], |report| report.best);
            let mut engine = Failing { interim };
            let mut reported = Vec::new();
            let report = think(&mut engine, &state, &Budget::nodes(1), &mut |report| {
                reported.push(report.best)
            });
            assert_eq!(report.best, expected);
            assert_eq!(reported.len(), usize::from(engine.interim.is_some()));
            ponder(&mut engine, &state);
        }
    }
}
