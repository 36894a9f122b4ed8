//! Hadron: a network until the end is in sight, then exact sums of regions.

use super::endgame::Solver;
use super::network::NETWORK;
use crate::eval::Evaluate;
use crate::eval::parameters::Parameters;
use crate::game::{Game, Move, Side};
use crate::games::Hadron;

impl Evaluate for Hadron {
    type Oracle = Solver;

    const TUNING: Parameters = Parameters { exploration: 0.7, ..Parameters::DEFAULT };

    fn touch_weights() {
        NETWORK.touch();
    }

    /// Where no live cell touches another, each of them is legal and will be played, and nothing
    /// else: their number decides.
    #[inline(always)]
    fn decided(&self) -> Option<(Side, usize)> {
        // Legal cells are live, and quicker to find.
        if Hadron::touching(self.legal()) != 0 {
            return None;
        }
        let live = self.live();
        if Hadron::touching(live) != 0 {
            return None;
        }
        let plies = live.count_ones() as usize;
        Some((if plies % 2 == 1 { self.side() } else { !self.side() }, plies))
    }

    #[inline(always)]
    fn evaluate(&self) -> i32 {
        NETWORK.score(self, &NETWORK.hidden(self))
    }

    #[inline(always)]
    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        NETWORK.weigh(self, &NETWORK.hidden(self), moves, weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameState;
    use crate::game::chance::Chance;

    /// Whether the side to move wins, and how long the game lasts, by playing everything.
    fn solve(state: &GameState<Hadron>) -> (bool, usize) {
        let moves = state.position.legal_moves();
        let results = moves.iter().map(|&m| {
            let mut after = *state;
            after.play(m);
            let (wins, plies) = solve(&after);
            (!wins, plies + 1)
        });
        let results: Vec<_> = results.collect();
        match results.iter().filter(|result| result.0).min() {
            Some(&quickest) => quickest,
            None => (false, results.iter().map(|result| result.1).max().unwrap_or(0)),
        }
    }

    #[test]
    fn decided_results_are_those_of_play() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut decided, mut longest) = (0, 0);
        for _ in 0..3_000 {
            let mut state = GameState::new(Hadron::start(rng.index(1..=6), rng.index(1..=9)));
            while let Some(m) = state.position.random_move(&mut rng) {
                if let Some((winner, plies)) = state.position.decided() {
                    let wins = winner == state.position.side();
                    if plies <= 8 {
                        assert_eq!(solve(&state), (wins, plies), "{}", state.position);
                    }
                    decided += 1;
                    longest = longest.max(plies);
                }
                state.play(m);
            }
        }
        assert!(decided > 500 && longest >= 5, "{decided}, {longest}");
    }

    #[test]
    fn a_dead_cell_is_never_played_on() {
        let mut rng = fastrand::Rng::with_seed(4);
        for _ in 0..1_000 {
            let mut position = Hadron::start(9, 9);
            let mut dead = 0;
            while let Some(m) = position.random_move(&mut rng) {
                dead |= position.empty() & !position.live();
                assert_eq!(position.legal() & dead, 0);
                position.play(m);
            }
        }
    }
}
