//! How games begin: random legal moves that follow from the seed, or lines of a file.

use std::borrow::Cow;

use alesia::game::chance::Chance;
use alesia::game::{Game, ParseError, without_bom};
use alesia::games::{AnyGame, AnyState};
use alesia::search::duel::random_opening;

use super::seeds::seed_of;
use alesia::record::game_record::GameLine;
use alesia::words::command_error::CommandError;
use alesia_answers::opening_lines::{is_comment, split};

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
    /// The openings of a file, in their order or shuffled by a seed.
    pub fn of_file(name: String, mut lines: Vec<GameLine>, shuffled_by: Option<u64>) -> Openings {
        if let Some(seed) = shuffled_by {
            fastrand::Rng::with_seed(seed).mix(&mut lines);
        }
        Openings::File { name, lines }
    }

    /// Begins with the opening of that number, counted from 1; those before it come last. After
    /// the last one, the count continues with the first.
    pub fn begin_with(&mut self, number: usize) {
        if let Openings::File { lines, .. } = self {
            let before = number.saturating_sub(1) % lines.len();
            lines.rotate_left(before);
        }
    }

    /// The lines of a file: each a text board, or moves from the start position, or a text board,
    /// the word `moves` and moves, or a position in EPD. Empty lines and comments, which begin with
    /// `#`, are left out; `place` says in errors which file.
    ///
    /// # Errors
    /// An empty file, or the first line that is no opening of the game.
    pub fn lines(start: AnyGame, text: &str, place: &str) -> Result<Vec<GameLine>, ParseError> {
        Openings::lines_of(start, text, None, place)
    }

    /// The same with that many of their moves at most.
    ///
    /// # Errors
    /// As above.
    pub fn lines_of(
        start: AnyGame,
        text: &str,
        plies: Option<usize>,
        place: &str,
    ) -> Result<Vec<GameLine>, ParseError> {
        let numbered = (1..).zip(without_bom(text).lines().map(str::trim));
        let lines = numbered
            .filter(|(_, line)| !line.is_empty() && !is_comment(line))
            .map(|(number, text)| {
                let (board, moves) = split(text);
                let moves = moves.split_whitespace().take(plies.unwrap_or(usize::MAX));
                let line = GameLine {
                    board: board.map(Cow::into_owned),
                    moves: moves.map(str::to_owned).collect(),
                };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_epd_are_openings_of_chess() {
        let chess = AnyGame::start("variant:chess".parse().unwrap());
        for text in [HMVC, FOUR_FIELDS] {
            let lines = Openings::lines(chess, text, "file").unwrap();
            assert_eq!(lines.len(), text.lines().count());
        }
        let wrong = HMVC.replace("hmvc 0", "hmvc x");
        let error = Openings::lines(chess, &wrong, "file").unwrap_err().to_string();
        assert!(error.starts_with("file, line 1, quiet plies: found `x`"), "{error}");
    }

    const HMVC: &str = include_str!("../../tests/data/operations.epd");
    const FOUR_FIELDS: &str = include_str!("../../tests/data/four-fields.epd");
}
