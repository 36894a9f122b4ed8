//! The players of a new game: its creator, a person who joins, or an engine.

use alesia::game::{Side, quoted};
use alesia::search::EngineKind;
use serde::Deserialize;

use crate::door::failure::Failure;
use crate::games::game_seat::{GameSeat, Sitter};
use alesia::search::levels::Strength;

/// Max characters of a name.
const NAME_LENGTH: usize = 40;

/// Milliseconds that an engine may be given for a move.
const MOVE_TIMES: std::ops::RangeInclusive<u64> = 10..=60_000;

/// Who is to sit at a side.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Wish {
    /// The creator.
    Me {
        /// What they call themselves.
        name: Option<String>,
    },
    /// The person who joins first.
    Open,
    /// An engine of this program.
    Engine {
        /// As on the command line, or a level.
        engine: String,
        /// Milliseconds for a move.
        ms: u64,
    },
}

impl Wish {
    /// Whether the creator of the game sits there.
    pub fn is_own(&self) -> bool {
        matches!(self, Wish::Me { .. })
    }

    /// The seat that is wished for.
    ///
    /// # Errors
    /// The name, the engine or its time is not possible.
    pub fn seat(&self, side: Side) -> Result<GameSeat, Failure> {
        match self {
            Wish::Me { name } => person(name.as_deref(), side),
            Wish::Open => {
                Ok(GameSeat { kind: Sitter::Open, name: String::new(), engine: None, ms: None })
            }
            Wish::Engine { engine, ms } => program(engine, *ms),
        }
    }
}

/// A seat of a person at a page.
///
/// # Errors
/// The name is not allowed.
pub fn person(name: Option<&str>, side: Side) -> Result<GameSeat, Failure> {
    let name = name.unwrap_or_default().trim();
    if name.chars().count() > NAME_LENGTH || name.chars().any(char::is_control) {
        let found = quoted(name);
        let expected = format!("at most {NAME_LENGTH} characters in one line");
        return Err(Failure::unreadable(format!("name: found {found}, expected {expected}")));
    }
    let name = if name.is_empty() { side.to_string() } else { name.to_owned() };
    Ok(GameSeat { kind: Sitter::Person, name, engine: None, ms: None })
}

fn program(engine: &str, ms: u64) -> Result<GameSeat, Failure> {
    let strength: Strength = engine.parse()?;
    if !MOVE_TIMES.contains(&ms) {
        let (least, most) = MOVE_TIMES.into_inner();
        let expected = format!("{least} to {most} milliseconds");
        return Err(Failure::unreadable(format!("ms: found {ms}, expected {expected}")));
    }
    let time = match ms {
        0..1000 => format!("{ms} ms"),
        _ => format!("{} s", ms as f64 / 1000.0),
    };
    let name = match strength {
        Strength::Full(EngineKind::MonteCarlo) => format!("Monte Carlo, {time}"),
        Strength::Full(EngineKind::AlphaBeta) => format!("Alpha-beta, {time}"),
        Strength::Full(EngineKind::Random) => "Random moves".into(),
        Strength::Level(level) => level.title.into(),
    };
    Ok(GameSeat { kind: Sitter::Engine, name, engine: Some(strength.name()), ms: Some(ms) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Result<String, String> {
        let seat = person(Some(name), Side::Black);
        seat.map(|seat| seat.name).map_err(|failure| failure.message().to_owned())
    }

    #[test]
    fn names_are_short_and_in_one_line() {
        assert_eq!(named("  Zoë of 象棋 "), Ok("Zoë of 象棋".into()));
        assert_eq!(named(" \t\n "), Ok("Black".into()));
        assert_eq!(person(None, Side::White).unwrap().name, "White");
        assert_eq!(named(&"é".repeat(40)), Ok("é".repeat(40)));
        let error = "name: found `a\\nb`, expected at most 40 characters in one line";
        assert_eq!(named("a\nb"), Err(error.into()));
        assert!(named(&"é".repeat(41)).is_err() && named("\u{7}").is_err());
    }

    #[test]
    fn engines_are_named_with_their_time() {
        let name = |engine, ms| {
            let seat = Wish::Engine { engine: String::from(engine), ms }.seat(Side::White);
            seat.map(|seat| seat.name).map_err(|failure| failure.message().to_owned())
        };
        assert_eq!(name("mcts", 1000), Ok("Monte Carlo, 1 s".into()));
        assert_eq!(name("alphabeta", 2500), Ok("Alpha-beta, 2.5 s".into()));
        assert_eq!(name("mcts", 10), Ok("Monte Carlo, 10 ms".into()));
        assert_eq!(name("random", 60_000), Ok("Random moves".into()));
        let error = "ms: found 9, expected 10 to 60000 milliseconds";
        assert_eq!(name("mcts", 9), Err(error.into()));
        assert!(name("mcts", 60_001).is_err() && name("MCTS", 10).is_err());
    }
}
