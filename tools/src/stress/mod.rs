//! `alesia-lab stress`: stress tests of the player.

mod deadline;
mod player;
mod scale;
mod soak;
mod trees;

use alesia::words::command_error::CommandError;
use clap::{Args, Subcommand};

/// The arguments of `alesia-lab stress`.
#[derive(Args)]
pub struct Stress {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Plays moves against the clock on a loaded machine, and counts late ones.
    Deadline(deadline::Deadline),
    /// Keeps the machine busy until standard input ends.
    Load(deadline::Load),
    /// Measures the tree search with 1 thread up to 2 per core, and checks its trees.
    Scale(scale::Scale),
    /// Plays games over TCP without a break, checks every ply, and looks for leaks.
    Soak(soak::Soak),
    /// Tests the tree search: more threads than cores, little memory, pondering, whole games.
    Trees(trees::Trees),
    /// A deliberately faulty player, for testing servers and runners.
    Player(player::ScriptedPlayer),
}

impl Stress {
    pub fn run(&self) -> Result<(), CommandError> {
        match &self.part {
            Part::Deadline(deadline) => deadline.run(),
            Part::Load(load) => load.run(),
            Part::Scale(scale) => scale.run(),
            Part::Soak(soak) => soak.run(),
            Part::Trees(trees) => trees.run(),
            Part::Player(player) => player.run(),
        }
    }
}
