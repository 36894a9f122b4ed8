//! What a player knew of its move.

use serde::{Deserialize, Serialize};

use crate::eval::expectation;
use crate::search::report::{Proof, Report};

/// What a player knows of its move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thought {
    /// The expected result for the mover, 0 (loss) to 1 (win), of an engine of this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The same in centipawns, of an external program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// A proven result as in UCI: the mover's own moves to its win, negative to its loss.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Plies searched, or the length of the principal variation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// Positions, or iterations of a tree search.
    pub nodes: Option<u64>,
}

impl Thought {
    /// What a report says of its move; none where nothing was searched, known or proven.
    pub fn of(report: &Report) -> Option<Thought> {
        let Report { value, proof, nodes, depth, .. } = *report;
        // After pondering a move may be clear at once, without an iteration more.
        (nodes > 0 || depth > 0 || proof.is_some() || report.from_book).then(|| Thought {
            value: Some(value),
            cp: None,
            mate: proof.and_then(Proof::in_moves),
            depth: Some(depth as u32),
            nodes: Some(nodes),
        })
    }

    /// The expected result for the mover, 0 to 1, from either player. A program that sees a mate
    /// says no other score.
    pub fn expected(&self) -> Option<f32> {
        let of_mate = |moves| if moves > 0 { 1.0 } else { 0.0 };
        self.value.or(self.cp.map(expectation)).or(self.mate.map(of_mate))
    }

    /// The proven result for the mover.
    pub fn proof(&self) -> Option<Proof> {
        self.mate.map(|moves| {
            // The mover's own moves: its last ply is the win, or the reply to it.
            let plies = u16::try_from(moves.unsigned_abs()).unwrap_or(u16::MAX).saturating_mul(2);
            match moves > 0 {
                true => Proof::Win(plies.saturating_sub(1)),
                false => Proof::Loss(plies),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_searched_known_or_proven_is_a_thought() {
        let report = Report::of_move(crate::game::Move::from_code(7));
        assert_eq!(Thought::of(&report), None);
        let proven = Report { proof: Some(Proof::Loss(4)), value: 0.0, ..report.clone() };
        assert_eq!(Thought::of(&proven).unwrap().mate, Some(-2));
        assert!(Thought::of(&Report { nodes: 1, ..report.clone() }).is_some());
        assert!(Thought::of(&Report { depth: 3, ..report.clone() }).is_some(), "pondered before");
        assert!(Thought::of(&Report { from_book: true, ..report }).is_some());
    }
}
