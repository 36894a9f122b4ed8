//! Files that are read as a whole.
//!
//! The one idea: opening a pipe waits for its other end, which may never come, and a device may
//! have no end; only a file, or a link to one, is read as a whole.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Opens a file for reading.
///
/// # Errors
/// The system's, or that it is a pipe, a device or a folder.
pub fn open(path: &Path) -> io::Result<File> {
    match not_plain(&path.metadata()?) {
        Some(what) => Err(io::Error::other(format!("{what}, not a file"))),
        None => File::open(path),
    }
}

/// What is there in place of a file.
fn not_plain(data: &Metadata) -> Option<&'static str> {
    match () {
        () if data.is_file() => None,
        () if data.is_dir() => Some("a folder"),
        () if is_pipe(data) => Some("a pipe"),
        () => Some("a device"),
    }
}

/// Whether it is a pipe.
pub fn is_pipe(data: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type());
    #[cfg(not(unix))]
    return {
        let _ = data;
        false
    };
}
