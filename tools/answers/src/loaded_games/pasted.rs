//! Text boards and moves as a person pastes them.
//!
//! The one idea: a line with a text board begins a game, and what follows without one belongs to
//! it. Each move keeps the number of its line, so that an error names it.

use std::borrow::Cow;

use crate::opening_lines::split;
use alesia::game::{Game, MAX_PLIES, ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::game_record::GameLine;

use super::{Loaded, lines, of_game, only, plain, play};

/// What stands before moves that are printed by `alesia play`.
const MOVES_WORD: &str = "moves:";

/// A text board, moves, or both, with the numbers of the lines where they stand.
struct Pasted {
    begin: usize,
    line: GameLine,
    moves_at: Vec<usize>,
}

impl Pasted {
    /// The game and how it ended.
    fn played(&self, chosen: Option<GameSpec>) -> Result<(GameSpec, Option<String>), ParseError> {
        let begin = |error: ParseError| error.within(format!("line {}", self.begin));
        let game = match (chosen, &self.line.board) {
            (Some(game), _) => game,
            (None, Some(board)) => guess(board).map_err(begin)?,
            (None, None) => {
                let fitting = GameSpec::fitting(|&game| play(game, &self.line).is_ok());
                let texts = self.line.moves.iter().map(String::as_str);
                let moves: Vec<(usize, &str)> = self.moves_at.iter().copied().zip(texts).collect();
                only(fitting, self.begin, &moves, true)?
            }
        };
        let result = play(game, &self.line).map_err(|error| {
            let line = format!("line {}", self.line_of_error(game));
            of_game(chosen, game, error.within(line))
        });
        Ok((game, result?.0))
    }

    /// The line of the first move that is wrong in a game, or of the board if that is wrong.
    fn line_of_error(&self, game: GameSpec) -> usize {
        let is_right = |count: usize| {
            let moves = self.line.moves[..count].to_vec();
            play(game, &GameLine { board: self.line.board.clone(), moves }).is_ok()
        };
        if !is_right(0) {
            return self.begin;
        }
        // The moves before the first that is wrong, and at least one more.
        let (mut right, mut wrong) = (0, self.line.moves.len());
        while wrong - right > 1 {
            let middle = right.midpoint(wrong);
            if is_right(middle) { right = middle } else { wrong = middle }
        }
        self.moves_at.get(right).copied().unwrap_or(self.begin)
    }
}

/// Text boards with moves or without, a line each; or moves alone, on as many lines as they need.
/// The first error is that of the text, which may be of another form.
pub fn of_lines(game: Option<GameSpec>, text: &str) -> Result<Loaded, ParseError> {
    let mut loaded = Loaded::default();
    let mut end = |pasted: Option<Pasted>| -> Result<(), ParseError> {
        let Some(pasted) = pasted else { return Ok(()) };
        let place = format!("line {}", pasted.begin);
        let (game, result) = pasted.played(game)?;
        let number = loaded.games.len() + 1;
        loaded.add(&place, Ok(plain(game, pasted.line, number, result)))
    };
    let mut open: Option<Pasted> = None;
    for (begin, text) in lines(text) {
        let words = text.strip_prefix(MOVES_WORD).unwrap_or(text);
        let (board, moves) = split(words);
        let pasted = match &mut open {
            Some(pasted) if board.is_none() => pasted,
            _ => {
                end(open.take())?;
                let line = GameLine { board: board.map(Cow::into_owned), moves: Vec::new() };
                open.insert(Pasted { begin, line, moves_at: Vec::new() })
            }
        };
        // One more than a game has, which the rules refuse.
        let room = (MAX_PLIES + 1).saturating_sub(pasted.moves_at.len());
        pasted.line.moves.extend(moves.split_whitespace().take(room).map(str::to_owned));
        pasted.moves_at.resize(pasted.line.moves.len(), begin);
    }
    end(open)?;
    Ok(loaded)
}

/// The game of which this is a text board.
fn guess(board: &str) -> Result<GameSpec, ParseError> {
    let fits = |game: &GameSpec| AnyGame::start(*game).parse_board(board).is_ok();
    let mut fitting = GameSpec::fitting(fits).into_iter();
    let rows = board.split_whitespace().next().unwrap_or_default();
    let (height, width) = (rows.split('/').count(), rows.split('/').next().map_or(0, str::len));
    let sized = || GameSpec::of_size(height, width).into_iter().find(fits);
    match (fitting.next(), fitting.next()) {
        (Some(game), None) => Ok(game),
        (Some(one), Some(other)) => {
            let found = format!("a text board of {one} and of {other}");
            Err(ParseError::new("board", found, "the name of its game with it"))
        }
        (None, _) => sized().ok_or_else(|| {
            let expected = "a text board of a game: rows joined by `/`, side to move, plies";
            ParseError::new("board", quoted(board), expected)
        }),
    }
}
