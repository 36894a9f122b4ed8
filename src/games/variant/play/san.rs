//! Standard algebraic notation, the moves of chess in PGN (PGN standard, section 8.2.3), for every
//! chess variant by definition.
//!
//! The one idea: writing and reading both compare with the legal moves, so that any board, any
//! pieces and any rules will do. Two legal moves differ in a cell, in the promotion or in castling,
//! so that SAN with the whole cell of origin (`Qa1b2`) tells all of them apart. There is no move
//! that needs another notation. What the standard leaves open is:
//!
//! - A piece has the letter of its definition. The pieces of `pawnTypes` have none, and nor has the
//!   letter `p` in a variant without `pawnTypes` (breakthrough).
//! - A pawn without its origin moves along its file. Else it has its file (`de4`), or file and rank
//!   (`d2e4`), as far as others make that necessary.
//! - A move into the void is written as any other.
//! - `#` is checkmate, and also a win by a flag or by extinction.

use super::action::Action;
use super::position::Variant;
use crate::game::free_form::legal_move;
use crate::game::shape::MoveKind;
use crate::game::{Game, Move, Outcome, ParseError, quoted};

/// What may follow a move without a meaning for it: checks, marks, the offer of a draw.
const MARKS: [char; 5] = ['+', '#', '!', '?', '='];

/// A legal move in standard algebraic notation.
pub fn san(position: &Variant, m: Move) -> String {
    let action = position.describe(m);
    let mut text = match action.kind {
        MoveKind::Castle => castling(position, &action).to_owned(),
        _ => way(position, &action),
    };
    if let Some(letter) = action.promotion {
        text += &format!("={letter}");
    }
    let mut after = *position;
    after.play(m);
    let is_mate = after.in_check() && after.count_moves() == 0;
    let wins = after.won().is_some_and(|end| end.outcome == Outcome::Win(position.side()));
    if is_mate || wins {
        text.push('#');
    } else if after.in_check() {
        text.push('+');
    }
    text
}

/// Piece, origin as far as others make it necessary, capture and target.
fn way(position: &Variant, action: &Action) -> String {
    let letter = letter(position, action.from);
    let is_capture = action.kind == MoveKind::Capture;
    let is_rival = |other: &Action| {
        other.kind != MoveKind::Castle
            && (other.to, self::letter(position, other.from)) == (action.to, letter)
            && other.from != action.from
            // Of pawns a capture is known by its form.
            && (letter.is_some() || is_capture == (other.kind == MoveKind::Capture))
    };
    let rivals: Vec<[String; 2]> = actions(position)
        .filter(|(_, other)| is_rival(other))
        .map(|(_, other)| cell(position, other.from))
        .collect();
    let [file, rank] = cell(position, action.from);
    let same_file = rivals.iter().any(|other| other[0] == file);
    let same_rank = rivals.iter().any(|other| other[1] == rank);
    let is_straight = position.cell_name(action.to).starts_with(&file);
    let is_named = match letter {
        Some(_) => !rivals.is_empty(),
        None => is_capture || same_file || !rivals.is_empty() && !is_straight,
    };
    let origin = match letter {
        _ if !is_named => String::new(),
        _ if !same_file => file,
        Some(_) if !same_rank => rank,
        _ => file + &rank,
    };
    let letter = letter.map(String::from).unwrap_or_default();
    let capture = if is_capture { "x" } else { "" };
    format!("{letter}{origin}{capture}{}", position.cell_name(action.to))
}

/// `O-O` toward the last file, `O-O-O` toward the first.
fn castling(position: &Variant, action: &Action) -> &'static str {
    let castlings = position.rules().definition.castlings.iter();
    let mut own = castlings.filter(|castling| castling.side == position.side());
    let cells = (action.from, action.to, action.also);
    let found = own.find(|way| (way.king_from, way.king_to, Some(way.rook_to)) == cells);
    if found.is_some_and(|way| way.kingside) { "O-O" } else { "O-O-O" }
}

/// The letter of a piece in upper case; none of a pawn.
fn letter(position: &Variant, at: usize) -> Option<char> {
    let definition = &position.rules().definition;
    let kind = position.kind_at(at);
    let letter = definition.kinds[kind].letter;
    let is_pawn = match definition.pawns {
        0 => letter == 'p',
        pawns => pawns >> kind & 1 != 0,
    };
    (!is_pawn).then(|| letter.to_ascii_uppercase())
}

/// The file and the rank of a cell.
fn cell(position: &Variant, at: usize) -> [String; 2] {
    let mut file = position.cell_name(at);
    let rank = file.split_off(1);
    [file, rank]
}

/// The legal moves and what they do.
fn actions(position: &Variant) -> impl Iterator<Item = (Move, Action)> {
    let moves = position.legal_moves();
    let described = |m: &Move| (*m, position.describe(*m));
    moves.iter().map(described).collect::<Vec<_>>().into_iter()
}

/// What a text says of a move.
struct Said {
    piece: Piece,
    file: Option<char>,
    rank: String,
    is_capture: bool,
    to: String,
    promotion: Option<char>,
}

/// Which piece a text says.
enum Piece {
    /// Of this letter.
    Letter(char),
    /// A pawn, which has no letter.
    Pawn,
}

impl Said {
    /// Reads a text from its end: `e8=Q`, `Nbxd2`, `e2-e4`. `lower` allows a piece in lower case.
    fn read(text: &str, lower: bool) -> Option<Said> {
        let is_letter = |c: char| c.is_ascii_alphabetic();
        let (text, promotion) = match text.strip_suffix(is_letter) {
            Some(rest) => (rest.trim_end_matches(['=', '/']), text.chars().last()),
            None => (text, None),
        };
        let before_rank = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let before = before_rank.strip_suffix(|c: char| c.is_ascii_lowercase())?;
        let (to, mut rest) = (text[before.len()..].to_owned(), before);
        let is_capture = rest.ends_with(['x', ':']);
        rest = rest.strip_suffix(['x', ':', '-']).unwrap_or(rest);
        let first = rest.chars().next();
        let is_piece = |c: &char| c.is_ascii_uppercase() || lower && c.is_ascii_lowercase();
        let piece = match first.filter(is_piece) {
            Some(letter) => {
                rest = &rest[1..];
                Piece::Letter(letter.to_ascii_uppercase())
            }
            None if lower => return None,
            None => Piece::Pawn,
        };
        let file = rest.chars().next().filter(char::is_ascii_lowercase);
        let rank = rest[usize::from(file.is_some())..].to_owned();
        let is_whole = rank.chars().all(|c| c.is_ascii_digit()) && before_rank.len() < text.len();
        let promotion = promotion.map(|letter| letter.to_ascii_uppercase());
        is_whole.then_some(Said { piece, file, rank, is_capture, to, promotion })
    }

    /// Whether a move is one of the piece.
    fn is_of(&self, position: &Variant, action: &Action) -> bool {
        let kind = &position.rules().definition.kinds[position.kind_at(action.from)];
        match self.piece {
            Piece::Letter(letter) => letter == kind.letter.to_ascii_uppercase(),
            Piece::Pawn => letter(position, action.from).is_none(),
        }
    }

    /// Whether a legal move may be meant, but for captures and promotions that are not said.
    fn fits(&self, position: &Variant, action: &Action) -> bool {
        let [file, rank] = cell(position, action.from);
        self.is_of(position, action)
            && position.cell_name(action.to) == self.to
            && self.file.is_none_or(|said| file.starts_with(said))
            && (self.rank.is_empty() || self.rank == rank)
            && (self.promotion.is_none() || self.promotion == action.promotion)
    }

    /// The legal moves that may be meant: of several, those that the text says more exactly.
    fn moves(&self, position: &Variant) -> Vec<Move> {
        let mut found: Vec<(Move, Action)> =
            actions(position).filter(|(_, action)| self.fits(position, action)).collect();
        let exact: [&dyn Fn(&Action) -> bool; 4] = [
            &|action| action.kind != MoveKind::Castle,
            // Before the file: only another quiet move gives a quiet move of a pawn its origin.
            &|action| (action.kind == MoveKind::Capture) == self.is_capture,
            &|action| self.file.is_some() || self.to.starts_with(&cell(position, action.from)[0]),
            &|action| action.promotion == self.promotion,
        ];
        for is_exact in exact {
            if found.iter().any(|(_, action)| is_exact(action)) {
                found.retain(|(_, action)| is_exact(action));
            }
        }
        found.into_iter().map(|(m, _)| m).collect()
    }
}

/// The legal move that a text means: in standard algebraic notation, whose marks may be missing or
/// too many, in long algebraic notation, or in that of the game.
///
/// # Errors
/// It means none, or several.
pub fn read(position: &Variant, text: &str) -> Result<Move, ParseError> {
    let bare = text.trim_end_matches(MARKS);
    let bare = bare.strip_suffix("e.p.").unwrap_or(bare);
    let is_own = bare.starts_with(|c: char| c.is_ascii_lowercase());
    if let Some(m) = position.parse_move(bare).ok().filter(|_| is_own) {
        return Ok(m);
    }
    let found = match hand(bare) {
        Some(word) => actions(position)
            .filter(|(_, a)| a.kind == MoveKind::Castle && castling(position, a) == word)
            .map(|(m, _)| m)
            .collect(),
        None => [false, true]
            .into_iter()
            .filter_map(|lower| Said::read(bare, lower))
            .map(|said| said.moves(position))
            .find(|moves| !moves.is_empty())
            .unwrap_or_default(),
    };
    match found[..] {
        [m] => Ok(m),
        [] => legal_move(position, text).map_err(|_| impossible(position, text, bare)),
        _ => {
            let meant: Vec<String> = found.iter().map(|&m| san(position, m)).collect();
            let expected = format!("one of {}", meant.join(", "));
            Err(ParseError::new("move", quoted(text), expected))
        }
    }
}

/// The castling of a text, with letters O or zeros.
fn hand(text: &str) -> Option<&'static str> {
    match &*text.replace(['0', 'o'], "O") {
        "O-O" | "OO" => Some("O-O"),
        "O-O-O" | "OOO" => Some("O-O-O"),
        _ => None,
    }
}

/// The error of a text that means no legal move. The example is the nearest: it reaches the cell
/// that the text names, or else is made by the piece.
fn impossible(position: &Variant, text: &str, bare: &str) -> ParseError {
    let side = position.side();
    let said = Said::read(bare, false);
    let nearness = |action: &Action| match &said {
        Some(said) if position.cell_name(action.to) == said.to => 2,
        Some(said) => u8::from(said.is_of(position, action)),
        None => 0,
    };
    let expected = if said.is_none() && hand(bare).is_none() {
        "a move such as e4, Nf3, exd5, e8=Q, O-O or e2e4".to_owned()
    } else {
        match actions(position).max_by_key(|(_, action)| nearness(action)) {
            Some((m, _)) => format!("a legal move of {side} such as {}", san(position, m)),
            None => format!("nothing, as {side} has no legal move"),
        }
    };
    ParseError::new("move", quoted(text), expected)
}

#[cfg(test)]
mod tests;
