//! `alesia-lab stress scale`: the tree search with 1 thread up to twice as many as cores, on one
//! tree or several. It measures the speed, how often threads collide, and the time for keeping the
//! trees after a move, and checks whether they are valid.
//!
//! The one idea: more threads than cores are the hardest case, as a thread may be interrupted
//! anywhere for a long time while the others continue.

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::{AnyGame, GameSpec};
use alesia::record::measure::{doubled, medians};
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::mcts::inspect::NODE_BYTES;
use alesia::search::size::Size;
use alesia::search::{Engine, EngineError, EngineOptions};
use alesia::with_game;
use alesia::words::command_error::CommandError;
use alesia::words::time_span::milliseconds_in;
use alesia_report::run::ThreadsRow;
use clap::Args;

use alesia::words::json_file::{JsonFile, JsonOption};

/// The arguments of `alesia-lab stress scale`.
#[derive(Args)]
pub struct Scale {
    /// Game [default: all].
    #[arg(long, value_name = "GAME", help_heading = "Game", value_parser = GameSpec::open)]
    game: Option<GameSpec>,
    /// Max threads [default: twice the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024),
          help_heading = "Engine")]
    threads: Option<u16>,
    /// Time per search in ms.
    #[arg(long, value_name = "MS", default_value_t = 500, help_heading = "Time",
          value_parser = |text: &str| milliseconds_in(text, 1..=3_600_000))]
    time: u64,
    /// Memory for the trees.
    #[arg(long, value_name = "SIZE", default_value = "512MiB", help_heading = "Engine")]
    memory: Size,
    /// Searches of each case; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Time",
          value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Only 1, 2, 4 … threads and the most, but each with 1, 2, 4 … trees up to one per thread.
    #[arg(long, conflicts_with = "trees", help_heading = "Engine")]
    grid: bool,
    /// Only the most threads, on this number of trees.
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u16).range(1..=1024),
          help_heading = "Engine")]
    trees: Option<u16>,
    #[command(flatten)]
    json: JsonOption,
}

/// The numbers of threads and trees that are measured.
enum Cases {
    /// Each number of threads on one tree.
    Threads,
    /// Each power of two and the most: threads, with each such number of trees.
    Grid,
    /// All threads on this number of trees.
    Trees(usize),
}

impl Cases {
    fn up_to(&self, most: usize) -> Vec<(usize, usize)> {
        match *self {
            Cases::Threads => (1..=most).map(|threads| (threads, 1)).collect(),
            Cases::Grid => doubled(most)
                .flat_map(|threads| doubled(threads).map(move |trees| (threads, trees)))
                .collect(),
            Cases::Trees(trees) => vec![(most, trees.min(most))],
        }
    }
}

/// What one search has measured.
struct Measured {
    iterations_per_second: f64,
    /// Blocks and lost claims per million iterations.
    blocks: f64,
    lost_claims: f64,
    nodes: usize,
    /// Part of the pools that was used, 0 to 1.
    fill: f64,
    /// Nodes that were kept and the time for it; none where the game is over after one move.
    keeping: Option<(usize, Duration)>,
}

impl Measured {
    fn row(&self, game: &str, (threads, trees): (usize, usize)) -> ThreadsRow {
        let mebibytes = |nodes: usize| (nodes * NODE_BYTES) as f64 / f64::from(1 << 20);
        let keep_ms = self.keeping.map(|(_, time)| time.as_secs_f64() * 1e3);
        let keep_speed = self.keeping.map(|(nodes, time)| mebibytes(nodes) / time.as_secs_f64());
        ThreadsRow {
            game: game.to_owned(),
            threads: threads as u32,
            trees: trees as u32,
            speed: self.iterations_per_second.round(),
            blocks: self.blocks.round(),
            lost_claims: self.lost_claims.round(),
            nodes: self.nodes as u64,
            fill: Some(self.fill),
            kept: self.keeping.map(|(nodes, _)| nodes as u64),
            keep_ms: keep_ms.map(|ms| (100.0 * ms).round() / 100.0),
            keep_speed: keep_speed.map(f64::round),
        }
    }
}

/// The columns, with their widths.
const COLUMNS: [(&str, usize); 12] = [
    ("game", 10),
    ("threads", 7),
    ("trees", 5),
    ("iterations/s", 12),
    ("relative", 8),
    ("blocks/M", 8),
    ("lost claims/M", 13),
    ("nodes", 10),
    ("full %", 6),
    ("kept", 10),
    ("keep ms", 8),
    ("MiB/s", 7),
];

/// The cells of a row; `relative` is its speed in times of that of the first case.
fn cells(row: &ThreadsRow, relative: f64) -> [String; COLUMNS.len()] {
    let shown = |value: Option<f64>, decimals: usize| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
    };
    [
        row.game.clone(),
        row.threads.to_string(),
        row.trees.to_string(),
        shown(Some(row.speed), 0),
        shown(Some(relative), 2),
        shown(Some(row.blocks), 0),
        shown(Some(row.lost_claims), 0),
        row.nodes.to_string(),
        shown(row.fill.map(|fill| 100.0 * fill), 1),
        row.kept.map_or_else(|| "-".to_owned(), |nodes| nodes.to_string()),
        shown(row.keep_ms, 1),
        shown(row.keep_speed, 0),
    ]
}

/// A line of the table: the first column to the left, the others to the right.
fn line(cells: [impl AsRef<str>; COLUMNS.len()]) -> String {
    let padded = cells.iter().zip(COLUMNS).enumerate().map(|(at, (cell, (_, width)))| match at {
        0 => format!("{:width$}", cell.as_ref()),
        _ => format!("{:>width$}", cell.as_ref()),
    });
    padded.collect::<Vec<String>>().join(" ")
}

impl Scale {
    pub fn run(&self) -> Result<(), CommandError> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let most = self.threads.map_or(2 * cores, usize::from);
        let games = self.game.map_or_else(GameSpec::all, |game| vec![game]);
        let mut json = self.json.begin(crate::PROGRAM, "stress scale")?;
        writeln!(stdout(), "{cores} cores, {} ms a search, {} rounds", self.time, self.rounds)?;
        writeln!(stdout(), "{}", line(COLUMNS.map(|(head, _)| head)))?;
        for game in games {
            self.measure(&game.to_string(), AnyGame::start(game), most, &mut json)?;
        }
        writeln!(stdout(), "all trees valid")?;
        Ok(())
    }

    /// A row for each case.
    fn measure(
        &self,
        name: &str,
        start: AnyGame,
        most: usize,
        json: &mut JsonFile,
    ) -> Result<(), CommandError> {
        let kind = match self.trees {
            Some(trees) => Cases::Trees(trees.into()),
            None if self.grid => Cases::Grid,
            None => Cases::Threads,
        };
        let cases = kind.up_to(most);
        let of_speed = |measured: &Measured| measured.iterations_per_second;
        let search =
            |case: usize| with_game!(start, start => self.search(name, start, cases[case]));
        let found = medians(cases.len(), self.rounds.into(), of_speed, search)?;
        for (&case, measured) in cases.iter().zip(&found) {
            let row = measured.row(name, case);
            let relative = measured.iterations_per_second / found[0].iterations_per_second;
            writeln!(stdout(), "{}", line(cells(&row, relative)))?;
            json.add(&row)?;
        }
        Ok(())
    }

    /// One search from the start, and a check of its trees, before and after they are kept.
    fn search<G: Evaluate>(
        &self,
        name: &str,
        start: G,
        (threads, trees): (usize, usize),
    ) -> Result<Measured, CommandError> {
        let failed = |what: String| {
            CommandError::Failed(format!("{name}, {threads} threads, {trees} trees: {what}"))
        };
        let memory = self.memory.bytes();
        let options = EngineOptions { threads, trees, memory, ..Default::default() };
        let built = MonteCarlo::new(start, &options);
        let mut engine = built.map_err(|error: EngineError| failed(error.to_string()))?;
        let mut state = GameState::new(start);
        let started = Instant::now();
        let budget = Budget::until(started + Duration::from_millis(self.time));
        let report = engine.think(&state, &budget, &mut |_| {});
        let spent = started.elapsed();
        let found = engine.inspect().map_err(failed)?;
        state.play(report.best);
        let keep_time = state.ending().is_none().then(|| engine.keep_trees(&state));
        let kept = engine.inspect_nodes().map_err(failed)?;
        // A game that is over at once needs no iteration.
        let millions = found.iterations.max(1) as f64 / 1e6;
        Ok(Measured {
            iterations_per_second: found.iterations as f64 / spent.as_secs_f64(),
            blocks: found.blocks as f64 / millions,
            lost_claims: found.lost_claims as f64 / millions,
            nodes: found.nodes,
            fill: f64::from(report.fill) / 1e3,
            keeping: keep_time.map(|time| (kept, time)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_each_doubling_and_the_most() {
        assert_eq!(Cases::Threads.up_to(3), [(1, 1), (2, 1), (3, 1)]);
        let of_six = [1, 2, 4, 6].map(|trees| (6, trees));
        let below = [(1, 1), (2, 1), (2, 2), (4, 1), (4, 2), (4, 4)];
        assert_eq!(Cases::Grid.up_to(6), [&below[..], &of_six].concat());
        assert_eq!(Cases::Grid.up_to(1), [(1, 1)]);
        assert_eq!(Cases::Trees(2).up_to(6), [(6, 2)]);
        assert_eq!(Cases::Trees(9).up_to(6), [(6, 6)]);
    }
}
