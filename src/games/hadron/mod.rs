//! Hadron: rules, evaluation, and exact endgames.

pub mod endgame;
mod eval;
mod rules;

pub use rules::{Hadron, MAX_SIZE, STRIDE};
