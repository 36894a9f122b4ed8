//! Positions in the Forsyth-Edwards notation, and moves as UCI writes them.
//!
//! The one idea: a position's text is read with the rules beside it, so that it is refused where no
//! game of the variant could stand there. `*` is a cell without a square, and `.` a single empty
//! one.

use std::fmt::{self, Write};

use super::moves::{Count, MAX_LISTED};
use super::position::{Position, decode, encode};
use super::rules::Rules;
use crate::game::bitboard::cells;
use crate::game::{MAX_PLIES, Move, ParseError, Side, quoted};
use crate::games::text;
use crate::games::variant::read::castling::Castling;
use crate::games::variant::read::piece_kinds::Letters;
use crate::games::variant::read::start::{characters, squares};
use crate::games::variant::read::values::Area;

/// Max plies of a game.
pub const PLY_LIMIT: usize = MAX_PLIES;

/// Reads a position: rows, side to move, castling rights, cells of a capture en passant, the checks
/// left where they are counted, plies since the last capture or pawn move, number of the move. What
/// is left out is filled in.
///
/// # Errors
/// The text has not this form, or the position is impossible: a side has another number of kings
/// than at the start, more than [`MAX_LISTED`] moves, or left its king attacked. The king and the
/// rook of a castling right must be at home, too.
pub fn read<'r>(rules: &'r Rules, text: &str) -> Result<Position<'r>, ParseError> {
    let mut position = without_check_of_kings(rules, text)?;
    if let Some(royal) = rules.royal {
        let start = without_check_of_kings(rules, &rules.definition.start.value)?;
        for side in [Side::White, Side::Black] {
            let kings = |of: &Position| (of.of_kind(royal) & of.pieces(side)).count_ones();
            let (found, expected) = (kings(&position), kings(&start).min(1));
            if found != expected {
                let place = format!("kings of {side}");
                return Err(ParseError::new(place, found.to_string(), expected.to_string()));
            }
        }
    }
    if position.is_attacked(!position.side) {
        let found = format!("{} in check, {} to move", !position.side, position.side);
        return Err(ParseError::new("position", found, "only the side to move in check"));
    }
    let mut count = Count(0);
    position.generate(&mut count);
    if count.0 > MAX_LISTED {
        let found = format!("{} legal moves", count.0);
        return Err(ParseError::new("position", found, format!("at most {MAX_LISTED}")));
    }
    position.key = position.full_key();
    Ok(position)
}

fn without_check_of_kings<'r>(rules: &'r Rules, text: &str) -> Result<Position<'r>, ParseError> {
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    let checks = if rules.definition.check_counting { take_checks(&mut fields)? } else { [0; 2] };
    let [rows, side, rights, passed, quiet, number] = filled_in(fields)?;
    let mut position = board(rules, rows)?;
    position.checks = checks;
    position.side = match side {
        "w" => Side::White,
        "b" => Side::Black,
        other => return Err(ParseError::new("side to move", quoted(other), "`w` or `b`")),
    };
    read_rights(&mut position, rights)?;
    position.quiet = text::number(quiet, "quiet plies", PLY_LIMIT)? as u16;
    let number = text::number(number, "number of the move", PLY_LIMIT / 2 + 1)?;
    let ply = 2 * number.max(1) - 2 + usize::from(position.side == Side::Black);
    if ply > PLY_LIMIT {
        let expected = format!("at most {PLY_LIMIT} plies");
        return Err(ParseError::new("number of the move", number.to_string(), expected));
    }
    position.ply = ply as u16;
    if passed != "-" {
        let Some(over) = cells_of(rules.area, passed) else {
            let expected = "a cell such as e3, several such as e3e4, or -";
            return Err(ParseError::new("en passant cell", quoted(passed), expected));
        };
        position.read_passed(over & !position.occupied());
    }
    Ok(position)
}

/// Takes the checks left to White and Black out of the fields of a text: `3+3` before the two
/// numbers, or the checks given of three at the end, `+0+0`. As in Fairy-Stockfish the next check
/// wins where nothing says so.
fn take_checks(fields: &mut Vec<&str>) -> Result<[u8; 2], ParseError> {
    let Some(index) = fields.iter().position(|field| field.contains('+')) else {
        return Ok([1; 2]);
    };
    let field = fields.remove(index);
    let digit = |text: &str| match text.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    };
    let both = |(white, black): (&str, &str)| Some([digit(white)?, digit(black)?]);
    let read = match field.strip_prefix('+') {
        Some(given) => given.split_once('+').and_then(both).map(|given| given.map(left_of_three)),
        None => field.split_once('+').and_then(both),
    };
    read.ok_or_else(|| {
        let expected = "the checks that White and Black must still give, such as 3+3";
        ParseError::new("checks", quoted(field), expected)
    })
}

fn left_of_three(given: u8) -> u8 {
    3u8.saturating_sub(given)
}

/// The fields of a text. As in Fairy-Stockfish the last ones may be left out, and castling rights
/// with the en passant cell before the two numbers.
fn filled_in(mut fields: Vec<&str>) -> Result<[&str; 6], ParseError> {
    const LEFT_OUT: [&str; 6] = ["", "w", "-", "-", "0", "1"];
    let found = format!("{} fields", fields.len());
    let begins_numbers = |field: &&str| field.starts_with(|c: char| c.is_ascii_digit());
    if fields.get(2).is_some_and(begins_numbers) {
        fields.splice(2..2, ["-", "-"]);
    }
    if !fields.is_empty() {
        fields.extend(LEFT_OUT.iter().skip(fields.len()));
    }
    fields.try_into().map_err(|_| {
        let expected = "rows, side to move, castling rights, en passant cell, quiet plies and \
                        number of the move, of which the last may be left out";
        ParseError::new("position", found, expected)
    })
}

/// The cells of names that follow each other without a blank.
fn cells_of(area: Area, text: &str) -> Option<u64> {
    let (mut set, mut rest) = (0, text.as_bytes());
    while !rest.is_empty() {
        let (cell, length) = area.cell_at(rest)?;
        set |= 1 << cell;
        rest = &rest[length..];
    }
    Some(set)
}

/// The pieces and squares of rows.
fn board<'r>(rules: &'r Rules, rows: &str) -> Result<Position<'r>, ParseError> {
    let characters = characters(rows, rules.area)?;
    let mut position = Position::empty(rules, squares(&characters));
    for (cell, &letter) in characters.iter().enumerate() {
        if !letter.is_ascii_alphabetic() {
            continue;
        }
        let Some(kind) = rules.definition.kind_of_letter(letter) else {
            let known = Letters(&rules.definition.kinds).known();
            let expected = format!("letters of {known}, in upper case of White");
            let place = format!("cell {}", rules.area.name(cell));
            return Err(ParseError::new(place, quoted(&letter.to_string()), expected));
        };
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        position.put(side, kind, cell);
    }
    Ok(position)
}

fn read_rights(position: &mut Position, field: &str) -> Result<(), ParseError> {
    const PLACE: &str = "castling rights";
    if field == "-" {
        return Ok(());
    }
    for letter in field.chars() {
        let mut ways = position.rules.ways.iter().flatten();
        let way = ways.find(|way| way.castling.letter() == letter);
        let Some(castling) = way.map(|way| way.castling) else {
            let known: String =
                position.rules.ways.iter().flatten().map(|way| way.castling.letter()).collect();
            let expected = match known.as_str() {
                "" => "`-`, as there is no castling".to_owned(),
                known => format!("`-` or letters of {known}"),
            };
            return Err(ParseError::new(PLACE, quoted(field), expected));
        };
        if position.rights & castling.bit() != 0 || !is_at_home(position, &castling) {
            let expected =
                format!("no `{letter}` without its king and rook at home, and none twice");
            return Err(ParseError::new(PLACE, quoted(field), expected));
        }
        position.rights |= castling.bit();
    }
    Ok(())
}

fn is_at_home(position: &Position, castling: &Castling) -> bool {
    let own = position.pieces(castling.side);
    let holds =
        |cell: usize, kinds: u32| own >> cell & 1 != 0 && kinds >> position.kind_at(cell) & 1 != 0;
    holds(castling.king_from, 1 << castling.king) && holds(castling.rook_from, castling.rooks)
}

impl Rules {
    /// Reads a position in the Forsyth-Edwards notation.
    ///
    /// # Errors
    /// The text has not that form, or no game of the variant could stand there.
    pub fn position(&self, text: &str) -> Result<Position<'_>, ParseError> {
        read(self, text)
    }

    /// The position in which a game begins.
    pub fn start(&self) -> Position<'_> {
        let start = &self.definition.start.value;
        self.position(start).expect("checked when the rules were read")
    }
}

impl Position<'_> {
    /// The character of a cell.
    pub(super) fn character(&self, cell: usize) -> char {
        let of = |side| self.rules.definition.letter(side, self.kind_at(cell));
        match cell {
            _ if self.pieces(Side::White) >> cell & 1 != 0 => of(Side::White),
            _ if self.pieces(Side::Black) >> cell & 1 != 0 => of(Side::Black),
            _ if self.squares >> cell & 1 != 0 => '.',
            _ => '*',
        }
    }

    /// Writes the rows, a character for each cell.
    pub(super) fn write_cells(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Area { rows, columns } = self.rules.area;
        text::write_rows(f, (rows, columns), |row, column| self.character(row * columns + column))
    }

    /// Writes a move: `e2e4`, `e7e8q`, a castling as the king's move. Where the king may have
    /// another move to that cell, a castling goes to the rook's cell.
    pub(super) fn write_uci(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        let (from, to, _) = decode(m);
        let castling = self.castling(from, to).filter(|castling| !self.is_ambiguous(castling));
        let to = castling.map_or(to, |castling| castling.king_to);
        let area = self.rules.area;
        write!(f, "{}{}", area.name(from), area.name(to))?;
        match self.promoted(m) {
            Some(kind) => f.write_char(self.rules.definition.kinds[kind].letter),
            None => Ok(()),
        }
    }

    /// Reads a move, also in the form `e2-e4` or `e7-e8=Q`, without asking whether it is legal.
    pub(super) fn read_uci(&self, text: &str) -> Result<Move, ParseError> {
        let error = || {
            let expected = "a move such as e2e4, or e7e8q with promotion";
            ParseError::new("move", quoted(text), expected)
        };
        let area = self.rules.area;
        let bytes = text.as_bytes();
        let (from, length) = area.cell_at(bytes).ok_or_else(error)?;
        let rest = &bytes[length..];
        let rest = rest.strip_prefix(b"-").unwrap_or(rest);
        let (to, length) = area.cell_at(rest).ok_or_else(error)?;
        let rest = &rest[length..];
        let number = match rest.strip_prefix(b"=").unwrap_or(rest) {
            [] if rest.is_empty() => 0,
            [letter] => {
                let definition = &self.rules.definition;
                let kind = definition.kind_of_letter(char::from(*letter));
                let kinds = &definition.promotions[self.side as usize];
                let place = kinds.iter().position(|&other| Some(other) == kind);
                place.ok_or_else(error)? + 1
            }
            _ => return Err(error()),
        };
        let mut ways = self.rules.ways.iter().flatten().map(|way| way.castling);
        let castles = |castling: &Castling| {
            let is_said = (castling.king_from, castling.king_to) == (from, to);
            is_said && self.castling(from, castling.rook_from).is_some()
        };
        if let Some(castling) = ways.find(castles)
            && !self.is_ambiguous(&castling)
        {
            return if number == 0 {
                Ok(encode(from, castling.rook_from, 0))
            } else {
                Err(error())
            };
        }
        if let Some(castling) = self.castling(from, to)
            && !self.is_ambiguous(&castling)
        {
            return Err(error());
        }
        Ok(encode(from, to, number))
    }
}

impl fmt::Display for Position<'_> {
    /// The position in the Forsyth-Edwards notation.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let columns = self.rules.area.columns;
        let mut empty = 0;
        for cell in 0..self.rules.area.cells_count() {
            let character = self.character(cell);
            let begins_row = cell % columns == 0;
            if empty > 0 && (character != '.' || begins_row) {
                write!(f, "{empty}")?;
                empty = 0;
            }
            if begins_row && cell > 0 {
                f.write_char('/')?;
            }
            if character == '.' { empty += 1 } else { f.write_char(character)? }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        write!(f, " {} ", text::side_letter(self.side))?;
        for way in
            self.rules.ways.iter().flatten().filter(|way| self.rights & way.castling.bit() != 0)
        {
            f.write_char(way.castling.letter())?;
        }
        if self.rights == 0 {
            f.write_char('-')?;
        }
        f.write_str(if self.passed == 0 { " -" } else { " " })?;
        for cell in cells(self.passed) {
            f.write_str(&self.rules.area.name(cell))?;
        }
        if self.rules.definition.check_counting {
            write!(f, " {}+{}", self.checks[0], self.checks[1])?;
        }
        write!(f, " {} {}", self.quiet, self.ply / 2 + 1)
    }
}

impl fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {self}", self.rules.definition.name)
    }
}
