//! Alesia: a Monte Carlo tree search player for four tournament games.
//!
//! ```
//! use alesia::game::{Game, GameState};
//! use alesia::games::Hadron;
//! use alesia::search::{EngineKind, EngineOptions, clock::Budget};
//!
//! let start = Hadron::start(5, 5);
//! let options = EngineOptions { memory: 16 << 20, ..EngineOptions::default() };
//! let mut engine = EngineKind::MonteCarlo.build(start, &options).unwrap();
//! let report = engine.think(&GameState::new(start), &Budget::nodes(1000), &mut |_| {});
//! assert!(start.notation(report.best).to_string().len() == 2);
//! ```
//!
//! The map; each line uses only lines above it:
//!
//! | module | what it is for |
//! |---|---|
//! | [`chance`] | random choices, the same on every machine |
//! | [`game`], [`parameters`] | what every game shares; the parameters of the tree search |
//! | [`eval`] | a position's score, the priors of its moves, what a game proves by itself |
//! | [`mod@games`] | the four games, one folder each |
//! | [`search`] | Monte Carlo tree search and alpha-beta, under one clock |
//! | [`machine`], [`measurements`] | the machine, and files of what was measured on it |
//! | [`book`], [`duel`] | openings from a book; games between engines |
//! | [`net`], [`ugi`] | the tournament's protocols and that of match runners, as text |
//! | [`player`] | an engine at the end of a connection |
//!
//! `docs/architecture.md` follows one move and one iteration through the code, `docs/search.md` has
//! the reasons for search and heuristics, `docs/results.md` their strength. `examples/` has a move
//! from a position, a match, a client and a new game.

pub mod arguments;
pub mod bitboard;
pub mod book;
pub mod chance;
pub mod check;
pub mod command_pages;
pub mod dashes;
pub mod date;
pub mod duel;
pub mod eval;
pub mod game;
pub mod game_record;
pub mod games;
#[cfg(debug_assertions)]
pub mod instances;
pub mod machine;
pub mod measure;
pub mod measurements;
mod named;
pub mod net;
pub mod parameters;
pub mod perft;
pub mod player;
pub mod processor;
pub mod record_file;
pub mod screen;
pub mod search;
pub mod size;
pub mod time_span;
pub mod ugi;
