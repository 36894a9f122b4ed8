//! The fixed work of the benches: positions of random games, move sequences, random playouts.
//!
//! Both implementations get the same positions and do the same. They count the legal moves, and the
//! last ply of a move sequence without playing it. After every move of a playout they ask whether
//! the game is over.

use alesia::game::chance::Chance;
use alesia::game::{Game, GameState};
use alesia::games::BuiltIn;
use alesia_plain::{self as plain, PlainGame};
use fastrand::Rng;

/// Positions whose moves are counted.
pub const POSITIONS: usize = 500;

/// A game with its plain implementation.
pub trait Benched: BuiltIn {
    /// The same game in the plain implementation.
    type Plain: PlainGame;
}

macro_rules! plain_of_each_game {
    ([$($game:ident,)+]) => {
        $(impl Benched for alesia::games::$game {
            type Plain = plain::$game;
        })+
    };
}

alesia_plain::twins!(plain_of_each_game);

/// Plies of the move sequences that are counted, deep enough for a stable time.
fn depth<G: BuiltIn>() -> u32 {
    let has_few_moves = G::standard_start().count_moves() < 25;
    if has_few_moves { 4 } else { 3 }
}

/// The positions, drawn from all those of seeded random games, in both implementations.
pub fn positions<G: Benched>() -> (Vec<G>, Vec<G::Plain>) {
    let mut rng = Rng::with_seed(1);
    let mut all = Vec::new();
    while all.len() < 20 * POSITIONS {
        let mut state = GameState::new(G::standard_start());
        while state.ending().is_none() {
            all.push(state.position);
            let m = state.position.random_move(&mut rng).expect("a move in an unfinished game");
            state.play(m);
        }
    }
    rng.mix(&mut all);
    all.truncate(POSITIONS);
    let plain = all.iter().map(|position| G::Plain::from_text(&position.to_string())).collect();
    (all, plain)
}

pub fn count_fast<G: Game>(positions: &[G]) -> usize {
    positions.iter().map(G::count_moves).sum()
}

pub fn count_plain<P: PlainGame>(positions: &[P]) -> usize {
    positions.iter().map(|position| position.moves().len()).sum()
}

pub fn perft_fast<G: Benched>() -> u64 {
    alesia::game::perft::perft(&GameState::new(G::standard_start()), depth::<G>())
}

pub fn perft_plain<G: Benched>() -> u64 {
    plain::perft(&G::Plain::from_text(&G::standard_start().to_string()), depth::<G>())
}

/// Plays a random game to its end and returns its length.
pub fn playout_fast<G: Benched>(rng: &mut Rng) -> usize {
    let mut state = GameState::new(G::standard_start());
    loop {
        let position = &state.position;
        if position.won().is_some() {
            return position.ply();
        }
        let Some(m) = position.random_move(rng) else { return position.ply() };
        if position.drawn(&state.history).is_some() {
            return position.ply();
        }
        state.play(m);
    }
}

/// The same in the plain implementation.
pub fn playout_plain<G: Benched>(rng: &mut Rng) -> usize {
    let mut game = G::Plain::from_text(&G::standard_start().to_string());
    while game.result().is_none() {
        let moves = game.moves();
        game.play(moves[rng.index(..moves.len())]);
    }
    game.ply() as usize
}
