//! Who sits at a game on the page, and how they prove it.
//!
//! The one idea: whoever takes a seat gets a secret token, and every action names it. The tokens stay
//! here: no event has them, so that whoever watches cannot play.

use alesia::game::{Side, quoted};
use alesia::search::EngineKind;
use serde::Deserialize;

use crate::board::failure::Failure;
use crate::board::guard::{same, secret};
use crate::board::seat::{Seat, Sitter};

/// Most characters of a name.
const NAME_LENGTH: usize = 40;

/// Milliseconds that an engine may be given for a move.
const MOVE_TIMES: std::ops::RangeInclusive<u64> = 10..=60_000;

/// Who is to sit at a side.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Wish {
    /// Whoever asks.
    Me {
        /// What they call themselves.
        name: Option<String>,
    },
    /// Whoever comes.
    Open,
    /// An engine of this program.
    Engine {
        /// As on the command line.
        engine: String,
        /// Milliseconds for a move.
        ms: u64,
    },
}

impl Wish {
    /// The seat that is wished for.
    ///
    /// # Errors
    /// The name, the engine or its time is not possible.
    pub fn seat(&self, side: Side) -> Result<Seat, Failure> {
        match self {
            Wish::Me { name } => person(name.as_deref(), side),
            Wish::Open => {
                Ok(Seat { kind: Sitter::Open, name: String::new(), engine: None, ms: None })
            }
            Wish::Engine { engine, ms } => program(engine, *ms),
        }
    }
}

/// A seat with somebody at a page.
///
/// # Errors
/// The name is not possible.
pub fn person(name: Option<&str>, side: Side) -> Result<Seat, Failure> {
    let name = name.unwrap_or_default().trim();
    if name.chars().count() > NAME_LENGTH || name.chars().any(char::is_control) {
        let found = quoted(name);
        let expected = format!("at most {NAME_LENGTH} characters in one line");
        return Err(Failure::unreadable(format!("name: found {found}, expected {expected}")));
    }
    let name = if name.is_empty() { side.to_string() } else { name.to_owned() };
    Ok(Seat { kind: Sitter::Person, name, engine: None, ms: None })
}

fn program(engine: &str, ms: u64) -> Result<Seat, Failure> {
    let kind: EngineKind = engine.parse()?;
    if !MOVE_TIMES.contains(&ms) {
        let (least, most) = MOVE_TIMES.into_inner();
        let expected = format!("{least} to {most} milliseconds");
        return Err(Failure::unreadable(format!("ms: found {ms}, expected {expected}")));
    }
    let time = match ms {
        0..1000 => format!("{ms} ms"),
        _ => format!("{} s", ms as f64 / 1000.0),
    };
    let name = match kind {
        EngineKind::MonteCarlo => format!("Monte Carlo, {time}"),
        EngineKind::AlphaBeta => format!("Alpha-beta, {time}"),
        EngineKind::Random => "Random moves".into(),
    };
    Ok(Seat { kind: Sitter::Engine, name, engine: Some(kind.name()), ms: Some(ms) })
}

/// The secrets of the seats; none where nobody sits, or an engine.
#[derive(Default)]
pub struct Keys([Option<String>; 2]);

impl Keys {
    /// Secrets for whoever asks for a game: one for both sides, if they want both.
    pub fn new(wishes: [&Wish; 2]) -> Keys {
        let key = secret();
        Keys(wishes.map(|wish| matches!(wish, Wish::Me { .. }).then(|| key.clone())))
    }

    /// A secret for a seat that is taken now.
    pub fn give(&mut self, side: Side) -> String {
        self.0[side as usize].insert(secret()).clone()
    }

    /// The secret of a seat.
    pub fn of(&self, side: Side) -> Option<&str> {
        self.0[side as usize].as_deref()
    }

    /// The seat of a token; that of the side to move, if it is of both.
    pub fn seat(&self, token: &str, to_move: Side) -> Option<Side> {
        let held = |&side: &Side| self.of(side).is_some_and(|key| same(key, token));
        [to_move, !to_move].into_iter().find(held)
    }

    /// Whether one person has both sides.
    pub fn shared(&self) -> bool {
        self.0[0].is_some() && self.0[0] == self.0[1]
    }
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

    #[test]
    fn a_token_opens_its_own_seat_and_a_shared_one_that_of_the_side_to_move() {
        let me = || Wish::Me { name: None };
        let mut keys = Keys::new([&me(), &Wish::Open]);
        let white = keys.of(Side::White).unwrap().to_owned();
        assert_eq!(keys.seat(&white, Side::Black), Some(Side::White));
        assert_eq!(keys.seat("", Side::Black), None);
        let black = keys.give(Side::Black);
        assert_ne!(white, black);
        assert_eq!(keys.seat(&black, Side::White), Some(Side::Black));
        assert!(!keys.shared());
        let both = Keys::new([&me(), &me()]);
        let key = both.of(Side::White).unwrap();
        assert!(both.shared());
        assert_eq!(both.seat(key, Side::Black), Some(Side::Black));
        assert_eq!(both.seat(key, Side::White), Some(Side::White));
        assert!(!Keys::new([&Wish::Open, &Wish::Open]).shared());
    }
}
