//! Who is told of the games of a match while they are played.
//!
//! The one idea: a match knows of no page. Whoever wants to follow it is told that a game begins, and
//! answers with somebody who is told of that game until it is let go of.

use std::time::Duration;

use alesia::game::Side;
use alesia::games::GameSpec;

use super::arbiter::Ruling;
use super::entrant::Entrant;
use super::players::Line;
use super::record::Key;
use crate::CommandError;
use crate::reports::ReportView;

/// Somebody who follows a match.
pub trait Audience: Sync {
    /// A game begins; none where nobody follows it.
    fn begin(
        &self,
        key: Key,
        game: GameSpec,
        entrants: [&Entrant; 2],
        line: &Line,
    ) -> Option<Box<dyn Spectator + '_>>;

    /// The match is over; waits for those who look, and says so.
    fn stay(&self);
}

/// Opens a page for a match, at a port or any.
pub type Open = fn(Option<u16>) -> Result<Box<dyn Audience>, CommandError>;

/// Somebody who follows a game. Let go of without a result, it was stopped.
pub trait Spectator: Sync {
    /// What a player says of the move that it will play next.
    fn thinks(&self, side: Side, report: Option<ReportView>);

    /// A move has been played.
    fn moved(&self, side: Side, text: &str, took: Duration);

    /// The game is over.
    fn ended(&self, ruling: &Ruling);
}
