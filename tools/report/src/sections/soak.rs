//! `stress soak`: what the process held, and how fast it answered, over hours of games.

use maud::{Markup, html};

use super::{MAX_POINTS, facts, names, table};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::SoakRow;
use crate::sample::{Sample, short, thinned};

/// The title and the content of a section.
pub fn section(rows: &[SoakRow]) -> (String, Markup) {
    let minutes = rows.last().map_or(0.0, |row| row.seconds / 60.0);
    let games = names(rows.iter().map(|row| &*row.game));
    let late: Vec<&String> = rows.iter().filter_map(|row| row.late.as_ref()).collect();
    let moves: u64 = rows.iter().fold(0, |sum, row| sum.saturating_add(row.moves));
    let content = html! {
        (facts("main", &[
            ("Minutes", short(minutes)),
            ("Games", rows.len().to_string()),
            ("Moves", moves.to_string()),
            ("Late", late.len().to_string()),
        ]))
        @for late in &late { p.bad { "late: " (late) } }
        div.charts {
            (held(rows, "Memory", "MiB", |row| row.memory.map(|bytes| bytes as f64 / 1_048_576.0)))
            (counts(rows))
            (answers(rows, &games))
        }
        (of_games(rows, &games))
    };
    ("Soak: games without a break".to_owned(), content)
}

/// A line over time.
fn line(rows: &[SoakRow], value: impl Fn(&SoakRow) -> Option<f64>) -> Shape {
    let points: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((row.seconds / 60.0, value(row)?))).collect();
    Shape::Line(thinned(&points, MAX_POINTS))
}

fn time() -> Axis {
    Axis::new("minutes", Scale::Linear)
}

fn held(
    rows: &[SoakRow],
    title: &str,
    unit: &str,
    value: impl Fn(&SoakRow) -> Option<f64> + Copy,
) -> Markup {
    let known = Sample::of(rows.iter().filter_map(value));
    // From zero, so that a wave of the allocator does not look like a flood.
    let high = 1.1 * known.quantile(1.0).unwrap_or(1.0).max(1e-3);
    Chart::new(title, time(), Axis::new(unit, Scale::Linear).within(0.0..high))
        .with("", Colour::First, line(rows, value))
        .figure("Resident memory of the process, after each game.")
}

fn counts(rows: &[SoakRow]) -> Markup {
    let most = rows.iter().filter_map(|row| row.descriptors.max(row.threads)).max().unwrap_or(1);
    let heights = Axis::new("count", Scale::Whole).within(0.0..1.1 * most.max(1) as f64);
    Chart::new("Descriptors and threads", time(), heights)
        .with("descriptors", Colour::First, line(rows, |row| row.descriptors.map(|n| n as f64)))
        .with("threads", Colour::Second, line(rows, |row| row.threads.map(|n| n as f64)))
        .figure("Open files and sockets, and threads, after each game.")
}

fn answers(rows: &[SoakRow], games: &[&str]) -> Markup {
    let mut chart =
        Chart::new("Slowest answer of each game", time(), Axis::new("ms", Scale::Linear));
    for (index, name) in games.iter().enumerate() {
        let points = rows.iter().filter(|row| row.game == *name);
        let points: Vec<(f64, f64)> = points.map(|row| (row.seconds / 60.0, row.slowest)).collect();
        chart = chart.with(name, Colour::of(index), Shape::Points(thinned(&points, 1000)));
    }
    chart.figure("At the referee.")
}

fn of_games(rows: &[SoakRow], games: &[&str]) -> Markup {
    let row = |name: &&str| {
        let own: Vec<&SoakRow> = rows.iter().filter(|row| row.game == *name).collect();
        let slowest = own.iter().map(|row| row.slowest).fold(0.0, f64::max);
        let medians = Sample::of(own.iter().map(|row| row.median));
        let count = |winner: Option<&str>| {
            own.iter().filter(|row| row.winner.as_deref() == winner).count().to_string()
        };
        vec![
            (*name).to_owned(),
            own.len().to_string(),
            own.iter().fold(0_u64, |sum, row| sum.saturating_add(row.moves)).to_string(),
            medians.quantile(0.5).map_or("-".into(), short),
            short(slowest),
            own.iter().filter(|row| row.late.is_some()).count().to_string(),
            [Some("mcts"), None, Some("alphabeta")].map(count).join(", "),
        ]
    };
    let heads = [
        "game",
        "games",
        "moves",
        "median ms",
        "slowest ms",
        "late",
        "tree search won, drawn, lost",
    ];
    table(&heads, &games.iter().map(row).collect::<Vec<_>>())
}
