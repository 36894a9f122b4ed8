//! What a move is in a record of PGN: the game's own notation, or that of chess.

use alesia::game::{Game, Move, ParseError};
use alesia::games::Variant;

use super::san;
use super::text::legal_move;

/// A game with the moves that PGN has of it, and those that a text may have.
pub trait Written: Game {
    /// A legal move as PGN has it.
    fn in_pgn(&self, m: Move) -> String {
        self.notation(m).to_string()
    }

    /// The legal move that a text means.
    ///
    /// # Errors
    /// It means none, or several.
    fn understood(&self, text: &str) -> Result<Move, ParseError> {
        legal_move(self, text)
    }
}

/// The listed games have one notation, their own.
macro_rules! own_notation {
    ([$($module:ident::$game:ident,)+]) => { $(impl Written for alesia::games::$game {})+ };
}

alesia::games!(own_notation);

/// Chess variants have that of chess.
impl Written for Variant {
    fn in_pgn(&self, m: Move) -> String {
        san::san(self, m)
    }

    fn understood(&self, text: &str) -> Result<Move, ParseError> {
        san::read(self, text)
    }
}
