//! `alesia-lab stress scale`: the tree search with 1 thread up to twice as many as cores: its
//! speed, how often threads collide, and whether its trees are valid.
//!
//! The one idea: more threads than cores are the hardest case, as a thread may be interrupted
//! anywhere for a long time while the others continue.

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::games::GameSpec;
use alesia::measure::medians;
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::{Engine, EngineError, EngineOptions};
use alesia::size::Size;
use alesia::time_span::milliseconds_in;
use alesia::with_game;
use alesia_match::error::CommandError;
use alesia_report::run::ThreadsRow;
use clap::Args;

use crate::json_file::{JsonFile, JsonOption};

/// Searches with each number of threads.
const ROUNDS: usize = 5;

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
    /// Memory for the tree.
    #[arg(long, value_name = "SIZE", default_value = "512MiB", help_heading = "Engine")]
    memory: Size,
    #[command(flatten)]
    json: JsonOption,
}

struct Speed {
    iterations_per_second: f64,
    /// Blocks and lost claims per million iterations.
    blocks: f64,
    lost_claims: f64,
    nodes: usize,
}

impl Scale {
    pub fn run(&self) -> Result<(), CommandError> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let most = self.threads.map_or(2 * cores, usize::from);
        let games = self.game.as_ref().map_or(&GameSpec::ALL[..], std::slice::from_ref);
        let mut json = self.json.begin("stress scale")?;
        writeln!(stdout(), "{cores} cores, {} ms a search, {ROUNDS} rounds", self.time)?;
        let heads = ["threads", "iterations/s", "relative", "blocks/M", "lost claims/M", "nodes"];
        let [threads, speed, relative, blocks, lost, nodes] = heads;
        writeln!(
            stdout(),
            "{:10} {threads:>7} {speed:>13} {relative:>8} {blocks:>9} {lost:>13} {nodes:>10}",
            "game"
        )?;
        for &game in games {
            with_game!(game, start => self.measure(&game.to_string(), start, most, &mut json))?;
        }
        writeln!(stdout(), "all trees valid")?;
        Ok(())
    }

    /// Measures all numbers of threads.
    fn measure<G: Evaluate>(
        &self,
        name: &str,
        start: G,
        most: usize,
        json: &mut JsonFile,
    ) -> Result<(), CommandError> {
        let of_speed = |speed: &Speed| speed.iterations_per_second;
        let search = |case| self.search(name, start, case + 1);
        let speeds = medians(most, ROUNDS, of_speed, search)?;
        for (threads, found) in (1..).zip(&speeds) {
            let Speed { iterations_per_second: speed, blocks, lost_claims, nodes } = found;
            let relative = speed / speeds[0].iterations_per_second;
            writeln!(
                stdout(),
                "{name:10} {threads:>7} {speed:>13.0} {relative:>8.2} {blocks:>9.0} \
                 {lost_claims:>13.0} {nodes:>10}"
            )?;
            json.add(&ThreadsRow {
                game: name.to_owned(),
                threads,
                speed: speed.round(),
                blocks: blocks.round(),
                lost_claims: lost_claims.round(),
                nodes: *nodes as u64,
            })?;
        }
        Ok(())
    }

    /// One search from the start, and a check of its tree.
    fn search<G: Evaluate>(
        &self,
        name: &str,
        start: G,
        threads: usize,
    ) -> Result<Speed, CommandError> {
        let failed =
            |what: String| CommandError::Failed(format!("{name}, {threads} threads: {what}"));
        let options = EngineOptions { threads, memory: self.memory.bytes(), ..Default::default() };
        let built = MonteCarlo::new(start, &options);
        let mut engine = built.map_err(|error: EngineError| failed(error.to_string()))?;
        let started = Instant::now();
        let budget = Budget::until(started + Duration::from_millis(self.time));
        engine.think(&GameState::new(start), &budget, &mut |_| {});
        let spent = started.elapsed();
        let found = engine.inspect().map_err(failed)?;
        // A game that is over at once needs no iteration.
        let millions = found.iterations.max(1) as f64 / 1e6;
        Ok(Speed {
            iterations_per_second: found.iterations as f64 / spent.as_secs_f64(),
            blocks: found.blocks as f64 / millions,
            lost_claims: found.lost_claims as f64 / millions,
            nodes: found.nodes,
        })
    }
}
