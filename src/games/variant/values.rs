//! The values of keys: words, numbers, letters of pieces, cells.

use std::ops::RangeInclusive;

use super::definition::Kind;
use super::ini::Entry;
use crate::game::{ParseError, quoted};

/// One of some words.
pub fn word<T: Copy>(entry: &Entry, words: &[(&str, T)]) -> Result<T, ParseError> {
    let found = words.iter().find(|(word, _)| *word == entry.value);
    found.map(|&(_, meaning)| meaning).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
        entry.unexpected(format!("one of {}", names.join(", ")))
    })
}

/// `true` or `false`.
pub fn flag(entry: &Entry) -> Result<bool, ParseError> {
    word(entry, &[("true", true), ("false", false)])
}

/// A whole number in a range.
pub fn bounded(entry: &Entry, range: RangeInclusive<usize>) -> Result<usize, ParseError> {
    let digits = entry.value.bytes().all(|byte| byte.is_ascii_digit());
    let number = entry.value.parse().ok().filter(|number| digits && range.contains(number));
    number.ok_or_else(|| {
        entry.unexpected(format!("a whole number from {} to {}", range.start(), range.end()))
    })
}

/// A file as a letter or a number from 1; its index from 0.
pub fn file(entry: &Entry, count: usize) -> Result<usize, ParseError> {
    let last = char::from(b'a' + (count - 1) as u8);
    if let [letter @ b'a'..=b'z'] = entry.value.as_bytes() {
        let index = usize::from(letter - b'a');
        if index < count {
            return Ok(index);
        }
    }
    bounded(entry, 1..=count).map(|number| number - 1).map_err(|_| {
        entry
            .unexpected(format!("a file: a letter from a to {last}, or a number from 1 to {count}"))
    })
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

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Ranks.
    pub rows: usize,
    /// Files.
    pub columns: usize,
}

impl Area {
    /// The number of cells.
    pub fn cells_count(self) -> usize {
        self.rows * self.columns
    }

    /// The cell of a name such as `e2`, and the length of the name.
    pub fn cell_at(self, text: &[u8]) -> Option<(usize, usize)> {
        let column = usize::from(text.first()?.to_ascii_lowercase().checked_sub(b'a')?);
        let digits = text[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        // No rank begins with a zero.
        let rank: usize = str::from_utf8(&text[1..=digits]).ok()?.parse().ok()?;
        let is_plain = text.get(1) != Some(&b'0');
        if column >= self.columns || !is_plain || !(1..=self.rows).contains(&rank) {
            return None;
        }
        Some(((self.rows - rank) * self.columns + column, 1 + digits))
    }

    /// The cell of exactly this name.
    pub fn cell(self, name: &str) -> Option<usize> {
        let (cell, length) = self.cell_at(name.as_bytes())?;
        (length == name.len()).then_some(cell)
    }

    /// The name of a cell.
    pub fn name(self, cell: usize) -> String {
        let file = char::from(b'a' + (cell % self.columns) as u8);
        format!("{file}{}", self.rows - cell / self.columns)
    }

    /// The cells of one word: `d4`, `*8` for a rank, `d*` for a file.
    pub fn cells(self, word: &str) -> Option<u64> {
        let bits = |holds: &dyn Fn(usize) -> bool| {
            (0..self.cells_count()).filter(|&cell| holds(cell)).fold(0, |set, cell| set | 1 << cell)
        };
        if let Some(rank) = word.strip_prefix('*') {
            let cell = self.cell(&format!("a{rank}"))?;
            return Some(bits(&|other| other / self.columns == cell / self.columns));
        }
        if let Some(file) = word.strip_suffix('*') {
            let cell = self.cell(&format!("{file}1"))?;
            return Some(bits(&|other| other % self.columns == cell % self.columns));
        }
        self.cell(word).map(|cell| 1 << cell)
    }

    /// A region: cells, ranks and files, or `-` for none.
    pub fn region(self, entry: &Entry) -> Result<u64, ParseError> {
        if entry.value == "-" {
            return Ok(0);
        }
        let mut region = 0;
        for word in entry.value.split_whitespace() {
            let Some(cells) = self.cells(word) else {
                let expected = format!(
                    "cells such as d4, *4 (a rank) or d* (a file) of {} files and {} ranks, or -",
                    self.columns, self.rows
                );
                return Err(entry.error(quoted(word), expected));
            };
            region |= cells;
        }
        if region == 0 {
            return Err(entry.error("nothing", "cells such as d4 or *4, or -"));
        }
        Ok(region)
    }
}
