//! What a search has found, in fixed memory, the same for every engine.

use std::fmt;
use std::time::Duration;

use arrayvec::ArrayVec;

use crate::game::{Game, Move};

/// Longest principal variation kept, in plies.
pub const MAX_VARIATION: usize = 32;

/// A result under best play, from the side to move's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It wins in so many plies.
    Win(u16),
    /// The game is a draw.
    Draw,
    /// It loses in so many plies.
    Loss(u16),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Proof::Win(plies) => write!(f, "win in {plies}"),
            Proof::Draw => f.write_str("draw"),
            Proof::Loss(plies) => write!(f, "loss in {plies}"),
        }
    }
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to play.
    pub best: Move,
    /// The expected result for the side to move, 0 (loss) to 1 (win).
    pub value: f32,
    /// The proven result, where there is one.
    pub proof: Option<Proof>,
    /// Completed depth (alpha-beta) or length of the principal variation (tree search), in plies.
    pub depth: usize,
    /// Iterations of the tree search, or positions visited by alpha-beta.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// How full the engine's memory is, in thousandths.
    pub fill: u32,
    /// The line of play expected, beginning with `best`.
    pub variation: ArrayVec<Move, MAX_VARIATION>,
}

impl Report {
    /// The report on a move that nothing was thought about.
    pub fn of_move(best: Move) -> Report {
        let mut variation = ArrayVec::new();
        variation.push(best);
        Report {
            best,
            value: 0.5,
            proof: None,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            fill: 0,
            variation,
        }
    }

    /// The `info …` line of `alesia search`, moves written from `position` on.
    pub fn info<G: Game>(&self, position: &G) -> String {
        use fmt::Write;
        let seconds = self.elapsed.as_secs_f64().max(1e-9);
        let mut line = format!(
            "info depth {} nodes {} nps {:.0} time {} hashfull {} value {:.3}",
            self.depth,
            self.nodes,
            self.nodes as f64 / seconds,
            self.elapsed.as_millis(),
            self.fill,
            self.value,
        );
        if let Some(proof) = self.proof {
            let _ = write!(line, " proof {proof}");
        }
        line.push_str(" pv");
        let mut position = *position;
        for &m in &self.variation {
            let _ = write!(line, " {}", position.notation(m));
            position.play(m);
        }
        line
    }
}
