//! The network while it learns: what it predicts for a sample, and the gradient of what it loses.
//!
//! The one idea: a position is the list of the inputs that are on, and each of its moves the list
//! of its rows. So a sample costs a few dozen rows forward and as many back, and nothing of the
//! rest.

use std::ops::Range;

use alesia::eval::processor::with_v3_instructions;

use super::loss::{Loss, Share};
use super::shape::Shape;

/// One position of a game.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    pub inputs: &'a [u16],
    /// For each move the end of its rows among all.
    pub row_ends: &'a [u16],
    /// The rows of all moves.
    pub rows: &'a [u16],
    /// The target shares of the moves, with sum 1; none if there was no choice.
    pub shares: &'a [Share],
    /// What came of it for the side to move, 0 to 1; none where there is no value to learn.
    pub target: Option<f32>,
    /// What the network's value is added to, in its unit.
    pub base: f32,
}

impl Sample<'_> {
    /// Where the rows of each move stand among all.
    #[inline(always)]
    fn moves(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        self.row_ends.iter().map(move |&end| {
            let rows = start..usize::from(end);
            start = rows.end;
            rows
        })
    }
}

/// What the network says of a sample; the room for it is used again for the next one.
pub struct Prediction<const HIDDEN: usize> {
    /// The hidden layer before it is cut to 0 and 1.
    sum: [f32; HIDDEN],
    hidden: [f32; HIDDEN],
    /// The value, 1 where three quarters of the points are expected.
    value: f32,
    /// The expected result, 0 to 1.
    expected: f32,
    /// The priors of the moves, 1 in all; empty where there was no choice.
    priors: Vec<f32>,
}

impl<const HIDDEN: usize> Default for Prediction<HIDDEN> {
    fn default() -> Prediction<HIDDEN> {
        let (sum, hidden) = ([0.0; HIDDEN], [0.0; HIDDEN]);
        Prediction { sum, hidden, value: 0.0, expected: 0.5, priors: Vec::new() }
    }
}

pub fn loss<const HIDDEN: usize>(
    shape: Shape<HIDDEN>,
    numbers: &[f32],
    sample: Sample,
    room: &mut Prediction<HIDDEN>,
) -> Loss {
    with_v3_instructions(
        #[inline(always)]
        || room.predict(shape, numbers, sample),
    );
    Loss::of(sample.target, room.expected, &room.priors, sample.shares)
}

/// The loss of a sample; its gradient (of the losses of value and moves together) is added to
/// `gradient`.
pub fn learn<const HIDDEN: usize>(
    shape: Shape<HIDDEN>,
    numbers: &[f32],
    sample: Sample,
    gradient: &mut [f32],
    room: &mut Prediction<HIDDEN>,
) -> Loss {
    with_v3_instructions(
        #[inline(always)]
        || {
            room.predict(shape, numbers, sample);
            room.add_gradient(shape, numbers, sample, gradient);
        },
    );
    Loss::of(sample.target, room.expected, &room.priors, sample.shares)
}

#[inline(always)]
fn row<const HIDDEN: usize>(numbers: &[f32], at: usize) -> &[f32; HIDDEN] {
    numbers[at..at + HIDDEN].try_into().expect("as long")
}

#[inline(always)]
fn row_mut<const HIDDEN: usize>(numbers: &mut [f32], at: usize) -> &mut [f32; HIDDEN] {
    (&mut numbers[at..at + HIDDEN]).try_into().expect("as long")
}

impl<const HIDDEN: usize> Prediction<HIDDEN> {
    #[inline(always)]
    fn predict(&mut self, shape: Shape<HIDDEN>, numbers: &[f32], sample: Sample) {
        self.sum = *row::<HIDDEN>(numbers, shape.bias());
        for &input in sample.inputs {
            let weights = row::<HIDDEN>(numbers, usize::from(input) * HIDDEN);
            for (sum, weight) in self.sum.iter_mut().zip(weights) {
                *sum += weight;
            }
        }
        self.hidden = self.sum.map(|x| x.clamp(0.0, 1.0));
        self.value = sample.base + numbers[shape.value_bias()];
        for (x, weight) in self.hidden.iter().zip(row::<HIDDEN>(numbers, shape.value())) {
            self.value += x * x * weight;
        }
        self.expected = 0.5 + 0.5 * self.value / (1.0 + self.value.abs());
        self.priors.clear();
        if sample.shares.is_empty() {
            return;
        }
        let mut most = f32::NEG_INFINITY;
        for rows in sample.moves() {
            let mut logit = 0.0;
            let mut sum = [0.0; HIDDEN];
            for &at in &sample.rows[rows] {
                logit += numbers[shape.move_bias() + usize::from(at)];
                let weights = row::<HIDDEN>(numbers, shape.moves() + usize::from(at) * HIDDEN);
                for (sum, weight) in sum.iter_mut().zip(weights) {
                    *sum += weight;
                }
            }
            for (x, weight) in self.hidden.iter().zip(&sum) {
                logit += x * weight;
            }
            most = most.max(logit);
            self.priors.push(logit);
        }
        let mut all = 0.0;
        for prior in &mut self.priors {
            *prior = (*prior - most).exp();
            all += *prior;
        }
        for prior in &mut self.priors {
            *prior /= all;
        }
    }

    #[inline(always)]
    fn add_gradient(
        &self,
        shape: Shape<HIDDEN>,
        numbers: &[f32],
        sample: Sample,
        gradient: &mut [f32],
    ) {
        // The derivative of the cross entropy through the rational sigmoid.
        let slope = 2.0 / (1.0 + 2.0 * self.value.abs());
        let of_value = sample.target.map_or(0.0, |target| (self.expected - target) * slope);
        gradient[shape.value_bias()] += of_value;
        let mut of_hidden = [0.0; HIDDEN];
        let weights = row::<HIDDEN>(numbers, shape.value());
        let to_value = row_mut::<HIDDEN>(gradient, shape.value());
        for i in 0..HIDDEN {
            to_value[i] += of_value * self.hidden[i] * self.hidden[i];
            of_hidden[i] = of_value * weights[i] * 2.0 * self.hidden[i];
        }
        // The derivative of the cross entropy through the softmax: predicted less found.
        for ((index, rows), prior) in sample.moves().enumerate().zip(&self.priors) {
            let found = sample.shares.iter().find(|share| usize::from(share.number) == index);
            let of_logit = prior - found.map_or(0.0, |share| share.share);
            for &at in &sample.rows[rows] {
                gradient[shape.move_bias() + usize::from(at)] += of_logit;
                let at = shape.moves() + usize::from(at) * HIDDEN;
                let weights = row::<HIDDEN>(numbers, at);
                let to_row = row_mut::<HIDDEN>(gradient, at);
                for i in 0..HIDDEN {
                    to_row[i] += of_logit * self.hidden[i];
                    of_hidden[i] += of_logit * weights[i];
                }
            }
        }
        for (slope, sum) in of_hidden.iter_mut().zip(&self.sum) {
            let is_cut = *sum <= 0.0 || *sum >= 1.0;
            *slope = if is_cut { 0.0 } else { *slope };
        }
        let inputs = sample.inputs.iter().map(|&input| usize::from(input) * HIDDEN);
        for at in inputs.chain([shape.bias()]) {
            for (to, slope) in row_mut::<HIDDEN>(gradient, at).iter_mut().zip(&of_hidden) {
                *to += slope;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alesia::eval::Evaluate;
    use alesia::eval::network::{EQUAL_SHARE, Network, NetworkGame, SCORE_ONE};

    use alesia::games::{Hadron, Loa, Murus, Voidrider};

    use super::*;
    use crate::tune::samples::{Samples, Situation};

    const HIDDEN: usize = 64;
    const SHAPE: Shape<HIDDEN> = Shape { inputs: 6, rows: 5, value_one: 64 };

    const SAMPLE: Sample = Sample {
        inputs: &[0, 2, 5],
        row_ends: &[2, 3, 5],
        rows: &[0, 1, 2, 1, 3],
        shares: &[Share { number: 2, share: 1.0 }],
        target: Some(0.8),
        base: 0.3,
    };

    /// Numbers of which none is zero.
    fn random<const HIDDEN: usize>(shape: Shape<HIDDEN>, seed: u64) -> Vec<f32> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut numbers = shape.random(&mut rng);
        for number in &mut numbers[shape.value_bias()..] {
            *number = 0.2 * (rng.f32() - 0.5);
        }
        numbers
    }

    fn total(numbers: &[f32], sample: Sample) -> f64 {
        let loss = loss(SHAPE, numbers, sample, &mut Prediction::default());
        loss.value() + loss.moves()
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        const STEP: f32 = 1e-2;
        let mut numbers = random(SHAPE, 1);
        // Some of the hidden layer are cut, none is near the edge.
        for i in 0..HIDDEN {
            let bias = [-1.0, 0.5, 0.6, 2.0][i % 4];
            numbers[SHAPE.bias() + i] = bias;
        }
        let shares = &[Share { number: 2, share: 0.7 }, Share { number: 0, share: 0.3 }];
        let several = Sample { shares, ..SAMPLE };
        for sample in [SAMPLE, several, Sample { shares: &[], base: -1.5, ..SAMPLE }] {
            let mut gradient = vec![0.0; SHAPE.len()];
            learn(SHAPE, &numbers, sample, &mut gradient, &mut Prediction::default());
            let mut checked = [0; 6];
            for at in 0..SHAPE.len() {
                let mut changed = numbers.clone();
                changed[at] = numbers[at] + STEP;
                let more = total(&changed, sample);
                changed[at] = numbers[at] - STEP;
                let slope = (more - total(&changed, sample)) / f64::from(2.0 * STEP);
                let found = f64::from(gradient[at]);
                assert!((found - slope).abs() < 1e-4, "{at}: found {found}, expected {slope}");
                let starts = [
                    SHAPE.bias(),
                    SHAPE.value(),
                    SHAPE.value_bias(),
                    SHAPE.moves(),
                    SHAPE.move_bias(),
                ];
                let part = starts.iter().filter(|&&start| at >= start).count();
                checked[part] += usize::from(found.abs() > 1e-3);
            }
            let parts = if sample.shares.is_empty() { 4 } else { 6 };
            assert!(checked[..parts].iter().all(|&count| count > 0), "{checked:?}");
            // What the base adds is what the number beside the value adds.
            let more = Sample { base: sample.base + STEP, ..sample };
            numbers[SHAPE.value_bias()] += STEP;
            let expected = total(&numbers, sample);
            numbers[SHAPE.value_bias()] -= STEP;
            assert!((total(&numbers, more) - expected).abs() < 1e-6);
        }
    }

    /// The network that the player reads from the bytes of random weights gives the same results as
    /// the model with the rounded weights.
    fn player_agrees<G, const HIDDEN: usize, const INPUTS: usize, const MOVE_ROWS: usize>(start: G)
    where
        G: Evaluate + NetworkGame,
    {
        let shape = Shape::<HIDDEN> { inputs: INPUTS, rows: MOVE_ROWS, value_one: G::VALUE_ONE };
        let numbers = shape.rounded(&random(shape, 2));
        let bytes = shape.bytes(&numbers);
        let network = Box::new(Network::<HIDDEN, INPUTS, MOVE_ROWS>::from_bytes(&bytes));
        let mut rng = fastrand::Rng::with_seed(3);
        let mut room = Prediction::default();
        let mut position = start;
        for _ in 0..40 {
            let moves = position.legal_moves();
            if moves.len() < 2 || position.won().is_some() {
                break;
            }
            let mut samples = Samples::default();
            let shares = vec![Share { number: 0, share: 1.0 }];
            let situation = Situation { position, moves, shares, target: Some(0.5) };
            samples.add(&situation, |input| input, |row| row);
            room.predict(shape, &numbers, samples.get(0));
            let hidden = network.hidden(&position);
            let score = network.score(&position, &hidden) as f32;
            let expected = room.value * SCORE_ONE as f32;
            // In hundredths; the player cuts off fractions.
            assert!((score - expected).abs() < 1.5, "{position}: {score}, expected {expected}");
            let mut weights = vec![0.0; situation.moves.len()];
            network.weigh(&position, &hidden, &situation.moves, &mut weights);
            let all: f32 = weights.iter().sum();
            let equal = EQUAL_SHARE / weights.len() as f32;
            for (weight, prior) in weights.iter().zip(&room.priors) {
                let prior = (prior + equal) / (1.0 + EQUAL_SHARE);
                assert!((weight / all / prior - 1.0).abs() < 1e-3, "{position}: {weight} {prior}");
            }
            position.play(position.random_move(&mut rng).unwrap());
        }
    }

    #[test]
    fn the_player_says_what_was_learned() {
        // The networks are built on the stack, and need more than a test thread has.
        let larger = || {
            player_agrees::<_, { Murus::HIDDEN }, { Murus::INPUTS }, { Murus::MOVE_ROWS }>(
                Murus::start(),
            );
            player_agrees::<_, { Hadron::HIDDEN }, { Hadron::INPUTS }, { Hadron::MOVE_ROWS }>(
                Hadron::start(9, 9),
            );
            player_agrees::<_, { Loa::HIDDEN }, { Loa::INPUTS }, { Loa::MOVE_ROWS }>(Loa::start(
                Default::default(),
            ));
            player_agrees::<
                _,
                { Voidrider::HIDDEN },
                { Voidrider::INPUTS },
                { Voidrider::MOVE_ROWS },
            >(Voidrider::start());
        };
        let larger = std::thread::Builder::new().stack_size(64 << 20).spawn(larger);
        larger.unwrap().join().unwrap();
    }
}
