//! How long a search may think: one absolute deadline, or a fixed number of iterations or nodes.

use std::time::{Duration, Instant};

/// What ends a search. Where both are given, whichever comes first; a proven result ends it
/// earlier.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// The moment at which the answer must be known.
    pub deadline: Option<Instant>,
    /// Iterations of the tree search, or nodes of alpha-beta: with one thread, the same number
    /// gives the same answer on every machine.
    pub nodes: Option<u64>,
}

impl Budget {
    /// Think until a moment.
    pub fn until(deadline: Instant) -> Budget {
        Budget { deadline: Some(deadline), nodes: None }
    }

    /// Think for a number of iterations or nodes.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { deadline: None, nodes: Some(nodes) }
    }
}

/// The time for a move as a server sees it, and what of it is kept back for the way.
#[derive(Clone, Copy, Debug)]
pub struct MoveTime {
    /// From `YOUR_TURN` leaving the server to the answer arriving there.
    pub total: Duration,
    /// Kept back for network and scheduling; see [`MoveTime::margin`].
    pub reserve: Duration,
}

impl MoveTime {
    /// The part of the move time that is not used for thinking: the reserve, but never more than
    /// a quarter of the whole.
    pub fn margin(&self) -> Duration {
        self.reserve.min(self.total / 4)
    }

    /// The moment at which the answer to a turn announced at `received` leaves.
    pub fn deadline(&self, received: Instant) -> Instant {
        received + (self.total - self.margin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_leaves_before_the_margin_begins() {
        let thinking = |total, reserve| {
            let ms = Duration::from_millis;
            let now = Instant::now();
            let time = MoveTime { total: ms(total), reserve: ms(reserve) };
            (time.deadline(now) - now).as_millis()
        };
        assert_eq!(thinking(1000, 150), 850);
        assert_eq!(thinking(1000, 100), 900);
        assert_eq!(thinking(100, 150), 75, "never more than a quarter");
        assert_eq!(thinking(0, 150), 0);
    }
}
