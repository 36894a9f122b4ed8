//! A small neural network for a game: the value of a position, and the prior weights of its moves.
//!
//! The one idea: of many inputs (a stone on a cell) only a few dozen are on. So the hidden layer is
//! a sum of a few dozen rows of numbers, a few vector instructions each. It is the network of Nasu
//! ("Efficiently Updatable Neural Network-based Evaluation Function for Computer Shogi", 2018)
//! without the incremental update, which pays only for larger ones. The same hidden layer gives the
//! value of the position and, by one product with the row of each move, the weights of the moves.
//!
//! Integers throughout, except the last step of the weights of moves, which uses exactly rounded
//! operations: the same on every machine. `alesia-lab train tune` makes the weights.

use std::mem::MaybeUninit;
use std::ptr;

use super::MAX_SCORE;
use crate::game::{Game, Move};

/// What stands for 1 in the hidden layer.
pub const HIDDEN_ONE: i32 = 255;
/// The fixed-point unit of the weights of moves, and of the value unless a game has a finer one.
pub const WEIGHT_ONE: i32 = 64;
/// The score that the value 1 of the output stands for.
pub const SCORE_ONE: i32 = super::THREE_QUARTERS_SCORE as i32;

/// Max size of a hidden layer: the sum of its products of 8 and 16 bits must fit in 32 bits.
const MAX_HIDDEN: usize = 256;

/// Max weight of the value: its product with a number of the hidden layer must fit in 16 bits.
pub const MAX_VALUE_WEIGHT: u16 = 127;

/// What a game shows to its network.
pub trait NetworkGame: Game {
    /// Size of the hidden layer, at most 256; best a multiple of 16, the width of a vector
    /// instruction.
    const HIDDEN: usize;
    /// How many inputs there are.
    const INPUTS: usize;
    /// How many rows there are for moves.
    const MOVE_ROWS: usize;
    /// Max inputs that are on at a time, double ones counted twice: the sum of their rows must fit.
    const MAX_ACTIVE: usize = 128;
    /// What stands for 1 in the weights of the value, which are whole numbers up to 127 either way.
    /// A file of weights does not contain it.
    const VALUE_ONE: i32 = WEIGHT_ONE;

    /// Calls `see` for each input that is on, from the point of view of the side to move; twice for
    /// one that counts twice.
    fn for_each_input(&self, see: impl FnMut(usize));

    /// What its moves are looked at with, the same for all moves of a position.
    type MoveContext;

    /// Looks once for all moves.
    fn move_context(&self) -> Self::MoveContext;

    /// Calls `see` for each row in the sum of a legal move, from the point of view of the side to
    /// move.
    fn for_each_move_row(&self, context: &Self::MoveContext, m: Move, see: impl FnMut(usize));

    /// A score that the network only corrects.
    #[inline(always)]
    fn base(&self) -> i32 {
        0
    }
}

/// The share of all weight that is dealt out to the moves equally, so that a search comes to look
/// at each in the end.
pub const EQUAL_SHARE: f32 = 0.05;

type Row<const HIDDEN: usize> = [i16; HIDDEN];

/// The weights. On disk: all numbers in the order of the fields, 16 bits each, the low byte first.
#[repr(C, align(64))]
pub struct Network<const HIDDEN: usize, const INPUTS: usize, const MOVE_ROWS: usize> {
    inputs: [Row<HIDDEN>; INPUTS],
    bias: Row<HIDDEN>,
    value: Row<HIDDEN>,
    /// One number; a sixteenth of [`NetworkGame::VALUE_ONE`]·[`HIDDEN_ONE`] stands for 1.
    value_bias: i16,
    moves: [Row<HIDDEN>; MOVE_ROWS],
    move_bias: [i16; MOVE_ROWS],
}

/// The hidden layer for a position.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Hidden<const HIDDEN: usize>(Row<HIDDEN>);

impl<const HIDDEN: usize, const INPUTS: usize, const MOVE_ROWS: usize>
    Network<HIDDEN, INPUTS, MOVE_ROWS>
{
    /// Bytes on disk.
    pub const BYTES: usize = 2 * (HIDDEN * (INPUTS + 2 + MOVE_ROWS) + 1 + MOVE_ROWS);

    /// The network in the bytes of a file.
    ///
    /// # Panics
    /// If they are not [`Network::BYTES`].
    pub const fn from_bytes(bytes: &[u8]) -> Self {
        const { assert!(HIDDEN <= MAX_HIDDEN) };
        const { assert!(cfg!(target_endian = "little"), "weights are used as they lie on disk") };
        assert!(bytes.len() == Self::BYTES, "weights of another network");
        // One copy of bytes, which costs the compiler nothing.
        let mut network = MaybeUninit::<Self>::zeroed();
        // SAFETY: the source has `BYTES` bytes, as asserted, and the target at least as many: all
        // fields are numbers of 16 bits in the order of the file, without padding between them.
        // They were zeroed, and any bits are a number, so that the whole is initialised.
        unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), network.as_mut_ptr().cast(), Self::BYTES);
            network.assume_init()
        }
    }

    /// Has the system read all weights from the program's file now, which it else does page by page
    /// as they are first used, in the first moves of a game.
    pub fn touch(&self) {
        for row in self.inputs.iter().chain(&self.moves) {
            std::hint::black_box(row[0]);
        }
    }

    /// The weights by reference.
    #[inline(always)]
    pub fn parts(&self) -> Parts<'_, HIDDEN> {
        Parts {
            inputs: &self.inputs,
            bias: &self.bias,
            value: &self.value,
            value_bias: self.value_bias,
            moves: &self.moves,
            move_bias: &self.move_bias,
        }
    }

    /// The hidden layer for a position.
    #[inline(always)]
    pub fn hidden<G: NetworkGame>(&self, position: &G) -> Hidden<HIDDEN> {
        self.parts().hidden(position)
    }

    /// The score of a position for its side to move.
    #[inline(always)]
    pub fn score<G: NetworkGame>(&self, position: &G, hidden: &Hidden<HIDDEN>) -> i32 {
        self.parts().score(position, hidden)
    }

    /// A positive weight for each move: [`Parts::weigh`].
    #[inline(always)]
    pub fn weigh<G: NetworkGame>(
        &self,
        position: &G,
        hidden: &Hidden<HIDDEN>,
        moves: &[Move],
        weights: &mut [f32],
    ) {
        self.parts().weigh(position, hidden, moves, weights);
    }
}

/// The weights of a network of any number of inputs and rows of moves, wherever they are kept.
#[derive(Clone, Copy)]
pub struct Parts<'a, const HIDDEN: usize> {
    inputs: &'a [Row<HIDDEN>],
    bias: &'a Row<HIDDEN>,
    value: &'a Row<HIDDEN>,
    value_bias: i16,
    moves: &'a [Row<HIDDEN>],
    move_bias: &'a [i16],
}

/// A network whose size is known when the program runs: that of a file.
#[derive(Clone)]
pub struct LoadedNetwork<const HIDDEN: usize> {
    inputs: Box<[Row<HIDDEN>]>,
    bias: Row<HIDDEN>,
    value: Row<HIDDEN>,
    value_bias: i16,
    moves: Box<[Row<HIDDEN>]>,
    move_bias: Box<[i16]>,
}

impl<const HIDDEN: usize> LoadedNetwork<HIDDEN> {
    /// Bytes of a network of this size, in the order of [`Network`].
    pub const fn bytes(inputs: usize, move_rows: usize) -> usize {
        2 * (HIDDEN * (inputs + 2 + move_rows) + 1 + move_rows)
    }

    /// The network in the bytes of a file; none if they are not as many as there should be, or a
    /// weight of the value is larger than [`MAX_VALUE_WEIGHT`].
    pub fn from_bytes(bytes: &[u8], inputs: usize, move_rows: usize) -> Option<Self> {
        const { assert!(HIDDEN <= MAX_HIDDEN) };
        if bytes.len() != Self::bytes(inputs, move_rows) {
            return None;
        }
        let mut numbers = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut number = || numbers.next().unwrap_or_default();
        let mut row = || std::array::from_fn(|_| number());
        let inputs = (0..inputs).map(|_| row()).collect();
        let (bias, value) = (row(), row());
        if value.iter().any(|weight: &i16| weight.unsigned_abs() > MAX_VALUE_WEIGHT) {
            return None;
        }
        let value_bias = number();
        let mut row = || std::array::from_fn(|_| number());
        let moves = (0..move_rows).map(|_| row()).collect();
        let move_bias = (0..move_rows).map(|_| number()).collect();
        Some(LoadedNetwork { inputs, bias, value, value_bias, moves, move_bias })
    }

    /// The weights by reference.
    #[inline(always)]
    pub fn parts(&self) -> Parts<'_, HIDDEN> {
        Parts {
            inputs: &self.inputs,
            bias: &self.bias,
            value: &self.value,
            value_bias: self.value_bias,
            moves: &self.moves,
            move_bias: &self.move_bias,
        }
    }
}

impl<const HIDDEN: usize> Parts<'_, HIDDEN> {
    /// The hidden layer for a position.
    #[inline(always)]
    pub fn hidden<G: NetworkGame>(&self, position: &G) -> Hidden<HIDDEN> {
        let mut sum = *self.bias;
        position.for_each_input(|input| add(&mut sum, &self.inputs[input]));
        for x in &mut sum {
            *x = (*x).clamp(0, HIDDEN_ONE as i16);
        }
        Hidden(sum)
    }

    /// The score of a position for its side to move.
    #[inline(always)]
    pub fn score<G: NetworkGame>(&self, position: &G, hidden: &Hidden<HIDDEN>) -> i32 {
        // A square of the hidden number, so that two of them say more than their sum.
        let weighed: Row<HIDDEN> = std::array::from_fn(|i| hidden.0[i].wrapping_mul(self.value[i]));
        let sum =
            sum_of_products(&hidden.0, &weighed) / HIDDEN_ONE + i32::from(self.value_bias) * 16;
        let score = position.base() + sum * SCORE_ONE / (HIDDEN_ONE * G::VALUE_ONE);
        score.clamp(1 - MAX_SCORE, MAX_SCORE - 1)
    }

    /// A positive weight for each move: e to the power of what the network says for it, and an
    /// equal share.
    #[inline(always)]
    pub fn weigh<G: NetworkGame>(
        &self,
        position: &G,
        hidden: &Hidden<HIDDEN>,
        moves: &[Move],
        weights: &mut [f32],
    ) {
        const SCALE: f32 = 1.0 / (HIDDEN_ONE * WEIGHT_ONE) as f32;
        let context = position.move_context();
        for (&m, weight) in moves.iter().zip(&mut *weights) {
            let mut row = [0; HIDDEN];
            let mut bias = 0;
            position.for_each_move_row(&context, m, |at| {
                add(&mut row, &self.moves[at]);
                bias += i32::from(self.move_bias[at]);
            });
            // Read anew for each move: else the compiler makes 32 bits of each number before the
            // loop, and 16 again in it, for an instruction that multiplies numbers of 16 bits.
            let hidden = std::hint::black_box(hidden);
            let sum = bias * HIDDEN_ONE + sum_of_products(&hidden.0, &row);
            *weight = sum as f32 * SCALE;
        }
        // By itself, so that it becomes vector instructions.
        for weight in &mut *weights {
            *weight = exp(*weight);
        }
        let all: f32 = weights.iter().sum();
        let floor = EQUAL_SHARE * all / moves.len() as f32;
        for weight in weights {
            *weight += floor;
        }
    }
}

#[inline(always)]
fn add<const HIDDEN: usize>(sum: &mut Row<HIDDEN>, row: &Row<HIDDEN>) {
    for (sum, x) in sum.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*x);
    }
}

/// The products of the numbers in the same places, added up.
#[inline(always)]
fn sum_of_products<const HIDDEN: usize>(a: &Row<HIDDEN>, b: &Row<HIDDEN>) -> i32 {
    #[cfg(all(target_family = "wasm", target_feature = "simd128"))]
    if HIDDEN.is_multiple_of(16) {
        return sum_of_products_in_pairs(a, b);
    }
    // As many sums as a vector has numbers, so that the compiler uses its whole width.
    let mut sums = [0; 16];
    let (chunks, rest) = a.as_chunks::<16>();
    let (other_chunks, other_rest) = b.as_chunks::<16>();
    for (x, y) in chunks.iter().zip(other_chunks) {
        for (sum, (&x, &y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += i32::from(x) * i32::from(y);
        }
    }
    let rest = rest.iter().zip(other_rest).map(|(&x, &y)| i32::from(x) * i32::from(y));
    sums.iter().sum::<i32>() + rest.sum::<i32>()
}

/// The same in WebAssembly, whose one instruction for it the compiler does not find by itself.
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
#[inline(always)]
fn sum_of_products_in_pairs<const HIDDEN: usize>(a: &Row<HIDDEN>, b: &Row<HIDDEN>) -> i32 {
    use core::arch::wasm32::{
        i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128, v128_load,
    };
    let load = |numbers: &[i16]| -> v128 {
        debug_assert!(numbers.len() >= 8);
        // SAFETY: reads eight numbers, which the slice has; a vector may lie anywhere.
        unsafe { v128_load(numbers.as_ptr().cast()) }
    };
    let (mut even, mut odd) = (i32x4_splat(0), i32x4_splat(0));
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        even = i32x4_add(even, i32x4_dot_i16x8(load(&a[..8]), load(&b[..8])));
        odd = i32x4_add(odd, i32x4_dot_i16x8(load(&a[8..]), load(&b[8..])));
    }
    let sum = i32x4_add(even, odd);
    [
        i32x4_extract_lane::<0>(sum),
        i32x4_extract_lane::<1>(sum),
        i32x4_extract_lane::<2>(sum),
        i32x4_extract_lane::<3>(sum),
    ]
    .iter()
    .sum()
}

/// e to the power of `x`, which is cut at ±20, to one part in ten thousand; of additions and
/// products alone, so the same on every machine.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-20.0, 20.0) * std::f32::consts::LOG2_E;
    // To the whole number below or above, by the rounding of a large sum.
    const SHIFT: f32 = (3 << 22) as f32;
    let shifted = x + SHIFT;
    let part = (x - (shifted - SHIFT)) * std::f32::consts::LN_2;
    // Taylor's series up to ±ln 2 / 2.
    let power = 1.0 + part * (1.0 + part * (0.5 + part * (1.0 / 6.0 + part * (1.0 / 24.0))));
    // The lowest bits of the large sum are the whole number; those above are shifted out.
    power * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;
    use crate::games::{Hadron, Loa, Murus, Voidrider};

    const HIDDEN: usize = Loa::HIDDEN;
    const INPUTS: usize = Loa::INPUTS;
    const ROWS: usize = Loa::MOVE_ROWS;
    /// Plies of each random game, which may have hundreds.
    const PLIES: usize = 60;
    type OfLoa = Network<HIDDEN, INPUTS, ROWS>;

    /// Runs a test that builds networks, which stand on the stack for a while and are larger than
    /// what a test has.
    fn on_a_large_stack(test: fn()) {
        let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test);
        if let Err(panic) = thread.expect("a thread starts").join() {
            std::panic::resume_unwind(panic);
        }
    }

    /// Random weights, as large as learned ones, and their numbers in the order of the file.
    fn random(seed: u64) -> (Box<OfLoa>, Vec<i16>) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let numbers: Vec<i16> = (0..OfLoa::BYTES / 2).map(|_| rng.i16(-120..=120)).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        (Box::new(Network::from_bytes(&bytes)), numbers)
    }

    /// Score and logits written straight from the definition, in real numbers.
    fn plainly(numbers: &[i16], position: &Loa, moves: &[Move]) -> (f64, Vec<f64>) {
        let row = |at: usize, i: usize| f64::from(numbers[at * HIDDEN + i]);
        let mut hidden = [0.0; HIDDEN];
        for (i, x) in hidden.iter_mut().enumerate() {
            *x = row(INPUTS, i);
            position.for_each_input(|input| *x += row(input, i));
            *x = x.clamp(0.0, 255.0) / 255.0;
        }
        let after = (INPUTS + 2) * HIDDEN;
        let mut value = f64::from(numbers[after]) * 16.0 / (255.0 * 64.0);
        for (i, x) in hidden.iter().enumerate() {
            value += x * x * row(INPUTS + 1, i) / 64.0;
        }
        let logit = |&m: &Move| {
            let mut logit = 0.0;
            position.for_each_move_row(&position.move_context(), m, |at| {
                logit += f64::from(numbers[after + 1 + ROWS * HIDDEN + at]) / 64.0;
                for (i, x) in hidden.iter().enumerate() {
                    logit += x * f64::from(numbers[after + 1 + at * HIDDEN + i]) / 64.0;
                }
            });
            logit
        };
        (value * f64::from(SCORE_ONE), moves.iter().map(logit).collect())
    }

    #[test]
    fn integers_say_what_real_numbers_do() {
        on_a_large_stack(|| {
            let mut rng = fastrand::Rng::with_seed(1);
            for seed in 0..20 {
                let (network, numbers) = random(seed);
                let mut position = Loa::start(Default::default());
                while position.won().is_none() && position.ply() < PLIES {
                    let moves = position.legal_moves();
                    let hidden = network.hidden(&position);
                    let (score, logits) = plainly(&numbers, &position, &moves);
                    let found = f64::from(network.score(&position, &hidden));
                    assert!((found - score).abs() < 1.5, "{found} {score}");
                    let mut weights = vec![0.0; moves.len()];
                    network.weigh(&position, &hidden, &moves, &mut weights);
                    let plain: Vec<f64> =
                        logits.iter().map(|logit| logit.clamp(-20.0, 20.0).exp()).collect();
                    let equal =
                        f64::from(EQUAL_SHARE) * plain.iter().sum::<f64>() / plain.len() as f64;
                    for (weight, plain) in weights.iter().zip(plain) {
                        let expected = plain + equal;
                        assert!(
                            (f64::from(*weight) / expected - 1.0).abs() < 2e-4,
                            "{weight} {expected}"
                        );
                    }
                    let Some(m) = position.random_move(&mut rng) else { break };
                    position.play(m);
                }
            }
        });
    }

    #[test]
    fn a_network_that_is_loaded_says_what_one_that_is_compiled_in_does() {
        on_a_large_stack(|| {
            let (network, numbers) = random(1);
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let loaded = LoadedNetwork::<HIDDEN>::from_bytes(&bytes, INPUTS, ROWS).unwrap();
            let start = Loa::start(Default::default());
            let moves = start.legal_moves();
            let mut weights = [vec![0.0; moves.len()], vec![0.0; moves.len()]];
            let hidden = network.hidden(&start);
            network.weigh(&start, &hidden, &moves, &mut weights[0]);
            let loaded = loaded.parts();
            let seen = loaded.hidden(&start);
            loaded.weigh(&start, &seen, &moves, &mut weights[1]);
            assert_eq!(weights[0], weights[1]);
            assert_eq!(loaded.score(&start, &seen), network.score(&start, &hidden));
            for (inputs, rows) in [(INPUTS - 1, ROWS), (INPUTS, ROWS + 1), (0, 0)] {
                assert!(LoadedNetwork::<HIDDEN>::from_bytes(&bytes, inputs, rows).is_none());
            }
        });
    }

    /// The max number of inputs that are on in random games, and the largest input number.
    fn max_inputs<G: NetworkGame>(start: G) -> (usize, usize) {
        let (mut most, mut largest) = (0, 0);
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(start);
            while state.ending().is_none() {
                let mut count = 0;
                state.position.for_each_input(|input| {
                    count += 1;
                    largest = largest.max(input);
                });
                most = most.max(count);
                state.play(state.position.random_move(&mut rng).expect("the game is not over"));
            }
        }
        (most, largest)
    }

    #[test]
    fn the_sum_of_all_inputs_that_are_on_fits() {
        let found = [
            (max_inputs(Murus::start()), (Murus::MAX_ACTIVE, Murus::INPUTS)),
            (max_inputs(Hadron::start(9, 9)), (Hadron::MAX_ACTIVE, Hadron::INPUTS)),
            (max_inputs(Loa::start(Default::default())), (Loa::MAX_ACTIVE, Loa::INPUTS)),
            (max_inputs(Voidrider::start()), (Voidrider::MAX_ACTIVE, Voidrider::INPUTS)),
        ];
        for ((most, largest), (max_active, inputs)) in found {
            assert!(most <= max_active && largest < inputs, "{found:?}");
        }
    }

    #[test]
    fn a_score_stays_in_its_range_whatever_the_weights() {
        on_a_large_stack(|| {
            let bytes: Vec<u8> = (0..OfLoa::BYTES / 2).flat_map(|_| 128i16.to_le_bytes()).collect();
            let network = Box::new(OfLoa::from_bytes(&bytes));
            let start = Loa::start(Default::default());
            // Every hidden number is 1, and each adds twice the score of 1.
            assert_eq!(network.score(&start, &network.hidden(&start)), MAX_SCORE - 1);
        });
    }

    #[test]
    fn the_exponential_is_right_to_one_part_in_ten_thousand() {
        for step in -2_000..=2_000 {
            let x = step as f32 / 100.0;
            let expected = f64::from(x).exp();
            assert!((f64::from(exp(x)) / expected - 1.0).abs() < 1e-4, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(100.0), exp(20.0));
    }

    #[test]
    #[should_panic(expected = "weights of another network")]
    fn other_weights_are_refused() {
        Network::<16, 4, 2>::from_bytes(&[0; 100]);
    }
}
