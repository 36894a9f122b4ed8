//! Chess variants by definition: a file in the grammar of `variants.ini` is a game like any other.
//!
//! The one idea: a definition is read as a whole, compiled into tables, and kept for as long as the
//! program runs. Each part uses only those before it in this line, and others use what is exported
//! here.
//!
//! ```text
//! read (definition to tables) → play (a position) → library (the variants there are), guide
//! ```

mod guide;
mod library;
mod play;
mod read;

use std::borrow::Cow;

pub use self::library::{Chosen, FORMS, Found, divided, load, load_one, load_right, read, text_of};
pub use self::play::fen::PLY_LIMIT;
pub use self::play::layout::{HIDDEN, Layout, WHOLE_BASE};
pub use self::play::learned::{Learned, MAX_BASE, numbers_of, weights_file};
pub use self::play::position::{Position, Variant};
pub use self::play::rules::Rules;
pub use self::read::{betza, definition};
use super::language::Language;
use super::{BuiltIn, Drawing};
use crate::game::Side;

impl BuiltIn for Variant {
    const NAME: &'static str = "variant";
    type Setup = Chosen;

    /// The symbols of chess for its letters; other pieces are shown by their letters.
    fn drawing(character: char) -> Drawing {
        let outlines = ['♔', '♕', '♖', '♗', '♘', '♙'];
        let filled = ['♚', '♛', '♜', '♝', '♞', '♟'];
        let kind = "kqrbnp".find(character.to_ascii_lowercase());
        match character {
            '*' | '#' => Drawing::Void,
            'A'..='Z' => Drawing::Piece(Side::White, kind.map_or(character, |kind| outlines[kind])),
            'a'..='z' => Drawing::Piece(Side::Black, kind.map_or(character, |kind| filled[kind])),
            _ => Drawing::Empty,
        }
    }

    fn page_of_rules(&self, language: Language) -> Cow<'static, str> {
        guide::page(self.rules(), language).into()
    }

    fn pieces(&self) -> Vec<char> {
        let letters = || self.rules().definition.kinds.iter().map(|kind| kind.letter);
        letters().map(|letter| letter.to_ascii_uppercase()).chain(letters()).collect()
    }

    fn set_up(setup: Chosen) -> Variant {
        let rules = setup.rules();
        rules.position(&rules.definition.start.value).expect("checked when the rules were read")
    }
}
