//! Games between two engines in one process.
//!
//! The one idea: an opening is played twice, with the sides exchanged, so that what it gives to a
//! side it gives to each engine once. Such a pair of games is the unit of every comparison.

use std::time::{Duration, Instant};

use crate::game::{Game, GameState, Outcome, Side};
use crate::search::Engine;
use crate::search::clock::Budget;

/// How often an opening that is over is drawn again.
const OPENING_TRIES: usize = 1000;

/// How long an engine may think about each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So much time.
    Time(Duration),
    /// So many iterations of the tree search, or nodes of alpha-beta.
    Nodes(u64),
}

impl Limit {
    /// The budget of a move that is thought about from now on.
    pub fn budget(self) -> Budget {
        match self {
            Limit::Time(time) => Budget::until(Instant::now() + time),
            Limit::Nodes(nodes) => Budget::nodes(nodes),
        }
    }
}

/// How a game went for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl Score {
    /// What an outcome is for the player of a side.
    pub fn of(outcome: Outcome, side: Side) -> Score {
        match outcome {
            Outcome::Win(winner) if winner == side => Score::Win,
            Outcome::Win(_) => Score::Loss,
            Outcome::Draw => Score::Draw,
        }
    }

    /// The same score in half points: 0, 1 or 2.
    pub fn halves(self) -> u32 {
        self as u32
    }
}

/// A game after so many random legal moves, not over; none where a thousand tries found none.
pub fn random_opening<G: Game>(
    start: G,
    plies: usize,
    rng: &mut fastrand::Rng,
) -> Option<GameState<G>> {
    let mut attempt = || {
        let mut state = GameState::new(start);
        for _ in 0..plies {
            if state.ending().is_some() {
                return None;
            }
            state.play(state.position.random_move(rng)?);
        }
        state.ending().is_none().then_some(state)
    };
    (0..OPENING_TRIES).find_map(|_| attempt())
}

/// Plays a game to its end: White's engine and limit first, then Black's.
pub fn play_out<G: Game>(
    opening: &GameState<G>,
    engines: [&mut dyn Engine<G>; 2],
    limits: [Limit; 2],
) -> Outcome {
    let mut state = *opening;
    loop {
        if let Some(ending) = state.ending() {
            return ending.outcome;
        }
        let mover = state.position.side() as usize;
        let budget = limits[mover].budget();
        let report = engines[mover].think(&state, &budget, &mut |_| {});
        state.play(report.best);
    }
}

/// Plays an opening twice, the first engine as White and then as Black: its two scores.
pub fn play_pair<G: Game>(
    opening: &GameState<G>,
    engines: [&mut dyn Engine<G>; 2],
    limits: [Limit; 2],
) -> [Score; 2] {
    let [first, second] = engines;
    let as_white = play_out(opening, [&mut *first, &mut *second], limits);
    let as_black = play_out(opening, [second, first], [limits[1], limits[0]]);
    [Score::of(as_white, Side::White), Score::of(as_black, Side::Black)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Hadron, Voidrider};
    use crate::search::EngineOptions;
    use crate::search::random::Random;
    use crate::search::report::Report;

    fn random(seed: u64) -> Random {
        Random::new(&EngineOptions { seed, ..Default::default() })
    }

    /// Plays at random and notes what it was asked.
    struct Witness {
        player: Random,
        asked: Vec<(Side, Option<u64>)>,
    }

    impl Engine<Hadron> for Witness {
        fn think(
            &mut self,
            state: &GameState<Hadron>,
            budget: &Budget,
            progress: &mut dyn FnMut(&Report),
        ) -> Report {
            self.asked.push((state.position.side(), budget.nodes));
            self.player.think(state, budget, progress)
        }
    }

    #[test]
    fn an_opening_has_its_plies_and_is_not_over() {
        let mut rng = fastrand::Rng::with_seed(1);
        for plies in 0..12 {
            let opening = random_opening(Hadron::start(5, 5), plies, &mut rng).unwrap();
            assert_eq!(opening.position.ply(), plies);
            assert!(opening.ending().is_none());
        }
        let opening = random_opening(Voidrider::start(), 4, &mut rng).unwrap();
        assert_eq!(opening.history.len(), 4, "the history is kept");
        assert!(random_opening(Hadron::start(2, 2), 4, &mut rng).is_none());
        assert!(random_opening(Hadron::start(1, 1), 1, &mut rng).is_none());
    }

    #[test]
    fn each_engine_plays_either_side_once_under_its_own_limit() {
        let mut engines = [1, 2].map(|seed| Witness { player: random(seed), asked: Vec::new() });
        let opening = GameState::new(Hadron::start(5, 5));
        let [first, second] = &mut engines;
        play_pair(&opening, [first, second], [Limit::Nodes(10), Limit::Nodes(20)]);
        for (Witness { asked, .. }, nodes, side) in
            [(&engines[0], 10, Side::White), (&engines[1], 20, Side::Black)]
        {
            assert!(asked.iter().all(|&(_, limit)| limit == Some(nodes)));
            let change = asked.iter().position(|&(s, _)| s != side).unwrap();
            assert!(change > 0 && asked[change..].iter().all(|&(s, _)| s == !side));
        }
    }

    #[test]
    fn the_points_of_a_game_are_shared_out_and_follow_from_the_seeds() {
        let play = |first: u64, second: u64| {
            let opening = GameState::new(Voidrider::start());
            let limits = [Limit::Time(Duration::ZERO); 2];
            play_pair(&opening, [&mut random(first), &mut random(second)], limits)
        };
        for seed in 0..10 {
            assert_eq!(play(seed, 100 + seed), play(seed, 100 + seed));
        }
        for outcome in [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw] {
            let [white, black] = [Side::White, Side::Black].map(|side| Score::of(outcome, side));
            assert_eq!(white.halves() + black.halves(), 2);
        }
        assert_eq!(Score::of(Outcome::Win(Side::Black), Side::Black), Score::Win);
    }

    #[test]
    fn a_game_that_is_over_has_its_outcome() {
        let mut state = GameState::new(Hadron::start(1, 1));
        state.play_text("A1").unwrap();
        let limits = [Limit::Nodes(1); 2];
        let outcome = play_out(&state, [&mut random(1), &mut random(2)], limits);
        assert_eq!(outcome, Outcome::Win(Side::White));
    }
}
