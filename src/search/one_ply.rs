//! The move to play where no search has begun: the best one after a look one ply ahead.
//!
//! The one idea: no search, but all that is known without one: what ends the game, a theorem of the
//! game, the evaluation after each move with the captures that follow, and the prior weights.

use crate::eval::nodes::Nodes;
use crate::eval::oracle::Oracle;
use crate::eval::{Evaluate, Weights, expectation};
use crate::game::{GameState, MAX_MOVES, Move, Score};

/// A move whose expected result is less than the best by no more than this is as good one ply
/// ahead: of these the one with the largest prior weight is played.
const AS_GOOD: f32 = 0.05;

/// Plies of captures that are followed.
const QUIET_PLIES: u32 = 4;

/// Positions that the captures after all moves may take together, as no stop ends them.
const NODES: u64 = 8192;

/// The best move one ply ahead among the legal ones that pass a test, and its expected result; none
/// if none passes.
pub fn best_move<G: Evaluate>(
    state: &GameState<G>,
    may_be_played: &dyn Fn(Move) -> bool,
) -> Option<(Move, f32)> {
    let moves = state.position.legal_moves();
    let mut weights: Weights = [0.0; MAX_MOVES];
    let weights = &mut weights[..moves.len()];
    state.position.weigh(&moves, weights);
    let share = NODES / moves.len().max(1) as u64;
    let mut values = [f32::NEG_INFINITY; MAX_MOVES];
    let mut highest = f32::NEG_INFINITY;
    for (value, &m) in values.iter_mut().zip(&moves).filter(|(_, m)| may_be_played(**m)) {
        *value = value_of(state, m, share);
        highest = highest.max(*value);
    }
    // A win needs no prior.
    let least = if highest < 1.0 { highest - AS_GOOD } else { highest };
    let good = moves
        .iter()
        .zip(&values)
        .zip(&*weights)
        .filter(|((_, value), _)| **value >= least && **value > f32::NEG_INFINITY);
    // The first of equals.
    let best = good.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|((&m, &value), _)| (m, value))
}

/// The expected result of a move for the side that plays it, found by at most this many positions.
fn value_of<G: Evaluate>(state: &GameState<G>, m: Move, nodes: u64) -> f32 {
    let side = state.position.side();
    let after = state.after(m);
    let position = &after.position;
    if let Some(ending) = after.ending() {
        return match ending.outcome.for_side(side) {
            Score::Win => 1.0,
            Score::Draw => 0.5,
            Score::Loss => 0.0,
        };
    }
    if let Some((winner, _)) = position.decided() {
        return f32::from(u8::from(winner == side));
    }
    match G::Oracle::lost_by_theorem(position) {
        Some(_) => 1.0,
        None => {
            let mut nodes = Nodes::at_most(nodes);
            1.0 - expectation(position.quiet_score(QUIET_PLIES, &mut nodes))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::{Hadron, Loa, Murus, Voidrider};

    /// Looks one ply ahead against the first legal move of the list; returns the points of 20
    /// games.
    fn points<G: Evaluate>(start: G) -> f32 {
        let mut points = 0.0;
        for game in 0..20 {
            let mut rng = fastrand::Rng::with_seed(game);
            let mut state = GameState::new(start);
            for _ in 0..2 {
                state.play(state.position.random_move(&mut rng).unwrap());
            }
            let ours = state.position.side();
            let ending = loop {
                if let Some(ending) = state.ending() {
                    break ending;
                }
                let moves = state.position.legal_moves();
                let is_ours = state.position.side() == ours;
                let m = if is_ours { best_move(&state, &|_| true).unwrap().0 } else { moves[0] };
                assert!(moves.contains(&m));
                state.play(m);
            };
            points += match ending.outcome.for_side(ours) {
                Score::Win => 1.0,
                Score::Draw => 0.5,
                Score::Loss => 0.0,
            };
        }
        points
    }

    #[test]
    fn a_look_one_ply_ahead_beats_the_first_move_of_the_list() {
        let points = [
            points(Murus::start()),
            points(Loa::start(Default::default())),
            points(Voidrider::start()),
            points(Hadron::start(5, 5)),
        ];
        // Hadron has no trained evaluation.
        let least = [18.0, 18.0, 18.0, 11.0];
        assert!(points.iter().zip(least).all(|(&points, least)| points >= least), "{points:?}");
    }

    #[test]
    fn only_moves_that_pass_are_chosen() {
        let state = GameState::new(Murus::start());
        let moves = state.position.legal_moves();
        for &only in &moves {
            assert_eq!(best_move(&state, &|m| m == only).unwrap().0, only);
        }
        assert!(best_move(&state, &|_| false).is_none());
    }
}
