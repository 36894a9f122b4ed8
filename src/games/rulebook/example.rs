//! The positions of a page's diagrams, found by playing its moves.
//!
//! The one idea: a diagram is right if the game itself arrives at it, so a wrong board or move in a
//! page is an error, and every example can be played on.

use super::{Block, Diagram, Origin, Page};
use crate::game::{Game, GameState, ParseError, quoted};
use crate::games::AnyGame;

/// A diagram that can be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of the game on the command line, with the size of the board.
    pub game: String,
    /// The text board before the moves.
    pub before: String,
    /// The moves that lead to the diagram; none where it is given as it is.
    pub moves: Vec<String>,
    /// The text board that the diagram shows.
    pub shown: String,
}

/// The examples of a page of a game: for each block of boards, one for each of its diagrams.
/// None for a diagram that only illustrates.
///
/// # Errors
/// A board or a move that the game refuses, or moves that lead to another board than the one shown.
pub fn examples(game: &AnyGame, page: &Page) -> Result<Vec<Vec<Option<Example>>>, ParseError> {
    let mut found = Vec::new();
    for (number, block) in page.blocks.iter().enumerate() {
        let Block::Boards(diagrams) = block else { continue };
        let mut examples: Vec<Option<Example>> = Vec::new();
        for diagram in diagrams {
            let example = example(game, diagram, &examples).map_err(|error| {
                error.within(format!(
                    "{}, block {number}, board {}",
                    page.title,
                    examples.len() + 1
                ))
            })?;
            examples.push(example);
        }
        found.push(examples);
    }
    Ok(found)
}

/// The example of a diagram after those before it in its block.
fn example(
    game: &AnyGame,
    diagram: &Diagram,
    before: &[Option<Example>],
) -> Result<Option<Example>, ParseError> {
    let (rows, columns) = (diagram.row_names.len(), diagram.column_names.len());
    let game = game.on_board_of(rows, columns);
    let start = AnyGame::start(game);
    let shown_by = |example: Option<&Option<Example>>| match example {
        Some(Some(example)) => example.shown.clone(),
        _ => start.to_string(),
    };
    let base = match &diagram.origin {
        Origin::Open => return Ok(None),
        Origin::Given(fields) => format!("{} {fields}", diagram.rows()),
        Origin::First(_) => shown_by(before.first()),
        Origin::Before(_) => shown_by(before.last()),
    };
    let moves = diagram.origin.moves();
    let mut state = GameState::new(start.parse_board(&base)?);
    state.play_text(&moves.join(" "))?;
    let rows = state.position.rows().to_string();
    if rows != diagram.rows() {
        let expected = format!("{} after {}", quoted(&rows), moves.join(" "));
        return Err(ParseError::new("rows", quoted(&diagram.rows()), expected));
    }
    Ok(Some(Example {
        game: game.to_string(),
        before: base,
        moves: moves.to_vec(),
        shown: state.position.to_string(),
    }))
}
