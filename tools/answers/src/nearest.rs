//! Which game moves seem to belong to that are legal in none.
//!
//! The one idea: it is the game in which the most of them are legal before the first that is not,
//! and then the one whose notation the most of them have. Where that is true of several games, the
//! same move is wrong in each.

use alesia::game::{Game, GameState, Move, ParseError, alternatives, quoted};
use alesia::games::{AnyGame, GameSpec};

/// The first move that is legal in no game.
pub struct Wrong {
    /// Its number from 0.
    pub index: usize,
    /// What is wrong with it.
    pub error: ParseError,
}

/// How far moves get in a game.
struct Attempt {
    title: &'static str,
    /// The number of moves that are legal before the first that is not, and of those that have the
    /// notation of the game.
    reached: (usize, usize),
    /// What is wrong with the next.
    error: ParseError,
}

/// What is wrong with moves that belong to none of the listed games, in those of them that are
/// nearest; none where no move has the notation of a game.
pub fn nearest(moves: &[&str]) -> Option<Wrong> {
    let attempt = |game: GameSpec| attempt(AnyGame::start(game), game.title(), moves);
    let attempts: Vec<Attempt> = GameSpec::setups().into_iter().filter_map(attempt).collect();
    let best =
        attempts.iter().map(|attempt| attempt.reached).max().filter(|&(_, read)| read > 0)?;
    let mut nearest: Vec<Attempt> =
        attempts.into_iter().filter(|attempt| attempt.reached == best).collect();
    // Boards of other sizes are the same game.
    nearest.dedup_by_key(|attempt| attempt.title);
    let index = best.0;
    let error = match nearest.pop()? {
        only if nearest.is_empty() => only.error.within(only.title),
        last => {
            let titles: Vec<&str> = nearest.iter().chain([&last]).map(|of| of.title).collect();
            let games = alternatives(&titles);
            ParseError { expected: format!("a legal move of {games}"), ..last.error }
        }
    };
    Some(Wrong { index, error })
}

/// None if all moves are legal.
fn attempt(start: AnyGame, title: &'static str, moves: &[&str]) -> Option<Attempt> {
    let mut state = GameState::new(start);
    let mut legal = 0;
    let error = loop {
        let text = moves.get(legal)?;
        let place = format!("move {}", legal + 1);
        if let Some(ending) = state.ending() {
            let expected = format!("nothing, as the game is over: {ending}");
            break ParseError::new(place, quoted(text), expected);
        }
        match read(&state.position, text) {
            Ok(m) => state.play(m),
            Err(error) => break ParseError { place, ..error },
        }
        legal += 1;
    };
    let is_notation = |text: &&&str| start.read_notation(text).is_ok();
    let reached = (legal, moves.iter().filter(is_notation).count());
    Some(Attempt { title, reached, error })
}

/// The legal move of a text, of which captures may be written with an `x`.
fn read(position: &AnyGame, text: &str) -> Result<Move, ParseError> {
    position
        .parse_move(text)
        .or_else(|error| position.parse_move(&text.replace(['x', ':'], "-")).map_err(|_| error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(moves: &str) -> Option<String> {
        let moves: Vec<&str> = moves.split(' ').collect();
        nearest(&moves).map(|wrong| wrong.error.to_string())
    }

    #[test]
    fn the_first_wrong_move_is_named_in_the_game_that_the_others_belong_to() {
        let expected = [
            (
                "G4,NE A5,SE G3,N G3,N",
                "Murus Gallicus, move 4: found `G3,N`, expected a legal move of Black",
            ),
            (
                "b1-e1 f7-f6 b1-e1",
                "Voidrider Chess, move 3: found `b1-e1`, expected a legal move of White",
            ),
            (
                "B8-B6 H3-F5 F8xF5 A1-A2",
                "Lines of Action, move 4: found `A1-A2`, expected a legal move of Black",
            ),
            ("E5 A1 E5", "Hadron, move 3: found `E5`, expected a legal move of White"),
            ("G5,NE A5,SS", "Murus Gallicus, move 2: found `A5,SS`"),
        ];
        for (moves, words) in expected {
            let error = error(moves).expect(moves);
            assert!(error.starts_with(words), "{moves}: {error}");
        }
    }

    #[test]
    fn a_move_that_is_wrong_in_several_games_is_named_with_all_of_them() {
        let expected = "move 1: found `D4-D5`, expected a legal move of Lines of Action or \
                        Voidrider Chess";
        assert_eq!(error("D4-D5 D5-D6").as_deref(), Some(expected));
    }

    #[test]
    fn nothing_is_said_of_words_that_are_no_moves() {
        for moves in ["hello", "e2e4 e7e5"] {
            assert_eq!(error(moves), None, "{moves}");
        }
    }
}
