//! Matches between players, and the shared parts of all commands of the lab.
//!
//! The one idea: games are numbered, and each follows from its number and the seed. [`work`] plays
//! them, each by an [`arbiter`] or, for tournament clients, by a [`referee`]; an [`audience`] may
//! watch; [`record`] stores them, and [`statistics`] evaluates them.

pub mod adjudication;
pub mod arbiter;
pub mod audience;
pub mod checked_line;
pub mod command;
mod descriptors;
pub mod disk;
pub mod entrant;
pub mod error;
pub mod formats;
pub mod grammar;
pub mod interrupt;
pub mod limit;
pub mod lock;
pub mod logging;
pub mod match_file;
pub mod opening;
pub mod options;
mod page;
pub mod players;
pub mod progress;
pub mod quick;
pub mod record;
pub mod record_file;
pub mod records;
pub mod referee;
pub mod reports;
mod result;
pub mod resume;
pub mod ruling;
pub mod schedule;
pub mod seeds;
#[cfg(test)]
mod simulation;
pub mod standings;
pub mod statistics;
pub mod terms;
pub mod wording;
pub mod work;
