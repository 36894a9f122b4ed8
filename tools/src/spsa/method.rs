//! Simultaneous perturbation stochastic approximation (SPSA; J. C. Spall, 1992 and 1998).
//!
//! The one idea: all parameters are moved at once, each up or down at random, and what wins against
//! its mirror image says in which direction to go. A step costs as many games for twenty parameters
//! as for one.

use alesia_match::run::seeds::seed_of;
use serde::{Deserialize, Serialize};

/// Spall's exponents: changes and trials become smaller so, with the number of the step.
const CHANGE_EXPONENT: f64 = 0.602;
const WIDTH_EXPONENT: f64 = 0.101;

/// The first changes are kept small as if this share of all steps came before them.
const STABILITY: f64 = 0.1;

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParameter {
    pub name: String,
    /// Its value at the beginning.
    pub from: f64,
    /// How far from the present value is tried, in the last step.
    pub step: f64,
    /// Its range.
    pub least: f64,
    pub most: f64,
    /// Whether only whole numbers can be played.
    pub whole: bool,
}

impl TunedParameter {
    /// The value as a player gets it.
    pub fn said(&self, value: f64) -> String {
        match self.whole {
            true => format!("{}={}", self.name, value.round()),
            // As many digits as the parameter has.
            false => format!("{}={}", self.name, value as f32),
        }
    }
}

/// Where the values stand, and how they move from step to step.
#[derive(Clone, Debug)]
pub struct Tuner {
    parameters: Vec<TunedParameter>,
    steps: u32,
    /// How far a value changes in the last step if one side wins everything, in its own steps.
    gain: f64,
    seed: u64,
    done: u32,
    values: Vec<f64>,
    /// The sum of the values after each of the steps of the last half.
    sum: Vec<f64>,
}

impl Tuner {
    pub fn new(parameters: Vec<TunedParameter>, steps: u32, gain: f64, seed: u64) -> Tuner {
        let values: Vec<f64> = parameters.iter().map(|parameter| parameter.from).collect();
        let sum = vec![0.0; parameters.len()];
        Tuner { parameters, steps, gain, seed, done: 0, values, sum }
    }

    /// Steps that are done.
    pub fn done(&self) -> u32 {
        self.done
    }

    pub fn is_done(&self) -> bool {
        self.done == self.steps
    }

    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Values as a player gets them, in the order of the parameters.
    pub fn said(&self, values: &[f64]) -> Vec<String> {
        self.parameters
            .iter()
            .zip(values)
            .map(|(parameter, &value)| parameter.said(value))
            .collect()
    }

    /// The seed of all that is random in the next step.
    pub fn seed(&self) -> u64 {
        seed_of(self.seed, u64::from(self.done) + 1)
    }

    /// The values of both sides in the next step.
    pub fn trial(&self) -> [Vec<f64>; 2] {
        let width = self.width();
        [width, -width].map(|width| {
            let moved = self.values.iter().zip(self.directions());
            let moved = moved.zip(&self.parameters).map(|((value, direction), parameter)| {
                (value + direction * width * parameter.step).clamp(parameter.least, parameter.most)
            });
            moved.collect()
        })
    }

    /// Takes the result of the step: the points of the first side less those of the second, for
    /// each game, from -1 to 1.
    pub fn learn(&mut self, result: f64) {
        let slope = result / self.width();
        let change = self.change() * slope;
        let directions = self.directions();
        for ((value, direction), parameter) in
            self.values.iter_mut().zip(directions).zip(&self.parameters)
        {
            *value = (*value + change * direction * parameter.step)
                .clamp(parameter.least, parameter.most);
        }
        self.done += 1;
        if self.done > self.steps / 2 {
            self.sum.iter_mut().zip(&self.values).for_each(|(sum, value)| *sum += value);
        }
    }

    /// The mean of the values in the last half, which vary less than the last ones (B. T. Polyak
    /// and A. B. Juditsky, 1992); until then the present ones.
    pub fn result(&self) -> Vec<f64> {
        match self.done.saturating_sub(self.steps / 2) {
            0 => self.values.clone(),
            count => self.sum.iter().map(|sum| sum / f64::from(count)).collect(),
        }
    }

    /// Up or down for each parameter in the next step.
    fn directions(&self) -> impl Iterator<Item = f64> + use<> {
        let mut rng = fastrand::Rng::with_seed(self.seed());
        (0..self.parameters.len()).map(move |_| if rng.bool() { 1.0 } else { -1.0 })
    }

    /// How far is tried in the next step, in steps of each parameter.
    fn width(&self) -> f64 {
        (f64::from(self.steps) / f64::from(self.done + 1)).powf(WIDTH_EXPONENT)
    }

    fn change(&self) -> f64 {
        let (steps, step) = (f64::from(self.steps), f64::from(self.done + 1));
        let before = STABILITY * steps;
        self.gain * ((before + steps) / (before + step)).powf(CHANGE_EXPONENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, from: f64, step: f64, [least, most]: [f64; 2]) -> TunedParameter {
        TunedParameter { name: name.to_owned(), from, step, least, most, whole: false }
    }

    /// Games of 10 pairs in each step between values whose strength falls with the square of the
    /// distance from the best: 100 Elo at a distance of five steps.
    fn tuned(best: &[f64], parameters: Vec<TunedParameter>, seed: u64) -> Vec<f64> {
        let steps: Vec<f64> = parameters.iter().map(|parameter| parameter.step).collect();
        let elo = |values: &[f64]| -> f64 {
            let each = values.iter().zip(best).zip(&steps);
            each.map(|((value, best), step)| -100.0 * ((value - best) / (5.0 * step)).powi(2)).sum()
        };
        let mut tuner = Tuner::new(parameters, 2_000, 0.1, seed);
        let mut rng = fastrand::Rng::with_seed(seed);
        while !tuner.is_done() {
            let [first, second] = tuner.trial();
            let score = 1.0 / (1.0 + 10_f64.powf((elo(&second) - elo(&first)) / 400.0));
            let points = (0..20).filter(|_| rng.f64() < score).count();
            tuner.learn(points as f64 / 10.0 - 1.0);
        }
        tuner.result()
    }

    #[test]
    fn the_best_values_are_found_through_the_noise_of_games() {
        let best = [1.5, 0.2, 30.0];
        for seed in 0..4 {
            let parameters = vec![
                parameter("near", 1.0, 0.1, [0.0, 100.0]),
                parameter("far", 0.6, 0.1, [0.0, 1.0]),
                parameter("there", 30.0, 2.0, [0.0, 200.0]),
            ];
            for ((found, best), step) in
                tuned(&best, parameters, seed).iter().zip(best).zip([0.1, 0.1, 2.0])
            {
                assert!((found - best).abs() < 1.5 * step, "seed {seed}: {found}, best {best}");
            }
        }
    }

    #[test]
    fn values_stay_in_their_range() {
        let mut tuner = Tuner::new(vec![parameter("share", 0.95, 0.1, [0.0, 1.0])], 50, 1.0, 7);
        while !tuner.is_done() {
            let trial = tuner.trial();
            assert!(trial.iter().flatten().all(|value| (0.0..=1.0).contains(value)), "{trial:?}");
            // Whatever is higher wins.
            tuner.learn((trial[0][0] - trial[1][0]).signum());
        }
        assert_eq!(tuner.values(), [1.0]);
    }

    #[test]
    fn both_sides_are_as_far_away_and_a_draw_changes_nothing() {
        let mut tuner = Tuner::new(vec![parameter("a", 1.0, 0.1, [0.0, 2.0]); 20], 100, 0.1, 1);
        let [first, second] = tuner.trial();
        assert!(first.iter().zip(&second).all(|(a, b)| (a + b - 2.0).abs() < 1e-9 && a != b));
        assert!(first.iter().any(|&a| a > 1.0) && first.iter().any(|&a| a < 1.0));
        tuner.learn(0.0);
        assert_eq!((tuner.values(), tuner.done()), (&[1.0; 20][..], 1));
        assert_ne!(tuner.trial(), [first, second], "other directions in the next step");
    }

    #[test]
    fn a_whole_number_is_played_as_one() {
        let whole = TunedParameter { whole: true, ..parameter("plies", 4.0, 1.0, [0.0, 9.0]) };
        assert_eq!(whole.said(4.6), "plies=5");
        assert_eq!(parameter("share", 0.1, 0.1, [0.0, 1.0]).said(0.1), "share=0.1");
    }
}
