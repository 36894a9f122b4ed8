//! The record of a game: one JSON line with every move.
//!
//! The one idea: the same line is a game record (`-pgnout`), the state of an interrupted match
//! (`-config`), and the result of a part of a match on another machine (`-jsonl`). `alesia-lab
//! replay` replays it by the rules.

use std::time::Duration;

pub use jiff::civil::Date;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::checked_line::read_as;
use super::end::Cause;
use super::last_line::is_whole;
use super::thought::Thought;
use crate::game::{GameState, Outcome, ParseError, Side, quoted};
use crate::games::{AnyGame, AnyState, GameSpec};
use crate::search::duel::Score;

/// Which game of a match.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
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

/// Today in universal time, so that a game has the same date wherever it is looked at.
pub fn today() -> Date {
    jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date()
}

/// Who won, in chess's notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winner {
    /// White: `1-0`.
    #[serde(rename = "1-0")]
    White,
    /// Black: `0-1`.
    #[serde(rename = "0-1")]
    Black,
    /// A draw: `1/2-1/2`.
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
    pub date: Option<Date>,
}

/// A game from its opening to its end: one line of a record file, which is JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the match.
    #[serde(flatten)]
    pub key: Key,
    /// What was played, as on the command line.
    pub game: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The text board that it began with, where that is not the game's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The fingerprint of the rules, where a file defines them ([`GameSpec::fingerprint`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The rules themselves, where no file has them, as those that were pasted on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Where and when it was played.
    #[serde(flatten)]
    pub occasion: Occasion,
    /// The moves of the opening, not chosen by the players.
    pub opening: Vec<String>,
    /// The players' own moves.
    pub moves: Vec<RecordedMove>,
    /// Who won.
    pub result: Winner,
    /// How it ended.
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
    /// Its definition is not there, or has changed since; or the rules that it carries are wrong.
    pub fn spec(&self) -> Result<GameSpec, ParseError> {
        match self.own_rules() {
            None => self.spec_by_name(),
            Some(Ok(game)) => Ok(game),
            // Old records have parents below, and yet a file may have their definition.
            Some(Err(error)) => self.spec_by_name().map_err(|_| error.within("rules")),
        }
    }

    /// The game that its name says, by the same rules as then.
    fn spec_by_name(&self) -> Result<GameSpec, ParseError> {
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

    /// The game by the rules that the record carries, if it does; an error if they are not those of
    /// its fingerprint.
    fn own_rules(&self) -> Option<Result<GameSpec, ParseError>> {
        let (file, name) = self.game.rsplit_once(':')?;
        let games = GameSpec::of_text(file, self.rules.as_ref()?);
        let is_own = |game: &GameSpec| {
            game.to_string() == self.game && game.fingerprint() == self.definition
        };
        Some(games.and_then(|games| {
            games.into_iter().find(is_own).ok_or_else(|| {
                let expected = format!("[{name}] with the fingerprint of the record");
                ParseError::new(quoted(&self.game), "other rules", expected)
            })
        }))
    }
}

/// The moves of a game so far, as text.
#[derive(Clone, Debug)]
pub struct GameLine {
    /// The text board that the game began with; none: the game's start position.
    pub board: Option<String>,
    /// All moves since then in the game's notation.
    pub moves: Vec<String>,
}

impl GameLine {
    /// Plays the moves on a board of the game.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn state(&self, start: AnyGame) -> Result<AnyState, ParseError> {
        let position = start.begin(self.board.as_deref())?;
        let mut state = GameState::new(position);
        state.play_text(&self.moves.join(" "))?;
        Ok(state)
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
pub(crate) mod tests {
    use super::super::checked_line::json_line;
    use super::*;

    /// A game on the smallest board.
    pub fn record(moves: &str, result: Winner, cause: Cause, reason: &str) -> GameRecord {
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
            rules: None,
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
    fn rules_that_a_record_carries_and_are_wrong_are_said() {
        let chess = GameSpec::of_text("here.ini", "[mine:chess]\n").unwrap()[0].fingerprint();
        let other = Some("0".repeat(16));
        for (rules, definition, expected) in [
            ("[mine:b]\n\n[b:chess]\n", &chess, "rules, gone.ini:1: section: found `b`, expected "),
            (
                "[mine:chess]\n",
                &other,
                "rules, `gone.ini:mine`: found other rules, expected [mine]",
            ),
            (
                "[yours:chess]\n",
                &chess,
                "rules, `gone.ini:mine`: found other rules, expected [mine]",
            ),
        ] {
            let mut game = record("", Winner::Nobody, Cause::Reported, "");
            game.game = "gone.ini:mine".to_owned();
            (game.definition, game.rules) = (definition.clone(), Some(rules.to_owned()));
            let error = game.spec().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{rules}: {error}");
        }
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
    fn scores_are_those_of_the_first_player_of_the_pair() {
        let mut game = record("", Winner::White, Cause::Rule, "");
        assert_eq!((game.score_of_first(), game.pairing()), (Score::Loss, ("B", "A")));
        game.key.leg = 0;
        assert_eq!((game.score_of_first(), game.pairing()), (Score::Win, ("A", "B")));
    }
}
