//! The rows of a position's text: a character for each cell.

use super::ini::{Entry, Section};
use super::start;
use super::values::Area;
use crate::game::{ParseError, quoted};

/// The characters of the cells of a start position, row by row from the top: letters of pieces, `.`
/// and `*`.
pub fn of_start(section: &Section, start: &Entry, area: Area) -> Result<Vec<char>, ParseError> {
    of_entry(start, area).map_err(|error| start::error(section, start, error))
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
