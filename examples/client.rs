//! A tournament client in twenty lines: `cargo run --release --example client HOST PORT`.

use std::error::Error;
use std::time::{Duration, Instant};

use alesia::game::Game;
use alesia::games::{AnyGame, AnyState};
use alesia::net::client::{Answer, ClientReport, Player, connect, play_game};

/// Plays random moves. A real player returns its best move before the time is over.
struct RandomPlayer(fastrand::Rng);

impl Player for RandomPlayer {
    fn choose(&mut self, state: &AnyState, _received: Instant) -> Answer {
        state.position.random_move(&mut self.0).expect("a turn comes with a legal move").into()
    }
}

/// Joins a server and plays one game of Murus Gallicus.
pub fn play(host: &str, port: u16) -> Result<ClientReport, Box<dyn Error>> {
    let stream = connect(host, port, Duration::from_secs(30))?;
    let mut player = RandomPlayer(fastrand::Rng::new());
    Ok(play_game(stream, AnyGame::named("murus")?, &mut player, &mut |_| {})?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, host, port] = arguments.as_slice() else {
        return Err("usage: client HOST PORT".into());
    };
    println!("result: {}", play(host, port.parse()?)?);
    Ok(())
}
