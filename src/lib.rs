//! Alesia: a Monte Carlo tree search player for four tournament games.
//!
//! The layers, arrows one way: [`game`] and [`parameters`] (what every game shares) ← [`eval`] (the
//! trait for scores, priors and tuning) ← [`mod@games`] (one folder for each game) ← [`search`] (tree
//! search and alpha-beta under one clock) ← [`book`] (openings analysed beforehand), [`duel`] (games
//! between engines). [`net`] carries moves as text and knows no search, [`ugi`] the words of match
//! runners. A [`player`] is an engine at the end of a connection, with what is shown of its game;
//! the command line joins the rest. `docs/architecture.md` has the map, `docs/search.md` the reasons
//! for search and heuristics, `docs/results.md` their strength.

pub mod bitboard;
pub mod book;
pub mod check;
pub mod duel;
pub mod eval;
pub mod game;
pub mod games;
#[cfg(debug_assertions)]
pub mod instances;
pub mod measure;
pub mod net;
pub mod parameters;
pub mod perft;
pub mod player;
pub mod processor;
pub mod search;
pub mod size;
pub mod ugi;
