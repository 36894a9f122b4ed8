//! Files as the lab reads and replaces them.
//!
//! The one idea: an input ends. A device, a line or a file without end is refused, not waited for.

use std::ffi::OsString;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use alesia::record::system_file::{bounded, sync_folder, too_long};

/// Max bytes of a text that people write, such as openings or a tournament.
pub const MAX_TEXT: u64 = 64 << 20;

/// Max bytes of a line of a stream.
pub const LONGEST_LINE: u64 = 16 << 20;

pub use alesia_answers::formats::LOST;

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

    use alesia::record::system_file::MAX_GAMES;

    use super::*;

    #[test]
    fn refuses_endless_files() {
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
