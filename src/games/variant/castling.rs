//! The castlings of a variant: from the general keys, or written out.
//!
//! The one idea: whatever the keys are, a castling is four cells, those that king and rook leave
//! and reach. Cells that no key names are read off the start position.

use super::ini::{Entry, Section};
use super::kind::Letters;
use super::rows;
use super::values::{Area, bounded, file, flag};
use crate::game::{ParseError, Side, quoted};

/// A castling of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castling {
    /// Who castles.
    pub side: Side,
    /// Toward the last file (`K`), or the first (`Q`).
    pub kingside: bool,
    /// The kind of the king.
    pub king: usize,
    /// The kinds that may be the rook, a bit each.
    pub rooks: u32,
    /// The cell the king leaves.
    pub king_from: usize,
    /// The cell it reaches.
    pub king_to: usize,
    /// The cell the rook leaves.
    pub rook_from: usize,
    /// The cell it reaches.
    pub rook_to: usize,
}

impl Castling {
    /// Its bit among the rights of a position.
    pub const fn bit(&self) -> u8 {
        1 << (2 * self.side as u8 + !self.kingside as u8)
    }

    /// Its letter in a position's text.
    pub const fn letter(&self) -> char {
        match (self.side, self.kingside) {
            (Side::White, true) => 'K',
            (Side::White, false) => 'Q',
            (Side::Black, true) => 'k',
            (Side::Black, false) => 'q',
        }
    }
}

const GENERAL: [&str; 6] = [
    "castlingKingsideFile",
    "castlingQueensideFile",
    "castlingRank",
    "castlingKingFile",
    "castlingRookKingsideFile",
    "castlingRookQueensideFile",
];

/// Reads the castlings of a section; `start` has its start position.
pub fn read(
    section: &Section,
    letters: Letters,
    area: Area,
    start: &Entry,
) -> Result<Vec<Castling>, ParseError> {
    let is_on = section.get("castling").map_or(Ok(true), flag)?;
    let kinds = |key: &str, default: &[&str]| match section.get(key) {
        Some(entry) => letters.set(entry),
        None => Ok(letters.named(default)),
    };
    let kings = kinds("castlingKingPiece", &["king"])?;
    if let Some(entry) = section.get("castlingKingPiece").filter(|_| kings.count_ones() > 1) {
        return Err(entry.unexpected("one letter"));
    }
    let rooks = kinds("castlingRookPieces", &["rook"])?;
    let cells = rows::of_start(section, start, area)?;
    let reader =
        Reader { section, area, cells, king: kings.trailing_zeros() as usize, rooks, letters };
    match section.get("castlingMoves") {
        Some(entry) if entry.is_own() && (kings == 0 || rooks == 0) => {
            let missing = if kings == 0 { "castlingKingPiece" } else { "castlingRookPieces" };
            Err(entry.unexpected(format!("{missing} with it, as there is no such piece")))
        }
        _ if kings == 0 || rooks == 0 => Ok(Vec::new()),
        // What is inherited may be without effect.
        _ if !is_on => Ok(Vec::new()),
        Some(entry) => reader.written_out(entry),
        None => reader.general(),
    }
}

struct Reader<'a> {
    section: &'a Section,
    area: Area,
    /// The characters of the start position.
    cells: Vec<char>,
    king: usize,
    rooks: u32,
    letters: Letters<'a>,
}

impl Reader<'_> {
    /// Whose piece of these kinds stands on a cell at the start.
    fn owner(&self, cell: usize, kinds: u32) -> Option<Side> {
        let letter = self.cells[cell];
        let kind = self.letters.index(letter)?;
        let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
        (kinds >> kind & 1 != 0).then_some(side)
    }

    fn written_out(&self, entry: &Entry) -> Result<Vec<Castling>, ParseError> {
        let mut general = GENERAL.iter().filter_map(|key| self.section.get(key));
        if let Some(other) = general.find(|other| other.is_own() || !entry.is_own()) {
            return Err(other.unexpected("no such key beside castlingMoves"));
        }
        let mut castlings: Vec<Castling> = Vec::new();
        for text in entry.value.split_whitespace() {
            let cells: Vec<Option<usize>> =
                text.split('-').map(|name| self.area.cell(name)).collect();
            let [Some(king_from), Some(king_to), Some(rook_from), Some(rook_to)] = cells[..] else {
                let expected = "the king's and the rook's way, such as e1-g1-h1-f1";
                return Err(entry.error(quoted(text), expected));
            };
            let (king, rook) =
                (self.owner(king_from, 1 << self.king), self.owner(rook_from, self.rooks));
            let (Some(side), true) = (king, king == rook) else {
                let (cell, key, kinds) = match king {
                    None => (king_from, "castlingKingPiece", 1 << self.king),
                    Some(_) => (rook_from, "castlingRookPieces", self.rooks),
                };
                let whose = king.map(|side| format!(" of {side}")).unwrap_or_default();
                let expected = format!(
                    "a piece of {key} ({}){whose} on {} in startFen",
                    self.letters.shown(kinds),
                    self.area.name(cell)
                );
                return Err(entry.error(quoted(text), expected));
            };
            let kingside = rook_from % self.area.columns > king_from % self.area.columns;
            let (king, rooks) = (self.king, self.rooks);
            let new =
                Castling { side, kingside, king, rooks, king_from, king_to, rook_from, rook_to };
            if !self.is_on_lines(&new) || king_to == rook_to {
                let expected = "ways along ranks, which end on two cells";
                return Err(entry.error(quoted(text), expected));
            }
            if castlings.iter().any(|other| other.bit() == new.bit()) {
                let expected = "one castling of each side toward either hand";
                return Err(entry.error(quoted(text), expected));
            }
            castlings.push(new);
        }
        Ok(castlings)
    }

    /// Whether king and rook stay on one rank.
    fn is_on_lines(&self, castling: &Castling) -> bool {
        let rank = |cell: usize| cell / self.area.columns;
        let cells = [castling.king_to, castling.rook_from, castling.rook_to];
        cells.iter().all(|&cell| rank(cell) == rank(castling.king_from))
    }

    fn general(&self) -> Result<Vec<Castling>, ParseError> {
        let Area { rows, columns } = self.area;
        let file_of =
            |key: &str| self.section.get(key).map(|entry| file(entry, columns)).transpose();
        let rank = match self.section.get("castlingRank") {
            Some(entry) => bounded(entry, 1..=rows)?,
            None => 1,
        };
        let king_file = file_of("castlingKingFile")?;
        let mut castlings = Vec::new();
        for side in [Side::White, Side::Black] {
            let row = if side == Side::White { rows - rank } else { rank - 1 };
            let at = |column: usize| row * columns + column;
            let is_king = |&column: &usize| self.owner(at(column), 1 << self.king) == Some(side);
            let Some(king) = king_file.or_else(|| (0..columns).find(is_king)) else { continue };
            let is_rook = |&column: &usize| self.owner(at(column), self.rooks) == Some(side);
            for kingside in [true, false] {
                // The files g and c, where the board has them.
                let (to, rook_key, default) = match kingside {
                    true => ("castlingKingsideFile", "castlingRookKingsideFile", 6),
                    false => ("castlingQueensideFile", "castlingRookQueensideFile", 2),
                };
                let outermost = || match kingside {
                    true => (king + 1..columns).rev().find(is_rook),
                    false => (0..king).find(is_rook),
                };
                let rook = file_of(rook_key)?.or_else(outermost);
                let to = file_of(to)?.unwrap_or(default);
                let rook_to = if kingside { to.checked_sub(1) } else { Some(to + 1) };
                let Some((rook, rook_to)) = rook.zip(rook_to) else { continue };
                if to >= columns || rook_to >= columns || rook == king {
                    continue;
                }
                castlings.push(Castling {
                    side,
                    kingside,
                    king: self.king,
                    rooks: self.rooks,
                    king_from: at(king),
                    king_to: at(to),
                    rook_from: at(rook),
                    rook_to: at(rook_to),
                });
            }
        }
        Ok(castlings)
    }
}
