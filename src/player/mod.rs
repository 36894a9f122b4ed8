//! An engine as a player of a network game: every turn one deadline.
//!
//! The one idea: the margin is a guess about the machine and the network; an answer that left much
//! too late refutes it, and from then on the safe setting holds. Other threads print and send what
//! is shown of a game ([`commentary`], [`thoughts`]), so that showing it costs no time.

pub mod commentary;
pub mod latest;
pub mod levels;
pub mod panel;
pub mod printer;
pub mod thought_sender;

use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::latest::Latest;
use self::thought_sender::{Thought, Thoughts};
use crate::eval::MAX_SCORE;
use crate::game::{Game, Move, Score};
use crate::games::{AnyGame, AnyState};
use crate::net::client::{Answer, ClientEvent, Player};
use crate::search::Engine;
use crate::search::clock::{Budget, MoveTime};
use crate::search::contained;
use crate::search::memory::prepare_thread;
use crate::search::report::Report;

/// An answer that leaves later than this after its time shows that the margin is too small for
/// this machine. (On a quiet one a thread is woken 4 ms late at the 99.9th percentile.)
pub const TOLERATED_OVERSHOOT: Duration = Duration::from_millis(20);

/// An engine and its time for a move.
pub struct EnginePlayer {
    engine: Box<dyn Engine>,
    /// The time for a move, now and at the start.
    time: MoveTime,
    given: MoveTime,
    /// The time for the first move, if it differs.
    first: Option<MoveTime>,
    /// Max iterations or nodes for a move.
    nodes: Option<u64>,
    /// Whether it searches in the opponent's time and before the game too.
    ponder: bool,
    /// The page that shows the engine's analysis.
    thoughts: Option<Arc<Thoughts>>,
    /// Where others look at the engine's analysis while it plays.
    latest: Option<Arc<Latest>>,
    /// Our address on the connection.
    address: Option<SocketAddr>,
    /// The position and report of our last turn, for the page once the move is sent.
    thought: Option<(AnyGame, Report)>,
}

impl EnginePlayer {
    /// A player with the same time for every move, and at most `nodes` iterations or nodes. Called
    /// by the thread that will play, as its stack is touched here.
    pub fn new(
        engine: Box<dyn Engine>,
        time: MoveTime,
        nodes: Option<u64>,
        ponder: bool,
    ) -> EnginePlayer {
        prepare_thread();
        EnginePlayer {
            engine,
            time,
            given: time,
            first: None,
            nodes,
            ponder,
            thoughts: None,
            latest: None,
            address: None,
            thought: None,
        }
    }

    /// The same with another time for the first move.
    pub fn with_first(self, first: MoveTime) -> EnginePlayer {
        EnginePlayer { first: Some(first), ..self }
    }

    /// The same with a page to which the analysis of each move is sent.
    pub fn with_thoughts(self, page: Option<&Arc<Thoughts>>) -> EnginePlayer {
        EnginePlayer { thoughts: page.cloned(), ..self }
    }

    /// The same with a place where others see each report, also while the engine searches.
    pub fn with_latest(self, latest: Option<&Arc<Latest>>) -> EnginePlayer {
        EnginePlayer { latest: latest.cloned(), ..self }
    }

    /// Forgets the previous game; further random choices follow from the seed.
    pub fn new_game(&mut self, seed: u64) {
        self.engine.new_game(seed);
        self.time = self.given;
    }

    /// Searches a position; its time runs since `received`.
    pub fn think(&mut self, state: &AnyState, received: Instant) -> Report {
        let time = self.first.take().unwrap_or(self.time);
        self.think_until(state, time.deadline(received))
    }

    fn think_until(&mut self, state: &AnyState, deadline: Instant) -> Report {
        let budget = Budget { deadline: Some(deadline), nodes: self.nodes, ..Budget::default() };
        let latest = self.latest.as_deref();
        let mut keep = |report: &Report| {
            if let Some(latest) = latest {
                latest.keep(&state.position, report);
            }
        };
        let report = contained::think(&mut *self.engine, state, &budget, &mut keep);
        keep(&report);
        report
    }

    /// Starts pondering, if enabled, until the next turn. Returns at once.
    pub fn ponder(&mut self, state: &AnyState) {
        // A node limit asks for reproducible moves.
        if self.ponder && self.nodes.is_none() {
            contained::ponder(&mut *self.engine, state);
        }
    }

    /// Enlarges the margin if a move of ours left much too late.
    fn check_margin(&mut self, overshoot: Duration) {
        if overshoot > TOLERATED_OVERSHOOT && self.time.made_safe() != self.time {
            self.time = self.time.made_safe();
            log::warn!(
                "a move was sent {} ms late: from now on moves are sent after {} of {} ms",
                overshoot.as_millis(),
                (self.time.total() - self.time.margin()).as_millis(),
                self.time.total().as_millis()
            );
        }
    }

    /// Sends the report on a move of ours to the page.
    fn report_thought(&mut self) {
        if let (Some(page), Some(player)) = (&self.thoughts, self.address)
            && let Some((position, report)) = self.thought.take()
        {
            page.push(Thought { player, position, report });
        }
    }
}

impl Player for EnginePlayer {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        let due = self.first.take().unwrap_or(self.time).deadline(received);
        let report = self.think_until(state, due);
        let m = report.best;
        if self.thoughts.is_some() {
            self.thought = Some((state.position, report));
        }
        Answer { m, due: Some(due) }
    }

    /// Emergency fallback: the move with the best static evaluation.
    fn instead(&mut self, state: &AnyState, moves: &[Move]) -> Move {
        self.thought = None;
        let for_opponent = |&&m: &&Move| {
            let mut after = *state;
            after.play(m);
            let opponent = !state.position.side();
            match after.ending().map(|ending| ending.outcome.for_side(opponent)) {
                None => after.position.evaluate(),
                Some(Score::Win) => MAX_SCORE,
                Some(Score::Draw) => 0,
                Some(Score::Loss) => -MAX_SCORE,
            }
        };
        let best = || moves.iter().min_by_key(for_opponent).copied();
        // As in `contained`: a fault costs the quality of a move, never the game.
        catch_unwind(AssertUnwindSafe(best)).ok().flatten().unwrap_or(moves[0])
    }

    fn event(&mut self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Connected(local) => self.address = Some(*local),
            // During the warm-up White too thinks about its first move.
            ClientEvent::Welcome { state, .. } => self.ponder(state),
            ClientEvent::Moved { thinking: Some(_), overshoot, state, .. } => {
                self.report_thought();
                self.check_margin(*overshoot);
                if state.ending().is_none() {
                    self.ponder(state);
                }
            }
            ClientEvent::Moved { .. } | ClientEvent::Message(_) | ClientEvent::Ended(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;
    use crate::game::{Game, MoveList, Side};
    use crate::games::Murus;
    use crate::net::tournament::MoveText;
    use crate::search::{EngineKind, EngineOptions};

    /// An engine that knows nothing but panics.
    struct Failing;

    impl Engine for Failing {
        fn think(&mut self, _: &AnyState, _: &Budget, _: &mut dyn FnMut(&Report)) -> Report {
            panic!("planted");
        }

        fn new_game(&mut self, _: u64) {}

        fn ponder(&mut self, _: &AnyState) {
            panic!("planted");
        }
    }

    #[test]
    fn an_engine_that_panics_costs_no_game() {
        let time = MoveTime::new(Duration::from_secs(60), Duration::ZERO);
        let mut player = EnginePlayer::new(Box::new(Failing), time, None, true);
        let mut state = GameState::new(AnyGame::from(Murus::start()));
        player.event(&ClientEvent::Welcome { side: Side::White, state: &state });
        for _ in 0..4 {
            let mut legal = MoveList::new();
            state.position.moves(&mut legal);
            let m = player.choose(&state, Instant::now()).m;
            assert!(legal.contains(&m));
            state.play(m);
            player.ponder(&state);
        }
    }

    #[test]
    fn a_move_that_left_too_late_switches_to_the_safe_setting() {
        let ms = Duration::from_millis;
        let start = AnyGame::from(Murus::start());
        let state = GameState::new(start);
        let engine = EngineKind::Random.build(start, &EngineOptions::default()).unwrap();
        let time = MoveTime::new(ms(1000), ms(150));
        let mut player = EnginePlayer::new(engine, time, None, false).with_first(time);
        let mut turn = |late: Duration| {
            let received = Instant::now();
            let answer = player.choose(&state, received);
            let due = answer.due.unwrap();
            let overshoot = answer.overshoot(due + late);
            player.event(&ClientEvent::Moved {
                side: Side::White,
                text: MoveText::new(),
                thinking: Some(ms(850)),
                overshoot,
                state: &state,
            });
            (overshoot, player.time.margin(), due - received)
        };
        assert_eq!(turn(ms(0)), (ms(0), ms(150), ms(850)));
        assert_eq!(turn(ms(20)), (ms(20), ms(150), ms(850)));
        assert_eq!(turn(ms(21)), (ms(21), ms(300), ms(850)));
        assert_eq!(turn(ms(90)), (ms(90), ms(300), ms(700)));
    }
}
