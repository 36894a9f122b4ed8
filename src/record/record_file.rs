//! A file of game records, one to a line, and what may stand at its end.
//!
//! The one idea: a record is added to a file of records alone, and on a line of its own, whatever a
//! killed program or a full disk has left there.

#[cfg(unix)]
use std::fs::TryLockError;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;

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

/// Whether a line of JSON is whole: all that was opened in it is closed.
pub fn is_whole(line: &[u8]) -> bool {
    let (mut open, mut in_text, mut escaped) = (0_u32, false, false);
    for &byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => open += 1,
            b'}' | b']' if !in_text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open == 0 && !in_text
}

/// What a file needs before a line is added, as its last bytes, which have no line end, say: their
/// writer was killed, or the disk was full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastLine {
    /// It only lacks its end.
    LacksEnd,
    /// It is a piece of a record, which nobody can read.
    IsCut,
}

impl LastLine {
    /// Of these bytes after the last line end; none if there are none.
    pub fn of(bytes: &[u8]) -> Option<LastLine> {
        let begins_record = *bytes.first()? == b'{';
        // What a loss of power has taken reads as zeros, which no text has.
        let is_cut = begins_record && !is_whole(bytes) || bytes.contains(&0);
        Some(if is_cut { LastLine::IsCut } else { LastLine::LacksEnd })
    }
}

/// The bytes after the last line end of a file of this length, and where they begin; `read` returns
/// those from an offset on.
///
/// # Errors
/// Those of `read`.
pub fn last_line(
    length: u64,
    mut read: impl FnMut(u64) -> io::Result<Vec<u8>>,
) -> io::Result<(u64, Vec<u8>)> {
    let (mut bytes, mut from) = (Vec::new(), length);
    // From the end, ever more of it, until there is a line end.
    while from > 0 && !bytes.contains(&b'\n') {
        from = from.saturating_sub(BEGINNING.max(length - from));
        bytes = read(from)?;
    }
    let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    bytes.drain(..start);
    Ok((from + start as u64, bytes))
}

/// A file to which records are appended.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
    path: PathBuf,
}

impl RecordFile {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// The system's, or that it holds something other than records.
    pub fn append(path: &Path) -> io::Result<RecordFile> {
        check_content(path)?;
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(RecordFile { file, path: path.to_owned() })
    }

    /// Writes a line, and returns when it survives a loss of power. A piece of a record before it,
    /// whose writer was killed, is removed.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        // Another program may be about to add a record of the same game.
        let locked = self.lock();
        let added = self.add_alone(line);
        if locked {
            let _ = self.file.unlock();
        }
        added?;
        self.file.sync_data()
    }

    fn add_alone(&mut self, line: &str) -> io::Result<()> {
        if self.path.is_file() {
            mend_end(&self.path)?;
        }
        self.file.write_all(line.as_bytes())
    }

    /// Waits a moment for who else writes the file. A lock elsewhere than on Unix would keep out
    /// this program's own other handle too.
    #[cfg(unix)]
    fn lock(&self) -> bool {
        for _ in 0..100 {
            match self.file.try_lock() {
                Ok(()) => return true,
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(_)) => return false,
            }
        }
        false
    }

    #[cfg(not(unix))]
    fn lock(&self) -> bool {
        false
    }
}

/// Removes a piece of a record from the end of a file, or ends its last line.
fn mend_end(path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    let (start, bytes) = last_line(length, |from| {
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        (&file).take(length - from).read_to_end(&mut bytes)?;
        Ok(bytes)
    })?;
    let Some(state) = LastLine::of(&bytes) else { return Ok(()) };
    // A handle that only appends cannot shorten a file everywhere.
    let mut file = OpenOptions::new().write(true).open(path)?;
    match state {
        LastLine::LacksEnd => {
            file.seek(SeekFrom::End(0))?;
            file.write_all(b"\n")
        }
        LastLine::IsCut => file.set_len(start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_record_is_told_from_a_line_without_its_end() {
        for (bytes, expected) in [
            ("", None),
            ("{\"seed\":0,\"moves\":[]}", Some(LastLine::LacksEnd)),
            ("{\"seed\":0,\"moves\":[{\"move\":\"A1\"}", Some(LastLine::IsCut)),
            ("{\"white\":\"}", Some(LastLine::IsCut)),
            ("{\"white\":\"\\\"}\"", Some(LastLine::IsCut)),
            ("{\"white\":\"\\\\\"}", Some(LastLine::LacksEnd)),
            ("{", Some(LastLine::IsCut)),
            ("{\"seed\":0}\0\0", Some(LastLine::IsCut)),
            ("\0\0", Some(LastLine::IsCut)),
            ("1. A1 {a comment", Some(LastLine::LacksEnd)),
        ] {
            assert_eq!(LastLine::of(bytes.as_bytes()), expected, "{bytes}");
        }
    }

    #[test]
    fn a_record_begins_on_a_line_of_its_own_whatever_was_cut_before_it() {
        let path = std::env::temp_dir().join(format!("alesia-cut-{}.jsonl", std::process::id()));
        let long = format!("{{\"white\":\"{}", "x".repeat(3 * BEGINNING as usize));
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
            let mut file = RecordFile::append(&path).unwrap();
            file.add("{\"b\":1}\n").unwrap();
            file.add("{\"b\":2}\n").unwrap();
            let expected = format!("{after}{{\"b\":1}}\n{{\"b\":2}}\n");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "{before:.20}");
        }
        std::fs::remove_file(path).unwrap();
    }
}
