//! Openings that have been thought about beforehand: a book for each game, compiled in.
//!
//! The one idea: a position of the book is the very position, plies included, that its moves lead
//! to from the standard start, or one of its images on the board turned or mirrored. So nothing of
//! another start, size or layout is ever found in it, and there is no key to be mistaken.
//!
//! `alesia-lab book GAME` makes a book; its text (`src/games/*/book.txt`) can be read and compared.
//! It is read when an engine is built, never while it thinks.

mod engine;
#[cfg(all(test, not(loom)))]
mod tests;
mod text;

pub use engine::WithBook;
pub use text::{Answer, Book, BookLine};
