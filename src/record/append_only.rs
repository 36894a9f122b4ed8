//! A file to which line after line is added.
//!
//! The one idea: what was written once survives, and what was written in part is removed, so that
//! the file always consists of whole lines.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::checked_line::json_line;
use super::game_record::{GameRecord, read};
use super::last_line::{LastLine, last_line};
use super::lock::{Lock, is_in_use};
use super::system_file::{Medium, SystemFile};

/// A file to which line after line is added.
#[derive(Debug)]
pub struct AppendOnlyFile<M = SystemFile> {
    medium: M,
    /// Bytes that are known to survive.
    safe: u64,
    /// Lines that are not written yet.
    waiting: Vec<u8>,
    /// Of a file that is there later.
    _lock: Option<Lock>,
}

impl AppendOnlyFile {
    /// Opens a file at its end, or makes it. A piece of a record at its end is removed; another
    /// last line gets its end.
    ///
    /// # Errors
    /// The system's, or that another process writes it.
    pub fn append(path: &Path) -> io::Result<AppendOnlyFile> {
        let medium = SystemFile::open(path, true)?;
        let lock = if medium.is_plain() { Some(Lock::take(path)?) } else { None };
        AppendOnlyFile::at_end(medium, lock)
    }

    /// The same, after waiting for another process that writes it, for at most so long.
    ///
    /// # Errors
    /// The same.
    pub fn append_in_turn(path: &Path, patience: Duration) -> io::Result<AppendOnlyFile> {
        let deadline = Instant::now() + patience;
        loop {
            match AppendOnlyFile::append(path) {
                Err(error) if is_in_use(&error) && Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(10));
                }
                opened => return opened,
            }
        }
    }
}

impl<M: Medium> AppendOnlyFile<M> {
    /// The same of any medium.
    ///
    /// # Errors
    /// The system's.
    pub fn at_end(medium: M, lock: Option<Lock>) -> io::Result<AppendOnlyFile<M>> {
        let mut file = AppendOnlyFile::new(medium, lock)?;
        let (start, bytes) = last_line(file.safe, |from| file.medium.read(from))?;
        match LastLine::of(&bytes) {
            None => {}
            Some(LastLine::LacksEnd) => {
                file.waiting.push(b'\n');
                file.commit()?;
            }
            Some(LastLine::IsCut) => {
                file.safe = start;
                file.medium.cut(file.safe)?;
                file.medium.sync()?;
            }
        }
        Ok(file)
    }

    /// A file that is read already, whose lines are whole. What is in it counts from now on: a run
    /// that was killed may have left it unsafe.
    ///
    /// # Errors
    /// The system's.
    pub fn new(mut medium: M, lock: Option<Lock>) -> io::Result<AppendOnlyFile<M>> {
        medium.sync()?;
        let safe = medium.length()?;
        Ok(AppendOnlyFile { medium, safe, waiting: Vec::new(), _lock: lock })
    }

    /// Adds a line, which [`AppendOnlyFile::commit`] writes.
    pub fn add(&mut self, line: &impl Serialize) {
        self.waiting.extend(json_line(line).as_bytes());
    }

    /// Adds text, which [`AppendOnlyFile::commit`] writes.
    pub fn add_text(&mut self, text: &str) {
        self.waiting.extend(text.as_bytes());
    }

    /// Adds the texts that the file does not have: an earlier run may have ended before it could.
    /// Each has a first line that begins with `beginning`, as no other line does. A piece of one of
    /// them at the end of the file is removed.
    ///
    /// # Errors
    /// The system's.
    pub fn add_missing_texts(
        &mut self,
        beginning: &str,
        texts: impl Iterator<Item = String>,
    ) -> io::Result<()> {
        let bytes = self.medium.read(0)?;
        let starts = starts_of(&bytes, beginning.as_bytes());
        let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
        let own: HashSet<&[u8]> = starts
            .iter()
            .zip(ends)
            .map(|(&start, end)| bytes[start..end].trim_ascii_end())
            .collect();
        let missing: Vec<String> =
            texts.filter(|text| !own.contains(text.trim_ascii_end().as_bytes())).collect();
        let is_piece = |start: usize| {
            // The end of its line may have been added when the file was opened.
            let piece = bytes[start..].strip_suffix(b"\n").unwrap_or(&bytes[start..]);
            missing.iter().any(|text| text.as_bytes().starts_with(piece))
        };
        // The last start may be a piece of another line.
        let last = &starts[starts.len().saturating_sub(2)..];
        if let Some(&start) = last.iter().find(|&&start| is_piece(start)) {
            self.safe = start as u64;
            self.medium.cut(self.safe)?;
            self.medium.sync()?;
        }
        missing.iter().for_each(|text| self.add_text(text));
        self.commit()
    }

    /// Writes all lines, and returns when they survive a loss of power. After an error the file has
    /// none of them, as far as the disk obeys.
    ///
    /// # Errors
    /// The system's.
    pub fn commit(&mut self) -> io::Result<()> {
        let lines = std::mem::take(&mut self.waiting);
        if lines.is_empty() {
            return Ok(());
        }
        let written = write_all(&mut self.medium, &lines).and_then(|()| self.medium.sync());
        match written {
            Ok(()) => self.safe += lines.len() as u64,
            Err(_) => {
                // What was refused must not be read later as if it were safe.
                let _ = self.medium.cut(self.safe).and_then(|()| self.medium.sync());
            }
        }
        written
    }

    /// Adds the games that the file does not have: an earlier run may have ended before it could.
    ///
    /// # Errors
    /// The system's.
    pub fn add_missing<'a>(
        &mut self,
        games: impl Iterator<Item = &'a GameRecord>,
    ) -> io::Result<()> {
        let bytes = self.medium.read(0)?;
        let text = String::from_utf8_lossy(&bytes);
        let records = text.lines().filter_map(|line| read::<GameRecord>("", line).ok());
        let own: HashSet<String> = records.map(|record| json_line(&record)).collect();
        games.filter(|game| !own.contains(&json_line(game))).for_each(|game| self.add(game));
        self.commit()
    }
}

/// Where the lines are that begin so; the last line may be a piece of it.
fn starts_of(bytes: &[u8], beginning: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    let lines = [0].into_iter().chain(ends.map(|(at, _)| at + 1));
    let is_start = |&at: &usize| {
        let line = &bytes[at..];
        let piece = line.strip_suffix(b"\n").unwrap_or(line);
        line.starts_with(beginning) || (!piece.is_empty() && beginning.starts_with(piece))
    };
    lines.filter(is_start).collect()
}

fn write_all(medium: &mut impl Medium, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match medium.append(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_cut_short_is_replaced_by_the_whole() {
        let games = ["[Event \"a\"]\n[Round \"1\"]\n\nA1 1-0\n\n", "[Event \"a\"]\n\nA2 0-1\n\n"];
        let whole = games.concat();
        let path = std::env::temp_dir().join(format!("alesia-texts-{}.pgn", std::process::id()));
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut file = AppendOnlyFile::append(&path).unwrap();
            let texts = games.iter().map(|text| (*text).to_owned());
            file.add_missing_texts("[Event ", texts).unwrap();
            drop(file);
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
            };
            assert_eq!(lines(&text), lines(&whole), "{length} bytes were there");
        }
        // What somebody else wrote stays, also without its end.
        std::fs::write(&path, "[Event \"b\"]\n\nA3 *").unwrap();
        let mut file = AppendOnlyFile::append(&path).unwrap();
        file.add_missing_texts("[Event ", [games[0].to_owned()].into_iter()).unwrap();
        drop(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("[Event \"b\"]\n\nA3 *\n{}", games[0]));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_record_begins_on_a_line_of_its_own_whatever_was_cut_before_it() {
        let path = std::env::temp_dir().join(format!("alesia-cut-{}.jsonl", std::process::id()));
        let long = format!("{{\"white\":\"{}", "x".repeat(3 * 4096));
        for (before, after) in [
            ("", ""),
            ("{\"a\":1}\n", "{\"a\":1}\n"),
            ("{\"a\":1}", "{\"a\":1}\n"),
            ("{\"a\":", ""),
            ("{\"a\":1}\n{\"a\"", "{\"a\":1}\n"),
            (&format!("{{\"a\":1}}\n{long}"), "{\"a\":1}\n"),
            (&long, ""),
        ] {
            std::fs::write(&path, before).unwrap();
            let mut file = AppendOnlyFile::append(&path).unwrap();
            file.add_text("{\"b\":1}\n");
            file.add_text("{\"b\":2}\n");
            file.commit().unwrap();
            let expected = format!("{after}{{\"b\":1}}\n{{\"b\":2}}\n");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "{before:.20}");
        }
        std::fs::remove_file(path).unwrap();
    }
}
