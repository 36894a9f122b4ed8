//! One writer for each file or folder of games.
//!
//! The one idea: beside the file lies `FILE.lock`, or in the folder `lock`, which the system keeps
//! locked for as long as the writer lives. So a writer that was killed leaves nothing that stops
//! the next one.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The right to write a file or a folder. Dropping it gives it back.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Locked.
    _file: File,
}

impl Lock {
    /// Takes the right to write a file that exists.
    ///
    /// # Errors
    /// The system's, or that another process has it.
    pub fn take(path: &Path) -> io::Result<Lock> {
        // By whatever name it is opened.
        let mut name = OsString::from(fs::canonicalize(path)?);
        name.push(".lock");
        Lock::at(name.into())
    }

    /// Takes the right to write the files of a folder.
    ///
    /// # Errors
    /// As for [`Lock::take`].
    pub fn take_folder(folder: &Path) -> io::Result<Lock> {
        Lock::at(fs::canonicalize(folder)?.join("lock"))
    }

    fn at(path: PathBuf) -> io::Result<Lock> {
        loop {
            let mut options = OpenOptions::new();
            let mut file =
                options.create(true).truncate(false).read(true).write(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(in_use(&mut file, &path)),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Its last owner may have removed it in between.
            if !is_still_there(&file, &path) {
                continue;
            }
            file.set_len(0)?;
            writeln!(file, "{}", std::process::id())?;
            return Ok(Lock { path, _file: file });
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Some systems keep what is open; the next writer takes it over.
        let _ = fs::remove_file(&self.path);
    }
}

/// Who has it; on systems that lock reading too, nobody can say.
fn in_use(file: &mut File, path: &Path) -> io::Error {
    let mut text = String::new();
    let known = file.take(20).read_to_string(&mut text).is_ok();
    let owner = text.trim().parse::<u32>().ok().filter(|_| known);
    let owner = match owner {
        Some(own) if own == std::process::id() => "for another option of this command".to_owned(),
        Some(other) => format!("by process {other}"),
        None => "by another process".to_owned(),
    };
    let lock = path.display();
    let text = format!("found in use {owner}, expected one writer ({lock} is locked)");
    io::Error::new(io::ErrorKind::ResourceBusy, text)
}

/// Whether an error says that another writer has it.
pub fn is_in_use(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ResourceBusy
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |data: fs::Metadata| (data.dev(), data.ino());
    let (own, named) = (file.metadata().map(id), fs::metadata(path).map(id));
    own.is_ok_and(|own| named.is_ok_and(|named| own == named))
}

#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true
}
