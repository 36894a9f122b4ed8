//! Openings analysed beforehand: a book for each game, compiled in.
//!
//! The one idea: a position of the book is the full position, plies included, that its moves reach
//! from the standard start, or one of its images on the board turned or mirrored. So a position of
//! another start, size or layout is never found in it, and no hash key can collide.
//!
//! `alesia-lab train book GAME` makes a book; its text (`src/games/*/book.txt`) can be read and
//! compared.
//! It is parsed when an engine is built, never during a search.

mod engine;
#[cfg(all(test, not(loom)))]
mod tests;
mod text;

pub use engine::WithBook;
pub use text::{Answer, Book, BookLine};
