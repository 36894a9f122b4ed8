//! What a move looks like on a drawn board: the cells it leaves, reaches and changes, and its kind.
//!
//! The one idea: the page knows no rules. It draws cells by their names, and for every legal move
//! the server says which cell is left, which one is chosen, and what that means.

use alesia::eval::Evaluate;
use alesia::game::bitboard::Direction;
use alesia::game::{Game, Move};
use alesia::games::variant::ActionKind;
use alesia::games::{Hadron, Loa, Murus, Variant, Voidrider};
use serde::Serialize;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// Murus Gallicus: a tower drops its stones on two cells.
    Distribute,
    /// Murus Gallicus: a tower gives a stone to remove an enemy wall.
    Sacrifice,
    /// A stone is placed on a cell.
    Place,
    /// A piece goes to an empty cell.
    Move,
    /// A piece captures another.
    Capture,
    /// Voidrider Chess: a piece goes into the void, which becomes a square.
    Space,
    /// Voidrider Chess: king and rook.
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
    /// The cell that is chosen: for a distribution the farther, for a sacrifice that of the wall.
    pub to: String,
    /// Another cell that gets something: the nearer of a distribution, the rook's of a castling.
    pub also: Option<String>,
    pub kind: MoveKind,
    /// What a pawn becomes.
    pub promotion: Option<char>,
}

/// A game whose moves can be drawn.
pub trait Drawn: Evaluate {
    /// A legal move as it is drawn; by default from its notation: the cell where a stone is placed,
    /// or the cells left and reached with a `-` between.
    fn shape(&self, m: Move) -> MoveShape {
        as_written(self, m)
    }

    /// The cell of a king in check.
    fn check(&self) -> Option<String> {
        None
    }

    /// The names of all cells, by row from top to bottom.
    fn cells(&self) -> Vec<Vec<String>> {
        let (rows, columns) = self.labels();
        // A cell is written as a letter and a digit.
        let columns_are_letters = columns[0].starts_with(char::is_alphabetic);
        let name = |row: &String, column: &String| match columns_are_letters {
            true => format!("{column}{row}"),
            false => format!("{row}{column}"),
        };
        rows.iter().map(|row| columns.iter().map(|column| name(row, column)).collect()).collect()
    }

    /// The character of a cell in the text board.
    fn at(&self, cell: &str) -> char {
        let cells = self.cells();
        let rows = self.rows().to_string();
        let characters = rows.split('/').flat_map(str::chars);
        let found = cells.iter().flatten().zip(characters).find(|(name, _)| *name == cell);
        found.map_or('.', |(_, character)| character)
    }
}

/// A move as its notation says it.
fn as_written<G: Drawn>(position: &G, m: Move) -> MoveShape {
    let text = position.notation(m).to_string();
    let (cells, promotion) = match text.split_once('=') {
        Some((cells, piece)) => (cells, piece.chars().next()),
        None => (&text[..], None),
    };
    let (from, to) = match cells.split_once('-') {
        Some((from, to)) => (Some(from.to_owned()), to.to_owned()),
        None => (None, cells.to_owned()),
    };
    let kind = match (&from, position.at(&to)) {
        (None, _) => MoveKind::Place,
        (_, '#') => MoveKind::Space,
        (_, '.') => MoveKind::Move,
        _ => MoveKind::Capture,
    };
    MoveShape { from, to, also: None, kind, promotion, text }
}

impl Drawn for Murus {
    fn shape(&self, m: Move) -> MoveShape {
        let text = self.notation(m).to_string();
        let (from, _) = text.split_once(',').expect("the notation has a cell and a direction");
        let (_, direction): (_, Direction) = self.source_and_direction(m);
        let (down, right) = direction.delta();
        let cells = self.cells();
        let place = |(row, columns): (usize, &Vec<String>)| {
            Some((row as i32, columns.iter().position(|name| name == from)? as i32))
        };
        let (row, column) = cells.iter().enumerate().find_map(place).expect("a cell of the board");
        let step = |count: i32| {
            cells[(row + count * down) as usize][(column + count * right) as usize].clone()
        };
        let (to, also, kind) = match self.is_sacrifice(m) {
            true => (step(1), None, MoveKind::Sacrifice),
            false => (step(2), Some(step(1)), MoveKind::Distribute),
        };
        MoveShape { from: Some(from.to_owned()), to, also, kind, promotion: None, text }
    }
}

impl Drawn for Hadron {}

impl Drawn for Loa {}

impl Drawn for Voidrider {
    fn shape(&self, m: Move) -> MoveShape {
        let mut shape = as_written(self, m);
        let from = shape.from.as_deref().unwrap_or_default();
        let column = |cell: &str| cell.bytes().next().unwrap_or_default();
        let king = self.at(from).eq_ignore_ascii_case(&'K');
        if king && shape.kind == MoveKind::Move && column(from).abs_diff(column(&shape.to)) == 2 {
            let between = u8::midpoint(column(from), column(&shape.to));
            shape.also = Some(format!("{}{}", char::from(between), &shape.to[1..]));
            shape.kind = MoveKind::Castle;
        }
        shape
    }

    fn check(&self) -> Option<String> {
        if !self.in_check() {
            return None;
        }
        let king = if self.side() == alesia::game::Side::White { 'K' } else { 'k' };
        self.cells().into_iter().flatten().find(|cell| self.at(cell) == king)
    }
}

impl Drawn for Variant {
    fn shape(&self, m: Move) -> MoveShape {
        let described = self.describe(m);
        let name = |cell: usize| self.cell_name(cell);
        let kind = match described.kind {
            ActionKind::Move => MoveKind::Move,
            ActionKind::Capture => MoveKind::Capture,
            ActionKind::Space => MoveKind::Space,
            ActionKind::Castle => MoveKind::Castle,
        };
        MoveShape {
            text: self.notation(m).to_string(),
            from: Some(name(described.from)),
            to: name(described.to),
            also: described.also.map(name),
            kind,
            promotion: described.promotion,
        }
    }

    fn check(&self) -> Option<String> {
        self.checked_king().map(|cell| self.cell_name(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape<G: Drawn>(start: G, board: &str, text: &str) -> (String, String, String, MoveKind) {
        let position = start.parse_board(board).unwrap();
        let m = position.parse_move(text).unwrap();
        let MoveShape { from, to, also, kind, .. } = position.shape(m);
        (from.unwrap_or_default(), to, also.unwrap_or_default(), kind)
    }

    fn named(
        from: &str,
        to: &str,
        also: &str,
        kind: MoveKind,
    ) -> (String, String, String, MoveKind) {
        (from.into(), to.into(), also.into(), kind)
    }

    #[test]
    fn a_tower_distributes_and_gives_a_stone_for_a_wall() {
        let start = Murus::start();
        let board = "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 0";
        assert_eq!(shape(start, board, "G4,NE"), named("G4", "E6", "F5", MoveKind::Distribute));
        let board = "BBBBBBB./......../......../......../......../...b..../WWWWWWWW w 0";
        assert_eq!(shape(start, board, "G5,NW"), named("G5", "F4", "", MoveKind::Sacrifice));
    }

    #[test]
    fn stones_are_placed_moved_and_taken() {
        let hadron = Hadron::start(5, 5);
        assert_eq!(
            shape(hadron, "...../...../...../...../..... w 0", "C3"),
            named("", "C3", "", MoveKind::Place)
        );
        let loa = Loa::start(Default::default());
        let board = loa.to_string();
        assert_eq!(shape(loa, &board, "B1-B3"), named("B1", "B3", "", MoveKind::Move));
        let board = "......../......../......../......../......../.b....../......../.w...... w 0";
        assert_eq!(shape(loa, board, "B1-B3"), named("B1", "B3", "", MoveKind::Capture));
    }

    #[test]
    fn void_castling_promotion_and_check() {
        let start = Voidrider::start();
        let board = start.to_string();
        assert_eq!(shape(start, &board, "b3-b4"), named("b3", "b4", "", MoveKind::Move));
        assert_eq!(shape(start, &board, "b3-a3"), named("b3", "a3", "", MoveKind::Space));
        let board =
            "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/R..K..R/#V###V# w 0 DU 0";
        assert_eq!(shape(start, board, "d2-b2"), named("d2", "b2", "c2", MoveKind::Castle));
        let board =
            "##...##/..k.P../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../####### w 0 - 0";
        let position = start.parse_board(board).unwrap();
        let m = position.parse_move("e8-e9=V").unwrap();
        assert_eq!(position.shape(m).promotion, Some('V'));
        let board =
            "#######/...k.../#..R..#/#.....#/#.....#/#.....#/#.....#/...K.../####### b 0 - 0";
        assert_eq!(start.parse_board(board).unwrap().check().as_deref(), Some("d8"));
        assert_eq!(start.check(), None);
    }
}
