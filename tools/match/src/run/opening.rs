//! How games begin: random legal moves that follow from the seed, or lines of a file.

use std::path::{Path, PathBuf};

use alesia::game::chance::Chance;
use alesia::game::{Game, ParseError, without_bom};
use alesia::games::{AnyGame, AnyState};
use alesia::search::duel::random_opening;

use super::seeds::seed_of;
use crate::files::disk;
use alesia::record::game_record::GameLine;
use alesia::words::command_error::CommandError;

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum Openings {
    /// A number of random legal moves.
    Plies(usize),
    /// Lines of a file, one after the other or in an order that follows from the seed.
    File {
        /// Its name, without folders, for the result.
        name: String,
        /// All lines, at least one, in the order in which they are used.
        lines: Vec<GameLine>,
    },
}

/// How a pair of games begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its moves, for external players.
    pub line: GameLine,
    /// The game after it, which is not over.
    pub state: AnyState,
}

impl Openings {
    /// Reads a file: on each line a text board, or moves from the start position, or a text board,
    /// the word `moves` and moves. Empty lines and comments, which begin with `#`, are left out.
    ///
    /// # Errors
    /// The system's, an empty file, or the first line that is no opening of the game.
    pub fn read(
        start: AnyGame,
        path: &Path,
        shuffled_by: Option<u64>,
    ) -> Result<Openings, CommandError> {
        let place = format!("-openings, file={}", path.display());
        let text = disk::read_text(path)
            .map_err(|error| CommandError::Failed(format!("{place}: {error}")))?;
        let mut lines = Openings::lines(start, &text, &place)?;
        if let Some(seed) = shuffled_by {
            fastrand::Rng::with_seed(seed).mix(&mut lines);
        }
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(Openings::File { name: name.display().to_string(), lines })
    }

    /// Begins with the opening of that number, counted from 1; those before it come last.
    ///
    /// # Errors
    /// The file has fewer openings.
    pub fn begin_with(&mut self, number: usize) -> Result<(), ParseError> {
        let Openings::File { lines, .. } = self else { return Ok(()) };
        if !(1..=lines.len()).contains(&number) {
            let expected = format!("a whole number from 1 to {}", lines.len());
            return Err(ParseError::new("-openings, start", number.to_string(), expected));
        }
        lines.rotate_left(number - 1);
        Ok(())
    }

    /// The lines of a file; `place` says in errors which.
    ///
    /// # Errors
    /// As for [`Openings::read`].
    pub fn lines(start: AnyGame, text: &str, place: &str) -> Result<Vec<GameLine>, ParseError> {
        let numbered = (1..).zip(without_bom(text).lines().map(str::trim));
        let lines = numbered
            .filter(|(_, line)| !line.is_empty() && !is_comment(line))
            .map(|(number, text)| {
                let line = split(text);
                let error = |error: ParseError| error.within(format!("{place}, line {number}"));
                let state = line.state(start).map_err(error)?;
                match state.ending() {
                    None => Ok(line),
                    Some(ending) => {
                        let expected = "a game that is not over";
                        Err(error(ParseError::new("opening", ending.to_string(), expected)))
                    }
                }
            })
            .collect::<Result<Vec<GameLine>, ParseError>>()?;
        if lines.is_empty() {
            return Err(ParseError::new(place, "no line", "an opening on each line"));
        }
        Ok(lines)
    }

    /// The opening of a round, which does not depend on the rounds before.
    ///
    /// # Errors
    /// There is no random opening of the length asked for.
    pub fn of_round(&self, start: AnyGame, seed: u64, round: u32) -> Result<Opening, CommandError> {
        match self {
            Openings::Plies(plies) => {
                let mut rng = fastrand::Rng::with_seed(seed_of(seed, 2 * u64::from(round)));
                let opening = random_opening(start, *plies, &mut rng).ok_or_else(|| {
                    CommandError::Usage(format!(
                        "-openings: found no game of {plies} plies that is still open, expected \
                         fewer plies"
                    ))
                })?;
                let mut position = start;
                let mut text = |&m| {
                    let text = position.notation(m).to_string();
                    position.play(m);
                    text
                };
                let moves = opening.moves.iter().map(&mut text).collect();
                Ok(Opening { line: GameLine { board: None, moves }, state: opening.state })
            }
            Openings::File { lines, .. } => {
                let line = lines[round as usize % lines.len()].clone();
                let state = line.state(start)?;
                Ok(Opening { line, state })
            }
        }
    }
}

/// Whether a line is a comment; a board may begin with `#` too, but has a `/` before the first
/// blank.
pub fn is_comment(line: &str) -> bool {
    line.starts_with('#') && !line.split_whitespace().next().is_some_and(|word| word.contains('/'))
}

/// A line of a file as a board and moves. Rows of a text board are joined by `/`, which no move
/// contains.
pub fn split(text: &str) -> GameLine {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    match text.split_once(" moves ") {
        Some((board, moves)) => GameLine { board: Some(board.to_owned()), moves: words(moves) },
        None if text.contains('/') => GameLine { board: Some(text.to_owned()), moves: Vec::new() },
        None => GameLine { board: None, moves: words(text) },
    }
}
