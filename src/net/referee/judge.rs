//! The rules of the tournament, applied to one game.
//!
//! The one idea: the judge sees stamped lines and the passing of time, and answers with messages
//! to the players; sockets, threads and the clock are the clerk's. So every ruling is a plain
//! function of what came when, and can be tried without a network.

use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::{Cause, GameEvent, GameResult, MAX_BYTES, MAX_EARLY_LINES, RefereeOptions, Wire};
use crate::game::{Ending, Game, GameState, Move, Outcome, Rule, Side, quoted};
use crate::games::{AnyGame, AnyState};
use crate::net::arrival::HANDOVER_TIME;
use crate::net::lateness::exceeded;
use crate::net::relay::read_exactly;
use crate::net::tournament::{self, ServerMessage, quoted_bytes};

/// What came from a player, and when.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The player.
    pub side: Side,
    /// When the last byte of it arrived.
    pub at: Instant,
    /// Its content.
    pub input: Input,
}

/// What may come from a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line without its terminator.
    Line(Vec<u8>),
    /// A message of the relay protocol, its end included.
    Message(Vec<u8>),
    /// A line that is none, being too long.
    TooLong,
    /// More bytes than [`MAX_BYTES`]; only the end comes after it.
    TooMuch,
    /// The end of the connection; nothing comes after it.
    Closed,
}

/// Who carries out what the judge says.
pub trait Clerk {
    /// Sends a message to a player; returns the time right after, so that a pause of ours before
    /// costs the player nothing.
    fn send(&mut self, to: Side, message: ServerMessage) -> Instant;
    /// Passes a wrong message on, as the relay protocol has it; the tournament protocol has not.
    fn pass_on(&mut self, _to: Side, _bytes: &[u8]) {}
    /// Reports what has happened.
    fn report(&mut self, event: GameEvent);
}

/// Where the game stands.
enum Phase {
    /// Both players prepare until then; none: for ever.
    WarmUp(Option<Instant>),
    /// The side to move got `YOUR_TURN` at that time.
    Turn(Instant),
    /// The game is over.
    Over(GameResult),
}

/// The judge of one game.
pub struct Judge {
    options: RefereeOptions,
    wires: [Wire; 2],
    state: AnyState,
    phase: Phase,
    plies: usize,
    /// What each player has said and is not yet judged, because it is not its turn.
    unheard: [ArrayVec<Arrival, MAX_EARLY_LINES>; 2],
    slowest: [Duration; 2],
}

impl Judge {
    /// Both players are connected: sends them a message, and begins the warm-up at `now`.
    pub fn new(
        start: AnyGame,
        options: RefereeOptions,
        now: Instant,
        clerk: &mut impl Clerk,
    ) -> Self {
        for side in [Side::White, Side::Black] {
            clerk.send(side, ServerMessage::Message(b"all players connected"));
        }
        clerk.report(GameEvent::Started { warm_up: options.warm_up });
        Judge {
            options,
            wires: [Wire::Tournament; 2],
            state: GameState::new(start),
            phase: Phase::WarmUp(now.checked_add(options.warm_up)),
            plies: 0,
            unheard: Default::default(),
            slowest: [Duration::ZERO; 2],
        }
    }

    /// The same with a protocol of its own for each player, White first.
    pub fn with_wires(self, wires: [Wire; 2]) -> Self {
        Judge { wires, ..self }
    }

    /// The result, once the game is over.
    pub fn result(&self) -> Option<&GameResult> {
        match &self.phase {
            Phase::Over(result) => Some(result),
            _ => None,
        }
    }

    /// When to call [`Judge::time_passed`] if nothing arrives before; none: never.
    pub fn wakes_at(&self) -> Option<Instant> {
        match self.phase {
            Phase::WarmUp(end) => end,
            Phase::Turn(sent) => sent.checked_add(self.time_limit())?.checked_add(HANDOVER_TIME),
            Phase::Over(_) => None,
        }
    }

    /// The time of [`Judge::wakes_at`] has come, and all that arrived before it has been judged.
    pub fn time_passed(&mut self, clerk: &mut impl Clerk) {
        match self.phase {
            Phase::WarmUp(_) => self.open(clerk),
            Phase::Turn(_) => self.time_out(None, clerk),
            Phase::Over(_) => {}
        }
    }

    /// Judges what came from a player.
    pub fn arrived(&mut self, arrival: Arrival, clerk: &mut impl Clerk) {
        let side = arrival.side;
        if self.result().is_some() {
            return;
        }
        if arrival.input == Input::Closed {
            let of_mover = side == self.state.position.side();
            if let Phase::Turn(sent) = self.phase
                && of_mover
                && arrival.at.saturating_duration_since(sent) > self.time_limit()
            {
                // Its time was over before, and nobody had looked yet.
                self.time_out(None, clerk);
                return;
            }
            let reason = format!("{side} disconnected");
            self.forfeit(side, Cause::Disconnected, reason, None, clerk);
            return;
        }
        if arrival.input == Input::TooMuch {
            let reason = format!("{side} sent more than {} MiB", MAX_BYTES >> 20);
            self.forfeit(side, Cause::Flood, reason, None, clerk);
            return;
        }
        if let Input::Message(bytes) = &arrival.input
            && (side != self.state.position.side() || !self.unheard[side as usize].is_empty())
        {
            let reason = format!("{side} sent {} out of turn", quoted_bytes(bytes));
            clerk.pass_on(!side, bytes);
            self.forfeit(side, Cause::IllegalMove, reason, None, clerk);
            return;
        }
        if self.unheard[side as usize].try_push(arrival).is_err() {
            let reason = format!("{side} sent more than {MAX_EARLY_LINES} lines out of turn");
            self.forfeit(side, Cause::Flood, reason, None, clerk);
            return;
        }
        self.hear_lines(clerk);
    }

    /// The warm-up is over.
    fn open(&mut self, clerk: &mut impl Clerk) {
        if let Some(Ending { outcome, rule }) = self.state.ending() {
            // A position that is over at the start: no side moves.
            for side in [Side::White, Side::Black] {
                clerk.send(side, ServerMessage::of_outcome(outcome, side));
            }
            self.finish(outcome, Cause::Rule(rule), rule.to_string(), clerk);
        } else {
            self.give_turn(clerk);
            self.hear_lines(clerk);
        }
    }

    /// As long as the side to move has said something, judges it.
    fn hear_lines(&mut self, clerk: &mut impl Clerk) {
        while let Phase::Turn(sent) = self.phase {
            let side = self.state.position.side();
            let Some(Arrival { at, input, .. }) = self.unheard[side as usize].pop_at(0) else {
                return;
            };
            let elapsed = at.saturating_duration_since(sent);
            if elapsed > self.time_limit() {
                self.time_out(Some(elapsed), clerk);
                return;
            }
            match self.read_move(&input) {
                Ok(m) => self.accept(m, elapsed, clerk),
                Err(fault) => {
                    let reason = format!("{side} {fault}");
                    if let Input::Message(bytes) = &input {
                        clerk.pass_on(!side, bytes);
                    }
                    let notice = Some(ServerMessage::IllegalMove);
                    self.forfeit(side, Cause::IllegalMove, reason, notice, clerk);
                }
            }
        }
    }

    /// The legal move that a line names, or what the player did instead.
    fn read_move(&self, input: &Input) -> Result<Move, String> {
        let line = match input {
            Input::Line(line) => line,
            Input::Message(bytes) => {
                return read_exactly(&self.state.position, bytes)
                    .map_err(|_| format!("made an illegal move: {}", quoted_bytes(bytes)));
            }
            _ => return Err("sent a line that is too long".to_owned()),
        };
        let Some(text) = tournament::parse_move_line(line) else {
            return Err(format!("sent a line without a move: {}", quoted_bytes(line)));
        };
        tournament::read_move(&self.state.position, text.as_bytes())
            .map_err(|_| format!("made an illegal move: {}", quoted(text)))
    }

    /// A legal move in time.
    fn accept(&mut self, m: Move, elapsed: Duration, clerk: &mut impl Clerk) {
        let side = self.state.position.side();
        let text = tournament::move_text(&self.state.position, m);
        self.state.play(m);
        self.plies += 1;
        let slowest = &mut self.slowest[side as usize];
        *slowest = elapsed.max(*slowest);
        let ending = self.state.ending().or_else(|| self.move_limit());
        let result_for = |side| ending.map(|e| ServerMessage::of_outcome(e.outcome, side));

        clerk.send(side, ServerMessage::ValidMove);
        if let Some(result) = result_for(side) {
            clerk.send(side, result);
        }
        clerk.send(!side, ServerMessage::OpponentMove(text.as_bytes()));
        match result_for(!side) {
            Some(result) => {
                clerk.send(!side, result);
            }
            None => self.give_turn(clerk),
        }
        clerk.report(GameEvent::Moved { side, text, elapsed });
        if let Some(Ending { outcome, rule }) = ending {
            self.finish(outcome, Cause::Rule(rule), rule.to_string(), clerk);
        }
    }

    fn give_turn(&mut self, clerk: &mut impl Clerk) {
        let sent = clerk.send(self.state.position.side(), ServerMessage::YourTurn);
        self.phase = Phase::Turn(sent);
    }

    /// The time of the side to move.
    fn time_limit(&self) -> Duration {
        let tolerance = self.options.tolerance[self.state.position.side() as usize];
        self.move_time().saturating_add(tolerance)
    }

    /// The same without what is conceded.
    fn move_time(&self) -> Duration {
        let wire = self.wires[self.state.position.side() as usize];
        wire.move_time(self.plies, self.options.move_time)
    }

    /// The tie that the options ask for, in a game that has ties.
    fn move_limit(&self) -> Option<Ending> {
        if !self.state.position.has_draws() {
            return None;
        }
        let limit = u64::from(self.options.moves_per_player?) * 2;
        (self.plies as u64 >= limit).then_some(Ending::draw(Rule::PLY_LIMIT))
    }

    /// The side to move has moved after so long a time, or not at all.
    fn time_out(&mut self, elapsed: Option<Duration>, clerk: &mut impl Clerk) {
        let side = self.state.position.side();
        let reason = exceeded(side, elapsed, self.move_time());
        let waited = elapsed.unwrap_or(self.time_limit().saturating_add(HANDOVER_TIME));
        self.forfeit(side, Cause::Timeout(waited), reason, Some(ServerMessage::Timeout), clerk);
    }

    /// `loser` loses by its own fault. It gets `notice`, or the reason if there is none, unless it
    /// is gone.
    fn forfeit(
        &mut self,
        loser: Side,
        cause: Cause,
        reason: String,
        notice: Option<ServerMessage>,
        clerk: &mut impl Clerk,
    ) {
        let explanation = ServerMessage::Message(reason.as_bytes());
        if cause != Cause::Disconnected {
            clerk.send(loser, notice.unwrap_or(explanation));
            clerk.send(loser, ServerMessage::Defeat);
        }
        clerk.send(!loser, explanation);
        clerk.send(!loser, ServerMessage::Victory);
        self.finish(Outcome::Win(!loser), cause, reason, clerk);
    }

    fn finish(&mut self, outcome: Outcome, cause: Cause, reason: String, clerk: &mut impl Clerk) {
        let (plies, slowest) = (self.plies, self.slowest);
        clerk.report(GameEvent::Ended { outcome, reason: reason.clone() });
        let result = GameResult { outcome, cause, reason, plies, slowest };
        self.phase = Phase::Over(result);
    }
}

#[cfg(test)]
mod tests;
