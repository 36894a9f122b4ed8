//! The state of a match on disk (`-config`), so that an interrupted match continues as if it had
//! not been interrupted.
//!
//! The one idea: the file has the match's words and then its game records, each safe on the disk
//! before it counts. An interruption costs at most what was not yet said to be written: a line that
//! is cut short, or bytes that the disk has lost. Those games are played again; with a node limit
//! they are the same games.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Write, stderr};
use std::path::Path;

use alesia::game::{ParseError, quoted, without_bom};
use alesia::games::AnyGame;
use serde::{Deserialize, Serialize};

use super::disk::{Medium, Stored};
use super::lock::Lock;
use super::record::{GameRecord, read};
use super::record_file::RecordFile;
use super::work::Terms;
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

/// The file of a match, which nobody else writes.
#[derive(Debug)]
pub struct MatchFile<M = Stored> {
    pub file: RecordFile<M>,
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
        match Stored::open(path, false) {
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
    ) -> Result<(RecordFile, Option<Saved>), CommandError> {
        let failed = |error: io::Error| CommandError::Failed(format!("{place}: {error}"));
        let is_new = opened.is_none();
        let opened = match opened {
            Some(opened) => opened,
            None => MatchFile::take(Stored::open(path, true).map_err(failed)?, path, place)?,
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

    fn take(file: Stored, path: &Path, place: &str) -> Result<MatchFile, CommandError> {
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
        Ok(MatchFile { file: RecordFile::new(file, lock).map_err(failed)?, saved })
    }
}

/// The content of the file of a match.
#[derive(Debug)]
pub struct Saved {
    /// Where the file is named.
    place: String,
    pub header: Header,
    /// Its games as they stand in the file, with the number of their lines.
    records: Vec<(usize, GameRecord)>,
    /// The numbers of lines that the disk has lost.
    lost: Vec<usize>,
}

impl Saved {
    /// The games by their numbers in the order of the match, each played again by the rules. What
    /// does not count is said by `warn`.
    ///
    /// # Errors
    /// A game that does not belong to it, or whose result is not that of its moves.
    pub fn games(
        self,
        terms: &Terms,
        warn: fn(&str),
    ) -> Result<BTreeMap<u64, GameRecord>, CommandError> {
        let mut games = BTreeMap::new();
        for line in self.lost {
            let what = "was lost by the disk; its game is played again";
            warn(&format!("{}, line {line} {what}", self.place));
        }
        for (line, record) in self.records {
            let place = format!("{}, line {line}", self.place);
            let number = check(terms, &record)
                .map_err(|error| at(error, &place, "or delete this line to play its game again"))?;
            match games.entry(number) {
                Entry::Vacant(entry) => {
                    entry.insert(record);
                }
                Entry::Occupied(_) => {
                    warn(&format!("{place} is a game that came before; it does not count"));
                }
            }
        }
        Ok(games)
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

/// Writes a line to standard error; if that is gone, nothing is lost.
pub fn warn(what: &str) {
    let _ = writeln!(stderr(), "alesia-lab: {what}");
}

/// The number of a game that belongs to a match and is right.
fn check(terms: &Terms, record: &GameRecord) -> Result<u64, CommandError> {
    let start = AnyGame::start(terms.game);
    let GameRecord { key, game, white, black, board, definition, opening, .. } = record;
    let no_game = || {
        let found = format!("seed {}, pair {}, leg {}", key.seed, key.pair, key.leg);
        ParseError::new("game", found, "a game of this match")
    };
    let number = terms.schedule.number(*key).ok_or_else(no_game)?;
    let task = terms.schedule.task(number);
    let [first, second] = task.players.map(|player| &terms.entrants[player].name);
    let own = format!("{} of {first} against {second}", terms.game);
    let found = format!("{game} of {white} against {black}");
    if own != found {
        return Err(ParseError::new("game", quoted(&found), quoted(&own)).into());
    }
    // Older records have no definition.
    if let (Some(then), Some(now)) = (definition, terms.game.fingerprint())
        && *then != now
    {
        let expected = format!("{}, as the rules are now", quoted(&now));
        return Err(ParseError::new("definition", quoted(then), expected).into());
    }
    let line = terms.openings.of_round(start, key.seed, task.round)?.line;
    if (&line.board, &line.moves) != (board, opening) {
        let shown = |board: &Option<String>, moves: &[String]| {
            [board.as_deref().unwrap_or("start"), &moves.join(" ")].join(", ")
        };
        let [found, own] = [shown(board, opening), shown(&line.board, &line.moves)];
        return Err(ParseError::new("opening", quoted(&found), quoted(&own)).into());
    }
    record.check(start)?;
    Ok(number)
}

/// An error with its place, and what else can be done.
fn at(error: CommandError, place: &str, or_else: &str) -> CommandError {
    match error {
        CommandError::Usage(text) => CommandError::Usage(format!("{place}, {text}, {or_else}")),
        other => other,
    }
}

/// What a disk has lost reads as this, which no line has.
pub const LOST: char = '\0';

/// Whether a line without an end is the beginning of a header, or all lost.
fn is_cut_header(line: &str) -> bool {
    const BEGINNING: &str = "{\"match\":[";
    let line = line.trim_end_matches(LOST);
    line.starts_with(BEGINNING) || BEGINNING.starts_with(line)
}
