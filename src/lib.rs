//! Alesia: a Monte Carlo tree search player for four tournament games.
//!
//! ```
//! use alesia::game::{Game, GameState};
//! use alesia::games::AnyGame;
//! use alesia::search::{EngineKind, EngineOptions, clock::Budget};
//!
//! let start = AnyGame::named("hadron5").unwrap();
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
//! | [`game`] | what every game shares: rules as a trait, moves, boards, random choices |
//! | [`eval`] | a position's score, the priors of its moves, what a game proves by itself |
//! | [`mod@games`] | the four games, one folder each |
//! | [`search`] | Monte Carlo tree search and alpha-beta, under one clock |
//! | [`book`] | openings from a book |
//! | [`net`] | the tournament's protocols as text: a client, a referee, a relay |
//! | [`record`] | finished games as lines of a file |
//!
//! The modules from [`net`] on are the feature `program`, on by default; without it the crate is
//! the core alone, with half of the dependencies, and with the feature `records` the core and
//! [`record`]. What only the project's own programs use is not
//! shown here, and may change with any version.
//!
//! `docs/architecture.md` follows one move and one iteration through the code, `docs/search.md` has
//! the reasons for search and heuristics, `docs/results.md` their strength. `examples/` has a move
//! from a position, a match, a client, a heuristic of one's own and a new game.

pub mod book;
pub mod eval;
pub mod game;
pub mod games;
pub mod search;

#[cfg(feature = "program")]
pub mod net;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod player;
#[cfg(feature = "records")]
pub mod record;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod ugi;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod words;
