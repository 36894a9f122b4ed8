//! Fitting: Adam (Kingma and Ba 2015) on batches of samples, by a few threads.
//!
//! The one idea: each thread has a fixed part of a batch and a gradient of its own, and the
//! gradients are added in order, so the same seed gives the same numbers.

use std::thread;

use super::model::{Loss, Room, Shape, learn};
use super::samples::Samples;
use crate::progress::Progress;

const BATCH: usize = 8192;
const FIRST_MOMENT: f32 = 0.9;
const SECOND_MOMENT: f32 = 0.999;

/// How long and how fast to learn.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// How often every sample is seen.
    pub epochs: usize,
    /// The first step; it falls to nothing.
    pub rate: f32,
    /// Threads.
    pub threads: usize,
    /// Seed of the order.
    pub seed: u64,
}

/// The numbers of a network that fits the samples.
pub fn fit(shape: Shape, samples: &Samples, held_out: &Samples, course: Course) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(course.seed);
    let mut numbers = shape.random(&mut rng);
    let (mut first, mut second) = (vec![0.0f32; shape.len()], vec![0.0f32; shape.len()]);
    let mut gradients = vec![vec![0.0f32; shape.len()]; course.threads];
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let steps = course.epochs * samples.len().div_ceil(BATCH);
    let mut step = 0;
    let mut progress = Progress::new("epochs", course.epochs as u64);
    for epoch in 0..course.epochs {
        rng.shuffle(&mut order);
        let mut all = Loss::default();
        for batch in order.chunks(BATCH) {
            all = all.plus(gradient_of(shape, &numbers, samples, batch, &mut gradients));
            let rate = course.rate * (1.0 - step as f32 / steps as f32);
            step += 1;
            let scale = 1.0 / batch.len() as f32;
            let correct = |moment: f32| 1.0 / (1.0 - moment.powi(step as i32));
            let (correct_first, correct_second) = (correct(FIRST_MOMENT), correct(SECOND_MOMENT));
            let (last, others) = gradients.split_last_mut().expect("a thread");
            for at in 0..shape.len() {
                let mut slope = last[at];
                last[at] = 0.0;
                for other in &mut *others {
                    slope += other[at];
                    other[at] = 0.0;
                }
                let slope = slope * scale;
                first[at] = FIRST_MOMENT * first[at] + (1.0 - FIRST_MOMENT) * slope;
                second[at] = SECOND_MOMENT * second[at] + (1.0 - SECOND_MOMENT) * slope * slope;
                let down =
                    first[at] * correct_first / ((second[at] * correct_second).sqrt() + 1e-8);
                numbers[at] -= rate * down;
            }
            for at in 0..shape.len() {
                let limit = shape.limit(at);
                numbers[at] = numbers[at].clamp(-limit, limit);
            }
        }
        let unseen = loss_of(shape, &numbers, held_out, course.threads);
        progress.each(epoch as u64 + 1, || format!("{}; held out {}", text(all), text(unseen)));
    }
    numbers
}

/// Its words for people.
pub fn text(loss: Loss) -> String {
    format!(
        "value {:.4}, moves {:.4}, first {:.1} %",
        loss.value / loss.samples as f64,
        loss.moves / loss.with_move.max(1) as f64,
        100.0 * loss.first as f64 / loss.with_move.max(1) as f64
    )
}

fn gradient_of(
    shape: Shape,
    numbers: &[f32],
    samples: &Samples,
    batch: &[u32],
    gradients: &mut [Vec<f32>],
) -> Loss {
    let part = batch.len().div_ceil(gradients.len());
    thread::scope(|scope| {
        let mut running = Vec::new();
        for (batch, gradient) in batch.chunks(part).zip(gradients) {
            running.push(scope.spawn(move || {
                let mut room = Room::default();
                let mut loss = Loss::default();
                for &index in batch {
                    let sample = samples.get(index as usize);
                    let one = learn(shape, numbers, sample, Some(gradient), &mut room);
                    loss = loss.plus(one);
                }
                loss
            }));
        }
        running
            .into_iter()
            .fold(Loss::default(), |sum, one| sum.plus(one.join().expect("no panic")))
    })
}

/// The loss on samples that nothing is learned from.
pub fn loss_of(shape: Shape, numbers: &[f32], samples: &Samples, threads: usize) -> Loss {
    let all: Vec<usize> = (0..samples.len()).collect();
    thread::scope(|scope| {
        let mut running = Vec::new();
        for part in all.chunks(all.len().div_ceil(threads).max(1)) {
            running.push(scope.spawn(move || {
                let mut room = Room::default();
                part.iter().fold(Loss::default(), |sum, &index| {
                    sum.plus(learn(shape, numbers, samples.get(index), None, &mut room))
                })
            }));
        }
        running
            .into_iter()
            .fold(Loss::default(), |sum, one| sum.plus(one.join().expect("no panic")))
    })
}
