//! The rules of the games for people: the pages of `docs/games/`, compiled in.
//!
//! The one idea: a page is read once into blocks, its boards into diagrams, so that terminal, page
//! and tests all show and check the same text.

mod diagram;
mod example;
mod markdown;

pub use super::language::Language;
pub use diagram::{Diagram, MARK, Origin};
pub use example::{Example, examples};
pub use markdown::{Block, Page, Span, Style, plain};
