//! What a session comes to: a result and its reason, or an error.
//!
//! The one idea: the server's result counts, also where ours differs; without one, ours counts if
//! the game is over by our rules.

use super::{Dispute, Forfeit, Session, kept};
use crate::game::{Game, Outcome};
use crate::games::AnyGame;
use crate::net::client::{ClientError, ClientEvent, ClientReport, Player, is_it_another_game};
use crate::net::line::LineError;
use crate::net::stand_in::Outgoing;
use crate::net::tournament::readable;

impl<P: Player, W: Outgoing> Session<'_, AnyGame, P, W> {
    /// The server has announced the result.
    pub fn announced(mut self, outcome: Outcome) -> Result<ClientReport, ClientError> {
        match self.dispute.take() {
            // An opponent that loses by an illegal move: no dispute.
            Some(Dispute { fault, .. }) if outcome == Outcome::Win(self.side) => {
                let reason = format!("illegal {fault}");
                self.explanation.get_or_insert_with(|| kept(reason.as_bytes()));
            }
            Some(dispute) => return Err(self.disputed(dispute, Some(outcome))),
            None => {}
        }
        let report = self.final_report(outcome, true);
        self.report(&ClientEvent::Ended(&report));
        Ok(report)
    }

    /// The connection has ended without a result.
    pub fn cut_off(mut self, error: LineError) -> Result<ClientReport, ClientError> {
        if let Some(dispute) = self.dispute.take() {
            return Err(self.disputed(dispute, None));
        }
        let outcome = match (self.forfeit, self.state.ending()) {
            (Some(_), _) => Outcome::Win(!self.side),
            (None, Some(ending)) => ending.outcome,
            (None, None) => {
                let why = match self.send_failure.take() {
                    Some(failure) => format!("{error}, and sending our move failed: {failure}"),
                    None => error.to_string(),
                };
                let begun = self.has_begun();
                let when = match (self.side_known, begun) {
                    (false, false) => "before WELCOME".to_owned(),
                    (true, false) => "before the first move".to_owned(),
                    (_, true) => {
                        let (number, side) = (self.number(), self.state.position.side());
                        format!("in move {number} of {side}, before any result")
                    }
                };
                return Err(ClientError::NoResult { when, why, begun });
            }
        };
        log::warn!("{error} before the server announced a result; by our rules: {outcome}");
        let report = self.final_report(outcome, false);
        self.report(&ClientEvent::Ended(&report));
        Ok(report)
    }

    fn disputed(&self, dispute: Dispute, announced: Option<Outcome>) -> ClientError {
        let (number, side, fault) = (self.number(), !self.side, dispute.fault);
        let other_game = dispute.foreign.then(|| self.state.position.title());
        ClientError::IllegalOpponentMove { number, side, fault, announced, other_game }
    }

    fn final_report(&mut self, outcome: Outcome, announced: bool) -> ClientReport {
        let ending = self.state.ending();
        if let Some(ending) = ending
            && ending.outcome != outcome
            && self.forfeit.is_none()
        {
            log::error!("the server's result is {outcome}; by our rules it is {ending}");
        }
        let lost = outcome == Outcome::Win(!self.side);
        // A move that loses by our rules needs no refusal.
        let unexpected = ending.is_none_or(|ending| ending.outcome != outcome);
        let silent_refusal = lost && announced && unexpected && self.is_unacknowledged();
        let forfeit = match self.forfeit.filter(|_| lost) {
            None if silent_refusal => Some(Forfeit::IllegalMove),
            forfeit => forfeit,
        };
        let explanation = self.explanation.take();
        let first = self.plies <= 2;
        let reason = match (forfeit, ending, &explanation) {
            (Some(Forfeit::IllegalMove), _, said) if first => self.first_refused(said.as_deref()),
            (Some(Forfeit::IllegalMove), _, Some(said)) if silent_refusal => {
                readable(said).to_string()
            }
            (Some(Forfeit::IllegalMove), ..) => {
                format!("our move {} was refused as illegal", self.answered())
            }
            (Some(Forfeit::Timeout), ..) => "our move came too late".to_owned(),
            (None, Some(ending), _) if ending.outcome == outcome => ending.rule.to_string(),
            (None, _, Some(explanation)) => readable(explanation).to_string(),
            (None, _, None) => "the server gave no reason".to_owned(),
        };
        ClientReport {
            side: self.side,
            outcome,
            announced,
            ending,
            reason,
            our_fault: forfeit.is_some(),
            plies: self.plies,
            slowest: self.slowest,
            overshoot: self.overshoot,
        }
    }

    /// Whether the last move is ours and the server has not accepted it. A server that then
    /// announces our defeat has refused it (the courses' Hadron server never says `ILLEGAL_MOVE`).
    fn is_unacknowledged(&self) -> bool {
        !self.acknowledged && self.plies > 0 && self.state.position.side() != self.side
    }

    /// The reason of a loss by our first move; `said` is the server's.
    fn first_refused(&self, said: Option<&[u8]>) -> String {
        let said = said.map(|said| format!(" ({})", readable(said))).unwrap_or_default();
        let question = is_it_another_game(&self.state.position.title());
        format!("the server refused our first move {}{said}: {question}", self.answered())
    }

    /// Our last move.
    fn answered(&self) -> &str {
        self.last_answer.as_ref().map_or("", |text| text.as_str())
    }
}
