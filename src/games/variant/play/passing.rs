//! Captures en passant: the cells that a piece has stepped over, and the piece.
//!
//! The one idea: a move and the text of a position ask the same question, which empty cells of the
//! en passant region lie between the ends of a first move. The piece can be captured on each.

use super::position::Position;
use crate::game::Side;
use crate::game::bitboard::cells;
use crate::games::variant::read::tables::{ByCell, CAPTURE, Hop, Lame, Movement, Piece, Tables};
use crate::games::zobrist;

static EN_PASSANT_KEYS: [u64; 64] = zobrist::keys(0x5641_5249_0004);
static VICTIM_KEYS: [u64; 64] = zobrist::keys(0x5641_5249_0006);

impl Tables {
    /// The cells on which a piece can be captured that has made a first move; `blockers` are there
    /// after it. What it can do at other times, too, is no first move.
    fn stepped_over(
        &self,
        piece: &Piece,
        initial: &Movement,
        from: usize,
        to: usize,
        blockers: u64,
    ) -> u64 {
        if !self.leads(initial, from, to, blockers) || self.leads(&piece.usual, from, to, 0) {
            return 0;
        }
        self.between(from, to) & self.definition.en_passant_region & !blockers
    }

    /// Whether a move begins the count of quiet moves anew by its piece: one of `nMoveRuleTypes`
    /// that cannot go straight back.
    #[inline(always)]
    pub(super) fn is_final(&self, side: Side, kind: usize, from: usize, to: usize) -> bool {
        let is = |set: u32| set >> kind & 1 != 0;
        is(self.only_forward)
            || is(self.definition.resetting) && !self.returns(side, kind, from, to)
    }

    #[cold]
    fn returns(&self, side: Side, kind: usize, from: usize, to: usize) -> bool {
        let piece = &self.pieces[side as usize][kind];
        let across = |&line: &usize| self.lines[line].ray[to] >> from & 1 != 0;
        self.leads(&piece.usual, to, from, 0) || piece.void_lines.iter().any(across)
    }

    /// Whether a movement leads to a cell without a capture; a hop does over any cell.
    fn leads(&self, movement: &Movement, from: usize, to: usize, blockers: u64) -> bool {
        let is_on = |set: u64| set >> to & 1 != 0;
        let is_quiet = |reaches: usize| reaches != CAPTURE;
        let is_leap =
            |(reaches, table): &(usize, Box<ByCell>)| is_quiet(*reaches) && is_on(table[from]);
        let is_lame = |lame: &Lame| {
            let is_free = lame.way[from] & blockers == 0;
            is_quiet(lame.reaches) && is_on(lame.target[from]) && is_free
        };
        let is_line = |&(reaches, line): &(usize, usize)| {
            let is_free = self.between(from, to) & blockers == 0;
            is_quiet(reaches) && is_on(self.lines[line].ray[from]) && is_free
        };
        let is_hop = |hop: &Hop| is_quiet(hop.reaches) && is_on(self.lines[hop.line].ray[from]);
        movement.leaps.iter().any(is_leap)
            || movement.lame.iter().any(is_lame)
            || movement.lines.iter().any(is_line)
            || movement.hops.iter().any(is_hop)
    }

    /// The cells between two on a rank, a file or a diagonal.
    fn between(&self, from: usize, to: usize) -> u64 {
        let columns = self.area.columns;
        let rows = (to / columns) as i32 - (from / columns) as i32;
        let files = (to % columns) as i32 - (from % columns) as i32;
        if rows != 0 && files != 0 && rows.abs() != files.abs() {
            return 0;
        }
        let step = rows.signum() * columns as i32 + files.signum();
        let distance = rows.abs().max(files.abs());
        (1..distance).fold(0, |set, steps| set | 1 << (from as i32 + steps * step))
    }

    /// Whether pieces of a kind are captured en passant: all but kings.
    fn is_passer(&self, kind: usize) -> bool {
        self.royal != Some(kind)
    }
}

impl Position<'_> {
    /// The share of the capture en passant in the key; `owner` has the pawn. The pawn has one of
    /// its own unless it stands straight before the only cell, as it always does in chess.
    #[inline(always)]
    pub(super) fn passed_key(&self, owner: Side) -> u64 {
        if self.passed == 0 {
            return 0;
        }
        let victim = usize::from(self.victim);
        let columns = self.rules.area.columns as u32;
        let behind = match owner {
            Side::White => 1u64.checked_shl(u32::from(self.victim) + columns),
            Side::Black => 1u64.checked_shl(u32::from(self.victim).wrapping_sub(columns)),
        };
        let is_straight = behind == Some(self.passed);
        let key = if is_straight { 0 } else { VICTIM_KEYS[victim] };
        cells(self.passed).fold(key, |key, cell| key ^ EN_PASSANT_KEYS[cell])
    }

    /// Notes where the piece that has just moved can be captured en passant, if an enemy stands
    /// ready to.
    pub(super) fn note_passed(&mut self, kind: usize, from: usize, to: usize) {
        let (rules, me) = (self.rules, self.side);
        if !rules.is_passer(kind) {
            return;
        }
        let piece = &rules.pieces[me as usize][kind];
        let Some(initial) = self.initial(piece, me, from) else { return };
        let over = rules.stepped_over(piece, initial, from, to, self.board().blockers());
        self.set_passed(over, to, !me);
    }

    /// Notes cells over which the last move of the other side may have stepped. Like every
    /// program, it believes the text only where that is so and the piece can be captured. Of
    /// several pieces it is the one that has come from the first cell.
    pub(super) fn read_passed(&mut self, over: u64) {
        let (rules, mover) = (self.rules, !self.side);
        let blockers = self.board().blockers();
        for from in cells(self.squares & !blockers) {
            let pieces = rules.pieces[mover as usize].iter().enumerate();
            for (kind, piece) in pieces.filter(|&(kind, _)| rules.is_passer(kind)) {
                let Some(initial) = self.initial(piece, mover, from) else { continue };
                let steps_over = |&to: &usize| {
                    over & !rules.stepped_over(piece, initial, from, to, blockers) == 0
                };
                let own = self.of_kind(kind) & self.pieces(mover);
                if let Some(victim) = cells(own).find(steps_over) {
                    return self.set_passed(over, victim, !mover);
                }
            }
        }
    }

    /// Notes those of the cells that a piece has stepped over on which a piece of `taker` may
    /// capture it.
    fn set_passed(&mut self, over: u64, victim: usize, taker: Side) {
        let is_taken_on = |cell: &usize| {
            let takes = |(kind, piece): (usize, &Piece)| {
                let from = piece.en_passant.as_ref().map_or(0, |table| table[1][*cell]);
                let from = from & self.pieces(taker);
                from != 0 && from & self.of_kind(kind) != 0
            };
            self.rules.pieces[taker as usize].iter().enumerate().any(takes)
        };
        let passed = cells(over).filter(is_taken_on).fold(0, |set, cell| set | 1 << cell);
        if passed != 0 {
            self.passed = passed;
            self.victim = victim as u8;
            self.key ^= self.passed_key(!taker);
        }
    }
}
