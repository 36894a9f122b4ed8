//! What the moves and the probe's beats took, as lines.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use alesia::game::counted;
use alesia::record::game_record::milliseconds;
use alesia_report::run::Probe;

use super::probe::PERIOD;
use super::table::Measured;

/// The parts of all values, in thousandths, up to the values that are shown.
const QUANTILES: [(&str, usize); 3] = [("p50", 500), ("p99", 990), ("p99.9", 999)];

pub struct Report {
    move_time: Duration,
    /// Whether the players spoke UGI.
    ugi: bool,
    games: usize,
    all: Measured,
    late: Vec<String>,
}

impl Report {
    /// Nothing yet, of moves that have so much time, in UGI or over TCP.
    pub fn new(move_time: Duration, ugi: bool) -> Report {
        Report { move_time, ugi, games: 0, all: Measured::default(), late: Vec::new() }
    }

    pub fn add(&mut self, game: Measured) {
        self.games += 1;
        self.all.answers.extend(game.answers);
        self.all.overshoots.extend(game.overshoots);
        self.all.ready.extend(game.ready);
        self.late.extend(game.late);
    }

    /// Moves so far, those that were late included.
    pub fn moves(&self) -> u64 {
        (self.all.answers.len() + self.late.len()) as u64
    }

    pub fn late(&self) -> usize {
        self.late.len()
    }

    /// How it stands, for the progress.
    pub fn in_short(&self) -> String {
        let slowest = self.all.answers.iter().max().copied().unwrap_or_default();
        let late = self.late.len();
        let games = counted(self.games, "game");
        format!("{games}, {late} late, slowest in time {} ms", slowest.as_millis())
    }

    /// The whole, with how late the probe's beats were.
    pub fn text(&self, beats: &[Duration]) -> String {
        let mut text = String::new();
        let (moves, used) = (self.moves(), self.all.overshoots.len());
        let ms = self.move_time.as_millis();
        let mut line = |what: &str, values: &[Duration], of: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{what:<10}{} of {of}", spread(values));
        };
        let place = if self.ugi { "runner" } else { "referee" };
        line("answer", &self.all.answers, format!("{ms} ms, at the {place}"));
        line(
            "overshoot",
            &self.all.overshoots,
            format!("{} that used all time", counted(used, "move")),
        );
        line("probe", beats, format!("{} beats every {} ms", beats.len(), PERIOD.as_millis()));
        let what = match self.ugi {
            true => "a player's start to its `readyok`",
            false => "a player's start to its connection",
        };
        line("ready", &self.all.ready, what.into());
        for late in &self.late {
            let _ = writeln!(text, "late: {late}");
        }
        let (moves, games) = (counted(moves as usize, "move"), counted(self.games, "game"));
        let _ = writeln!(text, "{moves} in {games}, {} late", self.late.len());
        text
    }
}

/// The probe's beats as a row of measurements: to two digits, so that hours of them are few
/// numbers.
pub fn row_of(beats: &[Duration]) -> Probe {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for beat in beats {
        *counts.entry(two_digits(beat.as_micros() as u64)).or_default() += 1;
    }
    let beats = counts.into_iter().map(|(micros, count)| (micros as f64 / 1000.0, count)).collect();
    Probe { period: milliseconds(PERIOD), beats }
}

/// A number with all but its first two digits zero, rounded.
fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (number + unit / 2) / unit * unit
}

/// Quantiles and the greatest of some values, in milliseconds.
fn spread(values: &[Duration]) -> String {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let ms = |value: Option<&Duration>| value.map_or(0.0, |value| value.as_secs_f64() * 1000.0);
    let mut text = String::new();
    for (name, thousandths) in QUANTILES {
        // The nearest rank: this many thousandths of the values are not greater.
        let rank = (sorted.len() * thousandths).div_ceil(1000);
        let _ = write!(text, "{name} {:.1}  ", ms(sorted.get(rank.saturating_sub(1))));
    }
    let _ = write!(text, "max {:.1} ms", ms(sorted.last()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_are_counted_to_two_digits() {
        let numbers = [0, 9, 84, 99, 104, 105, 1_249, 1_250, 999_999].map(two_digits);
        assert_eq!(numbers, [0, 9, 84, 99, 100, 110, 1_200, 1_300, 1_000_000]);
        let beats = [61, 1_210, 1_190, 60].map(Duration::from_micros);
        assert_eq!(row_of(&beats).beats, [(0.06, 1), (0.061, 1), (1.2, 2)]);
    }

    #[test]
    fn quantiles_are_by_nearest_rank() {
        let values: Vec<Duration> = (1..=2000).rev().map(Duration::from_millis).collect();
        assert_eq!(spread(&values), "p50 1000.0  p99 1980.0  p99.9 1998.0  max 2000.0 ms");
        assert_eq!(spread(&values[1999..]), "p50 1.0  p99 1.0  p99.9 1.0  max 1.0 ms");
        assert_eq!(spread(&[]), "p50 0.0  p99 0.0  p99.9 0.0  max 0.0 ms");
    }
}
