//! `alesia-lab tune`.

mod fit;
mod games;
mod model;
mod samples;
mod symmetry;

use std::fs;
use std::path::PathBuf;

use alesia::eval::Evaluate;
use alesia::eval::network::Seen;
use alesia::games::{GameSpec, Loa, Murus, Voidrider};
use alesia::search::EngineKind;
use clap::Args;

use crate::CommandError;
use fit::Course;
use model::Shape;
use samples::Samples;
use symmetry::Symmetry;

/// The arguments of `alesia-lab tune`.
#[derive(Args)]
pub struct Tune {
    game: GameSpec,
    #[arg(long)]
    data: PathBuf,
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 10000)]
    games: usize,
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    #[arg(long)]
    alphabeta: bool,
    #[arg(long, default_value_t = 2)]
    threads: usize,
    #[arg(long, default_value_t = 10)]
    epochs: usize,
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    #[arg(long, default_value_t = 1.0)]
    result_share: f32,
}

impl Tune {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        match self.game {
            GameSpec::Murus => self.tune(Murus::start()),
            GameSpec::Loa(layout) => self.tune(Loa::start(layout)),
            GameSpec::Voidrider => self.tune(Voidrider::start()),
            GameSpec::Hadron { .. } => Ok(()),
        }
    }

    fn tune<G: Evaluate + Seen + Symmetry>(&self, start: G) -> Result<(), CommandError> {
        let play = games::Play {
            engine: if self.alphabeta { EngineKind::AlphaBeta } else { EngineKind::MonteCarlo },
            nodes: self.nodes,
            games: self.games,
            threads: self.threads,
        };
        let records = games::read_and_play(start, &self.data, play)?;
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut samples, mut held_out) = (Samples::default(), Samples::default());
        for (number, record) in records.iter().enumerate() {
            let set = if number % 20 == 0 { &mut held_out } else { &mut samples };
            set.add(start, record, self.result_share, &mut rng);
        }
        println!("{} samples, {} held out", samples.len(), held_out.len());
        let shape = Shape { inputs: G::INPUTS, rows: G::MOVE_ROWS };
        let course =
            Course { epochs: self.epochs, rate: self.rate, threads: self.threads, seed: 1 };
        let numbers = fit::fit(shape, &samples, &held_out, course);
        fs::write(&self.out, shape.bytes(&numbers))
            .map_err(|error| CommandError::Failed(format!("{}: {error}", self.out.display())))
    }
}
