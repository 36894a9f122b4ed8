//! Moves of Voidrider Chess as they are drawn: castlings, and the king in check.

use super::Voidrider;
use crate::game::shape::{MoveKind, MoveShape, character_at};
use crate::game::{Game, Move, Side};

/// A legal move as it is drawn.
pub fn shape(position: &Voidrider, m: Move) -> MoveShape {
    let mut shape = MoveShape::of_notation(position, m);
    let from = shape.from.as_deref().unwrap_or_default();
    let column = |cell: &str| cell.bytes().next().unwrap_or_default();
    let king = character_at(position, from).eq_ignore_ascii_case(&'K');
    if king && shape.kind == MoveKind::Move && column(from).abs_diff(column(&shape.to)) == 2 {
        let between = u8::midpoint(column(from), column(&shape.to));
        shape.also = Some(format!("{}{}", char::from(between), &shape.to[1..]));
        shape.kind = MoveKind::Castle;
    }
    shape
}

/// The cell of the king that is in check.
pub fn checked_cell(position: &Voidrider) -> Option<String> {
    if !position.in_check() {
        return None;
    }
    let king = if position.side() == Side::White { 'K' } else { 'k' };
    position.cells().into_iter().flatten().find(|cell| character_at(position, cell) == king)
}
