//! A position as numbers: planes of ones and zeros, for learning programs.
//!
//! The one idea: the text board says what stands where in every game, so each character that can
//! stand in it gets a plane, and no game needs code of its own.

use alesia::game::{Game, Side};
use alesia::games::{AnyGame, Drawing};

/// Planes of rows and columns.
pub struct Planes {
    /// What each plane says.
    pub names: Vec<String>,
    /// Rows and columns of each.
    pub size: [usize; 2],
}

impl Planes {
    /// The planes of a game: each piece, the cells that are none (where the game may have such),
    /// Black to move, and the plies played as a share of the most that a game lasts.
    pub fn of(position: &AnyGame) -> Planes {
        let mut names: Vec<String> = position.pieces().iter().map(char::to_string).collect();
        if has_void(position) {
            names.push("void".to_owned());
        }
        names.extend(["Black to move", "plies"].map(str::to_owned));
        let (rows, columns) = position.labels();
        Planes { names, size: [rows.len(), columns.len()] }
    }
}

/// Whether some character of the text board is no cell.
fn has_void(position: &AnyGame) -> bool {
    ('!'..='~').any(|character| position.drawing(character) == Drawing::Void)
}

/// The numbers of a position in the order of [`Planes`], each plane row by row from the top.
pub fn numbers(position: &AnyGame) -> Vec<f32> {
    let pieces = position.pieces();
    let has_void = has_void(position);
    let rows = position.rows().to_string();
    let cells: Vec<char> = rows.chars().filter(|&c| c != '/').collect();
    let of_cells = pieces.len() + usize::from(has_void);
    let mut numbers = vec![0.0; (of_cells + 2) * cells.len()];
    for (index, &character) in cells.iter().enumerate() {
        let piece = pieces.iter().position(|&piece| piece == character);
        let void = || (position.drawing(character) == Drawing::Void).then_some(pieces.len());
        if let Some(plane) = piece.or_else(void) {
            numbers[plane * cells.len() + index] = 1.0;
        }
    }
    let (side, plies) = numbers[of_cells * cells.len()..].split_at_mut(cells.len());
    side.fill(f32::from(position.side() == Side::Black));
    plies.fill(position.ply() as f32 / position.ply_limit() as f32);
    numbers
}
