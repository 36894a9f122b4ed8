//! `alesia play`: one game on a tournament server.

use std::io::{Write, stdout};
use std::sync::Arc;
use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::game::Game;
use alesia::net::client::{ClientEvent, JoinError, join_game};
use alesia::player::EnginePlayer;
use alesia::with_game;
use clap::Args;

use super::CommandError;
use super::commentary::tell;
use super::interrupt::print_on_ctrl_c;
use super::manual::Manual;
use super::options::{EngineArguments, GameOptions, PonderOption, TimeArguments};
use super::printer::Printer;
use super::record::{Record, Recorded};

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
        let manual = Manual::instead_of(&self.game, &self.engine, &self.time, &self.ponder);
        let record = Arc::new(Record::new(start, manual));
        print_on_ctrl_c(&record);
        // All memory and threads are taken before the server's clock can run.
        let engine = self.engine.build(start)?;
        let time = self.time.move_time();
        let player = EnginePlayer::new(engine, time, self.engine.nodes, self.ponder.is_on());
        let mut player = Recorded::new(player, &record);
        // Shown by another thread, as this one has a clock to watch.
        let printer = Printer::start();
        let mut show = |event: ClientEvent<'_, G>| {
            note(&record, &event);
            tell(&printer, time, &event);
        };
        let result = join_game(&self.host, self.port, PATIENCE, start, &mut player, &mut show);
        // Stops pondering, so that the result is shown at once on a busy machine too.
        drop(player);
        printer.finish();
        match result {
            Ok(report) => writeln!(stdout(), "result: {report}")?,
            Err(error) => {
                if let JoinError::Play(_) = error {
                    write!(stdout(), "{}", record.lines())?;
                }
                return Err(failed(&error));
            }
        }
        Ok(())
    }
}

/// Keeps what is needed to go on by hand.
fn note<G: Game>(record: &Record<G>, event: &ClientEvent<'_, G>) {
    match *event {
        ClientEvent::Welcome(side) => record.we_are(side),
        ClientEvent::Moved { side, text, thinking, .. } => {
            // The server need not have told our side.
            record.we_are(if thinking.is_some() { side } else { !side });
            record.moved(text);
        }
        ClientEvent::Message(_) | ClientEvent::Ended(_) => {}
    }
}
