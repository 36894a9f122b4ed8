//! What an error in input says, and the words it is made of.
//!
//! The one idea: an error names the place, what was found there, and what was expected.

use std::fmt;

use thiserror::Error;

/// An error in input: where, what was found, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: found {found}, expected {expected}")]
pub struct ParseError {
    /// Where in the input, such as `row 3, column 5`.
    pub place: String,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl ParseError {
    /// Puts the three together; `found` is quoted where it is text.
    pub fn new(
        place: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ParseError {
        ParseError { place: place.into(), found: found.into(), expected: expected.into() }
    }

    /// The same error, its place inside a larger one.
    pub fn within(mut self, outer: impl fmt::Display) -> ParseError {
        self.place = format!("{outer}, {}", self.place);
        self
    }
}

/// The text without the byte order mark with which some editors begin a file.
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A number of things: `1 game`, `2 games`.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Names to choose from: `a`, `a or b`, `a, b or c`; nothing if there are none.
pub fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

/// Text from outside, quoted for an error message: control characters escaped, cut at 40
/// characters.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_read_as_a_sentence() {
        for (names, expected) in
            [(&[][..], ""), (&["a"], "a"), (&["a", "b"], "a or b"), (&["a", "b", "c"], "a, b or c")]
        {
            assert_eq!(alternatives(names), expected);
        }
    }
}
