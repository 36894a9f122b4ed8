//! What an addition costs to a word that other threads add to as well, as the threads of one tree
//! do to the statistics of its root.
//!
//! `cargo bench --bench shared_writes`. Each thread adds again and again: to a word of its own, or
//! all to one. The word's cache line goes from core to core, and only the core that has it can add,
//! so that more threads make no more additions. A batch adds twice to its root, which bounds the
//! iterations of one tree. Rounds alternate; each figure is the median of those of the rounds.

mod measure;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::eval::oracle::Oracle;
use alesia::games::{Hadron, Murus};
use crossbeam::utils::CachePadded;
use measure::{in_earnest, median};

/// Additions to the root's statistics for a batch.
const ADDITIONS: u64 = 2;

/// Additions between two looks at the clock's flag.
const ADDED_AT_ONCE: u64 = 100;

/// Millions of additions a second that all threads make together, in `words` words.
fn speed(threads: usize, words: &[CachePadded<AtomicU64>], time: Duration) -> f64 {
    let stop = AtomicBool::new(false);
    let before: u64 = words.iter().map(|word| word.load(Ordering::Relaxed)).sum();
    let begin = Instant::now();
    thread::scope(|scope| {
        for index in 0..threads {
            let (word, stop) = (&words[index % words.len()], &stop);
            scope.spawn(move || {
                // Relaxed: counters, read after the threads have been joined.
                while !stop.load(Ordering::Relaxed) {
                    for _ in 0..ADDED_AT_ONCE {
                        word.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        thread::sleep(time);
        stop.store(true, Ordering::Relaxed);
    });
    let after: u64 = words.iter().map(|word| word.load(Ordering::Relaxed)).sum();
    (after - before) as f64 / begin.elapsed().as_secs_f64() / 1e6
}

/// Iterations of a batch at the root.
fn batch<G: Evaluate>() -> u64 {
    G::Oracle::POLL_ITERATIONS
}

fn main() {
    let batches = [batch::<Murus>(), batch::<Hadron>()];
    let (rounds, time) =
        if in_earnest() { (15, Duration::from_millis(50)) } else { (1, Duration::from_millis(1)) };
    let cores = available_parallelism().map_or(1, usize::from);
    let doubled = std::iter::successors(Some(1), |&threads| Some(2 * threads));
    let numbers = doubled.take_while(|&threads| threads < cores).chain([cores]);
    println!("ns for an addition of one thread; M iterations/s that the root's word allows, with");
    println!("batches of {} iterations, and of {} as in Hadron", batches[0], batches[1]);
    let heads = ["threads", "own words", "one word", "iterations/s", "in Hadron"];
    println!("{:>7} {:>9} {:>8} {:>12} {:>9}", heads[0], heads[1], heads[2], heads[3], heads[4]);
    for threads in numbers {
        let words: Vec<_> = (0..threads).map(|_| CachePadded::default()).collect();
        let measured: Vec<[f64; 2]> = (0..rounds)
            .map(|_| [speed(threads, &words, time), speed(threads, &words[..1], time)])
            .collect();
        let [own, one] = [0, 1].map(|way| median(measured.iter().map(|speeds| speeds[way])));
        let nanoseconds = |millions: f64| threads as f64 * 1e3 / millions;
        let [all, hadron] = batches.map(|batch| one * batch as f64 / ADDITIONS as f64);
        let [own, one] = [own, one].map(nanoseconds);
        println!("{threads:>7} {own:>9.1} {one:>8.1} {all:>12.0} {hadron:>9.0}");
    }
}
