//! What the page must know of a chess variant to draw it.

use alesia::games::GameSpec;
use alesia::games::variant::Sheet;
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
    /// That of a sheet, with the text that defines it if that is not the program's own.
    pub fn of(sheet: Sheet, definition: Option<String>) -> VariantView {
        let pieces = sheet.pieces.into_iter().map(|piece| PieceView {
            letter: piece.letter,
            name: piece.name,
            promotes: piece.promotes,
        });
        let pieces = pieces.collect();
        VariantView { name: sheet.name, pieces, flags: sheet.flags, definition }
    }

    /// That of a game; none of those that are no variants.
    pub fn of_game(game: GameSpec) -> Option<VariantView> {
        match game {
            GameSpec::Variant(chosen) => Some(VariantView::of(chosen.sheet(), chosen.text())),
            _ => None,
        }
    }
}
