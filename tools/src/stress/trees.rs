//! `alesia-lab stress trees`: the tree search plays all games against itself from random positions,
//! until the time is up.
//!
//! The one idea: every engine is built differently, so that all cases of sharing occur. There is
//! one tree for many threads, one for each group, one for each thread. Pools fill at once or never;
//! trees are kept, copied and discarded between moves; pondering is interrupted.

use std::io::{Write, stdout};
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::chance::Chance;
use alesia::game::{Game, GameState};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::search::clock::Budget;
use alesia::search::{Engine, EngineKind, EngineOptions};
use alesia::words::command_error::CommandError;
use alesia_report::run::SearchesRow;
use clap::Args;

use alesia::words::json_file::JsonOption;

/// Sizes of the pools, from the smallest there is.
const MEMORY: [usize; 4] = [64 << 10, 256 << 10, 1 << 20, 8 << 20];

/// Longest search, and longest pondering before it.
const LONGEST_SEARCH_MS: u64 = 25;
const LONGEST_PONDERING_MS: u64 = 10;

/// Max random plies before a game.
const LONGEST_OPENING: usize = 40;

/// The arguments of `alesia-lab stress trees`.
#[derive(Args)]
pub struct Trees {
    /// Approximate duration in seconds.
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Time")]
    seconds: u64,
    /// Max threads of an engine; use more than there are cores, so that threads are interrupted.
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = "Engine",
          value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Engine")]
    seed: u64,
    #[command(flatten)]
    json: JsonOption,
}

impl Trees {
    pub fn run(&self) -> Result<(), CommandError> {
        let mut json = self.json.begin(crate::PROGRAM, "stress trees")?;
        let begun = Instant::now();
        let end = begun + Duration::from_secs(self.seconds);
        let mut run = Run {
            max_threads: usize::from(self.threads),
            rng: fastrand::Rng::with_seed(self.seed),
            end,
            searches: 0,
        };
        while run.is_running() {
            for game in GameSpec::setups() {
                run.play(AnyGame::start(game))?;
            }
            let seconds = begun.elapsed().as_millis() as f64 / 1000.0;
            json.add(&SearchesRow { seconds, searches: run.searches })?;
        }
        writeln!(stdout(), "{} searches, no illegal move", run.searches)?;
        Ok(())
    }
}

/// What goes through all games.
struct Run {
    max_threads: usize,
    rng: fastrand::Rng,
    end: Instant,
    searches: u64,
}

impl Run {
    fn is_running(&self) -> bool {
        Instant::now() < self.end
    }

    /// An engine of a random kind.
    fn engine(&mut self, start: AnyGame) -> Result<Box<dyn Engine>, CommandError> {
        let threads = self.rng.index(1..=self.max_threads);
        // One tree for all, one each, or something in between.
        let between = self.rng.index(1..=threads);
        let trees = *self.rng.pick(&[1, between, threads]).expect("there are three");
        let memory = (*self.rng.pick(&MEMORY).expect("there are some")).max(trees << 15);
        let options =
            EngineOptions { threads, trees, memory, seed: self.rng.u64(..), ..Default::default() };
        EngineKind::MonteCarlo
            .build(start, &options)
            .map_err(|error| CommandError::Failed(error.to_string()))
    }

    /// A random position, from which two engines play on until the game or the time is over.
    fn play(&mut self, start: AnyGame) -> Result<(), CommandError> {
        let mut state = GameState::new(start);
        for _ in 0..self.rng.index(..LONGEST_OPENING) {
            let mut after = state;
            let Some(m) = after.position.random_move(&mut self.rng) else { break };
            after.play(m);
            if after.ending().is_some() {
                break;
            }
            state = after;
        }
        let mut engines = [self.engine(start)?, self.engine(start)?];
        while self.is_running() && state.ending().is_none() {
            let (mover, other) =
                (state.position.side() as usize, 1 - state.position.side() as usize);
            // The other thinks in the opponent's time, and so may the mover have done.
            if self.rng.bool() {
                engines[other].ponder(&state);
            }
            if self.rng.u8(..8) == 0 {
                engines[mover].ponder(&state);
                thread::sleep(Duration::from_millis(self.rng.u64(..=LONGEST_PONDERING_MS)));
            }
            self.move_on(&mut *engines[mover], &mut state)?;
        }
        Ok(())
    }

    /// Has an engine think, and plays its move.
    fn move_on(
        &mut self,
        engine: &mut dyn Engine,
        state: &mut AnyState,
    ) -> Result<(), CommandError> {
        let time = Duration::from_micros(self.rng.u64(..=1000 * LONGEST_SEARCH_MS));
        let mut budget = Budget::until(Instant::now() + time);
        if self.rng.bool() {
            budget.nodes = Some(self.rng.u64(1..5_000));
        }
        let best = engine.think(state, &budget, &mut |_| {}).best;
        self.searches += 1;
        let legal = state.position.legal_moves();
        if !legal.contains(&best) {
            let position = state.position;
            return Err(CommandError::Failed(format!(
                "search {}: {} is not legal in {position}",
                self.searches,
                position.notation(best)
            )));
        }
        state.play(best);
        Ok(())
    }
}
