//! `alesia-lab board`: a page to watch, play and analyse games.
//!
//! The one idea: the server holds games and searches as `topic`s; a page listens to their events
//! and posts what its person does; the rules decide here and nowhere else. Everything is drawn from
//! text boards and moves in the games' own notations.
//!
#![doc = include_str!("interface.md")]

mod analysis;
mod attempts;
mod connections;
mod failure;
pub mod feed;
mod files;
mod game_text;
mod guard;
mod guide;
pub mod hall;
mod hosted;
mod intake;
mod kept;
mod keys;
pub mod levels;
pub mod live;
mod mind;
mod places;
mod play;
pub mod position;
mod qr;
mod seat;
mod secrets;
mod serve;
pub mod server;
mod shape;
mod standings;
mod store;
mod stored;
mod table;
mod taken;
mod thoughts;
mod topic;
mod unsent;
mod variant_view;
mod variants;
mod watched;
mod writing;

pub use server::{Board, Server};
