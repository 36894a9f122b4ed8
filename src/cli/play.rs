//! `alesia play`: one game on a tournament server.

use std::io::{Write, stdout};
use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::net::client::{ClientEvent, connect, play_game};
use alesia::player::EnginePlayer;
use alesia::with_game;
use clap::Args;

use super::CommandError;
use super::commentary::tell;
use super::options::{EngineArguments, GameOptions, PonderOption, TimeArguments};
use super::printer::Printer;

/// How long a server that does not answer yet is tried.
const PATIENCE: Duration = Duration::from_secs(30);

/// The arguments of `alesia play`.
#[derive(Args)]
pub struct Play {
    /// The server's name or address.
    host: String,
    /// The server's port.
    port: u16,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    engine: EngineArguments,
    #[command(flatten)]
    time: TimeArguments,
    #[command(flatten)]
    ponder: PonderOption,
}

impl Play {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        with_game!(self.game.game(), start => self.play(start))
    }

    fn play<G: Evaluate>(&self, start: G) -> Result<(), CommandError> {
        let failed = |error: &dyn std::fmt::Display| CommandError::Failed(error.to_string());
        // All memory and threads are taken before the server's clock can run.
        let engine = self.engine.build(start)?;
        let time = self.time.move_time();
        let mut player = EnginePlayer::new(engine, time, self.engine.nodes, self.ponder.is_on());
        let stream = connect(&self.host, self.port, PATIENCE).map_err(|error| failed(&error))?;
        // Shown by another thread, as this one has a clock to watch.
        let printer = Printer::start();
        let mut show = |event: ClientEvent<'_, G>| tell(&printer, time, &event);
        let result = play_game(stream, start, &mut player, &mut show);
        // Stops pondering, so that the result is shown at once on a busy machine too.
        drop(player);
        printer.finish();
        let report = result.map_err(|error| failed(&error))?;
        writeln!(stdout(), "result: {report}")?;
        Ok(())
    }
}
