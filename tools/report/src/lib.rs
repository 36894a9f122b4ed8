//! Pages with charts, of games, measurements and experiments (`alesia-lab games report`).
//!
//! The one idea: a file says by its lines what it is ([`source`]); each part of it becomes a
//! section of one page ([`page()`]) that needs nothing else, neither scripts nor other files.
//! Charts are SVG ([`chart`]) whose colours the page's style sets, so that they follow light, dark
//! and print.

pub mod chart;
pub mod page;
pub mod run;
pub mod sample;
mod sections;
pub mod source;
pub mod strength;
#[cfg(test)]
mod tests;

pub use page::page;
pub use source::Source;
