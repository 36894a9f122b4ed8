//! The speed of the tree search on more cores than it was measured on, from `stress scale`.
//!
//! The model is the universal scalability law (Gunther 1993; Guerrilla Capacity Planning, 2007):
//!
//! `speed(N) = speed(1) · N / (1 + sigma · (N − 1) + kappa · N · (N − 1))`
//!
//! Sigma is contention, the share of the work that only one thread can do at a time. Kappa is
//! coherence, what each pair of threads costs. N / speed(N) is linear in the three constants, so
//! the fit is linear least squares of relative errors, with no constant below zero.

use std::collections::BTreeMap;

use alesia::game::counted;
use maud::{Markup, html};

use super::{names, table};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape};
use crate::run::ThreadsRow;
use crate::sample::short;

/// Points through which the model is drawn.
const STEPS: u32 = 64;

/// Constants of a law, or coefficients of its fit.
const CONSTANTS: usize = 3;

/// The law of one game.
#[derive(Debug)]
struct Law {
    /// Iterations per second on one core.
    speed_of_one: f64,
    sigma: f64,
    kappa: f64,
}

impl Law {
    /// Fits speeds by numbers of threads; none of fewer than three numbers.
    fn of(points: &[(f64, f64)]) -> Option<Law> {
        // Speeds near 1 keep the equations well-conditioned.
        let unit = points.iter().map(|point| point.1).fold(0.0, f64::max);
        let row = |&(threads, speed): &(f64, f64)| {
            let weight = speed / unit / threads;
            [weight, weight * (threads - 1.0), weight * threads * (threads - 1.0)]
        };
        let rows: Vec<[f64; CONSTANTS]> = points.iter().map(row).collect();
        if rows.len() < CONSTANTS {
            return None;
        }
        let [one, contention, coherence] = least_squares(&rows)?;
        Some(Law { speed_of_one: unit / one, sigma: contention / one, kappa: coherence / one })
    }

    /// Iterations per second.
    fn speed(&self, cores: f64) -> f64 {
        self.speed_of_one * self.gain(cores)
    }

    /// The speed in times of that of one core.
    fn gain(&self, cores: f64) -> f64 {
        cores / (1.0 + (cores - 1.0) * (self.sigma + self.kappa * cores))
    }

    /// The number of cores beyond which the speed falls; infinite without coherence.
    fn fastest(&self) -> f64 {
        ((1.0 - self.sigma).max(0.0) / self.kappa).sqrt()
    }
}

/// Coefficients of at least 0 whose sum over each row is nearest to 1: the best of all sets of
/// coefficients that may be above 0. None if the rows leave a choice.
fn least_squares(rows: &[[f64; CONSTANTS]]) -> Option<[f64; CONSTANTS]> {
    let squares = |found: &[f64; CONSTANTS]| -> f64 {
        let sum = |row: &[f64; CONSTANTS]| row.iter().zip(found).map(|(a, b)| a * b).sum::<f64>();
        rows.iter().map(|row| (sum(row) - 1.0).powi(2)).sum()
    };
    let sets = (1_u8..1 << CONSTANTS).map(|set| [0, 1, 2].map(|at| set >> at & 1 != 0));
    let found = sets.filter_map(|is_used| solve(normal(rows, is_used)));
    found
        .filter(|found| found.iter().all(|&coefficient| coefficient >= 0.0))
        .min_by(|a, b| squares(a).total_cmp(&squares(b)))
}

/// The normal equations of the coefficients that are used, each with its right side last; those
/// that are not used are 0.
fn normal(rows: &[[f64; CONSTANTS]], is_used: [bool; CONSTANTS]) -> [[f64; 4]; CONSTANTS] {
    let mut equations = [[0.0; 4]; CONSTANTS];
    for (own, equation) in equations.iter_mut().enumerate() {
        if !is_used[own] {
            equation[own] = 1.0;
            continue;
        }
        for row in rows {
            for other in (0..CONSTANTS).filter(|&other| is_used[other]) {
                equation[other] += row[own] * row[other];
            }
            equation[CONSTANTS] += row[own];
        }
    }
    equations
}

/// Solves linear equations by Gaussian elimination; none if they are singular.
fn solve(mut equations: [[f64; 4]; CONSTANTS]) -> Option<[f64; CONSTANTS]> {
    for at in 0..CONSTANTS {
        let pivot = (at..CONSTANTS)
            .max_by(|&a, &b| equations[a][at].abs().total_cmp(&equations[b][at].abs()))?;
        equations.swap(at, pivot);
        let own = equations[at];
        if own[at].abs() < 1e-12 {
            return None;
        }
        for other in (0..CONSTANTS).filter(|&other| other != at) {
            let factor = equations[other][at] / own[at];
            for (cell, own) in equations[other].iter_mut().zip(own) {
                *cell -= factor * own;
            }
        }
    }
    Some([0, 1, 2].map(|at| equations[at][CONSTANTS] / equations[at][at]))
}

/// Speeds of one tree by threads, and how many rows with more threads than cores were left out.
fn speeds(rows: &[&ThreadsRow], cores: Option<u32>) -> (Vec<(f64, f64)>, usize) {
    let (within, beyond): (Vec<&ThreadsRow>, Vec<&ThreadsRow>) =
        rows.iter().partition(|row| cores.is_none_or(|cores| row.threads <= cores));
    let mut by_threads: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for row in within.iter().filter(|row| row.threads > 0 && row.speed > 0.0) {
        by_threads.entry(row.threads).or_default().push(row.speed);
    }
    let mean = |(threads, own): (u32, Vec<f64>)| {
        (f64::from(threads), own.iter().sum::<f64>() / own.len() as f64)
    };
    (by_threads.into_iter().map(mean).collect(), beyond.len())
}

/// What follows for these numbers of cores; `cores` is how many were there.
pub fn section(rows: &[ThreadsRow], cores: Option<u32>, predicted: &[u32]) -> Markup {
    html! {
        h3 { "More cores" }
        @for game in names(rows.iter().map(|row| &*row.game)) {
            @let own: Vec<&ThreadsRow> =
                rows.iter().filter(|row| row.game == game && row.trees == 1).collect();
            @let (points, left_out) = speeds(&own, cores);
            @match Law::of(&points) {
                Some(law) => (of_game(game, &law, &points, left_out, predicted)),
                None => p.note {
                    (game) ": measured with " (counted(points.len(), "number"))
                    " of threads, not more than cores, on one tree; a prediction needs three"
                },
            }
        }
    }
}

/// A game's constants, how well they fit, and the predictions.
fn of_game(
    game: &str,
    law: &Law,
    points: &[(f64, f64)],
    left_out: usize,
    predicted: &[u32],
) -> Markup {
    let measured = points.iter().map(|&(threads, speed)| (threads, Some(speed)));
    let cases: Vec<(f64, Option<f64>)> =
        measured.chain(predicted.iter().map(|&cores| (f64::from(cores), None))).collect();
    let most = cases.iter().map(|case| case.0).fold(1.0, f64::max);
    let curve = (0..=STEPS).map(|step| 1.0 + (most - 1.0) * f64::from(step) / f64::from(STEPS));
    let model = curve.map(|cores| (cores, law.speed(cores))).collect();
    let chart = Chart::new(
        &format!("Speed on more cores: {game}"),
        Axis::new("cores", Scale::Whole),
        Axis::new("iterations/s", Scale::Linear),
    )
    .with("model", Colour::Second, Shape::Line(model))
    .with("measured", Colour::First, Shape::Points(points.to_vec()));
    let Law { speed_of_one, sigma, kappa } = law;
    let fastest = match law.fastest() {
        cores if cores.is_finite() => format!("fastest with {cores:.0} cores"),
        _ => "no fastest number of cores".to_owned(),
    };
    let words = format!(
        "{} iterations/s on one core, sigma {sigma:.4}, kappa {kappa:.6}, {fastest}; {} with more \
         threads than cores left out.",
        short(*speed_of_one),
        counted(left_out, "row"),
    );
    let row = |&(cores, measured): &(f64, Option<f64>)| {
        let model = law.speed(cores);
        let error = |speed: f64| format!("{:+.1} %", 100.0 * (model / speed - 1.0));
        let cells = [
            format!("{cores:.0}"),
            measured.map_or("-".to_owned(), short),
            short(model),
            measured.map_or("-".to_owned(), error),
            format!("{:.2}", law.gain(cores)),
        ];
        cells.to_vec()
    };
    let heads = ["cores", "measured", "model", "error", "of one"];
    html! {
        div.charts { (chart.figure(&words)) }
        (table(&heads, &cases.iter().map(row).collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_constants_that_made_the_speeds() {
        for (sigma, kappa) in [(0.0, 0.0), (0.03, 0.0), (0.0, 0.0005), (0.02, 0.0004), (0.4, 0.01)]
        {
            let law = Law { speed_of_one: 2e5, sigma, kappa };
            let points = [1.0, 2.0, 4.0, 8.0, 16.0].map(|cores| (cores, law.speed(cores)));
            let found = Law::of(&points).unwrap();
            let errors = [found.speed_of_one / 2e5 - 1.0, found.sigma - sigma, found.kappa - kappa];
            assert!(errors.iter().all(|error| error.abs() < 1e-6), "{found:?}");
        }
    }

    #[test]
    fn no_constant_is_below_zero_where_the_speed_grows_faster_than_the_cores() {
        let law = Law::of(&[(1.0, 1.0), (2.0, 2.2), (4.0, 4.8)]).unwrap();
        assert_eq!((law.sigma, law.kappa), (0.0, 0.0));
        assert_eq!(law.fastest(), f64::INFINITY);
    }

    #[test]
    fn the_speed_falls_beyond_the_fastest_number_of_cores() {
        let law = Law { speed_of_one: 1.0, sigma: 0.19, kappa: 0.01 };
        assert!((law.fastest() - 9.0).abs() < 1e-9);
        assert!(law.speed(9.0) > law.speed(8.0) && law.speed(9.0) > law.speed(10.0));
    }

    #[test]
    fn two_numbers_of_threads_predict_nothing() {
        assert!(Law::of(&[(1.0, 1.0), (2.0, 1.9)]).is_none());
        assert!(Law::of(&[]).is_none());
    }

    #[test]
    fn the_same_threads_have_their_mean_and_those_beyond_the_cores_are_left_out() {
        let row = |threads, speed| ThreadsRow {
            game: "loa".into(),
            threads,
            trees: 1,
            speed,
            blocks: 0.0,
            lost_claims: 0.0,
            nodes: 0,
            fill: None,
            kept: None,
            keep_ms: None,
            keep_speed: None,
        };
        let rows = [row(1, 10.0), row(1, 20.0), row(2, 25.0), row(4, 26.0)];
        let rows: Vec<&ThreadsRow> = rows.iter().collect();
        assert_eq!(speeds(&rows, Some(2)), (vec![(1.0, 15.0), (2.0, 25.0)], 1));
        assert_eq!(speeds(&rows, None).0.len(), 3);
    }
}
