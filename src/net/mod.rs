//! The network: moves as text over TCP, for a player and for a referee.
//!
//! The one idea: every protocol is three thin layers that can be tested apart: bounded lines
//! ([`mod@line`]), messages ([`tournament`]), and a party that speaks them ([`client`],
//! [`referee`]). Nothing here knows a search; a player is what names a move in time. What happens
//! in a game is shown elsewhere by its events ([`feed`]).

#[doc(hidden)]
pub mod address;
#[doc(hidden)]
pub mod arrival;
pub mod client;
#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod feed;
#[doc(hidden)]
pub mod lateness;
#[doc(hidden)]
pub mod line;
#[doc(hidden)]
pub mod onlooker;
pub mod referee;
pub mod relay;
#[cfg(test)]
mod simulation;
#[doc(hidden)]
pub mod socket;
#[doc(hidden)]
pub mod stand_in;
#[doc(hidden)]
pub mod tournament;
#[doc(hidden)]
pub mod urgency;
