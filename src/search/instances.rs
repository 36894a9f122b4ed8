//! Both engines, compiled for every built-in game.
//!
//! The one idea: in the dev profile a program reuses the generic code that its library has
//! instantiated. Without this module, each program and each test would compile all searches again.

use crate::for_each_game;
use crate::games::{BuiltIn, Variant};
use crate::search::{EngineKind, EngineOptions};

/// Never called: its existence makes the compiler instantiate the engines.
#[doc(hidden)]
pub fn build_all() {
    let options = EngineOptions::default();
    for_each_game!(G => drop(EngineKind::MonteCarlo.build(G::standard_start(), &options)));
    drop(EngineKind::MonteCarlo.build(Variant::standard_start(), &options));
}
