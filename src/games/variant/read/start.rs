//! The start position of a section: its text, its rows, and what is wrong with it.
//!
//! The one idea: where a section inherits its start position, the key that does not go with it is
//! one of its own, so an error names the line of that key.

use super::ini::{Entry, Section, Source};
use super::keys::is_piece;
use super::values::Area;
use crate::game::{ParseError, quoted};

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
    let castling = castling_key(section).filter(|_| error.place == "castling rights");
    let cause = cause(section, &error).filter(|_| !start.is_own());
    let Some(cause) = cause else {
        let or = castling.map_or(String::new(), |key| format!("; or add {key}"));
        return start.error(found, error.expected + &or);
    };
    let expected = match castling {
        Some(key) => format!("{}; with {key}, or a startFen of its own, it may", error.expected),
        None => format!("{}; with {} a section needs its own startFen", error.expected, cause.key),
    };
    cause.place.error(&start.shown_key(), found, expected)
}

/// The key with which a piece castles that has the letter of chess and is not the piece of chess.
fn castling_key(section: &Section) -> Option<String> {
    let is_there = |key: &str| section.get(key).is_some_and(|entry| entry.value != "-");
    let keys = [("castlingKingPiece", "king", 'k'), ("castlingRookPieces", "rook", 'r')];
    let missing = keys.into_iter().find(|(key, piece, letter)| {
        let mut pieces = section.entries.iter().filter(|entry| is_piece(&entry.key));
        section.get(key).is_none()
            && !is_there(piece)
            && pieces.any(|entry| entry.value.starts_with(*letter))
    });
    missing.map(|(key, _, letter)| format!("{key} = {letter}"))
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

/// The characters of the cells of a start position, row by row from the top: letters of pieces, `.`
/// and `*`.
pub fn cells(section: &Section, start: &Entry, area: Area) -> Result<Vec<char>, ParseError> {
    of_entry(start, area).map_err(|error| self::error(section, start, error))
}

/// The squares of a start position; none if its rows are wrong.
pub fn squares_of(start: &Entry, area: Area) -> Option<u64> {
    of_entry(start, area).ok().map(|characters| squares(&characters))
}

fn of_entry(start: &Entry, area: Area) -> Result<Vec<char>, ParseError> {
    characters(start.value.split_whitespace().next().unwrap_or_default(), area)
}

/// The cells that are squares, by the characters of all cells.
pub fn squares(characters: &[char]) -> u64 {
    let is_square = |&(_, character): &(usize, &char)| *character != '*';
    let squares = characters.iter().enumerate().filter(is_square);
    squares.fold(0, |set, (cell, _)| set | 1 << cell)
}

/// The characters of rows joined by `/`, with numbers for as many empty cells.
pub fn characters(rows: &str, area: Area) -> Result<Vec<char>, ParseError> {
    let count = rows.split('/').count();
    if count != area.rows {
        let expected = format!("{} rows joined by `/`", area.rows);
        return Err(ParseError::new("board", format!("{count} rows"), expected));
    }
    let mut found = Vec::with_capacity(area.cells_count());
    for (index, row) in rows.split('/').enumerate() {
        let place = format!("rank {}", area.rows - index);
        let before = found.len();
        let mut rest = row;
        while let Some(first) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let number = rest[..digits].parse().ok().filter(|n| (1..=area.columns).contains(n));
                let Some(number) = number else {
                    let expected = format!("a number of empty cells from 1 to {}", area.columns);
                    return Err(ParseError::new(place, quoted(&rest[..digits]), expected));
                };
                found.extend(std::iter::repeat_n('.', number));
                rest = &rest[digits..];
                continue;
            }
            if !first.is_ascii_alphabetic() && !matches!(first, '.' | '*' | '#') {
                let expected = "letters of pieces, numbers of empty cells, `.` and `*`";
                return Err(ParseError::new(place, quoted(&first.to_string()), expected));
            }
            found.push(if first == '#' { '*' } else { first });
            rest = &rest[first.len_utf8()..];
        }
        if found.len() - before != area.columns {
            let (found, expected) = (found.len() - before, area.columns);
            return Err(ParseError::new(
                place,
                format!("{found} cells"),
                format!("{expected} cells"),
            ));
        }
    }
    Ok(found)
}
