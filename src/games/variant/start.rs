//! The start position of a section, and what is wrong with it.
//!
//! The one idea: where a section inherits its start position, the key that does not go with it is
//! one of its own, so an error names the line of that key.

use super::ini::{Entry, Section, Source};
use super::keys::is_piece;
use crate::game::ParseError;

/// The start position of chess.
const OF_CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The start position of a section.
pub fn entry(section: &Section) -> Entry {
    section.get("startFen").cloned().unwrap_or_else(|| Entry {
        place: section.place.clone(),
        key: "startFen".to_owned(),
        value: OF_CHESS.to_owned(),
        source: Source::Default,
        replaced: None,
    })
}

/// What is wrong with the start position's text, at the line that makes it so.
pub fn error(section: &Section, start: &Entry, error: ParseError) -> ParseError {
    let found = match error.place.as_str() {
        "position" => error.found.clone(),
        place => format!("{} at {place}", error.found),
    };
    if start.is_own() {
        return start.error(found, error.expected);
    }
    let Some(cause) = cause(section, &error) else { return start.error(found, error.expected) };
    let expected =
        format!("{}; with {} a section needs its own startFen", error.expected, cause.key);
    cause.place.error(&start.shown_key(), found, expected)
}

/// The section's own key with which the inherited start position does not go.
fn cause<'s>(section: &'s Section, error: &ParseError) -> Option<&'s Entry> {
    let own = || section.entries.iter().filter(|entry| entry.is_own());
    let of_keys = |keys: &[&str]| own().find(|entry| keys.contains(&entry.key.as_str()));
    let removed = |is_letter: &dyn Fn(char) -> bool| {
        own().find(|entry| {
            let before = entry.replaced.as_ref().and_then(|value| value.chars().next());
            is_piece(&entry.key) && before.is_some_and(is_letter)
        })
    };
    match error.place.as_str() {
        "board" => of_keys(&["maxRank"]),
        "castling rights" => own()
            .find(|entry| entry.key.starts_with("castling"))
            .or_else(|| removed(&|letter| matches!(letter, 'k' | 'r'))),
        place if place.starts_with("rank ") => of_keys(&["maxFile"]),
        place if place.starts_with("cell ") => {
            removed(&|letter| error.found.to_ascii_lowercase().contains(letter))
        }
        _ => None,
    }
}
