//! The record of a game on the page, to be taken home.
//!
//! The one idea: it is the line that `alesia-lab match -pgnout` writes, so that everything that
//! reads those reads it too, the page's analysis included. Other forms are those of `export`.

use std::sync::Arc;

use alesia::game::{Outcome, Side};
use alesia::record::checked_line::json_line;
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Key, Occasion, RecordedMove, Winner};
use alesia::record::thought::Thought;
use alesia_match::formats::Format;
use alesia_match::players::report_view::{Colour, for_white};
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserialize;

use super::game_table::GameTable;
use super::hall::Hall;
use crate::door::failure::{Failure, Name};
use crate::page::position::Played;

/// The form that is asked for.
#[derive(Deserialize)]
pub struct Form {
    format: Option<String>,
}

/// `GET /api/games/ID/record`: the record of a game that is over, as one line of JSON or, with
/// `?format=NAME`, in another form.
pub async fn record(
    State(hall): State<Arc<Hall>>,
    Name(id): Name,
    Query(Form { format }): Query<Form>,
) -> Result<impl IntoResponse, Failure> {
    let game = hall.find(&id)?;
    let (record, rules) = {
        let table = game.state();
        (of_table(&table)?, table.game)
    };
    let (kind, text) = match format {
        None => ("application/x-ndjson", json_line(&record)),
        Some(name) => {
            let format: Format = name.parse()?;
            ("text/plain; charset=utf-8", format.head() + &format.text_by(&record, rules)?)
        }
    };
    Ok(([(CONTENT_TYPE, kind)], text))
}

/// The record of a game.
///
/// # Errors
/// It has no result.
fn of_table(table: &GameTable) -> Result<GameRecord, Failure> {
    let result = table.result().ok_or_else(|| Failure::stale("this game has no result yet"))?;
    if !result.decided {
        return Err(Failure::stale("this game ended without a result"));
    }
    let outcome = match result.winner {
        Some(Colour::White) => Outcome::Win(Side::White),
        Some(Colour::Black) => Outcome::Win(Side::Black),
        None => Outcome::Draw,
    };
    let [white, black] = table.seats.each_ref().map(|seat| seat.name.clone());
    let (opening, played) = table.moves().split_at(table.given());
    Ok(GameRecord {
        key: Key { seed: 0, pair: 0, leg: 0 },
        game: table.game.to_string(),
        white,
        black,
        board: table.line().board.clone(),
        definition: table.game.fingerprint(),
        rules: table.game.fingerprint().and_then(|_| table.game.source()),
        occasion: Occasion { date: table.date, ..Occasion::default() },
        opening: opening.iter().map(|played| played.shape.text.clone()).collect(),
        moves: played.iter().map(recorded).collect(),
        result: Winner::from(outcome),
        // A player has given up, or a referee elsewhere has decided.
        cause: if table.ended_by_rule() { Cause::Rule } else { Cause::Reported },
        reason: result.reason.clone(),
    })
}

fn recorded(played: &Played) -> RecordedMove {
    let mover: Side = played.side.into();
    let report = played.report.as_ref();
    let thought = Thought {
        value: report.and_then(|report| report.value).map(|value| for_white(value, mover)),
        depth: report.and_then(|report| report.depth),
        nodes: report.and_then(|report| report.nodes),
        ..Thought::default()
    };
    RecordedMove { text: played.shape.text.clone(), ms: played.ms, thought }
}

#[cfg(test)]
mod tests {
    use alesia::record::game_record::GameLine;

    use super::*;
    use crate::games::game_table::Source;

    #[test]
    fn a_game_without_a_result_has_no_record() {
        let seats = crate::games::play::seats_for_tests();
        let game = "hadron3".parse().unwrap();
        let (id, line) = ("x".into(), GameLine { board: None, moves: Vec::new() });
        let mut table =
            GameTable::new(id, game, Source::Board, String::new(), seats, line).unwrap();
        let refusal = |table: &GameTable| of_table(table).err().unwrap().message().to_owned();
        assert_eq!(refusal(&table), "this game has no result yet");
        table.break_off("stopped").unwrap();
        assert_eq!(refusal(&table), "this game ended without a result");
    }
}
