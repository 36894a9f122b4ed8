//! What a move looks like on a drawn board: the cells it leaves, reaches and changes, and its kind.
//!
//! The one idea: what draws a board knows no rules. It knows cells by their names, and the game
//! says of every legal move which cell is left, which one is chosen, and what that means.

use super::{Game, Move};

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A tower drops its stones on two cells.
    Distribute,
    /// A tower gives a stone to remove an enemy wall.
    Sacrifice,
    /// A stone is placed on a cell.
    Place,
    /// A piece goes to an empty cell.
    Move,
    /// A piece captures another.
    Capture,
    /// A piece goes into the void, which becomes a square.
    Space,
    /// King and rook.
    Castle,
}

/// A move as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveShape {
    /// In the game's notation.
    pub text: String,
    /// The cell it leaves; none where a stone comes from outside.
    pub from: Option<String>,
    /// The cell that is chosen: of two that get something the farther, of a removal that of the
    /// stone.
    pub to: String,
    /// Another cell that gets something: the nearer of two, the rook's of a castling.
    pub also: Option<String>,
    /// What it does.
    pub kind: MoveKind,
    /// What a pawn becomes.
    pub promotion: Option<char>,
}

impl MoveShape {
    /// A move as its notation says it: the cell where a stone is placed, or the cells left and
    /// reached with a `-` between, and a piece after `=`.
    pub fn of_notation<G: Game>(position: &G, m: Move) -> MoveShape {
        let text = position.notation(m).to_string();
        let (cells, promotion) = match text.split_once('=') {
            Some((cells, piece)) => (cells, piece.chars().next()),
            None => (&text[..], None),
        };
        let (from, to) = match cells.split_once('-') {
            Some((from, to)) => (Some(from.to_owned()), to.to_owned()),
            None => (None, cells.to_owned()),
        };
        let kind = match (&from, character_at(position, &to)) {
            (None, _) => MoveKind::Place,
            (_, '#') => MoveKind::Space,
            (_, '.') => MoveKind::Move,
            _ => MoveKind::Capture,
        };
        MoveShape { from, to, also: None, kind, promotion, text }
    }
}

/// The names of all cells, by row from top to bottom: a letter and a digit, as rows and columns are
/// named.
pub fn cells_by_labels<G: Game>(position: &G) -> Vec<Vec<String>> {
    let (rows, columns) = position.labels();
    let columns_are_letters = columns[0].starts_with(char::is_alphabetic);
    let name = |row: &String, column: &String| match columns_are_letters {
        true => format!("{column}{row}"),
        false => format!("{row}{column}"),
    };
    rows.iter().map(|row| columns.iter().map(|column| name(row, column)).collect()).collect()
}

/// The character of a cell in the text board.
pub fn character_at<G: Game>(position: &G, cell: &str) -> char {
    let cells = position.cells();
    let rows = position.rows().to_string();
    let characters = rows.split('/').flat_map(str::chars);
    let found = cells.iter().flatten().zip(characters).find(|(name, _)| *name == cell);
    found.map_or('.', |(_, character)| character)
}

#[cfg(test)]
mod tests {
    use super::MoveKind::*;
    use super::*;
    use crate::games::AnyGame;

    /// A named test for each case: game, board (empty for the start), move, the cells left, chosen
    /// and changed too, and the kind.
    macro_rules! shapes {
        ($($name:ident: $game:literal $board:literal $m:literal => $cells:expr, $kind:ident;)*) => {
            $(
                #[test]
                fn $name() {
                    let start = AnyGame::named($game).unwrap();
                    let board = Some($board).filter(|board| !board.is_empty());
                    let position = board.map_or(start, |board| start.parse_board(board).unwrap());
                    let shape = position.shape(position.parse_move($m).unwrap());
                    let cells = [
                        shape.from.as_deref().unwrap_or_default(),
                        &shape.to,
                        shape.also.as_deref().unwrap_or_default(),
                    ];
                    assert_eq!((cells, shape.kind, &*shape.text), ($cells, $kind, $m));
                }
            )*
        };
    }

    shapes! {
        a_tower_distributes: "murus" "" "G4,NE" => ["G4", "E6", "F5"], Distribute;
        a_tower_gives_a_stone_for_a_wall: "murus"
            "BBBBBBB./......../......../......../......../...b..../WWWWWWWW w 0" "G5,NW"
            => ["G5", "F4", ""], Sacrifice;
        a_stone_is_placed: "hadron5" "" "C3" => ["", "C3", ""], Place;
        a_stone_moves: "loa" "" "B1-B3" => ["B1", "B3", ""], Move;
        a_stone_is_taken: "loa"
            "......../......../......../......../......../.b....../......../.w...... w 0" "B1-B3"
            => ["B1", "B3", ""], Capture;
        a_pawn_moves: "voidrider" "" "b3-b4" => ["b3", "b4", ""], Move;
        a_pawn_goes_into_the_void: "voidrider" "" "b3-a3" => ["b3", "a3", ""], Space;
        king_and_rook_castle: "voidrider"
            "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/R..K..R/#V###V# w 0 DU 0"
            "d2-b2" => ["d2", "b2", "c2"], Castle;
        a_variant_castles: "variant:chess"
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1" "e1g1" => ["e1", "g1", "f1"], Castle;
    }

    #[test]
    fn a_promotion_names_the_piece() {
        let board =
            "##...##/..k.P../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../####### w 0 - 0";
        let position = AnyGame::named("voidrider").unwrap().parse_board(board).unwrap();
        let m = position.parse_move("e8-e9=V").unwrap();
        assert_eq!(position.shape(m).promotion, Some('V'));
    }

    #[test]
    fn a_king_in_check_has_its_cell() {
        let board =
            "#######/...k.../#..R..#/#.....#/#.....#/#.....#/#.....#/...K.../####### b 0 - 0";
        let start = AnyGame::named("voidrider").unwrap();
        assert_eq!(start.parse_board(board).unwrap().checked_cell().as_deref(), Some("d8"));
        assert_eq!(start.checked_cell(), None);
    }
}
