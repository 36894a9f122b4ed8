//! Murus Gallicus: rules, evaluation, and the search for wins by threats.

mod eval;
mod rules;
pub mod threats;

pub use rules::Murus;
