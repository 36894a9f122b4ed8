//! A record against the rules: whether its moves are legal and its result follows from them.

use super::end::Cause;
use super::game_record::GameRecord;
use crate::game::{Ending, Game, Outcome, ParseError, Rule, Side};
use crate::games::AnyGame;

/// What a player does whose scores are as low as `-resign` says.
pub const RESIGNS: &str = "resigns by its score";
/// Why a game is a draw by `-draw`.
pub const EVEN_SCORES: &str = "even scores";
/// Why a game has no winner for which nobody came.
pub const NEITHER_CAME: &str = "neither player came";

impl GameRecord {
    /// Plays the game again by the rules.
    ///
    /// # Errors
    /// A move that is not legal or comes after the end, or a result that is not that of the rules.
    pub fn check(&self, start: AnyGame) -> Result<(), ParseError> {
        let state = self.line().state(start)?;
        let outcome = self.result.outcome();
        let failed = |side: Side, how: &str| {
            outcome == Outcome::Win(!side) && self.reason.starts_with(&format!("{side} {how}"))
        };
        let mover = state.position.side();
        let (right, expected) = match (self.cause, state.ending()) {
            (Cause::Reported, None) => (true, String::new()),
            (Cause::Rule, Some(Ending { outcome: by_rule, rule })) => (
                outcome == by_rule && self.reason == rule.to_string(),
                format!("{by_rule} ({rule})"),
            ),
            (_, Some(ending)) => (false, ending.to_string()),
            (Cause::Rule, None) => (false, "a game that is over".to_owned()),
            (Cause::MoveLimit, None) => {
                let reached = !self.moves.is_empty() && self.moves.len().is_multiple_of(2);
                let tie = format!("tie ({}) after the same number of moves each", Rule::PLY_LIMIT);
                let worded = self.reason == Rule::PLY_LIMIT.to_string();
                (outcome == Outcome::Draw && reached && worded, tie)
            }
            (Cause::Adjudication, None) => {
                let even = outcome == Outcome::Draw && self.reason == EVEN_SCORES;
                let resigned = failed(Side::White, RESIGNS) || failed(Side::Black, RESIGNS);
                (even || resigned, format!("a draw ({EVEN_SCORES}) or a player that {RESIGNS}"))
            }
            (Cause::Time, None) => {
                (failed(mover, "loses on time ("), format!("{mover} to lose on time"))
            }
            (Cause::Disconnect, None) if self.reason == NEITHER_CAME => {
                let none = outcome == Outcome::Draw && self.moves.is_empty();
                (none, format!("no winner and no move where {NEITHER_CAME}"))
            }
            // A client of a tournament server may fail in its opponent's time.
            (Cause::IllegalMove | Cause::Disconnect | Cause::Stall, None) => {
                let how = match self.cause {
                    Cause::IllegalMove => "makes an illegal move",
                    Cause::Disconnect => "disconnects",
                    _ => "stalls",
                };
                let right = failed(mover, how) || failed(!mover, how);
                (right, format!("a loss of the player that {how}"))
            }
        };
        if right {
            return Ok(());
        }
        Err(ParseError::new("result", format!("{outcome} ({})", self.reason), expected))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game_record::Winner;
    use super::super::game_record::tests::record;
    use super::*;
    use crate::games::Hadron;

    #[test]
    fn results_that_follow_from_the_moves_are_right_and_others_wrong() {
        use Cause::*;
        use Winner::*;
        // On this board Black always has the last move.
        let over = "no legal move";
        let cases = [
            ("B2 A2 B1", Black, Rule, over, true),
            ("B2 A2 B1", White, Rule, over, false),
            ("B2 A2 B1", Black, Rule, "checkmate", false),
            ("B2 A2 B1", Black, Time, "White loses on time (1 ms overrun)", false),
            ("", Black, Rule, over, false),
            ("", White, Time, "Black loses on time (1 ms overrun)", true),
            ("", Black, Time, "White loses on time (1 ms overrun)", false),
            ("", White, IllegalMove, "Black makes an illegal move: `A1`", true),
            ("", White, Disconnect, "Black disconnects", true),
            ("", Black, Disconnect, "White disconnects", true),
            ("", Nobody, Disconnect, NEITHER_CAME, true),
            ("", White, Disconnect, NEITHER_CAME, false),
            ("B2", Nobody, Disconnect, NEITHER_CAME, false),
            ("", White, Stall, "White stalls", false),
            ("", White, Stall, "Black cheats", false),
            ("", White, Time, "Black eats cake", false),
            ("B2 A2", Nobody, MoveLimit, "move limit", true),
            ("B2 A2", White, MoveLimit, "move limit", false),
            ("B2", Nobody, MoveLimit, "move limit", false),
            ("", Nobody, MoveLimit, "move limit", false),
            ("A1", White, Rule, over, false),
            ("B2 A2 B1 A1", White, Rule, over, false),
        ];
        for (moves, result, cause, reason, right) in cases {
            let checked = record(moves, result, cause, reason).check(Hadron::start(2, 2).into());
            assert_eq!(
                checked.is_ok(),
                right,
                "{moves} {result:?} {cause:?} {reason}: {checked:?}"
            );
        }
    }
}
