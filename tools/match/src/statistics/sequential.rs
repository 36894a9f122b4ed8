//! The sequential probability ratio test: after every pair, stop with one of two hypotheses about
//! the Elo difference, or play on.
//!
//! A. Wald ("Sequential Tests of Statistical Hypotheses", 1945) follows the logarithm of the ratio
//! of the two likelihoods of all results so far and stops when it leaves an interval. Here a
//! hypothesis fixes the Elo difference only and leaves the frequencies of the five scores open. So
//! each likelihood is the greatest that the hypothesis allows: the generalized ratio, as fishtest
//! and fastchess compute it (M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the
//! Expectation Value of a Distribution", 2019, and "Comments on Normalized Elo", 2021).

use thiserror::Error;

use super::PairCounts;
use super::elo::{pair_t_value_of_normalized_elo, score_of_elo};

/// The scale on which the hypotheses state the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// The score above ½ in standard deviations of a game: the length of the test depends only on
    /// the hypotheses, not on the share of drawn games.
    Normalized,
    /// The expected score through the logistic curve.
    Logistic,
}

/// Which hypothesis the results support well enough to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is that of the first hypothesis.
    H0,
    /// The difference is that of the second hypothesis.
    H1,
    /// Play on.
    Undecided,
}

/// Two hypotheses, H0 below H1, and how often each may be refused wrongly.
#[derive(Clone, Copy, Debug)]
pub struct SequentialTest {
    model: Model,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why there is no such test.
#[derive(Debug, Error, PartialEq)]
pub enum InvalidTest {
    /// An Elo difference that no test is about, or no number.
    #[error("{name} must be a number from -{limit} to {limit}, not {value}", limit = SequentialTest::ELO_LIMIT)]
    Elo { name: &'static str, value: f64 },
    /// Hypotheses that do not differ, or in the wrong order.
    #[error("elo0 must be less than elo1, but {elo0} is not less than {elo1}")]
    Order { elo0: f64, elo1: f64 },
    /// An error probability of an impossible size.
    #[error("{name} must be more than 0 and less than 1, not {value}")]
    Probability { name: &'static str, value: f64 },
    /// Error probabilities that leave no interval to stop at the ends of.
    #[error("alpha and beta together must be less than 1, but {alpha} and {beta} are not")]
    Sum {
        /// The probability of accepting H1 where H0 holds.
        alpha: f64,
        /// The probability of accepting H0 where H1 holds.
        beta: f64,
    },
}

impl SequentialTest {
    /// The greatest Elo difference of a hypothesis, either way. A score of 0.99999 is expected at
    /// 2000 logistic Elo.
    pub const ELO_LIMIT: f64 = 2000.0;

    /// The test of `elo0` against `elo1`, both on the scale of the model, that accepts H1 where H0
    /// holds with probability `alpha`, and H0 where H1 holds with probability `beta`.
    pub fn new(
        model: Model,
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
    ) -> Result<SequentialTest, InvalidTest> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if value.is_nan() || value.abs() > Self::ELO_LIMIT {
                return Err(InvalidTest::Elo { name, value });
            }
        }
        if elo0 >= elo1 {
            return Err(InvalidTest::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if value.is_nan() || value <= 0.0 || value >= 1.0 {
                return Err(InvalidTest::Probability { name, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(InvalidTest::Sum { alpha, beta });
        }
        Ok(SequentialTest { model, elo0, elo1, alpha, beta })
    }

    /// The scale of the hypotheses.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The Elo difference of H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The Elo difference of H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The log-likelihood ratio at which H0 is accepted, ln(β / (1 - α)) (Wald, 1945).
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which H1 is accepted, ln((1 - β) / α) (Wald, 1945).
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// A log-likelihood ratio relative to the bound on its side: 1 at the upper one, -1 at the
    /// lower one.
    pub fn progress(&self, ratio: f64) -> f64 {
        if ratio < 0.0 { -ratio / self.lower_bound() } else { ratio / self.upper_bound() }
    }

    /// What to do at a log-likelihood ratio.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> Verdict {
        if log_likelihood_ratio >= self.upper_bound() {
            Verdict::H1
        } else if log_likelihood_ratio <= self.lower_bound() {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }
}

impl PairCounts {
    /// The natural logarithm of the likelihood of these results under H1 over that under H0: each
    /// pair adds its part of the difference between the divergences of the two fits. Zero where
    /// there are no pairs.
    pub fn log_likelihood_ratio(&self, test: &SequentialTest) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        let (observed, pairs) = self.regularized();
        let divergence = |elo| match test.model {
            Model::Normalized => {
                observed.divergence_at_t_value(pair_t_value_of_normalized_elo(elo))
            }
            Model::Logistic => observed.divergence_at_mean(score_of_elo(elo)),
        };
        pairs * (divergence(test.elo0) - divergence(test.elo1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ratio(counts: [u32; 5], model: Model, elo0: f64, elo1: f64) -> f64 {
        let test = SequentialTest::new(model, elo0, elo1, 0.05, 0.05).unwrap();
        PairCounts(counts).log_likelihood_ratio(&test)
    }

    /// Published log-likelihood ratios, with the last digit stated.
    #[test]
    fn ratios_agree_with_published_ones() {
        use Model::{Logistic, Normalized};
        let cases = [
            // Tests of fastchess.
            ([365, 16618, 36229, 16974, 390], Normalized, 0.0, 2.0, 2.25, 0.01),
            ([127, 4883, 10712, 5150, 104], Normalized, -1.75, 0.25, 3.01, 0.01),
            ([223, 9863, 21279, 10037, 246], Logistic, 0.5, 2.5, -3.07, 0.01),
            ([871, 26175, 55983, 26678, 821], Logistic, 0.0, 2.0, -4.98, 0.01),
            // Output of fastchess; scores that never came, and a very weak player.
            ([379, 10170, 21828, 10640, 343], Normalized, 0.0, 2.0, 2.95, 0.01),
            ([0, 0, 2, 0, 37], Normalized, 0.0, 20.0, 2.96, 0.01),
            ([77, 1, 0, 0, 0], Normalized, -1000.0, -500.0, -2.95, 0.01),
            ([72, 10, 0, 0, 0], Normalized, -1000.0, -500.0, -2.97, 0.01),
            // Raw statistics of a fishtest server; it rounds the second elo1.
            ([13, 37, 50, 25, 3], Normalized, 0.0, 4.0, -0.54912, 0.00001),
            ([13, 37, 50, 25, 3], Logistic, 0.0, 2.716, -0.53772, 0.0001),
        ];
        for (counts, model, elo0, elo1, expected, digit) in cases {
            let value = ratio(counts, model, elo0, elo1);
            assert!((value - expected).abs() <= digit / 2.0, "{value} is not {expected}");
        }
    }

    #[test]
    fn bounds_follow_from_the_error_probabilities() {
        let bounds = |alpha, beta| {
            let test = SequentialTest::new(Model::Normalized, 0.0, 2.0, alpha, beta).unwrap();
            (test.lower_bound(), test.upper_bound())
        };
        let (lower, upper) = bounds(0.05, 0.05);
        assert!((lower + 19f64.ln()).abs() < 1e-12 && (upper - 19f64.ln()).abs() < 1e-12);
        let (lower, upper) = bounds(0.05, 0.10);
        assert!((lower + 2.251_292).abs() < 1e-6 && (upper - 2.890_372).abs() < 1e-6);
    }

    #[test]
    fn a_hypothesis_is_accepted_at_its_bound() {
        let test = SequentialTest::new(Model::Logistic, 0.0, 2.0, 0.05, 0.10).unwrap();
        assert_eq!(test.verdict(test.lower_bound()), Verdict::H0);
        assert_eq!(test.verdict(-2.25), Verdict::Undecided);
        assert_eq!(test.verdict(0.0), Verdict::Undecided);
        assert_eq!(test.verdict(2.89), Verdict::Undecided);
        assert_eq!(test.verdict(test.upper_bound()), Verdict::H1);
        assert_eq!(test.progress(test.lower_bound()), -1.0);
        assert_eq!(test.progress(test.upper_bound() / 2.0), 0.5);
        assert_eq!(test.progress(0.0), 0.0);
    }

    #[test]
    fn no_test_of_unusable_parameters() {
        let error = |elo0, elo1, alpha, beta| {
            SequentialTest::new(Model::Normalized, elo0, elo1, alpha, beta).unwrap_err().to_string()
        };
        assert!(error(f64::NAN, 2.0, 0.05, 0.05).starts_with("elo0 must be a number"));
        assert!(error(0.0, f64::INFINITY, 0.05, 0.05).starts_with("elo1 must be a number"));
        assert!(error(0.0, 2000.5, 0.05, 0.05).contains("from -2000 to 2000"));
        assert!(error(2.0, 2.0, 0.05, 0.05).starts_with("elo0 must be less than elo1"));
        assert!(error(0.0, 2.0, 0.0, 0.05).starts_with("alpha must be more than 0"));
        assert!(error(0.0, 2.0, 0.05, 1.0).starts_with("beta must be more than 0"));
        assert!(error(0.0, 2.0, f64::NAN, 0.5).starts_with("alpha must be more than 0"));
        assert!(error(0.0, 2.0, 0.5, 0.5).starts_with("alpha and beta together"));
    }

    #[test]
    fn no_pairs_speak_for_neither_hypothesis() {
        assert_eq!(ratio([0; 5], Model::Normalized, 0.0, 2.0), 0.0);
        assert_eq!(ratio([0; 5], Model::Logistic, -5.0, 2.0), 0.0);
    }

    #[test]
    fn even_results_speak_for_neither_of_opposite_hypotheses() {
        for model in [Model::Normalized, Model::Logistic] {
            assert!(ratio([10, 20, 30, 20, 10], model, -3.0, 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_count_of_zero_is_a_thousandth_of_a_pair() {
        let (observed, pairs) = PairCounts([0, 3, 0, 1, 0]).regularized();
        assert!((pairs - 4.003).abs() < 1e-12);
        assert!((observed.0[0] * pairs - 0.001).abs() < 1e-12);
        assert!((observed.0.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    fn model() -> impl Strategy<Value = Model> {
        prop_oneof![Just(Model::Normalized), Just(Model::Logistic)]
    }

    /// Counts of few and of many pairs, with scores that never came among them.
    fn counts() -> impl Strategy<Value = [u32; 5]> {
        let count = prop_oneof![Just(0), 1..10u32, 10..100_000u32];
        prop::array::uniform5(count)
    }

    proptest! {
        #[test]
        fn mirrored_results_and_hypotheses_negate_the_ratio(
            counts in counts(), model in model(), elo0 in -1000.0..1000.0f64, gap in 0.1..500.0f64,
        ) {
            let mut mirrored = counts;
            mirrored.reverse();
            let value = ratio(counts, model, elo0, elo0 + gap);
            let negated = ratio(mirrored, model, -elo0 - gap, -elo0);
            prop_assert!((value + negated).abs() <= 1e-6 * (1.0 + value.abs()), "{value} {negated}");
        }

        /// Any counts and any hypotheses give a number.
        #[test]
        fn the_ratio_is_finite(
            counts in prop::array::uniform5(any::<u32>()),
            model in model(),
            elo0 in -2000.0..1999.0f64,
            part in 0.001..=1.0f64,
        ) {
            let elo1 = elo0 + part * (2000.0 - elo0);
            prop_assert!(ratio(counts, model, elo0, elo1.min(2000.0)).is_finite());
        }

        /// A pair that scored more speaks for the hypothesis of the greater difference. (Of the
        /// hypotheses of real tests: at large differences of normalized Elo a better result may
        /// speak against a stronger player, since it adds more to the deviation than to the mean.)
        #[test]
        fn better_results_increase_the_ratio(
            counts in prop::array::uniform5(1..100_000u32),
            model in model(),
            elo0 in -10.0..10.0f64,
            gap in 0.5..10.0f64,
            from in 0..4usize,
        ) {
            let mut counts = counts;
            counts[from] += 1;
            let worse = ratio(counts, model, elo0, elo0 + gap);
            counts[from] -= 1;
            counts[from + 1] += 1;
            let better = ratio(counts, model, elo0, elo0 + gap);
            prop_assert!(better > worse, "{better} {worse}");
        }

        /// Ten times the results say ten times as much.
        #[test]
        fn the_ratio_is_proportional_to_the_number_of_pairs(
            counts in prop::array::uniform5(1..10_000u32), model in model(),
            elo0 in -100.0..100.0f64, gap in 0.5..100.0f64,
        ) {
            let once = ratio(counts, model, elo0, elo0 + gap);
            let tenfold = ratio(counts.map(|count| 10 * count), model, elo0, elo0 + gap);
            prop_assert!((10.0 * once - tenfold).abs() <= 1e-6 * (1.0 + tenfold.abs()));
        }
    }
}
