//! The time that both sides have used.
//!
//! The one idea: each moment belongs to the side to move at that time, also where the move is taken
//! back later.

use std::time::{Duration, Instant};

use alesia::game::Side;

/// The clocks of a game by hand, one of them running.
#[derive(Clone, Copy, Default)]
pub struct Clocks {
    used: [Duration; 2],
    running: Option<(Side, Instant)>,
}

impl Clocks {
    /// Ends the running turn and begins that of `next`, if there is one. Returns the time of the
    /// turn that has ended.
    pub fn turn(&mut self, next: Option<Side>, now: Instant) -> Duration {
        let time = self.this_turn(now);
        let mut now = now;
        if let Some((side, since)) = self.running {
            self.used[side as usize] += time;
            // A line may have arrived together with an earlier one, before its turn began.
            now = now.max(since);
        }
        self.running = next.map(|side| (side, now));
        time
    }

    /// The time of the running turn.
    pub fn this_turn(&self, now: Instant) -> Duration {
        self.running.map_or(Duration::ZERO, |(_, since)| now.saturating_duration_since(since))
    }

    /// The total time that a side has used so far.
    pub fn used(&self, side: Side, now: Instant) -> Duration {
        let running = self.running.filter(|&(running, _)| running == side);
        self.used[side as usize] + running.map_or(Duration::ZERO, |_| self.this_turn(now))
    }

    /// Both sides' times, for people.
    pub fn both(&self, now: Instant) -> String {
        let [white, black] =
            [Side::White, Side::Black].map(|side| self.used(side, now).as_secs_f64());
        format!("White {white:.1} s, Black {black:.1} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_uses_the_time_of_its_turns() {
        let begin = Instant::now();
        let at = |ms: u64| begin + Duration::from_millis(ms);
        let mut clocks = Clocks::default();
        assert_eq!(clocks.both(at(500)), "White 0.0 s, Black 0.0 s", "not begun");
        assert_eq!(clocks.turn(Some(Side::White), at(1000)), Duration::ZERO);
        assert_eq!(clocks.turn(Some(Side::Black), at(3000)), Duration::from_secs(2));
        assert_eq!(clocks.both(at(4500)), "White 2.0 s, Black 1.5 s");
        assert_eq!(clocks.this_turn(at(4500)), Duration::from_millis(1500));
        // Black's move is taken back at once: its time is used.
        assert_eq!(clocks.turn(Some(Side::Black), at(5000)), Duration::from_secs(2));
        assert_eq!(clocks.this_turn(at(5100)), Duration::from_millis(100));
        assert_eq!(clocks.turn(None, at(6000)), Duration::from_secs(1));
        assert_eq!(clocks.both(at(9000)), "White 2.0 s, Black 3.0 s", "over");
        assert_eq!(clocks.this_turn(at(9000)), Duration::ZERO);
    }
}
