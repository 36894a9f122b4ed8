//! What our engine thinks of its moves in a referee's game, told by itself.
//!
//! The one idea: the player sends the lines of `alesia search` after its move has left. Nobody proves
//! who they are: whoever knows the address that a player has at the referee may speak for it. So what
//! is said changes no game; it is shown with the move, without moves that are not legal there.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use alesia::game::Side;
use alesia::search::report::{MAX_TOP_MOVES, MAX_VARIATION, Proof};
use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::failure::{Body, Failure};
use super::hall::Hall;
use super::table::{Source, Table};
use crate::reports::{ProofView, ReportView, TopMove, for_white};

/// How long the referee may take to tell of a move after the player has.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two looks for it.
const LOOK_TIME: Duration = Duration::from_millis(20);

/// Most bytes of a report.
const MOST_BYTES: usize = 8192;

/// The routes of players.
pub fn routes() -> Router<Arc<Hall>> {
    Router::new().route("/api/thoughts", post(thoughts))
}

#[derive(Deserialize)]
struct Thoughts {
    /// The player's address, as the referee has it.
    player: String,
    /// Plies played before its move.
    ply: usize,
    /// The lines of `alesia search`.
    report: String,
}

async fn thoughts(
    State(hall): State<Arc<Hall>>,
    Body(thoughts): Body<Thoughts>,
) -> Result<Json<Value>, Failure> {
    let Thoughts { player, ply, report } = thoughts;
    let seat_of = |table: &Table| {
        let own = |side: &Side| is_same(&table.seats[*side as usize].name, &player);
        let sides = [Side::White, Side::Black].into_iter();
        (table.source == Source::Referee).then(|| sides.into_iter().find(own)).flatten()
    };
    let found = hall.search(|table| seat_of(table).is_some());
    let table = found.ok_or_else(|| Failure::forbidden("no player here has that address"))?;
    let side = seat_of(&table.state()).expect("it was found by it");
    let report = read(&report, side).ok_or_else(|| {
        Failure::unreadable("report: expected the lines of `alesia search`: info depth …")
    })?;
    let end = Instant::now() + PATIENCE;
    while table.state().ply() <= ply && Instant::now() < end {
        tokio::time::sleep(LOOK_TIME).await;
    }
    hall.change(&table, |table| {
        let number = ply.checked_sub(table.ply() - table.length());
        let after = table.ply().checked_sub(ply + 1);
        let (Some(number), Some(after)) = (number, after) else {
            return Err(Failure::stale("no such move has been played"));
        };
        let mover = if after.is_multiple_of(2) { !table.side() } else { table.side() };
        match (mover == side).then(|| table.explain(number, report)).flatten() {
            Some(news) => Ok(news),
            None => Err(Failure::forbidden("that is a move of the other player")),
        }
    })?;
    Ok(Json(json!({})))
}

/// Whether two addresses are the same. A server on all addresses of both kinds has those of version 4
/// in words of version 6.
fn is_same(one: &str, other: &str) -> bool {
    let plain = |text: &str| -> Option<(IpAddr, u16)> {
        let address: SocketAddr = text.parse().ok()?;
        Some((address.ip().to_canonical(), address.port()))
    };
    one == other || plain(one).is_some_and(|one| Some(one) == plain(other))
}

/// Reads the lines of `alesia search`; none where there is no `info depth` among them.
fn read(text: &str, mover: Side) -> Option<ReportView> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let mut report = None;
    let mut top = Vec::new();
    for line in text.lines() {
        let (fields, proof, variation) = fields(line);
        let number =
            |name| fields.get(name)?.parse::<f64>().ok().filter(|number| number.is_finite());
        let value = number("value").map(|value| for_white(value.clamp(0.0, 1.0) as f32, mover));
        let proof = proof.map(|proof| ProofView::new(proof, mover));
        if let (Some(text), Some(value)) = (fields.get("move"), value) {
            let (visits, prior) = (number("visits")?, number("prior")?);
            let text = (*text).to_owned();
            let (visits, prior) = (visits as u64, prior as f32);
            top.push(TopMove { text, visits, value, prior, proof });
        } else if let Some(depth) = number("depth") {
            report = Some(ReportView {
                value,
                depth: Some(depth as u32),
                nodes: number("iterations").or(number("nodes")).map(|nodes| nodes as u64),
                ms: number("time"),
                per_second: number("nps"),
                proof,
                pv: variation.split_whitespace().take(MAX_VARIATION).map(str::to_owned).collect(),
                ..ReportView::default()
            });
        }
    }
    top.truncate(MAX_TOP_MOVES);
    report.map(|report| ReportView { top, ..report }.of_what_is_known())
}

/// The words of a line by those before them, its proof and its variation.
fn fields(line: &str) -> (HashMap<&str, &str>, Option<Proof>, &str) {
    let (line, variation) = line.split_once(" pv ").unwrap_or((line, ""));
    let (line, proof) = line.split_once(" proof ").unwrap_or((line, ""));
    let plies = |plies: &str| plies.parse().ok();
    let proof = match proof.split(' ').collect::<Vec<_>>()[..] {
        ["win", "in", number] => plies(number).map(Proof::Win),
        ["loss", "in", number] => plies(number).map(Proof::Loss),
        ["draw"] => Some(Proof::Draw),
        _ => None,
    };
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let pairs = words.as_chunks::<2>().0.iter().map(|&[name, value]| (name, value));
    (pairs.collect(), proof, variation)
}

#[cfg(test)]
mod tests {
    use alesia::game::{Game, GameState};
    use alesia::games::Hadron;
    use alesia::search::clock::Budget;
    use alesia::search::{EngineKind, EngineOptions};

    use super::*;

    #[test]
    fn what_an_engine_reports_is_read_as_it_was() {
        let mut state = GameState::new(Hadron::start(3, 3));
        for opening in ["", "B1"] {
            state.play_text(opening).unwrap();
            for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
                let options = EngineOptions { memory: 1 << 20, ..EngineOptions::default() };
                let mut engine = kind.build(state.position, &options).unwrap();
                let report = engine.think(&state, &Budget::nodes(50), &mut |_| {});
                let side = state.position.side();
                let own = ReportView::of_report(&state.position, &report);
                let view = read(&report.info(&state.position), side).unwrap();
                assert_eq!((&view.pv, view.depth, view.nodes), (&own.pv, own.depth, own.nodes));
                assert_eq!((view.proof, view.top.len()), (own.proof, own.top.len()));
                assert!((view.value.unwrap() - own.value.unwrap()).abs() < 0.001);
                for (read, own) in view.top.iter().zip(&own.top) {
                    assert_eq!((&read.text, read.visits), (&own.text, own.visits));
                    assert!((read.value - own.value).abs() < 0.001 && read.proof == own.proof);
                }
            }
        }
    }

    #[test]
    fn an_address_is_the_same_in_words_of_either_version() {
        assert!(is_same("127.0.0.1:4711", "[::ffff:127.0.0.1]:4711"));
        assert!(is_same("[::1]:4711", "[0:0::1]:4711") && is_same("a:1", "a:1"));
        for other in ["127.0.0.1:4712", "127.0.0.2:4711", "[::1]:4711", "a", ""] {
            assert!(!is_same("127.0.0.1:4711", other), "{other}");
        }
        assert!(!is_same("a:1", "b:1"));
    }

    #[test]
    fn anything_else_is_no_report() {
        for text in ["", "info", "depth", "info move B1 visits x value 0 prior 0", "info depth x"] {
            assert!(read(text, Side::White).is_none(), "{text}");
        }
        let view = read("info depth 3 value 7e9 nps NaN pv A1", Side::Black).unwrap();
        assert_eq!((view.value, view.per_second), (Some(0.0), None));
    }
}
