//! Legal move generation on a board whose squares move.
//!
//! The one idea: two kinds of lines lead to a king. A rook or bishop needs every cell of its line
//! to be an empty square; a voidrider needs every one to be void. So an ordinary move can only open
//! or close the first kind, and a space move (one cell void, another a square) only the second. The
//! void it leaves and the piece it brings block rooks and bishops as before. Both kinds are then
//! treated as chess programs do: the lines that give check, and the pieces pinned on a line, are
//! found once for a position, and every move generated is legal.

use super::position::{Kind, Right, Voidrider};
use super::tables::{
    BETWEEN, Board, COLUMNS, DIAGONALS, KING, KNIGHT, LAST_ROW, ORTHOGONALS, PAWN_CAPTURES, SIDES,
    slide_diagonal, slide_orthogonal,
};
use crate::game::Side;
use crate::game::bitboard::{Direction, cells};

/// Receives legal moves in sets.
pub trait Sink {
    /// Whether all moves are wanted: otherwise all captures and promotions, and of the rest only
    /// pawn moves and what other pieces than the king do on squares.
    const ALL: bool = true;

    /// The moves of the piece on `from` to each cell of `targets`.
    fn to_each(&mut self, from: usize, targets: u64);
    /// Pawn moves to each cell of `targets` from the cell `step` before it.
    fn pawns_to_each(&mut self, targets: u64, step: i32);
    /// Pawn moves as before that promote.
    fn promotions_to_each(&mut self, targets: u64, step: i32);
}

/// How a pawn of each side moves: forward, and capturing to either hand.
const FORWARD: [[Direction; 3]; 2] = [
    [Direction::North, Direction::NorthWest, Direction::NorthEast],
    [Direction::South, Direction::SouthWest, Direction::SouthEast],
];

/// The distance in cells of one step.
const fn distance(direction: Direction) -> i32 {
    let (rows, columns) = direction.delta();
    rows * COLUMNS as i32 + columns
}

/// The squares that a piece on a cell attacks, occupied or not. `blockers` holds all pieces and
/// void cells.
#[inline(always)]
pub(super) fn attacks(kind: Kind, side: Side, cell: usize, blockers: u64, squares: u64) -> u64 {
    let reached = match kind {
        Kind::Pawn => PAWN_CAPTURES[side as usize][cell],
        Kind::Knight => KNIGHT[cell],
        Kind::Bishop => slide_diagonal(cell, blockers),
        Kind::Rook => slide_orthogonal(cell, blockers),
        Kind::Voidrider => slide_orthogonal(cell, squares) | slide_diagonal(cell, squares),
        Kind::King => KING[cell],
    };
    reached & squares
}

/// What bears on the king of the side to move.
struct KingLines {
    /// Pieces that give check.
    checkers: u64,
    /// Cells where an ordinary move answers the check; every cell where there is none.
    answers: u64,
    /// Cells where a space move answers the check; every cell where there is none.
    space_answers: u64,
    /// Own pieces an ordinary move of which must stay on the line to a rook or bishop.
    pinned: u64,
    /// Own pieces a space move of which must stay on the line to a voidrider.
    space_pinned: u64,
}

impl Voidrider {
    /// The pieces of `by` that attack `cell`, when `occupied` holds the pieces that are there and
    /// in the way and `squares` the existing squares.
    #[inline(always)]
    pub(super) fn attackers(&self, by: Side, cell: usize, occupied: u64, squares: u64) -> u64 {
        let own = self.pieces(by) & occupied;
        let of = |kind: Kind| self.kinds[kind as usize] & own;
        let mut found = KNIGHT[cell] & of(Kind::Knight)
            | KING[cell] & of(Kind::King)
            | PAWN_CAPTURES[!by as usize][cell] & of(Kind::Pawn);
        let sliders = ORTHOGONALS[cell] & of(Kind::Rook) | DIAGONALS[cell] & of(Kind::Bishop);
        let blockers = occupied | !squares;
        for slider in cells(sliders) {
            found |= u64::from(BETWEEN[cell][slider] & blockers == 0) << slider;
        }
        for rider in cells((ORTHOGONALS[cell] | DIAGONALS[cell]) & of(Kind::Voidrider)) {
            found |= u64::from(BETWEEN[cell][rider] & squares == 0) << rider;
        }
        found
    }

    /// Whether a piece of `by` attacks `cell`; the rest as in [`Voidrider::attackers`].
    #[inline(always)]
    pub(super) fn attacked(&self, cell: usize, by: Side, occupied: u64, squares: u64) -> bool {
        self.attackers(by, cell, occupied, squares) != 0
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        let occupied = self.pieces(Side::White) | self.pieces(Side::Black);
        self.attacked(self.king(self.side), !self.side, occupied, self.squares)
    }

    /// The existing squares that each piece of a side attacks, occupied or not.
    #[inline(always)]
    pub fn each_attack(&self, side: Side, mut see: impl FnMut(Kind, u64)) {
        let squares = self.squares;
        let blockers = self.pieces(Side::White) | self.pieces(Side::Black) | !squares;
        let [_, left, right] = FORWARD[side as usize];
        let pawns = self.pieces_of(side, Kind::Pawn);
        see(Kind::Pawn, (Board::shift(pawns, left) | Board::shift(pawns, right)) & squares);
        for knight in cells(self.pieces_of(side, Kind::Knight)) {
            see(Kind::Knight, attacks(Kind::Knight, side, knight, blockers, squares));
        }
        for bishop in cells(self.pieces_of(side, Kind::Bishop)) {
            see(Kind::Bishop, attacks(Kind::Bishop, side, bishop, blockers, squares));
        }
        for rook in cells(self.pieces_of(side, Kind::Rook)) {
            see(Kind::Rook, attacks(Kind::Rook, side, rook, blockers, squares));
        }
        for rider in cells(self.pieces_of(side, Kind::Voidrider)) {
            see(Kind::Voidrider, attacks(Kind::Voidrider, side, rider, blockers, squares));
        }
        see(Kind::King, attacks(Kind::King, side, self.king(side), blockers, squares));
    }

    /// The squares that a piece of the side to move attacks once it has come from a cell to
    /// another.
    #[inline(always)]
    pub fn attacked_from(&self, kind: Kind, from: usize, to: usize) -> u64 {
        let creates = !self.squares >> to & 1;
        let squares = (self.squares | 1 << to) & !(creates << from);
        let occupied = (self.pieces(Side::White) | self.pieces(Side::Black)) & !(1 << from);
        let blockers = occupied | !squares;
        attacks(kind, self.side, to, blockers, squares)
    }

    /// For each kind the cells from which a piece of the side to move would give check, as the
    /// board stands (a move that opens or closes a line besides is not looked at).
    #[inline(always)]
    pub fn checking_cells(&self) -> [u64; 6] {
        let side = self.side;
        let king = self.king(!side);
        let blockers = self.pieces(Side::White) | self.pieces(Side::Black) | !self.squares;
        let (orthogonal, diagonal) =
            (slide_orthogonal(king, blockers), slide_diagonal(king, blockers));
        let across_void = slide_orthogonal(king, self.squares) | slide_diagonal(king, self.squares);
        let mut cells = [0; 6];
        cells[Kind::Pawn as usize] = PAWN_CAPTURES[!side as usize][king];
        cells[Kind::Knight as usize] = KNIGHT[king];
        cells[Kind::Bishop as usize] = diagonal;
        cells[Kind::Rook as usize] = orthogonal;
        cells[Kind::Voidrider as usize] = across_void;
        cells
    }

    #[inline(always)]
    fn king_lines(&self, king: usize, own: u64, enemy: u64) -> KingLines {
        let of = |kind: Kind| self.kinds[kind as usize] & enemy;
        let blockers = own | enemy | !self.squares;
        let mut lines = KingLines {
            checkers: KNIGHT[king] & of(Kind::Knight)
                | PAWN_CAPTURES[self.side as usize][king] & of(Kind::Pawn),
            answers: Board::BOARD,
            space_answers: Board::BOARD,
            pinned: 0,
            space_pinned: 0,
        };
        // The cells of the checking lines; leapers have none.
        let mut check_line = 0;
        let mut space_check_line = 0;
        for slider in cells(ORTHOGONALS[king] & of(Kind::Rook) | DIAGONALS[king] & of(Kind::Bishop))
        {
            let between = BETWEEN[king][slider];
            let in_the_way = between & blockers;
            if in_the_way == 0 {
                lines.checkers |= 1 << slider;
                check_line |= between;
            } else if in_the_way & (in_the_way - 1) == 0 {
                lines.pinned |= in_the_way & own;
            }
        }
        for rider in cells((ORTHOGONALS[king] | DIAGONALS[king]) & of(Kind::Voidrider)) {
            let between = BETWEEN[king][rider];
            let in_the_way = between & self.squares;
            if in_the_way == 0 {
                lines.checkers |= 1 << rider;
                space_check_line |= between;
            } else if in_the_way & (in_the_way - 1) == 0 {
                lines.space_pinned |= in_the_way & own;
            }
        }
        if lines.checkers != 0 {
            if lines.checkers & (lines.checkers - 1) != 0 {
                // Two checks at once: no single move but the king's answers both.
                lines.answers = 0;
                lines.space_answers = 0;
            } else {
                lines.answers = lines.checkers | check_line;
                lines.space_answers = space_check_line;
            }
        }
        lines
    }

    /// Where a pinned piece on `from` may stay: the ray from the king through it. What lies
    /// beyond the pinning piece is out of its reach anyway.
    #[inline(always)]
    fn pin_line(king: usize, from: usize) -> u64 {
        let mut rays = Direction::ALL.iter().map(|&d| Board::RAYS[d as usize][king]);
        rays.find(|ray| ray >> from & 1 != 0).unwrap_or(0)
    }

    /// Hands every legal move of the side to move that `sink` wants to it.
    #[inline(always)]
    pub(super) fn generate<S: Sink>(&self, sink: &mut S) {
        let side = self.side;
        let (own, enemy) = (self.pieces(side), self.pieces(!side));
        let king = self.king(side);
        let occupied = own | enemy;
        let squares = self.squares;
        let void = Board::BOARD & !squares;
        let lines = self.king_lines(king, own, enemy);

        // The void cells where a space move from an adjacent square may create a square: those
        // that share sides with two squares, the one vacated and another. A voidrider that comes
        // from afar needs only one.
        let neighbours = Direction::ORTHOGONAL.map(|d| Board::shift(squares, d));
        let [a, b, c, d] = neighbours;
        let creatable_from_afar = void & (a | b | c | d);
        let creatable = void & ((a & b) | (c & d) | ((a | b) & (c | d)));

        self.generate_king(sink, king, own, occupied, creatable);
        if S::ALL && lines.checkers == 0 {
            self.generate_castling(sink, king, occupied);
        }
        if lines.answers == 0 && lines.space_answers == 0 {
            return;
        }

        let of = |kind: Kind| self.kinds[kind as usize] & own;
        let open = squares & !own & lines.answers;
        let space = lines.space_answers;
        // Where pieces other than pawns may step into the void.
        let steps = if S::ALL { creatable & space } else { 0 };
        let restrict = |from: usize, set: u64, pinned: u64| {
            if pinned >> from & 1 == 0 { set } else { set & Self::pin_line(king, from) }
        };
        let blockers = occupied | void;
        for from in cells(of(Kind::Knight)) {
            let ordinary = restrict(from, KNIGHT[from] & open, lines.pinned);
            let spaces = restrict(from, SIDES[from] & steps, lines.space_pinned);
            sink.to_each(from, ordinary | spaces);
        }
        for from in cells(of(Kind::Rook)) {
            let reach = slide_orthogonal(from, blockers);
            let ordinary = restrict(from, reach & open, lines.pinned);
            let spaces = restrict(from, SIDES[from] & steps, lines.space_pinned);
            sink.to_each(from, ordinary | spaces);
        }
        for from in cells(of(Kind::Bishop)) {
            let reach = slide_diagonal(from, blockers);
            let ordinary = restrict(from, reach & open, lines.pinned);
            let spaces = restrict(from, SIDES[from] & steps, lines.space_pinned);
            sink.to_each(from, ordinary | spaces);
        }
        for from in cells(of(Kind::Voidrider)) {
            let orthogonal = slide_orthogonal(from, squares);
            let reach = orthogonal | slide_diagonal(from, squares);
            let ordinary = restrict(from, reach & open, lines.pinned);
            let afar = if S::ALL { creatable_from_afar & space } else { 0 };
            let creates = SIDES[from] & steps | !SIDES[from] & afar;
            let spaces = restrict(from, orthogonal & creates, lines.space_pinned);
            sink.to_each(from, ordinary | spaces);
        }
        self.generate_pawns(sink, king, enemy & lines.answers, creatable & space, &lines);
    }

    #[inline(always)]
    fn generate_king<S: Sink>(
        &self,
        sink: &mut S,
        king: usize,
        own: u64,
        occupied: u64,
        creatable: u64,
    ) {
        let enemy = !self.side;
        let others = occupied & !(1 << king);
        let mut safe = 0;
        let wanted = if S::ALL { self.squares & !own } else { occupied & !own };
        for to in cells(KING[king] & wanted) {
            if !self.attacked(to, enemy, others & !(1 << to), self.squares) {
                safe |= 1 << to;
            }
        }
        for to in cells(if S::ALL { SIDES[king] & creatable } else { 0 }) {
            let squares = self.squares ^ (1 << king | 1 << to);
            if !self.attacked(to, enemy, others, squares) {
                safe |= 1 << to;
            }
        }
        sink.to_each(king, safe);
    }

    #[inline(always)]
    fn generate_castling(&self, sink: &mut impl Sink, king: usize, occupied: u64) {
        let side = self.side;
        for right in [Right::TowardA, Right::TowardG] {
            if !self.may_castle(side, right) {
                continue;
            }
            let rook = right.rook(side);
            let toward = if rook < king { -1 } else { 1 };
            let way = BETWEEN[king][rook];
            let others = occupied & !(1 << king);
            let safe = |steps: i32| {
                let cell = (king as i32 + steps * toward) as usize;
                !self.attacked(cell, !side, others, self.squares)
            };
            if way & (occupied | !self.squares) == 0 && safe(1) && safe(2) {
                sink.to_each(king, 1 << (king as i32 + 2 * toward));
            }
        }
    }

    #[inline(always)]
    fn generate_pawns(
        &self,
        sink: &mut impl Sink,
        king: usize,
        capturable: u64,
        creatable: u64,
        lines: &KingLines,
    ) {
        let side = self.side;
        let pawns = self.kinds[Kind::Pawn as usize] & self.pieces(side);
        let last_rank = Board::row(LAST_ROW[side as usize]);
        let [forward, left, right] = FORWARD[side as usize];
        let occupied = self.pieces(Side::White) | self.pieces(Side::Black);
        let steppable = self.squares & !occupied & lines.answers;
        // Pinned pawns are few: each goes alone, with the targets its lines leave it.
        let bound = pawns & (lines.pinned | lines.space_pinned);
        let mut emit = |group: u64, ordinary: u64, spaces: u64| {
            let targets = [
                (forward, steppable & ordinary | creatable & spaces),
                (left, capturable & ordinary),
                (right, capturable & ordinary),
            ];
            for (direction, allowed) in targets {
                let to = Board::shift(group, direction) & allowed;
                let step = distance(direction);
                sink.pawns_to_each(to & !last_rank, step);
                sink.promotions_to_each(to & last_rank, step);
            }
            // Sideways space moves stay on their rank, and no pawn stands on the last one.
            for direction in [Direction::East, Direction::West] {
                let to = Board::shift(group, direction) & creatable & spaces;
                sink.pawns_to_each(to, distance(direction));
            }
        };
        emit(pawns & !bound, Board::BOARD, Board::BOARD);
        for from in cells(bound) {
            let line = Self::pin_line(king, from);
            let within = |pinned: u64| if pinned >> from & 1 == 0 { Board::BOARD } else { line };
            emit(1 << from, within(lines.pinned), within(lines.space_pinned));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::chance::Chance;
    use crate::game::{Game, GameState};

    /// What the piece on a cell attacks, step by step.
    fn plainly(position: &Voidrider, kind: Kind, cell: usize) -> u64 {
        let is = |set: u64, cell: usize| set >> cell & 1 != 0;
        let occupied = position.pieces(Side::White) | position.pieces(Side::Black);
        let squares = position.squares();
        let side = if is(position.pieces(Side::White), cell) { Side::White } else { Side::Black };
        let up = if side == Side::White { -1 } else { 1 };
        let orthogonal = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let both = [orthogonal, diagonal].concat();
        let far = usize::MAX;
        let (directions, steps) = match kind {
            Kind::Pawn => (vec![(up, -1), (up, 1)], 1),
            Kind::Knight => {
                let leaps =
                    [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)];
                (leaps.to_vec(), 1)
            }
            Kind::Bishop => (diagonal.to_vec(), far),
            Kind::Rook => (orthogonal.to_vec(), far),
            Kind::Voidrider => (both, far),
            Kind::King => (both, 1),
        };
        let mut found = 0;
        for (rows, columns) in directions {
            let mut at = cell;
            for _ in 0..steps {
                let Some(next) = Board::offset(at, rows, columns) else { break };
                at = next;
                found |= u64::from(is(squares, at)) << at;
                let stops = match kind {
                    Kind::Voidrider => is(squares, at),
                    _ => is(occupied, at) || !is(squares, at),
                };
                if stops {
                    break;
                }
            }
        }
        found
    }

    #[test]
    fn attacks_after_a_move_are_those_of_the_board_it_leads_to() {
        let mut created = 0;
        for seed in 0..10 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Voidrider::start());
            while state.ending().is_none() {
                let position = state.position;
                let moves = position.legal_moves();
                for &m in &moves {
                    let mut after = position;
                    after.play(m);
                    let told = position.describe(m);
                    let placed = told.promoted.unwrap_or(told.moved);
                    let found = position.attacked_from(placed, Voidrider::source(m), told.to);
                    let named = position.notation(m);
                    assert_eq!(found, plainly(&after, placed, told.to), "{position}, {named}");
                    created += usize::from(position.squares() != after.squares());
                }
                state.play(*rng.pick(&moves).expect("the game is not over"));
            }
        }
        assert!(created > 100, "squares move: {created}");
    }

    #[test]
    fn attacks_of_a_side_are_those_of_its_pieces() {
        for seed in 0..10 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(Voidrider::start());
            while state.ending().is_none() {
                let position = state.position;
                for side in [Side::White, Side::Black] {
                    for kind in Kind::ALL {
                        let mut found = 0;
                        position.each_attack(side, |of, set| {
                            found |= if of == kind { set } else { 0 };
                        });
                        let pieces = cells(position.pieces_of(side, kind));
                        let plain = pieces.map(|cell| plainly(&position, kind, cell));
                        assert_eq!(found, plain.fold(0, |all, set| all | set), "{position}");
                    }
                }
                state.play(position.random_move(&mut rng).expect("the game is not over"));
            }
        }
    }
}
