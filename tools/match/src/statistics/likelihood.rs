//! How far an observed distribution of pair scores is from the nearest one with a given mean or a
//! given t-value.
//!
//! Nearest means most likely. Of the distributions p on the scores aᵢ that meet a constraint, the
//! one that makes the observed distribution p̂ most likely has the least divergence
//! D = Σ p̂ᵢ ln(p̂ᵢ / pᵢ) (S. Kullback and R. A. Leibler, 1951), and n·D is what the constraint
//! costs in log-likelihood over n pairs.
//!
//! For a linear constraint Σ pᵢ hᵢ = 0 the method of Lagrange multipliers gives pᵢ = p̂ᵢ / (1 + θ
//! hᵢ). Here θ is the one root of Σ p̂ᵢ hᵢ / (1 + θ hᵢ) = 0 that leaves every pᵢ positive (A. B.
//! Owen, "Empirical likelihood ratio confidence intervals for a single functional", 1988; M. Van
//! den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a
//! Distribution", 2019). A given mean is such a constraint.
//!
//! A given t-value (μ - ½) / σ = t is not, but it is the envelope of such constraints. The least of
//! (σ² + (μ - m)²) / c + c over all m and c is 2σ, reached at m = μ and c = σ. So μ - ½ - t σ is,
//! for t > 0, the greatest of Σ pᵢ hᵢ(m, c) with
//!
//! hᵢ(m, c) = aᵢ - ½ - t/2 · ((aᵢ - m)² / c + c).
//!
//! At the nearest distribution, m and c are its own mean and deviation: the condition of M. Van
//! den Bergh, "Comments on Normalized Elo", 2021, section 4.1, which iterates from the uniform
//! distribution: fit with m and c, take m and c from the fit, repeat. Nothing makes that converge
//! where t is large. Here the steps are tied to D:
//!
//! - Where the observed t-value is above t, the distributions at or below t form a convex set, the
//!   intersection of Σ pᵢ hᵢ(m, c) ≤ 0 over all m and c. So D is the greatest of the divergences
//!   D(m, c) of single constraints. The step of the iteration points uphill; it is halved until D
//!   increases.
//! - Where it is below t, a distribution at or above t meets Σ pᵢ hᵢ(m, c) ≥ 0 for some m and c.
//!   So D is the least of all D(m, c), and every full step decreases it. The set is not convex:
//!   where t is large there may be a local minimum near each score above ½. So one start is made
//!   towards each, and the least result is taken. The tests look for distributions nearer still.

use super::SCORES;

/// Places of scores in [`SCORES`].
const LOSS_LOSS: usize = 0;
const WIN_DRAW: usize = 3;
const WIN_WIN: usize = 4;

/// Enough halvings to bring an interval down to the precision of its ends.
const HALVINGS: u32 = 100;

/// Far more steps than the iteration needs (rarely more than ten).
const STEPS: u32 = 1000;

/// Relative change of the divergence below which the iteration ends.
const TOLERANCE: f64 = 1e-13;

/// The probabilities of the five [`SCORES`] of a pair, all positive.
#[derive(Clone, Copy, Debug)]
pub struct Distribution(pub [f64; 5]);

/// The distribution nearest to an observed one under a linear constraint.
struct Fit {
    nearest: Distribution,
    divergence: f64,
}

/// The mean and the standard deviation of a pair's score, or the values m and c of a constraint in
/// their place; in points per game.
#[derive(Clone, Copy)]
struct Moments {
    mean: f64,
    deviation: f64,
}

impl Distribution {
    /// The divergence from this distribution of the nearest one with a given mean score, which
    /// lies between 0 and 1.
    pub fn divergence_at_mean(&self, mean: f64) -> f64 {
        self.fit(SCORES.map(|score| score - mean)).map_or(f64::NAN, |fit| fit.divergence)
    }

    /// The divergence from this distribution of the nearest one with a given t-value,
    /// (μ - ½) / σ.
    pub fn divergence_at_t_value(&self, t: f64) -> f64 {
        let fit = if t < 0.0 {
            self.mirrored().nearest_at_t_value(-t)
        } else {
            self.nearest_at_t_value(t)
        };
        fit.map_or(f64::NAN, |fit| fit.divergence)
    }

    /// The nearest distribution with a t-value that is not negative.
    fn nearest_at_t_value(&self, t: f64) -> Option<Fit> {
        if self.t_value() > t {
            self.converge(t, LOSS_LOSS, |new, old| new > old)
        } else {
            let fits = [WIN_DRAW, WIN_WIN].map(|end| self.converge(t, end, |new, old| new < old));
            fits.into_iter().flatten().min_by(|a, b| a.divergence.total_cmp(&b.divergence))
        }
    }

    /// Where the iteration for a t-value converges, from a start with that t-value between this
    /// distribution and a single score. `better` says which of two divergences, the new and the
    /// old one, is nearer to the end.
    fn converge(&self, t: f64, start: usize, better: fn(f64, f64) -> bool) -> Option<Fit> {
        let mut moments = self.mixture_at_t_value(t, start).moments();
        let mut fit = self.fit(moments.constraint(t))?;
        for _ in 0..STEPS {
            let target = fit.nearest.moments();
            let mut step = 1.0;
            let (next_moments, next_fit) = loop {
                let moments = moments.towards(target, step);
                match self.fit(moments.constraint(t)) {
                    Some(next) if better(next.divergence, fit.divergence) => break (moments, next),
                    _ if step < TOLERANCE => return Some(fit),
                    _ => step /= 2.0,
                }
            };
            let change = (next_fit.divergence - fit.divergence).abs();
            (moments, fit) = (next_moments, next_fit);
            if change <= TOLERANCE * fit.divergence {
                break;
            }
        }
        Some(fit)
    }

    /// The mixture of this distribution and a single score, not ½, that has a given t-value. The
    /// t-value of the score alone is infinite, so there is one if t lies on that score's side.
    fn mixture_at_t_value(&self, t: f64, score: usize) -> Distribution {
        let mixture = |share: f64| {
            let mut mixed = self.0.map(|probability| (1.0 - share) * probability);
            mixed[score] += share;
            Distribution(mixed)
        };
        let rising = SCORES[score] > 0.5;
        let (mut less, mut more) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let share = (less + more) / 2.0;
            if (mixture(share).t_value() < t) == rising {
                less = share;
            } else {
                more = share;
            }
        }
        mixture(less)
    }

    /// The nearest distribution with Σ pᵢ hᵢ = 0, where h is the constraint; none where all hᵢ
    /// have the same sign.
    fn fit(&self, constraint: [f64; 5]) -> Option<Fit> {
        let least = constraint.into_iter().fold(f64::INFINITY, f64::min);
        let greatest = constraint.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && greatest > 0.0) {
            return None;
        }
        // Between the poles next to 0, where all 1 + θ hᵢ are positive, the sum decreases from
        // infinity to minus infinity.
        let (mut lower, mut upper) = (-1.0 / greatest, -1.0 / least);
        let terms = || self.0.into_iter().zip(constraint);
        for _ in 0..HALVINGS {
            let multiplier = (lower + upper) / 2.0;
            let sum: f64 = terms().map(|(p, h)| p * h / (1.0 + multiplier * h)).sum();
            if sum > 0.0 {
                lower = multiplier;
            } else {
                upper = multiplier;
            }
        }
        let multiplier = (lower + upper) / 2.0;
        let mut nearest = self.0;
        for (probability, h) in nearest.iter_mut().zip(constraint) {
            *probability /= 1.0 + multiplier * h;
        }
        let divergence = terms().map(|(p, h)| p * (multiplier * h).ln_1p()).sum();
        Some(Fit { nearest: Distribution(nearest), divergence })
    }

    fn moments(&self) -> Moments {
        let terms = || self.0.into_iter().zip(SCORES);
        let mean: f64 = terms().map(|(p, score)| p * score).sum();
        let variance: f64 = terms().map(|(p, score)| p * (score - mean).powi(2)).sum();
        Moments { mean, deviation: variance.sqrt() }
    }

    fn t_value(&self) -> f64 {
        let Moments { mean, deviation } = self.moments();
        (mean - 0.5) / deviation
    }

    /// The distribution of the opponent's scores.
    fn mirrored(&self) -> Distribution {
        let mut mirrored = self.0;
        mirrored.reverse();
        Distribution(mirrored)
    }
}

impl Moments {
    /// The linear constraint hᵢ(m, c) of the head of this file.
    fn constraint(&self, t: f64) -> [f64; 5] {
        let Moments { mean, deviation } = *self;
        SCORES.map(|score| score - 0.5 - t / 2.0 * ((score - mean).powi(2) / deviation + deviation))
    }

    /// The point at the part `step`, from 0 to 1, towards a target.
    fn towards(&self, target: Moments, step: f64) -> Moments {
        let between = |from: f64, to: f64| from + step * (to - from);
        Moments {
            mean: between(self.mean, target.mean),
            deviation: between(self.deviation, target.deviation),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Distributions, the nearly impossible scores of regularized counts among them.
    fn distribution() -> impl Strategy<Value = Distribution> {
        let weight = (-7.0..0.0f64).prop_map(|exponent| 10f64.powf(exponent));
        prop::array::uniform5(weight).prop_map(|weights| {
            let sum: f64 = weights.iter().sum();
            Distribution(weights.map(|weight| weight / sum))
        })
    }

    fn divergence(observed: &Distribution, other: &Distribution) -> f64 {
        observed.0.iter().zip(other.0).map(|(&p, q)| p * (p / q).ln()).sum()
    }

    #[test]
    fn two_scores_leave_one_distribution_of_a_mean() {
        // With two scores the mean determines the distribution: 0.3 and 0.7 instead of ½ and ½.
        let observed = Distribution([0.5, 1e-12, 1e-12, 1e-12, 0.5]);
        let expected = 0.5 * (0.5f64 / 0.3).ln() + 0.5 * (0.5f64 / 0.7).ln();
        assert!((observed.divergence_at_mean(0.7) - expected).abs() < 1e-9);
        // So does the t-value, 0.2 / √(0.3 · 0.7).
        let t = 0.2 / 0.21f64.sqrt();
        assert!((observed.divergence_at_t_value(t) - expected).abs() < 1e-9);
        assert!((observed.divergence_at_t_value(-t) - expected).abs() < 1e-9);
    }

    #[test]
    fn nothing_diverges_from_its_own_moments() {
        let observed = Distribution([0.1, 0.2, 0.3, 0.25, 0.15]);
        assert!(observed.divergence_at_mean(observed.moments().mean).abs() < 1e-15);
        assert!(observed.divergence_at_t_value(observed.t_value()).abs() < 1e-15);
    }

    #[test]
    fn a_t_value_of_zero_is_a_mean_of_one_half() {
        let observed = Distribution([0.05, 0.2, 0.3, 0.25, 0.2]);
        let difference = observed.divergence_at_mean(0.5) - observed.divergence_at_t_value(0.0);
        assert!(difference.abs() < 1e-15);
    }

    #[test]
    fn the_nearest_of_several_local_minima_is_found() {
        // Near WW the divergence has a minimum of about 1.34; near WD lies the least.
        let counts = [1.0, 1e-3, 2.0, 100.0, 2.0];
        let pairs: f64 = counts.iter().sum();
        let observed = Distribution(counts.map(|count| count / pairs));
        let t = 1000.0 * std::f64::consts::SQRT_2 * std::f64::consts::LN_10 / 800.0;
        assert!((pairs * observed.divergence_at_t_value(t) - 0.526_774_64).abs() < 1e-7);
    }

    proptest! {
        /// The fit meets its constraint, and its divergence is the one stated.
        #[test]
        fn the_nearest_distribution_has_the_t_value(
            observed in distribution(), t in prop_oneof![0.0..0.1, 0.0..8.0f64],
        ) {
            let fit = observed.nearest_at_t_value(t).unwrap();
            prop_assert!((fit.nearest.0.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            prop_assert!((fit.nearest.t_value() - t).abs() < 1e-4 * (1.0 + t));
            let stated = divergence(&observed, &fit.nearest);
            prop_assert!((stated - fit.divergence).abs() < 1e-6);
        }

        /// No other distribution of that t-value is nearer.
        #[test]
        fn no_distribution_of_the_t_value_is_nearer(
            observed in distribution(), other in distribution(),
        ) {
            // Up to the t-value of the greatest difference that a test is about.
            if other.t_value().abs() < 9.0 {
                let least = observed.divergence_at_t_value(other.t_value());
                prop_assert!(least <= divergence(&observed, &other) + 1e-9);
            }
        }

        /// No other distribution of that mean is nearer.
        #[test]
        fn no_distribution_of_the_mean_is_nearer(
            observed in distribution(), other in distribution(),
        ) {
            let least = observed.divergence_at_mean(other.moments().mean);
            prop_assert!(least <= divergence(&observed, &other) + 1e-9);
        }
    }
}
