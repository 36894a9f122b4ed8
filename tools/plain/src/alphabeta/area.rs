//! The area of Voidrider Chess as an array of cells with a border, and what stands on a cell.

pub const ROWS: usize = 9;
pub const COLUMNS: usize = 7;
pub const WIDTH: usize = COLUMNS + 2;
pub const CELLS: usize = (ROWS + 4) * WIDTH;

/// What is on a cell: one of these, or 8 for White's and 16 for Black's pieces plus the kind.
pub type Cell = u8;
pub const OUTSIDE: Cell = 0;
pub const VOID: Cell = 1;
pub const EMPTY: Cell = 2;
pub const FIRST_PIECE: Cell = 8;

/// The kinds of pieces.
pub const KING: u8 = 0;
pub const ROOK: u8 = 1;
pub const BISHOP: u8 = 2;
pub const KNIGHT: u8 = 3;
pub const PAWN: u8 = 4;
pub const VOIDRIDER: u8 = 5;
pub const LETTERS: [char; 6] = ['K', 'R', 'B', 'N', 'P', 'V'];
/// In hundredths of a pawn.
pub const VALUES: [i32; 6] = [0, 450, 280, 300, 100, 350];
pub const PROMOTIONS: [u8; 4] = [ROOK, BISHOP, KNIGHT, VOIDRIDER];

pub const ROW: isize = WIDTH as isize;
pub const ORTHOGONALS: [isize; 4] = [-ROW, 1, ROW, -1];
pub const DIAGONALS: [isize; 4] = [-ROW + 1, ROW + 1, ROW - 1, -ROW - 1];
pub const ALL: [isize; 8] = [-ROW, -ROW + 1, 1, ROW + 1, ROW, ROW - 1, -1, -ROW - 1];
pub const LEAPS: [isize; 8] =
    [-2 * ROW + 1, -ROW + 2, ROW + 2, 2 * ROW + 1, 2 * ROW - 1, ROW - 2, -ROW - 2, -2 * ROW - 1];

/// Castling toward files a and g: the columns of the rook, of the king after it and of the rook.
pub const WINGS: [[usize; 3]; 2] = [[0, 1, 2], [6, 5, 4]];
pub const KING_COLUMN: usize = 3;
pub const RIGHTS: [[char; 2]; 2] = [['D', 'U'], ['d', 'u']];

pub const fn at(row: usize, column: usize) -> usize {
    (row + 2) * WIDTH + column + 1
}

pub fn row_of(cell: usize) -> usize {
    cell / WIDTH - 2
}

pub fn column_of(cell: usize) -> usize {
    cell % WIDTH - 1
}

pub fn beside(cell: usize, step: isize) -> usize {
    cell.wrapping_add_signed(step)
}

pub fn piece(side: usize, kind: u8) -> Cell {
    FIRST_PIECE * (side as u8 + 1) + kind
}

pub fn side_of(cell: Cell) -> usize {
    usize::from(cell >> 4)
}

pub fn kind_of(cell: Cell) -> u8 {
    cell & 7
}

/// The step of a side's pawns.
pub fn forward(side: usize) -> isize {
    [-ROW, ROW][side]
}

pub fn home_row(side: usize) -> usize {
    [ROWS - 2, 1][side]
}

/// The row on which a side's pawns are promoted.
pub fn last_row(side: usize) -> usize {
    [0, ROWS - 1][side]
}
