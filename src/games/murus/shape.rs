//! Moves of Murus Gallicus as they are drawn: where a tower's stones fall, or which wall goes.

use super::Murus;
use crate::game::bitboard::Direction;
use crate::game::shape::{MoveKind, MoveShape};
use crate::game::{Game, Move};

/// A legal move as it is drawn.
pub fn shape(position: &Murus, m: Move) -> MoveShape {
    let text = position.notation(m).to_string();
    let (from, _) = text.split_once(',').expect("the notation has a cell and a direction");
    let (_, direction): (_, Direction) = position.source_and_direction(m);
    let (down, right) = direction.delta();
    let cells = position.cells();
    let place = |(row, columns): (usize, &Vec<String>)| {
        Some((row as i32, columns.iter().position(|name| name == from)? as i32))
    };
    let (row, column) = cells.iter().enumerate().find_map(place).expect("a cell of the board");
    let step = |count: i32| {
        cells[(row + count * down) as usize][(column + count * right) as usize].clone()
    };
    let (to, also, kind) = match position.is_sacrifice(m) {
        true => (step(1), None, MoveKind::Sacrifice),
        false => (step(2), Some(step(1)), MoveKind::Distribute),
    };
    MoveShape { from: Some(from.to_owned()), to, also, kind, promotion: None, text }
}
