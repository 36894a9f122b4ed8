//! The tables of cells from which a variant is played.
//!
//! The one idea: whatever Betza's notation says becomes sets of bits for each cell. Leaps are one
//! look-up, and riders are lines on which the first piece is found by a bit scan. What gives check
//! is looked up from the king's cell backward. The rare moves that depend on what is between (lame
//! leaps and hops) are walked for each piece.

use super::betza::Step;
use super::castling::Castling;
use super::definition::Definition;
use super::values::Area;
use crate::game::Side;

/// A set of cells for every cell.
pub type ByCell = [u64; 64];

/// The three kinds of cells that a move may reach, as indices.
pub const BOTH: usize = 0;
pub const QUIET: usize = 1;
pub const CAPTURE: usize = 2;

/// The repeated steps of a rider in one direction.
#[derive(Clone)]
pub struct Line {
    pub step: Step,
    pub limit: u32,
    /// The cells on the way, within the limit.
    pub ray: ByCell,
    /// The line without a limit; itself where it has none.
    pub full: usize,
    /// Whether the way leads to higher cells.
    pub up: bool,
}

/// A leap that needs empty cells on its way.
#[derive(Clone)]
pub struct Lame {
    /// Index of what it may reach.
    pub reaches: usize,
    /// The cells on the way.
    pub way: ByCell,
    /// The cell it reaches; none where it would leave the board.
    pub target: ByCell,
}

/// A hop along a line.
#[derive(Clone)]
pub struct Hop {
    pub reaches: usize,
    pub line: usize,
    /// Only to the cell behind the piece.
    pub to_next: bool,
}

/// How a piece moves.
#[derive(Clone, Default)]
pub struct Movement {
    /// Leaps, by what they may reach.
    pub leaps: Vec<(usize, Box<ByCell>)>,
    /// Riders' lines, by what they may reach.
    pub lines: Vec<(usize, usize)>,
    pub lame: Vec<Lame>,
    pub hops: Vec<Hop>,
}

/// A kind of piece of one side.
#[derive(Clone)]
pub struct Piece {
    pub usual: Movement,
    /// From the double step region.
    pub initial: Option<Movement>,
    /// Captures en passant, and from where a cell is so captured.
    pub en_passant: Option<Box<[ByCell; 2]>>,
    /// Lines of a piece that crosses the void.
    pub void_lines: Vec<usize>,
    /// Neighbours into which it may take its square.
    pub void_steps: Box<ByCell>,
    pub promotes: bool,
}

/// Pieces that attack along the same lines.
#[derive(Clone)]
pub struct Group {
    /// The kinds.
    pub kinds: Vec<usize>,
    /// All cells from which such a piece may attack a cell.
    pub from: Box<ByCell>,
    /// The lines backward.
    pub lines: Vec<usize>,
}

/// How a side attacks a cell, seen from that cell.
#[derive(Clone, Default)]
pub struct Attackers {
    /// Kinds, and from where they leap to a cell.
    pub leaps: Vec<(usize, Box<ByCell>)>,
    /// Pieces that are stopped by other pieces and the void.
    pub riders: Vec<Group>,
    /// Pieces that are stopped by squares.
    pub void_riders: Vec<Group>,
    /// Kinds with lame captures, hops, or captures by first moves.
    pub tricky: Vec<usize>,
}

/// A castling with the cells that it needs.
#[derive(Clone)]
pub struct Way {
    pub castling: Castling,
    /// Cells that must be empty squares.
    pub free: u64,
    /// Cells of the king that must not be attacked.
    pub crossed: u64,
}

/// The tables of a variant.
#[derive(Clone)]
pub struct Tables {
    /// What they are compiled from.
    pub definition: Definition,
    /// The size of the board.
    pub area: Area,
    /// All cells.
    pub board: u64,
    pub(super) first_file: u64,
    pub(super) last_file: u64,
    /// Of all pieces.
    pub lines: Vec<Line>,
    /// Lines in the four directions along ranks and files.
    pub orthogonals: [usize; 4],
    /// Cells that share a side.
    pub neighbours: ByCell,
    /// Cells that share a side or a corner.
    pub around: ByCell,
    /// By side and kind.
    pub pieces: [Vec<Piece>; 2],
    /// By side.
    pub attackers: [Attackers; 2],
    /// The kind of the kings.
    pub royal: Option<usize>,
    /// Pieces of `nMoveRuleTypes` that never go back.
    pub only_forward: u32,
    /// By the bits of the rights.
    pub ways: [Option<Way>; 4],
    /// The rights that end when a piece leaves or reaches a cell.
    pub rights_ended: [u8; 64],
    /// Whether legal moves are chosen among others once more.
    pub is_choosy: bool,
    /// Whether a game can end by extinction, flag, checks or passing.
    pub has_special_ending: bool,
}

impl Tables {
    /// Where a piece moves from a cell, first moves and the void left out; `reached` are the cells
    /// by what may be reached.
    pub fn reach(
        &self,
        side: Side,
        kind: usize,
        from: usize,
        board: Board,
        reached: [u64; 3],
    ) -> u64 {
        let piece = &self.pieces[side as usize][kind];
        let across = piece.void_lines.iter();
        let across = across.fold(0, |set, &line| set | self.slide(line, from, board.squares));
        targets(self, &piece.usual, from, board, reached) | across & reached[BOTH]
    }

    /// The cells of a line from a cell, up to and with the first of `blockers`.
    #[inline(always)]
    pub fn slide(&self, line: usize, from: usize, blockers: u64) -> u64 {
        let line = &self.lines[line];
        let ray = line.ray[from & 63];
        // Bits 63 and 0 stand in for "no blocker": no line leads on from there.
        let first = if line.up {
            (ray & blockers | 1 << 63).trailing_zeros()
        } else {
            (ray & blockers | 1).leading_zeros() ^ 63
        };
        ray & !self.lines[line.full].ray[first as usize & 63]
    }

    /// The cells that a hop reaches.
    #[inline(always)]
    pub fn hop(&self, hop: &Hop, from: usize, occupied: u64, blockers: u64) -> u64 {
        let reach = self.slide(hop.line, from, blockers);
        let hurdle = reach & occupied;
        if hurdle == 0 {
            return 0;
        }
        let hurdle = hurdle.trailing_zeros() as usize;
        // To the next cell: every cell stops the line.
        self.slide(hop.line, hurdle, if hop.to_next { u64::MAX } else { blockers })
    }

    /// Every cell one rank up, file to the right, rank down, file to the left.
    #[inline(always)]
    pub fn shifts(&self, set: u64) -> [u64; 4] {
        let columns = self.area.columns as u32;
        // A board of one row has nothing above and below, nor room for so wide a shift.
        let up = set.checked_shr(columns).unwrap_or(0);
        let down = set.checked_shl(columns).unwrap_or(0) & self.board;
        [up, (set & !self.last_file) << 1, down, (set & !self.first_file) >> 1]
    }
}

/// A board on which attacks are looked at.
#[derive(Clone, Copy)]
pub struct Board {
    /// The pieces that are there and in the way.
    pub occupied: u64,
    pub squares: u64,
}

impl Board {
    /// What stops riders.
    #[inline(always)]
    pub fn blockers(self) -> u64 {
        self.occupied | !self.squares
    }
}

/// Where a movement leads from a cell; `reached` are the cells by what may be reached.
#[inline(always)]
pub fn targets(
    tables: &Tables,
    movement: &Movement,
    from: usize,
    board: Board,
    reached: [u64; 3],
) -> u64 {
    let mut all = 0;
    for (reaches, table) in &movement.leaps {
        all |= table[from] & reached[*reaches];
    }
    let blockers = board.blockers();
    for &(reaches, line) in &movement.lines {
        all |= tables.slide(line, from, blockers) & reached[reaches];
    }
    for lame in &movement.lame {
        if lame.way[from] & blockers == 0 {
            all |= lame.target[from] & reached[lame.reaches];
        }
    }
    for hop in &movement.hops {
        all |= tables.hop(hop, from, board.occupied, blockers) & reached[hop.reaches];
    }
    all
}
