//! The standings of a tournament as text, as CSV, as a page for the browser, and for
//! the page of the board.

use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Key, Winner};
use alesia_answers::formats::no_formula;
use alesia_match::run::results::Irregular;
use alesia_match::statistics::wording::ranks;
use alesia_report::page::document;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::league::Row;
use super::plan::Plan;

/// A group's number, from 1, with its standings.
pub type Group = (usize, Vec<Row>);

/// The heads of the columns after rank and name.
const HEADS: [&str; 10] =
    ["Played", "Won", "Drawn", "Lost", "Points", "Home", "Away", "Late", "Illegal", "Crashed"];

/// The same, of the width of a terminal.
const SHORT_HEADS: [&str; HEADS.len()] =
    ["Played", " Won", "Drawn", "Lost", "Points", "Home", "Away", "Late", "Illegal", "Crashed"];

const STYLE: &str = "\
    body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    table{border-collapse:collapse;margin:1rem 0}\
    th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #8884}\
    th.name,td.name{text-align:left}\
    .scroll{overflow-x:auto}\
    pre{overflow-x:auto}";

/// The numbers below [`HEADS`].
fn numbers(row: &Row) -> [u32; 10] {
    let Row { won, drawn, lost, home, away, faults, .. } = row;
    let points = row.points();
    [
        row.played(),
        *won,
        *drawn,
        *lost,
        points,
        *home,
        *away,
        faults.time,
        faults.illegal,
        faults.crashes,
    ]
}

/// Tables of plain text, and below them the games that say nothing about strength.
pub fn text(plan: &Plan, groups: &[Group], irregular: Irregular) -> String {
    let heads: String = SHORT_HEADS.iter().map(|head| format!(" {head}")).collect();
    let mut text = format!("{}\n", plan.title);
    for (number, rows) in groups {
        let rest = |row: &Row| {
            let under = |(head, number): (&&str, u32)| format!(" {number:>0$}", head.len());
            SHORT_HEADS.iter().zip(numbers(row)).map(under).collect()
        };
        let named = rows.iter().map(|row| (&*plan.players[row.player].name, rest(row)));
        text += &format!("\nGroup {number}\n{}", ranks(&heads, named));
    }
    let lines = irregular.lines();
    if lines.is_empty() { text } else { text + "\n" + &lines }
}

/// The standings and games for the page of the board; `id` says where a game can be seen.
pub fn json(
    plan: &Plan,
    groups: &[Group],
    records: &[GameRecord],
    id: impl Fn(Key) -> Option<String>,
) -> Value {
    let group = |(number, rows): &Group| {
        let row = |(rank, row): (usize, &Row)| {
            let mut object = Map::new();
            object.insert("rank".into(), rank.into());
            object.insert("name".into(), plan.players[row.player].name.clone().into());
            let heads = HEADS.iter().map(|head| head.to_lowercase());
            object.extend(heads.zip(numbers(row).map(Value::from)));
            object
        };
        let rows: Vec<Map<String, Value>> = (1..).zip(rows).map(row).collect();
        json!({ "number": number, "rows": rows })
    };
    let game = |record: &GameRecord| {
        json!({
            "white": record.white,
            "black": record.black,
            "result": shown(record),
            "reason": record.reason,
            "plies": record.opening.len() + record.moves.len(),
            "id": id(record.key),
        })
    };
    json!({
        "title": plan.title,
        "game": plan.game.to_string(),
        "played": records.len(),
        "of": plan.games(),
        "groups": groups.iter().map(group).collect::<Vec<_>>(),
        "games": records.iter().map(game).collect::<Vec<_>>(),
    })
}

/// One table, the group in the first column.
///
/// # Errors
/// None but what the library has.
pub fn csv(plan: &Plan, groups: &[Group]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["Group", "Rank", "Name"].into_iter().chain(HEADS))?;
    for (number, rows) in groups {
        for (rank, row) in (1..).zip(rows) {
            let rank: i32 = rank;
            let name = no_formula(&plan.players[row.player].name);
            let cells = [number.to_string(), rank.to_string(), name].into_iter();
            writer.write_record(cells.chain(numbers(row).map(|number| number.to_string())))?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A page: standings, cross table, all games, the draw.
pub fn page(plan: &Plan, groups: &[Group], records: &[GameRecord], irregular: Irregular) -> String {
    let body = html! {
        h1 { (plan.title) }
        p { (records.len()) " of " (plan.games()) " games. Three points for a win, one for a draw." }
        @for (number, rows) in groups {
            h2 { "Group " (number) }
            div.scroll { (table(plan, rows)) }
            div.scroll { (crosstable(plan, rows, records)) }
        }
        @for line in irregular.lines().lines() { p { (line) } }
        h2 { "Games" }
        div.scroll { (list(records)) }
        h2 { "Draw" }
        pre { (plan.describe()) }
    };
    document(&plan.title, STYLE, body)
}

fn table(plan: &Plan, rows: &[Row]) -> Markup {
    html! {
        table {
            tr { th { "Rank" } th.name { "Name" } @for head in HEADS { th { (head) } } }
            @for (rank, row) in (1..).zip(rows) {
                tr {
                    td { (rank) }
                    td.name { (plan.players[row.player].name) }
                    @for number in numbers(row) { td { (number) } }
                }
            }
        }
    }
}

/// The results of each player as White (down) against each as Black (across).
fn crosstable(plan: &Plan, rows: &[Row], records: &[GameRecord]) -> Markup {
    let name = |row: &Row| plan.players[row.player].name.clone();
    let cell = |white: &Row, black: &Row| {
        let game = records.iter().find(|r| r.white == name(white) && r.black == name(black));
        game.map_or("", |game| shown(game))
    };
    html! {
        table {
            tr { th.name { "White \\ Black" } @for row in rows { th { (name(row)) } } }
            @for white in rows {
                tr {
                    td.name { (name(white)) }
                    @for black in rows { td { (cell(white, black)) } }
                }
            }
        }
    }
}

fn list(records: &[GameRecord]) -> Markup {
    html! {
        table {
            tr { th.name { "White" } th.name { "Black" } th { "Result" } th.name { "Reason" } th { "Plies" } }
            @for record in records {
                tr {
                    td.name { (record.white) }
                    td.name { (record.black) }
                    td { (shown(record)) }
                    td.name { (record.reason) }
                    td { (record.opening.len() + record.moves.len()) }
                }
            }
        }
    }
}

fn shown(record: &GameRecord) -> &'static str {
    match record.result {
        Winner::White => "1–0",
        Winner::Black => "0–1",
        Winner::Nobody if record.cause == Cause::Disconnect => "0–0",
        Winner::Nobody => "½–½",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::league;

    #[test]
    fn a_name_is_no_formula() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(no_formula(formula), format!("'{formula}"));
        }
        for name in ["Alesia", "a=b", "", "'t Hooft"] {
            assert_eq!(no_formula(name), name);
        }
        let mut file = "game = \"hadron5\"\ndraw = 1\n[each]\nnodes = 1\n".to_owned();
        for name in ["=1+1", "B"] {
            file += &format!("[[player]]\nname = \"{name}\"\n");
        }
        let plan = Plan::read(&file, "test", 0, false).unwrap();
        let groups = [(1, league::standings(&plan, &plan.groups[0], &[]))];
        let table = String::from_utf8(csv(&plan, &groups).unwrap()).unwrap();
        assert!(table.contains(",'=1+1,0,") && table.contains(",B,0,"), "{table}");
    }
}
