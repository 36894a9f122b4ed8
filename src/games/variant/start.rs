//! The start position of a section, and what is wrong with it.
//!
//! The one idea: where a section inherits its start position, the key that does not go with it is
//! one of its own, so an error names the line of that key.

use super::ini::{Entry, Section, Source};
use super::keys::is_piece;
use super::position::Position;
use super::rules::Rules;
use crate::game::{ParseError, Side};

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

/// Checks a start position that can be read: White begins in move 1, and the game goes on.
pub fn check(rules: &Rules, position: &Position, section: &Section) -> Result<(), ParseError> {
    let start = &rules.definition.start;
    if position.side == Side::Black {
        return Err(start.error("`b` at side to move", "`w`: White begins"));
    }
    if position.ply != 0 {
        let found = format!("`{}` at number of the move", position.ply / 2 + 1);
        return Err(start.error(found, "`1`"));
    }
    if position.all_moves() == 0 {
        return Err(start.error("no legal move of White", "a position with a legal move"));
    }
    match rules.has_special_ending.then(|| position.special_ending()).flatten() {
        None => Ok(()),
        Some(ending) => {
            let keys = match ending.rule == Position::FLAG {
                true => ["flagPiece", "flagRegionWhite", "flagRegionBlack"],
                false => ["extinctionPieceTypes", "extinctionPieceCount", "extinctionValue"],
            };
            let all = keys.iter().filter_map(|key| section.get(key));
            // Of a rule that is inherited, the start position is what is wrong.
            let entry = all.filter(|entry| entry.is_own()).max_by_key(|entry| entry.place.line);
            let found = format!("a start position in which the game is over: {ending}");
            Err(entry.unwrap_or(start).error(found, "one in which it goes on"))
        }
    }
}

/// What is allowed in a start position, and yet seldom meant; with its line.
pub fn notices(rules: &Rules) -> Vec<String> {
    let definition = &rules.definition;
    let Some(royal) = rules.royal else { return Vec::new() };
    let Ok(position) = rules.position(&definition.start.value) else { return Vec::new() };
    let sides = [Side::White, Side::Black].into_iter();
    let without = sides.filter(|&side| position.of_kind(royal) & position.pieces(side) == 0);
    let letter = definition.kinds[royal].letter;
    let place = &definition.start.place;
    let notice = |side: Side| {
        format!(
            "{}:{}: startFen: {side} has no king (`{letter}`), so it is never in check",
            place.file, place.line
        )
    };
    without.map(notice).collect()
}
