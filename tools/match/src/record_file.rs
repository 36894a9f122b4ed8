//! A file to which game after game is added.
//!
//! The one idea: what was written once survives, and what was written in part is removed, so that
//! the file always consists of whole lines.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use alesia::record_file::{LastLine, last_line};
use serde::Serialize;

use super::checked_line::json_line;
use super::disk::{Medium, Stored};
use super::lock::Lock;
use super::record::{GameRecord, read};

/// A file to which game after game is added.
#[derive(Debug)]
pub struct RecordFile<M = Stored> {
    medium: M,
    /// Bytes that are known to survive.
    safe: u64,
    /// Lines that are not written yet.
    waiting: Vec<u8>,
    /// Of a file that is there later.
    _lock: Option<Lock>,
}

impl RecordFile {
    /// Opens a file at its end, or makes it. A piece of a record at its end is removed; another
    /// last line gets its end.
    ///
    /// # Errors
    /// The system's, or that another process writes it.
    pub fn append(path: &Path) -> io::Result<RecordFile> {
        let medium = Stored::open(path, true)?;
        let lock = if medium.is_plain() { Some(Lock::take(path)?) } else { None };
        RecordFile::at_end(medium, lock)
    }
}

impl<M: Medium> RecordFile<M> {
    /// The same of any medium.
    ///
    /// # Errors
    /// The system's.
    pub fn at_end(medium: M, lock: Option<Lock>) -> io::Result<RecordFile<M>> {
        let mut file = RecordFile::new(medium, lock)?;
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
    pub fn new(mut medium: M, lock: Option<Lock>) -> io::Result<RecordFile<M>> {
        medium.sync()?;
        let safe = medium.length()?;
        Ok(RecordFile { medium, safe, waiting: Vec::new(), _lock: lock })
    }

    /// Adds a line, which [`RecordFile::commit`] writes.
    pub fn add(&mut self, line: &impl Serialize) {
        self.waiting.extend(json_line(line).as_bytes());
    }

    /// Adds text, which [`RecordFile::commit`] writes.
    pub fn add_text(&mut self, text: &str) {
        self.waiting.extend(text.as_bytes());
    }

    /// Adds the texts that the file does not have: an earlier run may have ended before it could.
    ///
    /// # Errors
    /// The system's.
    pub fn add_missing_texts(&mut self, texts: impl Iterator<Item = String>) -> io::Result<()> {
        let bytes = self.medium.read(0)?;
        let own = String::from_utf8_lossy(&bytes);
        texts.filter(|text| !own.contains(text)).for_each(|text| self.add_text(&text));
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
