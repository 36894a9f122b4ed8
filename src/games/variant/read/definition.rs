//! A variant as its section defines it: every key read, checked and given its default.
//!
//! The one idea: letters and cells become indices and bits here, and all that can be wrong with a
//! value is found here, so that what compiles a definition (`compile.rs`) cannot fail.

use std::ops::RangeInclusive;

use super::betza::{Part, Reach};
use super::castling::{self, Castling};
use super::counted;
pub use super::counted::{Extinction, PseudoRoyal};
use super::ini::{Entry, Section};
use super::keys;
pub use super::piece_kinds::Kind;
use super::piece_kinds::{self, Letters};
use super::start;
use super::values::{Area, bounded, file, flag, word};
use crate::game::{ParseError, Score, Side, quoted};

/// Max kinds of pieces that a pawn may become: a move has room for no more.
pub const MAX_PROMOTIONS: usize = 14;

/// Of `maxRank`.
const RANKS: RangeInclusive<usize> = 1..=10;

/// Max files of `maxFile`.
const FILES: usize = 12;

/// Of `nMoveRule`: no game is longer.
const QUIET_MOVES: RangeInclusive<usize> = 0..=500;

/// Of `flagPieceCount`.
const FLAG_COUNT: RangeInclusive<usize> = 1..=64;

/// How a piece that stands beside a void cell may take its square along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PawnVoidMoves {
    /// Toward the other side.
    pub forward: bool,
    /// To either hand.
    pub sideways: bool,
    /// Back.
    pub backward: bool,
}

/// A variant. Sets of kinds have bit k for `kinds[k]`; sets of cells have bit row × columns +
/// column, row 0 being the highest rank. What is given for both sides has white first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name of the section.
    pub name: String,
    /// What it is called, in a few words.
    pub title: String,
    /// A hash of all its keys of rules and their values, wherever they stand.
    pub fingerprint: u64,
    /// Ranks.
    pub rows: usize,
    /// Files.
    pub columns: usize,
    /// The start position and where it was said.
    pub start: Entry,
    /// What the section says of how a board is drawn, which is read over.
    pub display: Vec<Entry>,
    /// The pieces, in the order of their letters.
    pub kinds: Vec<Kind>,
    /// Pieces that are written without a letter, and whose space moves are limited.
    pub pawns: u32,
    /// Pieces that are promoted.
    pub promoting: u32,
    /// What they become.
    pub promotions: [Vec<usize>; 2],
    /// Where they are promoted.
    pub promotion_region: [u64; 2],
    /// Whether they must be.
    pub mandatory_promotion: bool,
    /// From where double steps and other first moves are made.
    pub initial_region: [u64; 2],
    /// Cells on which a piece can be captured that has stepped over them.
    pub en_passant_region: u64,
    /// The castlings.
    pub castlings: Vec<Castling>,
    /// Whether checks may be given.
    pub checking: bool,
    /// Whether a side that can capture must.
    pub must_capture: bool,
    /// Plies without a capture or a move of `resetting` that make a draw; none without the rule.
    pub quiet_limit: Option<u16>,
    /// The pieces whose moves begin the count anew.
    pub resetting: u32,
    /// How often a position must occur; 0 without the rule.
    pub fold: usize,
    /// What it then means for the side to move.
    pub fold_value: Score,
    /// What it means for a side that it cannot move, and is not in check.
    pub stalemate: Score,
    /// And in check.
    pub checkmate: Score,
    /// The rule on extinction.
    pub extinction: Option<Extinction>,
    /// The pieces that may not be left attacked while a side has few of them.
    pub pseudo_royal: Option<PseudoRoyal>,
    /// Whether a capture takes away what stands around it, and the piece that captures.
    pub blast_on_capture: bool,
    /// The pieces beside a capture that stay.
    pub blast_proof: u32,
    /// Whether checks are counted, which the start position says how many win.
    pub check_counting: bool,
    /// Whether a side that cannot move, and is not in check, passes.
    pub pass_on_stalemate: bool,
    /// The pieces that win by reaching their flag region.
    pub flags: u32,
    /// How many of them must be there.
    pub flag_count: u32,
    /// The flag regions.
    pub flag_region: [u64; 2],
    /// Whether pieces take their squares into the void.
    pub void_moves: bool,
    /// How pawns do.
    pub pawn_void_moves: PawnVoidMoves,
    /// The pieces that cross the void.
    pub void_riders: u32,
}

/// Reads a section whose parent is right.
///
/// # Errors
/// All lines, keys, words and numbers that are wrong by themselves, or the first other value that
/// is.
pub fn read(section: &Section) -> Result<Definition, Vec<ParseError>> {
    let own = section.entries.iter().filter(|entry| entry.is_own());
    let of_keys = own.filter_map(|entry| keys::unknown_key(entry).or_else(|| wrong_alone(entry)));
    let errors: Vec<ParseError> = section.errors.iter().cloned().chain(of_keys).collect();
    if errors.is_empty() { read_values(section).map_err(|error| vec![error]) } else { Err(errors) }
}

/// The error of a word or a number that is wrong whatever the other keys say.
fn wrong_alone(entry: &Entry) -> Option<ParseError> {
    match entry.key.as_str() {
        "blastOnCapture"
        | "castling"
        | "checkCounting"
        | "checking"
        | "doubleStep"
        | "extinctionPseudoRoyal"
        | "mandatoryPawnPromotion"
        | "mustCapture"
        | "passOnStalemate" => flag(entry).err(),
        "nFoldValue" | "stalemateValue" | "checkmateValue" => score(entry).err(),
        "extinctionValue" => counted::extinction_value(entry).err(),
        "voidMoves" => void_moves(entry).err(),
        "maxRank" => bounded(entry, RANKS).err(),
        "maxFile" => file(entry, FILES).err(),
        "nMoveRule" => bounded(entry, QUIET_MOVES).err(),
        "nFoldRule" => fold(entry).err(),
        "extinctionPieceCount" => bounded(entry, counted::EXTINCTION_COUNT).err(),
        "flagPieceCount" => bounded(entry, FLAG_COUNT).err(),
        _ => None,
    }
}

/// A result for the side that it is about.
fn score(entry: &Entry) -> Result<Score, ParseError> {
    word(entry, &[("win", Score::Win), ("loss", Score::Loss), ("draw", Score::Draw)])
}

/// Whether pieces take their squares into the void.
fn void_moves(entry: &Entry) -> Result<bool, ParseError> {
    word(entry, &[("orthogonal", true), ("-", false)])
}

/// How often a position must occur; 0 without the rule.
fn fold(entry: &Entry) -> Result<usize, ParseError> {
    if entry.value == "0" { Ok(0) } else { bounded(entry, 2..=100) }
}

fn read_values(section: &Section) -> Result<Definition, ParseError> {
    keys::check(section)?;
    let number = |key: &str, default, range| match section.get(key) {
        Some(entry) => bounded(entry, range),
        None => Ok(default),
    };
    let rows = number("maxRank", 8, RANKS)?;
    let columns = match section.get("maxFile") {
        Some(entry) => file(entry, FILES)? + 1,
        None => 8,
    };
    if rows * columns > 64 {
        let place =
            section.get("maxFile").or(section.get("maxRank")).map_or(&section.place, |e| &e.place);
        return Err(place.error("board", format!("{} cells", rows * columns), "at most 64 cells"));
    }
    let mut kinds = piece_kinds::read(section)?;
    if let Some(entry) = section.get("pawnTypes") {
        let letters = Letters(&kinds);
        let takers = letters.set(entry)? | letters.named(&["pawn"]);
        piece_kinds::keep_en_passant(&mut kinds, takers);
    }
    let start = start::entry(section);
    let reader = Reader { section, letters: Letters(&kinds), area: Area { rows, columns } };
    reader.definition(start, kinds.clone())
}

/// Reads the values of a section once its pieces and its board are known.
struct Reader<'a> {
    section: &'a Section,
    letters: Letters<'a>,
    area: Area,
}

impl Reader<'_> {
    fn definition(&self, start: Entry, kinds: Vec<Kind>) -> Result<Definition, ParseError> {
        let void_moves = self.section.get("voidMoves").map_or(Ok(false), void_moves)?;
        let promoting = self.promoting()?;
        let has_initial = kinds.iter().any(|kind| kind.parts.iter().any(|part| part.initial));
        keys::check_pieces(self.section, promoting != 0, has_initial)?;
        let double_step = self.flag("doubleStep", true)? && has_initial;
        let initial = |key, default| if double_step { self.region(key, default) } else { Ok(0) };
        let promotion =
            |key, default| if promoting != 0 { self.region(key, default) } else { Ok(0) };
        let blast_on_capture = counted::blast_on_capture(self.section, self.letters)?;
        let (extinction, pseudo_royal) =
            counted::extinction(self.section, self.letters, blast_on_capture)?;
        let flag_region =
            [self.flag_region("flagRegionWhite")?, self.flag_region("flagRegionBlack")?];
        let flags = if flag_region == [0, 0] { 0 } else { self.letters.all() };
        let is_display = |key: &str| keys::DISPLAY.contains(&key);
        let own = self.section.entries.iter().filter(|entry| entry.is_own());
        Ok(Definition {
            name: self.section.name.clone(),
            title: self.section.title.clone(),
            fingerprint: self.section.fingerprint(|key| !is_display(key)),
            display: own.filter(|entry| is_display(&entry.key)).cloned().collect(),
            rows: self.area.rows,
            columns: self.area.columns,
            castlings: castling::read(self.section, self.letters, self.area, &start)?,
            start,
            pawns: self.kinds("pawnTypes", self.named(&["pawn"]))?,
            promoting,
            promotions: [
                self.promotions("promotionPieceTypesWhite")?,
                self.promotions("promotionPieceTypesBlack")?,
            ],
            promotion_region: [
                promotion("promotionRegionWhite", "*8")?,
                promotion("promotionRegionBlack", "*1")?,
            ],
            mandatory_promotion: self.flag("mandatoryPawnPromotion", true)?,
            initial_region: [
                initial("doubleStepRegionWhite", "*2")?,
                initial("doubleStepRegionBlack", "*7")?,
            ],
            en_passant_region: match self.section.get("enPassantRegion") {
                Some(entry) => self.area.region(entry)?,
                None => u64::MAX,
            },
            checking: self.flag("checking", true)?,
            must_capture: self.flag("mustCapture", false)?,
            quiet_limit: match self.number("nMoveRule", 50, QUIET_MOVES)? {
                0 => None,
                moves => Some(2 * moves as u16),
            },
            resetting: self.resetting()?,
            fold: match self.section.get("nFoldRule") {
                Some(entry) => fold(entry)?,
                None => 3,
            },
            fold_value: self.value("nFoldValue", Score::Draw)?,
            stalemate: self.value("stalemateValue", Score::Draw)?,
            checkmate: self.value("checkmateValue", Score::Loss)?,
            extinction,
            pseudo_royal,
            blast_on_capture,
            blast_proof: self.named(&["pawn"]),
            check_counting: counted::check_counting(self.section, self.letters)?,
            pass_on_stalemate: self.flag("passOnStalemate", false)?,
            flags: self.kinds("flagPiece", flags)?,
            flag_count: self.number("flagPieceCount", 1, FLAG_COUNT)? as u32,
            flag_region,
            void_moves,
            pawn_void_moves: self.pawn_void_moves(void_moves)?,
            void_riders: self.void_riders(&kinds)?,
            kinds,
        })
    }

    /// The set of the predefined pieces of these names that the variant has.
    fn named(&self, names: &[&str]) -> u32 {
        self.letters.named(names)
    }

    /// The pieces that are promoted: the pawn always, and of all pieces the king is none.
    fn promoting(&self) -> Result<u32, ParseError> {
        let royal = self.named(&["king"]);
        let Some(entry) = self.section.specific_or("promotionPawnTypes", "pawnTypes") else {
            return Ok(self.named(&["pawn"]));
        };
        let set = self.letters.set(entry)?;
        if set & royal != 0 && entry.value != "*" {
            return Err(entry.unexpected("no king"));
        }
        Ok(set & !royal | self.named(&["pawn"]))
    }

    /// The pieces whose moves begin the count of quiet moves anew.
    fn resetting(&self) -> Result<u32, ParseError> {
        let entry = self.section.specific_or("nMoveRuleTypes", "pawnTypes");
        entry.map_or(Ok(self.named(&["pawn"])), |entry| self.letters.set(entry))
    }

    fn kinds(&self, key: &str, default: u32) -> Result<u32, ParseError> {
        self.section.get(key).map_or(Ok(default), |entry| self.letters.set(entry))
    }

    fn flag(&self, key: &str, default: bool) -> Result<bool, ParseError> {
        self.section.get(key).map_or(Ok(default), flag)
    }

    fn number(
        &self,
        key: &str,
        default: usize,
        range: RangeInclusive<usize>,
    ) -> Result<usize, ParseError> {
        self.section.get(key).map_or(Ok(default), |entry| bounded(entry, range))
    }

    fn value(&self, key: &str, default: Score) -> Result<Score, ParseError> {
        self.section.get(key).map_or(Ok(default), score)
    }

    /// A region with a default that must fit the board: a pawn that could never be promoted is
    /// nothing that anybody means.
    fn region(&self, key: &str, default: &str) -> Result<u64, ParseError> {
        match self.section.get(key) {
            Some(entry) => self.area.region(entry),
            None => self.area.cells(default).ok_or_else(|| {
                let expected = format!("{key}, as its default {default} is not on this board");
                self.section.place.error(
                    &format!("section {}", self.section.name),
                    "none",
                    expected,
                )
            }),
        }
    }

    fn flag_region(&self, key: &str) -> Result<u64, ParseError> {
        self.section.get(key).map_or(Ok(0), |entry| self.area.region(entry))
    }

    /// What the pawns of a side become, by its own key or that of both.
    fn promotions(&self, own: &str) -> Result<Vec<usize>, ParseError> {
        let entry = self.section.get(own).or_else(|| self.section.get("promotionPieceTypes"));
        let set = match entry {
            Some(entry) => self.letters.set(entry)?,
            None => 0,
        };
        let kinds: Vec<usize> = (0..32).filter(|kind| set >> kind & 1 != 0).collect();
        if let Some(entry) = entry {
            if kinds.iter().any(|&kind| self.letters.0[kind].royal) {
                return Err(entry.unexpected("no king"));
            }
            if kinds.len() > MAX_PROMOTIONS {
                return Err(entry.unexpected(format!("at most {MAX_PROMOTIONS} pieces")));
            }
        }
        Ok(kinds)
    }

    fn pawn_void_moves(&self, void_moves: bool) -> Result<PawnVoidMoves, ParseError> {
        let all = PawnVoidMoves { forward: true, sideways: true, backward: true };
        let Some(entry) = self.section.get("pawnVoidMoves") else { return Ok(all) };
        if !void_moves {
            return Err(entry.unexpected("voidMoves = orthogonal with it"));
        }
        let mut moves = PawnVoidMoves { forward: false, sideways: false, backward: false };
        for word in entry.value.split_whitespace() {
            match word {
                "forward" => moves.forward = true,
                "sideways" => moves.sideways = true,
                "backward" => moves.backward = true,
                "-" => {}
                other => return Err(entry.error(quoted(other), "forward, sideways, backward or -")),
            }
        }
        Ok(moves)
    }

    /// The pieces that cross the void must be made of single steps.
    fn void_riders(&self, kinds: &[Kind]) -> Result<u32, ParseError> {
        let Some(entry) = self.section.get("voidRiders") else { return Ok(0) };
        let set = self.letters.set(entry)?;
        for (index, kind) in kinds.iter().enumerate() {
            let is_step = |part: &Part| {
                part.reach == Reach::Leap
                    && part.quiet
                    && part.capture
                    && !part.initial
                    && part.steps.iter().all(|&(rows, columns)| rows.abs().max(columns.abs()) == 1)
            };
            if set >> index & 1 != 0 && (kind.royal || !kind.parts.iter().all(is_step)) {
                let expected = "pieces other than the king that move by W, F or K alone";
                return Err(entry.error(quoted(&kind.letter.to_string()), expected));
            }
        }
        Ok(set)
    }
}

impl Definition {
    /// The set of the kings: at most one bit.
    pub fn royal(&self) -> u32 {
        let royal = self.kinds.iter().enumerate().filter(|(_, kind)| kind.royal);
        royal.fold(0, |set, (index, _)| set | 1 << index)
    }

    /// The kind of a letter in either case.
    pub fn kind_of_letter(&self, letter: char) -> Option<usize> {
        Letters(&self.kinds).index(letter)
    }

    /// A cell's name, such as `e2`.
    pub fn cell_name(&self, cell: usize) -> String {
        Area { rows: self.rows, columns: self.columns }.name(cell)
    }

    /// The letter of a piece, in upper case for white.
    pub fn letter(&self, side: Side, kind: usize) -> char {
        let letter = self.kinds[kind].letter;
        if side == Side::White { letter.to_ascii_uppercase() } else { letter }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ini;
    use super::*;

    /// The lines with wrong values of a section on chess.
    macro_rules! wrong_lines {
        ($($name:ident: $text:literal => $lines:expr;)*) => {
            $(
                #[test]
                fn $name() {
                    let text = concat!("[b]\n", $text);
                    let sections = ini::read("f.ini", text, &[]).sections;
                    let errors = read(&sections[0]).unwrap_err();
                    let places: Vec<&str> =
                        errors.iter().map(|error| error.place.as_str()).collect();
                    assert_eq!(places, $lines);
                }
            )*
        };
    }

    wrong_lines! {
        says_each_wrong_word_and_number:
            "castling = maybe\ndoubleStep = perhaps\nnMoveRule = -1\nstalemateValue = nothing\n" =>
            ["f.ini:2: castling", "f.ini:3: doubleStep", "f.ini:4: nMoveRule",
             "f.ini:5: stalemateValue"];
        says_them_beside_unknown_keys_by_line:
            "nFoldRule = 1\nnonsense = 1\nmaxFile = z\n" =>
            ["f.ini:2: nFoldRule", "f.ini:3: nonsense", "f.ini:4: maxFile"];
    }
}
