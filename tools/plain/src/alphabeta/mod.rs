//! A textbook alpha-beta player of the four games, with boards and evaluations of its own.
//!
//! This is the player that a student would bring: iterative deepening, a transposition table,
//! killer moves, late move reductions and a quiescence search, with an evaluation of about ten
//! lines for each game. It shares nothing with the engines of the player, so what is measured
//! against it does not depend on their networks. Its boards are quick; tests compare their moves
//! and results with the plain rules.

mod area;
mod board;
mod hadron;
mod loa;
mod murus;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod voidrider;

use std::marker::PhantomData;
use std::time::Instant;

use board::Board;
use search::Search;

/// What ends a search; without any of these it is ended by the largest depth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The moment at which the answer must be known.
    pub deadline: Option<Instant>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Plies of the last iteration, at least 1.
    pub depth: Option<u32>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The best move in the game's notation.
    pub best: String,
    /// The score for the side to move, in hundredths of a pawn, a stone or a move.
    pub score: i32,
    /// Plies to a forced end: above 0 a win, below 0 a loss.
    pub plies_to_end: Option<i32>,
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Positions that were searched.
    pub nodes: u64,
}

/// A player of one game.
pub trait Player: Send {
    /// Forgets earlier games.
    fn new_game(&mut self);

    /// Searches the position after these moves from a text board, which must be valid, and not over
    /// after the moves.
    ///
    /// # Errors
    /// Names the first move that is illegal; or there is none to play.
    fn think(&mut self, board: &str, moves: &[String], limits: &Limits) -> Result<Answer, String>;
}

/// The games by name.
pub const GAMES: [&str; 4] = ["murus", "hadron", "loa", "voidrider"];

/// Setups of these games with other rules; all others differ in their start alone.
const OTHER_RULES: [&str; 2] = ["standard", "thery"];

/// Whether the player knows the rules of a game with a setup, which may be empty.
pub fn plays(game: &str, setup: &str) -> bool {
    GAMES.contains(&game) && !OTHER_RULES.contains(&setup)
}

/// Builds the player of one of the [`GAMES`], with a table of at most `memory` bytes.
pub fn player(game: &str, memory: usize) -> Option<Box<dyn Player>> {
    Some(match game {
        "murus" => Box::new(OfGame::<murus::Murus>::new(memory)),
        "hadron" => Box::new(OfGame::<hadron::Hadron>::new(memory)),
        "loa" => Box::new(OfGame::<loa::Loa>::new(memory)),
        "voidrider" => Box::new(OfGame::<voidrider::Voidrider>::new(memory)),
        _ => return None,
    })
}

/// The search of one game.
struct OfGame<B> {
    search: Search,
    board: PhantomData<B>,
}

impl<B: Board> OfGame<B> {
    fn new(memory: usize) -> OfGame<B> {
        OfGame { search: Search::new(memory), board: PhantomData }
    }
}

impl<B: Board + Send> Player for OfGame<B> {
    fn new_game(&mut self) {
        self.search.forget();
    }

    fn think(&mut self, board: &str, moves: &[String], limits: &Limits) -> Result<Answer, String> {
        let mut position = B::from_text(board);
        let mut past = Vec::new();
        for text in moves {
            past.push(position.key());
            let legal = position.legal_moves();
            let named = legal.into_iter().find(|&m| position.notation(m) == *text);
            position.play(named.ok_or_else(|| format!("{text} is illegal after {board}"))?);
        }
        let found = self.search.think(&position, past, limits);
        let found = found.ok_or_else(|| format!("no legal move after {board} {moves:?}"))?;
        Ok(Answer {
            best: position.notation(found.best),
            score: found.score,
            plies_to_end: search::plies_to_end(found.score),
            depth: found.depth,
            nodes: found.nodes,
        })
    }
}
