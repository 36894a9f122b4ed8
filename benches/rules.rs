//! The rules on one core: counting legal moves, move sequences and random playouts, by the fast
//! and by the plain implementation.
//!
//! `cargo bench --bench rules`; how many times faster the one is says `cargo bench --bench ratio`.

mod measure;
mod sample;

use alesia::games::{Hadron, Loa, Murus, Voidrider};
use divan::Bencher;
use divan::counter::ItemsCount;
use fastrand::Rng;
use sample::{Benched, POSITIONS};

fn main() {
    divan::main();
}

/// An item is a position: its legal moves are counted.
#[divan::bench_group(sample_count = 50)]
mod count_moves {
    use super::*;

    #[divan::bench(types = [Murus, Hadron, Loa, Voidrider], sample_size = 20)]
    fn fast<G: Benched>(bencher: Bencher) {
        let (positions, _) = sample::positions::<G>();
        let bencher = bencher.counter(ItemsCount::new(POSITIONS));
        bencher.bench_local(|| sample::count_fast(divan::black_box(&positions)));
    }

    #[divan::bench(types = [Murus, Hadron, Loa, Voidrider], sample_size = 1)]
    fn plain<G: Benched>(bencher: Bencher) {
        let (_, positions) = sample::positions::<G>();
        let bencher = bencher.counter(ItemsCount::new(POSITIONS));
        bencher.bench_local(|| sample::count_plain(divan::black_box(&positions)));
    }
}

/// Items are move sequences.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod perft {
    use super::*;

    #[divan::bench(types = [Murus, Hadron, Loa, Voidrider])]
    fn fast<G: Benched>(bencher: Bencher) {
        let bencher = bencher.counter(ItemsCount::new(sample::perft_fast::<G>()));
        bencher.bench_local(sample::perft_fast::<G>);
    }

    #[divan::bench(types = [Murus, Hadron, Loa, Voidrider])]
    fn plain<G: Benched>(bencher: Bencher) {
        let bencher = bencher.counter(ItemsCount::new(sample::perft_fast::<G>()));
        bencher.bench_local(sample::perft_plain::<G>);
    }
}

/// Items are random games from the start to the end.
#[divan::bench_group(sample_count = 20)]
mod playouts {
    use super::*;

    #[divan::bench(types = [Murus, Hadron, Loa, Voidrider], sample_size = 200)]
    fn fast<G: Benched>(bencher: Bencher) {
        let mut rng = Rng::with_seed(2);
        let bencher = bencher.counter(ItemsCount::new(1u32));
        bencher.bench_local(|| sample::playout_fast::<G>(&mut rng));
    }

    #[divan::bench(types = [Murus, Hadron, Loa, Voidrider], sample_size = 5)]
    fn plain<G: Benched>(bencher: Bencher) {
        let mut rng = Rng::with_seed(2);
        let bencher = bencher.counter(ItemsCount::new(1u32));
        bencher.bench_local(|| sample::playout_plain::<G>(&mut rng));
    }
}
