//! `alesia bench`: fixed work on one thread, and a signature of its results.

use std::io::{Write, stdout};
use std::time::Instant;

use alesia::game::{Game, GameState};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::clock::Budget;
use alesia::search::report::Report;
use alesia::search::{EngineKind, EngineOptions};
use clap::Args;

use super::options::engine_parser;
use alesia::words::command_error::CommandError;

/// Nodes or iterations for each position.
const NODES: u64 = 5_000;

/// Random plies from the start to each position of a game.
const PLIES: [usize; 4] = [0, 5, 12, 21];

/// Random games that are tried for each position.
const MAX_TRIES: u32 = 1_000;

/// Leaves the first 28 bits of a signature.
const LABEL_SHIFT: u32 = 64 - 28;

/// One thread and little memory, so that the pool fills here too.
const OPTIONS: EngineOptions = EngineOptions {
    threads: 1,
    trees: 1,
    memory: 2 << 20,
    seed: 1,
    parameters: None,
    weights: None,
};

/// The arguments of `alesia bench`.
#[derive(Args)]
pub struct Bench {
    /// Game [default: all of the tournament, whose signature is that of the program].
    #[arg(long, value_name = "GAME", help_heading = "Game", value_parser = GameSpec::open)]
    game: Option<GameSpec>,
    /// Search engine; each has its own signature.
    #[arg(long, default_value = "mcts", value_parser = engine_parser(), help_heading = "Engine")]
    engine: EngineKind,
}

/// A hash of everything reported (FNV-1a, Fowler, Noll and Vo).
struct Signature(u64);

impl Signature {
    fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_report(&mut self, report: &Report) {
        self.add(report.nodes);
        self.add(u64::from(report.value.to_bits()));
        for m in &report.variation {
            self.add(u64::from(m.to_bits()));
        }
    }
}

impl Bench {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let mut signature = Signature(0xcbf2_9ce4_8422_2325);
        let mut nodes = 0;
        let started = Instant::now();
        for game in self.game.map_or_else(GameSpec::all, |game| vec![game]) {
            nodes += self.work(game, AnyGame::start(game), &mut signature)?;
        }
        let mut out = stdout().lock();
        writeln!(out, "nodes {nodes}")?;
        writeln!(out, "signature {:016x}", signature.0)?;
        // For test servers: a label that changes when play changes, and the speed of this machine.
        let per_second = nodes as f64 / started.elapsed().as_secs_f64();
        writeln!(out, "{} nodes {per_second:.0} nps", signature.0 >> LABEL_SHIFT)?;
        Ok(())
    }

    fn work(
        &self,
        game: GameSpec,
        start: AnyGame,
        signature: &mut Signature,
    ) -> Result<u64, CommandError> {
        let mut engine = self.engine.build(start, &OPTIONS)?;
        let mut rng = fastrand::Rng::with_seed(1);
        let mut nodes = 0;
        let started = Instant::now();
        for plies in PLIES {
            let mut state = GameState::new(start);
            let mut tries = 0;
            while state.position.ply() < plies && tries < MAX_TRIES {
                match state.position.random_move(&mut rng) {
                    Some(m) if state.ending().is_none() => state.play(m),
                    _ => {
                        state = GameState::new(start);
                        tries += 1;
                    }
                }
            }
            // A small board may have no game that is so long.
            if state.position.ply() < plies || state.ending().is_some() {
                continue;
            }
            let report = engine.think(&state, &Budget::nodes(NODES), &mut |_| {});
            signature.add_report(&report);
            nodes += report.nodes;
        }
        let seconds = started.elapsed().as_secs_f64();
        writeln!(stdout(), "{game} nodes {nodes} nps {:.0}", nodes as f64 / seconds)?;
        Ok(nodes)
    }
}
