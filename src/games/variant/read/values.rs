//! The values of keys: words, numbers, cells.

use std::ops::RangeInclusive;

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
