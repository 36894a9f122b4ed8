//! CSV: a table with a row for each move, for spreadsheets and statistics programs.

use alesia::game::Side;

use super::token;
use alesia::record::game_record::GameRecord;

/// The names of the columns.
const COLUMNS: [&str; 16] = [
    "seed", "pair", "leg", "game", "white", "black", "ply", "side", "move", "ms", "value", "cp",
    "depth", "nodes", "result", "reason",
];

/// The line with the names of the columns.
pub fn head() -> String {
    line(&COLUMNS.map(str::to_owned))
}

/// A text that no spreadsheet takes for a formula: one that begins like it gets an apostrophe.
pub fn no_formula(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

/// The rows of a record. Moves of the opening have no time.
pub fn rows(record: &GameRecord, first: Side) -> String {
    let opening = record.opening.iter().map(|text| (text, None));
    let played = record.moves.iter().map(|m| (&m.text, Some(m)));
    let mut side = first;
    let mut rows = String::new();
    for (ply, (text, played)) in (1..).zip(opening.chain(played)) {
        let thought = played.map(|m| m.thought).unwrap_or_default();
        let shown = |value: Option<String>| value.unwrap_or_default();
        rows += &line(&[
            record.key.seed.to_string(),
            record.key.pair.to_string(),
            record.key.leg.to_string(),
            no_formula(&record.game),
            no_formula(&record.white),
            no_formula(&record.black),
            i32::to_string(&ply),
            side.to_string(),
            no_formula(text),
            shown(played.and_then(|m| m.ms).map(|ms| ms.to_string())),
            shown(thought.value.map(|value| value.to_string())),
            shown(thought.cp.map(|cp| cp.to_string())),
            shown(thought.depth.map(|depth| depth.to_string())),
            shown(thought.nodes.map(|nodes| nodes.to_string())),
            token(record).to_owned(),
            no_formula(&record.reason),
        ]);
        side = !side;
    }
    rows
}

fn line(fields: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("memory takes everything");
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("the fields are text")
}
