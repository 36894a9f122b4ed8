//! The games of the page, whoever plays them.
//!
//! The one idea: a game is a `table` in the `hall`. People and engines play there by what they
//! ask of the page (`play`); of a game that is played elsewhere its events are shown.

pub mod feed;
pub mod hall;
mod hosted;
mod kept;
mod keys;
pub mod live;
pub(crate) mod play;
mod seat;
mod standings;
pub(crate) mod store;
mod stored;
mod table;
pub(crate) mod taken;
pub(crate) mod thoughts;
pub(crate) mod variants;
mod watched;
