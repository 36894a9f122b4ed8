//! `alesia play`: one game on a tournament server.

use std::io::{Write, stdout};
use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::net::client::{ClientEvent, join_game};
use alesia::net::tournament::readable;
use alesia::with_game;
use clap::Args;

use super::CommandError;
use super::options::{EngineArguments, GameOptions, PonderOption, TimeArguments};
use super::player::EnginePlayer;
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
        let mut player = EnginePlayer {
            engine,
            time,
            first: None,
            nodes: self.engine.nodes,
            ponder: self.ponder.is_on(),
        };
        // Shown by another thread, as this one has a clock to watch.
        let printer = Printer::start();
        let mut show = |event: ClientEvent<'_, G>| {
            printer.line(match event {
                ClientEvent::Welcome(side) => format!("playing {side}"),
                ClientEvent::Message(text) => format!("server: {}", readable(text)),
                ClientEvent::Moved { side, text, thinking: Some(time), state } => {
                    format!("{} {side} {text} {} ms", state.position.ply(), time.as_millis())
                }
                ClientEvent::Moved { side, text, thinking: None, state } => {
                    format!("{} {side} {text}", state.position.ply())
                }
                ClientEvent::Ended(report) => format!(
                    "slowest answer {} ms of {}",
                    report.slowest.as_millis(),
                    time.total.as_millis()
                ),
            });
        };
        let result = join_game(&self.host, self.port, PATIENCE, start, &mut player, &mut show);
        // Stops pondering, so that the result is shown at once on a busy machine too.
        drop(player);
        printer.finish();
        let report = result.map_err(|error| failed(&error))?;
        writeln!(stdout(), "result: {report}")?;
        Ok(())
    }
}
