//! The charts of a match.

use alesia::record::game_record::GameRecord;
use alesia_match::statistics::wording::error;
use alesia_match::statistics::{PairCounts, SequentialTest, Tally};
use maud::Markup;

use super::super::MAX_POINTS;
use super::results::{Results, first_side};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::sample::{Sample, thinned};

/// Players with a line of their own.
const MAX_PLAYERS: usize = 8;

/// What is below counts as this, in milliseconds.
const LEAST_TIME: f64 = 0.01;

/// The pairs of the match as they came, at most [`MAX_POINTS`] times: with the games until then.
fn course(results: &Results) -> Vec<(f64, PairCounts)> {
    let mut tally = Tally::default();
    let sums = results.pairs.iter().map(|pair| {
        tally.add(pair.scores);
        (tally.pairs.games() as f64, tally.pairs)
    });
    thinned(&sums.collect::<Vec<_>>(), MAX_POINTS)
}

/// Elo over the games, with its interval.
pub fn elo(results: &Results) -> Markup {
    let course = course(results);
    let known = |&(games, pairs): &(f64, PairCounts)| {
        let value = pairs.elo().value;
        value.is_finite().then_some((games, value))
    };
    // Where there are too few pairs for an interval, the line jumps too much to show anything.
    let sure = |&(games, pairs): &(f64, PairCounts)| {
        let estimate = pairs.elo();
        let error = error(estimate, &pairs)?;
        Some((games, estimate.value - error, estimate.value + error))
    };
    let band: Vec<(f64, f64, f64)> = course.iter().filter_map(sure).collect();
    let from = band.first().map_or(0.0, |first| first.0);
    let line: Vec<(f64, f64)> =
        course.iter().filter_map(known).filter(|&(games, _)| games >= from).collect();
    let first = results.names.first().copied().unwrap_or_default();
    let words = match band.is_empty() {
        true => "Fewer than ten pairs, or all alike, have no interval.",
        false => "From the tenth pair on.",
    };
    Chart::new("Elo over games", games_axis(), Axis::new("Elo", Scale::Linear))
        .with("95 % interval", Colour::First, Shape::Band(band))
        .with(first, Colour::First, Shape::Line(line))
        .with("equal", Colour::Mark, Shape::Level(0.0))
        .figure(words)
}

fn games_axis() -> Axis {
    Axis::new("games", Scale::Whole)
}

/// The log-likelihood ratio over the games, and the bounds of the test.
pub fn likelihood(results: &Results, test: &SequentialTest) -> Markup {
    let ratio = |&(games, pairs): &(f64, PairCounts)| (games, pairs.log_likelihood_ratio(test));
    let line = course(results).iter().map(ratio).collect();
    Chart::new("Sequential test over games", games_axis(), Axis::new("LLR", Scale::Linear))
        .with("log-likelihood ratio", Colour::First, Shape::Line(line))
        .with("bounds", Colour::Mark, Shape::Level(test.upper_bound()))
        .with("", Colour::Mark, Shape::Level(test.lower_bound()))
        .figure("Above the upper bound H1 is accepted, below the lower one H0.")
}

/// How many pairs scored how much.
pub fn pairs(results: &Results) -> Markup {
    let counts = results.players[0].tally.pairs.0;
    let bar = |(place, count): (usize, u32)| {
        let middle = place as f64 / 2.0;
        (middle - 0.2, middle + 0.2, f64::from(count))
    };
    let bars = counts.into_iter().enumerate().map(bar).collect();
    let first = results.names.first().copied().unwrap_or_default();
    let points = Axis::new("points in the two games of a pair", Scale::Linear);
    Chart::new("Pairs", points.within(-0.3..2.3), Axis::new("pairs", Scale::Whole))
        .with(first, Colour::First, Shape::Bars(bars))
        .figure("Two games with one opening and both colours.")
}

/// The score of the first player in each opening.
pub fn openings(scores: &[f64], first: &str) -> Markup {
    let points = (1..).zip(scores).map(|(number, &score)| (f64::from(number), score)).collect();
    let score = Axis::new("score", Scale::Percent).within(-0.05..1.05);
    Chart::new("Score by opening", Axis::new("opening", Scale::Whole), score)
        .with(first, Colour::First, Shape::Points(points))
        .with("equal", Colour::Mark, Shape::Level(0.5))
        .figure("In the order of the table below.")
}

/// Milliseconds of each move of a player.
pub fn times_of(records: &[GameRecord], name: &str) -> Sample {
    Sample::of(moves_of(records, name).filter_map(|(_, ms)| ms))
}

/// The ply of each move of a player, from 1 after the opening, and its milliseconds.
fn moves_of(records: &[GameRecord], name: &str) -> impl Iterator<Item = (usize, Option<f64>)> {
    let of_game = move |record: &GameRecord| {
        let first = first_side(record);
        let mut own = Vec::new();
        for (ply, played) in record.moves.iter().enumerate() {
            let side = if ply.is_multiple_of(2) { first } else { !first };
            let mover = [&record.white, &record.black][side as usize];
            if mover == name {
                own.push((ply + 1, played.ms));
            }
        }
        own
    };
    records.iter().flat_map(of_game)
}

/// The distribution of the time for a move, of each player.
pub fn times(records: &[GameRecord], names: &[&str]) -> Markup {
    let mut chart = Chart::new(
        "Time for a move",
        Axis::new("ms", Scale::Log),
        Axis::new("share of moves", Scale::Percent).within(0.0..1.0),
    );
    for (index, name) in names.iter().take(MAX_PLAYERS).enumerate() {
        let curve = times_of(records, name).cumulative(MAX_POINTS);
        let curve = curve.into_iter().map(|(ms, share)| (ms.max(LEAST_TIME), share));
        chart = chart.with(name, Colour::of(index), Shape::Line(curve.collect()));
    }
    chart.figure("")
}

/// The median time for a move by its ply, of each player.
pub fn time_by_ply(records: &[GameRecord], names: &[&str]) -> Markup {
    let mut chart = Chart::new(
        "Time along the game",
        Axis::new("ply after the opening", Scale::Whole),
        Axis::new("median ms", Scale::Log),
    );
    for (index, name) in names.iter().take(MAX_PLAYERS).enumerate() {
        let mut by_ply: Vec<Vec<f64>> = Vec::new();
        for (ply, ms) in moves_of(records, name) {
            let Some(ms) = ms else { continue };
            if by_ply.len() < ply {
                by_ply.resize(ply, Vec::new());
            }
            by_ply[ply - 1].push(ms);
        }
        let median = |(ply, times): (usize, Vec<f64>)| {
            Some((ply as f64 + 1.0, Sample::of(times).quantile(0.5)?.max(LEAST_TIME)))
        };
        let points: Vec<(f64, f64)> = by_ply.into_iter().enumerate().filter_map(median).collect();
        chart = chart.with(name, Colour::of(index), Shape::Line(thinned(&points, MAX_POINTS)));
    }
    chart.figure("")
}
