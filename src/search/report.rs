//! What a search has found, in fixed memory, the same for every engine.

use std::fmt;
use std::time::Duration;

use arrayvec::ArrayVec;

use super::delays::Haste;
pub use crate::eval::oracle::Proof;
use crate::game::{Game, Move};

/// Longest principal variation kept, in plies.
pub const MAX_VARIATION: usize = 32;

/// Max root moves in a report.
pub const MAX_TOP_MOVES: usize = 5;

/// Max lines of play in a report.
pub const MAX_LINES: usize = 16;

/// A line of play after the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The expected result for the side to move, 0 to 1.
    pub value: f32,
    /// The proven result, if any.
    pub proof: Option<Proof>,
    /// As [`Report::depth`].
    pub depth: usize,
    /// The moves; there is at least one.
    pub variation: ArrayVec<Move, MAX_VARIATION>,
}

/// What the tree search has found about one move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Iterations that came to its position, those kept from earlier searches included.
    pub visits: u64,
    /// Their mean result for the side to move, 0 to 1.
    pub value: f32,
    /// Its share among the moves before anything was searched, 0 to 1.
    pub prior: f32,
    /// Its proven result for the side to move, if any.
    pub proof: Option<Proof>,
}

/// What the tree search holds in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSize {
    /// Nodes handed out, in all trees.
    pub nodes: u64,
    /// Iterations kept from earlier searches, among them those in the opponent's time.
    pub kept: u64,
}

/// What a search has found so far.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to play.
    pub best: Move,
    /// The expected result for the side to move, 0 (loss) to 1 (win).
    pub value: f32,
    /// The proven result, if any.
    pub proof: Option<Proof>,
    /// Completed depth (alpha-beta) or length of the principal variation (tree search), in plies.
    pub depth: usize,
    /// Iterations of the tree search, or positions visited by alpha-beta.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// How full the engine's memory is, in thousandths.
    pub fill: u32,
    /// What the tree search holds; none in other engines.
    pub tree: Option<TreeSize>,
    /// The moves that the tree search prefers, the best first; none in other engines.
    pub top_moves: ArrayVec<RootMove, MAX_TOP_MOVES>,
    /// The next best lines, if more than one is asked for: each begins with another move.
    pub alternatives: ArrayVec<Alternative, { MAX_LINES - 1 }>,
    /// Whether nothing was searched, as an opening book has the move and its value.
    pub from_book: bool,
    /// Why the search ended before its deadline, where the machine is late.
    pub haste: Option<Haste>,
    /// The line of play expected, beginning with `best`.
    pub variation: ArrayVec<Move, MAX_VARIATION>,
}

impl Report {
    /// The report on a move without a search.
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
            tree: None,
            top_moves: ArrayVec::new(),
            alternatives: ArrayVec::new(),
            from_book: false,
            haste: None,
            variation,
        }
    }

    /// The preferred moves of which something is known: by a visit, or by a proof.
    pub fn known_moves(&self) -> impl Iterator<Item = &RootMove> {
        self.top_moves.iter().filter(|top| top.visits > 0 || top.proof.is_some())
    }

    /// The lines of `alesia search`, moves written from `position` on: `info move …` for each of
    /// the preferred moves of which something is known, then `info depth …` with everything else.
    pub fn info<G: Game>(&self, position: &G) -> String {
        let mut lines = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_info(position, &mut lines);
        lines
    }

    /// The same into fixed memory, say.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_info<G: Game>(&self, position: &G, out: &mut impl fmt::Write) -> fmt::Result {
        for top in self.known_moves() {
            let RootMove { m, visits, value, prior, proof } = top;
            let m = position.notation(*m);
            write!(out, "info move {m} visits {visits} value {value:.3} prior {prior:.3}")?;
            write_proof(*proof, out)?;
            writeln!(out)?;
        }
        write!(out, "info depth {} time {}", self.depth, self.elapsed.as_millis())?;
        match self.tree {
            Some(TreeSize { nodes, kept }) => {
                write!(out, " iterations {} kept {kept} nodes {nodes}", self.nodes)?;
            }
            None => write!(out, " nodes {}", self.nodes)?,
        }
        let per_second = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9);
        write!(out, " nps {per_second:.0} hashfull {} value {:.3}", self.fill, self.value)?;
        write_proof(self.proof, out)?;
        if self.from_book {
            write!(out, " book")?;
        }
        write!(out, " pv")?;
        let mut position = *position;
        for &m in &self.variation {
            write!(out, " {}", position.notation(m))?;
            position.play(m);
        }
        Ok(())
    }
}

fn write_proof(proof: Option<Proof>, out: &mut impl fmt::Write) -> fmt::Result {
    proof.map_or(Ok(()), |proof| write!(out, " proof {proof}"))
}
