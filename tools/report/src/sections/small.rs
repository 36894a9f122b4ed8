//! `stress spectators` and `stress trees`, which have one chart each.

use maud::{Markup, html};

use super::{MAX_POINTS, facts};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::{SearchesRow, SpectatorsRow};
use crate::sample::{Sample, short, thinned};

/// `stress spectators`: the title and the content of a section.
pub fn spectators(rows: &[SpectatorsRow]) -> (String, Markup) {
    let ratio = |row: &SpectatorsRow| row.watched / row.alone;
    let ratios = Sample::of(rows.iter().map(ratio));
    let shown =
        |share| ratios.quantile(share).map_or("-".to_owned(), |value| format!("{value:.3}"));
    let events = rows.iter().fold(0_u64, |sum, row| sum.saturating_add(row.events));
    let points: Vec<(f64, f64)> =
        (1..).zip(rows).map(|(number, row)| (f64::from(number), ratio(row))).collect();
    let chart = Chart::new(
        "Speed with spectators",
        Axis::new("pair of moves", Scale::Whole),
        Axis::new("relative speed", Scale::Percent),
    )
    .with("pair", Colour::First, Shape::Points(thinned(&points, 1000)))
    .with("equal", Colour::Mark, Shape::Level(1.0));
    let content = html! {
        (facts("main", &[
            ("Pairs", rows.len().to_string()),
            ("Median ratio", shown(0.5)),
            ("Quartiles", format!("{}, {}", shown(0.25), shown(0.75))),
            ("Events received", events.to_string()),
        ]))
        div.charts { (chart.figure("Each position is searched twice, one right after the other.")) }
    };
    ("Spectators of the page".to_owned(), content)
}

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
