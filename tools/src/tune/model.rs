//! The network while it learns: numbers in floating point, and their gradient.
//!
//! The one idea: a position is the list of the inputs that are on, and each of its moves the list of
//! its rows; so a sample costs a few dozen rows forward and as many back, and nothing of the rest.

use alesia::eval::network::{HIDDEN, HIDDEN_ONE, WEIGHT_ONE};
use alesia::processor::with_v3_instructions;

/// Where the parts of a network stand among its numbers.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Inputs.
    pub inputs: usize,
    /// Rows of moves.
    pub rows: usize,
}

impl Shape {
    const fn bias(self) -> usize {
        self.inputs * HIDDEN
    }
    const fn value(self) -> usize {
        self.bias() + HIDDEN
    }
    const fn value_bias(self) -> usize {
        self.value() + HIDDEN
    }
    const fn moves(self) -> usize {
        self.value_bias() + 1
    }
    const fn move_bias(self) -> usize {
        self.moves() + self.rows * HIDDEN
    }
    /// All numbers.
    pub const fn len(self) -> usize {
        self.move_bias() + self.rows
    }

    /// Small random numbers for the first layer and zeros for the moves.
    pub fn random(self, rng: &mut fastrand::Rng) -> Vec<f32> {
        let mut numbers = vec![0.0; self.len()];
        for number in &mut numbers[..self.bias()] {
            *number = 0.3 * (rng.f32() - 0.5);
        }
        for number in &mut numbers[self.bias()..self.value()] {
            *number = 0.5 * rng.f32();
        }
        for number in &mut numbers[self.value()..self.value_bias()] {
            *number = 0.5 * (rng.f32() - 0.5);
        }
        numbers
    }

    /// The most that each number may be, so that the integers of the player hold it.
    pub fn limit(self, at: usize) -> f32 {
        if (self.value()..self.value_bias()).contains(&at) { 1.98 } else { 8.0 }
    }

    /// The bytes of the file that the player is compiled with.
    pub fn bytes(self, numbers: &[f32]) -> Vec<u8> {
        let (hidden, weight) = (HIDDEN_ONE as f32, WEIGHT_ONE as f32);
        let mut bytes = Vec::new();
        for (at, number) in numbers.iter().enumerate() {
            let scale = match at {
                _ if at < self.value() => hidden,
                _ if at == self.value_bias() => hidden * weight / 16.0,
                _ => weight,
            };
            bytes.extend(((number * scale).round() as i16).to_le_bytes());
        }
        bytes
    }
}

/// One position of a game.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    /// The inputs that are on.
    pub inputs: &'a [u16],
    /// For each move the end of its rows among all.
    pub row_ends: &'a [u16],
    /// The rows of all moves.
    pub rows: &'a [u16],
    /// The move that was played, or none if it says nothing.
    pub played: Option<usize>,
    /// What came of it for the side to move, 0 to 1.
    pub target: f32,
    /// What the network's value is added to.
    pub base: f32,
}

/// What is lost by the predictions for some samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loss {
    /// Samples.
    pub samples: usize,
    /// The sum of the cross entropies of result and expectation, in natural units.
    pub value: f64,
    /// Samples with a move.
    pub with_move: usize,
    /// The sum of the cross entropies of the moves played.
    pub moves: f64,
    /// Samples whose move got the largest prior.
    pub first: usize,
}

impl Loss {
    /// Both together.
    pub fn plus(self, other: Loss) -> Loss {
        Loss {
            samples: self.samples + other.samples,
            value: self.value + other.value,
            with_move: self.with_move + other.with_move,
            moves: self.moves + other.moves,
            first: self.first + other.first,
        }
    }
}

/// Room for what one sample needs.
#[derive(Default)]
pub struct Room {
    logits: Vec<f32>,
}

/// The loss of a sample; adds its gradient if there is room for one.
pub fn learn(
    shape: Shape,
    numbers: &[f32],
    sample: Sample,
    gradient: Option<&mut [f32]>,
    room: &mut Room,
) -> Loss {
    with_v3_instructions(
        #[inline(always)]
        || learn_here(shape, numbers, sample, gradient, room),
    )
}

#[inline(always)]
fn row(numbers: &[f32], at: usize) -> &[f32; HIDDEN] {
    numbers[at..at + HIDDEN].try_into().expect("as long")
}

#[inline(always)]
fn row_mut(numbers: &mut [f32], at: usize) -> &mut [f32; HIDDEN] {
    (&mut numbers[at..at + HIDDEN]).try_into().expect("as long")
}

#[inline(always)]
fn learn_here(
    shape: Shape,
    numbers: &[f32],
    sample: Sample,
    gradient: Option<&mut [f32]>,
    room: &mut Room,
) -> Loss {
    let mut sum = *row(numbers, shape.bias());
    for &input in sample.inputs {
        let weights = row(numbers, usize::from(input) * HIDDEN);
        for i in 0..HIDDEN {
            sum[i] += weights[i];
        }
    }
    let hidden = sum.map(|x| x.clamp(0.0, 1.0));
    let value_row = row(numbers, shape.value());
    let mut value = sample.base + numbers[shape.value_bias()];
    for i in 0..HIDDEN {
        value += hidden[i] * hidden[i] * value_row[i];
    }
    let expected = 0.5 + 0.5 * value / (1.0 + value.abs());
    let target = sample.target;
    let mut loss = Loss { samples: 1, ..Loss::default() };
    loss.value = f64::from(-(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln()));

    room.logits.clear();
    let mut start = 0;
    if sample.played.is_some() {
        for &end in sample.row_ends {
            let mut logit = 0.0;
            let mut row_sum = [0.0; HIDDEN];
            for &at in &sample.rows[start..usize::from(end)] {
                logit += numbers[shape.move_bias() + usize::from(at)];
                let weights = row(numbers, shape.moves() + usize::from(at) * HIDDEN);
                for i in 0..HIDDEN {
                    row_sum[i] += weights[i];
                }
            }
            for i in 0..HIDDEN {
                logit += hidden[i] * row_sum[i];
            }
            room.logits.push(logit);
            start = usize::from(end);
        }
    }
    if let Some(played) = sample.played {
        let most = room.logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        loss.first = usize::from(room.logits[played] >= most);
        let mut all = 0.0;
        for logit in &mut room.logits {
            *logit = (*logit - most).exp();
            all += *logit;
        }
        for logit in &mut room.logits {
            *logit /= all;
        }
        loss.with_move = 1;
        loss.moves = f64::from(-room.logits[played].max(1e-9).ln());
    }

    let Some(gradient) = gradient else { return loss };
    let of_value = (expected - target) * 2.0 / (1.0 + 2.0 * value.abs());
    gradient[shape.value_bias()] += of_value;
    let mut back = [0.0f32; HIDDEN];
    let to_value = row_mut(gradient, shape.value());
    for i in 0..HIDDEN {
        to_value[i] += of_value * hidden[i] * hidden[i];
        back[i] = of_value * value_row[i] * 2.0 * hidden[i];
    }
    if let Some(played) = sample.played {
        let mut start = 0;
        for (index, &end) in sample.row_ends.iter().enumerate() {
            let of_logit = room.logits[index] - f32::from(u8::from(index == played));
            for &at in &sample.rows[start..usize::from(end)] {
                gradient[shape.move_bias() + usize::from(at)] += of_logit;
                let weights = row(numbers, shape.moves() + usize::from(at) * HIDDEN);
                let to_row = row_mut(gradient, shape.moves() + usize::from(at) * HIDDEN);
                for i in 0..HIDDEN {
                    to_row[i] += of_logit * hidden[i];
                    back[i] += of_logit * weights[i];
                }
            }
            start = usize::from(end);
        }
    }
    for i in 0..HIDDEN {
        let open = sum[i] > 0.0 && sum[i] < 1.0;
        back[i] = if open { back[i] } else { 0.0 };
    }
    let to_bias = row_mut(gradient, shape.bias());
    for i in 0..HIDDEN {
        to_bias[i] += back[i];
    }
    for &input in sample.inputs {
        let to_input = row_mut(gradient, usize::from(input) * HIDDEN);
        for i in 0..HIDDEN {
            to_input[i] += back[i];
        }
    }
    loss
}
