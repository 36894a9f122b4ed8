//! The games of the page, whoever plays them.
//!
//! The one idea: a game is a table (`game_table.rs`) in the [`hall`]. People and engines play there
//! by what they ask of the page (`play/`); of a game that is played elsewhere, by a referee's
//! players ([`feed`]) or in a match ([`match_games`]), the events are shown (`remote_events.rs`).

pub(crate) mod definition_requests;
mod definitions;
pub(crate) mod download;
pub mod feed;
mod game_file;
mod game_seat;
mod game_table;
pub(crate) mod games_folder;
pub mod hall;
mod journal;
mod keys;
mod local_players;
pub mod match_games;
pub(crate) mod play;
mod published_standings;
mod remote_events;
pub(crate) mod thought_receiver;
pub mod time_bank;
