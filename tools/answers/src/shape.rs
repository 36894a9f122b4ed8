//! A move as the page draws it: the game's own [`shape`], as JSON.

use alesia::game::{Game, Move, shape};
use alesia::games::AnyGame;
use serde::Serialize;

/// What a move does, in a word of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    Distribute,
    Sacrifice,
    Place,
    Move,
    Capture,
    Space,
    Castle,
}

/// A move as the page draws it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveShape {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// As people write it, where that differs: in chess variants standard algebraic notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// The cell it leaves; none where a stone comes from outside.
    pub from: Option<String>,
    /// The cell that is chosen.
    pub to: String,
    /// Another cell that gets something.
    pub also: Option<String>,
    pub kind: MoveKind,
    /// What a pawn becomes.
    pub promotion: Option<char>,
}

impl MoveShape {
    /// A legal move of a position, with what people write.
    pub fn of(position: &AnyGame, m: Move) -> MoveShape {
        let shape = MoveShape::from(position.shape(m));
        let shown = Some(position.standard_notation(m)).filter(|shown| *shown != shape.text);
        MoveShape { shown, ..shape }
    }
}

impl From<shape::MoveShape> for MoveShape {
    fn from(shape: shape::MoveShape) -> MoveShape {
        let shape::MoveShape { text, from, to, also, kind, promotion } = shape;
        let kind = match kind {
            shape::MoveKind::Distribute => MoveKind::Distribute,
            shape::MoveKind::Sacrifice => MoveKind::Sacrifice,
            shape::MoveKind::Place => MoveKind::Place,
            shape::MoveKind::Move => MoveKind::Move,
            shape::MoveKind::Capture => MoveKind::Capture,
            shape::MoveKind::Space => MoveKind::Space,
            shape::MoveKind::Castle => MoveKind::Castle,
        };
        MoveShape { text, shown: None, from, to, also, kind, promotion }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_shown_in_standard_notation_where_there_is_one() {
        for (game, text, shown) in [
            ("variant:chess", "g1f3", Some("Nf3")),
            ("variant:chess", "e2e4", Some("e4")),
            ("loa", "B1-B3", None),
        ] {
            let position = AnyGame::named(game).unwrap();
            let shape = MoveShape::of(&position, position.parse_move(text).unwrap());
            assert_eq!((shape.text.as_str(), shape.shown.as_deref()), (text, shown));
        }
    }
}
