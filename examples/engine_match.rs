//! A match of two engines: `cargo run --release --example engine_match`.

use std::error::Error;

use alesia::games::AnyGame;
use alesia::search::duel::{Contestant, Limit, Score, play_pair, random_opening};
use alesia::search::{EngineKind, EngineOptions};

/// Plays pairs of games on a 5 x 5 board, each opening with both colours. Returns the points of the
/// tree search against alpha-beta.
pub fn engine_match(pairs: u64) -> Result<f64, Box<dyn Error>> {
    let options = EngineOptions { memory: 16 << 20, ..EngineOptions::default() };
    let start = AnyGame::named("hadron5")?;
    let mut tree_search = EngineKind::MonteCarlo.build(start, &options)?;
    let mut alpha_beta = EngineKind::AlphaBeta.build(start, &options)?;
    let mut rng = fastrand::Rng::with_seed(7);
    let mut points = 0.0;
    for seed in 0..pairs {
        let opening = random_opening(start, 2, &mut rng).ok_or("no opening")?;
        let players = [&mut *tree_search, &mut *alpha_beta];
        let limit = Limit::Nodes(2000);
        let scores =
            play_pair(&opening.state, players.map(|engine| Contestant { engine, limit, seed }));
        points += scores.iter().map(|score: &Score| score.halves() as f64 / 2.0).sum::<f64>();
    }
    Ok(points)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("the tree search scores {} of 20 points", engine_match(10)?);
    Ok(())
}
