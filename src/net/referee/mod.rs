//! The referee: serves games of the tournament protocol to players that connect.
//!
//! The one idea: parts with one task each. A *connection* has a player's socket and a thread that
//! stamps every line on arrival. The *judge* applies the rules of the tournament to stamped lines,
//! and uses neither sockets nor clocks. The *table* runs one game of two connections and a judge.
//! The *lobby* seats players in pairs as they come through its *door*. [`GameEvent`]s are reported
//! on the thread of the game, after the players have got them; a slow observer costs no player
//! time, as another thread stamps the lines.

mod connection;
mod door;
pub(super) mod judge;
pub mod limits;
mod lobby;
mod table;

use std::fmt;
use std::time::Duration;

use super::relay::FIRST_MOVE_TIME;
use crate::game::{Outcome, Rule};

pub use self::door::Guests;
pub use self::lobby::{Reports, Service, serve, serve_all};
pub use self::table::{serve_game, serve_game_over};
pub use super::feed::GameEvent;

/// Max lines of a player that are kept while it is not its turn; one more, and it has lost.
pub const MAX_EARLY_LINES: usize = 8;

/// Max bytes that are read from a player; one more, and it has lost. A hundred times the need of
/// the longest game, and a limit for lines without an end.
pub const MAX_BYTES: usize = 2 << 20;

/// How a player is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wire {
    /// By the tournament protocol.
    #[default]
    Tournament,
    /// By the [relay protocol](crate::net::relay): it gets the opponent's moves and nothing else.
    Relay,
}

impl Wire {
    /// The time for a move after these moves of both sides, where it is usually `usual`.
    pub fn move_time(self, plies: usize, usual: Duration) -> Duration {
        match self {
            Wire::Relay if plies < 2 => usual.max(FIRST_MOVE_TIME),
            Wire::Tournament | Wire::Relay => usual,
        }
    }
}

/// The terms of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefereeOptions {
    /// Time for a move, from sending `YOUR_TURN` to the arrival of the whole line.
    pub move_time: Duration,
    /// What the referee concedes to each side, White first, beyond the move time: a move counts as
    /// in time up to both together.
    pub tolerance: [Duration; 2],
    /// From both players being there to the first `YOUR_TURN`.
    pub warm_up: Duration,
    /// A tie after this many moves of each player (at least 1), if the game's own limit does not
    /// come first; a game without draws goes on to its end.
    pub moves_per_player: Option<u32>,
}

impl Default for RefereeOptions {
    /// The course's terms: a second a move, no tolerance, 30 s of warm-up.
    fn default() -> RefereeOptions {
        RefereeOptions {
            move_time: Duration::from_secs(1),
            tolerance: [Duration::ZERO; 2],
            warm_up: Duration::from_secs(30),
            moves_per_player: None,
        }
    }
}

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A rule of the game, or the move limit.
    Rule(Rule),
    /// An illegal move, or a line that was no move.
    IllegalMove,
    /// A move that came so long after `YOUR_TURN`, too late; or none until then.
    Timeout(Duration),
    /// A player's connection ended.
    Disconnected,
    /// A player sent too many lines out of turn, or too many bytes.
    Flood,
}

/// How a game ended. Its `Display` is the fixed form of every result line,
/// `White|Black|tie (reason)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// What decided it.
    pub cause: Cause,
    /// The same in words: the rule, or such as ``White made an illegal move: `G4,X` ``.
    pub reason: String,
    /// Number of moves played by both sides.
    pub plies: usize,
    /// The slowest move of white and of black; zero for none.
    pub slowest: [Duration; 2],
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.reason)
    }
}
