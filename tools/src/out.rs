//! `--out FILE` of the commands that convert games.
//!
//! The one idea: no command replaces a file of the user. A file of game records grows, as with
//! `--record` and `-pgnout`; anything else goes to a new file.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use alesia::game::ParseError;
use alesia::record::record_file::{beginning, is_of_records};
use alesia::words::command_error::CommandError;

/// Checks before the work that a new file can get this name. A pipe or a device may exist.
///
/// # Errors
/// It names a file.
pub fn check_new(path: &Path) -> Result<(), CommandError> {
    match fs::metadata(path) {
        Ok(data) if data.is_file() => Err(exists(path)),
        _ => Ok(()),
    }
}

fn exists(path: &Path) -> CommandError {
    let found = format!("{}, which exists", path.display());
    ParseError::new("--out", found, "the name of a new file").into()
}

/// Writes a new file, or to a pipe or a device.
///
/// # Errors
/// It exists, or the system's.
pub fn write_new(path: &Path, content: &[u8]) -> Result<(), CommandError> {
    let is_special = fs::metadata(path).is_ok_and(|data| !data.is_file());
    let file = match is_special {
        true => OpenOptions::new().write(true).open(path),
        false => File::create_new(path),
    };
    let written = file.and_then(|mut file| {
        file.write_all(content).inspect_err(|_| {
            // Half of a file would only be in the way of the next try.
            if !is_special {
                let _ = fs::remove_file(path);
            }
        })
    });
    match written {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(exists(path)),
        Err(error) => Err(CommandError::Failed(format!("{}: {error}", path.display()))),
    }
}

/// Checks that records may be appended to a file: it is new, empty or of records, and is not
/// `input`, by whatever name or link.
///
/// # Errors
/// It is something else, or cannot be read.
pub fn check_growing(path: &Path, input: &Path) -> Result<(), CommandError> {
    let refuse = |found: String| {
        Err(ParseError::new("--out", found, "a new file or one of game records").into())
    };
    if is_same(path, input) {
        return refuse(format!("{}, which is read", path.display()));
    }
    match beginning(path) {
        Ok(bytes) if is_of_records(&bytes) => Ok(()),
        Ok(_) => refuse(format!("{}, which holds something else", path.display())),
        Err(error) => Err(CommandError::Failed(format!("{}: {error}", path.display()))),
    }
}

#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| fs::metadata(path).map(|data| (data.is_file(), data.dev(), data.ino()));
    matches!((id(one), id(other)), (Ok(one), Ok(other)) if one.0 && one == other)
}

#[cfg(not(unix))]
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path);
    matches!((place(one), place(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        check_new(&path).unwrap();
        write_new(&path, b"first").unwrap();
        for refused in [check_new(&path), write_new(&path, b"second")] {
            let error = refused.unwrap_err().to_string();
            assert!(error.ends_with("which exists, expected the name of a new file"), "{error}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[test]
    fn records_are_appended_to_records_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let input = place("input.txt");
        for (name, content, is_allowed) in [
            ("none.jsonl", None, true),
            ("empty.jsonl", Some(""), true),
            ("records.jsonl", Some("\n{\"seed\":0}\n"), true),
            ("match.jsonl", Some("{\"match\":[]}\n"), true),
            ("games.pgn", Some("[Event \"?\"]\n"), false),
            ("notes.txt", Some("buy milk\n"), false),
        ] {
            let path = place(name);
            if let Some(content) = content {
                fs::write(&path, content).unwrap();
            }
            assert_eq!(check_growing(&path, &input).is_ok(), is_allowed, "{name}");
        }
        fs::write(&input, "").unwrap();
        fs::hard_link(&input, place("link.txt")).unwrap();
        for name in ["input.txt", "link.txt"] {
            let error = check_growing(&place(name), &input).unwrap_err().to_string();
            assert!(error.contains("which is read, expected a new file"), "{error}");
        }
    }
}
