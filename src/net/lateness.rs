//! A move that came too late, in words.
//!
//! The one idea: who serves a game decides whether a move was late, by the clock that it keeps
//! ([`referee`](super::referee), [`relay`](super::relay), the lab's arbiter). What is said of it is
//! here, so that a late move never looks in time.

use std::time::Duration;

use crate::game::Side;

/// A time in whole milliseconds, rounded up.
pub fn milliseconds_up(time: Duration) -> u128 {
    time.as_nanos().div_ceil(1_000_000)
}

/// The loss of `side`, which had `limit` for a move and `took` so long, or did not move.
pub fn exceeded(side: Side, took: Option<Duration>, limit: Duration) -> String {
    let limit = limit.as_millis();
    match took.map(milliseconds_up) {
        Some(took) => format!("{side} exceeded the move time ({took} ms of {limit})"),
        None => format!("{side} exceeded the move time (no move in {limit} ms)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_move_never_looks_in_time() {
        let limit = Duration::from_millis(1000);
        let late = limit + Duration::from_nanos(1);
        let expected = "White exceeded the move time (1001 ms of 1000)";
        assert_eq!(exceeded(Side::White, Some(late), limit), expected);
        let expected = "Black exceeded the move time (no move in 1000 ms)";
        assert_eq!(exceeded(Side::Black, None, limit), expected);
        assert_eq!(milliseconds_up(limit), 1000);
    }
}
