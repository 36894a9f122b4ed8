//! What the symbols stand for that a terminal shows in place of the characters of a board.
//!
//! The one idea: the sentence is written from the game's own drawings, so that no page names them.

use alesia::game::Game;
use alesia::games::rulebook::{Block, Language, Page};
use alesia::games::{AnyGame, Drawing};

/// The paragraph that says which characters are drawn as which symbols.
pub fn legend(position: &AnyGame, language: Language) -> Vec<Block> {
    let drawn = position.pieces().into_iter().filter_map(|piece| match position.drawing(piece) {
        Drawing::Piece(_, symbol) if symbol != piece => Some((piece, symbol)),
        _ => None,
    });
    let has_void =
        position.rows().to_string().chars().any(|c| position.drawing(c) == Drawing::Void);
    let text = match language {
        Language::English => english(drawn, has_void),
        Language::Italian => italian(drawn, has_void),
    };
    Page::parse(&text, language).blocks
}

fn english(drawn: impl Iterator<Item = (char, char)>, has_void: bool) -> String {
    let drawn: String = drawn.map(|(piece, symbol)| format!("`{piece}` as {symbol}, ")).collect();
    let void = if has_void { "; where there is no square, they show nothing" } else { "" };
    format!("The boards here show {drawn}and an empty cell as ·{void}.")
}

fn italian(drawn: impl Iterator<Item = (char, char)>, has_void: bool) -> String {
    let drawn: String = drawn.map(|(piece, symbol)| format!("`{piece}` come {symbol}, ")).collect();
    let void = if has_void { "; dove non c'è una casella, non mostrano niente" } else { "" };
    format!("Qui le scacchiere mostrano {drawn}e una casella vuota come ·{void}.")
}
