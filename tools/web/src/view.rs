//! Positions and reports as JSON, in the words of the page's interface
//! (`tools/board/src/interface.md`): values are the expected result for White.

use alesia::game::Game;
use alesia::games::{AnyGame, AnyState};
use alesia::search::report::{Report, RootMove};
use alesia_answers::insight::Insight;
use alesia_answers::position::Verdict;
use alesia_answers::report_view::{Colour, ProofView, for_white, texts};
use serde_json::{Value, json};

/// A position with what can be done there, and the result of a game that is over.
pub fn position(state: &AnyState) -> Value {
    let position = &state.position;
    let ending = state.ending();
    let legal: Vec<String> = match ending {
        None => state.moves().iter().map(|&m| position.notation(m).to_string()).collect(),
        Some(_) => Vec::new(),
    };
    json!({
        "title": position.title(),
        "board": position.to_string(),
        "side": Colour::from(position.side()),
        "ply": position.ply(),
        "legal": legal,
        "result": ending.map(Verdict::from),
    })
}

/// What an engine reports of a position, with these moves of the root and all lines.
pub fn report(state: &AnyState, report: &Report, moves: &[RootMove]) -> Value {
    let mut answer = json!(Insight::with_moves(state, report, moves));
    answer["others"] = others(&state.position, report);
    answer
}

/// The lines beside the best.
fn others(position: &AnyGame, report: &Report) -> Value {
    let mover = position.side();
    let other = report.alternatives.iter().map(|other| {
        json!({
            "value": for_white(other.value, mover),
            "depth": other.depth,
            "proof": other.proof.map(|proof| ProofView::new(proof, mover)),
            "pv": texts(position, &other.variation),
        })
    });
    other.collect()
}
