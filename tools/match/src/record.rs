//! The record of a game: one JSON line with every move.
//!
//! The one idea: the same line is a game record (`-pgnout`), the state of an interrupted match
//! (`-config`), and the result of a part of a match on another machine (`-jsonl`); `alesia-lab
//! replay` replays it by the rules.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use alesia::duel::Score;
use alesia::game::{Ending, Game, Outcome, ParseError, Rule, Side, quoted};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::players::{GameLine, Thought};

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

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    Rule,
    /// `-maxmoves`.
    MoveLimit,
    Time,
    IllegalMove,
    /// A player that ended.
    Disconnect,
    /// A player that said nothing.
    Stall,
}

/// A move with what its player said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedMove {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// Milliseconds it took.
    pub ms: f64,
    /// What its player said of it.
    #[serde(flatten)]
    pub thought: Thought,
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
    /// The moves of the opening, not chosen by the players.
    pub opening: Vec<String>,
    pub moves: Vec<RecordedMove>,
    pub result: Winner,
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

    /// Plays the game again by the rules.
    ///
    /// # Errors
    /// A move that is not legal or comes after the end, or a result that is not that of the rules.
    pub fn check<G: Game>(&self, start: G) -> Result<(), ParseError> {
        let state = self.line().state(start)?;
        let outcome = self.result.outcome();
        let failed = |side: Side, how: &str| {
            outcome == Outcome::Win(!side) && self.reason.starts_with(&format!("{side} {how}"))
        };
        let mover = state.position.side();
        let (right, expected) = match (self.cause, state.ending()) {
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

/// A file to which game after game is added.
pub struct RecordFile {
    file: File,
}

impl RecordFile {
    /// Opens a file at its end, or makes it. A last line that is cut short gets its end.
    ///
    /// # Errors
    /// The system's.
    pub fn append(path: &Path) -> io::Result<RecordFile> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // Only a plain file has a last line.
        let is_cut = File::open(path).is_ok_and(|mut file| {
            let mut last = [b'\n'];
            let read = file.seek(SeekFrom::End(-1)).and_then(|_| file.read_exact(&mut last));
            read.is_ok() && last != *b"\n"
        });
        if is_cut {
            file.write_all(b"\n")?;
        }
        Ok(RecordFile { file })
    }

    /// Adds a line in one write, so that only the last can be cut short.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.file.write_all(json_line(line).as_bytes())
    }
}

/// Anything as a line of JSON with its end.
pub fn json_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("plain data has a form in JSON");
    line.push('\n');
    line
}

/// Reads a line of JSON.
///
/// # Errors
/// It is no game record; `place` says where it stands.
pub fn read<T: for<'a> Deserialize<'a>>(place: &str, line: &str) -> Result<T, ParseError> {
    serde_json::from_str(line).map_err(|error| {
        let expected = format!("a game record ({error})");
        ParseError::new(place, quoted(line), expected)
    })
}

/// Milliseconds, to a thousandth.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::games::Hadron;

    fn record(moves: &str, result: Winner, cause: Cause, reason: &str) -> GameRecord {
        let moves = moves.split_whitespace().map(|text| RecordedMove {
            text: text.to_owned(),
            ms: 1.5,
            thought: Thought { value: Some(0.25), mate: Some(-3), ..Thought::default() },
        });
        GameRecord {
            key: Key { seed: 7, pair: 3, leg: 1 },
            game: "hadron2x2".to_owned(),
            white: "A".to_owned(),
            black: "B".to_owned(),
            board: None,
            opening: vec!["A1".to_owned()],
            moves: moves.collect(),
            result,
            cause,
            reason: reason.to_owned(),
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
             \"result\":\"1/2-1/2\",\"cause\":\"move-limit\",\"reason\":\"move limit\"}\n"
        );
        assert_eq!(read::<GameRecord>("here", &line), Ok(game.clone()));
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
            let checked = record(moves, result, cause, reason).check(Hadron::start(2, 2));
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
