//! How a game of our referee ended, as a record has it.

use std::time::Duration;

use super::end::{Cause, End};
use crate::game::{Outcome, Rule, Side};
use crate::net::referee::{self, GameResult};

impl End {
    /// The result of a referee who gives `move_time` for a move; `by_option` is whether a limit of
    /// moves can only be that of the options.
    pub fn of_referee(result: &GameResult, move_time: Duration, by_option: bool) -> End {
        let loser = match result.outcome {
            Outcome::Win(Side::White) => Side::Black,
            Outcome::Win(Side::Black) | Outcome::Draw => Side::White,
        };
        let (cause, reason) = match result.cause {
            referee::Cause::Rule(Rule::PLY_LIMIT) if by_option => {
                (Cause::MoveLimit, Rule::PLY_LIMIT.to_string())
            }
            referee::Cause::Rule(rule) => (Cause::Rule, rule.to_string()),
            referee::Cause::Timeout(elapsed) => {
                // Rounded up, so that late never looks in time.
                let over = elapsed.saturating_sub(move_time).as_nanos().div_ceil(1_000_000);
                (Cause::Time, format!("{loser} loses on time ({over} ms overrun)"))
            }
            referee::Cause::Disconnected => (Cause::Disconnect, format!("{loser} disconnects")),
            referee::Cause::IllegalMove | referee::Cause::Flood => {
                let own = format!("{loser} ");
                let what = result.reason.strip_prefix(&own).unwrap_or(&result.reason);
                let reason = match what.strip_prefix("made an illegal move") {
                    Some(which) => format!("{own}makes an illegal move{which}"),
                    None => format!("{own}makes an illegal move ({what})"),
                };
                (Cause::IllegalMove, reason)
            }
        };
        End { outcome: result.outcome, cause, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ending;

    #[test]
    fn the_rules_come_before_what_is_said() {
        let ending = Ending { outcome: Outcome::Win(Side::White), rule: Rule::PLY_LIMIT };
        let end = |outcome| End::as_said(outcome, "said".into(), Some(ending)).cause;
        assert_eq!(end(Outcome::Win(Side::White)), Cause::Rule);
        assert_eq!(end(Outcome::Draw), Cause::Reported);
    }

    #[test]
    fn a_referees_results_have_the_words_of_a_match() {
        let result = |cause, reason: &str| GameResult {
            outcome: Outcome::Win(Side::White),
            cause,
            reason: reason.to_owned(),
            plies: 3,
            slowest: [Duration::ZERO; 2],
        };
        let late = referee::Cause::Timeout(Duration::from_micros(1_000_001));
        for (cause, reason, expected) in [
            (late, "", "Black loses on time (1 ms overrun)"),
            (referee::Cause::Disconnected, "Black disconnected", "Black disconnects"),
            (
                referee::Cause::IllegalMove,
                "Black made an illegal move: `Z9`",
                "Black makes an illegal move: `Z9`",
            ),
            (
                referee::Cause::Flood,
                "Black sent too many lines",
                "Black makes an illegal move (sent too many lines)",
            ),
        ] {
            let end = End::of_referee(&result(cause, reason), Duration::from_secs(1), false);
            assert_eq!(end.reason, expected);
        }
    }
}
