//! An axis: its range, linear or logarithmic, and where its labels stand.
//!
//! The one idea: one type of coordinate for all charts, so that every chart has the type of every
//! other; ticks are at round numbers (1, 2 or 5 times a power of ten).

use std::ops::Range;

use jiff::{ToSpan, civil::Date};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::sample::short;

/// Beyond this no quantity is drawn.
pub const LIMIT: f64 = 1e15;

/// About how many labels an axis has.
const LABELS: f64 = 5.0;

/// Powers of ten that each have a label.
const MAX_DECADES: f64 = 7.0;

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; values are above zero.
    Log,
    /// Of `-log10(1 - share)`: labels are percentiles.
    Nines,
    /// Linear, of things that are counted: labels are whole numbers.
    Whole,
    /// Linear, with labels in percent.
    Percent,
    /// Linear, in days since this one began: each label stands where its day begins.
    Days(Date),
}

/// An axis with its name.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, with the unit.
    pub name: String,
    /// Its scale.
    pub scale: Scale,
    /// Its ends; they follow from the values where there are none.
    pub range: Option<Range<f64>>,
}

impl Axis {
    /// An axis whose ends follow from the values.
    pub fn new(name: &str, scale: Scale) -> Axis {
        Axis { name: name.to_owned(), scale, range: None }
    }

    /// The same with given ends.
    pub fn within(self, range: Range<f64>) -> Axis {
        Axis { range: Some(range), ..self }
    }

    /// The coordinate for these values; `from_zero` is whether a linear one begins at zero.
    pub fn coordinate(&self, values: impl Iterator<Item = f64>, from_zero: bool) -> Coordinate {
        let is_log = self.scale == Scale::Log;
        let drawn = values.filter(|&v| v.abs() <= LIMIT && (!is_log || v > 0.0));
        let (low, high) = match &self.range {
            Some(range) => (range.start, range.end),
            None => drawn.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            }),
        };
        let (low, high) = match (low <= high, is_log) {
            (false, true) => (1.0, 10.0),
            (false, false) => (0.0, 1.0),
            (true, true) => (low.max(1e-9), high.max(1e-9)),
            (true, false) if from_zero && self.range.is_none() => (low.min(0.0), high.max(0.0)),
            (true, false) => (low, high),
        };
        let (low, high) = match is_log {
            _ if self.range.is_some() && low < high => (low, high),
            true => (low / 1.25, high * 1.25),
            // Room above the highest value, and for a single one.
            false => {
                let room = 0.06 * (high - low).max(1e-6 * high.abs()).max(1e-9);
                let low = if from_zero && low >= 0.0 { low } else { low - room };
                (low, high + room)
            }
        };
        Coordinate { low, high, scale: self.scale }
    }
}

/// The coordinate that an axis maps values by.
#[derive(Clone, Copy, Debug)]
pub struct Coordinate {
    low: f64,
    high: f64,
    scale: Scale,
}

impl Coordinate {
    /// The place of a value, 0 to 1 between the ends; what is beyond stands at the end.
    fn part(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Log => (value.max(1e-12) / self.low).ln() / (self.high / self.low).ln(),
            _ => (value - self.low) / (self.high - self.low),
        };
        if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
    }

    /// Where labels stand.
    pub fn ticks(&self) -> Vec<f64> {
        let inside = |&value: &f64| {
            let room = 1e-9 * (self.high - self.low);
            (self.low - room..=self.high + room).contains(&value)
        };
        let ticks: Vec<f64> = match self.scale {
            // The percentiles 0, 50, 90, 99, 99.9, …
            Scale::Nines => {
                let shares = [0.0, 0.5].map(|share: f64| -(1.0 - share).log10());
                shares.into_iter().chain((1..=15).map(f64::from)).collect()
            }
            Scale::Log if self.high / self.low > 8.0 => {
                let (first, last) = (self.low.log10().floor(), self.high.log10().ceil());
                let decades = ((last - first) / MAX_DECADES).ceil().max(1.0);
                // One decade in several, or parts of a decade.
                let parts: &[f64] = match last - first {
                    ..=2.0 => &[1.0, 2.0, 5.0],
                    ..=3.0 => &[1.0, 3.0],
                    _ => &[1.0],
                };
                let powers = (0..=((last - first) / decades) as i32)
                    .map(|step| 10_f64.powf(first + f64::from(step) * decades));
                powers.flat_map(|power| parts.iter().map(move |part| part * power)).collect()
            }
            _ => {
                let is_whole = matches!(self.scale, Scale::Whole | Scale::Days(_));
                let least = if is_whole { 1.0 } else { 0.0 };
                let step = round_step((self.high - self.low) / LABELS).max(least);
                let first = (self.low / step).ceil();
                (0..=2 * LABELS as i32).map(|number| (first + f64::from(number)) * step).collect()
            }
        };
        // What begins at the end of the last day is no day of the axis.
        let is_day = |&value: &f64| !matches!(self.scale, Scale::Days(_)) || value < self.high;
        ticks.into_iter().filter(inside).filter(is_day).collect()
    }
}

/// The next number that is 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let parts = [1.0, 2.0, 5.0, 10.0].map(|part| part * power);
    parts.into_iter().find(|&part| part >= step * 0.999).unwrap_or(10.0 * power)
}

impl Ranged for Coordinate {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        first + (self.part(*value) * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Coordinate {
    fn format_ext(&self, value: &f64) -> String {
        match self.scale {
            Scale::Linear | Scale::Log | Scale::Whole => short(*value),
            Scale::Percent => format!("{} %", short(100.0 * value)),
            Scale::Days(first) => {
                let day = first.checked_add((*value as i64).days());
                day.map_or_else(|_| "-".to_owned(), |day| day.strftime("%-d %b").to_string())
            }
            Scale::Nines => {
                let decimals = (value - 2.0).clamp(0.0, 9.0) as usize;
                format!("{:.decimals$}", 100.0 * (1.0 - 10_f64.powf(-value)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, range: Range<f64>) -> Vec<String> {
        let coordinate = Axis::new("x", scale).within(range).coordinate([].into_iter(), false);
        coordinate.ticks().iter().map(|tick| coordinate.format_ext(tick)).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Scale::Linear, 0.0..1.05), ["0", "0.5", "1"]);
        assert_eq!(labels(Scale::Linear, -3.2..3.2), ["-2", "0", "2"]);
        assert_eq!(labels(Scale::Linear, 1.9..2.1), ["1.9", "1.95", "2", "2.05", "2.1"]);
        assert_eq!(labels(Scale::Whole, 1.9..2.1), ["2"]);
        assert_eq!(
            labels(Scale::Percent, 0.0..1.0),
            ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]
        );
        let first = "2026-11-29".parse().unwrap();
        assert_eq!(labels(Scale::Days(first), 0.0..3.0), ["29 Nov", "30 Nov", "1 Dec"]);
        assert_eq!(labels(Scale::Log, 0.1..20.0), ["0.1", "0.3", "1", "3", "10"]);
        assert_eq!(labels(Scale::Log, 0.01..2000.0), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(labels(Scale::Nines, 0.0..3.5), ["0", "50", "90", "99", "99.9"]);
    }

    #[test]
    fn any_values_have_an_axis() {
        let values = [f64::NAN, -1.0, 0.0, 5e-324, 1e300, 3.0, f64::INFINITY];
        let days = Scale::Days(Date::default());
        let scales = [Scale::Linear, Scale::Whole, Scale::Log, Scale::Nines, Scale::Percent, days];
        for scale in scales {
            for count in 0..=values.len() {
                let axis = Axis::new("x", scale);
                let coordinate = axis.coordinate(values[..count].iter().copied(), true);
                assert!(coordinate.low < coordinate.high, "{coordinate:?}");
                assert!(coordinate.ticks().len() < 20);
                for value in values {
                    assert!((0..=100).contains(&coordinate.map(&value, (0, 100))), "{value}");
                }
            }
        }
    }
}
