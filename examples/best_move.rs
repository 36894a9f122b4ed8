//! A move from a position: `cargo run --release --example best_move`.

use std::error::Error;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState};
use alesia::games::AnyGame;
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};

/// Searches a position of Murus Gallicus for the given time; returns the best move as text.
pub fn best_move(position: &str, time: Duration) -> Result<String, Box<dyn Error>> {
    let position = AnyGame::named("murus")?.parse_board(position)?;
    let options = EngineOptions { memory: 64 << 20, ..EngineOptions::default() };
    // All memory is taken here, none during the search.
    let mut engine = EngineKind::MonteCarlo.build(position, &options)?;
    let budget = Budget::until(Instant::now() + time);
    let report = engine.think(&GameState::new(position), &budget, &mut |_| {});
    println!("value {:.3} after {} iterations", report.value, report.nodes);
    Ok(position.notation(report.best).to_string())
}

fn main() -> Result<(), Box<dyn Error>> {
    let start = AnyGame::named("murus")?.to_string();
    println!("{}", best_move(&start, Duration::from_secs(1))?);
    Ok(())
}
