//! A file of game records, one to a line, to which several programs may add their games.
//!
//! The one idea: a file has one writer at a time ([`Lock`]). A program that plays opens it for each
//! game, so that both players of a game and its referee can name the same file.
//!
//! [`Lock`]: super::lock::Lock

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::append_only::AppendOnlyFile;
use super::game_record::GameRecord;

/// How long a program waits for another that adds a game.
const PATIENCE: Duration = Duration::from_secs(5);

/// Enough of a file to know what it is.
const BEGINNING: u64 = 4096;

/// Whether a file that begins so is one of records, or is empty: each line is an object of JSON.
pub fn is_of_records(beginning: &[u8]) -> bool {
    matches!(beginning.trim_ascii_start().first(), None | Some(b'{'))
}

/// The first bytes of a file, enough to know what it is. A pipe or a device has none that are there
/// later, and what is not there has none.
///
/// # Errors
/// The system's.
pub fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.is_file() {
        File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Refuses a file that holds something other than records.
///
/// # Errors
/// That it does, or the system's.
pub fn check_content(path: &Path) -> io::Result<()> {
    match is_of_records(&beginning(path)?) {
        true => Ok(()),
        false => Err(io::Error::other(
            "found something else in it, expected a new file or one of game records",
        )),
    }
}

/// A file to which finished games are added.
#[derive(Debug)]
pub struct RecordFile(PathBuf);

impl RecordFile {
    /// A file that is there, or is made.
    ///
    /// # Errors
    /// The system's, or that it holds something other than records, or that another program writes
    /// it for long.
    pub fn open(path: &Path) -> io::Result<RecordFile> {
        check_content(path)?;
        AppendOnlyFile::append_in_turn(path, PATIENCE)?;
        Ok(RecordFile(path.to_owned()))
    }

    /// Adds a game, and returns when it survives a loss of power. A piece of a record before it,
    /// whose writer was killed, is removed.
    ///
    /// # Errors
    /// As for [`RecordFile::open`].
    pub fn add(&self, record: &GameRecord) -> io::Result<()> {
        let mut file = AppendOnlyFile::append_in_turn(&self.0, PATIENCE)?;
        file.add(record);
        file.commit()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::checked_line::json_line;
    use super::super::end::Cause;
    use super::super::game_record::Winner;
    use super::super::game_record::tests::record;
    use super::*;

    #[test]
    fn several_writers_take_turns() {
        let name = format!("alesia-turns-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let record = record("B2", Winner::Nobody, Cause::Reported, "agreed");
        thread::scope(|scope| {
            for _ in 0..4 {
                let file = RecordFile::open(&path).unwrap();
                let record = &record;
                scope.spawn(move || (0..5).for_each(|_| file.add(record).unwrap()));
            }
        });
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, json_line(&record).repeat(20));
        std::fs::remove_file(path).unwrap();
    }
}
