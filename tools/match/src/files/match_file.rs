//! The file of a match (`-config`, or a tournament's), so that it can continue.
//!
//! The one idea: the file has the match's words and then its game records, each safe on the disk
//! before it counts. An interruption costs at most what was not yet said to be written: a line that
//! is cut short, or bytes that the disk has lost.

use std::io;
use std::path::Path;

use alesia::game::{ParseError, quoted, without_bom};
use serde::{Deserialize, Serialize};

use super::disk::LOST;
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::game_record::{GameRecord, read};
use alesia::record::lock::Lock;
use alesia::record::system_file::{Medium, SystemFile};
use alesia::words::command_error::CommandError;

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

/// The file of a match, which nobody else writes.
#[derive(Debug)]
pub struct MatchFile<M = SystemFile> {
    pub file: AppendOnlyFile<M>,
    /// Its content; none where the match has not begun.
    pub saved: Option<Saved>,
}

impl MatchFile {
    /// Opens the file of a match; none where there is none yet. `place` says in errors where the
    /// file is named.
    ///
    /// # Errors
    /// As for [`MatchFile::restore`], or that another process writes it.
    pub fn open(path: &Path, place: &str) -> Result<Option<MatchFile>, CommandError> {
        match SystemFile::open(path, false) {
            Ok(file) => MatchFile::take(file, path, place).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(CommandError::Failed(format!("{place}: {error}"))),
        }
    }

    /// Begins a match in the file that was opened, or in a new one, with its head as the first
    /// line; a match that has begun goes on. Returns the file, and what it held.
    ///
    /// # Errors
    /// The system's, or that somebody else has just made it.
    pub fn begin(
        opened: Option<MatchFile>,
        path: &Path,
        place: &str,
        head: &Header,
    ) -> Result<(AppendOnlyFile, Option<Saved>), CommandError> {
        let failed = |error: io::Error| CommandError::Failed(format!("{place}: {error}"));
        let is_new = opened.is_none();
        let opened = match opened {
            Some(opened) => opened,
            None => MatchFile::take(SystemFile::open(path, true).map_err(failed)?, path, place)?,
        };
        let MatchFile { mut file, saved } = opened;
        if is_new && saved.is_some() {
            let text = "found a match that has just begun, expected none; run the command again";
            return Err(CommandError::Failed(format!("{place}: {text}")));
        }
        if saved.is_none() {
            file.add(head);
            file.commit().map_err(failed)?;
        }
        Ok((file, saved))
    }

    fn take(file: SystemFile, path: &Path, place: &str) -> Result<MatchFile, CommandError> {
        let failed = |error: io::Error| CommandError::Failed(format!("{place}: {error}"));
        if !file.is_plain() {
            return Err(failed(io::Error::other("found a device or a pipe, expected a file")));
        }
        let lock = Lock::take(path).map_err(failed)?;
        MatchFile::restore(file, Some(lock), place)
    }
}

impl<M: Medium> MatchFile<M> {
    /// Reads the file of a match. A last line that is cut short is taken away.
    ///
    /// # Errors
    /// The system's, or a line that belongs to no match; then nothing is changed.
    pub fn restore(
        mut file: M,
        lock: Option<Lock>,
        place: &str,
    ) -> Result<MatchFile<M>, CommandError> {
        let failed = |error: io::Error| CommandError::Failed(format!("{place}: {error}"));
        let bytes = file.read(0).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        // A line that is cut may end within a character.
        let text = String::from_utf8_lossy(if whole == 0 { &bytes } else { &bytes[..whole] });
        let mut lines = (1..).zip(without_bom(&text).lines());
        let saved = match lines.next() {
            None => None,
            Some((_, first)) if whole == 0 && is_cut_header(first) => None,
            Some((_, first)) => {
                let header = read(&format!("{place}, line 1"), first)?;
                let (mut records, mut lost) = (Vec::new(), Vec::new());
                for (number, line) in lines {
                    let place = format!("{place}, line {number}");
                    if line.contains(LOST) {
                        lost.push(number);
                        continue;
                    }
                    records.push((number, read(&place, line)?));
                }
                Some(Saved { place: place.to_owned(), header, records, lost })
            }
        };
        if whole < bytes.len() {
            file.cut(whole as u64).map_err(failed)?;
        }
        Ok(MatchFile { file: AppendOnlyFile::new(file, lock).map_err(failed)?, saved })
    }
}

/// The content of the file of a match.
#[derive(Debug)]
pub struct Saved {
    /// Where the file is named.
    pub place: String,
    pub header: Header,
    /// Its games as they stand in the file, with the number of their lines.
    pub records: Vec<(usize, GameRecord)>,
    /// The numbers of lines that the disk has lost.
    pub lost: Vec<usize>,
}

impl Saved {
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

/// Whether a line without an end is the beginning of a header, or all lost.
fn is_cut_header(line: &str) -> bool {
    const BEGINNING: &str = "{\"match\":[";
    let line = line.trim_end_matches(LOST);
    line.starts_with(BEGINNING) || BEGINNING.starts_with(line)
}
