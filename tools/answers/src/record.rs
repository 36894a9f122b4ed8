//! The record of a game that was played on a page, to be taken home.

use alesia::game::{Outcome, ParseError, Side};
use alesia::games::GameSpec;
use alesia::record::checked_line::json_line;
use alesia::record::end::Cause;
use alesia::record::game_record::{Date, GameRecord, Key, Occasion, RecordedMove, Winner};
use alesia::record::thought::Thought;
use serde::Deserialize;

use crate::formats::notes::Note;
use crate::formats::{Format, UNFINISHED};
use crate::report_view::{Colour, ReportView, for_white};

/// A game that is over and has a result.
#[derive(Deserialize)]
pub struct Finished {
    pub game: String,
    pub board: Option<String>,
    pub white: String,
    pub black: String,
    pub date: Option<Date>,
    /// The moves that it was set up with.
    pub opening: Vec<String>,
    pub moves: Vec<PlayedMove>,
    /// None in a draw.
    pub winner: Option<Colour>,
    /// Empty where the game has no result.
    #[serde(default)]
    pub reason: String,
    /// Whether the rules ended it, not a person.
    pub by_rule: bool,
    /// None: a game record.
    pub format: Option<String>,
    /// What a person has written to the moves, those of the opening included.
    #[serde(default)]
    pub notes: Vec<Note>,
}

/// A move with what is known of it.
#[derive(Deserialize)]
pub struct PlayedMove {
    #[serde(rename = "move")]
    pub text: String,
    pub side: Colour,
    pub ms: Option<f64>,
    pub report: Option<ReportView>,
}

impl Finished {
    fn record(self, game: GameSpec) -> GameRecord {
        let outcome = match self.winner {
            Some(side) => Outcome::Win(side.into()),
            None => Outcome::Draw,
        };
        GameRecord {
            key: Key { seed: 0, pair: 0, leg: 0 },
            game: game.to_string(),
            white: self.white,
            black: self.black,
            board: self.board,
            definition: game.fingerprint(),
            rules: game.fingerprint().and_then(|_| game.source()),
            occasion: Occasion { date: self.date, ..Occasion::default() },
            opening: self.opening,
            moves: self.moves.into_iter().map(PlayedMove::recorded).collect(),
            result: Winner::from(outcome),
            // A player has given up, or a referee elsewhere has decided.
            cause: if self.by_rule { Cause::Rule } else { Cause::Reported },
            reason: if self.reason.is_empty() { UNFINISHED.to_owned() } else { self.reason },
        }
    }
}

impl PlayedMove {
    fn recorded(self) -> RecordedMove {
        let mover: Side = self.side.into();
        let report = self.report.as_ref();
        let thought = Thought {
            value: report.and_then(|report| report.value).map(|value| for_white(value, mover)),
            depth: report.and_then(|report| report.depth),
            nodes: report.and_then(|report| report.nodes),
            ..Thought::default()
        };
        RecordedMove { text: self.text, ms: self.ms, thought }
    }
}

/// A game as the line that `alesia-lab match -pgnout` writes, or in another form, by the rules of a
/// game that is read already.
///
/// # Errors
/// The form is unknown, or not for that game.
pub fn text_by(mut finished: Finished, game: GameSpec) -> Result<String, ParseError> {
    let notes = std::mem::take(&mut finished.notes);
    let format: Option<Format> = finished.format.as_deref().map(str::parse).transpose()?;
    let record = finished.record(game);
    match format {
        None => Ok(json_line(&record)),
        Some(format) => Ok(format.head() + &format.text_with(&record, game, &notes)?),
    }
}

/// The same of a game as it is named.
///
/// # Errors
/// There is no such game or form.
pub fn text(finished: Finished) -> Result<String, ParseError> {
    let game = finished.game.parse()?;
    text_by(finished, game)
}
