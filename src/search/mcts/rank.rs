//! The order in which a node gets its children: its moves by weight, the largest first.
//!
//! The one idea: the rank of a move is the number of moves with a larger weight. Counting needs
//! more comparisons than sorting, but eight or sixteen run at once and none is a branch that can be
//! mispredicted, so it is faster.

use super::history::MoveHistory;
use crate::eval::parameters::Parameters;
use crate::eval::processor::with_v3_instructions;
use crate::eval::{Evaluate, Weights};
use crate::game::{MAX_MOVES, Move, MoveList};

/// Moves that are compared at a time.
const LANES: usize = 16;
const _: () = assert!(MAX_MOVES.is_multiple_of(LANES));

/// Room to weigh and rank the moves of one position.
pub struct Ranking {
    weights: Weights,
    /// A number for each move, the larger the larger its weight, all different; then zeros.
    keys: [i32; MAX_MOVES],
    /// The indices of the moves, the largest weight first.
    order: [u8; MAX_MOVES],
    /// One over the sum of the weights.
    share: f32,
}

impl Ranking {
    /// Empty room.
    pub fn new() -> Ranking {
        let (weights, keys) = ([0.0; MAX_MOVES], [0; MAX_MOVES]);
        Ranking { weights, keys, order: [0; MAX_MOVES], share: 0.0 }
    }

    /// Weighs the moves of a position, with the policy power, the history of the moves and some
    /// noise, and ranks them. One piece of code a game, called wherever a node gets children.
    #[inline(never)]
    pub fn rank<G: Evaluate>(
        &mut self,
        position: &G,
        moves: &MoveList,
        history: &MoveHistory,
        parameters: &Parameters,
        rng: &mut fastrand::Rng,
    ) {
        with_v3_instructions(
            #[inline(always)]
            || {
                let weights = &mut self.weights[..moves.len()];
                position.weigh(moves, weights);
                apply_power(weights, parameters.policy_power);
                history.adjust(position.side(), moves, weights);
                self.order(moves.len(), parameters.prior_noise, rng);
            },
        );
    }

    /// Ranks this many moves by their weights and some noise.
    #[inline(always)]
    fn order(&mut self, count: usize, noise: f32, rng: &mut fastrand::Rng) {
        let weights = &mut self.weights[..count];
        let mut sum = 0.0;
        for (index, (weight, key)) in weights.iter_mut().zip(&mut self.keys).enumerate() {
            *weight *= 1.0 + noise * (rng.f32() - 0.5);
            sum += *weight;
            // The bits of a positive float are in its order; the last eight make room.
            *key = (weight.to_bits() & !0xff) as i32 | index as i32;
        }
        self.share = 1.0 / sum;
        let padded = count.next_multiple_of(LANES).min(MAX_MOVES);
        self.keys[count..padded].fill(0);
        // Every key is compared with every other: many at a time, and no branch is mispredicted.
        for (index, key) in self.keys[..count].iter().enumerate() {
            let larger: i32 = self.keys[..padded].iter().map(|other| i32::from(other > key)).sum();
            self.order[larger as usize % MAX_MOVES] = index as u8;
        }
    }

    /// The moves with their priors, the largest first.
    #[inline(always)]
    pub fn moves<'a>(&'a self, moves: &'a MoveList) -> impl Iterator<Item = (Move, f32)> + use<'a> {
        let indices = self.order[..moves.len()].iter().map(|&index| usize::from(index));
        indices.map(|index| (moves[index], self.weights[index] * self.share))
    }
}

/// Raises weights to the power n/4, by square roots alone: the same on every machine.
#[inline(always)]
fn apply_power(weights: &mut [f32], quarters: u32) {
    match quarters {
        1 => weights.iter_mut().for_each(|weight| *weight = weight.sqrt().sqrt()),
        2 => weights.iter_mut().for_each(|weight| *weight = weight.sqrt()),
        3 => weights.iter_mut().for_each(|weight| *weight = weight.sqrt() * weight.sqrt().sqrt()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameState};
    use crate::games::{Hadron, Voidrider};

    /// Ranks the moves of every position of a random game.
    fn check<G: Evaluate>(start: G, prior_noise: f32) {
        let parameters = Parameters { prior_noise, ..G::TUNING };
        let (mut ranking, mut rng) = (Ranking::new(), fastrand::Rng::with_seed(7));
        let history = MoveHistory::new(0.0);
        let mut state = GameState::new(start);
        while state.ending().is_none() {
            let moves = state.position.legal_moves();
            ranking.rank(&state.position, &moves, &history, &parameters, &mut rng);
            let ranked: Vec<(Move, f32)> = ranking.moves(&moves).collect();
            assert!(ranked.is_sorted_by(|a, b| a.1 >= b.1 * (1.0 - 1e-4)), "{ranked:?}");
            let (mut all, mut expected): (Vec<_>, Vec<_>) = (
                ranked.iter().map(|(m, _)| m.code()).collect(),
                moves.iter().map(|m| m.code()).collect(),
            );
            all.sort_unstable();
            expected.sort_unstable();
            assert_eq!(all, expected, "each move once");
            let sum: f32 = ranked.iter().map(|(_, prior)| prior).sum();
            assert!((sum - 1.0).abs() < 1e-4);
            state.play(state.position.random_move(&mut rng).expect("the game is not over"));
        }
    }

    #[test]
    fn every_move_comes_once_in_the_order_of_the_weights() {
        check(Hadron::start(9, 9), 0.0);
        check(Hadron::start(9, 9), 0.5);
        check(Voidrider::start(), 0.0);
        check(Voidrider::start(), 0.5);
    }

    #[test]
    fn learned_moves_change_their_priors() {
        let position = Voidrider::start();
        let moves = position.legal_moves();
        let last = moves[moves.len() - 1];
        let parameters = Parameters { prior_noise: 0.0, ..Voidrider::TUNING };
        let prior_of_last = |history: &MoveHistory| {
            let (mut ranking, mut rng) = (Ranking::new(), fastrand::Rng::with_seed(7));
            ranking.rank(&position, &moves, history, &parameters, &mut rng);
            let found = ranking.moves(&moves).find(|&(m, _)| m == last);
            found.expect("every move is ranked").1
        };
        let mut history = MoveHistory::new(50.0);
        let before = prior_of_last(&history);
        history.note(!position.side(), last, 0.9);
        assert_eq!(prior_of_last(&history), before, "of the other side");
        history.note(position.side(), last, 0.9);
        assert!(prior_of_last(&history) > before);
    }

    #[test]
    fn priors_are_raised_to_a_power_of_quarters() {
        let weights = [1e-9, 0.3, 1.0, 7.0, 5e8];
        for quarters in 1..=4 {
            let mut soft = weights;
            apply_power(&mut soft, quarters);
            for (soft, weight) in soft.into_iter().zip(weights) {
                let expected = f64::from(weight).powf(f64::from(quarters) / 4.0);
                assert!((f64::from(soft) / expected - 1.0).abs() < 1e-6, "{weight} {quarters}");
            }
        }
    }
}
