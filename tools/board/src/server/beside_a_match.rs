//! The page of a match or a tournament, opened beside it.

use std::io::{Write, stderr};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use alesia::words::command_error::CommandError;
use alesia_match::run::audience::Audience;

use super::Server;
use crate::games::hall::Hall;
use crate::games::match_games::{MatchGames, Source};

/// Opens a page on this machine and says where.
///
/// # Errors
/// The port cannot be had.
pub fn open(port: Option<u16>, source: Source, title: String) -> Result<MatchGames, CommandError> {
    let server = Server::open(IpAddr::V4(Ipv4Addr::LOCALHOST), port, None)?;
    let _ = writeln!(stderr(), "{}", server.line());
    let hall = Arc::new(Hall::default());
    server.in_background(&hall);
    Ok(MatchGames::new(hall, source, title))
}

/// Opens the page of a match.
///
/// # Errors
/// The port cannot be had.
pub fn of_match(port: Option<u16>) -> Result<Box<dyn Audience>, CommandError> {
    Ok(Box::new(open(port, Source::Match, "match".into())?))
}
