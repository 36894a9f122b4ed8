//! Files as the lab uses them: inputs that end, and files that grow line by line.
//!
//! The one idea: [`Medium`] is all that records need of a disk, so that tests can put a disk that
//! fails in the place of the system's.

use std::ffi::OsString;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Max bytes of a text that people write, such as openings or a tournament.
pub const MAX_TEXT: u64 = 64 << 20;

/// Max bytes of a file of games: a million games of 4 KB.
pub const MAX_GAMES: u64 = 4 << 30;

/// Max bytes of a line of a stream.
pub const LONGEST_LINE: u64 = 16 << 20;

/// What a disk has lost reads as this, which no line has.
pub const LOST: char = '\0';

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

/// Makes a new file's name survive a loss of power.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// As the system has it for new files.
    Usual,
    /// Its owner, where the system knows owners.
    Owner,
}

/// Replaces a file as a whole: a reader finds the old or the new one, never a part, also after a
/// loss of power. Until then the new one is `FILE.new`, which an error removes.
///
/// # Errors
/// The system's.
pub fn replace(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    let mut new = OsString::from(path);
    new.push(".new");
    let new = PathBuf::from(new);
    let write = |mut file: File| {
        file.write_all(content)?;
        file.sync_all()
    };
    let written = create(&new, readers).and_then(write).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written?;
    // The new file is there; not every system can say that its folder is safe.
    match sync_folder(path) {
        Err(error) if CANNOT_SYNC.contains(&error.kind()) => Ok(()),
        synced => synced,
    }
}

/// How systems say that they do not sync a folder, or not for this user.
const CANNOT_SYNC: [io::ErrorKind; 3] =
    [io::ErrorKind::InvalidInput, io::ErrorKind::Unsupported, io::ErrorKind::PermissionDenied];

/// An empty file.
fn create(path: &Path, readers: Readers) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    options.open(path)
}

/// Opens a file or a pipe for reading.
///
/// # Errors
/// The system's, or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if is_device(file.metadata()?.file_type()) {
        return Err(io::Error::other("found a device, expected a file"));
    }
    Ok(file)
}

/// Reads a file or a pipe of at most `most` bytes.
///
/// # Errors
/// The system's, a device, or more bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    if file.metadata()?.len() > most {
        return Err(too_long(most));
    }
    bounded(file, most)
}

/// The same for text.
///
/// # Errors
/// As for [`read`], and what is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MAX_TEXT)?;
    String::from_utf8(bytes).map_err(|error| {
        let text = format!("found other bytes than UTF-8 ({})", error.utf8_error());
        io::Error::new(io::ErrorKind::InvalidData, text)
    })
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

/// Reads the next line of a stream into `line`, without its end; false where there is none.
///
/// # Errors
/// The system's, or a line of more than [`LONGEST_LINE`].
pub fn next_line(stream: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let length = add_line(stream, line)?;
    line.truncate(line.trim_ascii_end().len());
    Ok(length > 0)
}

/// Adds the next line of a stream with its end to `text`; its bytes.
fn add_line(stream: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<usize> {
    let length = stream.take(LONGEST_LINE + 1).read_until(b'\n', text)?;
    if length as u64 > LONGEST_LINE {
        let text =
            format!("found a line of more than {} MiB, expected no more", LONGEST_LINE >> 20);
        return Err(io::Error::other(text));
    }
    Ok(length)
}

/// Reads a stream of lines to its end, of at most `most` bytes. What is no text, as a device, is
/// given up after a line.
///
/// # Errors
/// The system's, more bytes, or a line of more than [`LONGEST_LINE`].
pub fn lines(mut stream: impl BufRead, most: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    while add_line(&mut stream, &mut text)? > 0 {
        if text.len() as u64 > most {
            return Err(too_long(most));
        }
    }
    Ok(text)
}

/// Reads the first `most` bytes of the next line into `line`, without its end, and passes over the
/// rest; the length of the whole line with its end, 0 where there is none.
///
/// # Errors
/// The system's.
pub fn begin_of_line(
    stream: &mut impl BufRead,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<usize> {
    line.clear();
    let mut length = 0;
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = end.map_or(bytes.len(), |end| end + 1);
        let room = most - line.len();
        line.extend(&bytes[..part.min(room)]);
        length += part;
        stream.consume(part);
        if end.is_some() || part == 0 {
            line.truncate(line.trim_ascii_end().len());
            return Ok(length);
        }
    }
}

fn too_long(most: u64) -> io::Error {
    io::Error::other(format!("found more than {} MiB, expected no more", most >> 20))
}

/// Whether it may be read without end.
#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn what_does_not_end_is_no_input() {
        let error = bounded(io::repeat(b'x'), 3 << 20).unwrap_err().to_string();
        assert_eq!(error, "found more than 3 MiB, expected no more");
        assert_eq!(bounded(&b"abc"[..], 3).unwrap(), b"abc");
        assert!(bounded(&b"abcd"[..], 3).is_err());
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays_as_it_is() {
        let folder = std::env::temp_dir().join(format!("alesia replace {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("some.bin");
        for (content, readers) in [("first", Readers::Usual), ("second", Readers::Owner)] {
            replace(&path, content.as_bytes(), readers).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(replace(&path, b"third", Readers::Usual).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "the new one is removed");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_text_has_an_end_and_so_has_each_line() {
        let read = |text: &str, most| lines(BufReader::with_capacity(3, text.as_bytes()), most);
        assert_eq!(read("one\ntwo\ncut", 11).unwrap(), b"one\ntwo\ncut");
        assert!(read("one\ntwo\ncut", 10).is_err());
        let error = lines(BufReader::new(io::repeat(0)), MAX_GAMES).unwrap_err().to_string();
        assert_eq!(error, "found a line of more than 16 MiB, expected no more");
    }

    #[test]
    fn of_a_long_line_only_the_begin_is_kept() {
        let mut stream = BufReader::with_capacity(3, &b"one\r\n\nlong line\nlast"[..]);
        let mut line = Vec::new();
        for (length, text) in [(5, "one"), (1, ""), (10, "long"), (4, "last"), (0, "")] {
            assert_eq!(begin_of_line(&mut stream, &mut line, 5).unwrap(), length);
            assert_eq!(line, text.as_bytes());
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn devices_are_no_inputs() {
        for device in ["/dev/zero", "/dev/full"] {
            let error = read(Path::new(device), MAX_GAMES).unwrap_err().to_string();
            assert_eq!(error, "found a device, expected a file");
        }
    }
}
