//! The content of a file, by its lines: games, or runs with measurements.
//!
//! The one idea: a line that begins a match or a run says what the lines after it are; without one,
//! they are games. So a file may be the join of several.

use std::collections::HashMap;

use alesia::game::{ParseError, quoted, without_bom};
use alesia::measurements;
use alesia_match::formats::Content;
use alesia_match::record::{GameRecord, Key, read};
use alesia_match::resume::Header;

use crate::run::{Head, Rows, Run};

/// What a file should be.
const EXPECTED: &str = "game records, a match file (-config) or measurements (--json)";

/// A file.
#[derive(Clone, Debug)]
pub struct Source {
    /// As it is called.
    pub name: String,
    /// What it holds, in its order.
    pub parts: Vec<Part>,
    /// Whether its last line was cut short, and left out.
    pub is_cut: bool,
}

/// A part of a file.
#[derive(Clone, Debug)]
pub enum Part {
    /// Games.
    Games(Games),
    /// A run with measurements.
    Run(Run),
}

/// Games, of a match or not.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// The words of the match, where the file has them.
    pub words: Vec<String>,
    /// In the order of the file, each once.
    pub records: Vec<GameRecord>,
    /// The last game of each key. Records that are not of a match all have the same.
    last: HashMap<Key, usize>,
}

impl Source {
    /// Reads a file's text.
    ///
    /// # Errors
    /// The first line that is none of what is expected; a last line without its end may be so.
    pub fn read(name: &str, text: &str) -> Result<Source, ParseError> {
        let text = without_bom(text);
        let mut source = Source { name: name.to_owned(), parts: Vec::new(), is_cut: false };
        check(name, text)?;
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let mut next = lines.next();
        while let Some((number, line)) = next {
            next = lines.next();
            let added = source.add(&format!("{name}, line {number}"), line.trim());
            if next.is_none() && !text.ends_with('\n') && !source.parts.is_empty() {
                source.is_cut = added.is_err();
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
    /// Adds a game, unless it is there already, as where parts of a match were joined.
    fn add(&mut self, record: GameRecord) {
        let last = self.last.get(&record.key).map(|&index| &self.records[index]);
        if last != Some(&record) {
            self.last.insert(record.key, self.records.len());
            self.records.push(record);
        }
    }
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
                        format!("{EXPECTED}; `alesia-lab import` makes game records of it");
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
    let rows = Rows::of(&head.run).ok_or_else(|| {
        let expected = format!("one of {}", Rows::RUNS.join(", "));
        ParseError::new(format!("{place}, run"), quoted(&head.run), expected)
    })?;
    Ok(Run { head, rows })
}
