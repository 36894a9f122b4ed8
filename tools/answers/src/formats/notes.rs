//! What people write to a move: a comment, and one of six marks.
//!
//! The one idea: both forms have words for the same six marks, codes of PGN and properties of SGF,
//! so that a note comes back as it was. What programs write to a move is no comment.

use serde::{Deserialize, Serialize};

/// The marks in the order of their codes in PGN, none first.
const MARKS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// The same as properties of SGF.
const PROPERTIES: [&str; 7] = ["", "TE[1]", "BM[1]", "TE[2]", "BM[2]", "IT[]", "DO[]"];

/// Max characters of a comment.
pub const LONGEST: usize = 2000;

/// What is written to a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Note {
    /// The code of PGN, 1 to 6; 0 for none.
    pub mark: u8,
    pub comment: String,
}

impl Note {
    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        *self == Note::default()
    }

    /// The code of the mark; none where there is none.
    pub fn code(&self) -> Option<String> {
        self.known_mark().map(|mark| format!("${mark}"))
    }

    /// The mark as a property of SGF; empty where there is none.
    pub fn property(&self) -> &'static str {
        self.known_mark().map_or("", |mark| PROPERTIES[usize::from(mark)])
    }

    fn known_mark(&self) -> Option<u8> {
        (1..MARKS.len() as u8).contains(&self.mark).then_some(self.mark)
    }

    /// Adds a comment, unless a program wrote it.
    pub fn add(&mut self, comment: &str) {
        let comment = comment.trim();
        if comment.is_empty() || is_of_program(comment) {
            return;
        }
        if !self.comment.is_empty() {
            self.comment.push(' ');
        }
        let room = LONGEST.saturating_sub(self.comment.chars().count());
        self.comment.extend(comment.chars().take(room));
    }

    /// Takes the reason of the game's end away, which stands behind its last move.
    pub fn without(&mut self, reason: &str) {
        if let Some(own) = self.comment.strip_suffix(reason) {
            self.comment = own.trim_end().to_owned();
        }
    }
}

/// The mark of a word: a code (`$5`), or what stands behind a move or alone (`!?`); 0 for none.
pub fn mark_of(word: &str) -> u8 {
    if let Some(code) = word.strip_prefix('$') {
        return code.parse().ok().filter(|code| (1..=6).contains(code)).unwrap_or(0);
    }
    let mark = &word[word.trim_end_matches(['!', '?']).len()..];
    MARKS.iter().position(|&known| known == mark).unwrap_or(0) as u8
}

/// The mark of a property of SGF; 0 for none.
pub fn mark_of_property(name: &str, value: &str) -> u8 {
    let much = value.trim() == "2";
    match name {
        "TE" => 1 + 2 * u8::from(much),
        "BM" => 2 + 2 * u8::from(much),
        "IT" => 5,
        "DO" => 6,
        _ => 0,
    }
}

/// Whether a comment is a score with its depth (`+0.23/12 1.5s`), or a command (`[%clk 0:01]`).
fn is_of_program(comment: &str) -> bool {
    let is_score = |word: &str| {
        let (score, depth) = word.split_once('/')?;
        let number = score.strip_prefix(['+', '-']).unwrap_or(score);
        let number = number.strip_prefix('M').unwrap_or(number);
        Some(number.parse::<f64>().is_ok() && depth.parse::<u32>().is_ok())
    };
    let first = comment.split_whitespace().next().unwrap_or_default();
    is_score(first) == Some(true) || comment.starts_with("[%") && comment.ends_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_has_a_word_in_each_form_and_is_read_from_it() {
        for (mark, symbol) in (1..).zip(&MARKS[1..]) {
            let note = Note { mark, ..Note::default() };
            let code = note.code().unwrap();
            assert_eq!([mark_of(&code), mark_of(symbol)], [mark; 2]);
            assert_eq!(mark_of(&format!("e4{symbol}")), mark);
            let (name, value) = note.property().trim_end_matches(']').split_once('[').unwrap();
            assert_eq!(mark_of_property(name, value), mark);
        }
        for none in ["$7", "$0", "e4", "!!!", "$", ""] {
            assert_eq!(mark_of(none), 0, "{none}");
        }
        assert_eq!(Note { mark: 9, ..Note::default() }.code(), None);
    }

    #[test]
    fn scores_and_commands_of_programs_are_no_comments() {
        let mut note = Note::default();
        for text in ["+0.23/12 1.500s", "-M3/7", "0.00/0", "[%clk 0:01:02]", " "] {
            note.add(text);
        }
        assert!(note.is_empty(), "{note:?}");
        note.add("A good");
        note.add("move. 1/2 of the board");
        note.add("home row reached");
        note.without("home row reached");
        assert_eq!(note.comment, "A good move. 1/2 of the board");
        note.add(&"x".repeat(LONGEST));
        assert_eq!(note.comment.chars().count(), LONGEST);
    }
}
