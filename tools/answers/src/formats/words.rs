//! What a word of a text with moves is: a move, a result, or a mark that says nothing of the moves.
//!
//! The one idea: only what is known to be a mark is left out. All else is a move, which the rules
//! may refuse, so that nothing is lost in silence.

use alesia::record::game_record::Winner;

/// A word among the moves of a text.
#[derive(Debug, PartialEq)]
pub enum Word {
    /// A number, or what an annotator thinks.
    Mark,
    /// A result; none where it is left open.
    Result(Option<Winner>),
    /// A move, legal or not.
    Move(String),
}

impl Word {
    /// A word as it stands in a text, a number before it included.
    pub fn of(text: &str) -> Word {
        let text = with_plain_dashes(without_number(text));
        match of_token(&text) {
            Some(result) => Word::Result(result),
            None if is_mark(&text) => Word::Mark,
            None => Word::Move(text),
        }
    }
}

/// A word without a move's number before it: `12.`, `12...`, `3)`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let dots = rest.trim_start_matches(['.', ')', '…']);
    if rest.len() < word.len() && dots.len() < rest.len() { dots } else { word }
}

/// Word processors make other dashes of a hyphen.
fn with_plain_dashes(text: &str) -> String {
    text.replace(['‐', '‑', '‒', '–', '—', '―', '−'], "-")
}

/// The result that a word names, if it names one; `*` leaves it open.
pub fn of_token(word: &str) -> Option<Option<Winner>> {
    match &*with_plain_dashes(word) {
        "1-0" => Some(Some(Winner::White)),
        "0-1" => Some(Some(Winner::Black)),
        "1/2-1/2" | "1/2" | "½-½" | "½" => Some(Some(Winner::Nobody)),
        "*" => Some(None),
        _ => None,
    }
}

/// Whether a word is a mark: a number, dots, a code (`$1`), a judgement (`!?`, `+-`, `±`).
fn is_mark(word: &str) -> bool {
    const JUDGEMENTS: &str = "!?+=/#±∓∞⩲⩱□△⟳→↑⇆⨀";
    let is_number = !word.starts_with('0') && word.chars().all(|c| c.is_ascii_digit());
    let is_judgement = word.chars().all(|c| c == '-' || JUDGEMENTS.contains(c))
        // Dashes alone are no judgement: `--` is a move that passes.
        && word.contains(|c| JUDGEMENTS.contains(c));
    let is_code = word.strip_prefix('$').is_some_and(|code| code.parse::<u32>().is_ok());
    let are_dots = word.chars().all(|c| matches!(c, '.' | '…'));
    is_number || is_judgement || is_code || are_dots || word == "e.p."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_before_a_move_is_no_part_of_it() {
        for (word, expected) in
            [("12.A1", "A1"), ("12...A1", "A1"), ("3)", ""), ("A1", "A1"), ("1", "1"), ("4.", "")]
        {
            assert_eq!(without_number(word), expected);
        }
    }

    #[test]
    fn only_known_marks_are_left_out() {
        for mark in ["12.", "12...", "3)", "7", "...", "$14", "!?", "+-", "-+", "+/-", "±", "e.p."]
        {
            assert_eq!(Word::of(mark), Word::Mark, "{mark}");
        }
        for text in ["--", "-", "0000", "Z0", "0-0", "$", "$x", "1:0", "@@@@", "~"] {
            assert_eq!(Word::of(text), Word::Move(text.to_owned()), "{text}");
        }
        assert_eq!(Word::of("12.–"), Word::Move("-".to_owned()));
    }
}
