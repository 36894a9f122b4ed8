//! The loss of predictions against the results of positions and the target shares of moves.
//!
//! The one idea: both are cross entropies, so they may be added; and neither falls below the
//! entropy of its target, so losses compare only on the same games.

use std::fmt;
use std::ops::Add;

use alesia_report::run::Losses;

/// The target policy of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The number of the move.
    pub number: u16,
    /// Its share among all moves, 0 to 1.
    pub share: f32,
}

/// The loss of the predictions for some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Samples where a value was expected.
    values: usize,
    /// The sum of the cross entropies of target and expectation, in natural units.
    value: f64,
    /// Samples where there was a choice of moves.
    choices: usize,
    /// The sum of the cross entropies of the moves' shares and the priors, in natural units.
    moves: f64,
    /// Samples where the move of the largest share got the largest prior; of moves that have the
    /// same prior each counts in part.
    first: f64,
}

impl Loss {
    /// The loss of one position: its expected and its actual result, if a value is learned, and the
    /// priors of its moves (only their proportions count) and their target shares, if there was a
    /// choice.
    pub fn of(target: Option<f32>, expected: f32, priors: &[f32], shares: &[Share]) -> Loss {
        let entropy =
            |target: f32| -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln());
        let value = f64::from(target.map_or(0.0, entropy));
        let loss = Loss { values: target.is_some().into(), value, ..Loss::default() };
        // Of equal shares the first counts.
        let larger = |best: Share, next: Share| if next.share > best.share { next } else { best };
        let Some(best) = shares.iter().copied().reduce(larger) else { return loss };
        let prior = priors[usize::from(best.number)];
        let most = priors.iter().copied().fold(prior, f32::max);
        let sharing = priors.iter().filter(|&&other| other == most).count();
        let first = if prior == most { 1.0 / sharing as f64 } else { 0.0 };
        let all: f32 = priors.iter().sum();
        let entropy = |&Share { number, share }: &Share| {
            // A prior may have been rounded to nothing.
            let prior = (priors[usize::from(number)] / all).max(f32::MIN_POSITIVE);
            f64::from(share) * f64::from(-prior.ln())
        };
        Loss { choices: 1, moves: shares.iter().map(entropy).sum(), first, ..loss }
    }

    /// The mean cross entropy of target and expectation.
    pub fn value(self) -> f64 {
        self.value / self.values.max(1) as f64
    }

    /// The mean cross entropy of the moves' shares and the priors.
    pub fn moves(self) -> f64 {
        self.moves / self.choices.max(1) as f64
    }

    /// The three numbers for a row of measurements.
    pub fn row(self) -> Losses {
        Losses { value: self.value(), moves: self.moves(), first: self.first() }
    }

    /// How often the move of the largest share had the largest prior, 0 to 1.
    pub fn first(self) -> f64 {
        self.first / self.choices.max(1) as f64
    }
}

impl Add for Loss {
    type Output = Loss;
    fn add(self, other: Loss) -> Loss {
        Loss {
            values: self.values + other.values,
            value: self.value + other.value,
            choices: self.choices + other.choices,
            moves: self.moves + other.moves,
            first: self.first + other.first,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (value, moves, first) = (self.value(), self.moves(), 100.0 * self.first());
        write!(f, "value {value:.4}, moves {moves:.4}, first {first:.1} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_counts_what_was_expected_and_what_was_first() {
        let played = [Share { number: 1, share: 1.0 }];
        let sure = Loss::of(Some(1.0), 0.5, &[1.0, 3.0], &played);
        assert!((sure.value() - 2f64.ln()).abs() < 1e-6 && (sure.moves() - 0.2877).abs() < 1e-4);
        let unsure = Loss::of(Some(0.0), 0.5, &[3.0, 1.0], &played);
        let all = sure + Loss::of(Some(0.5), 0.5, &[], &[]) + unsure;
        assert_eq!(all.to_string(), "value 0.6931, moves 0.8370, first 50.0 %");
        assert_eq!(Loss::of(Some(0.5), 0.5, &[1.0, 2.0, 2.0], &played).first(), 0.5);
        // A quarter of ln 4 and three of ln 4/3, in any order; the larger share is first.
        let shares = [Share { number: 0, share: 0.25 }, Share { number: 1, share: 0.75 }];
        for shares in [shares, [shares[1], shares[0]]] {
            let found = Loss::of(Some(0.5), 0.5, &[1.0, 3.0], &shares);
            assert_eq!((format!("{:.4}", found.moves()), found.first()), ("0.5623".into(), 1.0));
            assert_eq!(Loss::of(Some(0.5), 0.5, &[3.0, 1.0], &shares).first(), 0.0);
        }
        assert_eq!(Loss::default().to_string(), "value 0.0000, moves 0.0000, first 0.0 %");
    }
}
