//! Chess variants by definition: a file in the grammar of `variants.ini` is a game like any other.
//!
//! The one idea: a definition is read as a whole, compiled into tables, and kept for as long as the
//! program runs. Each part uses only those before it in this line, and others use what is exported
//! here.
//!
//! ```text
//! read (definition to tables) → play (a position) → sheet, library (the variants there are), guide
//! ```
//!
//! Few know more than [`Setup`](super::Setup) says: who shows or keeps definitions ([`Chosen`],
//! [`Sheet`]). What is exported beside these is for learning, and for tests that look inside.

mod guide;
mod library;
mod play;
mod read;
mod sheet;

use std::borrow::Cow;

pub use self::library::{Chosen, load_one, sheets};
#[doc(hidden)]
pub use self::library::{load, read};
pub use self::play::fen::PLY_LIMIT;
#[doc(hidden)]
pub use self::play::layout::{HIDDEN, Layout, WHOLE_BASE};
#[doc(hidden)]
pub use self::play::learned::{Learned, MAX_BASE, numbers_of, weights_file};
pub use self::play::position::{Position, Variant};
#[doc(hidden)]
pub use self::play::rules::Rules;
#[doc(hidden)]
pub use self::read::{betza, definition};
pub use self::sheet::{PieceOfSheet, Sheet};
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
        setup.rules().start()
    }
}
