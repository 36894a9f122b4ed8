//! An engine as a player of a network game: every turn one deadline.

use std::time::Instant;

use alesia::eval::{Evaluate, MAX_SCORE};
use alesia::game::{GameState, Move, Outcome, Side};
use alesia::net::client::Player;
use alesia::search::Engine;
use alesia::search::clock::{Budget, MoveTime};

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
        self.engine.think(state, &budget, &mut |_| {}).best
    }

    /// There is no time left to think: whatever is worst for the opponent at a glance.
    fn instead(&mut self, state: &GameState<G>, moves: &[Move]) -> Move {
        let for_opponent = |&&m: &&Move| {
            let mut after = *state;
            after.play(m);
            let mover = state.position.side();
            match after.ending().map(|ending| ending.outcome) {
                None => after.position.evaluate(),
                Some(Outcome::Win(winner)) if winner == mover => -MAX_SCORE,
                Some(Outcome::Win(_)) => MAX_SCORE,
                Some(Outcome::Draw) => 0,
            }
        };
        moves.iter().min_by_key(for_opponent).copied().unwrap_or(moves[0])
    }

    fn opponent_to_move(&mut self, state: &GameState<G>) {
        // A number of nodes is asked for to have the same moves every time.
        if self.ponder && self.nodes.is_none() {
            self.engine.ponder(state);
        }
    }

    /// During the warm-up white thinks about its first move already.
    fn welcome(&mut self, state: &GameState<G>, _: Side) {
        self.opponent_to_move(state);
    }
}
