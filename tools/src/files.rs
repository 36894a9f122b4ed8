//! The files that the lab writes into the player's sources: their places, and their replacement.

use std::path::{Path, PathBuf};

use alesia::words::command_error::CommandError;
use alesia_match::files::disk::{self, Readers};

/// The place of `--out`, or else of the file that is compiled in. Checked before hours of work.
///
/// # Errors
/// No file can be written there.
pub fn place_of(
    out: Option<&PathBuf>,
    compiled_in: impl Fn() -> PathBuf,
) -> Result<PathBuf, CommandError> {
    let place = out.cloned().unwrap_or_else(compiled_in);
    if folder_of(&place).is_dir() && !place.is_dir() {
        return Ok(place);
    }
    let what = if out.is_some() {
        "expected a file in an existing folder"
    } else {
        "expected to run at the root of the sources, or with --out FILE"
    };
    Err(CommandError::Usage(format!("--out: cannot write {}, {what}", place.display())))
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    // That of a plain name is empty.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Replaces a file as a whole: a reader finds the old or the new one, never a part.
///
/// # Errors
/// The system's.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), CommandError> {
    disk::replace(path, content, Readers::Usual)
        .map_err(|error| CommandError::Failed(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.bin");
        for content in ["first", "second"] {
            write_whole(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_whole(&folder.path().join("none/some.bin"), b"").is_err());
    }
}
