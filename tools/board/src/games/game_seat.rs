//! A side of a game: its player.

use serde::{Deserialize, Serialize};

/// Who sits at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sitter {
    /// A person at a page.
    Person,
    Engine,
    /// Open.
    Open,
    /// A player elsewhere.
    Remote,
}

/// The name of a player elsewhere that has not come yet.
pub const NOBODY: &str = "no player yet";

/// A side of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameSeat {
    pub kind: Sitter,
    pub name: String,
    /// Which engine, as on the command line.
    pub engine: Option<&'static str>,
    /// Milliseconds it thinks about a move.
    pub ms: Option<u64>,
}

impl GameSeat {
    /// Whether the seat is open.
    pub fn is_awaited(&self) -> bool {
        self.kind == Sitter::Open || self.kind == Sitter::Remote && self.name == NOBODY
    }
}
