//! `alesia-lab stress`: makes the player work as hard as it can, and looks whether it holds.

mod deadline;
mod player;
mod scale;
mod soak;
mod spectators;
mod trees;

use alesia_match::error::CommandError;
use clap::{Args, Subcommand};

/// The arguments of `alesia-lab stress`.
#[derive(Args)]
pub struct Stress {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Thousands of moves against the clock, on a loaded machine.
    Deadline(deadline::Deadline),
    /// Keeps the machine busy until its input ends.
    Load(deadline::Load),
    /// The tree search with up to twice as many threads as cores: speed, and sound trees.
    Scale(scale::Scale),
    /// Game after game over TCP, every ply checked by plain rules; nothing may grow.
    Soak(soak::Soak),
    /// What a game on the page costs its engine when many watch: the same moves with and without.
    Spectators(spectators::Spectators),
    /// The tree search: more threads than cores, tiny pools, pondering, whole games.
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
            Part::Spectators(spectators) => spectators.run(),
            Part::Trees(trees) => trees.run(),
            Part::Player(player) => player.run(),
        }
    }
}
