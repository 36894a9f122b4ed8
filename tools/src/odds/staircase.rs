//! At which factor of time two players are even: where to try next, and what is known.
//!
//! The one idea: the points of the stronger player fall by the same Elo difference with each
//! doubling of the other's time, so the results at all factors say together where they are even.
//! The factor and that difference are a grid of hypotheses, each with its probability after the
//! pairs so far (Watson and Pelli, "QUEST", 1983); the next pair is played at the median.

use alesia_match::statistics::score_of_elo;

/// Elo differences for a doubling of time that are possible, all equally likely at first. Those of
/// the engines of this program were from 50 to 150.
const SLOPES: [f64; 8] = [20.0, 40.0, 60.0, 80.0, 110.0, 140.0, 180.0, 240.0];
/// Hypotheses for each doubling of the factor.
const STEPS: f64 = 16.0;
/// Doublings beyond the factors that can be tried, where the players may be even too.
const BEYOND: f64 = 4.0;

/// What is known after some pairs of games.
pub struct Staircase {
    /// The largest factor; the smallest is 1.
    largest: f64,
    /// For each hypothesis the doublings at which the players are even, the Elo difference for a
    /// doubling, and the logarithm of its likelihood.
    hypotheses: Vec<(f64, f64, f64)>,
}

/// A factor of time with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Even {
    pub factor: f64,
    pub from: f64,
    pub to: f64,
}

impl Staircase {
    /// Factors from 1 to `largest`.
    pub fn new(largest: f64) -> Staircase {
        let steps = ((largest.log2() + 2.0 * BEYOND) * STEPS).ceil() as u32;
        let doublings = (0..=steps).map(|step| f64::from(step) / STEPS - BEYOND);
        let hypotheses =
            doublings.flat_map(|even| SLOPES.map(|slope| (even, slope, 0.0))).collect();
        Staircase { largest, hypotheses }
    }

    /// The factor to try next: where the players seem to be even, within those that can be tried.
    pub fn next(&self) -> f64 {
        self.quantile(0.5).exp2().clamp(1.0, self.largest)
    }

    /// A pair of games at a factor brought the stronger player `halves` half points, 0 to 4.
    pub fn add(&mut self, factor: f64, halves: u32) {
        let [won, lost] = [f64::from(halves) / 2.0, 2.0 - f64::from(halves) / 2.0];
        for (even, slope, likelihood) in &mut self.hypotheses {
            let elo = (*even - factor.log2()) * *slope;
            *likelihood += won * score_of_elo(elo).ln() + lost * score_of_elo(-elo).ln();
        }
    }

    /// The factor at which the players are even.
    pub fn even(&self) -> Even {
        let [factor, from, to] = [0.5, 0.025, 0.975].map(|part| self.quantile(part).exp2());
        Even { factor, from, to }
    }

    /// The doublings below which this part of all probability lies.
    fn quantile(&self, part: f64) -> f64 {
        let best = self.hypotheses.iter().map(|hypothesis| hypothesis.2).fold(f64::MIN, f64::max);
        let weight = |likelihood: f64| (likelihood - best).exp();
        let sum: f64 = self.hypotheses.iter().map(|hypothesis| weight(hypothesis.2)).sum();
        let mut below = 0.0;
        let found = self.hypotheses.iter().find(|(_, _, likelihood)| {
            below += weight(*likelihood);
            below >= part * sum
        });
        found.or(self.hypotheses.last()).map_or(0.0, |hypothesis| hypothesis.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs against a player whose strength follows the model.
    fn played(even: f64, slope: f64, largest: f64, pairs: u32, seed: u64) -> Staircase {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut staircase = Staircase::new(largest);
        for _ in 0..pairs {
            let factor = staircase.next();
            assert!((1.0..=largest).contains(&factor), "{factor}");
            let score = score_of_elo((even.log2() - factor.log2()) * slope);
            let halves = (0..2).map(|_| if rng.f64() < score { 2 } else { 0 }).sum();
            staircase.add(factor, halves);
        }
        staircase
    }

    #[test]
    fn nineteen_of_twenty_intervals_have_the_true_factor() {
        for (even, slope) in [(8.0, 100.0), (20.0, 60.0), (2.5, 150.0)] {
            let found: Vec<Even> =
                (0..20).map(|seed| played(even, slope, 100.0, 30, seed).even()).collect();
            let inside = found.iter().filter(|found| (found.from..=found.to).contains(&even));
            assert!(inside.count() >= 18, "{even}, {slope}: {found:?}");
            let mean = found.iter().map(|found| found.factor.log2()).sum::<f64>() / 20.0;
            assert!((mean - even.log2()).abs() < 0.3, "{even}, {slope}: {mean}");
        }
    }

    #[test]
    fn a_player_that_always_wins_is_even_beyond_all_factors() {
        let mut staircase = Staircase::new(10.0);
        for _ in 0..10 {
            staircase.add(staircase.next(), 4);
        }
        assert_eq!(staircase.next(), 10.0);
        let even = staircase.even();
        assert!(even.from > 10.0 && even.from < even.factor && even.factor < even.to, "{even:?}");
    }

    #[test]
    fn a_player_that_always_loses_is_even_before_all_factors() {
        let mut staircase = Staircase::new(1.0);
        for _ in 0..10 {
            staircase.add(1.0, 0);
        }
        let even = staircase.even();
        assert!(even.to < 1.0, "{even:?}");
        staircase.add(1.0, 2);
        assert!(staircase.even().to > even.to, "an even pair");
    }
}
