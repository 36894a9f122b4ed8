//! `alesia search`: searches one position.

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use alesia::game::Game;
use alesia::games::AnyGame;
use alesia::search::clock::Budget;
use alesia::words::time_span::some_milliseconds;
use clap::Args;

use super::options::{EngineArguments, GameOptions, PositionOptions};
use alesia::words::command_error::CommandError;

/// The arguments of `alesia search`.
#[derive(Args)]
#[command(group(clap::ArgGroup::new("budget").required(true).multiple(true).args(["time", "nodes"])))]
pub struct Search {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// Search time in ms.
    #[arg(long, value_name = "MS", value_parser = some_milliseconds, help_heading = "Time")]
    time: Option<u64>,
    #[command(flatten)]
    engine: EngineArguments,
}

impl Search {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        self.game.layout.check(self.game.game)?;
        self.think(AnyGame::start(self.game.game()))
    }

    fn think(&self, start: AnyGame) -> Result<(), CommandError> {
        self.engine.check()?;
        let state = self.position.state(start)?;
        if let Some(ending) = state.ending() {
            return Err(CommandError::Usage(format!("the game is over: {ending}")));
        }
        let mut engine = self.engine.build(start)?;
        let deadline = self.time.map(|ms| Instant::now() + Duration::from_millis(ms));
        let budget = Budget { deadline, nodes: self.engine.nodes, ..Budget::default() };
        let mut out = stdout().lock();
        // A write error shows at the last line.
        let report = engine.think(&state, &budget, &mut |report| {
            let _ = writeln!(out, "{}", report.info(&state.position));
        });
        writeln!(out, "{}", report.info(&state.position))?;
        writeln!(out, "bestmove {}", state.position.notation(report.best))?;
        Ok(())
    }
}
