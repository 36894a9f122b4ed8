//! The castlings of a variant: from the general keys, or written out.
//!
//! The one idea: whatever the keys are, a castling is four cells, those that king and rook leave
//! and reach. Cells that no key names are read off the start position.

use super::ini::{Entry, Section};
use super::piece_kinds::Letters;
use super::start;
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
    let cells = start::cells(section, start, area)?;
    let reader =
        Reader { section, area, cells, king: kings.trailing_zeros() as usize, rooks, letters };
    match section.get("castlingMoves") {
        Some(entry) if entry.is_own() && (kings == 0 || rooks == 0) => {
            let missing = if kings == 0 { "castlingKingPiece" } else { "castlingRookPieces" };
            Err(entry.unexpected(format!("{missing} with it, as there is no such piece")))
        }
        // What is inherited may be without effect.
        _ if !is_on => Ok(Vec::new()),
        _ if kings == 0 || rooks == 0 => reader.check_effect(&[]).map(|()| Vec::new()),
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

    /// The castlings of the general keys; one of the section's own keys that none follows is wrong.
    fn general(&self) -> Result<Vec<Castling>, ParseError> {
        let Area { rows, columns } = self.area;
        let rank = match self.section.get("castlingRank") {
            Some(entry) => bounded(entry, 1..=rows)?,
            None => 1,
        };
        let king_file = self.file("castlingKingFile")?;
        let mut castlings = Vec::new();
        for side in [Side::White, Side::Black] {
            let row = if side == Side::White { rows - rank } else { rank - 1 };
            let owned =
                |column: usize, kinds| self.owner(row * columns + column, kinds) == Some(side);
            let mut kings = (0..columns).filter(|&column| owned(column, 1 << self.king));
            let Some(king) = kings.find(|&column| king_file.is_none_or(|file| file == column))
            else {
                continue;
            };
            let rooks: Vec<usize> = (0..columns).filter(|&file| owned(file, self.rooks)).collect();
            for kingside in [true, false] {
                castlings.extend(self.toward(kingside, side, row, king, &rooks)?);
            }
        }
        self.check_effect(&castlings)?;
        Ok(castlings)
    }

    /// The file that a key names.
    fn file(&self, key: &str) -> Result<Option<usize>, ParseError> {
        self.section.get(key).map(|entry| file(entry, self.area.columns)).transpose()
    }

    /// The castling of a king toward one hand; `king` and `rooks` are files.
    fn toward(
        &self,
        kingside: bool,
        side: Side,
        row: usize,
        king: usize,
        rooks: &[usize],
    ) -> Result<Option<Castling>, ParseError> {
        let columns = self.area.columns;
        // The files g and c, where the board has them.
        let (to, rook_key, default) = match kingside {
            true => ("castlingKingsideFile", "castlingRookKingsideFile", 6),
            false => ("castlingQueensideFile", "castlingRookQueensideFile", 2),
        };
        let rook = match (self.file(rook_key)?, kingside) {
            (Some(file), _) => rooks.iter().find(|&&rook| rook == file && rook != king),
            (None, true) => rooks.iter().rev().find(|&&rook| rook > king),
            (None, false) => rooks.iter().find(|&&rook| rook < king),
        };
        let to = self.file(to)?.unwrap_or(default);
        let rook_to = if kingside { to.checked_sub(1) } else { Some(to + 1) };
        let Some((&rook, rook_to)) = rook.zip(rook_to) else { return Ok(None) };
        let at = |column: usize| row * columns + column;
        Ok((to < columns && rook_to < columns).then(|| Castling {
            side,
            kingside,
            king: self.king,
            rooks: self.rooks,
            king_from: at(king),
            king_to: at(to),
            rook_from: at(rook),
            rook_to: at(rook_to),
        }))
    }

    /// Checks that each of the section's own general keys has a castling.
    fn check_effect(&self, castlings: &[Castling]) -> Result<(), ParseError> {
        let own = |key: &&str| self.section.get(key).filter(|entry| entry.is_own());
        for entry in GENERAL.iter().filter_map(own) {
            let hand = match entry.key.as_str() {
                key if key.contains("Kingside") => Some(true),
                key if key.contains("Queenside") => Some(false),
                _ => None,
            };
            if castlings.iter().any(|one| hand.is_none_or(|kingside| one.kingside == kingside)) {
                continue;
            }
            let rook = format!("a rook ({}) in startFen", self.shown(self.rooks));
            let king = 1u32.checked_shl(self.king as u32).unwrap_or(0);
            let king = format!("a king ({}) in startFen", self.shown(king));
            return Err(entry.unexpected(match entry.key.as_str() {
                "castlingRank" => format!("a rank with {king} and {rook}"),
                "castlingKingFile" => format!("a file with {king}, and {rook} on its rank"),
                "castlingKingsideFile" => {
                    format!("a file that has one before it, and {rook} after the king's")
                }
                "castlingQueensideFile" => {
                    format!("a file that has one after it, and {rook} before the king's")
                }
                _ => format!("a file with {rook}, on the rank of {king}"),
            }));
        }
        Ok(())
    }

    /// The letters of a set in an error.
    fn shown(&self, kinds: u32) -> String {
        if kinds == 0 { "none here".to_owned() } else { self.letters.shown(kinds) }
    }
}
