//! What people are shown of a variant before they play it.
//!
//! The one idea: who draws a variant needs neither its definition nor its tables.

use super::play::rules::Rules;
use crate::game::{Side, bitboard};

/// A variant for people.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The name of its section.
    pub name: String,
    /// What it is called, in a few words.
    pub title: String,
    /// The rows of its start, from top to bottom.
    pub rows: Vec<String>,
    /// Its kinds of pieces.
    pub pieces: Vec<PieceOfSheet>,
    /// The cells where a side wins with a certain piece, White's first.
    pub flags: [Vec<String>; 2],
}

/// A kind of piece for people.
#[derive(Clone, Debug)]
pub struct PieceOfSheet {
    /// In lower case.
    pub letter: char,
    /// A name of the grammar, or `customPiece1`.
    pub name: String,
    /// Whether it is promoted.
    pub promotes: bool,
}

impl Sheet {
    /// That of rules that can be played.
    pub(super) fn of(rules: &Rules) -> Sheet {
        let definition = &rules.definition;
        let pieces = definition.kinds.iter().zip(0..).map(|(kind, index)| PieceOfSheet {
            letter: kind.letter,
            name: kind.name.clone(),
            promotes: definition.promoting >> index & 1 != 0,
        });
        let cells = |side: Side| {
            let region = definition.flag_region[side as usize];
            let region = if definition.flags == 0 { 0 } else { region };
            bitboard::cells(region).map(|cell| definition.cell_name(cell)).collect()
        };
        Sheet {
            name: rules.name().to_owned(),
            title: rules.title().to_owned(),
            rows: rules.start().drawn_rows(),
            pieces: pieces.collect(),
            flags: [cells(Side::White), cells(Side::Black)],
        }
    }
}
