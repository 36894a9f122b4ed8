//! The common parts of the text boards and notations of all games: fields, rows, cell names.
//!
//! A text board has these fields, separated by blanks: its rows from top to bottom joined by `/`,
//! the side to move, the plies played, and further fields of the game.

use std::fmt;

use crate::game::{ParseError, Side, quoted};

/// The fields of a text board, its rows not yet looked into.
pub struct BoardText<'a> {
    rows: Vec<&'a str>,
    /// The side to move.
    pub side: Side,
    /// Plies played.
    pub ply: usize,
    /// The fields after the first three.
    pub further: Vec<&'a str>,
}

impl<'a> BoardText<'a> {
    /// Splits a text board of `rows` × `columns` cells and `further` more fields, and checks
    /// everything but the characters of the cells.
    pub fn split(
        text: &'a str,
        (rows, columns): (usize, usize),
        further: usize,
        ply_limit: usize,
    ) -> Result<BoardText<'a>, ParseError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        if fields.len() != 3 + further {
            return Err(ParseError::new(
                "text board",
                format!("{} fields", fields.len()),
                format!("{} fields separated by spaces: rows, side, plies…", 3 + further),
            ));
        }
        let lines: Vec<&str> = fields[0].split('/').collect();
        if lines.len() != rows {
            return Err(ParseError::new(
                "text board",
                format!("{} rows", lines.len()),
                format!("{rows} rows joined by `/`"),
            ));
        }
        for (row, line) in lines.iter().enumerate() {
            let length = line.chars().count();
            if length != columns {
                return Err(ParseError::new(
                    format!("row {}", row + 1),
                    format!("{length} cells"),
                    format!("{columns} cells"),
                ));
            }
        }
        let side = match fields[1] {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(ParseError::new("side to move", quoted(other), "`w` or `b`")),
        };
        let ply = number(fields[2], "plies played", ply_limit)?;
        Ok(BoardText { rows: lines, side, ply, further: fields[3..].to_vec() })
    }

    /// Calls `place` with (row, column, character) of every cell; if it returns false, the
    /// character is an error, and `expected` names the valid ones.
    pub fn each_cell(
        &self,
        expected: &str,
        mut place: impl FnMut(usize, usize, char) -> bool,
    ) -> Result<(), ParseError> {
        for (row, line) in self.rows.iter().enumerate() {
            for (column, character) in line.chars().enumerate() {
                if !place(row, column, character) {
                    return Err(ParseError::new(
                        format!("row {}, column {}", row + 1, column + 1),
                        quoted(&character.to_string()),
                        format!("one of {expected}"),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A decimal number from 0 to `limit`, digits alone.
pub fn number(text: &str, place: &str, limit: usize) -> Result<usize, ParseError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<usize>().ok().filter(|&n| digits && n <= limit).ok_or_else(|| {
        ParseError::new(place, quoted(text), format!("a whole number from 0 to {limit}"))
    })
}

/// Writes rows of cells joined by `/`.
pub fn write_rows(
    f: &mut fmt::Formatter,
    (rows, columns): (usize, usize),
    character: impl Fn(usize, usize) -> char,
) -> fmt::Result {
    use fmt::Write;
    for row in 0..rows {
        if row > 0 {
            f.write_char('/')?;
        }
        for column in 0..columns {
            f.write_char(character(row, column))?;
        }
    }
    Ok(())
}

/// `w` or `b`.
pub fn side_letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// A row or column of a cell name: letters count from `A` (in either case), digits from `1`.
/// Returns its index, if it is below `count`.
pub fn index_of(character: u8, first: u8, count: usize) -> Option<usize> {
    let index = character.to_ascii_uppercase().checked_sub(first)? as usize;
    (index < count).then_some(index)
}

/// The names of `count` rows or columns, starting with `first`.
pub fn names(first: u8, count: usize) -> Vec<String> {
    (0..count).map(|i| char::from(first + i as u8).to_string()).collect()
}
