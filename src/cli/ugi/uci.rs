//! `alesia uci`: the Universal Chess Interface, for chess variants in chess programs.
//!
//! The one idea: UCI differs from UGI in a few words and in who decides that a game is over. A
//! chess program counts repetitions and moves by itself and may play on after a draw that nobody
//! has claimed, so a draw by rule ends no game here.

use std::time::Duration;

use alesia::game::{Game, GameState, Outcome, ParseError, quoted};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::search::max_memory;
use alesia::ugi::Dialect;
use alesia::words::time_span::milliseconds_in;
use clap::Args;

use super::settings::{self, Settings};
use crate::cli::options::{EngineArguments, GameOptions, LayoutOption};
use alesia::words::command_error::CommandError;

/// The arguments of `alesia uci`: the defaults of the options that a chess program may set.
#[derive(Args)]
pub struct Uci {
    /// Chess variant: variant:NAME, FILE.ini or FILE.ini:NAME.
    #[arg(long, value_name = "GAME", default_value = "variant:chess", value_parser = variant,
          help_heading = "Game")]
    game: GameSpec,
    #[command(flatten)]
    engine: EngineArguments,
    /// Safety margin in ms, subtracted from each time limit; at most a quarter of a move's time.
    #[arg(long, value_name = "MS", default_value_t = 10, help_heading = "Time",
          value_parser = |text: &str| milliseconds_in(text, 0..=settings::MAX_OVERHEAD))]
    move_overhead: u64,
}

/// Reads the name of a chess variant.
fn variant(name: &str) -> Result<GameSpec, ParseError> {
    match GameSpec::open(name)? {
        game if game.origin().is_some() => Ok(game),
        _ => Err(ParseError::new(
            "game",
            quoted(name),
            "a chess variant (alesia ugi plays every game)",
        )),
    }
}

impl Uci {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        super::serve(self.settings()?, None)
    }

    /// The settings that a runner may change.
    ///
    /// # Errors
    /// The file of definitions cannot be read.
    pub(super) fn settings(&self) -> Result<Settings, CommandError> {
        let layout = LayoutOption::default();
        let file = self.game.origin().and_then(|origin| origin.file);
        let file = file.map_or(Ok(Vec::new()), |file| GameSpec::of_file(&file).map(|(all, _)| all));
        let file = file?;
        Ok(Settings {
            dialect: Dialect::Uci,
            game: GameOptions { game: self.game, layout },
            file,
            awaited: None,
            wrong: Vec::new(),
            engine: self.engine.clone(),
            overhead: Duration::from_millis(self.move_overhead),
            book: false,
            lines: 1,
            level: None,
            ponder: false,
            max_memory: max_memory(),
        })
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
        let error = variant("murus").unwrap_err().to_string();
        assert!(error.starts_with("game: found `murus`, expected a chess variant"), "{error}");
    }
}
