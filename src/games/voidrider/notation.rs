//! Moves and text boards of Voidrider Chess, read and written.

use std::fmt::{self, Write};

use super::position::{Kind, QUIET_LIMIT, Right, Voidrider, decode, encode, king_home};
use super::tables::{Board, COLUMNS, LAST_ROW, ROWS};
use crate::game::bitboard::cells;
use crate::game::{Game, Move, ParseError, Side, quoted};
use crate::games::text::{self, BoardText};

/// Max pieces of a side: as many as it starts with.
const MAX_PIECES: u32 = 14;
const MAX_PAWNS: u32 = 5;

/// The rights in the order and with the letters of the text board.
const RIGHTS: [(char, Side, Right); 4] = [
    ('D', Side::White, Right::TowardA),
    ('d', Side::Black, Right::TowardA),
    ('U', Side::White, Right::TowardG),
    ('u', Side::Black, Right::TowardG),
];

pub fn write_rights(rights: u8, f: &mut fmt::Formatter) -> fmt::Result {
    if rights == 0 {
        return f.write_char('-');
    }
    for (letter, side, right) in RIGHTS {
        if rights & right.bit(side) != 0 {
            f.write_char(letter)?;
        }
    }
    Ok(())
}

pub fn write_move(m: Move, f: &mut fmt::Formatter) -> fmt::Result {
    let (from, to, promotion) = decode(m);
    let column = |cell: usize| char::from(b'a' + (cell % COLUMNS) as u8);
    let row = |cell: usize| ROWS - cell / COLUMNS;
    write!(f, "{}{}-{}{}", column(from), row(from), column(to), row(to))?;
    if promotion != 0 {
        write!(f, "={}", Kind::ALL[promotion.min(5)].letter())?;
    }
    Ok(())
}

pub fn read_move(text: &str) -> Result<Move, ParseError> {
    let expected = "a move such as `b3-a3` or `c8-c9=V`: file a to g and rank 1 to 9, twice";
    let error = || ParseError::new("move", quoted(text), expected);
    let (cells, promotion) = match text.as_bytes() {
        [cells @ .., b'=', kind] => {
            let kind = Kind::PROMOTIONS
                .into_iter()
                .find(|promotion| promotion.letter() == char::from(kind.to_ascii_uppercase()))
                .ok_or_else(error)?;
            (cells, kind as usize)
        }
        cells => (cells, 0),
    };
    let &[from_column, from_row, b'-', to_column, to_row] = cells else {
        return Err(error());
    };
    let cell = |column, row| {
        let column = text::index_of(column, b'A', COLUMNS)?;
        let row = text::index_of(row, b'1', ROWS)?;
        Some((ROWS - 1 - row) * COLUMNS + column)
    };
    let from = cell(from_column, from_row).ok_or_else(error)?;
    let to = cell(to_column, to_row).ok_or_else(error)?;
    Ok(encode(from, to, promotion))
}

/// Reads a text board and refuses impossible positions. A side may not be without a king or have
/// two, more than 14 pieces or 5 pawns, or a pawn on the rank where it promotes. A castling right
/// needs its king and rook at home, and the side that has just moved may not be in check.
pub fn parse(text: &str, is_text_alone: bool) -> Result<Voidrider, ParseError> {
    let mut position = Voidrider {
        pieces: [0; 2],
        kinds: [0; 6],
        squares: 0,
        key: 0,
        side: Side::White,
        rights: 0,
        ply: 0,
        quiet: 0,
        is_text_alone,
    };
    let board = BoardText::split(text, (ROWS, COLUMNS), 2, position.ply_limit())?;
    (position.side, position.ply) = (board.side, board.ply as u16);
    board.each_cell("`#` `.` and the pieces `PNBRVK` `pnbrvk`", |row, column, character| {
        let cell = 1 << (row * COLUMNS + column);
        if character == '#' {
            return true;
        }
        position.squares |= cell;
        if character == '.' {
            return true;
        }
        let Some(kind) = Kind::of_letter(character) else { return false };
        let side = if character.is_ascii_uppercase() { Side::White } else { Side::Black };
        position.kinds[kind as usize] |= cell;
        position.pieces[side as usize] |= cell;
        true
    })?;
    for side in [Side::White, Side::Black] {
        check_pieces(&position, side)?;
    }
    read_rights(&mut position, board.further[0])?;
    let place = "plies since the last capture or pawn move";
    let most = if is_text_alone { position.ply_limit() } else { QUIET_LIMIT.into() };
    position.quiet = text::number(board.further[1], place, most)? as u16;
    let opponent = Voidrider { side: !position.side, ..position };
    if opponent.in_check() {
        let found = format!("{} in check, {} to move", opponent.side, position.side);
        return Err(ParseError::new("text board", found, "only the side to move in check"));
    }
    position.key = position.full_key();
    Ok(position)
}

fn check_pieces(position: &Voidrider, side: Side) -> Result<(), ParseError> {
    let of = |kind| position.pieces_of(side, kind);
    let count = |place: &str, found: u32, most: u32| {
        if found <= most {
            return Ok(());
        }
        let place = format!("{place} of {side}");
        Err(ParseError::new(place, found.to_string(), format!("at most {most}")))
    };
    let kings = of(Kind::King).count_ones();
    if kings != 1 {
        return Err(ParseError::new(format!("kings of {side}"), kings.to_string(), "1"));
    }
    count("pieces", position.pieces(side).count_ones(), MAX_PIECES)?;
    count("pawns", of(Kind::Pawn).count_ones(), MAX_PAWNS)?;
    match cells(of(Kind::Pawn) & Board::row(LAST_ROW[side as usize])).next() {
        Some(cell) => Err(ParseError::new(
            format!("row {}, column {}", cell / COLUMNS + 1, cell % COLUMNS + 1),
            format!("a pawn of {side}"),
            "a piece it was promoted to",
        )),
        None => Ok(()),
    }
}

fn read_rights(position: &mut Voidrider, field: &str) -> Result<(), ParseError> {
    const PLACE: &str = "castling rights";
    if field == "-" {
        return Ok(());
    }
    for letter in field.chars() {
        let right = RIGHTS
            .into_iter()
            .find(|&(name, side, right)| name == letter && position.rights & right.bit(side) == 0);
        let Some((_, side, right)) = right else {
            let expected = "`-`, or each of `D` `d` `U` `u` at most once";
            return Err(ParseError::new(PLACE, quoted(field), expected));
        };
        let at_home = position.pieces_of(side, Kind::King) >> king_home(side)
            & position.pieces_of(side, Kind::Rook) >> right.rook(side)
            & 1;
        if at_home == 0 {
            let expected = format!("no `{letter}`, as its king or rook is not at home");
            return Err(ParseError::new(PLACE, quoted(field), expected));
        }
        position.rights |= right.bit(side);
    }
    Ok(())
}
