//! The file of a game: the game as it was set up, then a line for each thing that was done to it.
//!
//! The one idea: a line is in the file before what it says is answered or shown, and what the disk
//! refuses has not happened. So a server that is killed loses nothing that anybody has seen. A
//! keeper asks the disk, a few times a second, to make that survive a loss of power too.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alesia::record::checked_line::json_line;
use alesia_match::files::disk::{self, Readers};
use serde::Serialize;

/// How the name of a game's file ends.
pub const ENDING: &str = "json";

/// Bytes of lines after which a file is written anew: some games are taken back and played again
/// without end.
const MAX_STEPS: u64 = 1 << 20;

/// What all files of a folder share: what is left to do for the keeper, and what the disk refused.
#[derive(Default)]
pub struct Disk {
    /// Files with lines that a loss of power may still take.
    pub unsafe_files: HashSet<PathBuf>,
    /// Files of games that are gone, which could not be removed.
    pub undeleted: HashSet<PathBuf>,
    /// How often the disk has refused what somebody wanted to do, and why it did last.
    pub refusals: usize,
    pub last_refusal: Option<io::Error>,
}

/// A folder's disk, seen by its games and by their keeper.
#[derive(Clone, Default)]
pub struct SharedDisk(Arc<Mutex<Disk>>);

impl SharedDisk {
    pub fn get(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a refusal. A disk that stays full gets one line in the log.
    fn note(&self, path: &Path, error: &io::Error) {
        let mut disk = self.get();
        let is_new = disk.last_refusal.as_ref().is_none_or(|last| last.kind() != error.kind());
        if is_new {
            log::error!("{}: {error}; what cannot be kept is refused", path.display());
        }
        disk.refusals += 1;
        disk.last_refusal = Some(copy(error));
    }
}

/// The same error once more.
fn copy(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(
        || io::Error::new(error.kind(), error.to_string()),
        io::Error::from_raw_os_error,
    )
}

/// The file of one game.
pub struct Journal {
    path: PathBuf,
    /// Bytes of whole lines; what may be behind them is a piece of one that was refused.
    length: u64,
    /// The first of them after the game as it was last written whole.
    steps: u64,
    disk: SharedDisk,
}

impl Journal {
    /// Writes a game whole to a new file, which survives a loss of power.
    ///
    /// # Errors
    /// The disk's; then there is no file.
    pub fn create(folder: &Path, id: &str, disk: &SharedDisk, game: &[u8]) -> io::Result<Journal> {
        let path = folder.join(id).with_extension(ENDING);
        let mut journal = Journal { path, length: 0, steps: 0, disk: disk.clone() };
        journal.renew(game).inspect_err(|error| disk.note(&journal.path, error))?;
        Ok(journal)
    }

    /// A file that was read; its first `length` bytes are whole lines.
    pub fn of_file(path: PathBuf, length: u64, disk: &SharedDisk) -> Journal {
        Journal { path, length, steps: 0, disk: disk.clone() }
    }

    /// Adds a line; `game` is the game without it, for a file that is too long or not there.
    ///
    /// # Errors
    /// The disk's; then the file is as it was.
    pub fn add(&mut self, step: &impl Serialize, game: impl Fn() -> Vec<u8>) -> io::Result<()> {
        // The end of a line is written before it, as the first line has none.
        let line = format!("\n{}", json_line(step).trim_end());
        if self.length - self.steps > MAX_STEPS {
            // Else there is another try at the next line.
            let _ = self.renew(&game());
        }
        let written = match self.append(line.as_bytes()) {
            Err(error) if is_of_file(&error) => {
                self.renew(&game()).and_then(|()| self.append(line.as_bytes()))
            }
            written => written,
        };
        match written {
            Ok(()) => {
                let mut disk = self.disk.get();
                if !disk.unsafe_files.contains(&self.path) {
                    disk.unsafe_files.insert(self.path.clone());
                }
                disk.last_refusal = None;
                Ok(())
            }
            Err(error) => {
                self.disk.note(&self.path, &error);
                Err(error)
            }
        }
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(&self.path)?;
        let found = file.metadata()?.len();
        if found < self.length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if found > self.length {
            file.set_len(self.length)?;
        }
        file.seek(SeekFrom::Start(self.length))?;
        if let Err(error) = file.write_all(line) {
            // Where that fails too, the next line is written over it, or a reader cuts it off.
            let _ = file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Writes the game whole in place of its lines.
    ///
    /// # Errors
    /// The disk's; then the file is as it was.
    pub fn renew(&mut self, game: &[u8]) -> io::Result<()> {
        disk::replace(&self.path, game, Readers::Owner)?;
        self.length = game.len() as u64;
        self.steps = self.length;
        Ok(())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file: the game is gone.
    pub fn remove(self) {
        let mut disk = self.disk.get();
        disk.unsafe_files.remove(&self.path);
        if let Err(error) = remove(&self.path) {
            log::error!("{}: {error}; its removal is tried again", self.path.display());
            disk.undeleted.insert(self.path);
        }
    }
}

/// Whether somebody has removed or cut the file.
fn is_of_file(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof)
}

/// Removes a file, which may be gone already.
///
/// # Errors
/// The disk's.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> (PathBuf, Journal) {
        let folder = std::env::temp_dir();
        let id = format!("alesia-journal-{name}-{}", std::process::id());
        let journal = Journal::create(&folder, &id, &SharedDisk::default(), b"{}").unwrap();
        (journal.path.clone(), journal)
    }

    fn steps(path: &Path) -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        text.lines().map(|line| line.split(",\"crc32").next().unwrap().to_owned()).collect()
    }

    fn step(number: u64) -> serde_json::Value {
        serde_json::json!({ "step": number })
    }

    #[test]
    fn a_piece_of_a_refused_line_is_replaced_by_the_next() {
        let (path, mut journal) = file("piece");
        journal.add(&step(1), Vec::new).unwrap();
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"\n{\"st").unwrap();
        journal.add(&step(2), Vec::new).unwrap();
        assert_eq!(steps(&path), ["{}", "{\"step\":1", "{\"step\":2"]);
        journal.remove();
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_somebody_has_removed_or_cut_is_written_whole() {
        let (path, mut journal) = file("whole");
        journal.add(&step(1), Vec::new).unwrap();
        fs::remove_file(&path).unwrap();
        journal.add(&step(2), || b"{\"one\":1}".to_vec()).unwrap();
        assert_eq!(steps(&path), ["{\"one\":1}", "{\"step\":2"]);
        fs::write(&path, "{").unwrap();
        journal.add(&step(3), || b"{\"two\":2}".to_vec()).unwrap();
        assert_eq!(steps(&path), ["{\"two\":2}", "{\"step\":3"]);
        journal.remove();
    }

    #[test]
    fn a_file_does_not_grow_without_end() {
        let (path, mut journal) = file("long");
        let long = serde_json::json!({ "step": "x".repeat(100_000) });
        for _ in 0..50 {
            journal.add(&long, || b"{\"whole\":1}".to_vec()).unwrap();
        }
        assert!(path.metadata().unwrap().len() < MAX_STEPS + 200_000);
        assert_eq!(steps(&path)[0], "{\"whole\":1}");
        journal.remove();
    }

    #[test]
    fn a_refusal_is_counted_and_leaves_the_file_as_it_was() {
        let (path, mut journal) = file("refused");
        fs::remove_file(&path).unwrap();
        // No file can be there.
        fs::create_dir(&path).unwrap();
        assert!(journal.add(&step(1), Vec::new).is_err());
        assert_eq!(journal.disk.get().refusals, 1);
        fs::remove_dir(&path).unwrap();
        journal.add(&step(1), || b"{}".to_vec()).unwrap();
        assert_eq!(steps(&path), ["{}", "{\"step\":1"]);
        assert!(journal.disk.get().last_refusal.is_none());
        journal.remove();
    }
}
