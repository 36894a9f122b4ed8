//! `alesia.Record`: a recorded game, the JSON line of the lab.
//!
//! The one idea: a record is a position with its moves, and what its players said of them; it is
//! checked by the rules whenever one is made.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use alesia::game::{ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::checked_line::json_line;
use alesia::record::end::Cause;
use alesia::record::game_record::Date;
use alesia::record::game_record::{self, GameRecord, Key, Occasion, Winner};
use alesia::record::record_file::check_content;
use alesia::record::thought::Thought;
use alesia_match::files::record_reader::for_each;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::analysis::Analysis;
use crate::error::{of_command, refused};
use crate::position::{AnyMove, Position, loaded};
use crate::unlocked::unlocked;

/// A move of a record with what its player said of it.
#[pyclass(frozen, get_all, skip_from_py_object, module = "alesia")]
#[derive(Clone)]
pub struct RecordedMove {
    /// In the game's notation.
    r#move: String,
    /// Milliseconds it took.
    ms: Option<f64>,
    /// The expected result for the mover, 0 to 1.
    value: Option<f32>,
    /// The score in centipawns, of an external program.
    cp: Option<i32>,
    /// The mover's own moves to its proven win, negative to its loss.
    mate: Option<i32>,
    /// Plies searched.
    depth: Option<u32>,
    /// Iterations or positions.
    nodes: Option<u64>,
}

#[pymethods]
impl RecordedMove {
    fn __repr__(&self) -> String {
        format!("<alesia.RecordedMove {}>", self.r#move)
    }
}

/// A finished game.
#[pyclass(frozen, module = "alesia")]
pub struct Record(GameRecord);

/// A result in the word of the record's JSON, such as `1-0`.
fn winner(text: &str) -> PyResult<Winner> {
    serde_json::from_value(Value::from(text)).map_err(|error| {
        let expected = format!("a word of game records ({error})");
        refused(ParseError::new("result", quoted(text), expected))
    })
}

fn without_result() -> PyErr {
    let found = "none, and a game that is not over";
    refused(ParseError::new("result", found, "1-0, 0-1 or 1/2-1/2"))
}

/// The game of a record, also where its rules were read from a text.
fn spec(record: &GameRecord) -> Result<GameSpec, ParseError> {
    match loaded(&record.game) {
        Some(game) if game.fingerprint() == record.definition => Ok(game),
        _ => record.spec(),
    }
}

/// A day, as records have it.
fn day(text: &str) -> Result<Date, ParseError> {
    text.parse().map_err(|_| ParseError::new("date", quoted(text), "a day such as 2026-11-27"))
}

/// Whether a record is right by the rules.
fn check(record: &GameRecord) -> Result<(), ParseError> {
    record.check(AnyGame::start(spec(record)?))
}

/// The word of a result.
fn text_of(winner: Winner) -> String {
    match serde_json::to_value(winner) {
        Ok(Value::String(text)) => text,
        other => unreachable!("{other:?} is no word"),
    }
}

/// What the lab writes of a search.
fn thought(analysis: &Analysis) -> Thought {
    analysis.thought.unwrap_or_default()
}

/// Moves with what the engines thought and how long, for each where there is any.
fn recorded(
    played: Vec<String>,
    analyses: Option<Vec<Option<Py<Analysis>>>>,
    ms: Option<Vec<Option<f64>>>,
) -> PyResult<Vec<game_record::RecordedMove>> {
    let notes = |place: &str, count: Option<usize>| match count {
        Some(count) if count != played.len() => {
            let expected = format!("{}, one for each move after the opening", played.len());
            Err(refused(ParseError::new(place, count.to_string(), expected)))
        }
        _ => Ok(()),
    };
    notes("analyses", analyses.as_ref().map(Vec::len))?;
    notes("ms", ms.as_ref().map(Vec::len))?;
    let analysis = |index: usize| analyses.as_ref()?[index].as_ref().map(Py::get);
    let moves = played.iter().enumerate().map(|(index, text)| game_record::RecordedMove {
        text: text.clone(),
        ms: ms.as_ref().and_then(|ms| ms[index]),
        thought: analysis(index).map_or(Thought::default(), thought),
    });
    Ok(moves.collect())
}

impl Record {
    /// The position before the first move.
    fn begin(&self) -> PyResult<Position> {
        Position::begin(spec(&self.0).map_err(refused)?, self.0.board.as_deref())
    }

    /// The moves from the beginning.
    fn all_moves(&self) -> Vec<AnyMove> {
        self.0.line().moves.into_iter().map(AnyMove::Text).collect()
    }

    /// The same record if it is right by the rules.
    fn checked(self) -> PyResult<Record> {
        check(&self.0).map_err(refused)?;
        Ok(self)
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (position, *, white = "White", black = "Black", opening = 0,
                        analyses = None, ms = None, result = None, cause = "reported",
                        reason = "", date = None, seed = 0, pair = 0, leg = 0))]
    #[allow(clippy::too_many_arguments)] // each has a name in Python
    fn new(
        position: &Position,
        white: &str,
        black: &str,
        opening: usize,
        analyses: Option<Vec<Option<Py<Analysis>>>>,
        ms: Option<Vec<Option<f64>>>,
        result: Option<&str>,
        cause: &str,
        reason: &str,
        date: Option<&str>,
        seed: u64,
        pair: u32,
        leg: u8,
    ) -> PyResult<Record> {
        let mut opening_moves = position.texts()?;
        let most = opening_moves.len();
        if opening > most {
            let found = format!("{opening} moves");
            return Err(refused(ParseError::new("opening", found, format!("at most {most}"))));
        }
        let played = opening_moves.split_off(opening);
        let moves = recorded(played, analyses, ms)?;
        let (result, cause, reason) = match position.state.ending() {
            Some(end) if result.is_none() => {
                (end.outcome.into(), Cause::Rule, end.rule.to_string())
            }
            _ => (
                winner(result.ok_or_else(without_result)?)?,
                cause.parse().map_err(refused)?,
                reason.to_owned(),
            ),
        };
        if leg > 1 {
            return Err(refused(ParseError::new("leg", leg.to_string(), "0 or 1")));
        }
        let date = date.map(day).transpose().map_err(refused)?;
        let record = GameRecord {
            key: Key { seed, pair, leg },
            game: position.game.to_string(),
            white: white.to_owned(),
            black: black.to_owned(),
            board: position.origin.as_deref().map(str::to_owned),
            definition: position.game.fingerprint(),
            rules: None,
            occasion: Occasion { date, ..Occasion::default() },
            opening: opening_moves,
            moves,
            result,
            cause,
            reason,
        };
        Record(record).checked()
    }

    /// Reads a line of the lab, and checks it by the rules; `place` says in errors where it stands.
    #[staticmethod]
    #[pyo3(signature = (line, place = "record"))]
    fn from_json(line: &str, place: &str) -> PyResult<Record> {
        Record(game_record::read(place, line).map_err(refused)?).checked()
    }

    /// The line of the lab, without its end.
    fn to_json(&self) -> String {
        json_line(&self.0).trim_end().to_owned()
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyResult<Position> {
        self.begin()
    }

    /// The last position.
    #[getter]
    fn position(&self) -> PyResult<Position> {
        self.begin()?.after_all(&self.all_moves())
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.0.game
    }

    /// The first player.
    #[getter]
    fn white(&self) -> &str {
        &self.0.white
    }

    /// The second player.
    #[getter]
    fn black(&self) -> &str {
        &self.0.black
    }

    /// The moves of the opening, not chosen by the players.
    #[getter]
    fn opening(&self) -> Vec<String> {
        self.0.opening.clone()
    }

    /// The moves of the players.
    #[getter]
    fn moves(&self) -> Vec<RecordedMove> {
        let copy = |played: &game_record::RecordedMove| {
            let Thought { value, cp, mate, depth, nodes } = played.thought;
            let (r#move, ms) = (played.text.clone(), played.ms);
            RecordedMove { r#move, ms, value, cp, mate, depth, nodes }
        };
        self.0.moves.iter().map(copy).collect()
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    #[getter]
    fn result(&self) -> String {
        text_of(self.0.result)
    }

    /// What decided the game, such as `rule`.
    #[getter]
    fn cause(&self) -> String {
        self.0.cause.to_string()
    }

    /// The same in words.
    #[getter]
    fn reason(&self) -> &str {
        &self.0.reason
    }

    /// The day on which it began, such as `2026-11-27`, in universal time; none where unknown.
    #[getter]
    fn date(&self) -> Option<String> {
        self.0.occasion.date.map(|date| date.to_string())
    }

    /// The seed of the match.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.key.seed
    }

    /// The number of the pair of games in the match, from 0.
    #[getter]
    fn pair(&self) -> u32 {
        self.0.key.pair
    }

    /// 0: the match's first player is White; 1: it is Black.
    #[getter]
    fn leg(&self) -> u8 {
        self.0.key.leg
    }

    fn __eq__(&self, other: &Record) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        let GameRecord { game, white, black, key, .. } = &self.0;
        let mut hasher = DefaultHasher::new();
        (game, white, black, key.pair, key.leg, self.0.moves.len()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let GameRecord { game, white, black, .. } = &self.0;
        format!("<alesia.Record {game} {white} - {black} {}>", self.result())
    }
}

/// Reads the records of a file, such as the lab's `-jsonlout` and the player's `--record` write.
#[pyfunction]
pub fn read_records(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Record>> {
    let mut records = Vec::new();
    let read = unlocked(py, || {
        for_each(&path, |place, record| {
            let record = record?;
            check(&record).map_err(|error| error.within(place))?;
            records.push(Record(record));
            Ok(())
        })
    })?;
    read.map_err(of_command)?;
    Ok(records)
}

/// Appends records to a file, or makes it; returns when they survive a loss of power.
#[pyfunction]
pub fn write_records(py: Python<'_>, path: PathBuf, records: Vec<Py<Record>>) -> PyResult<()> {
    let failed = |error| PyOSError::new_err(format!("{}: {error}", path.display()));
    if let Err(error) = unlocked(py, || check_content(&path))? {
        // What has no number of the system's is a refusal of the program.
        let ours = error.raw_os_error().is_none();
        return Err(if ours {
            refused(format!("{}: {error}", path.display()))
        } else {
            failed(error)
        });
    }
    unlocked(py, || {
        let mut file = AppendOnlyFile::append(&path)?;
        records.iter().for_each(|record| file.add(&record.get().0));
        file.commit()
    })?
    .map_err(failed)
}
