//! What a leaf is worth: a random playout where the game wants one, then its quiet score.

use super::stats::{REWARD_OF_DRAW, REWARD_OF_WIN};
use super::worker::Worker;
use crate::eval::{Evaluate, expectation};

impl<G: Evaluate, const OWNED: bool> Worker<'_, G, OWNED> {
    /// The reward of the current position for its side to move.
    #[inline(always)]
    pub(super) fn evaluate(&mut self) -> u32 {
        let side = self.state.position.side();
        // On copies, which live in registers rather than behind `self`; `back_up` cuts the history.
        let mut position = self.state.position;
        let mut rng = self.rng.clone();
        let mut end = None;
        for _ in 0..self.parameters.playout_plies {
            if !self.visited.visit() {
                break;
            }
            let Some(m) = position.random_move(&mut rng) else {
                end = Some(position.without_moves());
                break;
            };
            if position.has_repetition() {
                self.state.history.push(&position);
                position.play(m);
            } else {
                position.play_unkeyed(m);
            }
            end = position.won().or_else(|| position.drawn(&self.state.history));
            if end.is_some() {
                break;
            }
        }
        self.rng = rng;
        match end.map(|end| end.outcome.for_side(side)) {
            Some(score) => score.halves() * REWARD_OF_DRAW,
            None => {
                let plies = self.parameters.quiescence_plies;
                let expected = expectation(position.quiet_score(plies, &mut self.visited));
                let expected = if position.side() == side { expected } else { 1.0 - expected };
                (expected * REWARD_OF_WIN as f32 + 0.5) as u32
            }
        }
    }
}
