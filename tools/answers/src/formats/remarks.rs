//! What stands beside the moves of a text: comments in braces, and variations in parentheses.
//!
//! The one idea: both may go on over lines, and nothing within a comment is a sign. Who wants the
//! comments gets a word in the place of each, and then the comments in their order.

use std::collections::VecDeque;

use alesia::game::ParseError;

use super::notes;

/// The word that stands for a comment.
pub const COMMENT: &str = "\u{1}";

/// The remarks of a text that have begun and not ended, by the lines where they begin.
#[derive(Default)]
pub struct Remarks {
    comment: Option<usize>,
    /// They may be nested.
    variations: Vec<usize>,
    /// The comments that have ended and were not asked for yet, where they are wanted.
    heard: Option<VecDeque<String>>,
    /// The one that has begun.
    said: String,
}

impl Remarks {
    /// The same, that keeps the comments beside the game itself.
    pub fn heard() -> Remarks {
        Remarks { heard: Some(VecDeque::new()), ..Remarks::default() }
    }

    /// The comment of the next [`COMMENT`].
    pub fn next_comment(&mut self) -> Option<String> {
        self.heard.as_mut()?.pop_front()
    }

    /// Keeps a piece of a comment, as far as it is wanted.
    fn hear(&mut self, c: char) {
        let is_wanted = self.heard.is_some() && self.variations.is_empty();
        if is_wanted && self.said.len() < notes::LONGEST * 4 {
            self.said.push(c);
        }
    }

    /// Whether the next line begins within a remark.
    pub fn are_open(&self) -> bool {
        self.comment.is_some() || !self.variations.is_empty()
    }

    /// A line without its remarks, with a blank after each.
    pub fn left_out(&mut self, line: &str, number: usize) -> String {
        self.left_out_until(line, number, None)
    }

    /// The same, where the rest of the line is a comment after the character `end`.
    pub fn left_out_until(&mut self, line: &str, number: usize, end: Option<char>) -> String {
        let mut kept = String::new();
        if self.comment.is_some() {
            self.hear(' ');
        }
        for c in line.chars() {
            match (c, self.comment.is_some()) {
                ('}', true) => {
                    self.comment = None;
                    kept.push(' ');
                    if let Some(heard) = &mut self.heard
                        && self.variations.is_empty()
                    {
                        heard.push_back(std::mem::take(&mut self.said));
                        kept += COMMENT;
                        kept.push(' ');
                    }
                }
                (c, true) => self.hear(c),
                ('{', false) => self.comment = Some(number),
                (c, false) if Some(c) == end => break,
                ('(', false) => self.variations.push(number),
                (')', false) => {
                    self.variations.pop();
                    kept.push(' ');
                }
                (c, false) if self.variations.is_empty() => kept.push(c),
                _ => {}
            }
        }
        kept
    }

    /// Checks that all have ended.
    ///
    /// # Errors
    /// The one that has not.
    pub fn end(&self) -> Result<(), ParseError> {
        let (line, found, expected) = match (self.comment, self.variations.first()) {
            (Some(line), _) => (line, "a comment without end", "`}`"),
            (None, Some(&line)) => (line, "a variation without end", "`)`"),
            (None, None) => return Ok(()),
        };
        Err(ParseError::new(format!("line {line}"), found, expected))
    }
}
