//! A position of any game behind one trait.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};

use alesia::game::screen;
use alesia::game::{Ending, Game, GameState, Move, MoveList, Outcome, ParseError, Side};
use alesia::games::{BuiltIn, GameSpec};
use alesia::with_game;

use crate::planes::{self, Planes};

/// A position with its history, whatever its game is.
pub trait Held: Send + Sync {
    /// Itself, for those who know the game.
    fn as_any(&self) -> &dyn Any;
    /// See [`Game::title`].
    fn title(&self) -> String;
    /// See [`Game::side`].
    fn side(&self) -> Side;
    /// See [`Game::ply`].
    fn ply(&self) -> usize;
    /// See [`Game::key`].
    fn key(&self) -> u64;
    /// See [`Game::codes`].
    fn codes(&self) -> usize;
    /// Max plies of a game.
    fn ply_limit(&self) -> usize;
    /// The text board.
    fn board(&self) -> String;
    /// The board in several lines.
    fn drawn(&self) -> String;
    /// Whether and how the game is over.
    fn ending(&self) -> Option<Ending>;
    /// The legal moves, none where the game is over.
    fn moves(&self) -> MoveList;
    /// A move in the game's notation.
    fn notation(&self, m: Move) -> String;
    /// Reads a legal move.
    ///
    /// # Errors
    /// It is none.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError>;
    /// The position after a legal move.
    fn after(&self, m: Move) -> Box<dyn Held>;
    /// Whether it is the same position with the same history.
    fn same_as(&self, other: &dyn Held) -> bool;
    /// The static score for the side to move, if the game is not over.
    fn evaluate(&self) -> Option<i32>;
    /// What the planes say.
    fn planes(&self) -> Planes;
    /// The numbers in them.
    fn numbers(&self) -> Vec<f32>;
    /// Random games from here: how many White won, nobody won, Black won, and the plies played.
    fn playouts(&self, games: u64, seed: u64, stop: &AtomicBool) -> [u64; 4];
}

/// The position of a game at its beginning, or of a text board.
///
/// # Errors
/// The text is no board of the game.
pub fn hold(game: GameSpec, board: Option<&str>) -> Result<Box<dyn Held>, ParseError> {
    with_game!(game, start => {
        let position = board.map_or(Ok(start), |text| start.parse_board(text))?;
        Ok(Box::new(GameState::new(position)))
    })
}

impl<G: BuiltIn> Held for GameState<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn title(&self) -> String {
        self.position.title().into_owned()
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

    fn ply_limit(&self) -> usize {
        G::PLY_LIMIT
    }

    fn board(&self) -> String {
        self.position.to_string()
    }

    fn drawn(&self) -> String {
        screen::board(&self.position)
    }

    fn ending(&self) -> Option<Ending> {
        GameState::ending(self)
    }

    fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if GameState::ending(self).is_none() {
            self.position.moves(&mut moves);
        }
        moves
    }

    fn notation(&self, m: Move) -> String {
        self.position.notation(m).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        self.position.parse_move(text)
    }

    fn after(&self, m: Move) -> Box<dyn Held> {
        let mut next = Box::new(*self);
        next.play(m);
        next
    }

    fn same_as(&self, other: &dyn Held) -> bool {
        other.as_any().downcast_ref::<GameState<G>>().is_some_and(|other| self.same_as(other))
    }

    fn evaluate(&self) -> Option<i32> {
        GameState::ending(self).is_none().then(|| self.position.evaluate())
    }

    fn planes(&self) -> Planes {
        Planes::of(&self.position)
    }

    fn numbers(&self) -> Vec<f32> {
        planes::numbers(&self.position)
    }

    fn playouts(&self, games: u64, seed: u64, stop: &AtomicBool) -> [u64; 4] {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut counts = [0; 4];
        for _ in 0..games {
            // Relaxed: the flag alone matters.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let (outcome, plies) = play_out(*self, &mut rng);
            let place = match outcome {
                Outcome::Win(Side::White) => 0,
                Outcome::Draw => 1,
                Outcome::Win(Side::Black) => 2,
            };
            counts[place] += 1;
            counts[3] += plies;
        }
        counts
    }
}

/// Plays random moves to the end of the game: its outcome and the plies played.
fn play_out<G: Game>(mut state: GameState<G>, rng: &mut fastrand::Rng) -> (Outcome, u64) {
    let mut plies = 0;
    loop {
        if let Some(ending) = state.ending() {
            return (ending.outcome, plies);
        }
        let Some(m) = state.position.random_move(rng) else {
            unreachable!("a game that is not over has a move");
        };
        match G::REPETITION {
            true => state.play(m),
            // Nothing asks for its key.
            false => state.position.play_unkeyed(m),
        }
        plies += 1;
    }
}
