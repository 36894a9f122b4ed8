//! Where the numbers of a network stand, how they begin, and the bytes they become.
//!
//! The one idea: while it learns, a network is one list of floating-point numbers in the order of
//! the file, so that gradient, step and rounding need not know which number is which.

use alesia::eval::network::{HIDDEN_ONE, WEIGHT_ONE};

/// Max weight of the value in the file: its product with a number of the hidden layer must fit in
/// 16 bits.
const VALUE_LIMIT: f32 = 127.0;
/// Maximum of all other numbers.
const LIMIT: f32 = 8.0;

/// The dimensions of a network with `HIDDEN` neurons in its hidden layer.
#[derive(Clone, Copy, Debug)]
pub struct Shape<const HIDDEN: usize> {
    pub inputs: usize,
    pub rows: usize,
    /// What stands for 1 in the weights of the value.
    pub value_one: i32,
}

impl<const HIDDEN: usize> Shape<HIDDEN> {
    /// Where the bias of the hidden layer begins, after the rows of the inputs.
    pub const fn bias(self) -> usize {
        self.inputs * HIDDEN
    }

    /// Where the weights of the value begin.
    pub const fn value(self) -> usize {
        self.bias() + HIDDEN
    }

    /// Where the number is that is added to the value.
    pub const fn value_bias(self) -> usize {
        self.value() + HIDDEN
    }

    /// Where the rows of moves begin.
    pub const fn moves(self) -> usize {
        self.value_bias() + 1
    }

    /// Where the number of each row of moves is that is added to what it says.
    pub const fn move_bias(self) -> usize {
        self.moves() + self.rows * HIDDEN
    }

    pub const fn len(self) -> usize {
        self.move_bias() + self.rows
    }

    /// Small random numbers to begin with; zeros for the moves, which learn by the hidden layer.
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

    /// The numbers in the bytes of a file, which may have a smaller hidden layer: the numbers that
    /// this one has more are `random` ones that say nothing yet, as their weights are zero. Nothing
    /// if the file has the size of no such network.
    pub fn grown(self, bytes: &[u8], rng: &mut fastrand::Rng) -> Option<Vec<f32>> {
        let rows = self.inputs + 2 + self.rows;
        let hidden = (bytes.len() / 2).checked_sub(1 + self.rows)? / rows;
        let is_whole = bytes.len() == 2 * (hidden * rows + 1 + self.rows);
        if !is_whole || !(1..=HIDDEN).contains(&hidden) {
            return None;
        }
        let mut numbers = self.random(rng);
        numbers[self.value()..].fill(0.0);
        let mut read =
            bytes.chunks(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])));
        let mut at = 0;
        while at < self.len() {
            let is_single = at == self.value_bias() || at >= self.move_bias();
            let (known, all) = if is_single { (1, 1) } else { (hidden, HIDDEN) };
            for (at, whole) in (at..at + known).zip(&mut read) {
                numbers[at] = whole / self.one(at);
            }
            at += all;
        }
        Some(numbers)
    }

    /// Maximum size of the number at this place.
    pub fn limit(self, at: usize) -> f32 {
        if (self.value()..self.value_bias()).contains(&at) {
            VALUE_LIMIT / self.value_one as f32
        } else {
            LIMIT
        }
    }

    /// What stands for 1 in the number at this place.
    fn one(self, at: usize) -> f32 {
        if at < self.value() {
            HIDDEN_ONE as f32
        } else if at < self.value_bias() {
            self.value_one as f32
        } else if at == self.value_bias() {
            (HIDDEN_ONE * self.value_one / 16) as f32
        } else {
            WEIGHT_ONE as f32
        }
    }

    /// The numbers as the player will have them.
    pub fn rounded(self, numbers: &[f32]) -> Vec<f32> {
        let round = |(at, number): (usize, &f32)| (number * self.one(at)).round() / self.one(at);
        numbers.iter().enumerate().map(round).collect()
    }

    /// The bytes of the file that the player is compiled with.
    pub fn bytes(self, numbers: &[f32]) -> Vec<u8> {
        let whole = |(at, number): (usize, &f32)| (number * self.one(at)).round() as i16;
        numbers.iter().enumerate().map(whole).flat_map(i16::to_le_bytes).collect()
    }

    /// Whether the sums of the player fit in 16 bits for any inputs up to their max number.
    pub fn fits(self, numbers: &[f32], max_active: usize) -> bool {
        let whole = |at: usize| (numbers[at] * HIDDEN_ONE as f32).round();
        (0..HIDDEN).all(|i| {
            let mut column: Vec<f32> =
                (0..self.inputs).map(|row| whole(row * HIDDEN + i)).collect();
            column.sort_by(f32::total_cmp);
            let least: f32 = column.iter().take(max_active).map(|x| x.min(0.0)).sum();
            let most: f32 = column.iter().rev().take(max_active).map(|x| x.max(0.0)).sum();
            let bias = whole(self.bias() + i);
            bias + least >= f32::from(i16::MIN) && bias + most <= f32::from(i16::MAX)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::loss::Share;
    use crate::tune::model::{Prediction, Sample, loss};

    const HIDDEN: usize = 64;
    const SHAPE: Shape<HIDDEN> = Shape { inputs: 150, rows: 3, value_one: 64 };

    #[test]
    fn bytes_are_the_rounded_numbers() {
        let numbers = SHAPE.random(&mut fastrand::Rng::with_seed(1));
        let bytes = SHAPE.bytes(&numbers);
        assert_eq!(bytes.len(), 2 * SHAPE.len());
        let rounded = SHAPE.rounded(&numbers);
        for (at, pair) in bytes.chunks(2).enumerate() {
            let whole = f32::from(i16::from_le_bytes([pair[0], pair[1]]));
            assert_eq!(whole / SHAPE.one(at), rounded[at]);
            assert!((rounded[at] - numbers[at]).abs() <= 0.5 / SHAPE.one(at));
        }
        assert_eq!(SHAPE.bytes(&rounded), bytes);
    }

    #[test]
    fn a_grown_network_says_what_the_smaller_one_does() {
        const SMALL: Shape<16> = Shape { inputs: 150, rows: 3, value_one: 64 };
        let rng = &mut fastrand::Rng::with_seed(1);
        let mut small = SMALL.random(rng);
        small[SMALL.value_bias()..].iter_mut().for_each(|number| *number = rng.f32() - 0.5);
        let bytes = SMALL.bytes(&small);
        assert_eq!(SMALL.grown(&bytes, rng), Some(SMALL.rounded(&small)));
        let grown = SHAPE.grown(&bytes, rng).unwrap();
        let row_ends = &[2, 3];
        let (inputs, rows, shares) = (&[1, 7, 149], &[0, 1, 2], &[Share { number: 0, share: 1.0 }]);
        let sample = Sample { inputs, row_ends, rows, shares, target: Some(0.8), base: 0.3 };
        let before = loss(SMALL, &SMALL.rounded(&small), sample, &mut Prediction::default());
        let after = loss(SHAPE, &grown, sample, &mut Prediction::default());
        assert!((before.value() - after.value()).abs() < 1e-5, "{before}; {after}");
        assert!((before.moves() - after.moves()).abs() < 1e-5, "{before}; {after}");
        // The new numbers are not zero, so they can be trained.
        assert!(grown[16..HIDDEN].iter().any(|&number| number != 0.0));
        assert_eq!(SMALL.grown(&SHAPE.bytes(&grown), rng), None);
        for bytes in [&bytes[2..], &bytes[1..], &bytes[..2 * (1 + SMALL.rows)], &[]] {
            assert_eq!(SHAPE.grown(bytes, rng), None, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn numbers_within_their_limits_fit_16_bits() {
        for at in 0..SHAPE.len() {
            assert!(SHAPE.limit(at) * SHAPE.one(at) <= f32::from(i16::MAX));
        }
        let product = VALUE_LIMIT * HIDDEN_ONE as f32;
        assert!(product <= f32::from(i16::MAX));
    }

    #[test]
    fn sums_that_do_not_fit_are_noticed() {
        const MAX_ACTIVE: usize = 128;
        let mut numbers = SHAPE.random(&mut fastrand::Rng::with_seed(1));
        assert!(SHAPE.fits(&numbers, MAX_ACTIVE));
        for sign in [1.0, -1.0] {
            for row in 0..MAX_ACTIVE {
                numbers[row * HIDDEN + 5] = 1.4 * sign;
            }
            assert!(!SHAPE.fits(&numbers, MAX_ACTIVE));
            numbers[5] = 0.0;
            for row in 1..MAX_ACTIVE {
                numbers[row * HIDDEN + 5] = sign;
            }
            assert!(SHAPE.fits(&numbers, MAX_ACTIVE));
        }
    }
}
