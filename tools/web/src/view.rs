//! Positions and reports as JSON, in the words of the page's interface
//! (`tools/board/src/interface.md`): values are the expected result for White.

use alesia::game::{Game, GameState, Move, Outcome, Side};
use alesia::games::{AnyGame, AnyState};
use alesia::search::report::{Proof, Report, RootMove};
use serde_json::{Value, json};

/// The name of a side.
fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

fn for_white(value: f32, mover: Side) -> f32 {
    if mover == Side::White { value } else { 1.0 - value }
}

/// A position with what can be done there, and the result of a game that is over.
pub fn position(state: &AnyState) -> Value {
    let position = &state.position;
    let ending = state.ending();
    let legal: Vec<String> = match ending {
        None => state.moves().iter().map(|&m| position.notation(m).to_string()).collect(),
        Some(_) => Vec::new(),
    };
    let result = ending.map(|ending| {
        let winner = match ending.outcome {
            Outcome::Win(side) => Some(colour(side)),
            Outcome::Draw => None,
        };
        json!({ "winner": winner, "reason": ending.rule.to_string(), "text": ending.to_string() })
    });
    json!({
        "title": position.title(),
        "board": position.to_string(),
        "side": colour(position.side()),
        "ply": position.ply(),
        "legal": legal,
        "result": result,
    })
}

fn proof(proof: Option<Proof>, mover: Side) -> Value {
    match proof {
        None => Value::Null,
        Some(Proof::Win(plies)) => json!({ "winner": colour(mover), "plies": plies }),
        Some(Proof::Loss(plies)) => json!({ "winner": colour(!mover), "plies": plies }),
        Some(Proof::Draw) => json!({ "winner": null, "plies": null }),
    }
}

/// A line of play from a position.
fn line(position: &AnyGame, moves: &[Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::new();
    for &m in moves {
        texts.push(position.notation(m).to_string());
        position.play(m);
    }
    texts
}

fn root_move(position: &AnyGame, top: &RootMove) -> Value {
    let mover = position.side();
    json!({
        "move": position.notation(top.m).to_string(),
        "visits": top.visits,
        "value": for_white(top.value, mover),
        "prior": top.prior,
        "proof": proof(top.proof, mover),
    })
}

/// What an engine reports of a position; `top` are the moves to show.
pub fn report(position: &AnyGame, report: &Report, top: &[RootMove]) -> Value {
    let mover = position.side();
    let others = report.alternatives.iter().map(|other| {
        json!({
            "value": for_white(other.value, mover),
            "depth": other.depth,
            "proof": proof(other.proof, mover),
            "pv": line(position, &other.variation),
        })
    });
    json!({
        "best": position.notation(report.best).to_string(),
        "value": for_white(report.value, mover),
        "depth": report.depth,
        "nodes": report.nodes,
        "ms": report.elapsed.as_secs_f64() * 1e3,
        "proof": proof(report.proof, mover),
        "pv": line(position, &report.variation),
        "top": top.iter().map(|top| root_move(position, top)).collect::<Vec<_>>(),
        "others": others.collect::<Vec<_>>(),
    })
}

/// The value for White of a position where the game is over.
pub fn value_of_end(state: &GameState<AnyGame>) -> Option<f32> {
    state.ending().map(|ending| ending.outcome.for_side(Side::White).halves() as f32 / 2.0)
}

/// The value for White that is reported.
pub fn value(position: &AnyGame, report: &Report) -> f32 {
    for_white(report.value, position.side())
}

/// How much less a side expects: nothing where it expects more.
pub fn loss(mover: Side, before: f32, after: f32) -> f32 {
    (for_white(before, mover) - for_white(after, mover)).max(0.0)
}
