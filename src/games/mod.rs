//! The four games, one folder each: all that is known of a game is there.

pub mod hadron;
pub mod loa;
pub mod murus;
pub mod spec;
mod text;
pub mod voidrider;
mod zobrist;

pub use hadron::Hadron;
pub use loa::Loa;
pub use murus::Murus;
pub use spec::GameSpec;
pub use voidrider::Voidrider;
