//! A position of any variant, and how a move changes it.
//!
//! The one idea: kinds are kept as five planes of bits, the binary digits of the kind on each cell,
//! so that 26 kinds need no more room than five. The rules are behind a reference.

use super::rules::Rules;
use crate::game::bitboard::cells;
use crate::game::{Move, Side};
use crate::games::variant::read::piece_kinds::MAX_KINDS;
use crate::games::zobrist;

/// Digits of a kind's code; the code of kind k is k + 1, and 0 stands for no piece.
const PLANES: usize = 5;

/// No cell.
pub(super) const NOWHERE: u8 = 64;

static PIECE_KEYS: [u64; 2 * 32 * 64] = zobrist::keys(0x5641_5249_0001);
static SQUARE_KEYS: [u64; 64] = zobrist::keys(0x5641_5249_0002);
static RIGHTS_KEYS: [u64; 16] = zobrist::keys(0x5641_5249_0003);
const BLACK_KEY: u64 = zobrist::keys::<1>(0x5641_5249_0005)[0];
static CHECK_KEYS: [u64; 2 * (MAX_CHECKS + 1)] = zobrist::keys(0x5641_5249_0007);
const PASS_KEY: u64 = zobrist::keys::<1>(0x5641_5249_0008)[0];

/// Max checks that a side may have to give: a digit in a position's text.
pub(super) const MAX_CHECKS: usize = 9;

/// A position; `'r` is that of its rules.
#[derive(Clone, Copy)]
pub struct Position<'r> {
    pub(super) rules: &'r Rules,
    /// Pieces of each side.
    pub(super) pieces: [u64; 2],
    /// The digits of the kinds' codes.
    planes: [u64; PLANES],
    /// The cells that exist as squares.
    pub(super) squares: u64,
    pub(super) key: u64,
    pub(super) ply: u16,
    /// Plies since the last capture, promotion, or move of `nMoveRuleTypes` that cannot be taken
    /// back at once: before it no repetition is looked for.
    pub(super) quiet: u16,
    pub(super) side: Side,
    /// Castling rights still held, by their bits.
    pub(super) rights: u8,
    /// The cells on which a piece may be captured that has stepped over them.
    pub(super) passed: u64,
    /// The cell of that piece.
    pub(super) victim: u8,
    /// The checks that each side must still give to win, where they are counted.
    pub(super) checks: [u8; 2],
    /// How many of the last moves were passes, one after the other.
    pub(super) passes: u8,
}

/// A position of a variant whose rules are kept for ever.
pub type Variant = Position<'static>;

const _: () = assert!(size_of::<Position>() <= 128);

/// The parts of a move's code: from and to cell, and the number of what a pawn becomes, from 1. A
/// castling goes to the cell of its rook.
#[inline(always)]
pub fn encode(from: usize, to: usize, promotion: usize) -> Move {
    Move::from_code((promotion << 12 | from << 6 | to) as u16)
}

/// The same back.
#[inline(always)]
pub fn decode(m: Move) -> (usize, usize, usize) {
    let code = m.code() as usize;
    (code >> 6 & 63, code & 63, code >> 12)
}

impl PartialEq for Position<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.rules, other.rules)
            && self.pieces == other.pieces
            && self.planes == other.planes
            && (self.squares, self.ply, self.quiet) == (other.squares, other.ply, other.quiet)
            && (self.side, self.rights) == (other.side, other.rights)
            && (self.passed, self.victim) == (other.passed, other.victim)
            && (self.checks, self.passes) == (other.checks, other.passes)
    }
}

impl Eq for Position<'_> {}

impl<'r> Position<'r> {
    /// No piece on a board of these squares, white to move.
    pub(super) fn empty(rules: &'r Rules, squares: u64) -> Position<'r> {
        Position {
            rules,
            pieces: [0; 2],
            planes: [0; PLANES],
            squares,
            key: 0,
            ply: 0,
            quiet: 0,
            side: Side::White,
            rights: 0,
            passed: 0,
            victim: NOWHERE,
            checks: [0; 2],
            passes: 0,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// The same position by rules that differ only in what has been learned.
    #[inline(always)]
    pub(super) fn with_rules(self, rules: &'r Rules) -> Position<'r> {
        Position { rules, ..self }
    }

    /// The pieces of a side.
    #[inline(always)]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side as usize]
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }

    /// The pieces of a kind, of both sides.
    #[inline(always)]
    pub fn of_kind(&self, kind: usize) -> u64 {
        let code = kind + 1;
        let mut set = u64::MAX;
        for (digit, plane) in self.planes.iter().enumerate() {
            // All ones where the digit is 0.
            set &= plane ^ ((code >> digit & 1) as u64).wrapping_sub(1);
        }
        set
    }

    /// The pieces of each kind, of both sides.
    #[inline(always)]
    pub(super) fn by_kind(&self) -> [u64; MAX_KINDS] {
        let mut sets = [0; MAX_KINDS];
        for (kind, set) in sets.iter_mut().enumerate().take(self.rules.definition.kinds.len()) {
            *set = self.of_kind(kind);
        }
        sets
    }

    /// The kind of the piece on a cell; some kind where it is empty.
    #[inline(always)]
    pub fn kind_at(&self, cell: usize) -> usize {
        let digits = self.planes.iter().enumerate();
        let code = digits.fold(0, |code, (digit, plane)| code | (plane >> cell & 1) << digit);
        (code as usize).max(1) - 1
    }

    /// The checks that White and Black must still give to win, where they are counted.
    pub fn checks(&self) -> [u8; 2] {
        self.checks
    }

    /// The cell of a side's king.
    #[inline(always)]
    pub(super) fn king(&self, side: Side) -> Option<usize> {
        let kings = self.of_kind(self.rules.royal?) & self.pieces(side);
        (kings != 0).then(|| kings.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn piece_key(side: Side, kind: usize, cell: usize) -> u64 {
        PIECE_KEYS[((side as usize) << 5 | kind) << 6 | cell]
    }

    #[inline(always)]
    pub(super) fn put(&mut self, side: Side, kind: usize, cell: usize) {
        self.pieces[side as usize] |= 1 << cell;
        for (digit, plane) in self.planes.iter_mut().enumerate() {
            *plane |= (((kind + 1) >> digit & 1) as u64) << cell;
        }
        self.key ^= Self::piece_key(side, kind, cell);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, side: Side, kind: usize, cell: usize) {
        let mask = !(1 << cell);
        self.pieces[side as usize] &= mask;
        self.planes.iter_mut().for_each(|plane| *plane &= mask);
        self.key ^= Self::piece_key(side, kind, cell);
    }

    /// The Zobrist key from scratch.
    pub(super) fn full_key(&self) -> u64 {
        let mut key = if self.side == Side::Black { BLACK_KEY } else { 0 };
        for side in [Side::White, Side::Black] {
            for cell in cells(self.pieces(side)) {
                key ^= Self::piece_key(side, self.kind_at(cell), cell);
            }
        }
        key = cells(self.squares).fold(key, |key, cell| key ^ SQUARE_KEYS[cell]);
        if self.rules.definition.check_counting {
            key ^= self.checks_key(Side::White) ^ self.checks_key(Side::Black);
        }
        if self.passes > 0 {
            key ^= PASS_KEY;
        }
        key ^ self.passed_key(!self.side) ^ RIGHTS_KEYS[self.rights as usize & 15]
    }

    fn checks_key(&self, side: Side) -> u64 {
        CHECK_KEYS[2 * usize::from(self.checks[side as usize]).min(MAX_CHECKS) + side as usize]
    }

    /// Counts a check that the last move has given.
    #[cold]
    fn count_check(&mut self) {
        let mover = !self.side;
        if self.is_attacked(self.side) {
            self.key ^= self.checks_key(mover);
            let left = &mut self.checks[mover as usize];
            *left = left.saturating_sub(1);
            self.key ^= self.checks_key(mover);
        }
    }

    /// Counts passes, one after the other; after two the game is over.
    #[cold]
    fn count_pass(&mut self, is_pass: bool) {
        if (self.passes > 0) != is_pass {
            self.key ^= PASS_KEY;
        }
        self.passes = if is_pass { self.passes.saturating_add(1) } else { 0 };
    }

    /// Takes away the piece that has captured on a cell and all around it that an explosion
    /// destroys; returns the castling rights that end.
    #[cold]
    fn explode(&mut self, cell: usize) -> u8 {
        let rules = self.rules;
        let mut ended = 0;
        for at in cells(self.blast(cell)) {
            let side =
                if self.pieces(Side::White) >> at & 1 != 0 { Side::White } else { Side::Black };
            self.remove(side, self.kind_at(at), at);
            ended |= rules.rights_ended[at];
        }
        ended
    }

    /// The pieces that a capture on a cell destroys, besides the one captured.
    pub(super) fn blast(&self, cell: usize) -> u64 {
        let rules = self.rules;
        let proof = cells(rules.definition.blast_proof.into());
        let proof = proof.fold(0, |set, kind| set | self.of_kind(kind));
        rules.around[cell] & self.occupied() & !proof | 1 << cell
    }

    /// Whether the move captures.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        let (from, to, _) = decode(m);
        self.pieces(!self.side) >> to & 1 != 0 || self.is_en_passant(from, to)
    }

    /// Whether the move captures a pawn that has stepped over the cell it reaches.
    #[inline(always)]
    pub(super) fn is_en_passant(&self, from: usize, to: usize) -> bool {
        let piece = || &self.rules.pieces[self.side as usize][self.kind_at(from)];
        self.passed >> to & 1 != 0
            && piece().en_passant.as_ref().is_some_and(|table| table[0][from] >> to & 1 != 0)
    }

    /// What the move captures, and on which cell.
    #[inline(always)]
    pub(super) fn captured(&self, m: Move) -> Option<(usize, usize)> {
        let (from, to, _) = decode(m);
        let cell = if self.pieces(!self.side) >> to & 1 != 0 {
            to
        } else if self.is_en_passant(from, to) {
            usize::from(self.victim)
        } else {
            return None;
        };
        Some((self.kind_at(cell), cell))
    }

    /// The kind that a pawn becomes by a move.
    #[inline(always)]
    pub(super) fn promoted(&self, m: Move) -> Option<usize> {
        let (_, _, promotion) = decode(m);
        let kinds = &self.rules.definition.promotions[self.side as usize];
        promotion.checked_sub(1).and_then(|number| kinds.get(number).copied())
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn make(&mut self, m: Move) {
        let rules = self.rules;
        let (from, to, _) = decode(m);
        let (me, enemy) = (self.side, !self.side);
        let kind = self.kind_at(from);
        let captured = self.captured(m);
        self.key ^= self.passed_key(enemy);
        (self.passed, self.victim) = (0, NOWHERE);
        self.quiet = if rules.is_final(me, kind, from, to) { 0 } else { self.quiet + 1 };
        let mut ended = rules.rights_ended[from] | rules.rights_ended[to];
        if from == to || self.passes != 0 {
            self.count_pass(from == to);
        }
        if from == to {
            ended = 0;
        } else if self.pieces(me) >> to & 1 != 0 {
            self.castle(from, to);
        } else {
            let placed = self.promoted(m).unwrap_or(kind);
            if let Some((kind, cell)) = captured {
                self.remove(enemy, kind, cell);
                self.quiet = 0;
            }
            if placed != kind {
                self.quiet = 0;
            }
            self.remove(me, kind, from);
            self.put(me, placed, to);
            if self.squares >> to & 1 == 0 {
                self.squares ^= 1 << from | 1 << to;
                self.key ^= SQUARE_KEYS[from] ^ SQUARE_KEYS[to];
            }
            // What has been promoted on its double step is no pawn any more.
            let stays = placed == kind && captured.is_none();
            if stays && rules.pieces[me as usize][kind].initial.is_some() {
                self.note_passed(kind, from, to);
            }
            if captured.is_some() && rules.definition.blast_on_capture {
                ended |= self.explode(to);
            }
        }
        let rights = self.rights & !ended;
        self.key ^= RIGHTS_KEYS[self.rights as usize & 15] ^ RIGHTS_KEYS[rights as usize & 15];
        self.rights = rights;
        self.key ^= BLACK_KEY;
        self.side = enemy;
        self.ply += 1;
        if rules.definition.check_counting {
            self.count_check();
        }
    }
}
