//! `alesia bench`: fixed work on one thread, and a signature of its results.

use std::io::{Write, stdout};
use std::time::Instant;

use alesia::games::{AnyGame, GameSpec};
use alesia::search::EngineKind;
use alesia::search::signature::Signature;
use clap::Args;

use super::options::engine_parser;
use alesia::words::command_error::CommandError;

/// Leaves the first 28 bits of a signature.
const LABEL_SHIFT: u32 = 64 - 28;

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

impl Bench {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let mut signature = Signature::default();
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
        let started = Instant::now();
        let nodes = signature.work(self.engine, start, 1)?;
        let seconds = started.elapsed().as_secs_f64();
        writeln!(stdout(), "{game} nodes {nodes} nps {:.0}", nodes as f64 / seconds)?;
        Ok(nodes)
    }
}
