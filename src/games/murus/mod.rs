//! Murus Gallicus: rules, evaluation, and the search for wins by threats.

mod eval;
mod rules;
mod setup;
mod shape;
pub mod threats;

pub use rules::Murus;
pub use setup::Start;

use super::{BuiltIn, Drawing, Symmetry};
use crate::game::Side;

impl BuiltIn for Murus {
    const NAME: &'static str = "murus";
    type Setup = Start;
    const BOOK: &'static str = include_str!("book.txt");
    const RULES: [&'static str; 2] = [
        include_str!("../../../docs/games/murus-gallicus.md"),
        include_str!("../../../docs/games/murus-gallicus.it.md"),
    ];
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::columns(8, false);

    /// A wall is one disc, a tower one disc upon another.
    fn drawing(character: char) -> Drawing {
        match character {
            'W' => Drawing::Piece(Side::White, '◎'),
            'w' => Drawing::Piece(Side::White, '○'),
            'B' => Drawing::Piece(Side::Black, '◉'),
            'b' => Drawing::Piece(Side::Black, '●'),
            _ => Drawing::Empty,
        }
    }

    fn set_up(start: Start) -> Murus {
        start.position()
    }
}
