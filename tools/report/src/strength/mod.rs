//! Strength over time, by the table of experiments: charts of a page, and `docs/strength.svg`.
//!
//! The one idea: above, the gains of the kept changes to the tree search, added up; below, its
//! points against alpha-beta; a column for each game. The same table gives the same picture.

pub mod table;

use std::collections::HashMap;

use alesia::game::ParseError;
use alesia::games::GameSpec;
use jiff::civil::Date;
use maud::{Markup, html};

use self::table::{Experiment, Measured, against_alphabeta, gains};
use crate::chart::axis::{Axis, Scale};
use crate::chart::{Chart, Colour, Shape, picture};

/// The settings of matches against alpha-beta, with their names and colours.
const SETTINGS: [(&str, &str, Colour); 2] = [
    ("100 ms a move", "100 ms a move", Colour::Second),
    ("1 s a move", "1 s a move, two threads", Colour::Third),
];

/// The charts of a table of experiments.
#[derive(Clone, Debug)]
pub struct Strength {
    /// A chart for each game.
    gains: Vec<Chart>,
    /// The same, of the points against alpha-beta.
    points: Vec<Chart>,
}

impl Strength {
    /// Reads a table; `name` is that of its file.
    ///
    /// # Errors
    /// A row without the form of the table, or a kept change without a row.
    pub fn read(name: &str, text: &str) -> Result<Strength, ParseError> {
        let rows = table::read(name, text)?;
        let days = Days::of(&rows);
        let mut sums = Vec::new();
        for game in GameSpec::all() {
            let mut gains = gains(&rows, &game.to_string())?;
            gains.sort_by(|a, b| days.place(a).total_cmp(&days.place(b)));
            sums.push((game, Sum::of(&gains, &days)));
        }
        // One height for all games, so that they can be compared.
        let low = sums.iter().map(|(_, sum)| sum.lowest()).fold(0.0, f64::min);
        let high = sums.iter().map(|(_, sum)| sum.highest()).fold(1.0, f64::max);
        let range = 1.05 * low..1.05 * high;
        let gains = sums.iter().map(|(game, sum)| {
            let y = Axis::new("gains added up (Elo)", Scale::Linear).within(range.clone());
            sum.chart(&format!("{}: {}", game.title(), sum.total()), days.axis(), y)
        });
        let points = GameSpec::all().into_iter().map(|game| points(&rows, game, &days));
        Ok(Strength { gains: gains.collect(), points: points.collect() })
    }

    /// The title and the content of a section.
    pub fn section(&self) -> (String, Markup) {
        let content = html! {
            div.charts {
                @for chart in &self.gains {
                    (chart.figure("Kept changes to the tree search, with their errors added up."))
                }
                @for chart in &self.points {
                    (chart.figure("The tree search against alpha-beta of the same commit."))
                }
            }
        };
        ("Strength over time".to_owned(), content)
    }

    /// All charts as one picture.
    pub fn svg(&self) -> String {
        picture("Strength over time", &[&self.gains, &self.points])
    }
}

/// Where commits are drawn: all days are equally wide, as are a day's commits.
struct Days {
    first: Date,
    /// The end of the last day, in days since the first began.
    end: f64,
    places: HashMap<String, f64>,
}

impl Days {
    fn of(rows: &[Experiment]) -> Days {
        let mut commits: Vec<(Date, &str)> = Vec::new();
        for Experiment { date, commit, .. } in rows {
            if !commits.iter().any(|(_, other)| other == commit) {
                commits.push((*date, commit));
            }
        }
        let first = commits.iter().map(|(date, _)| *date).min().unwrap_or_default();
        let since = |date: Date| f64::from(first.until(date).map_or(0, |span| span.get_days()));
        let place = |(number, (date, commit)): (usize, &(Date, &str))| {
            let is_same = |(other, _): &&(Date, &str)| other == date;
            let rank = commits[..number].iter().filter(is_same).count() as f64;
            let count = commits.iter().filter(is_same).count() as f64;
            ((*commit).to_owned(), since(*date) + (rank + 0.5) / count)
        };
        let places = commits.iter().enumerate().map(place).collect();
        let last = commits.iter().map(|(date, _)| *date).max().unwrap_or_default();
        Days { first, end: since(last) + 1.0, places }
    }

    fn place(&self, measured: &Measured) -> f64 {
        self.places[&measured.commit]
    }

    fn axis(&self) -> Axis {
        Axis::new("", Scale::Days(self.first)).within(0.0..self.end)
    }
}

/// Gains added up: where each step begins, the sum there, and its error.
struct Sum(Vec<(f64, f64, f64)>);

impl Sum {
    fn of(gains: &[Measured], days: &Days) -> Sum {
        let mut steps = vec![(0.0, 0.0, 0.0_f64)];
        let (mut total, mut spread) = (0.0, 0.0_f64);
        for gain in gains {
            (total, spread) = (total + gain.value, spread.hypot(gain.error));
            steps.push((days.place(gain), total, spread));
        }
        steps.push((days.end, total, spread));
        Sum(steps)
    }

    fn lowest(&self) -> f64 {
        self.0.iter().map(|(_, total, spread)| total - spread).fold(0.0, f64::min)
    }

    fn highest(&self) -> f64 {
        self.0.iter().map(|(_, total, spread)| total + spread).fold(0.0, f64::max)
    }

    /// The last sum in words.
    fn total(&self) -> String {
        let (_, total, spread) = self.0[self.0.len() - 1];
        format!("{total:.0} ± {spread:.0} Elo")
    }

    fn chart(&self, title: &str, x: Axis, y: Axis) -> Chart {
        // Level until the next step begins.
        let ends = self.0[1..].iter().zip(&self.0).map(|(next, own)| (next.0, own.1, own.2));
        let corners: Vec<(f64, f64, f64)> =
            self.0.iter().copied().zip(ends).flat_map(|(begin, end)| [begin, end]).collect();
        let line = corners.iter().map(|&(x, total, _)| (x, total)).collect();
        let band = corners.iter().map(|&(x, total, spread)| (x, total - spread, total + spread));
        Chart::new(title, x, y).with("", Colour::First, Shape::Band(band.collect())).with(
            "",
            Colour::First,
            Shape::Line(line),
        )
    }
}

/// The points of a game against alpha-beta.
fn points(rows: &[Experiment], game: GameSpec, days: &Days) -> Chart {
    let y = Axis::new("points against alpha-beta", Scale::Percent).within(0.0..1.04);
    let chart = Chart::new(game.title(), days.axis(), y).with("", Colour::Mark, Shape::Level(0.5));
    SETTINGS.into_iter().fold(chart, |chart, (setting, name, colour)| {
        let found = against_alphabeta(rows, &game.to_string(), setting);
        let bar = |m: &Measured| (days.place(m), m.value, m.value - m.error, m.value + m.error);
        chart.with(name, colour, Shape::Errors(found.iter().map(bar).collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

    /// Made by: `alesia-lab games report docs/experiments.csv --out docs/strength.svg`.
    #[test]
    fn the_picture_of_the_documents_is_what_the_table_gives() {
        let read = |name: &str| std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap();
        let strength = Strength::read("experiments.csv", &read("experiments.csv")).unwrap();
        let svg = strength.svg();
        roxmltree::Document::parse(&svg).unwrap();
        let command = "alesia-lab report docs/experiments.csv --out docs/strength.svg";
        assert!(svg == read("strength.svg"), "run: {command}");
    }

    #[test]
    fn days_are_equally_wide_as_are_the_commits_of_a_day() {
        let head =
            "date,commit,game,weights,what,against,setting,games,elo,error,score,kept,command\n";
        let rows = ["30,a", "30,b", "30,a"].map(|row| format!("2026-11-{row},loa,,,,,0,,,,no,\n"));
        let text = format!("{head}{}2026-12-02,c,loa,,,,,0,,,,no,\n", rows.concat());
        let days = Days::of(&table::read("t.csv", &text).unwrap());
        let places = ["a", "b", "c"].map(|commit| days.places[commit]);
        assert_eq!((places, days.end), ([0.25, 0.75, 2.5], 3.0));
    }

    #[test]
    fn gains_are_level_between_their_steps() {
        let places = [("a".to_owned(), 1.0)].into();
        let days = Days { first: Date::default(), end: 2.0, places };
        let gain = Measured { commit: "a".into(), value: 30.0, error: 4.0 };
        let sum = Sum::of(&[gain], &days);
        assert_eq!((sum.lowest(), sum.highest(), &*sum.total()), (0.0, 34.0, "30 ± 4 Elo"));
        let chart = sum.chart("", days.axis(), Axis::new("", Scale::Linear));
        let Shape::Line(line) = &chart.series[1].shape else { panic!("a line") };
        assert_eq!(line[..], [(0.0, 0.0), (1.0, 0.0), (1.0, 30.0), (2.0, 30.0)]);
    }
}
