//! The state of a match on disk (`-config`), so that an interrupted one goes on as if it had not
//! been.
//!
//! The one idea: the file is the match's words and then its game records as they come in, each
//! written at once. Whatever ends the match, at most the last line is cut short, and its game is
//! played again; by nodes it is the same.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use alesia::game::{ParseError, quoted};
use serde::{Deserialize, Serialize};

use super::record::{Record, read};
use super::schedule::Schedule;
use crate::CommandError;

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

/// What is in the file of a match.
pub struct Saved {
    /// What match it is.
    pub header: Header,
    /// Its games as they stand in the file, with the number of their lines.
    records: Vec<(usize, Record)>,
}

impl Saved {
    /// Reads the file of a match; none where there is none yet. A last line that is cut short is
    /// taken away.
    ///
    /// # Errors
    /// The system's, or a line that belongs to no match.
    pub fn read(path: &Path) -> Result<Option<Saved>, CommandError> {
        let place = format!("-config, file={}", path.display());
        let failed = |error| CommandError::Failed(format!("{place}: {error}"));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            let file = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
            file.set_len(whole as u64).map_err(failed)?;
        }
        let mut lines = (1..).zip(text[..whole].lines());
        let Some((_, first)) = lines.next() else { return Ok(None) };
        let header = read(&format!("{place}, line 1"), first)?;
        let record = |(number, line)| Ok((number, read(&format!("{place}, line {number}"), line)?));
        let records = lines.map(record).collect::<Result<_, ParseError>>()?;
        Ok(Some(Saved { header, records }))
    }

    /// The games by their numbers in the order of the match.
    ///
    /// # Errors
    /// A game that does not belong to it.
    pub fn games(
        self,
        schedule: &Schedule,
        path: &Path,
    ) -> Result<BTreeMap<u64, Record>, CommandError> {
        let numbered = self.records.into_iter().map(|(line, record)| {
            let number = schedule.number(record.key).ok_or_else(|| {
                let place = format!("-config, file={}, line {line}", path.display());
                let key = record.key;
                let found = format!("seed {}, pair {}, leg {}", key.seed, key.pair, key.leg);
                ParseError::new(place, found, "a game of this match")
            })?;
            Ok((number, record))
        });
        numbered.collect()
    }

    /// Checks that the words of a command line are those of the file.
    ///
    /// # Errors
    /// The first that differs.
    pub fn check(&self, words: &[String]) -> Result<(), CommandError> {
        let saved = &self.header.words;
        if saved == words {
            return Ok(());
        }
        let at = saved.iter().zip(words).take_while(|(saved, word)| saved == word).count();
        let show =
            |words: &[String]| words.get(at).map_or("the end".to_owned(), |word| quoted(word));
        let expected = format!("{}, as in the file, or -config alone", show(saved));
        Err(ParseError::new(format!("match, word {}", at + 1), show(words), expected).into())
    }
}
