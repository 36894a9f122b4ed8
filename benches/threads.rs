//! Two threads of one engine beside two processes of one thread each that run at the same time.
//!
//! `cargo bench --bench threads`. The processes are this program once more, each with half of the
//! memory; a line to each begins a round. All think for the same time, about the start, as engines
//! do in the opponent's time, which no clear leader ends early. Rounds alternate; each ratio is
//! the median of those of the rounds.

mod measure;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use alesia::for_each_game;
use alesia::game::GameState;
use alesia::games::BuiltIn;
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::{Engine, EngineOptions};
use measure::{in_earnest, median};

/// The first argument of a process that is measured; then come the game, its memory in bytes and
/// the milliseconds of a round.
const CHILD: &str = "--child";

fn engine<G: BuiltIn>(memory: usize, threads: usize, trees: usize) -> MonteCarlo<G> {
    let options = EngineOptions { threads, trees, memory, ..EngineOptions::default() };
    MonteCarlo::new(G::standard_start(), &options).expect("memory for the bench")
}

/// Iterations a second of a new search from the start.
fn rate<G: BuiltIn>(engine: &mut MonteCarlo<G>, seed: u64, time: Duration) -> f64 {
    let start = GameState::new(G::standard_start());
    engine.new_game(seed);
    let begin = Instant::now();
    engine.ponder(&start);
    std::thread::sleep(time);
    let elapsed = begin.elapsed();
    // Ends the search and counts it.
    let report = engine.think(&start, &Budget::nodes(0), &mut |_| {});
    let size = report.tree.expect("a tree search");
    size.kept as f64 / elapsed.as_secs_f64()
}

/// A separate process with one thread.
struct Process {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    fn start<G: BuiltIn>(memory: usize, time: Duration) -> Process {
        let program = std::env::current_exe().expect("the path of this program");
        let mut child = Command::new(program)
            .args([CHILD, G::NAME, &memory.to_string(), &time.as_millis().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        let mut process = Process { child, orders, answers };
        assert_eq!(process.answer(), "ready");
        process
    }

    fn order(&mut self, seed: u64) {
        writeln!(self.orders.as_mut().expect("its input"), "{seed}").expect("a process that reads");
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("a process that answers");
        line.trim().to_string()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends with its input.
        self.orders = None;
        let _ = self.child.wait();
    }
}

/// The work of a process: for each seed that it reads, a search; it prints the rate.
fn child<G: BuiltIn>(memory: usize, time: Duration) {
    let mut engine = engine::<G>(memory, 1, 1);
    println!("ready");
    for line in std::io::stdin().lines() {
        let seed = line.expect("text").parse().expect("a seed");
        println!("{}", rate(&mut engine, seed, time));
    }
}

fn row<G: BuiltIn>(memory: usize, time: Duration, rounds: usize) {
    let mut processes = [0; 2].map(|_| Process::start::<G>(memory / 2, time));
    let mut shared = engine::<G>(memory, 2, 1);
    let mut own = engine::<G>(memory, 2, 2);
    let rates: Vec<[f64; 3]> = (0..rounds as u64)
        .map(|round| {
            for (index, process) in processes.iter_mut().enumerate() {
                process.order(2 * round + index as u64);
            }
            let apart =
                processes.iter_mut().map(|p| p.answer().parse::<f64>().expect("a rate")).sum();
            [apart, rate(&mut shared, round, time), rate(&mut own, round, time)]
        })
        .collect();
    let rate = |index: usize| median(rates.iter().map(|rates| rates[index])) / 1e3;
    let ratio = |index: usize| median(rates.iter().map(|rates| rates[index] / rates[0]));
    println!(
        "{:<10} {:>10.0} {:>10.0} {:>6.2} {:>10.0} {:>6.2}",
        G::NAME,
        rate(0),
        rate(1),
        ratio(1),
        rate(2),
        ratio(2),
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, game, memory, millis] = &arguments[..]
        && first == CHILD
    {
        let memory = memory.parse().expect("bytes");
        let time = Duration::from_millis(millis.parse().expect("milliseconds"));
        for_each_game!(G => if *game == G::NAME {
            child::<G>(memory, time);
        });
        return;
    }
    let (memory, time, rounds) = if in_earnest() {
        (2 << 30, Duration::from_secs(1), 11)
    } else {
        (1 << 26, Duration::from_millis(10), 1)
    };
    println!("thousand iterations/s; asked of the ratios: 0.8 (one tree), 0.97 (two)");
    println!("game       2 processes  one tree  ratio  two trees  ratio");
    for_each_game!(G => row::<G>(memory, time, rounds));
}
