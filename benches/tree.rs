//! The tree search alone: time per iteration as the tree outgrows the caches, allocation of the
//! memory, copying of the reachable part of a tree.
//!
//! `cargo bench --bench tree`. Each figure is the median of some rounds; see `cargo bench --bench
//! threads` for a comparison of one thread and two in alternating rounds.

mod measure;

use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::for_each_game;
use alesia::game::GameState;
use alesia::games::{BuiltIn, Murus};
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::report::Report;
use alesia::search::{Engine, EngineOptions};
use measure::{in_earnest, median};

const MIB: f64 = (1 << 20) as f64;

/// Bytes of a node.
const NODE: u64 = 32;

/// Sizes of a search, with the rounds that are enough for each.
const SIZES: [(u64, usize); 4] = [(10_000, 11), (100_000, 5), (1_000_000, 3), (4_000_000, 1)];

fn engine<G: BuiltIn>(memory: usize, threads: usize, trees: usize) -> MonteCarlo<G> {
    let options = EngineOptions { threads, trees, memory, ..EngineOptions::default() };
    MonteCarlo::new(G::standard_start(), &options).expect("memory for the bench")
}

fn think<G: Evaluate>(engine: &mut MonteCarlo<G>, state: &GameState<G>, nodes: u64) -> Report {
    engine.think(state, &Budget::nodes(nodes), &mut |_| {})
}

/// Nanoseconds from one iteration to the next (of all threads together) in searches from the
/// start, by their size, and the mebibytes of their trees.
fn iterations<G: BuiltIn>(memory: usize, sizes: &[(u64, usize)]) {
    for (threads, trees) in [(1, 1), (2, 1), (2, 2)] {
        let mut engine = engine::<G>(memory, threads, trees);
        let start = GameState::new(G::standard_start());
        print!("{:<10} {threads:>7} {trees:>5} ", G::NAME);
        for &(nodes, rounds) in sizes {
            let mut tree = 0.0;
            let times = (0..rounds).map(|round| {
                engine.new_game(round as u64);
                let report = think(&mut engine, &start, nodes);
                tree = (report.tree.expect("a tree search").nodes * NODE) as f64 / MIB;
                report.elapsed.as_nanos() as f64 / report.nodes as f64
            });
            print!(" {:>6.0} {:>6.0}", median(times), tree);
        }
        println!();
    }
}

/// Allocating and touching the memory of an engine.
fn arena(mebibytes: usize, rounds: usize) {
    let times = (0..rounds).map(|_| {
        let begin = Instant::now();
        let engine = engine::<Murus>(mebibytes << 20, 1, 1);
        let elapsed = begin.elapsed();
        drop(engine);
        elapsed.as_secs_f64() * 1e3
    });
    let time = median(times);
    println!("{mebibytes:>10} {time:>8.1} {:>11.0}", time * 1024.0 / mebibytes as f64);
}

/// Keeping the part of a tree that the best move leads to: the time of a search that only keeps.
fn keeping<G: BuiltIn>(memory: usize, nodes: u64, rounds: usize) {
    let mut engine = engine::<G>(memory, 1, 1);
    let mut held = 0.0;
    let kept: Vec<(f64, Duration)> = (0..rounds)
        .map(|round| {
            engine.new_game(round as u64);
            let mut state = GameState::new(G::standard_start());
            let before = think(&mut engine, &state, nodes);
            assert!(before.fill > 500, "a tree too small to be copied");
            held = (before.tree.expect("a tree search").nodes * NODE) as f64 / MIB;
            state.play(before.best);
            let after = think(&mut engine, &state, 0);
            let size = after.tree.expect("a tree search");
            assert!(size.kept > 0, "the move is in the tree");
            ((size.nodes * NODE) as f64 / MIB, after.elapsed)
        })
        .collect();
    let mebibytes = median(kept.iter().map(|kept| kept.0));
    let time = median(kept.iter().map(|kept| kept.1.as_secs_f64() * 1e3));
    let rate = median(kept.iter().map(|kept| kept.1.as_secs_f64() * 1e3 / kept.0));
    println!("{:<10} {held:>8.0} {mebibytes:>8.1} {time:>8.2} {rate:>10.3}", G::NAME);
}

fn main() {
    let earnest = in_earnest();
    println!("ns from one iteration to the next, MiB of the tree, by iterations of the search");
    println!(
        "{:<10} threads trees {:>13} {:>13} {:>13} {:>13}",
        "game", "10 k", "100 k", "1 M", "4 M"
    );
    let (memory, sizes) = if earnest { (6 << 30, &SIZES[..]) } else { (1 << 28, &[(1000, 1)][..]) };
    for_each_game!(G => iterations::<G>(memory, sizes));
    println!("\ntaking and touching the memory");
    println!("       MiB       ms  ms per GiB");
    let rounds = if earnest { 7 } else { 1 };
    for mebibytes in if earnest { &[64, 512, 2048][..] } else { &[64][..] } {
        arena(*mebibytes, rounds);
    }
    println!("\nkeeping the part of the tree that the best move leads to");
    println!("game        MiB held MiB kept       ms ms per MiB");
    let (memory, nodes) = if earnest { (64 << 20, 1_000_000) } else { (1 << 20, 20_000) };
    for_each_game!(G => keeping::<G>(memory, nodes, rounds));
}
