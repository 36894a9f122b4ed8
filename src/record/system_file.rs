//! Files that grow at their end.
//!
//! The one idea: [`Medium`] is all that records need of a disk, so that tests can put a disk that
//! fails in the place of the system's.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

#[cfg(target_os = "linux")]
use crate::game::plain_file::is_pipe;

/// Max bytes of a file of games: a million games of 4 KB.
pub const MAX_GAMES: u64 = 4 << 30;

/// A file to whose end is written.
pub trait Medium {
    /// The bytes from an offset to the end.
    ///
    /// # Errors
    /// The system's.
    fn read(&mut self, from: u64) -> io::Result<Vec<u8>>;

    /// Its bytes.
    ///
    /// # Errors
    /// The system's.
    fn length(&mut self) -> io::Result<u64>;

    /// Writes at the end, perhaps only a part: the number of bytes.
    ///
    /// # Errors
    /// The system's.
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Shortens it.
    ///
    /// # Errors
    /// The system's.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Returns when all that was written survives a loss of power.
    ///
    /// # Errors
    /// The system's; then it is unknown what survives.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file of the system. A pipe or a device is only written to.
#[derive(Debug)]
pub struct SystemFile {
    file: File,
    /// A handle that only appends cannot cut everywhere.
    #[cfg(not(unix))]
    path: std::path::PathBuf,
    /// Whether it has a content, and not only a reader.
    plain: bool,
}

impl SystemFile {
    /// Opens a file, or makes it where `create`.
    ///
    /// # Errors
    /// The system's.
    pub fn open(path: &Path, create: bool) -> io::Result<SystemFile> {
        let is_new = create && !path.exists();
        let _reader_is_there = check_reader(path)?;
        // A pipe or a device need not be readable.
        let mut options = OpenOptions::new();
        options.append(true).create(create);
        let is_plain = path.metadata().map_or(true, |data| data.is_file());
        let file = options.read(is_plain).open(path)?;
        let plain = file.metadata()?.is_file();
        if is_new && plain {
            sync_folder(path)?;
        }
        Ok(SystemFile {
            file,
            #[cfg(not(unix))]
            path: path.to_owned(),
            plain,
        })
    }

    /// Whether it has a content that is still there later.
    pub fn is_plain(&self) -> bool {
        self.plain
    }
}

impl Medium for SystemFile {
    fn read(&mut self, from: u64) -> io::Result<Vec<u8>> {
        if !self.plain {
            return Ok(Vec::new());
        }
        self.file.seek(SeekFrom::Start(from))?;
        bounded(&mut self.file, MAX_GAMES)
    }

    fn length(&mut self) -> io::Result<u64> {
        if self.plain { Ok(self.file.metadata()?.len()) } else { Ok(0) }
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        if !self.plain {
            return Ok(());
        }
        #[cfg(unix)]
        let file = &self.file;
        #[cfg(not(unix))]
        let file = OpenOptions::new().write(true).open(&self.path)?;
        file.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.plain { self.file.sync_data() } else { Ok(()) }
    }
}

/// Refuses a pipe that nobody reads, for whose reader opening it would wait. What is returned keeps
/// the pipe open until it is opened once more.
#[cfg(target_os = "linux")]
fn check_reader(path: &Path) -> io::Result<Option<File>> {
    use std::os::unix::fs::OpenOptionsExt;
    if !path.metadata().is_ok_and(|data| is_pipe(&data)) {
        return Ok(None);
    }
    let opened = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path);
    opened.map(Some).map_err(|error| match error.raw_os_error() {
        Some(libc::ENXIO) => io::Error::other("found a pipe that nobody reads, expected a file"),
        _ => error,
    })
}

#[cfg(not(target_os = "linux"))]
fn check_reader(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Makes a new file's name survive a loss of power.
#[cfg(unix)]
pub fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Reads a stream to its end, of at most `most` bytes.
///
/// # Errors
/// The system's, or more bytes.
pub fn bounded(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long(most)) } else { Ok(bytes) }
}

/// That a file has more bytes than it may have.
pub fn too_long(most: u64) -> io::Error {
    io::Error::other(format!("found more than {} MiB, expected no more", most >> 20))
}
