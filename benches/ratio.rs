//! The speed of the fast implementation relative to the plain one, in one run on one core.
//!
//! `cargo bench --bench ratio`. Rounds of both alternate, so that other load of the machine affects
//! both; each ratio is the median of those of the rounds.

mod measure;
mod sample;

use std::hint::black_box;
use std::time::{Duration, Instant};

use fastrand::Rng;
use measure::{in_earnest, median};
use sample::{Benched, POSITIONS};

/// Seconds per item of both implementations, and the ratio of the two.
struct Measured {
    fast: f64,
    plain: f64,
    ratio: f64,
}

/// Does `work` again and again for at least `least`; returns the seconds per item.
fn seconds_per_item(least: Duration, items: u64, work: &mut dyn FnMut()) -> f64 {
    let begin = Instant::now();
    let mut rounds = 0;
    loop {
        work();
        rounds += 1;
        let elapsed = begin.elapsed();
        if elapsed >= least {
            return elapsed.as_secs_f64() / (rounds * items) as f64;
        }
    }
}

/// Measures both implementations in alternating rounds; each call of the work does `items`.
fn measure(rounds: usize, items: u64, fast: &mut dyn FnMut(), plain: &mut dyn FnMut()) -> Measured {
    const ROUND: Duration = Duration::from_millis(20);
    let pairs: Vec<(f64, f64)> = (0..rounds)
        .map(|_| (seconds_per_item(ROUND, items, fast), seconds_per_item(ROUND, items, plain)))
        .collect();
    Measured {
        fast: median(pairs.iter().map(|pair| pair.0)),
        plain: median(pairs.iter().map(|pair| pair.1)),
        ratio: median(pairs.iter().map(|pair| pair.1 / pair.0)),
    }
}

fn row<G: Benched>(rounds: usize) {
    let (positions, plain_positions) = sample::positions::<G>();
    let count = measure(
        rounds,
        POSITIONS as u64,
        &mut || {
            black_box(sample::count_fast(black_box(&positions)));
        },
        &mut || {
            black_box(sample::count_plain(black_box(&plain_positions)));
        },
    );
    let perft = measure(
        rounds,
        sample::perft_fast::<G>(),
        &mut || {
            black_box(sample::perft_fast::<G>());
        },
        &mut || {
            black_box(sample::perft_plain::<G>());
        },
    );
    let (mut fast_rng, mut plain_rng) = (Rng::with_seed(3), Rng::with_seed(3));
    let playouts = measure(
        rounds,
        1,
        &mut || {
            black_box(sample::playout_fast::<G>(&mut fast_rng));
        },
        &mut || {
            black_box(sample::playout_plain::<G>(&mut plain_rng));
        },
    );
    let per_second = |seconds: f64| 1.0 / seconds;
    println!(
        "{:<10} {:>8.1} {:>8.0} {:>6.1} {:>10.1} {:>8.2} {:>6.1} {:>9.0} {:>7.0} {:>6.1}",
        G::NAME,
        count.fast * 1e9,
        count.plain * 1e9,
        count.ratio,
        per_second(perft.fast) / 1e6,
        per_second(perft.plain) / 1e6,
        perft.ratio,
        per_second(playouts.fast),
        per_second(playouts.plain),
        playouts.ratio,
    );
}

fn main() {
    let rounds = if in_earnest() { 25 } else { 1 };
    println!("           ns to count the moves     million sequences/s       playouts/s");
    println!(
        "game           fast    plain  ratio       fast    plain  ratio      fast   plain  ratio"
    );
    macro_rules! rows {
        ([$($game:ident,)+]) => { $(row::<alesia::games::$game>(rounds);)+ };
    }
    alesia_plain::twins!(rows);
}
