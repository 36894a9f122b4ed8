//! Playing a match.
//!
//! The one idea: games are numbered ([`schedule`]), and each follows from its number and the
//! match's [`terms`]. [`work`] plays them on several threads, each game by an [`arbiter`] or, for
//! tournament clients, by a [`referee`]; an [`audience`] may watch.

pub mod adjudication;
pub mod arbiter;
pub mod audience;
mod descriptors;
pub mod opening;
pub mod referee;
pub mod results;
pub mod resume;
pub mod ruling;
pub mod schedule;
pub mod seeds;
pub mod stop_requests;
pub mod terms;
pub mod work;
