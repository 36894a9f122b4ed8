//! Games between two engines in one process.
//!
//! The one idea: an opening is played twice, with the sides exchanged, so that what it gives to a
//! side it gives to each engine once. Such a pair of games is the unit of every comparison.

use std::time::Duration;

pub use crate::game::Score;
use crate::game::{Game, GameState, Move, Outcome, Side};
use crate::search::Engine;
use crate::search::clock::{Budget, Instant};

/// How often an opening that is over is drawn again.
const OPENING_TRIES: usize = 1000;

/// The limit of an engine for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Time per move.
    Time(Duration),
    /// Iterations of the tree search, or nodes of alpha-beta.
    Nodes(u64),
}

impl Limit {
    /// The budget of a move whose search begins now.
    pub fn budget(self) -> Budget<'static> {
        match self {
            Limit::Time(time) => Budget::until(Instant::now() + time),
            Limit::Nodes(nodes) => Budget::nodes(nodes),
        }
    }
}

/// The first moves of a game, chosen at random.
#[derive(Clone, Debug)]
pub struct Opening<G> {
    /// The moves from the start.
    pub moves: Vec<Move>,
    /// The game after them.
    pub state: GameState<G>,
}

/// Plays `plies` random legal moves, after which the game is neither over nor decided: the side to
/// move cannot win at once, and can prevent a win of its opponent at once. None after a thousand
/// failed tries. With `plies` zero, the start itself.
pub fn random_opening<G: Game>(
    start: G,
    plies: usize,
    rng: &mut fastrand::Rng,
) -> Option<Opening<G>> {
    let mut attempt = || {
        let mut opening = Opening { moves: Vec::new(), state: GameState::new(start) };
        for _ in 0..plies {
            if opening.state.ending().is_some() {
                return None;
            }
            let m = opening.state.position.random_move(rng)?;
            opening.moves.push(m);
            opening.state.play(m);
        }
        let open = opening.state.ending().is_none();
        (open && (plies == 0 || !is_lost_in_one(&opening.state))).then_some(opening)
    };
    (0..OPENING_TRIES).find_map(|_| attempt())
}

/// Whether the side to move can win at once, or cannot keep its opponent from it.
fn is_lost_in_one<G: Game>(state: &GameState<G>) -> bool {
    wins_at_once(state) || after_each(state, |next| wins_at_once(next)).all(|lost| lost)
}

/// Whether a move of the side to move wins.
fn wins_at_once<G: Game>(state: &GameState<G>) -> bool {
    let won = Outcome::Win(state.position.side());
    after_each(state, |next| next.ending().is_some_and(|end| end.outcome == won)).any(|wins| wins)
}

/// The results of `look` for the game after each legal move.
fn after_each<G: Game, T>(
    state: &GameState<G>,
    look: impl Fn(&GameState<G>) -> T,
) -> impl Iterator<Item = T> {
    let legal = state.position.legal_moves();
    legal.into_iter().map(move |m| {
        let next = state.after(m);
        look(&next)
    })
}

/// An engine that plays games.
pub struct Contestant<'a, G: Game> {
    /// The engine.
    pub engine: &'a mut dyn Engine<G>,
    /// Its limit for each move.
    pub limit: Limit,
    /// The seed for each of its games.
    pub seed: u64,
}

/// Plays a game to its end; White is the first of the players. Both forget earlier games.
pub fn play_out<G: Game>(
    opening: &GameState<G>,
    [white, black]: [&mut Contestant<'_, G>; 2],
) -> Outcome {
    for player in [&mut *white, &mut *black] {
        player.engine.new_game(player.seed);
    }
    let mut state = *opening;
    loop {
        if let Some(ending) = state.ending() {
            return ending.outcome;
        }
        let mover = match state.position.side() {
            Side::White => &mut *white,
            Side::Black => &mut *black,
        };
        let report = mover.engine.think(&state, &mover.limit.budget(), &mut |_| {});
        state.play(report.best);
    }
}

/// Plays an opening twice, the first player as White and then as Black: its two scores.
pub fn play_pair<G: Game>(
    opening: &GameState<G>,
    [mut first, mut second]: [Contestant<'_, G>; 2],
) -> [Score; 2] {
    let as_white = play_out(opening, [&mut first, &mut second]);
    let as_black = play_out(opening, [&mut second, &mut first]);
    [as_white.for_side(Side::White), as_black.for_side(Side::Black)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Hadron, Voidrider};
    use crate::search::EngineOptions;
    use crate::search::random::Random;
    use crate::search::report::Report;

    const AT_ONCE: Limit = Limit::Time(Duration::ZERO);

    fn random(seed: u64) -> Random {
        Random::new(&EngineOptions { seed, ..Default::default() })
    }

    /// Plays at random and records its calls.
    struct Witness {
        player: Random,
        seeds: Vec<u64>,
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

        fn new_game(&mut self, seed: u64) {
            self.seeds.push(seed);
        }
    }

    #[test]
    fn an_opening_has_its_plies_and_is_neither_over_nor_lost_at_once() {
        let mut rng = fastrand::Rng::with_seed(1);
        for plies in 0..12 {
            let opening = random_opening(Hadron::start(5, 5), plies, &mut rng).unwrap();
            assert_eq!((opening.moves.len(), opening.state.position.ply()), (plies, plies));
            let mut state = GameState::new(Hadron::start(5, 5));
            opening.moves.iter().for_each(|&m| state.play(m));
            assert!(state.same_as(&opening.state) && state.ending().is_none());
            assert!(!is_lost_in_one(&state), "{}", state.position);
        }
        let opening = random_opening(Voidrider::start(), 4, &mut rng).unwrap();
        assert_eq!(opening.state.history.len(), 4, "the history is kept");
        assert!(random_opening(Hadron::start(2, 2), 4, &mut rng).is_none());
        assert!(random_opening(Hadron::start(1, 1), 1, &mut rng).is_none());
    }

    #[test]
    fn positions_are_lost_at_once_for_either_side() {
        let lost = |size: usize, moves: &str| {
            let mut state = GameState::new(Hadron::start(size, size));
            state.play_text(moves).unwrap();
            is_lost_in_one(&state)
        };
        assert!(lost(1, ""), "White's only move is the last");
        assert!(lost(2, "A1 B2 A2"), "Black's is");
        assert!(lost(2, "A1 B2"), "whatever White plays, Black has the last move");
        assert!(!lost(2, "A1"), "Black cannot win at once, nor lose");
        assert!(!lost(5, ""));
    }

    #[test]
    fn each_engine_plays_either_side_once_under_its_own_limit() {
        let mut engines = [1, 2].map(|seed| Witness {
            player: random(seed),
            seeds: Vec::new(),
            asked: Vec::new(),
        });
        let opening = GameState::new(Hadron::start(5, 5));
        let [first, second] = &mut engines;
        let first = Contestant { engine: first, limit: Limit::Nodes(10), seed: 3 };
        let second = Contestant { engine: second, limit: Limit::Nodes(20), seed: 4 };
        play_pair(&opening, [first, second]);
        for (Witness { asked, seeds, .. }, nodes, side, seed) in
            [(&engines[0], 10, Side::White, 3), (&engines[1], 20, Side::Black, 4)]
        {
            assert_eq!(*seeds, [seed; 2], "each game begins afresh");
            assert!(asked.iter().all(|&(_, limit)| limit == Some(nodes)));
            let change = asked.iter().position(|&(s, _)| s != side).unwrap();
            assert!(change > 0 && asked[change..].iter().all(|&(s, _)| s == !side));
        }
    }

    #[test]
    fn the_points_of_a_game_are_shared_out_and_follow_from_the_seeds() {
        let play = |first: u64, second: u64| {
            let opening = GameState::new(Voidrider::start());
            let [mut white, mut black] = [random(0), random(0)];
            let first = Contestant { engine: &mut white, limit: AT_ONCE, seed: first };
            let second = Contestant { engine: &mut black, limit: AT_ONCE, seed: second };
            play_pair(&opening, [first, second])
        };
        for seed in 0..10 {
            assert_eq!(play(seed, 100 + seed), play(seed, 100 + seed));
        }
        for outcome in [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw] {
            let [white, black] = [Side::White, Side::Black].map(|side| outcome.for_side(side));
            assert_eq!(white.halves() + black.halves(), 2);
        }
        assert_eq!(Outcome::Win(Side::Black).for_side(Side::Black), Score::Win);
    }

    #[test]
    fn a_game_that_is_over_has_its_outcome() {
        let mut state = GameState::new(Hadron::start(1, 1));
        state.play_text("A1").unwrap();
        let [mut white, mut black] = [random(0), random(0)];
        let mut white = Contestant { engine: &mut white, limit: AT_ONCE, seed: 1 };
        let mut black = Contestant { engine: &mut black, limit: AT_ONCE, seed: 2 };
        let outcome = play_out(&state, [&mut white, &mut black]);
        assert_eq!(outcome, Outcome::Win(Side::White));
    }
}
