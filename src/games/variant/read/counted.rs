//! Rules that count pieces or checks: extinction, pieces that are royal while they are few, and
//! what goes with them.
//!
//! The one idea: what the keys say together is decided here, so that the rules ask for no key.

use std::ops::RangeInclusive;

use super::ini::{Entry, Section};
use super::piece_kinds::Letters;
use super::values::{bounded, flag, word};
use crate::game::{ParseError, Score};

/// Of `extinctionPieceCount`.
pub const EXTINCTION_COUNT: RangeInclusive<usize> = 0..=64;

/// When a side's pieces are so few that the game ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extinction {
    /// The result for that side.
    pub value: Score,
    /// Kinds that are counted together, each set alone; a bit for each kind.
    pub kinds: Vec<u32>,
    /// The number at which, or below which, the game ends.
    pub count: u32,
}

/// Pieces that are royal while a side has at most this many of their kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PseudoRoyal {
    /// Kinds that are counted together, each set alone; a bit for each kind.
    pub kinds: Vec<u32>,
    /// The number.
    pub count: u32,
}

/// The result of extinction; none without the rule.
pub fn extinction_value(entry: &Entry) -> Result<Option<Score>, ParseError> {
    let values = [
        ("win", Some(Score::Win)),
        ("loss", Some(Score::Loss)),
        ("draw", Some(Score::Draw)),
        ("none", None),
    ];
    word(entry, &values)
}

fn is_on(section: &Section, key: &str, default: bool) -> Result<bool, ParseError> {
    section.get(key).map_or(Ok(default), flag)
}

/// Kings are never captured, and so never blown up.
pub fn blast_on_capture(section: &Section, letters: Letters) -> Result<bool, ParseError> {
    let explodes = is_on(section, "blastOnCapture", false)?;
    match section.get("blastOnCapture") {
        Some(entry) if explodes && letters.named(&["king"]) != 0 => Err(entry.unexpected(
            "no king with it: another piece, such as commoner = k, with extinctionPieceTypes",
        )),
        _ => Ok(explodes),
    }
}

/// Whether checks are counted: those to a king.
pub fn check_counting(section: &Section, letters: Letters) -> Result<bool, ParseError> {
    let counts = is_on(section, "checkCounting", false)?;
    match section.get("checkCounting") {
        Some(entry) if counts && letters.named(&["king"]) == 0 => {
            Err(entry.unexpected("a king with it"))
        }
        Some(entry) if counts && !is_on(section, "checking", true)? => {
            Err(entry.unexpected("checking = true with it"))
        }
        _ => Ok(counts),
    }
}

/// The rule on extinction, and the pieces that may not be left attacked. Where those cannot be
/// blown up, they are never captured.
pub fn extinction(
    section: &Section,
    letters: Letters,
    blast_on_capture: bool,
) -> Result<(Option<Extinction>, Option<PseudoRoyal>), ParseError> {
    let value = section.get("extinctionValue").map_or(Ok(None), extinction_value)?;
    let types = section.get("extinctionPieceTypes");
    let kinds = match types {
        // All pieces are counted together.
        Some(entry) if entry.value == "*" => vec![letters.all()],
        Some(entry) => {
            let set = letters.set(entry)?;
            (0..32).map(|kind| set & 1 << kind).filter(|&one| one != 0).collect()
        }
        None => Vec::new(),
    };
    let count = section.get("extinctionPieceCount");
    let count = count.map_or(Ok(0), |entry| bounded(entry, EXTINCTION_COUNT))? as u32;
    let is_royal = is_on(section, "extinctionPseudoRoyal", false)? && !kinds.is_empty();
    let royal = is_royal.then(|| PseudoRoyal { kinds: kinds.clone(), count: count + 1 });
    let value = value.filter(|_| !kinds.is_empty() && (!is_royal || blast_on_capture));
    Ok((value.map(|value| Extinction { value, kinds, count }), royal))
}
