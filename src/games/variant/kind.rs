//! The kinds of pieces of a variant, and their letters.

use super::betza::Part;
use super::ini::Entry;
use crate::game::{ParseError, quoted};

/// Max kinds of pieces: a letter each.
pub const MAX_KINDS: usize = 26;

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its letter in lower case.
    pub letter: char,
    /// The name of a predefined piece, or the key of a custom one.
    pub name: String,
    /// How it moves, in Betza's notation.
    pub notation: String,
    /// The same as it is read.
    pub parts: Vec<Part>,
    /// Whether it is the king, which may not be left attacked.
    pub royal: bool,
    /// What the file says of its value in the middle game and the endgame.
    pub values: [Option<i32>; 2],
}

/// The pieces of a variant by their letters.
#[derive(Clone, Copy)]
pub struct Letters<'a>(pub &'a [Kind]);

impl Letters<'_> {
    /// The kind of a letter in either case.
    pub fn index(self, letter: char) -> Option<usize> {
        self.0.iter().position(|kind| kind.letter == letter.to_ascii_lowercase())
    }

    /// The set of all kinds.
    pub fn all(self) -> u32 {
        (1 << self.0.len()) - 1
    }

    /// The letters of a set.
    pub fn shown(self, set: u32) -> String {
        let of_set = self.0.iter().enumerate().filter(|(index, _)| set >> index & 1 != 0);
        of_set.map(|(_, kind)| kind.letter).collect()
    }

    /// All letters, as an error says what it expects.
    pub fn known(self) -> String {
        match self.0 {
            [] => "this variant's pieces, of which there are none yet: add such as king = k".into(),
            _ => format!("this variant's pieces ({})", self.shown(self.all())),
        }
    }

    /// The set of those of these names.
    pub fn named(self, names: &[&str]) -> u32 {
        let kinds = self.0.iter().enumerate();
        kinds
            .filter(|(_, kind)| names.contains(&kind.name.as_str()))
            .fold(0, |set, (i, _)| set | 1 << i)
    }

    /// A list of letters, `*` for all, or `-` for none.
    pub fn set(self, entry: &Entry) -> Result<u32, ParseError> {
        match entry.value.as_str() {
            "-" => return Ok(0),
            "*" => return Ok(self.all()),
            _ => {}
        }
        let mut set = 0;
        for letter in entry.value.chars().filter(|c| !c.is_whitespace()) {
            let Some(kind) = self.index(letter).filter(|_| letter.is_ascii_lowercase()) else {
                let expected = format!("letters of {}, * or -", self.known());
                return Err(entry.error(quoted(&letter.to_string()), expected));
            };
            set |= 1 << kind;
        }
        if set == 0 {
            return Err(entry.error("nothing", "letters of pieces, * or -"));
        }
        Ok(set)
    }
}
