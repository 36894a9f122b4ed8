//! A game with a heuristic of the user's own in place of its evaluation.
//!
//! The one idea: engines ask a position for its score, so a position that answers with another
//! heuristic is another player of the same game. Rules and notation are those of the position
//! within; proofs, priors and parameters of the game's own evaluation are not used.

use std::fmt;
use std::marker::PhantomData;

use super::any::{OfOneGame, own};
use super::{Engine, EngineError, EngineKind, EngineOptions};
use crate::eval::oracle::NoOracle;
use crate::eval::parameters::Parameters;
use crate::eval::{Evaluate, MAX_SCORE};
use crate::game::shape::MoveShape;
use crate::game::{Ending, Game, GameState, History, Move, MoveList, ParseError, Side};
use crate::games::{AnyGame, AnyState, Listed};

/// What somebody thinks of the positions of a game.
pub trait Heuristic<G: Game>: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The tree search's parameters.
    const TUNING: Parameters = Parameters::DEFAULT;

    /// The score for the side to move, in hundredths of about a pawn or stone; an expected result
    /// of three quarters of a point is 200. The game is not over, except for want of a move.
    fn evaluate(position: &G) -> i32;

    /// Sets a positive weight for each legal move, larger for more promising ones.
    fn weigh(position: &G, moves: &[Move], weights: &mut [f32]) {
        let _ = (position, moves);
        weights.fill(1.0);
    }
}

/// An engine that plays a game by a heuristic.
///
/// # Errors
/// As for [`EngineKind::build`].
pub fn engine<G: Listed, H: Heuristic<G>>(
    kind: EngineKind,
    start: G,
    options: &EngineOptions,
) -> Result<Box<dyn Engine>, EngineError> {
    let judged = Judged::<G, H> { position: start, heuristic: PhantomData };
    Ok(Box::new(OfOneGame { engine: kind.build_for(judged, options)?, see }))
}

/// The same for a position of any game, compiled once for all of them: for a heuristic that takes
/// longer than the rules do.
///
/// # Errors
/// As for [`EngineKind::build`].
pub fn engine_of_any<H: Heuristic<AnyGame>>(
    kind: EngineKind,
    start: AnyGame,
    options: &EngineOptions,
) -> Result<Box<dyn Engine>, EngineError> {
    let see = |state: &AnyState| GameState {
        position: Judged { position: state.position, heuristic: PhantomData },
        history: state.history,
    };
    let judged = Judged::<AnyGame, H> { position: start, heuristic: PhantomData };
    Ok(Box::new(OfOneGame { engine: kind.build_for(judged, options)?, see }))
}

/// A position that is judged by a heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Judged<G, H> {
    position: G,
    heuristic: PhantomData<H>,
}

impl<G: fmt::Display, H> fmt::Display for Judged<G, H> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.position.fmt(f)
    }
}

impl<G: Game, H: Heuristic<G>> Game for Judged<G, H> {
    const TITLE: &'static str = G::TITLE;
    const MOVE_FORM: &'static str = G::MOVE_FORM;
    const PLY_LIMIT: usize = G::PLY_LIMIT;
    const REPETITION: bool = G::REPETITION;

    fn ply_limit(&self) -> usize {
        self.position.ply_limit()
    }

    fn has_repetition(&self) -> bool {
        self.position.has_repetition()
    }

    fn side(&self) -> Side {
        self.position.side()
    }

    fn ply(&self) -> usize {
        self.position.ply()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn codes(&self) -> usize {
        self.position.codes()
    }

    fn count_moves(&self) -> usize {
        self.position.count_moves()
    }

    fn moves(&self, list: &mut MoveList) {
        self.position.moves(list);
    }

    fn random_move(&self, rng: &mut fastrand::Rng) -> Option<Move> {
        self.position.random_move(rng)
    }

    fn play(&mut self, m: Move) {
        self.position.play(m);
    }

    fn play_unkeyed(&mut self, m: Move) {
        self.position.play_unkeyed(m);
    }

    fn won(&self) -> Option<Ending> {
        self.position.won()
    }

    fn without_moves(&self) -> Ending {
        self.position.without_moves()
    }

    fn drawn(&self, history: &History) -> Option<Ending> {
        self.position.drawn(history)
    }

    fn came_before(&self, history: &History, reach: usize) -> bool {
        self.position.came_before(history, reach)
    }

    fn repetition_draws(&self) -> bool {
        self.position.repetition_draws()
    }

    fn ending_with(&self, history: &History, count: impl FnOnce() -> usize) -> Option<Ending> {
        self.position.ending_with(history, count)
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        self.position.write_move(m, f)
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        self.position.read_notation(text)
    }

    fn parse_board(&self, text: &str) -> Result<Judged<G, H>, ParseError> {
        Ok(Judged { position: self.position.parse_board(text)?, ..*self })
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.position.write_rows(f)
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        self.position.labels()
    }

    fn shape(&self, m: Move) -> MoveShape {
        self.position.shape(m)
    }
}

impl<G: Game, H: Heuristic<G>> Evaluate for Judged<G, H> {
    type Oracle = NoOracle;

    const TUNING: Parameters = H::TUNING;

    fn evaluate(&self) -> i32 {
        H::evaluate(&self.position).clamp(1 - MAX_SCORE, MAX_SCORE - 1)
    }

    fn weigh(&self, moves: &[Move], weights: &mut [f32]) {
        H::weigh(&self.position, moves, weights);
    }
}

/// A state as the engine sees it.
fn see<G: Listed, H>(state: &AnyState) -> GameState<Judged<G, H>> {
    let GameState { position, history } = own::<G>(state);
    GameState { position: Judged { position, heuristic: PhantomData }, history }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Murus;
    use crate::search::clock::Budget;

    /// Every position is as good as any other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Blind;

    impl<G: Game> Heuristic<G> for Blind {
        fn evaluate(_: &G) -> i32 {
            0
        }
    }

    /// It prefers the first move in the order of the rules.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Stubborn;

    impl Heuristic<Murus> for Stubborn {
        fn evaluate(_: &Murus) -> i32 {
            i32::MAX
        }

        fn weigh(_: &Murus, _: &[Move], weights: &mut [f32]) {
            weights.fill(1e-6);
            weights[0] = 1.0;
        }
    }

    #[test]
    fn a_heuristic_replaces_the_games_evaluation_and_priors() {
        let options = EngineOptions { memory: 4 << 20, ..EngineOptions::default() };
        let start = AnyGame::named("murus").unwrap();
        let AnyGame::Murus(murus) = start else { unreachable!() };
        let state = GameState::new(start);
        for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
            let of_murus = engine::<Murus, Blind>(kind, murus, &options).unwrap();
            let of_any = engine_of_any::<Blind>(kind, start, &options).unwrap();
            for mut blind in [of_murus, of_any] {
                let report = blind.think(&state, &Budget::nodes(200), &mut |_| {});
                assert_eq!(report.value, 0.5, "{kind:?}");
            }
        }
        let kind = EngineKind::MonteCarlo;
        let mut stubborn = engine::<Murus, Stubborn>(kind, murus, &options).unwrap();
        let report = stubborn.think(&state, &Budget::nodes(200), &mut |_| {});
        assert_eq!(report.best, state.moves()[0]);
    }
}
