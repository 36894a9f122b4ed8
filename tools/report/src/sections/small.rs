//! `stress trees`, which has one chart, and runs that are not known.

use alesia::game::counted;
use maud::{Markup, html};

use super::{MAX_POINTS, facts};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::SearchesRow;
use crate::sample::{short, thinned};

/// `stress trees`: the title and the content of a section.
pub fn searches(rows: &[SearchesRow]) -> (String, Markup) {
    let points: Vec<(f64, f64)> =
        rows.iter().map(|row| (row.seconds, row.searches as f64)).collect();
    let last = rows.last();
    let chart = Chart::new(
        "Searches, each with a legal move",
        Axis::new("seconds", Scale::Linear),
        Axis::new("searches", Scale::Whole),
    )
    .with("", Colour::First, Shape::Dots(thinned(&points, MAX_POINTS)));
    let content = html! {
        (facts("main", &[
            ("Seconds", last.map_or("-".into(), |row| short(row.seconds))),
            ("Searches", last.map_or("-".into(), |row| row.searches.to_string())),
        ]))
        div.charts { (chart.figure("")) }
    };
    ("Trees with more threads than cores".to_owned(), content)
}

/// A run of a command that is not known: the title and the content of a section.
pub fn unknown(run: &str, rows: usize) -> (String, Markup) {
    let rows = counted(rows, "row");
    (
        run.to_owned(),
        html! { p.note { (rows) " left out: no command of this version writes them" } },
    )
}
