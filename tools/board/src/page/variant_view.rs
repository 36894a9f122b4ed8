//! What the page must know of a chess variant to draw it.

use alesia::game::Side;
use alesia::games::GameSpec;
use alesia::games::variant::definition::Definition;
use serde::Serialize;

/// A piece of a variant.
#[derive(Clone, Debug, Serialize)]
pub struct PieceView {
    /// In lower case.
    pub letter: char,
    /// A name of the grammar, or `customPiece1`.
    pub name: String,
    /// Whether it is promoted.
    promotes: bool,
}

/// A variant as the page draws it.
#[derive(Clone, Debug, Serialize)]
pub struct VariantView {
    /// The name of its section.
    name: String,
    pub pieces: Vec<PieceView>,
    /// The cells where a side wins with a certain piece, White's first.
    flags: [Vec<String>; 2],
    /// The text that defines it, where that is not the program's own.
    pub definition: Option<String>,
}

impl VariantView {
    /// That of a definition, with the text if it is not the program's own.
    pub fn of(definition: &Definition, text: Option<String>) -> VariantView {
        let pieces = definition.kinds.iter().zip(0..).map(|(kind, index)| PieceView {
            letter: kind.letter,
            name: kind.name.clone(),
            promotes: definition.promoting >> index & 1 != 0,
        });
        let cells = |side: Side| {
            let region = definition.flag_region[side as usize];
            let region = if definition.flags == 0 { 0 } else { region };
            alesia::game::bitboard::cells(region).map(|cell| definition.cell_name(cell)).collect()
        };
        VariantView {
            name: definition.name.clone(),
            pieces: pieces.collect(),
            flags: [cells(Side::White), cells(Side::Black)],
            definition: text,
        }
    }

    /// That of a game; none of those that are no variants.
    pub fn of_game(game: GameSpec) -> Option<VariantView> {
        match game {
            GameSpec::Variant(chosen) => {
                Some(VariantView::of(&chosen.rules().definition, chosen.text()))
            }
            _ => None,
        }
    }
}
