//! What follows the games of a match while they are played.
//!
//! The one idea: a match knows of no page. An audience hears that a game begins, and returns a
//! spectator that hears the events of that game until it is dropped.

use alesia::games::GameSpec;
use alesia::net::feed::GameEvent;
use serde_json::Value;

use crate::players::entrant::Entrant;
use alesia::record::game_record::GameLine;
use alesia::record::game_record::Key;
use alesia::words::command_error::CommandError;

/// A follower of a match.
pub trait Audience: Sync {
    /// A game begins; none if it is not followed.
    fn begin(
        &self,
        key: Key,
        game: GameSpec,
        entrants: [&Entrant; 2],
        line: &GameLine,
    ) -> Option<Box<dyn Spectator + '_>>;

    /// Where a game can be seen, if it can.
    fn id(&self, key: Key) -> Option<String>;

    /// How the match stands, in words of the page.
    fn publish(&self, standing: &Value);

    /// The match is over; waits for spectators, with a message.
    fn stay(&self);
}

/// Opens a page for a match, at a port or any.
pub type Open = fn(Option<u16>) -> Result<Box<dyn Audience>, CommandError>;

/// Follows a game. Dropped without a result, the game was stopped.
pub trait Spectator: Sync {
    /// Something has happened in the game.
    fn hear(&self, event: &GameEvent);
}
