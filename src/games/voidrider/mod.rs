//! Voidrider Chess, "Il cavaliere del vuoto": chess without a queen on 43 squares that move.
//!
//! Rules: Fergus Duniho's game in Laurent Théry's description (2004), as settled in the project's
//! specification.

mod eval;
mod exchange;
mod moves;
mod notation;
mod position;
mod rules;
mod setup;
mod shape;
mod tables;

pub use position::{Description, Kind, TOURNAMENT_PLIES, Voidrider};
pub use setup::Rules;

use self::tables::COLUMNS;
use super::{BuiltIn, Drawing, Symmetry};
use crate::game::Side;

impl BuiltIn for Voidrider {
    const NAME: &'static str = "voidrider";
    type Setup = Rules;
    const BOOK: &'static str = include_str!("book.txt");
    const RULES: [&'static str; 2] = [
        include_str!("../../../docs/games/voidrider-chess.md"),
        include_str!("../../../docs/games/voidrider-chess.it.md"),
    ];
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::columns(COLUMNS as u8, true);

    /// The symbols of chess, and a star for the voidrider.
    fn drawing(character: char) -> Drawing {
        let outlines = ['♔', '♖', '♗', '♘', '♙', '☆'];
        let filled = ['♚', '♜', '♝', '♞', '♟', '★'];
        let kind = "krbnpv".find(character.to_ascii_lowercase());
        match (kind, character.is_ascii_uppercase()) {
            (Some(kind), true) => Drawing::Piece(Side::White, outlines[kind]),
            (Some(kind), false) => Drawing::Piece(Side::Black, filled[kind]),
            (None, _) if character == '#' => Drawing::Void,
            (None, _) => Drawing::Empty,
        }
    }

    fn set_up(rules: Rules) -> Voidrider {
        rules.start()
    }
}
