//! Files of positions, in which everything must be as the rules have it.

use crate::opening_lines::is_comment;
use alesia::game::check::check;
use alesia::game::{Game, ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::game_record::GameLine;

use super::{GAME_WORD, Loaded, lines, plain, play};

/// The rows of a game's start.
fn rows_of(game: GameSpec) -> String {
    AnyGame::start(game).rows().to_string()
}

/// A file of positions, see [`alesia::game::check`]. Everything in it must be as the rules have it.
pub fn of_positions(game: Option<GameSpec>, text: &str) -> Result<Loaded, ParseError> {
    let rows = text.lines().find_map(|line| match is_comment(line) {
        true => None,
        false => fields(line).map(|[_, _, rows, ..]| rows),
    });
    let game = begin_with(game, rows.unwrap_or_default())?;
    let mut mismatch = None;
    check(AnyGame::start(game), text, &mut |found| {
        mismatch.get_or_insert(found);
    })?;
    if let Some(mismatch) = mismatch {
        let place = format!("line {}, {}", mismatch.line, mismatch.subject);
        return Err(ParseError::new(place, mismatch.file, mismatch.rules));
    }
    let mut loaded = Loaded::default();
    let mut end = |begin: usize, moves: Vec<String>| {
        let line = GameLine { board: None, moves };
        let (result, _) = play(game, &line)?;
        let number = loaded.games.len() + 1;
        loaded.add(&format!("line {begin}"), Ok(plain(game, line, number, result)))
    };
    let mut open: Option<(usize, Vec<String>)> = None;
    for (number, line) in lines(text) {
        if line.split_whitespace().next() == Some(GAME_WORD) {
            if let Some((begin, moves)) = open.replace((number, Vec::new())) {
                end(begin, moves)?;
            }
        } else if let (Some([.., played]), Some((_, moves))) = (fields(line), &mut open) {
            moves.push(played.to_owned());
        }
    }
    if let Some((begin, moves)) = open {
        end(begin, moves)?;
    }
    Ok(loaded)
}

/// The fields of a line with a position.
fn fields(line: &str) -> Option<[&str; 5]> {
    let mut fields = line.split('\t');
    let all = [(); 5].map(|()| fields.next());
    let [Some(ply), Some(side), Some(rows), Some(moves), Some(played)] = all else { return None };
    fields.next().is_none().then_some([ply, side, rows, moves, played])
}

/// The game, with its setup, whose first position has these rows.
fn begin_with(game: Option<GameSpec>, rows: &str) -> Result<GameSpec, ParseError> {
    let setups = game.map_or_else(GameSpec::setups, GameSpec::alternatives);
    let fitting = setups.into_iter().find(|&setup| rows_of(setup) == rows);
    // A difference from the start of a named game is an error with its line.
    fitting.or(game).ok_or_else(|| {
        let expected = "the rows of a game's start, or the name of the game";
        ParseError::new("first position", quoted(rows), expected)
    })
}
