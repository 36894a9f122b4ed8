//! Fitting: Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015) on batches of
//! samples, by a few threads.
//!
//! The one idea: a batch is cut into the same parts for any number of threads, each part has its
//! own gradient, and the gradients are added in the order of the parts. So the same samples,
//! initial weights and seed give the same result. The samples are read a group at a time.

use std::sync::{Mutex, PoisonError};
use std::thread;

use alesia::game::chance::Chance;
use alesia::words::command_error::CommandError;
use alesia_match::words::progress::Progress;

use super::loss::Loss;
use super::model::{Prediction, learn, loss};
use super::sample_file::{Group, Place, SampleFile, even_parts};
use super::shape::Shape;

/// Max samples from which one step is made.
const BATCH: usize = 8192;
/// Samples of a part of a batch.
const PART: usize = 512;

/// The decay rates of the means of the gradients and of their squares, and the term against a
/// division by zero: the values of the paper.
const FIRST_MOMENT: f32 = 0.9;
const SECOND_MOMENT: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// How long and how fast to learn.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// How often every sample is seen.
    pub epochs: usize,
    /// How much a number changes in the first step, about; it falls evenly to nothing.
    pub rate: f32,
    pub threads: usize,
}

/// The numbers of a network that is fitted to the samples, from the first `numbers` on; `rng`
/// orders the samples. After each epoch, its number from 1, the numbers so far and the loss in its
/// course are handed to `each_epoch`.
///
/// # Errors
/// Those of `each_epoch` and of the file of samples.
pub fn fit<const HIDDEN: usize>(
    shape: Shape<HIDDEN>,
    numbers: Vec<f32>,
    samples: &SampleFile,
    course: Course,
    rng: &mut fastrand::Rng,
    mut each_epoch: impl FnMut(usize, &[f32], Loss) -> Result<(), CommandError>,
) -> Result<Vec<f32>, CommandError> {
    let mut learner = Learner::new(shape, numbers, course.threads);
    let all_samples = course.epochs as u64 * samples.len() as u64;
    let mut seen = 0;
    let mut progress = Progress::new("samples", all_samples);
    for epoch in 1..=course.epochs {
        let mut all = Loss::default();
        for blocks in samples.mixed_groups(rng) {
            let mut group = samples.read(&blocks)?;
            let mut order = group.take_places();
            rng.mix(&mut order);
            for batch in even_parts(&order, BATCH) {
                let done = (seen as f64 / all_samples as f64) as f32;
                all = all + learner.step(&group, batch, course.rate * (1.0 - done));
                seen += batch.len() as u64;
                progress.show(seen, || format!("epoch {epoch} of {}", course.epochs));
            }
        }
        progress.suspend(|| each_epoch(epoch, &learner.numbers, all))?;
    }
    progress.end();
    Ok(learner.numbers)
}

/// A network that learns.
struct Learner<const HIDDEN: usize> {
    shape: Shape<HIDDEN>,
    numbers: Vec<f32>,
    adam: Adam,
    /// One for each part of a batch; zeros between steps.
    gradients: Vec<Vec<f32>>,
    threads: usize,
}

impl<const HIDDEN: usize> Learner<HIDDEN> {
    fn new(shape: Shape<HIDDEN>, numbers: Vec<f32>, threads: usize) -> Learner<HIDDEN> {
        let gradients = vec![vec![0.0; shape.len()]; BATCH / PART];
        Learner { shape, numbers, adam: Adam::new(shape.len()), gradients, threads }
    }

    /// Learns from a batch; the loss before that.
    fn step(&mut self, group: &Group, batch: &[Place], rate: f32) -> Loss {
        let Learner { shape, numbers, adam, gradients, threads } = self;
        let parts = batch.chunks(PART).zip(&mut *gradients).collect();
        let losses = in_parts(parts, *threads, |(part, gradient)| {
            let mut room = Prediction::default();
            part.iter().fold(Loss::default(), |sum, &place| {
                sum + learn(*shape, numbers, group.get(place), gradient, &mut room)
            })
        });
        adam.step(numbers, sum(gradients), batch.len(), rate);
        for (at, number) in numbers.iter_mut().enumerate() {
            let limit = shape.limit(at);
            *number = number.clamp(-limit, limit);
        }
        losses.into_iter().fold(Loss::default(), |sum, loss| sum + loss)
    }
}

/// The loss on samples from which nothing is learned.
///
/// # Errors
/// Those of the file of samples.
pub fn loss_on<const HIDDEN: usize>(
    shape: Shape<HIDDEN>,
    numbers: &[f32],
    samples: &SampleFile,
    threads: usize,
) -> Result<Loss, CommandError> {
    let mut all = Loss::default();
    for blocks in samples.groups() {
        let mut group = samples.read(&blocks)?;
        let places = group.take_places();
        let losses = in_parts(places.chunks(PART).collect(), threads, |part: &[Place]| {
            let mut room = Prediction::default();
            part.iter().fold(Loss::default(), |sum, &place| {
                sum + loss(shape, numbers, group.get(place), &mut room)
            })
        });
        all = losses.into_iter().fold(all, |sum, loss| sum + loss);
    }
    Ok(all)
}

/// Does the work of each part on `threads` threads; the results come in the order of the parts.
fn in_parts<T: Send, R: Send>(
    mut parts: Vec<T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let of_each = parts.len().div_ceil(threads).max(1);
    let mut shares = Vec::new();
    while !parts.is_empty() {
        let rest = parts.split_off(of_each.min(parts.len()));
        shares.push(Mutex::new(std::mem::replace(&mut parts, rest)));
    }
    let done = |share: &Mutex<Vec<T>>| -> Vec<R> {
        let mine = std::mem::take(&mut *share.lock().unwrap_or_else(PoisonError::into_inner));
        mine.into_iter().map(&work).collect()
    };
    let done = &done;
    thread::scope(|scope| {
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || done(share));
        let running: Vec<_> = shares.iter().map(|share| (share, start(share))).collect();
        // Without a thread the work is done here.
        let ended = running.into_iter().flat_map(|(share, part)| match part {
            Ok(part) => part.join().expect("no panic"),
            Err(_) => done(share),
        });
        ended.collect()
    })
}

/// Adds all gradients up in the first one, in order, and makes the others zero.
fn sum(gradients: &mut [Vec<f32>]) -> &mut [f32] {
    let (all, others) = gradients.split_first_mut().expect("a batch has parts");
    for other in others {
        for (sum, slope) in all.iter_mut().zip(other) {
            *sum += *slope;
            *slope = 0.0;
        }
    }
    all
}

/// The state of Adam.
struct Adam {
    /// Means of the gradients and of their squares.
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(len: usize) -> Adam {
        Adam { first: vec![0.0; len], second: vec![0.0; len], steps: 0 }
    }

    /// One step down the mean of `count` gradients; their sum is reset to zero for the next.
    fn step(&mut self, numbers: &mut [f32], sum: &mut [f32], count: usize, rate: f32) {
        self.steps += 1;
        // The means began at zero.
        let first_weight = 1.0 - FIRST_MOMENT.powi(self.steps);
        let second_weight = 1.0 - SECOND_MOMENT.powi(self.steps);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((number, sum), (first, second)) in numbers.iter_mut().zip(sum).zip(moments) {
            let slope = *sum / count as f32;
            *sum = 0.0;
            *first = FIRST_MOMENT * *first + (1.0 - FIRST_MOMENT) * slope;
            *second = SECOND_MOMENT * *second + (1.0 - SECOND_MOMENT) * slope * slope;
            let down = (*first / first_weight) / ((*second / second_weight).sqrt() + EPSILON);
            *number -= rate * down;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::loss::Share;
    use crate::tune::model::Sample;
    use crate::tune::sample_file::SampleWriter;

    const SHAPE: Shape<64> = Shape { inputs: 4, rows: 2, value_one: 64 };

    /// Positions with one of two inputs on that decides the winner and the good move, plus noise.
    fn samples(count: usize, seed: u64) -> SampleFile {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut samples = SampleWriter::new(Some(&std::env::temp_dir())).unwrap();
        for _ in 0..count {
            let good = rng.u16(..2);
            samples.push(Sample {
                inputs: &[good, 2 + rng.u16(..2)],
                row_ends: &[1, 2],
                rows: &[0, 1],
                shares: &[Share { number: good, share: 1.0 }],
                target: Some(f32::from(good)),
                base: 0.0,
            });
        }
        samples.end().unwrap().unwrap()
    }

    fn course(epochs: usize, threads: usize) -> Course {
        Course { epochs, rate: 0.02, threads }
    }

    fn fit_from_random(
        samples: &SampleFile,
        course: Course,
        each_epoch: impl FnMut(usize, &[f32], Loss) -> Result<(), CommandError>,
    ) -> Vec<f32> {
        let rng = &mut fastrand::Rng::with_seed(1);
        let first = SHAPE.random(rng);
        fit(SHAPE, first, samples, course, rng, each_epoch).unwrap()
    }

    #[test]
    fn learns_a_known_function() {
        let (learned, held_out) = (samples(60, 1), samples(40, 2));
        let mut losses = Vec::new();
        let numbers = fit_from_random(&learned, course(60, 2), |epoch, numbers, _| {
            losses.push(loss_on(SHAPE, numbers, &held_out, 2)?);
            assert_eq!(epoch, losses.len());
            Ok(())
        });
        let (first, last) = (losses[0], losses[59]);
        assert_eq!(last, loss_on(SHAPE, &numbers, &held_out, 1).unwrap());
        assert!(last.value() < 0.5 * first.value(), "{first}; {last}");
        assert!(last.moves() < 0.5 * first.moves(), "{first}; {last}");
        assert_eq!(last.first(), 1.0);
    }

    #[test]
    fn the_numbers_are_the_same_whatever_the_threads() {
        // Several blocks in several groups.
        let samples = samples(7000, 3).in_groups_of(1);
        assert!(samples.groups().len() > 1);
        let with = |threads| {
            let mut losses = Vec::new();
            let numbers = fit_from_random(&samples, course(2, threads), |_, _, loss| {
                losses.push(loss);
                Ok(())
            });
            let loss = loss_on(SHAPE, &numbers, &samples, threads).unwrap();
            (numbers, losses, loss)
        };
        let alone = with(1);
        for threads in [3, 40] {
            assert!(with(threads) == alone);
        }
    }
}
