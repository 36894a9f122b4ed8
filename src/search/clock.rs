//! How long a search may think: one absolute deadline, or a fixed number of iterations or nodes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::game::Move;

pub use crate::eval::instant::Instant;

/// What ends a search. Where several are given, whichever comes first; a proven result ends it
/// earlier.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget<'a> {
    /// The moment at which the answer must be known.
    pub deadline: Option<Instant>,
    /// The moment by which the answer must have left: where the machine wakes the watcher late, it
    /// ends the search before the deadline. None: it never does.
    pub latest: Option<Instant>,
    /// Iterations of the tree search, or nodes of alpha-beta: with one thread, the same number
    /// gives the same answer on every machine.
    pub nodes: Option<u64>,
    /// Plies: alpha-beta ends with this iteration, the tree search once its principal variation is
    /// as long.
    pub depth: Option<usize>,
    /// Time left before the deadline serves later moves; where each move has its own, it is lost.
    pub saves: bool,
    /// Raised by another thread when the answer is wanted at once; it comes some milliseconds
    /// later. The caller lowers it before the search, so that no stop is lost between.
    pub stop: Option<&'a AtomicBool>,
    /// The legal moves that may be played; none: all of them.
    pub only: &'a [Move],
    /// Lines of play to report, up to [`MAX_LINES`](super::report::MAX_LINES), the best first; 0
    /// means 1.
    pub lines: usize,
}

impl Budget<'_> {
    /// Think until a moment.
    pub fn until(deadline: Instant) -> Budget<'static> {
        Budget { deadline: Some(deadline), ..Budget::default() }
    }

    /// Search at most until a moment; unused time remains for later moves.
    pub fn at_most_until(deadline: Instant) -> Budget<'static> {
        Budget { saves: true, ..Budget::until(deadline) }
    }

    /// Think for a number of iterations or nodes.
    pub fn nodes(nodes: u64) -> Budget<'static> {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// Whether a legal move may be played.
    pub fn allows(&self, m: Move) -> bool {
        self.only.is_empty() || self.only.contains(&m)
    }

    /// Whether the answer is wanted at once.
    pub fn stopped(&self) -> bool {
        // Relaxed: the flag alone matters.
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// A second process that watches the time sends our move this part of the way from the deadline to
/// the latest moment: a machine that is not busy wakes us before.
const LATE_SHARE: u32 = 4;

/// The time for a move as a server sees it, and its safety margin for the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTime {
    /// From `YOUR_TURN` leaving the server to the answer arriving there.
    total: Duration,
    /// Reserved for network and scheduling.
    margin: Duration,
    /// The part of the margin that is the network's: by then the answer has left, however late the
    /// machine is.
    network: Duration,
}

impl MoveTime {
    /// Reserves `reserve`, but at most a quarter of the whole; half of that for the network.
    pub fn new(total: Duration, reserve: Duration) -> MoveTime {
        let margin = reserve.min(total / 4);
        MoveTime { total, margin, network: margin / 2 }
    }

    /// Reserves 30 %: 300 of 1000 ms. A lost packet is sent again after little more than 200 ms
    /// (Linux's minimum retransmission time), so 250 ms are for the network.
    pub fn safe(total: Duration) -> MoveTime {
        MoveTime { total, margin: total * 3 / 10, network: total / 4 }
    }

    /// From `YOUR_TURN` leaving the server to the answer arriving there.
    pub fn total(&self) -> Duration {
        self.total
    }

    /// The part of it that is not used for thinking.
    pub fn margin(&self) -> Duration {
        self.margin
    }

    /// The moment at which the answer to a turn announced at `received` leaves.
    pub fn deadline(&self, received: Instant) -> Instant {
        received + (self.total - self.margin)
    }

    /// The part of the margin in which a machine may be late.
    pub fn for_machine(&self) -> Duration {
        self.margin - self.network
    }

    /// How long after its turn began a second process sends it where the player has not: soon
    /// after the deadline, as that process may wake late too.
    pub fn until_stand_in(&self) -> Duration {
        self.total - self.margin + self.for_machine() / LATE_SHARE
    }

    /// The budget of that answer, which may leave later only as far as the network has no part in
    /// the margin.
    pub fn budget(&self, received: Instant) -> Budget<'static> {
        let latest = Some(received + (self.total - self.network));
        Budget { latest, ..Budget::until(self.deadline(received)) }
    }
}

/// Own moves for which the time of a [`Clock`] is planned, if more may come. Games between the
/// engines have about this many, so each move gets nearly an equal share at the start. The plan is
/// made anew at every move, so in a longer game the shares shrink but the time never runs out.
const PLANNED_MOVES: u32 = 25;

/// The clock of a player with a time for the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time.
    pub remaining: Duration,
    /// Added after each own move.
    pub increment: Duration,
    /// Own moves, this one included, until the next time control; none: never.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The time to think about this move, where the game lasts at most `plies_to_come` more plies,
    /// this one included, and each move costs `overhead` beside the thinking.
    ///
    /// An equal share of all expected time: the remaining time without one overhead, plus the
    /// increments between the planned moves, divided by the number of these moves. Never more than
    /// the remaining time without the overhead, as increments come only after a move. The overhead
    /// is also subtracted from the share, so that a long game is not lost by it, but at most half
    /// of the share, so that some time is always left for searching. The tree search ends
    /// early where the move is clear ([`Budget::saves`]); the later moves share the saved time.
    pub fn share(&self, overhead: Duration, plies_to_come: usize) -> Duration {
        let own_moves = u32::try_from(plies_to_come.div_ceil(2)).unwrap_or(u32::MAX);
        let moves =
            self.moves_to_go.unwrap_or(PLANNED_MOVES).min(own_moves).clamp(1, PLANNED_MOVES);
        let increments = self.increment.saturating_mul(moves - 1);
        let usable = self.remaining.saturating_sub(overhead);
        let share = (usable.saturating_add(increments) / moves).min(usable);
        share - overhead.min(share / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(remaining: u64, increment: u64, moves_to_go: Option<u32>, plies: usize) -> u128 {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        clock.share(ms(10), plies).as_millis()
    }

    #[test]
    fn a_clock_is_shared_out_over_the_moves_to_come() {
        assert_eq!(share(50_000, 0, None, 200), 1989, "a 25th less the overhead");
        assert_eq!(share(50_000, 1_000, None, 200), 2949, "24 increments more");
        assert_eq!(share(50_000, 0, Some(10), 200), 4989);
        assert_eq!(share(50_000, 0, Some(40), 200), 1989, "never planned for more than 25");
        assert_eq!(share(50_000, 0, Some(10), 3), 24_985, "the game ends before");
        assert_eq!(share(50_000, 9_000, None, 1), 49_980, "the last move");
        assert_eq!(share(260, 0, None, 200), 5, "half of what is little");
    }

    #[test]
    fn a_share_leaves_the_overhead() {
        for (remaining, increment) in [(0, 0), (5, 0), (10, 5_000), (11, 5_000), (400, 60_000)] {
            for moves_to_go in [None, Some(0), Some(1), Some(9)] {
                for plies in [0, 1, 2, 200, usize::MAX] {
                    let share = share(remaining, increment, moves_to_go, plies);
                    assert!(share <= u128::from(remaining.saturating_sub(10)));
                }
            }
        }
        let most = Clock { remaining: Duration::MAX, increment: Duration::MAX, moves_to_go: None };
        assert!(most.share(Duration::ZERO, 200) < Duration::MAX);
    }

    #[test]
    fn a_player_on_a_clock_never_runs_out() {
        for (start, increment) in [(1_000, 0), (1_000, 20), (60_000, 600)] {
            let mut remaining = start;
            for played in 0..100 {
                // With an overhead for each move, smaller than the one subtracted.
                let used = share(remaining, increment, None, 200 - 2 * played) as u64 + 2;
                assert!(used <= remaining, "{remaining} after {played} moves");
                remaining = remaining - used + increment;
            }
        }
    }

    #[test]
    fn the_answer_leaves_before_the_margin_begins() {
        let ms = Duration::from_millis;
        let time = |total, reserve| MoveTime::new(ms(total), ms(reserve));
        let thinking = |time: MoveTime| {
            let now = Instant::now();
            (time.deadline(now) - now).as_millis()
        };
        assert_eq!(thinking(time(1000, 150)), 850);
        assert_eq!(thinking(time(1000, 100)), 900);
        assert_eq!(thinking(time(100, 150)), 75, "never more than a quarter");
        assert_eq!(thinking(time(0, 150)), 0);
        assert_eq!(thinking(MoveTime::safe(ms(1000))), 700);
        assert_eq!(time(1000, 150).until_stand_in(), ms(850) + ms(75) / 4);
        let now = Instant::now();
        let latest = |time: MoveTime| (time.budget(now).latest.unwrap() - now).as_millis();
        assert_eq!(latest(time(1000, 150)), 925, "half of the margin is the network's");
        assert_eq!(latest(MoveTime::safe(ms(1000))), 750, "enough for a packet sent again");
    }
}
