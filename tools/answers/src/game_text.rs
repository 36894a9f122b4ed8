//! A game in the words of a request.

use alesia::game::ParseError;
use alesia::games::GameSpec;
use alesia::record::game_record::GameLine;
use serde::Deserialize;

/// A game up to some move, in the form of a request.
#[derive(Debug, Deserialize)]
pub struct GameText {
    /// As on the command line.
    game: String,
    /// The text board it begins with.
    board: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
}

impl GameText {
    /// The game that is meant and its line.
    ///
    /// # Errors
    /// There is no such game.
    pub fn read(self) -> Result<(GameSpec, GameLine), ParseError> {
        Ok((self.game.parse()?, GameLine { board: self.board, moves: self.moves }))
    }
}
