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
const MAX_GAMES: usize = 8;

/// `stress scale`: the title and the content of a section.
pub fn of_threads(rows: &[ThreadsRow]) -> (String, Markup) {
    let games = names(rows.iter().map(|row| &*row.game));
    let on_several_trees = |game: &str| rows.iter().any(|row| row.game == game && row.trees > 1);
    let drawn = || games.iter().take(MAX_GAMES);
    let on_one_tree: Vec<&ThreadsRow> = rows.iter().filter(|row| row.trees == 1).collect();
    let is_kept = on_one_tree.iter().any(|row| row.keep_ms.is_some());
    let content = html! {
        div.charts {
            (by_threads(&on_one_tree))
            (waits(&on_one_tree))
            @for game in drawn().filter(|game| on_several_trees(game)) { (by_trees(rows, game)) }
            @if is_kept { (keeping(&on_one_tree)) }
        }
        (threads_table(rows))
    };
    (format!("Scale by threads: {}", games.join(", ")), content)
}

/// A line for each game, of a value by threads.
fn by_game(
    chart: Chart,
    rows: &[&ThreadsRow],
    value: impl Fn(&ThreadsRow) -> Option<f64>,
) -> Chart {
    let games = names(rows.iter().map(|row| &*row.game));
    games.iter().take(MAX_GAMES).enumerate().fold(chart, |chart, (index, game)| {
        let own = rows.iter().filter(|row| row.game == *game);
        let points = own.filter_map(|row| Some((f64::from(row.threads), value(row)?)));
        chart.with(game, Colour::of(index), Shape::Dots(points.collect()))
    })
}

/// The speed of the first row of a game, which is that of the fewest threads.
fn first_speed<'a>(rows: impl IntoIterator<Item = &'a ThreadsRow>, game: &str) -> f64 {
    rows.into_iter().find(|row| row.game == game).map_or(f64::NAN, |row| row.speed)
}

fn max_threads<'a>(rows: impl IntoIterator<Item = &'a ThreadsRow>) -> f64 {
    rows.into_iter().map(|row| row.threads).max().unwrap_or(1).max(1).into()
}

fn by_threads(rows: &[&ThreadsRow]) -> Markup {
    let most = max_threads(rows.iter().copied());
    let relative =
        |row: &ThreadsRow| Some(row.speed / first_speed(rows.iter().copied(), &row.game));
    by_game(speed_chart("Speed by threads", "threads"), rows, relative)
        .with("ideal", Colour::Mark, Shape::Line(vec![(1.0, 1.0), (most, most)]))
        .figure("Iterations per second on one tree, in times of those of the fewest threads.")
}

fn waits(rows: &[&ThreadsRow]) -> Markup {
    let chart = Chart::new(
        "Where threads meet",
        Axis::new("threads", Scale::Whole),
        Axis::new("lost claims/M", Scale::Linear),
    );
    by_game(chart, rows, |row| Some(row.lost_claims))
        .figure("A claim is lost where another thread is already making the children.")
}

/// A line for each number of trees, of a game.
fn by_trees(rows: &[ThreadsRow], game: &str) -> Markup {
    let own: Vec<&ThreadsRow> = rows.iter().filter(|row| row.game == game).collect();
    let line = |is_drawn: &dyn Fn(&ThreadsRow) -> bool| {
        let drawn = own.iter().filter(|row| is_drawn(row));
        Shape::Dots(drawn.map(|row| (f64::from(row.threads), row.speed)).collect())
    };
    let mut chart = Chart::new(
        &format!("Speed by threads and trees: {game}"),
        Axis::new("threads", Scale::Whole),
        Axis::new("iterations/s", Scale::Linear),
    );
    // One colour is left for as many trees as threads.
    for (index, trees) in [1, 2, 4].into_iter().enumerate() {
        if own.iter().any(|row| row.trees == trees) {
            let name = if trees == 1 { "1 tree".to_owned() } else { format!("{trees} trees") };
            chart = chart.with(&name, Colour::of(index), line(&|row| row.trees == trees));
        }
    }
    let (most, first) = (max_threads(own.iter().copied()), own.first());
    let of_one = first.map_or(f64::NAN, |row| row.speed / f64::from(row.threads.max(1)));
    let ideal = vec![(1.0, of_one), (most, most * of_one)];
    chart
        .with("a tree for each thread", Colour::Fourth, line(&|row| row.trees == row.threads))
        .with("ideal", Colour::Mark, Shape::Line(ideal))
        .figure("Iterations per second of all trees together.")
}

/// The time for keeping one tree after a move, and the nodes a second.
fn keeping(rows: &[&ThreadsRow]) -> Markup {
    let chart = |title: &str, what: &str| {
        Chart::new(title, Axis::new("threads", Scale::Whole), Axis::new(what, Scale::Linear))
    };
    let times = by_game(chart("Time for keeping the tree", "ms"), rows, |row| row.keep_ms);
    let speeds = by_game(chart("Speed of keeping the tree", "MiB/s"), rows, |row| row.keep_speed);
    html! {
        (times.figure("After the best move. More threads have larger trees to keep."))
        (speeds.figure("Bytes of the nodes that are kept, by the time for it."))
    }
}

fn threads_table(rows: &[ThreadsRow]) -> Markup {
    let heads = [
        "game",
        "threads",
        "trees",
        "iterations/s",
        "relative",
        "blocks/M",
        "lost claims/M",
        "nodes",
        "full",
        "kept",
        "keep ms",
        "MiB/s",
    ];
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), short);
    let row = |row: &ThreadsRow| {
        let relative = row.speed / first_speed(rows, &row.game);
        let measured = [row.speed, relative, row.blocks, row.lost_claims, row.nodes as f64];
        let kept = row.kept.map(|nodes| nodes as f64);
        let named = [row.game.clone(), row.threads.to_string(), row.trees.to_string()];
        let rest = [kept, row.keep_ms, row.keep_speed].map(shown);
        let cells = named.into_iter().chain(measured.map(short)).chain([percent(row.fill)]);
        cells.chain(rest).collect()
    };
    table(&heads, &rows.iter().map(row).collect::<Vec<_>>())
}

/// A share in percent, if there is one.
fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
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
    for (index, name) in games.iter().take(MAX_GAMES).enumerate() {
        let relative =
            own(name).into_iter().map(|row| (f64::from(row.trees), row.speed / first(name)));
        speeds = speeds.with(name, Colour::of(index), Shape::Dots(relative.collect()));
        // Games side by side, so that their errors can be told apart.
        let aside = 0.06 * (index as f64 - (games.len().min(MAX_GAMES) as f64 - 1.0) / 2.0);
        let found = own(name).into_iter().filter_map(|row| {
            let (score, error) = (row.score?, DEVIATIONS * row.error.unwrap_or(0.0));
            Some((f64::from(row.trees) + aside, score, score - error, score + error))
        });
        scores = scores.with(name, Colour::of(index), Shape::Errors(found.collect()));
    }
    speeds = speeds.with("one tree", Colour::Mark, Shape::Level(1.0));
    scores = scores.with("equal", Colour::Mark, Shape::Level(0.5));
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
