//! The time to solve endgames of Hadron from the engine's own games: the whole distribution, by the
//! number of live cells, on one core.
//!
//! `cargo bench --bench hadron_endgames` solves those of `tests/data/hadron_endgames.tsv`, each
//! with a new solver. `-- --make` writes such a file instead: positions with fixed numbers of live
//! cells, from games that the tree search plays against itself at 2,000 iterations a move, after
//! four random plies.

mod measure;

use std::time::Instant;

use alesia::eval::stop::Stop;
use alesia::game::{Game, GameState};
use alesia::games::hadron::endgame::Solver;
use alesia::games::{BuiltIn, Hadron};
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::{Engine, EngineOptions};
use measure::in_earnest;

const FILE: &str = include_str!("../tests/data/hadron_endgames.tsv");

/// Live cells, with the positions of each, one of each to a game.
const SIZES: [u32; 5] = [20, 26, 32, 38, 44];
const POSITIONS: usize = 200;

/// Iterations a move of the games that positions are taken from.
const ITERATIONS: u64 = 2_000;

/// Steps after which a position counts as unsolved: about a second.
const MAX_STEPS: u64 = 8_000_000;

/// Prints positions of games by the engine.
fn make() {
    println!("# Live cells and positions of Hadron, {POSITIONS} of each number, of games of the");
    println!("# tree search at {ITERATIONS} iterations a move after 4 random plies. Made by");
    println!("# cargo bench --bench hadron_endgames -- --make > tests/data/hadron_endgames.tsv");
    let options = EngineOptions { memory: 8 << 20, ..EngineOptions::default() };
    let mut engine =
        MonteCarlo::new(Hadron::standard_start(), &options).expect("memory for the bench");
    let mut found: [Vec<Hadron>; SIZES.len()] = Default::default();
    for game in 0.. {
        let mut rng = fastrand::Rng::with_seed(game);
        engine.new_game(game);
        let mut state = GameState::new(Hadron::standard_start());
        while state.ending().is_none() {
            let live = state.position.live().count_ones();
            if let Some(of_size) = SIZES.iter().position(|&size| size == live)
                && found[of_size].len() < POSITIONS
            {
                found[of_size].push(state.position);
            }
            let random = state.position.random_move(&mut rng).filter(|_| state.position.ply() < 4);
            let best = || engine.think(&state, &Budget::nodes(ITERATIONS), &mut |_| {}).best;
            state.play(random.unwrap_or_else(best));
        }
        if found.iter().all(|positions| positions.len() == POSITIONS) {
            break;
        }
    }
    for (size, positions) in SIZES.iter().zip(&found) {
        for position in positions {
            println!("{size}\t{position}");
        }
    }
}

/// The positions of the file with this number of live cells.
fn positions(size: u32) -> Vec<Hadron> {
    let lines = FILE.lines().filter_map(|line| line.split_once('\t'));
    let boards = lines.filter(|(live, _)| *live == size.to_string());
    boards
        .map(|(_, board)| Hadron::standard_start().parse_board(board).expect("a position"))
        .collect()
}

fn main() {
    if std::env::args().any(|argument| argument == "--make") {
        return make();
    }
    println!("milliseconds to solve an endgame, by live cells");
    println!("live positions unsolved     p10     p50     p80     p90     p95     p99     max");
    let mut solver = Solver::new();
    for size in SIZES {
        let mut positions = positions(size);
        if !in_earnest() {
            positions.truncate(5);
        }
        let mut unsolved = 0;
        let mut times: Vec<f64> = Vec::new();
        for position in &positions {
            solver.clear();
            let begin = Instant::now();
            let solved = solver.solve(position, MAX_STEPS, Stop::NEVER);
            times.push(begin.elapsed().as_secs_f64() * 1e3);
            unsolved += usize::from(solved.is_none());
        }
        times.sort_by(f64::total_cmp);
        let at = |hundredth: usize| times[(times.len() - 1) * hundredth / 100];
        print!("{size:>4} {:>9} {unsolved:>8}", positions.len());
        for hundredth in [10, 50, 80, 90, 95, 99, 100] {
            print!(" {:>7.3}", at(hundredth));
        }
        println!();
    }
}
