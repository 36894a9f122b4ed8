//! Move-sequence counts, the first test of every move generator.

use crate::game::{Game, GameState, MoveList};

/// The number of move sequences of exactly `depth` plies from a position; a finished position has
/// none. The last ply is counted without being played.
pub fn perft<G: Game>(state: &GameState<G>, depth: u32) -> u64 {
    let mut state = *state;
    count(&mut state, depth)
}

/// The same; the state is as before afterwards.
fn count<G: Game>(state: &mut GameState<G>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let position = state.position;
    if position.won().is_some() || position.drawn(&state.history).is_some() {
        return 0;
    }
    if depth == 1 {
        return position.count_moves() as u64;
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let past = state.history.len();
    let mut total = 0;
    for &m in &moves {
        state.play(m);
        total += count(state, depth - 1);
        // A history is too large to be copied for every move.
        state.position = position;
        state.history.truncate(past);
    }
    total
}
