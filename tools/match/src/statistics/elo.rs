//! The size of the difference in strength, on the two Elo scales, and how sure its sign is.
//!
//! All errors come from the central limit theorem: the mean of n pairs is normally distributed
//! with variance σ²/n. They are half the width of the 95 % confidence interval.

use super::PairCounts;

/// Elo per unit of [`normalized`](PairCounts::normalized_elo) score: the slope of the logistic
/// curve at ½ makes both scales agree for small differences between players that never draw.
const ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The quantile of the normal distribution that leaves 2.5 % above it.
const QUANTILE_OF_95_PERCENT: f64 = 1.959_963_984_540_054;

/// A value and half the width of its 95 % confidence interval, both in Elo. Infinite or no number
/// where the counts do not determine them.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub value: f64,
    /// Half the width of the confidence interval.
    pub error: f64,
}

/// The expected score, in points per game, at a logistic Elo difference (A. E. Elo, 1978).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic Elo difference at which a score, in points per game, is expected; the inverse of
/// [`score_of_elo`].
fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The t-value of a pair, (μ - ½) / σ, at a normalized Elo difference. Normalized Elo counts the
/// standard deviation of one game, taken as √2 that of the mean of the two games of a pair
/// (M. Van den Bergh, "Comments on Normalized Elo", 2021).
pub fn pair_t_value_of_normalized_elo(elo: f64) -> f64 {
    std::f64::consts::SQRT_2 * elo / ELO_PER_DEVIATION
}

impl PairCounts {
    /// The logistic Elo difference. The error is half the distance between the Elo of the two ends
    /// of the confidence interval of the score.
    pub fn elo(&self) -> Estimate {
        let (score, margin) = (self.score(), self.score_margin());
        let error = (elo_of_score(score + margin) - elo_of_score(score - margin)) / 2.0;
        Estimate { value: elo_of_score(score), error }
    }

    /// The normalized Elo difference, 800/ln 10 · (μ - ½) / (√2 σ), with μ and σ the mean and the
    /// standard deviation of a pair's score (M. Van den Bergh, "Comments on Normalized Elo",
    /// 2021). The error assumes that σ is known.
    pub fn normalized_elo(&self) -> Estimate {
        let advantage = self.score() - 0.5;
        let deviation = (2.0 * self.variance()).sqrt();
        if deviation == 0.0 || deviation.is_nan() {
            let value = if advantage == 0.0 { 0.0 } else { advantage / deviation };
            return Estimate { value, error: f64::NAN };
        }
        Estimate {
            value: ELO_PER_DEVIATION * advantage / deviation,
            error: ELO_PER_DEVIATION * QUANTILE_OF_95_PERCENT / (self.games() as f64).sqrt(),
        }
    }

    /// The likelihood of superiority: the probability, from 0 to 1, that the expected score is
    /// above ½; ½ where nothing speaks for either side.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let advantage = self.score() - 0.5;
        if self.pairs() == 0 || advantage == 0.0 {
            return 0.5;
        }
        normal_cumulative(advantage / self.standard_error())
    }

    /// Half the width of the 95 % confidence interval of the mean score, in points per game.
    pub fn score_margin(&self) -> f64 {
        QUANTILE_OF_95_PERCENT * self.standard_error()
    }

    /// The standard error of the mean score, in points per game.
    fn standard_error(&self) -> f64 {
        (self.variance() / self.pairs() as f64).sqrt()
    }
}

/// The cumulative distribution function of the standard normal distribution.
fn normal_cumulative(deviations: f64) -> f64 {
    libm::erfc(-deviations * std::f64::consts::FRAC_1_SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    /// Counts; Elo, its error, normalized Elo, its error, likelihood of superiority in percent. The
    /// first three are from the tests of fastchess. The fourth is from a page of raw statistics of
    /// a fishtest server, which states no error of this kind.
    #[test]
    fn estimates_agree_with_published_ones() {
        let cases = [
            ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, 100.00),
            ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96, 5.05),
            ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.0),
            ([13, 37, 50, 25, 3], -43.66, f64::NAN, -63.97, f64::NAN, 0.16),
        ];
        for (counts, elo, elo_error, normalized, normalized_error, superiority) in cases {
            let pairs = PairCounts(counts);
            assert_close(pairs.elo().value, elo, 0.005);
            assert_close(pairs.normalized_elo().value, normalized, 0.005);
            if !elo_error.is_nan() {
                assert_close(pairs.elo().error, elo_error, 0.005);
                assert_close(pairs.normalized_elo().error, normalized_error, 0.005);
            }
            assert_close(100.0 * pairs.likelihood_of_superiority(), superiority, 0.005);
        }
    }

    #[test]
    fn undetermined_numbers_are_infinite_or_no_number() {
        let won = PairCounts([0, 0, 0, 0, 7]);
        assert_eq!(won.elo().value, f64::INFINITY);
        assert_eq!(won.normalized_elo().value, f64::INFINITY);
        assert!(won.elo().error.is_nan() && won.normalized_elo().error.is_nan());
        assert_eq!(won.likelihood_of_superiority(), 1.0);
        assert_eq!(PairCounts([7, 0, 0, 0, 0]).likelihood_of_superiority(), 0.0);

        let even = PairCounts([0, 0, 7, 0, 0]);
        assert_eq!((even.elo().value, even.normalized_elo().value), (0.0, 0.0));
        assert_eq!(even.likelihood_of_superiority(), 0.5);

        let none = PairCounts([0; 5]);
        for estimate in [none.elo(), none.normalized_elo()] {
            assert!(estimate.value.is_nan() && estimate.error.is_nan());
        }
        assert_eq!(none.likelihood_of_superiority(), 0.5);
    }

    #[test]
    fn the_logistic_scale_and_its_inverse_agree() {
        for elo in [-800.0, -1.75, 0.0, 0.25, 190.0] {
            assert_close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        assert_close(score_of_elo(400.0), 10.0 / 11.0, 1e-15);
    }

    #[test]
    fn the_quantile_leaves_a_fortieth_above_it() {
        assert_close(normal_cumulative(QUANTILE_OF_95_PERCENT), 0.975, 1e-15);
    }
}
