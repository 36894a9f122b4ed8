//! Move-sequence counts, the first test of every move generator.

use crate::game::{Game, GameState, MoveList};

/// The number of move sequences of exactly `depth` plies from a position; a finished position has
/// none. The last ply is counted without being played.
pub fn perft<G: Game>(state: &GameState<G>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let position = &state.position;
    if position.won().is_some() || position.drawn(&state.history).is_some() {
        return 0;
    }
    if depth == 1 {
        return position.count_moves() as u64;
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let mut below = *state;
    let mut total = 0;
    for &m in &moves {
        below.position = *position;
        below.history.truncate(state.history.len());
        below.play(m);
        total += perft(&below, depth - 1);
    }
    total
}
