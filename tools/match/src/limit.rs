//! How long a player may think: the limits of `-engine` and `-each`.
//!
//! The one idea: a limit is what the user wrote, an [`Allowance`] is what of it a player has for
//! one move, with the clocks as they stand.

use std::fmt;
use std::time::Duration;

use alesia::game::{ParseError, Side, quoted};

use super::grammar::number;

/// The longest time that can be given, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// How long a player may think about its moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Iterations of the tree search, or positions, for each move; time does not matter.
    Nodes(u64),
    /// So much time a move.
    MoveTime(Duration),
    /// So much time for all moves, and more with each.
    Clock { base: Duration, increment: Duration },
}

impl Limit {
    /// The keys that set a limit.
    pub const KEYS: [&str; 3] = ["nodes", "st", "tc"];

    /// Reads the value of one of [`Limit::KEYS`].
    ///
    /// # Errors
    /// The value is unusable; `place` is part of the message.
    pub fn read(place: &str, key: &str, value: &str) -> Result<Limit, ParseError> {
        match key {
            "nodes" => Ok(Limit::Nodes(number(place, value, 1..=u64::MAX)?)),
            "st" => Ok(Limit::MoveTime(seconds(place, value)?)),
            _ => {
                let (base, increment) = match value.split_once('+') {
                    Some((base, increment)) => (base, seconds(place, increment)?),
                    None => (value, Duration::ZERO),
                };
                if base.contains('/') {
                    let expected = "SECONDS[+INCREMENT] for the whole game, no moves to go";
                    return Err(ParseError::new(place, quoted(value), expected));
                }
                Ok(Limit::Clock { base: seconds(place, base)?, increment })
            }
        }
    }

    /// What the clock shows at the start of a game.
    pub fn clock(self) -> Option<Duration> {
        match self {
            Limit::Clock { base, .. } => Some(base),
            Limit::Nodes(_) | Limit::MoveTime(_) => None,
        }
    }

    /// What comes to the clock with each move.
    pub fn increment(self) -> Duration {
        match self {
            Limit::Clock { increment, .. } => increment,
            Limit::Nodes(_) | Limit::MoveTime(_) => Duration::ZERO,
        }
    }
}

impl fmt::Display for Limit {
    /// As fastchess words it in the result block.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::MoveTime(time) => write!(f, "{}/move", time.as_secs_f64()),
            Limit::Clock { base, increment } if increment.is_zero() => {
                write!(f, "{}", base.as_secs_f64())
            }
            Limit::Clock { base, increment } => {
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// What a player has for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// A number of iterations or positions.
    Nodes(u64),
    /// So much time.
    Move(Duration),
    /// The remaining time on both clocks, and their increments; an opponent without a clock counts
    /// as having one's own.
    Clock {
        /// Of White and of Black.
        left: [Duration; 2],
        /// Of White and of Black.
        increments: [Duration; 2],
    },
}

impl Allowance {
    /// The time after which a move of `side` is late; none: never.
    pub fn time(&self, side: Side) -> Option<Duration> {
        match *self {
            Allowance::Nodes(_) => None,
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
}

impl Clocks {
    /// At the start of a game, for White and Black.
    pub fn new(limits: [Limit; 2]) -> Clocks {
        Clocks { limits, left: limits.map(Limit::clock) }
    }

    /// What `side` has for its next move.
    pub fn allowance(&self, side: Side) -> Allowance {
        match self.limits[side as usize] {
            Limit::Nodes(nodes) => Allowance::Nodes(nodes),
            Limit::MoveTime(time) => Allowance::Move(time),
            Limit::Clock { .. } => {
                let own = self.left[side as usize].unwrap_or_default();
                let left = self.left.map(|left| left.unwrap_or(own));
                Allowance::Clock { left, increments: self.limits.map(Limit::increment) }
            }
        }
    }

    /// `side` has moved after so long a time.
    pub fn moved(&mut self, side: Side, elapsed: Duration) {
        let increment = self.limits[side as usize].increment();
        if let Some(left) = &mut self.left[side as usize] {
            *left = left.saturating_sub(elapsed).saturating_add(increment);
        }
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
        Limit::Clock { base: ms(base), increment: ms(increment) }
    }

    #[test]
    fn limits_are_read_and_worded() {
        for (key, value, limit, text) in [
            ("nodes", "9", Limit::Nodes(9), "9 nodes"),
            ("st", "0.1", Limit::MoveTime(Duration::from_millis(100)), "0.1/move"),
            ("tc", "10+0.1", clock(10_000, 100), "10+0.1"),
            ("tc", "5", clock(5_000, 0), "5"),
        ] {
            let read = Limit::read("here", key, value).unwrap();
            assert_eq!((read, read.to_string().as_str()), (limit, text));
        }
        for (key, value) in [
            ("nodes", "0"),
            ("st", "0"),
            ("st", "1e-10"),
            ("st", "nan"),
            ("tc", "40/60"),
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
    fn an_opponent_without_a_clock_is_shown_with_ones_own() {
        let clocks = Clocks::new([clock(1000, 50), Limit::Nodes(5)]);
        let second = Duration::from_secs(1);
        let Allowance::Clock { left, .. } = clocks.allowance(Side::White) else { panic!() };
        assert_eq!(left, [second; 2]);
        assert_eq!(clocks.allowance(Side::Black), Allowance::Nodes(5));
    }
}
