//! An engine as a player of a network game: every turn one deadline.
//!
//! The one idea: the player gives the engine a deadline and the latest moment for its answer, and
//! the engine's watcher learns how late this machine is ([`delays`](crate::search::delays)).
//! Other threads print and send what is shown of a game ([`commentary`], [`thought_sender`]), so
//! that showing it costs no time.

pub mod commentary;
pub mod latest;
pub mod panel;
pub mod printer;
pub mod thought_sender;

use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use self::latest::Latest;
use self::thought_sender::{Thought, Thoughts};
use crate::game::{Game, Move};
use crate::games::{AnyGame, AnyState};
use crate::net::client::{Answer, ClientEvent, Player, SoFar};
use crate::net::onlooker::at_a_glance;
use crate::search::Engine;
use crate::search::clock::{Budget, MoveTime};
use crate::search::contained;
use crate::search::delays::{Haste, Said};
use crate::search::memory::prepare_thread;
use crate::search::report::Report;

/// An engine and its time for a move.
pub struct EnginePlayer {
    engine: Box<dyn Engine>,
    /// The time for a move.
    time: MoveTime,
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
    /// Why our last search ended before its time, if it did, and what has been said of that.
    haste: Option<Haste>,
    said: Said,
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
            first: None,
            nodes,
            ponder,
            thoughts: None,
            latest: None,
            address: None,
            thought: None,
            haste: None,
            said: Said::default(),
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
    }

    /// Searches a position; its time runs since `received`.
    pub fn think(&mut self, state: &AnyState, received: Instant) -> Report {
        let budget = self.budget(received);
        self.think_within(state, &budget, &mut |_| ())
    }

    /// The budget of a turn that began at `received`.
    fn budget(&mut self, received: Instant) -> Budget<'static> {
        let time = self.first.take().unwrap_or(self.time);
        Budget { nodes: self.nodes, ..time.budget(received) }
    }

    fn think_within(
        &mut self,
        state: &AnyState,
        budget: &Budget,
        so_far: &mut dyn FnMut(Move),
    ) -> Report {
        let latest = self.latest.as_deref();
        let mut keep = |report: &Report| {
            if let Some(latest) = latest {
                latest.keep(&state.position, report);
            }
            so_far(report.best);
        };
        let report = contained::think(&mut *self.engine, state, budget, &mut keep);
        keep(&report);
        report
    }

    fn answer(
        &mut self,
        state: &AnyState,
        budget: &Budget,
        so_far: &mut dyn FnMut(Move),
    ) -> Answer {
        let report = self.think_within(state, budget, so_far);
        let m = report.best;
        self.haste = report.haste;
        if self.thoughts.is_some() {
            self.thought = Some((state.position, report));
        }
        Answer { m, due: budget.deadline }
    }

    /// Starts pondering, if enabled, until the next turn. Returns at once.
    pub fn ponder(&mut self, state: &AnyState) {
        // A node limit asks for reproducible moves.
        if self.ponder && self.nodes.is_none() {
            contained::ponder(&mut *self.engine, state);
        }
    }

    /// What is said once of a machine on which a move left this late.
    fn news_of_haste(&mut self, overshoot: Duration) -> Option<Haste> {
        let expected = self.haste.take();
        let seen = Haste { delay: overshoot, earlier: Duration::ZERO, enough: false };
        let seen = (overshoot > self.time.for_machine()).then_some(seen);
        self.said.news(seen.or(expected))
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
        let budget = self.budget(received);
        self.answer(state, &budget, &mut |_| ())
    }

    fn choose_watched(&mut self, state: &AnyState, received: Instant, so_far: SoFar) -> Answer {
        let soon = received + self.first.unwrap_or(self.time).until_stand_in();
        let budget = self.budget(received);
        so_far(self.instead(state, &state.position.legal_moves()), soon);
        // The search may use all of its time: being woken late costs nothing.
        let budget = Budget { latest: None, ..budget };
        self.answer(state, &budget, &mut |m| so_far(m, soon))
    }

    /// Emergency fallback: the move with the best static evaluation.
    fn instead(&mut self, state: &AnyState, moves: &[Move]) -> Move {
        self.thought = None;
        // As in `contained`: a fault costs the quality of a move, never the game.
        let best = || at_a_glance(state, moves);
        catch_unwind(AssertUnwindSafe(best)).ok().flatten().unwrap_or(moves[0])
    }

    fn event(&mut self, event: &ClientEvent<'_>) {
        match event {
            ClientEvent::Connected(local) => self.address = Some(*local),
            // During the warm-up White too thinks about its first move.
            ClientEvent::Welcome { state, .. } => self.ponder(state),
            ClientEvent::Moved { thinking: Some(_), overshoot, state, .. } => {
                self.report_thought();
                if let Some(haste) = self.news_of_haste(*overshoot) {
                    log::warn!("{haste}");
                }
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
    use crate::game::{Game, Side};
    use crate::games::Murus;

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
    fn a_move_that_left_in_the_time_of_the_network_is_said_once() {
        let ms = Duration::from_millis;
        let time = MoveTime::new(ms(100), ms(25));
        let mut player = EnginePlayer::new(Box::new(Failing), time, None, true);
        assert_eq!(player.news_of_haste(ms(12)), None);
        let said = player.news_of_haste(ms(13)).map(|haste| haste.to_string());
        let expected = "this machine wakes the player up to 13 ms late: a move can be late, though \
                        moves leave as early as they may";
        assert_eq!(said.as_deref(), Some(expected));
        assert_eq!(player.news_of_haste(ms(20)), None);
    }

    #[test]
    fn an_engine_that_panics_costs_no_game() {
        let time = MoveTime::new(Duration::from_secs(60), Duration::ZERO);
        let mut player = EnginePlayer::new(Box::new(Failing), time, None, true);
        let mut state = GameState::new(AnyGame::from(Murus::start()));
        player.event(&ClientEvent::Welcome { side: Side::White, state: &state });
        for _ in 0..4 {
            let legal = state.position.legal_moves();
            let m = player.choose(&state, Instant::now()).m;
            assert!(legal.contains(&m));
            state.play(m);
            player.ponder(&state);
        }
    }
}
