//! `stress deadline`: how late answers were, and beside them a probe that only reads the clock.

use maud::{Markup, html};

use super::{MAX_POINTS, SPREAD, facts, names, spread, table};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::{DeadlineGame, DeadlineRow, Probe};
use crate::sample::{Sample, short, thinned};

/// Bars of a histogram, per factor of ten.
const BARS_PER_DECADE: f64 = 16.0;

/// What is below counts as this, in milliseconds: a clock is hardly finer.
const LEAST: f64 = 0.01;

/// Values of the probe that are counted one by one: the beats of more than an hour.
const MAX_BEATS: u64 = 500_000;

/// The title and the content of a section.
pub fn section(rows: &[DeadlineRow]) -> (String, Markup) {
    let games = || {
        rows.iter().filter_map(|row| match row {
            DeadlineRow::Game(game) => Some(game),
            DeadlineRow::Probe(_) => None,
        })
    };
    let limit = games().map(|game| game.limit).next().unwrap_or(f64::NAN);
    let answers = Sample::of(games().flat_map(|game| game.answers.iter().copied()));
    let overshoots = Sample::of(games().flat_map(|game| game.overshoots.iter().copied()));
    let ready = Sample::of(games().flat_map(|game| game.ready.iter().copied()));
    let beats = beats(rows);
    let late: Vec<&String> = games().filter_map(|game| game.late.as_ref()).collect();
    let moves = answers.values().len() + late.len();
    let played = names(games().map(|game| &*game.game));
    let title = format!("Deadline: {}", played.join(", "));
    let lines = [
        ("answer", &answers),
        ("overshoot", &overshoots),
        ("probe", &beats),
        ("start of a player", &ready),
    ];
    let row = |(name, sample): &(&str, &Sample)| {
        std::iter::once((*name).to_owned()).chain(spread(sample)).collect()
    };
    let heads: Vec<&str> = std::iter::once("ms").chain(SPREAD).collect();
    let content = html! {
        (facts("main", &[
            ("Time for a move", format!("{} ms", short(limit))),
            ("Moves", moves.to_string()),
            ("Games", games().count().to_string()),
            ("Late", late.len().to_string()),
            ("Slowest in time", answers.quantile(1.0).map_or("-".into(), |ms| format!("{} ms", short(ms)))),
        ]))
        @for late in &late { p.bad { "late: " (late) } }
        div.charts {
            (histogram(&answers, limit))
            (tails(&answers, &overshoots, &beats, limit))
            (over_time(&games().collect::<Vec<_>>(), limit))
        }
        (table(&heads, &lines.iter().map(row).collect::<Vec<_>>()))
    };
    (title, content)
}

/// The probe's beats, one by one; where there are too many, fewer in the same proportions.
fn beats(rows: &[DeadlineRow]) -> Sample {
    let counted = || {
        rows.iter().flat_map(|row| match row {
            DeadlineRow::Probe(Probe { beats, .. }) => &beats[..],
            DeadlineRow::Game(_) => &[],
        })
    };
    let all = counted().fold(0_u64, |sum, &(_, count)| sum.saturating_add(count));
    let part = all.div_ceil(MAX_BEATS).max(1);
    let repeated =
        |&(ms, count): &(f64, u64)| std::iter::repeat_n(ms, count.div_ceil(part) as usize);
    Sample::of(counted().flat_map(repeated))
}

fn histogram(answers: &Sample, limit: f64) -> Markup {
    let width = 1.0 / BARS_PER_DECADE;
    let mut bars: Vec<(f64, f64, f64)> = Vec::new();
    for &answer in answers.values() {
        let place = (answer.max(LEAST).log10() / width).floor();
        let from = 10_f64.powf(place * width);
        match bars.last_mut() {
            Some(bar) if (bar.0 - from).abs() < 1e-9 * from => bar.2 += 1.0,
            _ => bars.push((from, 10_f64.powf((place + 1.0) * width), 1.0)),
        }
    }
    let times = Axis::new("answer in ms", Scale::Log);
    Chart::new("Answers at the referee", times, Axis::new("moves", Scale::Whole))
        .with("moves in time", Colour::First, Shape::Bars(bars))
        .with("deadline", Colour::Mark, Shape::At(limit))
        .figure("From the question leaving the referee to the answer's arrival there.")
}

fn tails(answers: &Sample, overshoots: &Sample, beats: &Sample, limit: f64) -> Markup {
    let line = |sample: &Sample| {
        let points = sample.tail(MAX_POINTS).into_iter();
        Shape::Line(points.map(|(nines, ms)| (nines, ms.max(LEAST))).collect())
    };
    let shares = Axis::new("percent of all, not later than", Scale::Nines);
    Chart::new("Percentiles", shares, Axis::new("ms", Scale::Log))
        .with("answer", Colour::First, line(answers))
        .with("overshoot of the player", Colour::Second, line(overshoots))
        .with("probe, which only reads the clock", Colour::Third, line(beats))
        .with("deadline", Colour::Mark, Shape::Level(limit))
        .figure(
            "Overshoot: how long after its time a move left the player. Where the probe is as \
             late, the machine was.",
        )
}

fn over_time(games: &[&DeadlineGame], limit: f64) -> Markup {
    let mut number = 0.0;
    let mut series = Vec::new();
    for name in names(games.iter().map(|game| &*game.game)) {
        series.push((name, Vec::new()));
    }
    for game in games {
        let own = series.iter_mut().find(|(name, _)| *name == game.game);
        let Some((_, points)) = own else { continue };
        for &answer in &game.answers {
            number += 1.0;
            points.push((number, answer));
        }
    }
    let mut chart = Chart::new(
        "Answers in the order of play",
        Axis::new("move", Scale::Whole),
        Axis::new("answer in ms", Scale::Linear),
    );
    for (index, (name, points)) in series.iter().enumerate() {
        chart = chart.with(name, Colour::of(index), Shape::Points(thinned(points, 1000)));
    }
    chart.with("deadline", Colour::Mark, Shape::Level(limit)).figure("")
}
