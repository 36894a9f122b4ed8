//! An engine as a player of a network game: every turn one deadline.
//!
//! The one idea: the margin is a guess about the machine and the network, and an answer that left
//! well after its time has refuted it; from then on the safe setting holds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::eval::{Evaluate, MAX_SCORE};
use crate::game::{GameState, Move, Outcome, Side};
use crate::net::client::Player;
use crate::search::Engine;
use crate::search::clock::{Budget, MoveTime};
use crate::search::contained;
use crate::search::memory::touch_stack;
use crate::search::report::Report;

/// An answer that leaves so long after its time shows that the margin is too small for this
/// machine. (On a quiet one a thread is woken 4 ms late at the 99.9th percentile.)
const TOLERATED_OVERSHOOT: Duration = Duration::from_millis(20);

/// An engine and the time it has for a move.
pub struct EnginePlayer<G> {
    engine: Box<dyn Engine<G>>,
    /// The time for a move, and what it was at first.
    time: MoveTime,
    given: MoveTime,
    /// The time for the first move, where that is another.
    first: Option<MoveTime>,
    /// Iterations or nodes for a move, where that is limited too.
    nodes: Option<u64>,
    /// Whether it thinks in the opponent's time and before the game as well.
    ponder: bool,
    /// When the answer to the last turn was to leave.
    planned: Option<Instant>,
}

impl<G: Evaluate> EnginePlayer<G> {
    /// A player with the same time for every move; `nodes` is the number of iterations or nodes
    /// for a move, where that is limited too. Made by the thread that will play, whose stack is
    /// taken at once.
    pub fn new(
        engine: Box<dyn Engine<G>>,
        time: MoveTime,
        nodes: Option<u64>,
        ponder: bool,
    ) -> EnginePlayer<G> {
        touch_stack();
        EnginePlayer { engine, time, given: time, first: None, nodes, ponder, planned: None }
    }

    /// Forgets everything of the game before; further random choices follow from the seed.
    pub fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
        self.time = self.given;
        self.planned = None;
    }

    /// Thinks about a turn whose time runs since `received`.
    pub fn think(&mut self, state: &GameState<G>, received: Instant) -> Report {
        let time = self.first.take().unwrap_or(self.time);
        let deadline = time.deadline(received);
        self.planned = Some(deadline);
        let budget = Budget { deadline: Some(deadline), nodes: self.nodes, ..Budget::default() };
        contained::think(&mut *self.engine, state, &budget, &mut |_| {})
    }

    /// The same with another time for the first move.
    pub fn with_first(self, first: MoveTime) -> EnginePlayer<G> {
        EnginePlayer { first: Some(first), ..self }
    }
}

impl<G: Evaluate> Player<G> for EnginePlayer<G> {
    fn choose(&mut self, state: &GameState<G>, received: Instant) -> Move {
        self.think(state, received).best
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
        let best = || moves.iter().min_by_key(for_opponent).copied();
        // As in `contained`: a fault costs the quality of a move, never the game.
        catch_unwind(AssertUnwindSafe(best)).ok().flatten().unwrap_or(moves[0])
    }

    fn sent(&mut self, at: Instant) -> Duration {
        let planned = self.planned.take().unwrap_or(at);
        let overshoot = at.saturating_duration_since(planned);
        if overshoot > TOLERATED_OVERSHOOT && self.time.made_safe() != self.time {
            self.time = self.time.made_safe();
            log::warn!(
                "a move left {} ms after its time: from now on they leave after {} of {} ms",
                overshoot.as_millis(),
                (self.time.total() - self.time.margin()).as_millis(),
                self.time.total().as_millis()
            );
        }
        overshoot
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
    use super::*;
    use crate::game::{Game, MoveList};
    use crate::games::Murus;
    use crate::search::{EngineKind, EngineOptions};

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
        let time = MoveTime::new(Duration::from_secs(60), Duration::ZERO);
        let mut player = EnginePlayer::new(Box::new(Failing), time, None, true);
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

    #[test]
    fn a_move_that_left_too_late_switches_to_the_safe_setting() {
        let ms = Duration::from_millis;
        let start = Murus::start();
        let state = GameState::new(start);
        let engine = EngineKind::Random.build(start, &EngineOptions::default()).unwrap();
        let time = MoveTime::new(ms(1000), ms(150));
        let mut player = EnginePlayer::new(engine, time, None, false).with_first(time);
        let mut turn = |late: Duration| {
            let received = Instant::now();
            player.choose(&state, received);
            let planned = player.planned.unwrap();
            (player.sent(planned + late), player.time.margin(), planned - received)
        };
        assert_eq!(turn(ms(0)), (ms(0), ms(150), ms(850)));
        assert_eq!(turn(ms(20)), (ms(20), ms(150), ms(850)));
        assert_eq!(turn(ms(21)), (ms(21), ms(300), ms(850)));
        assert_eq!(turn(ms(90)), (ms(90), ms(300), ms(700)));
    }
}
