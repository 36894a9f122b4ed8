//! Lines of Action: rules and evaluation.

mod eval;
mod rules;

pub use rules::{Layout, Loa, Reach};
