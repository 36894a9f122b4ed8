//! A game that is played elsewhere: what its events change on the page.
//!
//! The one idea: wherever a game is played, by a referee's players or in a match of this process,
//! its events are the same and go through one function. A thought may come before its move, and
//! then waits for it.

use std::collections::HashMap;

use alesia::game::{ParseError, Side};
use alesia::net::feed::GameEvent;
use alesia::search::report::{MAX_TOP_MOVES, MAX_VARIATION, Proof};
use alesia_answers::report_view::{ProofView, ReportView, TopMove, for_white};

use super::game_table::GameTable;
use super::hall::Hall;
use crate::door::failure::Failure;
use crate::page::topic::Topic;

/// Max bytes of a thought.
const MAX_BYTES: usize = 8192;

/// Changes a game that is shown by what has happened in it.
///
/// # Errors
/// That cannot be; the game stays as it was.
pub fn hear(hall: &Hall, table: &Topic<GameTable>, event: &GameEvent) -> Result<(), Failure> {
    match event {
        // For the list of games alone.
        GameEvent::Opened { .. } | GameEvent::Left => Ok(()),
        GameEvent::Seated { side, peer } => hall.change(table, |table| {
            table.seats[*side as usize].name = peer.clone().unwrap_or_else(|| "unknown".into());
            Ok(table.news(table.length()))
        }),
        GameEvent::Started { .. } => {
            // The clock of a later move runs already.
            let first = |table: &mut GameTable| match table.length() {
                0 => Ok(table.begin()),
                _ => Err(()),
            };
            let _ = hall.change(table, first);
            Ok(())
        }
        GameEvent::Thought { side, ply, info } => {
            let report = read(info, *side).ok_or_else(|| {
                Failure::unreadable("report: expected the lines of `alesia search`: info depth …")
            })?;
            // There is no news of a thought that waits for its move.
            let think = |table: &mut GameTable| match table.think(*side, *ply, report) {
                Ok(news) => news.ok_or(None),
                Err(failure) => Err(Some(failure)),
            };
            hall.change(table, think).or_else(|refused| refused.map_or(Ok(()), Err))
        }
        GameEvent::Moved { side, text, elapsed } => hall.change(table, |table| {
            if table.side() != *side {
                let expected = format!("a move of {}", table.side());
                return Err(ParseError::new("side", side.to_string(), expected).into());
            }
            table.play(text, Some(*elapsed), None)
        }),
        GameEvent::Ended { outcome, reason } => {
            hall.change(table, |table| table.end(*outcome, reason))
        }
    }
}

/// Reads the lines of `alesia search`; none where there is no report on the position among them.
fn read(text: &str, mover: Side) -> Option<ReportView> {
    if text.len() > MAX_BYTES {
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
            // Else nothing is known of it.
            if visits > 0 || proof.is_some() {
                top.push(TopMove { text, visits, value, prior, proof });
            }
        } else if let (depth, nodes, value) = (number("depth"), number("nodes"), value)
            && (depth.is_some() || nodes.is_some() || value.is_some() || proof.is_some())
        {
            report = Some(ReportView {
                value,
                depth: depth.map(|depth| depth as u32),
                nodes: number("iterations").or(nodes).map(|nodes| nodes as u64),
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
    use alesia::games::AnyGame;
    use alesia::search::clock::Budget;
    use alesia::search::{EngineKind, EngineOptions};

    use super::*;

    #[test]
    fn reads_an_engines_report_back() {
        let mut state = GameState::new(AnyGame::named("hadron3").unwrap());
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
    fn moves_that_were_never_looked_at_are_left_out() {
        let lines = "info move B1 visits 3 value 0.7 prior 0.5\n\
                     info move A3 visits 0 value 0.5 prior 0.3\n\
                     info move C2 visits 0 value 0 prior 0.2 proof loss in 2\n\
                     info depth 1 value 0.7 pv B1";
        let view = read(lines, Side::White).unwrap();
        let known: Vec<&str> = view.top.iter().map(|top| &*top.text).collect();
        assert_eq!(known, ["B1", "C2"]);
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
