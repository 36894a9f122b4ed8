//! Openings that have been thought about beforehand: a book for each game, compiled in.
//!
//! The one idea: a position of the book is the very position, plies included, that its moves lead to
//! from the standard start, or one of its images on the board turned or mirrored. So nothing of
//! another start, size or layout is ever found in it, and there is no key to be mistaken.
//!
//! `alesia-lab book GAME` makes a book; its text (`src/games/*/book.txt`) can be read and compared. It is read when
//! an engine is built, never while it thinks.

mod engine;
mod symmetry;
#[cfg(all(test, not(loom)))]
mod tests;
mod text;

pub use engine::WithBook;
pub use symmetry::Symmetry;
pub use text::{Answer, Book, Line};

use crate::eval::Evaluate;
use crate::games::{Hadron, Loa, Murus, Voidrider, hadron::MAX_SIZE, loa::Layout};

/// A game that has a book.
pub trait Opened: Evaluate {
    /// The text of the book that is compiled in.
    const BOOK: &'static str;
    /// The ways to turn or mirror the board that leave the standard start as it is, and all rules.
    const SYMMETRIES: &'static [Symmetry];

    /// The position from which the lines of the book begin.
    fn standard_start() -> Self;
}

impl Opened for Murus {
    const BOOK: &'static str = include_str!("../games/murus/book.txt");
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::columns(8, false);

    fn standard_start() -> Murus {
        Murus::start()
    }
}

impl Opened for Hadron {
    const BOOK: &'static str = include_str!("../games/hadron/book.txt");
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::square::<8>(MAX_SIZE as u8);

    fn standard_start() -> Hadron {
        Hadron::start(MAX_SIZE, MAX_SIZE)
    }
}

impl Opened for Loa {
    const BOOK: &'static str = include_str!("../games/loa/book.txt");
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::square::<4>(8);

    fn standard_start() -> Loa {
        Loa::start(Layout::Rows)
    }
}

impl Opened for Voidrider {
    const BOOK: &'static str = include_str!("../games/voidrider/book.txt");
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::columns(7, true);

    fn standard_start() -> Voidrider {
        Voidrider::start()
    }
}
