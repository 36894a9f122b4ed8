//! How long a player may think: the limits of `-engine` and `-each`.
//!
//! The one idea: a limit is what the user wrote, an [`Allowance`] is what of it a player has for
//! one move, with the clocks as they stand.

use std::fmt;
use std::time::Duration;

use alesia::game::{ParseError, Side, quoted};

use crate::words::grammar::number;

/// The longest time that can be given, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;
/// The same in minutes.
const MAX_MINUTES: u64 = 1440;
/// The deepest search that can be asked for.
const MAX_DEPTH: u64 = 1000;
/// The most moves that a time can be for.
const MAX_MOVES: u64 = 10_000;

/// How long a player may think about its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Iterations of the tree search, or positions, for each move; time does not matter.
    Nodes(u64),
    /// Plies searched for each move; time does not matter.
    Depth(u32),
    /// So much time a move.
    MoveTime(Duration),
    /// A time for all moves, or for each `moves` of them anew; each move adds the increment.
    Clock { base: Duration, increment: Duration, moves: Option<u32> },
}

/// How a limit is written.
pub const FORMS: &str = "nodes=N, depth=N, st=SECONDS or tc=[MOVES/][MINUTES:]SECONDS[+INCREMENT]";

impl Limit {
    /// The keys that set a limit.
    pub const KEYS: [&str; 4] = ["nodes", "depth", "st", "tc"];

    /// Reads the value of one of [`Limit::KEYS`].
    ///
    /// # Errors
    /// The value is unusable; `place` is part of the message.
    pub fn read(place: &str, key: &str, value: &str) -> Result<Limit, ParseError> {
        match key {
            "nodes" => Ok(Limit::Nodes(number(place, value, 1..=u64::MAX)?)),
            "depth" => Ok(Limit::Depth(number(place, value, 1..=MAX_DEPTH)? as u32)),
            "st" => Ok(Limit::MoveTime(seconds(place, value)?)),
            _ => {
                let (moves, rest) = match value.split_once('/') {
                    Some((moves, rest)) => {
                        (Some(number(place, moves, 1..=MAX_MOVES)? as u32), rest)
                    }
                    None => (None, value),
                };
                let (base, increment) = match rest.split_once('+') {
                    // None is often written out.
                    Some((base, "0")) => (base, Duration::ZERO),
                    Some((base, increment)) => (base, seconds(place, increment)?),
                    None => (rest, Duration::ZERO),
                };
                Ok(Limit::Clock { base: minutes_and_seconds(place, base)?, increment, moves })
            }
        }
    }

    /// What the clock shows at the start of a game.
    pub fn clock(self) -> Option<Duration> {
        match self {
            Limit::Clock { base, .. } => Some(base),
            Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime(_) => None,
        }
    }

    /// The moves after which the clock gets its time again.
    fn moves(self) -> Option<u32> {
        match self {
            Limit::Clock { moves, .. } => moves,
            Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime(_) => None,
        }
    }

    /// What comes to the clock with each move.
    pub fn increment(self) -> Duration {
        match self {
            Limit::Clock { increment, .. } => increment,
            Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime(_) => Duration::ZERO,
        }
    }
}

impl fmt::Display for Limit {
    /// As fastchess words it in the result block.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::Depth(plies) => write!(f, "depth {plies}"),
            Limit::MoveTime(time) => write!(f, "{}/move", time.as_secs_f64()),
            Limit::Clock { base, increment, moves } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if increment.is_zero() { Ok(()) } else { write!(f, "+{}", increment.as_secs_f64()) }
            }
        }
    }
}

/// What a player has for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// A number of iterations or positions.
    Nodes(u64),
    /// A number of plies.
    Depth(u32),
    /// So much time.
    Move(Duration),
    /// The remaining time on both clocks, and their increments; an opponent without a clock counts
    /// as having one's own.
    Clock {
        /// Of White and of Black.
        left: [Duration; 2],
        /// Of White and of Black.
        increments: [Duration; 2],
        /// Own moves, this one included, until the clock gets its time again; none: never.
        moves_to_go: Option<u32>,
    },
}

impl Allowance {
    /// The time after which a move of `side` is late; none: never.
    pub fn time(&self, side: Side) -> Option<Duration> {
        match *self {
            Allowance::Nodes(_) | Allowance::Depth(_) => None,
            Allowance::Move(time) => Some(time),
            Allowance::Clock { left, .. } => Some(left[side as usize]),
        }
    }
}

/// The clocks of a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    limits: [Limit; 2],
    left: [Option<Duration>; 2],
    /// Moves of each since its clock last got its time.
    moves: [u32; 2],
}

impl Clocks {
    /// At the start of a game, for White and Black.
    pub fn new(limits: [Limit; 2]) -> Clocks {
        Clocks { limits, left: limits.map(Limit::clock), moves: [0; 2] }
    }

    /// What `side` has for its next move.
    pub fn allowance(&self, side: Side) -> Allowance {
        match self.limits[side as usize] {
            Limit::Nodes(nodes) => Allowance::Nodes(nodes),
            Limit::Depth(plies) => Allowance::Depth(plies),
            Limit::MoveTime(time) => Allowance::Move(time),
            Limit::Clock { moves, .. } => {
                let own = self.left[side as usize].unwrap_or_default();
                let left = self.left.map(|left| left.unwrap_or(own));
                let increments = self.limits.map(Limit::increment);
                let moves_to_go = moves.map(|moves| moves - self.moves[side as usize]);
                Allowance::Clock { left, increments, moves_to_go }
            }
        }
    }

    /// `side` has moved after so long a time.
    pub fn moved(&mut self, side: Side, elapsed: Duration) {
        let limit = self.limits[side as usize];
        let moves = &mut self.moves[side as usize];
        *moves = moves.saturating_add(1);
        let Some(left) = &mut self.left[side as usize] else { return };
        *left = left.saturating_sub(elapsed).saturating_add(limit.increment());
        if limit.moves() == Some(*moves) {
            *moves = 0;
            *left = left.saturating_add(limit.clock().unwrap_or_default());
        }
    }
}

/// A time such as `90`, `1:30` or `0:30.5`.
fn minutes_and_seconds(place: &str, text: &str) -> Result<Duration, ParseError> {
    let Some((minutes, rest)) = text.split_once(':') else { return seconds(place, text) };
    let minutes = Duration::from_secs(60 * number(place, minutes, 0..=MAX_MINUTES)?);
    match rest.parse() {
        Ok(0.0) if !minutes.is_zero() => Ok(minutes),
        _ => Ok(minutes + seconds(place, rest)?),
    }
}

/// A time in seconds, more than none.
fn seconds(place: &str, text: &str) -> Result<Duration, ParseError> {
    let seconds = text.parse().ok().filter(|&s: &f64| s > 0.0 && s <= MAX_SECONDS);
    // Less than half a nanosecond is none.
    let time = seconds.map(Duration::from_secs_f64).filter(|time| !time.is_zero());
    time.ok_or_else(|| {
        let expected = format!("seconds, more than 0 and at most {MAX_SECONDS}");
        ParseError::new(place, quoted(text), expected)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(base: u64, increment: u64) -> Limit {
        let ms = Duration::from_millis;
        Limit::Clock { base: ms(base), increment: ms(increment), moves: None }
    }

    fn for_moves(moves: u32, base: u64, increment: u64) -> Limit {
        let ms = Duration::from_millis;
        Limit::Clock { base: ms(base), increment: ms(increment), moves: Some(moves) }
    }

    #[test]
    fn limits_are_read_and_worded() {
        for (key, value, limit, text) in [
            ("nodes", "9", Limit::Nodes(9), "9 nodes"),
            ("st", "0.1", Limit::MoveTime(Duration::from_millis(100)), "0.1/move"),
            ("tc", "10+0.1", clock(10_000, 100), "10+0.1"),
            ("tc", "5", clock(5_000, 0), "5"),
            ("tc", "5+0", clock(5_000, 0), "5"),
            ("tc", "1:00+1", clock(60_000, 1_000), "60+1"),
            ("tc", "0:30.5", clock(30_500, 0), "30.5"),
            ("tc", "40/60", for_moves(40, 60_000, 0), "40/60"),
            ("tc", "20/1:30+0.5", for_moves(20, 90_000, 500), "20/90+0.5"),
            ("depth", "6", Limit::Depth(6), "depth 6"),
        ] {
            let read = Limit::read("here", key, value).unwrap();
            assert_eq!((read, read.to_string().as_str()), (limit, text));
        }
        for (key, value) in [
            ("nodes", "0"),
            ("st", "0"),
            ("st", "1e-10"),
            ("st", "nan"),
            ("depth", "0"),
            ("tc", "0/60"),
            ("tc", "40/"),
            ("tc", "0:00"),
            ("tc", "1:"),
            ("tc", ":30"),
            ("tc", "1+"),
            ("tc", ""),
        ] {
            let error = Limit::read("here", key, value).unwrap_err().to_string();
            assert!(error.starts_with("here: found `"), "{error}");
        }
    }

    #[test]
    fn a_clock_runs_only_for_its_side() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new([clock(1000, 50), clock(500, 0)]);
        clocks.moved(Side::White, ms(200));
        clocks.moved(Side::Black, ms(600));
        let left = |side| clocks.allowance(side).time(side);
        assert_eq!(left(Side::White), Some(ms(850)));
        assert_eq!(left(Side::Black), Some(Duration::ZERO), "never below nothing");
    }

    #[test]
    fn a_clock_for_some_moves_gets_its_time_again() {
        let ms = Duration::from_millis;
        let mut clocks = Clocks::new([for_moves(2, 1000, 0), clock(500, 0)]);
        let seen: Vec<(Option<Duration>, Option<u32>)> = (0..4)
            .map(|_| {
                let allowance = clocks.allowance(Side::White);
                let Allowance::Clock { moves_to_go, .. } = allowance else { panic!() };
                clocks.moved(Side::White, ms(300));
                (allowance.time(Side::White), moves_to_go)
            })
            .collect();
        let left = [1000, 700, 1400, 1100].map(|left| Some(ms(left)));
        let to_go = [2, 1, 2, 1].map(Some);
        assert_eq!(seen, left.into_iter().zip(to_go).collect::<Vec<_>>());
    }

    #[test]
    fn an_opponent_without_a_clock_is_shown_with_ones_own() {
        let clocks = Clocks::new([clock(1000, 50), Limit::Nodes(5)]);
        let second = Duration::from_secs(1);
        let Allowance::Clock { left, .. } = clocks.allowance(Side::White) else { panic!() };
        assert_eq!(left, [second; 2]);
        assert_eq!(clocks.allowance(Side::Black), Allowance::Nodes(5));
    }
}
