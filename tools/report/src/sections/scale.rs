//! `scale` and `stress scale`: speed, and strength, by the number of trees and of threads.

use maud::{Markup, html};

use super::{names, table};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::{ThreadsRow, TreesRow};
use crate::sample::short;

/// Of a normal distribution within 95 %.
const DEVIATIONS: f64 = 1.96;

/// Charts of each game alone would be too many beyond this.
const MOST_GAMES: usize = 8;

/// `stress scale`: the title and the content of a section.
pub fn of_threads(rows: &[ThreadsRow]) -> (String, Markup) {
    let games = names(rows.iter().map(|row| &*row.game));
    let own = |name: &str| rows.iter().filter(|row| row.game == name).collect::<Vec<&ThreadsRow>>();
    let first = |name: &str| own(name).first().map_or(f64::NAN, |row| row.speed);
    let most = rows.iter().map(|row| row.threads).max().unwrap_or(1).max(1);
    let mut speeds = speed_chart("Speed by threads", "threads");
    let mut waits = Chart::new(
        "Where threads meet",
        Axis::new("threads", Scale::Whole),
        Axis::new("lost claims/M", Scale::Linear),
    );
    for (index, name) in games.iter().take(MOST_GAMES).enumerate() {
        let relative =
            own(name).into_iter().map(|row| (f64::from(row.threads), row.speed / first(name)));
        speeds = speeds.with(name, Colour::of(index), Shape::Dots(relative.collect()));
        let lost = own(name).into_iter().map(|row| (f64::from(row.threads), row.lost_claims));
        waits = waits.with(name, Colour::of(index), Shape::Dots(lost.collect()));
    }
    let ideal = vec![(1.0, 1.0), (f64::from(most), f64::from(most))];
    speeds = speeds.with("ideal", Colour::Mark, Shape::Line(ideal));
    let row = |row: &ThreadsRow| {
        let relative = row.speed / first(&row.game);
        let rest = [row.speed, relative, row.blocks, row.lost_claims, row.nodes as f64].map(short);
        [row.game.clone(), row.threads.to_string()].into_iter().chain(rest).collect()
    };
    let heads =
        ["game", "threads", "iterations/s", "relative", "blocks/M", "lost claims/M", "nodes"];
    let content = html! {
        div.charts {
            (speeds.figure("Iterations per second, in times of those of one thread."))
            (waits.figure("A claim is lost where another thread is already making the children."))
        }
        (table(&heads, &rows.iter().map(row).collect::<Vec<_>>()))
    };
    (format!("Scale by threads: {}", games.join(", ")), content)
}

/// `scale`: the title and the content of a section.
pub fn of_trees(rows: &[TreesRow]) -> (String, Markup) {
    let games = names(rows.iter().map(|row| &*row.game));
    let own = |name: &str| rows.iter().filter(|row| row.game == name).collect::<Vec<&TreesRow>>();
    let first = |name: &str| own(name).first().map_or(f64::NAN, |row| row.speed);
    let mut speeds = speed_chart("Speed by trees", "trees");
    let mut scores = Chart::new(
        "Games against one tree",
        Axis::new("trees", Scale::Whole),
        Axis::new("score", Scale::Percent).within(0.0..1.0),
    );
    for (index, name) in games.iter().take(MOST_GAMES).enumerate() {
        let relative =
            own(name).into_iter().map(|row| (f64::from(row.trees), row.speed / first(name)));
        speeds = speeds.with(name, Colour::of(index), Shape::Dots(relative.collect()));
        // Games side by side, so that their errors can be told apart.
        let aside = 0.06 * (index as f64 - (games.len().min(MOST_GAMES) as f64 - 1.0) / 2.0);
        let found = own(name).into_iter().filter_map(|row| {
            let (score, error) = (row.score?, DEVIATIONS * row.error.unwrap_or(0.0));
            Some((f64::from(row.trees) + aside, score, score - error, score + error))
        });
        scores = scores.with(name, Colour::of(index), Shape::Errors(found.collect()));
    }
    speeds = speeds.with("one tree", Colour::Mark, Shape::Level(1.0));
    scores = scores.with("equal", Colour::Mark, Shape::Level(0.5));
    let percent = |value: Option<f64>| value.map_or("-".into(), |v| format!("{:.1} %", 100.0 * v));
    let row = |row: &TreesRow| {
        vec![
            row.game.clone(),
            row.threads.to_string(),
            row.trees.to_string(),
            short(row.speed),
            short(row.speed / first(&row.game)),
            row.games.map_or("-".into(), |games| games.to_string()),
            percent(row.score),
            percent(row.error.map(|error| DEVIATIONS * error)),
        ]
    };
    let heads = ["game", "threads", "trees", "iterations/s", "relative", "games", "score", "error"];
    let content = html! {
        div.charts {
            (speeds.figure("Iterations per second of all trees together, in times of those of one tree."))
            (scores.figure("More iterations do not mean more strength: each tree is smaller."))
        }
        (table(&heads, &rows.iter().map(row).collect::<Vec<_>>()))
    };
    (format!("Scale by trees: {}", games.join(", ")), content)
}

fn speed_chart(title: &str, what: &str) -> Chart {
    let relative = Axis::new("relative speed", Scale::Linear);
    Chart::new(title, Axis::new(what, Scale::Whole), relative)
}
