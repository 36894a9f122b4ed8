//! Chess variants by definition: by rules and results (`rules.rs`), rules that count
//! (`counted.rs`), where two rules meet (`corners.rs`), beside other programs and plain rules
//! (`beside.rs`), as the engines play them (`engines.rs`, `leaves.rs`), and what is refused in a
//! file of definitions (`refused.rs`).

mod beside;
mod corners;
mod counted;
mod engines;
mod leaves;
mod refused;
mod rules;

use std::collections::BTreeSet;

use alesia::game::{Ending, Game, GameState};
use alesia::games::variant::{self, Chosen};
use alesia::games::{BuiltIn, Variant};

/// The start of a built-in variant.
fn built_in(name: &str) -> Variant {
    let chosen = Chosen::of_name(&format!("variant:{name}"));
    Variant::set_up(chosen.unwrap_or_else(|| panic!("no {name}")))
}

/// The start of the only variant of a text.
fn defined(text: &str) -> Variant {
    Variant::set_up(variant::load("test.ini", text.to_owned()).unwrap_or_else(|e| panic!("{e}"))[0])
}

/// Chess with further keys.
fn chess_with(keys: &str) -> Variant {
    defined(&format!("[x:chess]\n{keys}"))
}

fn moves(position: &Variant) -> BTreeSet<String> {
    let list = position.legal_moves();
    list.iter().map(|&m| position.notation(m).to_string()).collect()
}

/// The moves of a position that begin with a cell.
fn moves_from(position: &Variant, text: &str, cell: &str) -> Vec<String> {
    let position = position.parse_board(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    moves(&position).into_iter().filter(|name| name.starts_with(cell)).collect()
}

fn after(start: Variant, moves: &str) -> GameState<Variant> {
    let mut state = GameState::new(start);
    state.play_text(moves).unwrap_or_else(|error| panic!("{error}"));
    state
}

/// How the game stands at a position of its own.
fn ending_at(start: Variant, text: &str) -> Option<String> {
    let position = start.parse_board(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    GameState::new(position).ending().map(|ending: Ending| ending.to_string())
}
