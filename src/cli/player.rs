//! An engine as a player of a network game: every turn one deadline.

use std::time::Instant;

use alesia::eval::Evaluate;
use alesia::game::{GameState, Move, Side};
use alesia::net::client::Player;
use alesia::search::Engine;
use alesia::search::clock::{Budget, MoveTime};
use alesia::search::contained;

/// An engine and the time it has for a move.
pub struct EnginePlayer<G> {
    /// The engine, its memory taken.
    pub engine: Box<dyn Engine<G>>,
    /// The time for a move.
    pub time: MoveTime,
    /// The time for the first move, where that is another.
    pub first: Option<MoveTime>,
    /// Iterations or nodes for a move, where that is limited too.
    pub nodes: Option<u64>,
    /// Whether it thinks in the opponent's time and before the game as well.
    pub ponder: bool,
}

impl<G: Evaluate> Player<G> for EnginePlayer<G> {
    fn choose(&mut self, state: &GameState<G>, received: Instant) -> Move {
        let time = self.first.take().unwrap_or(self.time);
        let deadline = Some(time.deadline(received));
        let budget = Budget { deadline, nodes: self.nodes, stop: None };
        contained::think(&mut *self.engine, state, &budget, &mut |_| {}).best
    }

    fn opponent_to_move(&mut self, state: &GameState<G>) {
        // A number of nodes is asked for to have the same moves every time.
        if self.ponder && self.nodes.is_none() {
            contained::ponder(&mut *self.engine, state);
        }
    }

    /// During the warm-up white thinks about its first move already.
    fn welcome(&mut self, state: &GameState<G>, _: Side) {
        self.opponent_to_move(state);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use alesia::game::{Game, MoveList};
    use alesia::games::Murus;
    use alesia::search::report::Report;

    /// An engine that knows nothing but panics.
    struct Failing;

    impl Engine<Murus> for Failing {
        fn think(
            &mut self,
            _: &GameState<Murus>,
            _: &Budget,
            _: &mut dyn FnMut(&Report),
        ) -> Report {
            panic!("planted");
        }

        fn new_game(&mut self, _: u64) {}

        fn ponder(&mut self, _: &GameState<Murus>) {
            panic!("planted");
        }
    }

    #[test]
    fn an_engine_that_panics_costs_no_game() {
        let time = MoveTime { total: Duration::from_secs(60), reserve: Duration::ZERO };
        let engine = Box::new(Failing);
        let mut player = EnginePlayer { engine, time, first: None, nodes: None, ponder: true };
        let mut state = GameState::new(Murus::start());
        player.welcome(&state, Side::White);
        for _ in 0..4 {
            let mut legal = MoveList::new();
            state.position.moves(&mut legal);
            let m = player.choose(&state, Instant::now());
            assert!(legal.contains(&m));
            state.play(m);
            player.opponent_to_move(&state);
        }
    }
}
