//! The network: moves as text over TCP, for a player and for a referee.
//!
//! The one idea: every protocol is three thin layers that can be tested apart: bounded lines
//! ([`mod@line`]), messages ([`tournament`]), and a party that speaks them ([`client`],
//! [`referee`]). Nothing here knows a search; a player is what names a move in time. What happens
//! in a game is shown elsewhere by its events ([`feed`]).

pub mod address;
pub(crate) mod arrival;
pub mod client;
pub mod clock;
pub mod feed;
pub mod line;
pub mod referee;
pub mod relay;
#[cfg(test)]
mod simulation;
pub mod socket;
pub mod tournament;
pub mod urgency;
