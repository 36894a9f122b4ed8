//! The rules on one core: counting legal moves, move sequences and random playouts, by the fast
//! and by the plain implementation.
//!
//! `cargo bench --bench rules`; how many times faster the one is says `cargo bench --bench ratio`.

mod measure;
mod sample;

use alesia::games::GameSpec;
use alesia::with_listed_game;
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

    #[divan::bench(args = GameSpec::ALL, sample_size = 20)]
    fn fast(bencher: Bencher, game: GameSpec) {
        with_listed_game!(game, start => fast_of(start, bencher));
    }

    fn fast_of<G: Benched>(_: G, bencher: Bencher) {
        let (positions, _) = sample::positions::<G>();
        let bencher = bencher.counter(ItemsCount::new(POSITIONS));
        bencher.bench_local(|| sample::count_fast(divan::black_box(&positions)));
    }

    #[divan::bench(args = GameSpec::ALL, sample_size = 1)]
    fn plain(bencher: Bencher, game: GameSpec) {
        with_listed_game!(game, start => plain_of(start, bencher));
    }

    fn plain_of<G: Benched>(_: G, bencher: Bencher) {
        let (_, positions) = sample::positions::<G>();
        let bencher = bencher.counter(ItemsCount::new(POSITIONS));
        bencher.bench_local(|| sample::count_plain(divan::black_box(&positions)));
    }
}

/// Items are move sequences.
#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod perft {
    use super::*;

    #[divan::bench(args = GameSpec::ALL)]
    fn fast(bencher: Bencher, game: GameSpec) {
        with_listed_game!(game, start => fast_of(start, bencher));
    }

    fn fast_of<G: Benched>(_: G, bencher: Bencher) {
        let bencher = bencher.counter(ItemsCount::new(sample::perft_fast::<G>()));
        bencher.bench_local(sample::perft_fast::<G>);
    }

    #[divan::bench(args = GameSpec::ALL)]
    fn plain(bencher: Bencher, game: GameSpec) {
        with_listed_game!(game, start => plain_of(start, bencher));
    }

    fn plain_of<G: Benched>(_: G, bencher: Bencher) {
        let bencher = bencher.counter(ItemsCount::new(sample::perft_fast::<G>()));
        bencher.bench_local(sample::perft_plain::<G>);
    }
}

/// Items are random games from the start to the end.
#[divan::bench_group(sample_count = 20)]
mod playouts {
    use super::*;

    #[divan::bench(args = GameSpec::ALL, sample_size = 200)]
    fn fast(bencher: Bencher, game: GameSpec) {
        with_listed_game!(game, start => fast_of(start, bencher));
    }

    fn fast_of<G: Benched>(_: G, bencher: Bencher) {
        let mut rng = Rng::with_seed(2);
        let bencher = bencher.counter(ItemsCount::new(1u32));
        bencher.bench_local(|| sample::playout_fast::<G>(&mut rng));
    }

    #[divan::bench(args = GameSpec::ALL, sample_size = 5)]
    fn plain(bencher: Bencher, game: GameSpec) {
        with_listed_game!(game, start => plain_of(start, bencher));
    }

    fn plain_of<G: Benched>(_: G, bencher: Bencher) {
        let mut rng = Rng::with_seed(2);
        let bencher = bencher.counter(ItemsCount::new(1u32));
        bencher.bench_local(|| sample::playout_plain::<G>(&mut rng));
    }
}
