//! The two servers: the judge of our own referee, and a plain model of the one that was observed.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::oracle::{Why, read_plainly};
use crate::game::{Game, GameState, Outcome, Side};
use crate::games::{AnyGame, AnyState};
use crate::net::referee::judge::{Arrival, Clerk, Input, Judge};
use crate::net::referee::{Cause, GameEvent};
use crate::net::tournament::{self, ServerMessage};

/// Who decides a game.
pub trait Ruler {
    fn result(&self) -> Option<(Outcome, Why)>;
    fn wakes_at(&self) -> Option<Instant>;
    fn time_passed(&mut self, desk: &mut Desk);
    fn arrived(&mut self, arrival: Arrival, desk: &mut Desk);
}

impl Ruler for Judge {
    fn result(&self) -> Option<(Outcome, Why)> {
        let result = Judge::result(self)?;
        let why = match result.cause {
            Cause::Rule(_) => Why::Rule,
            Cause::IllegalMove => Why::Illegal,
            Cause::Timeout(_) => Why::Late,
            Cause::Disconnected => Why::Gone,
            Cause::Flood => Why::Flood,
        };
        Some((result.outcome, why))
    }

    fn wakes_at(&self) -> Option<Instant> {
        Judge::wakes_at(self)
    }

    fn time_passed(&mut self, desk: &mut Desk) {
        Judge::time_passed(self, desk);
    }

    fn arrived(&mut self, arrival: Arrival, desk: &mut Desk) {
        Judge::arrived(self, arrival, desk);
    }
}

/// The extra time that the observed server allows, and its least time for a ply.
const OBSERVED_TOLERANCE: Duration = Duration::from_millis(20);
const OBSERVED_PACE: Duration = Duration::from_millis(1200);

/// The observed server: names a fault in a `MESSAGE`, holds moves back, keeps early lines.
pub struct Observed {
    state: AnyState,
    plies: usize,
    limit: Duration,
    lines: [VecDeque<(Instant, Input)>; 2],
    /// When the side to move got `YOUR_TURN`; none: it will at `opens`.
    told: Option<Instant>,
    opens: Instant,
    /// The last move, not yet relayed.
    held: Option<tournament::MoveText>,
    result: Option<(Outcome, Why)>,
}

impl Observed {
    pub fn new(start: AnyGame, limit: Duration, opens: Instant, desk: &mut Desk) -> Observed {
        for side in [Side::White, Side::Black] {
            let waiting = b"Group 0, please wait for the opponent";
            desk.send(side, ServerMessage::Message(waiting));
            desk.send(side, ServerMessage::Message(b"All players connected"));
        }
        Observed {
            state: GameState::new(start),
            plies: 0,
            limit: limit + OBSERVED_TOLERANCE,
            lines: Default::default(),
            told: None,
            opens,
            held: None,
            result: None,
        }
    }

    fn side(&self) -> Side {
        self.state.position.side()
    }

    fn lose(&mut self, why: Why, told: &[ServerMessage], other: &[u8], desk: &mut Desk) {
        let loser = self.side();
        for &message in told {
            desk.send(loser, message);
        }
        desk.send(loser, ServerMessage::Defeat);
        desk.send(!loser, ServerMessage::Message(other));
        desk.send(!loser, ServerMessage::Victory);
        self.result = Some((Outcome::Win(!loser), why));
    }

    fn late(&mut self, desk: &mut Desk) {
        self.lose(Why::Late, &[ServerMessage::Timeout], b"Opponent timeout", desk);
    }

    fn hear(&mut self, desk: &mut Desk) {
        let Some(told) = self.told.filter(|_| self.result.is_none()) else { return };
        let side = self.side();
        let Some((at, input)) = self.lines[side as usize].pop_front() else { return };
        if at.saturating_duration_since(told) > self.limit {
            return self.late(desk);
        }
        let Some(m) = read_plainly(&self.state.position, &input) else {
            let told = ServerMessage::Message(b"You have sent an invalid move");
            let other = b"Your opponent has sent an invalid move";
            return self.lose(Why::Illegal, &[told], other, desk);
        };
        let text = tournament::move_text(&self.state.position, m);
        self.state.play(m);
        self.plies += 1;
        desk.send(side, ServerMessage::ValidMove);
        desk.report(GameEvent::Moved { side, text, elapsed: Duration::ZERO });
        if let Some(ending) = self.state.ending() {
            desk.send(side, ServerMessage::of_outcome(ending.outcome, side));
            desk.send(!side, ServerMessage::OpponentMove(text.as_bytes()));
            desk.send(!side, ServerMessage::of_outcome(ending.outcome, !side));
            self.result = Some((ending.outcome, Why::Rule));
            return;
        }
        self.held = Some(text);
        self.opens = (told + OBSERVED_PACE).max(desk.now());
        self.told = None;
    }
}

impl Ruler for Observed {
    fn result(&self) -> Option<(Outcome, Why)> {
        self.result
    }

    fn wakes_at(&self) -> Option<Instant> {
        let handover = Duration::from_millis(50);
        Some(self.told.map_or(self.opens, |told| told + self.limit + handover))
    }

    fn time_passed(&mut self, desk: &mut Desk) {
        if self.told.is_some() {
            return self.late(desk);
        }
        let side = self.side();
        if let Some(text) = self.held.take() {
            desk.send(side, ServerMessage::OpponentMove(text.as_bytes()));
        }
        self.told = Some(desk.send(side, ServerMessage::YourTurn));
        self.hear(desk);
    }

    fn arrived(&mut self, arrival: Arrival, desk: &mut Desk) {
        if arrival.input == Input::Closed {
            // Both are closed without a word.
            self.result = Some((Outcome::Win(!arrival.side), Why::Gone));
            return;
        }
        self.lines[arrival.side as usize].push_back((arrival.at, arrival.input));
        self.hear(desk);
    }
}
