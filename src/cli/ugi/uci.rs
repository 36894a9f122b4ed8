//! The Universal Chess Interface, for chess variants in chess programs.
//!
//! The one idea: UCI differs from UGI in a few words and in who decides that a game is over. A
//! chess program counts repetitions and moves by itself and may play on after a draw that nobody
//! has claimed, so a draw by rule ends no game here.

use alesia::game::{Game, GameState, Outcome, ParseError, quoted};
use alesia::games::{AnyGame, AnyState, GameSpec};

/// The chess variant that is played first: standard chess, unless another one is named.
///
/// # Errors
/// The game is none.
pub fn variant(game: Option<GameSpec>) -> Result<GameSpec, ParseError> {
    match game {
        None => GameSpec::open("variant:chess"),
        Some(game) if game.origin().is_some() => Ok(game),
        Some(game) => {
            let expected = "a chess variant (over UGI every game is played)";
            Err(ParseError::new("game", quoted(&game.to_string()), expected))
        }
    }
}

/// The variants of the file that the game is from.
///
/// # Errors
/// It cannot be read.
pub fn beside(game: GameSpec) -> Result<Vec<GameSpec>, ParseError> {
    match game.origin().and_then(|origin| origin.file) {
        Some(file) => GameSpec::of_file(&file).map(|(all, _)| all),
        None => Ok(Vec::new()),
    }
}

/// Plays moves separated by blanks, also after draws by rule.
///
/// # Errors
/// A move is not legal, or comes after a win or a stalemate.
pub fn play(start: &AnyGame, state: &mut AnyState, moves: &str) -> Result<(), ParseError> {
    for (number, text) in moves.split_whitespace().enumerate() {
        *state = unclaimed(start, *state);
        let place = format!("move {}", number + 1);
        state.play_text(text).map_err(|error| ParseError { place, ..error })?;
    }
    Ok(())
}

/// The state from which a game goes on: after a draw by rule that nobody has claimed, the same
/// position with all counts at zero.
pub fn unclaimed(start: &AnyGame, state: AnyState) -> AnyState {
    let position = &state.position;
    let is_claimed = || position.won().is_some() || position.count_moves() == 0;
    // A repetition that wins or loses needs no claim.
    if state.ending().is_none_or(|ending| ending.outcome != Outcome::Draw) || is_claimed() {
        return state;
    }
    let text = position.to_string();
    let fields: Vec<&str> = text.split(' ').collect();
    let [rows, side, rights, passed, _, _] = fields[..] else { return state };
    let anew = start.parse_board(&format!("{rows} {side} {rights} {passed} 0 1"));
    anew.map_or(state, GameState::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> AnyGame {
        AnyGame::named("variant:chess").unwrap()
    }

    #[test]
    fn a_draw_by_rule_ends_no_game_but_a_mate_does() {
        let start = chess();
        let mut state = GameState::new(start);
        let shuffle = "b1c3 b8c6 c3b1 c6b8 ".repeat(60);
        play(&start, &mut state, &shuffle).unwrap();
        assert_eq!(state.position.rows().to_string(), start.rows().to_string());
        assert_eq!(unclaimed(&start, state).ending(), None);
        let mut state = GameState::new(start);
        let error = play(&start, &mut state, "f2f3 e7e5 g2g4 d8h4 a2a3").unwrap_err().to_string();
        assert_eq!(error, "move 5: found `a2a3`, expected nothing after Black (checkmate)");
        let mut state = GameState::new(start);
        let error = play(&start, &mut state, "e2e4 e2e4").unwrap_err().to_string();
        assert!(error.starts_with("move 2: found `e2e4`, expected a legal move"), "{error}");
    }

    #[test]
    fn a_repetition_that_wins_ends_the_game() {
        let text = "[x:chess]\nnFoldRule = 2\nnFoldValue = win";
        let start = AnyGame::start(GameSpec::of_text("uci.ini", text).unwrap()[0]);
        let mut state = GameState::new(start);
        play(&start, &mut state, "b1c3 b8c6 c3b1 c6b8").unwrap();
        assert!(unclaimed(&start, state).ending().is_some());
    }

    #[test]
    fn a_game_that_is_no_chess_variant_is_refused() {
        let error = variant(GameSpec::open("murus").ok()).unwrap_err().to_string();
        assert!(error.starts_with("game: found `murus`, expected a chess variant"), "{error}");
    }
}
