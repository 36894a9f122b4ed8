//! The sizes of what the network of a variant sees, and where each sort of it begins.
//!
//! The one idea: all of it follows from the tables of the variant, so that a file of weights can be
//! checked without a position.

use crate::game::Side;
use crate::game::bitboard::cells;
use crate::games::variant::read::start;
use crate::games::variant::read::tables::{Board, Tables};

/// Size of the hidden layer.
pub const HIDDEN: usize = 32;

/// What stands for all of the computed score in [`Learned::base`](super::learned::Learned::base).
pub const WHOLE_BASE: i32 = 64;

/// What is known of a piece's cell: 1 attacked by a less valuable piece, 2 by another, 4 not
/// defended.
pub const MARKS: usize = 8;
/// How many squares a piece attacks, two to a bucket.
pub const REACH_BUCKETS: usize = 8;
/// Random boards on which movements are compared with their mirror images.
const MIRRORED_BOARDS: usize = 6;
/// Max cells of a board.
pub const MAX_CELLS: usize = 64;

/// The sizes of a variant's inputs and rows, and the cells as each side sees them.
#[derive(Clone)]
pub struct Layout {
    pub(super) kinds: usize,
    pub(super) cells: usize,
    /// Whether squares move.
    pub(super) has_void: bool,
    /// Whether left and right may be exchanged.
    pub(super) mirrors: bool,
    columns: usize,
    /// Each cell as a side sees it.
    seen: [[u8; MAX_CELLS]; 2],
}

/// Where the inputs of each sort begin; those of pieces begin at 0.
pub struct Inputs {
    pub void: usize,
    pub rights: usize,
    pub check: usize,
    pub black: usize,
    pub marked: usize,
    pub reach: usize,
    pub ring: usize,
    pub end: usize,
}

/// Where the rows of each sort begin; those of the cells reached begin at 0.
pub struct Rows {
    pub from: usize,
    pub capture: usize,
    pub promotion: usize,
    pub space: usize,
    pub castling: usize,
    pub left_danger: usize,
    pub danger: usize,
    pub check: usize,
    pub threat: usize,
    pub ring: usize,
    pub end: usize,
}

/// A set with the ranks in the opposite order, or the files.
fn turned(set: u64, turn: impl Fn(usize) -> usize) -> u64 {
    cells(set).fold(0, |all, cell| all | 1 << turn(cell))
}

impl Layout {
    /// That of a variant.
    pub fn of(tables: &Tables) -> Layout {
        let (kinds, area) = (tables.definition.kinds.len(), tables.area);
        let (count, columns) = (area.cells_count(), area.columns);
        let upside_down = |cell: usize| (area.rows - 1 - cell / columns) * columns + cell % columns;
        let definition = &tables.definition;
        let regions = [definition.promotion_region, definition.flag_region];
        // In a race both sides have the same goal.
        let is_turned = regions.iter().all(|[white, black]| {
            turned(white & tables.board, upside_down) == black & tables.board
        });
        let mut seen = [[0; MAX_CELLS]; 2];
        let [of_white, of_black] = &mut seen;
        for (cell, (white, black)) in of_white.iter_mut().zip(of_black).take(count).enumerate() {
            *white = cell as u8;
            *black = if is_turned { upside_down(cell) } else { cell } as u8;
        }
        let has_void = definition.void_moves;
        let mirrors = is_symmetric(tables);
        Layout { kinds, cells: count, has_void, mirrors, columns, seen }
    }

    pub(super) fn input_starts(&self) -> Inputs {
        let &Layout { kinds, cells, has_void, .. } = self;
        let void = 2 * kinds * cells;
        let rights = void + if has_void { cells } else { 0 };
        let check = rights + 4;
        let marked = check + 2;
        let reach = marked + 2 * kinds * MARKS;
        let ring = reach + 2 * kinds * REACH_BUCKETS;
        let end = ring + 2 * kinds;
        Inputs { void, rights, check, black: check + 1, marked, reach, ring, end }
    }

    pub(super) fn row_starts(&self) -> Rows {
        let &Layout { kinds, cells, .. } = self;
        let from = kinds * cells;
        let capture = from + kinds * cells;
        let promotion = capture + 2 * kinds * kinds;
        let space = promotion + kinds;
        let castling = space + kinds;
        let left_danger = castling + 1;
        let danger = left_danger + kinds * MARKS;
        let check = danger + kinds * MARKS;
        let threat = check + kinds;
        let ring = threat + 2 * kinds * kinds;
        let end = ring + kinds;
        Rows {
            from,
            capture,
            promotion,
            space,
            castling,
            left_danger,
            danger,
            check,
            threat,
            ring,
            end,
        }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.input_starts().end
    }

    /// How many rows for moves there are.
    pub fn move_rows(&self) -> usize {
        self.row_starts().end
    }

    /// How many ways there are to turn the board without changing the value of a position: 2 where
    /// left and right may be exchanged, else 1.
    pub fn symmetries(&self) -> usize {
        1 + usize::from(self.mirrors)
    }

    /// What an input becomes with left and right exchanged.
    pub fn mirrored_input(&self, input: usize) -> usize {
        if input < self.input_starts().rights { self.mirrored(input) } else { input }
    }

    /// What a row of a move becomes with left and right exchanged.
    pub fn mirrored_row(&self, row: usize) -> usize {
        if row < self.row_starts().capture { self.mirrored(row) } else { row }
    }

    /// The number of a cell and of something else, with left and right exchanged.
    fn mirrored(&self, number: usize) -> usize {
        let (first, cell) = (number - number % self.cells, number % self.cells);
        first + cell / self.columns * self.columns + self.columns - 1 - cell % self.columns
    }

    #[inline(always)]
    pub(super) fn seen(&self, side: Side, cell: usize) -> usize {
        self.seen[side as usize][cell & (MAX_CELLS - 1)].into()
    }
}

/// Whether regions, pieces and the board look the same in the mirror, and nobody castles.
fn is_symmetric(tables: &Tables) -> bool {
    let (definition, columns) = (&tables.definition, tables.area.columns);
    let mirror = |cell: usize| cell / columns * columns + columns - 1 - cell % columns;
    let is_same = |set: u64| turned(set & tables.board, mirror) == set & tables.board;
    let regions = [definition.promotion_region, definition.initial_region, definition.flag_region];
    let Some(squares) = start::squares_of(&definition.start, tables.area) else { return false };
    if !definition.castlings.is_empty()
        || !regions.iter().flatten().all(|&region| is_same(region))
        || !is_same(definition.en_passant_region)
        || !is_same(squares)
    {
        return false;
    }
    let mut rng = fastrand::Rng::with_seed(29);
    (0..MIRRORED_BOARDS).all(|_| {
        let occupied = squares & rng.u64(..) & rng.u64(..);
        let enemy = occupied & rng.u64(..);
        let reached = |occupied: u64, enemy: u64, side, kind, from| {
            let own = occupied & !enemy;
            let reached = [squares & !own, squares & !occupied, enemy];
            tables.reach(side, kind, from, Board { occupied, squares }, reached)
        };
        let of_mirror = [occupied, enemy].map(|set| turned(set, mirror));
        [Side::White, Side::Black].into_iter().all(|side| {
            (0..definition.kinds.len()).all(|kind| {
                cells(squares).all(|from| {
                    let there = reached(of_mirror[0], of_mirror[1], side, kind, mirror(from));
                    turned(reached(occupied, enemy, side, kind, from), mirror) == there
                })
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::Chosen;

    #[test]
    fn left_and_right_are_exchanged_only_where_the_definition_allows_it() {
        let mirrors = |name: &str| Layout::of(Chosen::of_name(name).unwrap().rules()).mirrors;
        for name in ["losalamos", "gardner", "breakthrough", "shatranj", "nocastle"] {
            assert!(mirrors(&format!("variant:{name}")), "{name}");
        }
        for name in ["chess", "voidrider"] {
            assert!(!mirrors(&format!("variant:{name}")), "{name}");
        }
        let text = "[lame]\nking = k\ncustomPiece1 = x:lW\nmaxFile = 5\nmaxRank = 5\n\
                    startFen = k3x/5/5/5/X3K w - - 0 1\ncastling = false\n";
        let lame = crate::games::variant::read("lame.ini", text).unwrap();
        assert!(!Layout::of(&lame[0]).mirrors);
    }
}
