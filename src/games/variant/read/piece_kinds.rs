//! The kinds of pieces of a variant, and their letters.
//!
//! The one idea: a set of kinds is a number with a bit for each, and the kinds are numbered in the
//! order of their letters.

use super::betza::{self, Part};
use super::ini::{Entry, Section};
use super::keys::{PREDEFINED, custom_number};
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
    /// The same as it is read; `e` only where the variant lets the piece capture so.
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

/// The pieces of a section, by their letters, with their values.
pub fn read(section: &Section) -> Result<Vec<Kind>, ParseError> {
    let mut kinds: Vec<Kind> = Vec::new();
    for entry in &section.entries {
        let predefined = PREDEFINED.iter().find(|&&(name, _)| name == entry.key);
        if predefined.is_none() && custom_number(&entry.key).is_none() || entry.value == "-" {
            continue;
        }
        let kind = read_one(entry, predefined.map(|&(_, moves)| moves))?;
        if let Some(other) = kinds.iter().find(|other| other.letter == kind.letter) {
            let expected = format!("another letter than that of {}", other.name);
            return Err(entry.unexpected(expected));
        }
        kinds.push(kind);
    }
    kinds.sort_by_key(|kind| kind.letter);
    for (index, key) in ["pieceValueMg", "pieceValueEg"].into_iter().enumerate() {
        let Some(entry) = section.get(key) else { continue };
        for text in entry.value.split_whitespace() {
            let said = text.split_once(':').and_then(|(letter, value)| {
                let value = value.parse().ok().filter(|value| (0..=5000).contains(value))?;
                Some((letter, value))
            });
            let Some((letter, value)) = said else {
                let expected = "letters of pieces with values from 0 to 5000, such as p:100 n:300";
                return Err(entry.error(quoted(text), expected));
            };
            let known = Letters(&kinds).known();
            let Some(kind) = kinds.iter_mut().find(|kind| kind.letter.to_string() == letter) else {
                return Err(entry.error(quoted(text), format!("letters of {known}")));
            };
            kind.values[index] = Some(value);
        }
    }
    Ok(kinds)
}

/// Leaves captures en passant to these kinds alone.
pub fn keep_en_passant(kinds: &mut [Kind], takers: u32) {
    let others = kinds.iter_mut().enumerate().filter(|(index, _)| takers >> index & 1 == 0);
    others.flat_map(|(_, kind)| &mut kind.parts).for_each(|part| part.en_passant = false);
}

/// The piece of an entry; `moves` are those of a predefined one.
fn read_one(entry: &Entry, moves: Option<&str>) -> Result<Kind, ParseError> {
    let may_say_moves = moves.is_none() || entry.key == "king";
    let form = match (moves, may_say_moves) {
        (None, _) => "letter:BETZA with a lower-case letter, such as g:mRcpR, or -",
        (_, true) => "a lower-case letter, letter:BETZA or -",
        (_, false) => "a lower-case letter, or -",
    };
    let (letter, said) = match entry.value.split_once(':') {
        Some((letter, said)) if may_say_moves => (letter.trim(), Some(said.trim())),
        _ => (entry.value.as_str(), None),
    };
    let mut letters = letter.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_lowercase() => letter,
        _ => return Err(entry.unexpected(form)),
    };
    let Some(said) = said.or(moves) else { return Err(entry.unexpected(form)) };
    let parts = match moves {
        // It stands where it is.
        Some("") => Vec::new(),
        _ => betza::read(said).map_err(|error| {
            entry.error(format!("{} at {}", error.found, error.place), error.expected)
        })?,
    };
    let royal = entry.key == "king";
    if royal && parts.iter().any(|part| part.en_passant) {
        return Err(entry.error(quoted(said), "moves without e, as no king captures en passant"));
    }
    Ok(Kind {
        letter,
        name: entry.key.clone(),
        notation: said.to_owned(),
        parts,
        royal,
        values: [None; 2],
    })
}
