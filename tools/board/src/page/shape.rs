//! A move as the page draws it: the game's own [`shape`](alesia::game::shape), as JSON.

use alesia::game::shape;
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
        MoveShape { text, from, to, also, kind, promotion }
    }
}
