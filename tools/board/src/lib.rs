//! `alesia-lab board`: a page to watch, play and analyse games.
//!
//! The one idea: the server holds games and searches as `topic`s; a page listens to their events
//! and posts what its person does; the rules decide here and nowhere else. Everything is drawn from
//! text boards and moves in the games' own notations.
//!
#![doc = include_str!("interface.md")]

mod analysis;
mod door;
mod engines;
pub mod games;
mod page;
pub mod server;

pub use server::{Board, Server};
