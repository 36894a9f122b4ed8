//! A file of weights for an engine, read while the program runs.
//!
//! The one idea: a file is read once and kept for as long as the program runs, so that options can
//! be copied and positions can refer to its weights. The game says what the bytes mean.

use std::io::Read;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use crate::game::{ParseError, plain_file};

/// Max length of a file in bytes.
const MAX_FILE: u64 = 16 << 20;

/// The files that have been read.
static READ: RwLock<Vec<&'static WeightsFile>> = RwLock::new(Vec::new());

/// A file of weights.
#[derive(Debug, PartialEq, Eq)]
pub struct WeightsFile {
    name: String,
    bytes: Vec<u8>,
}

impl WeightsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is larger than any file of weights.
    pub fn open(path: &Path) -> Result<&'static WeightsFile, ParseError> {
        let name = path.display().to_string();
        let unreadable = |found: String| ParseError::new(&name, found, "a file of weights");
        let mut bytes = Vec::new();
        plain_file::open(path)
            .and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
            .map_err(|error| unreadable(error.to_string()))?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(unreadable(format!("more than {MAX_FILE} bytes")));
        }
        Ok(WeightsFile::keep(name, bytes))
    }

    /// A file of this name and these bytes.
    pub fn new(name: String, bytes: Vec<u8>) -> WeightsFile {
        WeightsFile { name, bytes }
    }

    /// Keeps bytes as if a file of this name had them; the same bytes are kept only once.
    pub fn keep(name: String, bytes: Vec<u8>) -> &'static WeightsFile {
        let file = WeightsFile::new(name, bytes);
        let mut all = READ.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.iter().find(|known| ***known == file) {
            return known;
        }
        let kept: &'static WeightsFile = Box::leak(Box::new(file));
        all.push(kept);
        kept
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A hash of what is in it.
    pub fn sum(&self) -> u64 {
        hash(&self.bytes)
    }

    /// What is in it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The error that the file is not what is expected.
    pub fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> ParseError {
        ParseError::new(&self.name, found, expected)
    }
}

/// The hash FNV-1a of Fowler, Noll and Vo.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_once_and_a_missing_one_is_named() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("alesia-{}.weights", std::process::id()));
        std::fs::write(&path, "abc").unwrap();
        let first = WeightsFile::open(&path).unwrap();
        assert_eq!(first.bytes(), b"abc");
        assert!(std::ptr::eq(first, WeightsFile::open(&path).unwrap()));
        std::fs::write(&path, "abd").unwrap();
        assert_eq!(WeightsFile::open(&path).unwrap().bytes(), b"abd");
        std::fs::remove_file(&path).unwrap();
        let error = WeightsFile::open(&path).unwrap_err();
        assert!(error.place.ends_with(".weights"), "{error}");
        assert_eq!(error.expected, "a file of weights");
    }
}
