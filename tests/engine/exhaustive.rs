//! Exhaustive solving, the judge of what the engines claim to have proven.

use alesia::game::{Game, GameState, Outcome};
use alesia::search::report::Proof;

/// The result for the side to move if it can be forced within `depth` plies, with the distance to
/// the end: quickest win, slowest loss.
pub fn solve<G: Game>(state: &GameState<G>, depth: u16) -> Option<Proof> {
    if let Some(ending) = state.ending() {
        return Some(match ending.outcome {
            Outcome::Draw => Proof::Draw,
            Outcome::Win(side) if side == state.position.side() => Proof::Win(0),
            Outcome::Win(_) => Proof::Loss(0),
        });
    }
    if depth == 0 {
        return None;
    }
    let moves = state.position.legal_moves();
    let (mut quickest_win, mut slowest_loss) = (None, 0);
    let (mut draw, mut unknown) = (false, false);
    for &m in &moves {
        let after = state.after(m);
        match solve(&after, depth - 1) {
            Some(Proof::Loss(plies)) => {
                quickest_win = Some(quickest_win.map_or(plies, |best: u16| best.min(plies)));
            }
            Some(Proof::Draw) => draw = true,
            Some(Proof::Win(plies)) => slowest_loss = slowest_loss.max(plies),
            None => unknown = true,
        }
    }
    match quickest_win {
        Some(plies) => Some(Proof::Win(plies + 1)),
        None if unknown => None,
        None if draw => Some(Proof::Draw),
        None => Some(Proof::Loss(slowest_loss + 1)),
    }
}

/// Positions of random games whose result is forced within 2 to `depth` plies, up to `count`.
pub fn forced_positions<G: Game>(
    start: G,
    depth: u16,
    count: usize,
    seed: u64,
) -> Vec<(GameState<G>, Proof)> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut found = Vec::new();
    let mut games = 0;
    while found.len() < count && games < 2000 {
        games += 1;
        // Play a random game, then look for forced results on its last plies.
        let mut states = vec![GameState::new(start)];
        while let Some(state) = states.last().filter(|state| state.ending().is_none()) {
            let next =
                state.after(state.position.random_move(&mut rng).expect("the game is not over"));
            states.push(next);
        }
        for state in states.iter().rev().skip(1).take(depth as usize) {
            match solve(state, depth) {
                Some(proof @ (Proof::Win(2..) | Proof::Loss(2..))) => found.push((*state, proof)),
                _ => continue,
            }
        }
    }
    found.truncate(count);
    found
}
