//! Murus Gallicus: rules, evaluation, and the search for wins by threats.

mod eval;
mod rules;
pub mod threats;

pub use rules::Murus;

use super::{BuiltIn, Symmetry};

impl BuiltIn for Murus {
    const NAME: &'static str = "murus";
    type Setup = ();
    const BOOK: &'static str = include_str!("book.txt");
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::columns(8, false);

    fn set_up((): ()) -> Murus {
        Murus::start()
    }
}
