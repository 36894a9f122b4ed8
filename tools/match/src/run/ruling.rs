//! The end of a game of a match: its result, its reason, and both in words.

use std::time::Duration;

use alesia::game::{Outcome, Rule, Side};
use alesia::net::feed::GameEvent;
use alesia::net::lateness::milliseconds_up;

use crate::players::Fault;
use alesia::record::end::Cause;
use alesia::record::game_record::{RecordedMove, Winner};
use alesia::record::replay::{EVEN_SCORES, NEITHER_CAME, RESIGNS};

/// How a game went.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    pub result: Winner,
    pub cause: Cause,
    /// The same in words.
    pub reason: String,
}

/// How a game ended, and its moves.
pub type GamePlayed = (Ruling, Vec<RecordedMove>);

impl Ruling {
    /// The end by a rule of the game.
    pub fn by_rule(outcome: Outcome, rule: Rule) -> Ruling {
        Ruling { result: outcome.into(), cause: Cause::Rule, reason: rule.to_string() }
    }

    /// The end, for spectators.
    pub fn event(&self) -> GameEvent {
        GameEvent::Ended { outcome: self.result.outcome(), reason: self.reason.clone() }
    }

    /// The draw of `-maxmoves`.
    pub fn by_move_limit() -> Ruling {
        let reason = Rule::PLY_LIMIT.to_string();
        Ruling { result: Winner::Nobody, cause: Cause::MoveLimit, reason }
    }

    /// The loss of a player by its scores, as `-resign` has it.
    pub fn by_resignation(loser: Side) -> Ruling {
        let reason = format!("{loser} {RESIGNS}");
        Ruling { result: Outcome::Win(!loser).into(), cause: Cause::Adjudication, reason }
    }

    /// The draw by scores, as `-draw` has it.
    pub fn by_even_scores() -> Ruling {
        let reason = EVEN_SCORES.to_owned();
        Ruling { result: Winner::Nobody, cause: Cause::Adjudication, reason }
    }

    /// Neither player has come.
    pub fn by_absence() -> Ruling {
        let reason = NEITHER_CAME.to_owned();
        Ruling { result: Winner::Nobody, cause: Cause::Disconnect, reason }
    }

    /// The loss of a player by its own fault; `time` is what it had.
    pub fn by_fault(loser: Side, fault: &Fault, time: Option<Duration>) -> Ruling {
        let (cause, what) = match fault {
            Fault::IllegalMove(text) => {
                let text = alesia::game::quoted(text);
                (Cause::IllegalMove, format!("makes an illegal move: {text}"))
            }
            Fault::Late(elapsed) => {
                let over = milliseconds_up(elapsed.saturating_sub(time.unwrap_or_default()));
                (Cause::Time, format!("loses on time ({over} ms overrun)"))
            }
            Fault::Disconnects => (Cause::Disconnect, "disconnects".to_owned()),
            Fault::Ended(how) => (Cause::Disconnect, format!("disconnects ({how})")),
            Fault::NotStarted(_) => (Cause::Disconnect, "disconnects (not started)".to_owned()),
            Fault::Stalls => (Cause::Stall, "stalls".to_owned()),
        };
        let result = Outcome::Win(!loser).into();
        Ruling { result, cause, reason: format!("{loser} {what}") }
    }
}
