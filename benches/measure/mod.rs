//! What the benches share: where the games begin, medians, and whether it is in earnest.

// Each bench that includes this module uses only a part of it.
#![allow(dead_code)]

use alesia::game::Game;
use alesia::games::loa::Layout;
use alesia::games::{Hadron, Loa, Murus, Voidrider};

/// A game with a place to begin.
pub trait Start: Game {
    const NAME: &'static str;
    fn begin() -> Self;
}

impl Start for Murus {
    const NAME: &'static str = "murus";
    fn begin() -> Murus {
        Murus::start()
    }
}

impl Start for Hadron {
    const NAME: &'static str = "hadron";
    fn begin() -> Hadron {
        Hadron::start(9, 9)
    }
}

impl Start for Loa {
    const NAME: &'static str = "loa";
    fn begin() -> Loa {
        Loa::start(Layout::Rows)
    }
}

impl Start for Voidrider {
    const NAME: &'static str = "voidrider";
    fn begin() -> Voidrider {
        Voidrider::start()
    }
}

/// Whether to measure: `cargo bench` says so; anything else only tries whether it runs.
pub fn in_earnest() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// The middle value; of an even number of them the upper.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
