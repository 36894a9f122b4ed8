//! The games and the engines: rules, text, search. They keep all processors busy.
//!
//! One program for all these tests, as every program needs time to link.

mod against_plain;
mod alphabeta;
mod any_game;
mod boards;
mod chosen_moves;
mod conformance;
mod exhaustive;
mod experiments;
mod fragile;
mod hadron_endgames;
mod hadron_mirror;
mod known_games;
mod late_workers;
mod monte_carlo;
mod no_threads;
mod only_moves;
mod openspiel;
mod panics;
mod perft;
mod plain_variant;
mod positions;
mod queries;
mod records;
mod rulebook;
mod rules;
mod support;
mod variants;
