//! What players say of their moves, as the page shows it.
//!
//! The one idea: from either player, values are for White and a proof is worth its result; what
//! says nothing is left out.

use alesia::game::{Game, Move, Side};
use alesia::games::AnyGame;
use alesia::record::thought::Thought;
use alesia::search::report::{Proof, Report, RootMove};
use serde::{Deserialize, Serialize};

/// Its player, as named on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    White,
    Black,
}

impl From<Side> for Colour {
    fn from(side: Side) -> Colour {
        match side {
            Side::White => Colour::White,
            Side::Black => Colour::Black,
        }
    }
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Side {
        match colour {
            Colour::White => Side::White,
            Colour::Black => Side::Black,
        }
    }
}

/// A result under best play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProofView {
    /// The winner; none in a draw.
    pub winner: Option<Colour>,
    /// Plies to the end, where known.
    pub plies: Option<u16>,
}

impl ProofView {
    /// The proven result for the mover.
    pub fn new(proof: Proof, mover: Side) -> ProofView {
        match proof {
            Proof::Win(plies) => ProofView { winner: Some(mover.into()), plies: Some(plies) },
            Proof::Loss(plies) => ProofView { winner: Some((!mover).into()), plies: Some(plies) },
            Proof::Draw => ProofView { winner: None, plies: None },
        }
    }
}

/// What a search says of a move at its root.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TopMove {
    #[serde(rename = "move")]
    pub text: String,
    /// Iterations that began with it.
    pub visits: u64,
    /// Its expected result for White, 0 to 1.
    pub value: f32,
    /// Its share before the search.
    pub prior: f32,
    pub proof: Option<ProofView>,
}

impl TopMove {
    /// What an engine of ours says of a move.
    pub fn of(position: &AnyGame, root: &RootMove) -> TopMove {
        let mover = position.side();
        TopMove {
            text: position.notation(root.m).to_string(),
            visits: root.visits,
            value: for_white(root.value, mover),
            prior: root.prior,
            proof: root.proof.map(|proof| ProofView::new(proof, mover)),
        }
    }
}

/// What a player thought.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReportView {
    /// The expected result for White, 0 to 1.
    pub value: Option<f32>,
    /// Plies searched, or the length of the principal variation.
    pub depth: Option<u32>,
    /// Iterations or positions.
    pub nodes: Option<u64>,
    pub ms: Option<f64>,
    /// Iterations or positions a second.
    pub per_second: Option<f64>,
    pub proof: Option<ProofView>,
    pub pv: Vec<String>,
    pub top: Vec<TopMove>,
    /// There was one legal move.
    pub only: bool,
}

/// A result as a value for White.
pub fn value_for_white(winner: Option<Colour>) -> f32 {
    match winner {
        Some(Colour::White) => 1.0,
        Some(Colour::Black) => 0.0,
        None => 0.5,
    }
}

/// The expected result for White of one for `mover`.
pub fn for_white(value: f32, mover: Side) -> f32 {
    if mover == Side::White { value } else { 1.0 - value }
}

impl ReportView {
    /// What an engine of ours reports of a position.
    pub fn of_report(position: &AnyGame, report: &Report) -> ReportView {
        let mover = position.side();
        let top = report.known_moves().map(|top| TopMove::of(position, top));
        let seconds = report.elapsed.as_secs_f64();
        ReportView {
            value: Some(for_white(report.value, mover)),
            depth: Some(report.depth as u32),
            nodes: Some(report.nodes),
            ms: Some((seconds * 1e6).round() / 1000.0),
            per_second: (seconds > 0.0).then(|| (report.nodes as f64 / seconds).round()),
            proof: report.proof.map(|proof| ProofView::new(proof, mover)),
            pv: texts(position, &report.variation),
            top: top.collect(),
            only: is_only_move(position),
        }
        .of_what_is_known()
    }

    /// What a recorded thought of a move says; none where nothing is known.
    pub fn of_thought(thought: &Thought, mover: Side) -> Option<ReportView> {
        let Thought { value, cp, depth, nodes, .. } = *thought;
        let proof = thought.proof().map(|proof| ProofView::new(proof, mover));
        let view = ReportView {
            value: thought.expected().map(|value| for_white(value, mover)),
            depth,
            nodes,
            proof,
            ..ReportView::default()
        };
        let known = value.is_some() || cp.is_some() || depth.is_some() || nodes.is_some();
        (known || proof.is_some()).then(|| view.of_what_is_known())
    }

    /// Sets the value from a proof, and omits empty data: where nothing was searched, as there was
    /// only one move or its result was known, or by a player without a search.
    pub fn of_what_is_known(self) -> ReportView {
        let proven = self.proof.map(|proof| value_for_white(proof.winner));
        match self.nodes {
            Some(0) => {
                ReportView { value: proven, depth: None, nodes: None, per_second: None, ..self }
            }
            _ => ReportView { value: proven.or(self.value), ..self },
        }
    }
}

/// A line of play from a position.
pub fn texts(position: &AnyGame, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let text = |&m: &Move| {
        let text = position.notation(m).to_string();
        position.play(m);
        text
    };
    moves.iter().map(text).collect()
}

/// Whether there is one legal move.
pub fn is_only_move(position: &AnyGame) -> bool {
    let moves = position.legal_moves();
    moves.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_becomes_a_value_for_white() {
        let thought = Thought { cp: Some(200), depth: Some(4), ..Thought::default() };
        let view = |side| ReportView::of_thought(&thought, side).unwrap().value;
        assert_eq!((view(Side::White), view(Side::Black)), (Some(0.75), Some(0.25)));
        assert!(ReportView::of_thought(&Thought::default(), Side::White).is_none());
        let unsearched = Thought { value: Some(0.5), nodes: Some(0), ..Thought::default() };
        let view = ReportView::of_thought(&unsearched, Side::White).unwrap();
        assert_eq!((view.value, view.nodes), (None, None), "it was not searched");
        let mate = Thought { mate: Some(-2), ..Thought::default() };
        let view = ReportView::of_thought(&mate, Side::White).unwrap();
        assert_eq!(view.value, Some(0.0));
        assert_eq!(view.proof, Some(ProofView { winner: Some(Colour::Black), plies: Some(4) }));
    }
}
