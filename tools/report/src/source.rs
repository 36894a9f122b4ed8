//! The content of a file, by its lines: games, runs with measurements, or the table of experiments.
//!
//! The one idea: a line that begins a match or a run says what the lines after it are; without one,
//! they are games. So a file may be the join of several.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use alesia::game::{ParseError, quoted, without_bom};
use alesia::record::game_record::{GameRecord, Key, after_piece, is_piece, read};
use alesia::record::measurements;
use alesia_answers::formats::Content;
use alesia_match::files::disk::LOST;
use alesia_match::files::match_file::Header;

use crate::run::{Head, Rows, Run};
use crate::strength::{Strength, table};

/// What a file should be.
const EXPECTED: &str =
    "game records, a match file (-config), measurements (--json) or the table of experiments";

/// A file.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is called.
    pub name: String,
    /// What it holds, in its order.
    pub parts: Vec<Part>,
    /// Whether its last line was cut short, and left out.
    pub is_cut: bool,
    /// Other lines that are only pieces of a record or that the disk has lost, and left out.
    pub pieces: usize,
}

/// A part of a file.
#[derive(Clone, Debug)]
pub enum Part {
    /// Games.
    Games(Games),
    /// A run with measurements.
    Run(Run),
    /// The charts of a table of experiments, which is alone in its file.
    Strength(Box<Strength>),
}

/// Games, of a match or not.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// The words of the match, where the file has them.
    pub words: Vec<String>,
    /// In the order of the file, each once.
    pub records: Vec<GameRecord>,
    /// Games that were there already, as where a part of a match was played again.
    pub again: usize,
    /// Where games are that may be the same.
    seen: HashMap<u64, Vec<usize>>,
}

impl Source {
    /// Reads a file's text.
    ///
    /// # Errors
    /// The first line that is none of what is expected; a last line without its end may be so.
    pub fn read(name: &str, text: &str) -> Result<Source, ParseError> {
        let text = without_bom(text);
        let mut source =
            Source { name: name.to_owned(), parts: Vec::new(), is_cut: false, pieces: 0 };
        if text.starts_with(table::BEGINNING) {
            source.parts.push(Part::Strength(Box::new(Strength::read(name, text)?)));
            return Ok(source);
        }
        check(name, text)?;
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let mut next = lines.next();
        while let Some((number, line)) = next {
            next = lines.next();
            let (place, line) = (format!("{name}, line {number}"), line.trim());
            let mut added = source.add(&place, line);
            if added.is_err()
                && let Some(after) = after_piece(line)
            {
                source.pieces += 1;
                added = source.add(&place, after);
            }
            if next.is_none() && !text.ends_with('\n') && !source.parts.is_empty() {
                source.is_cut = added.is_err();
            } else if added.is_err() && (is_piece(line) || line.contains(LOST)) {
                source.pieces += 1;
            } else {
                added?;
            }
        }
        match source.parts.is_empty() {
            true => Err(ParseError::new(name, "nothing", EXPECTED)),
            false => Ok(source),
        }
    }

    fn add(&mut self, place: &str, line: &str) -> Result<(), ParseError> {
        if line.starts_with("{\"match\":") {
            let Header { words, .. } = read(place, line)?;
            self.parts.push(Part::Games(Games { words, ..Games::default() }));
            return Ok(());
        }
        if line.starts_with(measurements::BEGINNING) {
            self.parts.push(Part::Run(run(place, line)?));
            return Ok(());
        }
        match self.parts.last_mut() {
            // A game ends the rows of a run.
            Some(Part::Run(Run { head, rows })) if !line.starts_with(GameRecord::BEGINNING) => {
                rows.add(line).map_err(|error| {
                    let expected = format!("a row of `{}` ({error})", head.run);
                    ParseError::new(place, quoted(line), expected)
                })
            }
            Some(Part::Games(games)) => {
                games.add(read(place, line)?);
                Ok(())
            }
            _ => {
                let mut games = Games::default();
                let record = read(place, line)
                    .map_err(|_: ParseError| ParseError::new(place, quoted(line), EXPECTED))?;
                games.add(record);
                self.parts.push(Part::Games(games));
                Ok(())
            }
        }
    }
}

impl Games {
    /// Other games of the same match.
    pub fn of(&self, records: Vec<GameRecord>) -> Games {
        let (words, again) = (self.words.clone(), self.again);
        Games { words, records, again, seen: HashMap::new() }
    }

    /// Adds a game, unless it is there already, as where parts of a match were joined.
    fn add(&mut self, record: GameRecord) {
        let same = self.seen.entry(hash_of(&record)).or_default();
        if same.iter().all(|&index| !is_the_same(&self.records[index], &record)) {
            same.push(self.records.len());
            self.records.push(record);
        } else {
            self.again += 1;
        }
    }
}

/// What a key says.
#[derive(PartialEq)]
enum Kind {
    /// A game of a match with a seed: which game it is.
    OfMatch,
    /// One of several games, of a match without a seed or imported.
    OfSeveral,
    /// Nothing, as in all records of single games.
    Single,
}

impl Kind {
    fn of(record: &GameRecord) -> Kind {
        match record.key {
            Key { seed: 1.., .. } => Kind::OfMatch,
            Key { seed: 0, pair: 0, leg: 0 } => Kind::Single,
            _ => Kind::OfSeveral,
        }
    }
}

/// What games have in common that are one game of a match, played twice. With a seed the moves may
/// be others, as times are.
fn place_in_match(record: &GameRecord) -> (Key, [&String; 3], [&Option<String>; 2], &[String]) {
    let GameRecord { key, game, white, black, board, definition, opening, .. } = record;
    (*key, [game, white, black], [board, definition], opening)
}

fn is_the_same(one: &GameRecord, other: &GameRecord) -> bool {
    let (is_same_place, is_same_result) =
        (place_in_match(one) == place_in_match(other), one.result == other.result);
    match Kind::of(one) {
        Kind::OfMatch => is_same_place,
        Kind::OfSeveral => is_same_place && is_same_result && moves(one).eq(moves(other)),
        Kind::Single => one == other,
    }
}

fn moves(record: &GameRecord) -> impl Iterator<Item = &String> {
    record.moves.iter().map(|m| &m.text)
}

/// The same for games that are the same.
fn hash_of(record: &GameRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    place_in_match(record).hash(&mut hasher);
    if Kind::of(record) != Kind::OfMatch {
        moves(record).for_each(|text| text.hash(&mut hasher));
    }
    hasher.finish()
}

/// Refuses a text that is something else as a whole.
fn check(name: &str, text: &str) -> Result<(), ParseError> {
    let found = match Content::of(text) {
        Content::Records => return Ok(()),
        Content::Table => "CSV".to_owned(),
        Content::Games(format) => {
            match (format.title(), text.lines().find(|l| !l.trim().is_empty())) {
                (Some(title), _) => {
                    let expected =
                        format!("{EXPECTED}; `alesia-lab games import` makes game records of it");
                    return Err(ParseError::new(name, title, expected));
                }
                (None, Some(line)) => quoted(line),
                (None, None) => "nothing".to_owned(),
            }
        }
    };
    Err(ParseError::new(name, found, EXPECTED))
}

/// The head of a run, without rows.
fn run(place: &str, line: &str) -> Result<Run, ParseError> {
    let head: Head = serde_json::from_str(line).map_err(|error| {
        ParseError::new(place, quoted(line), format!("the head of a run ({error})"))
    })?;
    let rows = Rows::of(&head.run);
    Ok(Run { head, rows })
}
