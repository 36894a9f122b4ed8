//! Hadron: rules, evaluation, and exact endgames.

pub mod endgame;
mod eval;
mod network;
mod rules;
mod size;

pub use rules::{Hadron, MAX_ROWS, MAX_SIZE, STRIDE};
pub use size::Size;

use super::{BuiltIn, Symmetry};

impl BuiltIn for Hadron {
    const NAME: &'static str = "hadron";
    type Setup = Size;
    const HAS_DRAWS: bool = false;
    const BOOK: &'static str = include_str!("book.txt");
    const RULES: [&'static str; 2] = [
        include_str!("../../../docs/games/hadron.md"),
        include_str!("../../../docs/games/hadron.it.md"),
    ];
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::square::<8>(MAX_SIZE as u8);

    fn set_up(Size { rows, columns }: Size) -> Hadron {
        Hadron::start(rows, columns)
    }
}
