//! The record of a game: one JSON line with every move.
//!
//! The one idea: the same line is a game record (`-pgnout`), the state of an interrupted match
//! (`-config`), and the result of a part of a match on another machine (`-jsonl`); `alesia-lab
//! replay` replays it by the rules.

use std::borrow::Cow;
use std::time::Duration;

use alesia::game::{Ending, Game, Outcome, ParseError, Rule, Side, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::date::Date;
pub use alesia::record::game_record::Cause;
use alesia::record::record_file::is_whole;
use alesia::search::duel::Score;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::checked_line::read_as;
use crate::players::{GameLine, Thought};

/// What a player does whose scores are as low as `-resign` says.
pub const RESIGNS: &str = "resigns by its score";
/// Why a game is a draw by `-draw`.
pub const EVEN_SCORES: &str = "even scores";

/// Which game of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The match's seed, from which the openings and, with the players' own, their random choices
    /// follow.
    pub seed: u64,
    /// The number of the pair of games, from 0.
    pub pair: u32,
    /// 0: the pair's first player is White; 1: the same opening with the sides exchanged.
    #[serde(deserialize_with = "leg")]
    pub leg: u8,
}

/// Reads a leg: there are two.
fn leg<'a, D: Deserializer<'a>>(deserializer: D) -> Result<u8, D::Error> {
    match u8::deserialize(deserializer)? {
        leg @ 0..=1 => Ok(leg),
        other => Err(D::Error::custom(format_args!("leg {other}, expected 0 or 1"))),
    }
}

/// Reads a date.
fn date<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    let text = Option::<Cow<str>>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

/// Reads what decided a game.
fn cause<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Cause, D::Error> {
    Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

fn write_cause<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(cause.name())
}

fn write_date<S: Serializer>(date: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    date.map(|date| date.to_string()).serialize(serializer)
}

/// Who won, in chess's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winner {
    #[serde(rename = "1-0")]
    White,
    #[serde(rename = "0-1")]
    Black,
    #[serde(rename = "1/2-1/2")]
    Nobody,
}

impl Winner {
    /// The same as a type of the library.
    pub fn outcome(self) -> Outcome {
        match self {
            Winner::White => Outcome::Win(Side::White),
            Winner::Black => Outcome::Win(Side::Black),
            Winner::Nobody => Outcome::Draw,
        }
    }
}

impl From<Outcome> for Winner {
    fn from(outcome: Outcome) -> Winner {
        match outcome {
            Outcome::Win(Side::White) => Winner::White,
            Outcome::Win(Side::Black) => Winner::Black,
            Outcome::Draw => Winner::Nobody,
        }
    }
}

/// A move with what its player said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedMove {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// Milliseconds it took, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// What its player said of it.
    #[serde(flatten)]
    pub thought: Thought,
}

/// Where and when a game was played, where that is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Occasion {
    /// The match or the tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The day on which it began, in universal time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "date", serialize_with = "write_date")]
    pub date: Option<Date>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the match.
    #[serde(flatten)]
    pub key: Key,
    /// What was played, as on the command line.
    pub game: String,
    pub white: String,
    pub black: String,
    /// The text board that it began with, where that is not the game's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The fingerprint of the rules, where a file defines them ([`GameSpec::fingerprint`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    #[serde(flatten)]
    pub occasion: Occasion,
    /// The moves of the opening, not chosen by the players.
    pub opening: Vec<String>,
    pub moves: Vec<RecordedMove>,
    pub result: Winner,
    #[serde(deserialize_with = "cause", serialize_with = "write_cause")]
    pub cause: Cause,
    /// The same in words.
    pub reason: String,
}

impl GameRecord {
    /// What every line begins with.
    pub const BEGINNING: &str = "{\"seed\":";

    /// The score of the pair's first player.
    pub fn score_of_first(&self) -> Score {
        let side = if self.key.leg == 0 { Side::White } else { Side::Black };
        self.result.outcome().for_side(side)
    }

    /// The name of the pair's first player, and of its second.
    pub fn pairing(&self) -> (&str, &str) {
        if self.key.leg == 0 { (&self.white, &self.black) } else { (&self.black, &self.white) }
    }

    /// All moves from the beginning.
    pub fn line(&self) -> GameLine {
        let played = self.moves.iter().map(|m| &m.text);
        GameLine {
            board: self.board.clone(),
            moves: self.opening.iter().chain(played).cloned().collect(),
        }
    }

    /// The game that was played, by the same rules as then.
    ///
    /// # Errors
    /// Its definition is not there, or has changed since.
    pub fn spec(&self) -> Result<GameSpec, ParseError> {
        let place = format!("the definition of {}", quoted(&self.game));
        let game = GameSpec::open(&self.game).map_err(|error| match self.definition {
            Some(_) => {
                ParseError::new(&*place, error.to_string(), "it where the game was recorded")
            }
            None => error,
        })?;
        match (&self.definition, game.fingerprint()) {
            (Some(then), Some(now)) if *then != now => {
                let found = "other rules than those of the record";
                Err(ParseError::new(place, found, "a file that has not changed since"))
            }
            _ => Ok(game),
        }
    }

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

/// Reads a record, with or without a checksum.
///
/// # Errors
/// As for [`read_as`].
pub fn read<T: for<'a> Deserialize<'a>>(place: &str, line: &str) -> Result<T, ParseError> {
    read_as(place, line, "a game record")
}

/// The last record of a line after a piece of another one, which was cut short before its end.
pub fn after_piece(line: &str) -> Option<&str> {
    line.rfind(GameRecord::BEGINNING).filter(|&at| at > 0).map(|at| &line[at..])
}

/// Whether a line is only a piece of a record.
pub fn is_piece(line: &str) -> bool {
    line.starts_with(GameRecord::BEGINNING) && !is_whole(line.as_bytes())
}

/// Milliseconds, to a thousandth.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::checked_line::json_line;
    use alesia::games::Hadron;

    fn record(moves: &str, result: Winner, cause: Cause, reason: &str) -> GameRecord {
        let moves = moves.split_whitespace().map(|text| RecordedMove {
            text: text.to_owned(),
            ms: Some(1.5),
            thought: Thought { value: Some(0.25), mate: Some(-3), ..Thought::default() },
        });
        GameRecord {
            key: Key { seed: 7, pair: 3, leg: 1 },
            game: "hadron2x2".to_owned(),
            white: "A".to_owned(),
            black: "B".to_owned(),
            board: None,
            definition: None,
            occasion: Occasion::default(),
            opening: vec!["A1".to_owned()],
            moves: moves.collect(),
            result,
            cause,
            reason: reason.to_owned(),
        }
    }

    #[test]
    fn a_record_of_a_definition_knows_whether_its_rules_are_still_there() {
        let folder = std::env::temp_dir().join(format!("alesia-record-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("mine.ini");
        let define = |text: &str| std::fs::write(&file, text).unwrap();
        define("[mine:chess]\n");
        let name = format!("{}:mine", file.display());
        let mut game = record("", Winner::Nobody, Cause::Reported, "");
        (game.game, game.definition) = (name.clone(), GameSpec::open(&name).unwrap().fingerprint());
        assert!(game.spec().is_ok());
        define("# Only said otherwise.\n[mine:chess]\n");
        assert!(game.spec().is_ok());
        define("[mine:chess]\nnFoldRule = 4\n");
        let changed = game.spec().unwrap_err().to_string();
        assert!(
            changed.ends_with(
                "found other rules than those of the record, expected a file \
                                   that has not changed since"
            ),
            "{changed}"
        );
        let without = GameRecord { definition: None, ..game.clone() };
        assert!(without.spec().is_ok(), "older records have none");
        std::fs::remove_dir_all(folder).unwrap();
        let gone = game.spec().unwrap_err().to_string();
        assert!(gone.starts_with(&format!("the definition of `{name}`: found ")), "{gone}");
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let game = record("B2", Winner::Nobody, Cause::MoveLimit, "move limit");
        let line = json_line(&game);
        assert_eq!(
            line,
            "{\"seed\":7,\"pair\":3,\"leg\":1,\"game\":\"hadron2x2\",\"white\":\"A\",\"black\":\"B\",\
             \"opening\":[\"A1\"],\"moves\":[{\"move\":\"B2\",\"ms\":1.5,\"value\":0.25,\"mate\":-3}],\
             \"result\":\"1/2-1/2\",\"cause\":\"move-limit\",\"reason\":\"move limit\",\
             \"crc32\":\"7ba62826\"}\n"
        );
        assert_eq!(read::<GameRecord>("here", &line), Ok(game.clone()));
        let changed = line.replace("B2", "A2");
        let error = read::<GameRecord>("line 3", &changed).unwrap_err().to_string();
        assert!(error.starts_with("line 3, crc32: found `7ba62826`, expected "), "{error}");
        let old = line.replace(",\"crc32\":\"7ba62826\"", "");
        assert_eq!(read::<GameRecord>("here", &old), Ok(game.clone()), "an old line has no sum");
        let error = read::<GameRecord>("line 3", &line[..line.len() / 2]).unwrap_err().to_string();
        assert!(error.starts_with("line 3: found `{"), "{error}");
    }

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

    #[test]
    fn scores_are_those_of_the_first_player_of_the_pair() {
        let mut game = record("", Winner::White, Cause::Rule, "");
        assert_eq!((game.score_of_first(), game.pairing()), (Score::Loss, ("B", "A")));
        game.key.leg = 0;
        assert_eq!((game.score_of_first(), game.pairing()), (Score::Win, ("A", "B")));
    }
}
