//! Random games to their end, as fast as the rules are.

use std::sync::atomic::{AtomicBool, Ordering};

use alesia::game::{Game, GameState, Outcome, Side};
use alesia::games::AnyState;
use alesia::with_game;

/// Random games from a state: how many White won, nobody won, Black won, and the plies played.
pub fn playouts(state: &AnyState, games: u64, seed: u64, stop: &AtomicBool) -> [u64; 4] {
    let history = state.history;
    with_game!(state.position, position => {
        playouts_of(&GameState { position, history }, games, seed, stop)
    })
}

fn playouts_of<G: Game>(
    state: &GameState<G>,
    games: u64,
    seed: u64,
    stop: &AtomicBool,
) -> [u64; 4] {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut counts = [0; 4];
    for _ in 0..games {
        // Relaxed: the flag alone matters.
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (outcome, plies) = play_out(*state, &mut rng);
        let place = match outcome {
            Outcome::Win(Side::White) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Black) => 2,
        };
        counts[place] += 1;
        counts[3] += plies;
    }
    counts
}

/// Plays random moves to the end of the game: its outcome and the plies played.
fn play_out<G: Game>(mut state: GameState<G>, rng: &mut fastrand::Rng) -> (Outcome, u64) {
    let mut plies = 0;
    loop {
        if let Some(ending) = state.ending() {
            return (ending.outcome, plies);
        }
        let Some(m) = state.position.random_move(rng) else {
            unreachable!("a game that is not over has a move");
        };
        match state.position.has_repetition() {
            true => state.play(m),
            // Nothing asks for its key.
            false => state.position.play_unkeyed(m),
        }
        plies += 1;
    }
}
