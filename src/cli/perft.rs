//! `alesia perft`: move-sequence counts.

use std::io::{Write, stdout};

use alesia::game::Game;
use alesia::game::perft::perft;
use alesia::games::{AnyGame, AnyState, GameSpec};
use clap::Args;

use super::options::{LayoutOption, PositionOptions};
use alesia::words::command_error::CommandError;

/// The arguments of `alesia perft`.
#[derive(Args)]
pub struct Perft {
    /// Game.
    #[arg(value_parser = GameSpec::open)]
    game: GameSpec,
    /// Number of plies.
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    position: PositionOptions,
    /// First prints `MOVE COUNT` for each move: the sequences of DEPTH plies that begin with it.
    #[arg(long, help_heading = "Output")]
    divide: bool,
}

impl Perft {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.layout.check(self.game)?;
        self.count(AnyGame::start(self.layout.apply(self.game)))
    }

    fn count(&self, start: AnyGame) -> Result<(), CommandError> {
        let state = self.position.state(start)?;
        let mut out = stdout().lock();
        if self.divide && state.ending().is_none() {
            let moves = state.position.legal_moves();
            for &m in &moves {
                let mut after: AnyState = state;
                after.play(m);
                writeln!(out, "{} {}", state.position.notation(m), perft(&after, self.depth - 1))?;
            }
        }
        for depth in 1..=self.depth {
            writeln!(out, "{depth} {}", perft(&state, depth))?;
            out.flush()?;
        }
        Ok(())
    }
}
