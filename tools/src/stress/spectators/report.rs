//! What the pairs came to, as lines, and whether it is good enough.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use super::heard::Heard;

/// The least share of its iterations a second that an engine must keep when its game is watched.
const MIN_RATIO: f64 = 0.95;

#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub speed: f64,
    /// How long processor time was counted.
    pub took: Duration,
    /// Processor time of the server without its engines meanwhile, where the system reports it.
    pub server: Option<Duration>,
    /// The same of the spectators.
    pub crowd: Option<Duration>,
    /// Their received bytes.
    pub heard: Heard,
}

/// The same position with spectators and without.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub ply: usize,
    pub alone: Moved,
    pub watched: Moved,
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.watched.speed / self.alone.speed
    }
}

pub struct Report {
    title: String,
    cores: usize,
    pairs: Vec<Pair>,
}

impl Report {
    pub fn new(game: &str, spectators: u16, move_time: u64) -> Report {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let title =
            format!("{game}, {spectators} spectators, moves of {move_time} ms, {cores} cores");
        Report { title, cores, pairs: Vec::new() }
    }

    pub fn add(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    /// A part of the pairs, 0 to 1, has ratios up to this.
    fn ratio(&self, part: f64) -> f64 {
        quantile(self.pairs.iter().map(Pair::ratio), part)
    }

    /// How it stands, for the progress.
    pub fn in_short(&self) -> String {
        format!("median ratio {:.3}", self.ratio(0.5))
    }

    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        let heads = ["pair", "ply", "without", "with", "ratio"];
        let [pair, ply, alone, watched, ratio] = heads;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{pair:>4} {ply:>4} {alone:>9} {watched:>9} {ratio:>6}  [it/s]");
        for (number, pair) in (1..).zip(&self.pairs) {
            let (alone, watched) = (pair.alone.speed, pair.watched.speed);
            let (ply, ratio) = (pair.ply, pair.ratio());
            let _ = writeln!(text, "{number:>4} {ply:>4} {alone:>9.0} {watched:>9.0} {ratio:>6.3}");
        }
        let [low, median, high] = [0.25, 0.5, 0.75].map(|part| self.ratio(part));
        let _ = writeln!(
            text,
            "ratio: median {median:.3}, quartiles {low:.3} and {high:.3} (expected {MIN_RATIO})"
        );
        let _ = writeln!(
            text,
            "of the machine's processor time: server {} without and {} with spectators, \
             spectators {}",
            self.share(|pair| (pair.alone.server, pair.alone.took)),
            self.share(|pair| (pair.watched.server, pair.watched.took)),
            self.share(|pair| (pair.watched.crowd, pair.watched.took)),
        );
        let sum = |of: fn(&Heard) -> usize| -> usize {
            self.pairs.iter().map(|pair| of(&pair.watched.heard)).sum()
        };
        let (complete, refreshed) = (sum(|heard| heard.complete), sum(|heard| heard.refreshed));
        let _ = writeln!(
            text,
            "events: {} received in {} visits; {complete} complete, {refreshed} refreshed",
            sum(|heard| heard.events),
            complete + refreshed,
        );
        text
    }

    /// A share of all processors' time, in words.
    fn share(&self, of: impl Fn(&Pair) -> (Option<Duration>, Duration)) -> String {
        let mut spent = Duration::ZERO;
        let mut all = Duration::ZERO;
        for pair in &self.pairs {
            let (Some(own), took) = of(pair) else { return "unknown".into() };
            spent += own;
            all += took * self.cores as u32;
        }
        format!("{:.2} %", 100.0 * spent.as_secs_f64() / all.as_secs_f64())
    }

    /// Whether the engine keeps what it must.
    ///
    /// # Errors
    /// It does not.
    pub fn verdict(&self) -> Result<(), String> {
        let median = self.ratio(0.5);
        match median >= MIN_RATIO {
            true => Ok(()),
            false => Err(format!("median ratio: found {median:.3}, expected {MIN_RATIO} or more")),
        }
    }
}

/// The value up to which a part of all values are, 0 to 1; between two of them in proportion. No
/// number where there are none.
fn quantile(values: impl Iterator<Item = f64>, part: f64) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let place = part * sorted.len().saturating_sub(1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    match (sorted.get(low), sorted.get(high)) {
        (Some(below), Some(above)) => below + (above - below) * place.fract(),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_values() {
        let of = |values: &[f64], part| quantile(values.iter().copied(), part);
        assert_eq!(of(&[3.0, 1.0, 2.0], 0.5), 2.0);
        assert_eq!(of(&[4.0, 1.0, 3.0, 2.0], 0.5), 2.5);
        assert_eq!(
            [0.0, 0.25, 0.75, 1.0].map(|part| of(&[1.0, 2.0, 3.0], part)),
            [1.0, 1.5, 2.5, 3.0]
        );
        assert_eq!(of(&[7.0], 0.25), 7.0);
        assert!(of(&[], 0.5).is_nan());
    }

    fn moved(speed: f64, server: u64, crowd: Option<u64>) -> Moved {
        let (server, crowd) =
            (Some(Duration::from_millis(server)), crowd.map(Duration::from_millis));
        let heard = Heard { complete: 3, refreshed: 1, events: 20 };
        Moved { speed, took: Duration::from_secs(1), server, crowd, heard }
    }

    fn report(ratios: &[f64]) -> Report {
        let pair = |&ratio: &f64| Pair {
            ply: 0,
            alone: moved(1000.0, 2, None),
            watched: moved(1000.0 * ratio, 30, Some(10)),
        };
        let pairs = ratios.iter().map(pair).collect();
        Report { title: "murus".into(), cores: 2, pairs }
    }

    #[test]
    fn the_median_of_the_ratios_decides() {
        assert_eq!(report(&[0.5, 0.96, 1.2]).verdict(), Ok(()));
        let error = report(&[0.5, 0.94, 1.2]).verdict().unwrap_err();
        assert_eq!(error, "median ratio: found 0.940, expected 0.95 or more");
        assert!(report(&[]).verdict().is_err());
    }

    #[test]
    fn all_is_said_in_lines() {
        let text = report(&[0.9, 1.1]).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "   1    0      1000       900  0.900");
        assert_eq!(lines[4], "ratio: median 1.000, quartiles 0.950 and 1.050 (expected 0.95)");
        let expected = "of the machine's processor time: server 0.10 % without and 1.50 % with \
                        spectators, spectators 0.50 %";
        assert_eq!(lines[5], expected);
        let expected = "events: 40 received in 8 visits; 6 complete, 2 refreshed";
        assert_eq!(lines[6], expected);
        let mut unknown = report(&[1.0]);
        unknown.pairs[0].watched.crowd = None;
        assert!(unknown.text().contains("spectators unknown\n"));
    }
}
