//! The state of a match on disk (`-config`), so that an interrupted match continues as if it had
//! not been interrupted.
//!
//! The one idea: the file has the match's words and then its game records, each written at once.
//! After any interruption at most the last line is cut short, and its game is played again; with a
//! node limit it is the same game.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use alesia::game::{ParseError, quoted, without_bom};
use serde::{Deserialize, Serialize};

use super::record::{GameRecord, read};
use super::schedule::Schedule;
use crate::error::CommandError;

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    /// The words of the command line, without `-config` and its values; or a tournament's file.
    #[serde(rename = "match")]
    pub words: Vec<String>,
    /// The seed of a tournament's draw of lots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<u64>,
}

/// The content of the file of a match.
pub struct Saved {
    /// Where the file is named.
    place: String,
    pub header: Header,
    /// Its games as they stand in the file, with the number of their lines.
    records: Vec<(usize, GameRecord)>,
}

impl Saved {
    /// Reads the file of a match; none where there is none yet. A last line that is cut short is
    /// taken away. `place` says in errors where the file is named.
    ///
    /// # Errors
    /// The system's, or a line that belongs to no match; then nothing is changed.
    pub fn read(path: &Path, place: String) -> Result<Option<Saved>, CommandError> {
        let failed = |error| CommandError::Failed(format!("{place}: {error}"));
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // A line that is cut may end within a character.
        let text = String::from_utf8_lossy(if whole == 0 { &bytes } else { &bytes[..whole] });
        let mut lines = (1..).zip(without_bom(&text).lines());
        let saved = match lines.next() {
            None => None,
            Some((_, first)) if whole == 0 && is_cut_header(first) => None,
            Some((_, first)) => {
                let header = read(&format!("{place}, line 1"), first)?;
                let record =
                    |(number, line)| Ok((number, read(&format!("{place}, line {number}"), line)?));
                let records = lines.map(record).collect::<Result<_, ParseError>>()?;
                Some(Saved { place: place.clone(), header, records })
            }
        };
        if whole < bytes.len() {
            let file = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
            file.set_len(whole as u64).map_err(failed)?;
        }
        Ok(saved)
    }

    /// The games by their numbers in the order of the match.
    ///
    /// # Errors
    /// A game that does not belong to it.
    pub fn games(self, schedule: &Schedule) -> Result<BTreeMap<u64, GameRecord>, CommandError> {
        let numbered = self.records.into_iter().map(|(line, record)| {
            let number = schedule.number(record.key).ok_or_else(|| {
                let place = format!("{}, line {line}", self.place);
                let key = record.key;
                let found = format!("seed {}, pair {}, leg {}", key.seed, key.pair, key.leg);
                ParseError::new(place, found, "a game of this match")
            })?;
            Ok((number, record))
        });
        numbered.collect()
    }

    /// Checks that the words of a command line, or the lines of a tournament's file, are those of
    /// this file. `place` says where they are counted, `or_else` what else could be done.
    ///
    /// # Errors
    /// The first that differs.
    pub fn check(&self, words: &[String], place: &str, or_else: &str) -> Result<(), CommandError> {
        let saved = &self.header.words;
        if saved == words {
            return Ok(());
        }
        let at = saved.iter().zip(words).take_while(|(saved, word)| saved == word).count();
        let show =
            |words: &[String]| words.get(at).map_or("the end".to_owned(), |word| quoted(word));
        let expected = format!("{}, as in {}, or {or_else}", show(saved), self.place);
        Err(ParseError::new(format!("{place} {}", at + 1), show(words), expected).into())
    }
}

/// Whether a line without an end is the beginning of a header.
fn is_cut_header(line: &str) -> bool {
    const BEGINNING: &str = "{\"match\":[";
    line.starts_with(BEGINNING) || BEGINNING.starts_with(line)
}
