//! Both engines, compiled for every built-in game.
//!
//! The one idea: in the dev profile a program takes over the generic code that its library has
//! instantiated. Without this module, each program and each test would compile all searches anew.

use crate::for_each_game;
use crate::games::BuiltIn;
use crate::search::{EngineKind, EngineOptions};

/// Need not be called: that it can be has the compiler instantiate what it builds.
#[doc(hidden)]
pub fn build_all() {
    let options = EngineOptions::default();
    for_each_game!(G => drop(EngineKind::MonteCarlo.build(G::standard_start(), &options)));
}
