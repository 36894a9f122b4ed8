//! What the results of a match say about the difference in strength: the size of the difference
//! with its error, and a sequential test between two hypotheses about it.
//!
//! A match is played in pairs of games, the same opening with the sides changed. The two games of a
//! pair depend on each other (an opening that favours one side favours each player once). So the
//! sample is the pair, with five possible scores, and not the game: the pentanomial model.
//! [`PairCounts`] is that sample; `elo` estimates from it, `sequential` decides from it, on the
//! maximum likelihood fits of `likelihood`.

mod elo;
mod likelihood;
mod sequential;
mod tally;
pub mod wording;

pub use elo::{Estimate, score_of_elo};
pub use sequential::{Model, SequentialTest, Verdict};
pub use tally::Tally;

use likelihood::Distribution;

/// The scores of a pair of games, in points per game.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How many pairs ended with each of the five scores, from both games lost to both won: LL, LD,
/// DD or WL, WD, WW.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts(pub [u32; 5]);

impl PairCounts {
    /// What stands for a count of zero where likelihoods are taken, in pairs: a score not yet seen
    /// is not impossible. The value of fishtest and fastchess.
    const UNSEEN: f64 = 1e-3;

    pub fn pairs(&self) -> u64 {
        self.0.iter().map(|&count| u64::from(count)).sum()
    }

    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// Points in all games: 1 a win, ½ a draw.
    pub fn points(&self) -> f64 {
        self.0.iter().zip(SCORES).map(|(&count, score)| 2.0 * f64::from(count) * score).sum()
    }

    /// The mean score, in points per game; no number where there are no pairs.
    pub fn score(&self) -> f64 {
        self.points() / self.games() as f64
    }

    /// The share of pairs that scored as much as they lost, 0 to 1 (fastchess's `DrawRatio`); no
    /// number where there are no pairs.
    pub fn draw_ratio(&self) -> f64 {
        f64::from(self.0[2]) / self.pairs() as f64
    }

    /// Pairs that scored more than they lost to pairs that scored less; no number where there are
    /// neither.
    pub fn pairs_ratio(&self) -> f64 {
        let [loss_loss, loss_draw, _, win_draw, win_win] = self.0.map(f64::from);
        (win_draw + win_win) / (loss_loss + loss_draw)
    }

    /// The variance of a pair's score, in squared points per game.
    fn variance(&self) -> f64 {
        let mean = self.score();
        let squares = self.0.iter().zip(SCORES);
        let sum: f64 =
            squares.map(|(&count, score)| f64::from(count) * (score - mean).powi(2)).sum();
        sum / self.pairs() as f64
    }

    /// The observed distribution with no score impossible, and the number of pairs behind it.
    fn regularized(&self) -> (Distribution, f64) {
        let counts = self.0.map(|count| if count == 0 { Self::UNSEEN } else { f64::from(count) });
        let pairs: f64 = counts.iter().sum();
        (Distribution(counts.map(|count| count / pairs)), pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_pairs() {
        let pairs = PairCounts([1, 3, 10, 4, 2]);
        assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (0.5, 1.5));
        let none = PairCounts([0; 5]);
        assert!(none.draw_ratio().is_nan() && none.pairs_ratio().is_nan());
        assert_eq!(PairCounts([0, 0, 1, 1, 0]).pairs_ratio(), f64::INFINITY);
    }
}
