//! Play by hand: `alesia manual` over pipes and in a terminal, and network games that are
//! interrupted and continued by hand.

#[cfg(unix)]
mod edited;
mod pipes;
mod state;
#[cfg(unix)]
pub mod terminal;

use std::process::Command;

/// A small engine that plays the same moves every time.
const SMALL: &str = "--threads 1 --memory 1MiB --nodes 200";

/// A command of the player, for a terminal without control sequences. Options in which blanks
/// belong to a value are added by `arg`.
fn alesia(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    command.args(arguments.split_whitespace()).env_remove("RUST_LOG").env("TERM", "dumb");
    command
}
