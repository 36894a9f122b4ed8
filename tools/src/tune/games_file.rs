//! A file of games: a head, which has the settings and perhaps the shard, and a line for each game.
//!
//! The one idea: the file is read line by line and never whole. Games stand in the order of their
//! numbers, so the place of a line and the shard say which game it is. Only the last line can be
//! cut short, as each is written at once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use alesia::eval::Evaluate;
use alesia::game::{ParseError, plain_file, quoted, without_bom};
use alesia::words::command_error::CommandError;
use alesia_match::files::disk::LONGEST_LINE;

use super::record::SelfPlayRecord;
use super::shard::Shard;

/// What stands between the settings and a shard.
const BEFORE_SHARD: &str = " shard=";

/// Max characters of a head that are shown whole.
const LONGEST_HEAD: usize = 200;

/// The head of the games of some settings: all of them, or a shard.
pub fn head(settings: &str, shard: Option<Shard>) -> String {
    match shard {
        Some(shard) => format!("{settings}{BEFORE_SHARD}{shard}"),
        None => settings.to_owned(),
    }
}

/// The shard that a head names, if it is one of these settings; all games where it names none.
pub fn shard_of(head: &str, settings: &str) -> Option<Shard> {
    match head.strip_prefix(settings)? {
        "" => Some(Shard::WHOLE),
        rest => rest.strip_prefix(BEFORE_SHARD)?.parse().ok(),
    }
}

/// A head as an error shows it; another line may be long.
pub fn shown(head: &str) -> String {
    let is_plain = head.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    if is_plain && head.len() <= LONGEST_HEAD { format!("`{head}`") } else { quoted(head) }
}

/// An error of the system.
pub fn failed(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("{}: {error}", path.display()))
}

/// The lines of a file.
pub struct Lines {
    path: PathBuf,
    stream: BufReader<File>,
    bytes: Vec<u8>,
    text: String,
    /// How many whole lines have been read, and their bytes.
    count: usize,
    length: u64,
}

impl Lines {
    /// # Errors
    /// The system's, or that it is no file.
    pub fn open(path: &Path) -> io::Result<Lines> {
        Ok(Lines {
            path: path.to_owned(),
            stream: BufReader::new(plain_file::open(path)?),
            bytes: Vec::new(),
            text: String::new(),
            count: 0,
            length: 0,
        })
    }

    /// The next line that is whole.
    ///
    /// # Errors
    /// The system's, or a line without end.
    pub fn next_whole(&mut self) -> Result<Option<&str>, CommandError> {
        self.bytes.clear();
        let read = (&mut self.stream).take(LONGEST_LINE + 1).read_until(b'\n', &mut self.bytes);
        let length = read.map_err(|error| failed(&self.path, &error))? as u64;
        if length > LONGEST_LINE {
            let found = format!("a line of more than {} MiB", LONGEST_LINE >> 20);
            let place = place(&self.path, self.count + 1);
            return Err(ParseError::new(place, found, "a game in each line").into());
        }
        let Some(line) = self.bytes.strip_suffix(b"\n") else { return Ok(None) };
        (self.count, self.length) = (self.count + 1, self.length + length);
        self.text = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
        let is_first = self.count == 1;
        Ok(Some(if is_first { without_bom(&self.text) } else { &self.text }))
    }

    /// What stands after the last whole line, once that has been read: a line that was cut short.
    pub fn cut(&self) -> &[u8] {
        if self.bytes.ends_with(b"\n") { &[] } else { &self.bytes }
    }

    /// The bytes of the whole lines that have been read.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Where the line is that comes next.
    pub fn place(&self) -> String {
        place(&self.path, self.count + 1)
    }
}

/// A line of a file, as errors name it.
fn place(path: &Path, number: usize) -> String {
    format!("{}, line {number}", path.display())
}

/// The games of a file behind its head.
pub struct Games<G> {
    start: G,
    pub lines: Lines,
    shard: Shard,
    /// How many have been read.
    count: usize,
}

impl<G: Evaluate> Games<G> {
    /// The games that follow in a file; `start` is where they start.
    pub fn new(start: G, lines: Lines, shard: Shard) -> Games<G> {
        Games { start, lines, shard, count: 0 }
    }

    /// How many have been read.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of the game that comes next.
    pub fn next_number(&self) -> u64 {
        self.shard.number(self.count)
    }

    /// Reads the next game, and plays it by the rules.
    ///
    /// # Errors
    /// The system's, or the line is none.
    pub fn next_game(&mut self) -> Result<Option<SelfPlayRecord>, CommandError> {
        let place = self.lines.place();
        let Some(line) = self.lines.next_whole()? else { return Ok(None) };
        let record = SelfPlayRecord::read(self.start, line).map_err(|e| e.within(place))?;
        self.count += 1;
        Ok(Some(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_of_settings_and_perhaps_of_a_shard() {
        let settings = "murus mcts nodes=5 seed=1";
        let shard: Shard = "2/4".parse().unwrap();
        assert_eq!(head(settings, Some(shard)), "murus mcts nodes=5 seed=1 shard=2/4");
        for shard in [None, Some(shard)] {
            let found = shard_of(&head(settings, shard), settings);
            assert_eq!(found, Some(shard.unwrap_or(Shard::WHOLE)));
        }
        for other in
            ["murus mcts nodes=5 seed=12", "murus mcts nodes=5 seed=1 shard=4/4", "loa", ""]
        {
            assert_eq!(shard_of(other, settings), None, "{other}");
        }
    }

    #[test]
    fn only_whole_lines_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.games");
        for (text, expected, cut) in [
            ("", &[][..], ""),
            ("a", &[], "a"),
            ("a\r\nb\n", &["a", "b"], ""),
            ("\u{feff}a\n\nb", &["a", ""], "b"),
        ] {
            std::fs::write(&path, text).unwrap();
            let mut lines = Lines::open(&path).unwrap();
            let mut found = Vec::new();
            while let Some(line) = lines.next_whole().unwrap() {
                found.push(line.to_owned());
            }
            assert_eq!((found.concat(), found.len()), (expected.concat(), expected.len()));
            assert_eq!(lines.cut(), cut.as_bytes());
            assert_eq!(lines.length() as usize, text.len() - cut.len());
        }
    }
}
