//! The record of a game on the page, to be taken home.
//!
//! The one idea: it is the line that `alesia-lab match -pgnout` writes, so that everything that
//! reads those reads it too, the page's analysis included. Other forms are those of `export`.

use std::sync::Arc;

use alesia_answers::position::Played;
use alesia_answers::record::{Finished, PlayedMove, text_by};
use axum::extract::{Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Deserialize;

use super::game_table::GameTable;
use super::hall::Hall;
use crate::door::failure::{Failure, Name};

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
    let (finished, rules) = {
        let table = game.state();
        (of_table(&table, format)?, table.game)
    };
    let kind = match finished.format {
        None => "application/x-ndjson",
        Some(_) => "text/plain; charset=utf-8",
    };
    let text = text_by(finished, rules)?;
    Ok(([(CONTENT_TYPE, kind)], text))
}

/// A game in this form.
///
/// # Errors
/// It has no result.
fn of_table(table: &GameTable, format: Option<String>) -> Result<Finished, Failure> {
    let result = table.result().ok_or_else(|| Failure::stale("this game has no result yet"))?;
    if !result.decided {
        return Err(Failure::stale("this game ended without a result"));
    }
    let [white, black] = table.seats.each_ref().map(|seat| seat.name.clone());
    let (opening, played) = table.moves().split_at(table.given());
    Ok(Finished {
        game: table.game.to_string(),
        board: table.line().board.clone(),
        white,
        black,
        date: table.date,
        opening: opening.iter().map(|played| played.shape.text.clone()).collect(),
        moves: played.iter().map(of_move).collect(),
        winner: result.winner,
        reason: result.reason.clone(),
        by_rule: table.ended_by_rule(),
        format,
        notes: Vec::new(),
    })
}

fn of_move(played: &Played) -> PlayedMove {
    let Played { shape, side, ms, report, .. } = played;
    PlayedMove { text: shape.text.clone(), side: *side, ms: *ms, report: report.clone() }
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
        let refusal = |table: &GameTable| of_table(table, None).err().unwrap().message().to_owned();
        assert_eq!(refusal(&table), "this game has no result yet");
        table.break_off("stopped").unwrap();
        assert_eq!(refusal(&table), "this game ended without a result");
    }
}
