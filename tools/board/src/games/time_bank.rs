//! Time for a whole game of two people, with some more for each move.
//!
//! The one idea: what is left follows from the times of the moves, so a move that is taken back
//! gives its time back, and a file needs the two numbers alone.

use serde::{Deserialize, Serialize};

use crate::door::failure::Failure;

/// Milliseconds that a game may be given, and those added for each move.
const BASES: std::ops::RangeInclusive<u64> = 1000..=10_800_000;
const INCREMENTS: std::ops::RangeInclusive<u64> = 0..=180_000;

/// The time of each player, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct TimeBank {
    base: u64,
    /// Added for each move that was made.
    increment: u64,
}

impl TimeBank {
    /// The same, where both are within their limits.
    ///
    /// # Errors
    /// One of them is not.
    pub fn checked(self) -> Result<TimeBank, Failure> {
        for (name, found, limits) in
            [("base", self.base, BASES), ("increment", self.increment, INCREMENTS)]
        {
            if !limits.contains(&found) {
                let (least, most) = limits.into_inner();
                let expected = format!("{least} to {most} milliseconds");
                return Err(Failure::unreadable(format!(
                    "clock, {name}: found {found}, expected {expected}"
                )));
            }
        }
        Ok(self)
    }

    /// What is left after moves that took so long; none is left below 0.
    pub fn left(self, moves: impl Iterator<Item = f64>) -> f64 {
        moves.fold(self.base as f64, |left, ms| left - ms + self.increment as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_costs_its_time_and_earns_the_increment() {
        let bank = TimeBank { base: 60_000, increment: 2000 };
        assert_eq!(bank.left([].into_iter()), 60_000.0);
        assert_eq!(bank.left([5000.0, 500.0].into_iter()), 58_500.0);
        assert!(bank.left([61_000.0].into_iter()) > 0.0, "it was made in time, or not at all");
    }

    #[test]
    fn a_clock_has_limits() {
        let error = |base, increment| {
            let checked = TimeBank { base, increment }.checked();
            checked.map_err(|failure| failure.message().to_owned()).unwrap_err()
        };
        assert_eq!(error(9, 0), "clock, base: found 9, expected 1000 to 10800000 milliseconds");
        let increment = "clock, increment: found 180001, expected 0 to 180000 milliseconds";
        assert_eq!(error(1000, 180_001), increment);
        assert!(TimeBank { base: 1000, increment: 0 }.checked().is_ok());
    }
}
