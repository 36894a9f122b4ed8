//! Matches between players, and the shared parts of all commands of the lab.
//!
//! The one idea: games are numbered, and each follows from its number and the seed. [`run`] plays
//! them, [`files`] keep them, and [`statistics`] evaluates them; [`command`] is `alesia-lab match`.

pub mod command;
pub mod files;
pub mod players;
pub mod run;
pub mod statistics;
pub mod words;
