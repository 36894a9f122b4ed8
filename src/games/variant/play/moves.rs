//! Legal moves from the tables of a variant.
//!
//! The one idea: moves are generated in sets for each piece. What gives check, and what is pinned,
//! is found once for a position, so that of most moves nothing has to be asked. The king's own
//! moves, those of pinned pieces, captures en passant, and all moves against pieces that hop or can
//! be blocked are played and looked at.

use super::position::{Position, decode, encode};
use crate::game::bitboard::cells;
use crate::game::{MAX_MOVES, Move, MoveList};
use crate::games::variant::read::piece_kinds::MAX_KINDS;
use crate::games::variant::read::tables::{BOTH, Board, CAPTURE, Group, Piece, QUIET, targets};

/// Max moves of a position.
pub const MAX_LISTED: usize = MAX_MOVES - 1;

/// Receives legal moves in sets.
pub trait Sink {
    /// The moves of the piece on `from` to each cell of `targets`.
    fn to_each(&mut self, from: usize, targets: u64);
    /// Those to each cell of `targets` where it becomes one of `kinds` kinds.
    fn promotions_to_each(&mut self, from: usize, targets: u64, kinds: usize);
    /// One move, which is noisy or not.
    fn one(&mut self, m: Move, is_noisy: bool);
}

/// Collects the moves, at most [`MAX_LISTED`].
impl Sink for MoveList {
    #[inline(always)]
    fn to_each(&mut self, from: usize, targets: u64) {
        for to in cells(targets) {
            if self.len() < MAX_LISTED {
                self.push(encode(from, to, 0));
            }
        }
    }

    #[inline(always)]
    fn promotions_to_each(&mut self, from: usize, targets: u64, kinds: usize) {
        for to in cells(targets) {
            for number in 1..=kinds {
                if self.len() < MAX_LISTED {
                    self.push(encode(from, to, number));
                }
            }
        }
    }

    fn one(&mut self, m: Move, _: bool) {
        if self.len() < MAX_LISTED {
            self.push(m);
        }
    }
}

/// Counts the moves.
pub struct Count(pub usize);

impl Sink for Count {
    #[inline(always)]
    fn to_each(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones() as usize;
    }

    #[inline(always)]
    fn promotions_to_each(&mut self, _: usize, targets: u64, kinds: usize) {
        self.0 += targets.count_ones() as usize * kinds;
    }

    fn one(&mut self, _: Move, _: bool) {
        self.0 += 1;
    }
}

/// Collects captures and promotions; of the rest only whether there is a move.
pub struct Noisy<'a> {
    pub list: &'a mut MoveList,
    /// Enemy pieces, and the cells of a capture en passant.
    pub taken: u64,
    pub any: bool,
}

impl Sink for Noisy<'_> {
    #[inline(always)]
    fn to_each(&mut self, from: usize, targets: u64) {
        self.any |= targets != 0;
        self.list.to_each(from, targets & self.taken);
    }

    #[inline(always)]
    fn promotions_to_each(&mut self, from: usize, targets: u64, kinds: usize) {
        self.any |= targets != 0;
        self.list.promotions_to_each(from, targets, kinds);
    }

    fn one(&mut self, m: Move, is_noisy: bool) {
        self.any = true;
        if is_noisy {
            self.list.one(m, true);
        }
    }
}

/// What bears on the king of the side to move.
struct Guard {
    checkers: u64,
    /// Cells where an ordinary move may answer the check; every cell where there is none.
    answers: u64,
    /// Cells where a move into the void may.
    void_answers: u64,
    /// Own pieces on whose ordinary moves the king depends.
    pinned: u64,
    /// Own pieces on whose moves into the void it does.
    void_pinned: u64,
}

impl Guard {
    /// Neither checks nor pins.
    const NONE: Guard =
        Guard { checkers: 0, answers: u64::MAX, void_answers: u64::MAX, pinned: 0, void_pinned: 0 };
}

/// The answers to checks that nothing but the capture of the checker answers.
#[inline(always)]
fn only_captures(checkers: u64) -> u64 {
    match checkers {
        0 => u64::MAX,
        _ if checkers & (checkers - 1) == 0 => checkers,
        _ => 0,
    }
}

impl Position<'_> {
    /// Whether the own king is not attacked after a move, which is played for it.
    pub(super) fn is_safe(&self, m: Move) -> bool {
        let mut after = *self;
        after.make(m);
        !after.is_attacked(self.side)
    }

    /// Finds checks and pins by pieces whose lines nothing but a first piece stops.
    #[inline(always)]
    fn guard(&self, king: usize, sets: &[u64; MAX_KINDS]) -> Guard {
        let (me, enemy) = (self.pieces(self.side), self.pieces(!self.side));
        let attackers = &self.rules.attackers[!self.side as usize];
        let mut guard = Guard::NONE;
        for (kind, table) in &attackers.leaps {
            guard.checkers |= table[king] & sets[*kind] & enemy;
        }
        guard.answers = only_captures(guard.checkers);
        let joined = |kinds: &[usize]| enemy & kinds.iter().fold(0, |set, &kind| set | sets[kind]);
        // What captures a rider or stands in its way answers its check: of several checks, also by
        // one piece, what answers each of them. Checkers and pins are noted.
        let mut look = |groups: &[Group], stops: u64, pinned: &mut u64, answers: &mut u64| {
            let mut checkers = 0;
            for group in groups {
                let riders = joined(&group.kinds);
                if group.from[king] & riders == 0 {
                    continue;
                }
                for &line in &group.lines {
                    let reach = self.rules.slide(line, king, stops);
                    let first = reach & me;
                    if reach & riders != 0 {
                        checkers |= reach & riders;
                        *answers &= reach;
                    } else if first != 0
                        && self.rules.slide(line, king, stops & !first) & riders != 0
                    {
                        *pinned |= first;
                    }
                }
            }
            guard.checkers |= checkers;
            checkers
        };
        let (mut pinned, mut void_pinned) = (0, 0);
        let (mut answers, mut void_answers) = (u64::MAX, u64::MAX);
        look(&attackers.riders, self.board().blockers(), &mut pinned, &mut answers);
        let over_void =
            look(&attackers.void_riders, self.squares, &mut void_pinned, &mut void_answers);
        guard.answers &= answers & only_captures(over_void);
        if guard.checkers != over_void {
            void_answers = 0;
        }
        Guard { pinned, void_pinned, void_answers, ..guard }
    }

    /// Hands every legal move to a sink.
    #[inline(always)]
    pub(super) fn generate<S: Sink>(&self, sink: &mut S) {
        if self.rules.is_choosy {
            self.generate_chosen(sink);
        } else {
            self.generate_safe(sink);
        }
    }

    /// The moves that remain where checks may not be given, captures must be made, or pieces are
    /// royal by their number; and the pass of a side that has none.
    #[cold]
    fn generate_chosen<S: Sink>(&self, sink: &mut S) {
        let definition = &self.rules.definition;
        let mut moves = MoveList::new();
        self.generate_safe(&mut moves);
        if !definition.checking {
            moves.retain(|m| {
                let mut after = *self;
                after.make(*m);
                !after.is_attacked(after.side)
            });
        }
        if definition.pseudo_royal.is_some() {
            moves.retain(|m| self.keeps_pseudo_royals(*m));
        }
        if definition.must_capture && moves.iter().any(|&m| self.is_capture(m)) {
            moves.retain(|m| self.is_capture(*m));
        }
        if moves.is_empty() && definition.pass_on_stalemate && !self.in_check() {
            moves.extend(self.passing_piece().map(|cell| encode(cell, cell, 0)));
        }
        for m in moves {
            sink.one(m, self.is_noisy_move(m));
        }
    }

    /// The piece that stands where it is in a pass, as Fairy-Stockfish writes it: the king, or else
    /// the first piece from the lowest rank on.
    fn passing_piece(&self) -> Option<usize> {
        let columns = self.rules.area.columns;
        let own = cells(self.pieces(self.side));
        let from_below = |cell: &usize| (std::cmp::Reverse(cell / columns), cell % columns);
        self.king(self.side).or_else(|| own.min_by_key(from_below))
    }

    /// Whether the move captures or promotes.
    #[inline(always)]
    pub(super) fn is_noisy_move(&self, m: Move) -> bool {
        decode(m).2 != 0 || self.is_capture(m)
    }

    /// Every move after which the own king is not attacked.
    #[inline(always)]
    fn generate_safe<S: Sink>(&self, sink: &mut S) {
        let rules = self.rules;
        let side = self.side;
        let (own, enemy) = (self.pieces(side), self.pieces(!side));
        let board = self.board();
        let sets = self.by_kind();
        let king = rules.royal.map_or(0, |royal| sets[royal] & own);
        let tricky = &rules.attackers[!side as usize].tricky;
        let is_tricky = king != 0 && tricky.iter().any(|&kind| sets[kind] & enemy != 0);
        let mut guard = Guard::NONE;
        if is_tricky {
            (guard.pinned, guard.void_pinned) = (own, own);
        } else if king != 0 {
            guard = self.guard(king.trailing_zeros() as usize, &sets);
        }
        let open = self.squares & !board.occupied;
        let all = [self.squares & !own, open, enemy];
        let answering = all.map(|set| set & guard.answers);
        let (creatable, creatable_from_afar) = self.creatable();
        let passed = self.passed;
        for (kind, piece) in rules.pieces[side as usize].iter().enumerate() {
            let is_royal = rules.royal == Some(kind);
            let reached = if is_royal { all } else { answering };
            for from in cells(sets[kind] & own) {
                let mut to = targets(rules, &piece.usual, from, board, reached);
                if let Some(initial) = self.initial(piece, side, from) {
                    to |= targets(rules, initial, from, board, reached);
                }
                for &line in &piece.void_lines {
                    to |= rules.slide(line, from, self.squares) & reached[BOTH];
                }
                if is_royal {
                    let to = self.safe_for_king(from, to, &sets, board);
                    let void = piece.void_steps[from] & creatable;
                    sink.to_each(from, to | self.safe(from, void, u64::MAX));
                    continue;
                }
                to = self.safe(from, to, guard.pinned);
                let mut over = 0;
                if passed != 0
                    && let Some(table) = &piece.en_passant
                {
                    over = table[0][from] & passed;
                    over = self.safe(from, over, if king == 0 { 0 } else { u64::MAX });
                    to |= over;
                }
                if rules.definition.void_moves {
                    let void = self.void_targets(piece, from, creatable, creatable_from_afar);
                    to |= self.safe(from, void & guard.void_answers, guard.void_pinned);
                }
                self.hand_over(sink, piece, from, to, over);
            }
        }
        if self.rights != 0 {
            self.generate_castling(sink, &sets, board, is_tricky || guard.checkers != 0);
        }
    }

    /// Those of the moves of a piece after which the own king is not attacked; all of them are if
    /// the piece is none of `doubtful`.
    #[inline(always)]
    fn safe(&self, from: usize, targets: u64, doubtful: u64) -> u64 {
        if doubtful >> from & 1 == 0 || targets == 0 {
            return targets;
        }
        self.tested(from, targets)
    }

    #[cold]
    fn tested(&self, from: usize, targets: u64) -> u64 {
        let safe = |to: &usize| self.is_safe(encode(from, *to, 0));
        cells(targets).filter(safe).fold(0, |set, to| set | 1 << to)
    }

    /// The cells on which the king is not attacked, on squares that exist.
    #[inline(always)]
    fn safe_for_king(&self, from: usize, to: u64, sets: &[u64; MAX_KINDS], board: Board) -> u64 {
        let others = board.occupied & !(1 << from);
        let safe = |to: &usize| {
            // Whatever stands there is captured, and does not attack any more.
            let after = Board { occupied: others & !(1 << to), ..board };
            self.attackers_of(*to, !self.side, after, sets) == 0
        };
        cells(to).filter(safe).fold(0, |set, to| set | 1 << to)
    }

    /// Void cells that may become squares: by a neighbour, which then leaves a square beside them,
    /// and by a piece from afar.
    #[inline(always)]
    fn creatable(&self) -> (u64, u64) {
        if !self.rules.definition.void_moves {
            return (0, 0);
        }
        let void = self.rules.board & !self.squares;
        let [a, b, c, d] = self.rules.shifts(self.squares);
        (void & (a & b | c & d | (a | b) & (c | d)), void & (a | b | c | d))
    }

    /// The void cells into which a piece may take its square.
    #[inline(always)]
    fn void_targets(&self, piece: &Piece, from: usize, near: u64, afar: u64) -> u64 {
        let mut to = piece.void_steps[from] & near;
        if !piece.void_lines.is_empty() {
            let neighbours = self.rules.neighbours[from];
            for line in self.rules.orthogonals {
                to |= self.rules.slide(line, from, self.squares) & afar & !neighbours;
            }
        }
        to
    }

    /// Hands the moves of one piece over, promotions apart; a capture en passant, those to `over`,
    /// is none.
    #[inline(always)]
    fn hand_over<S: Sink>(&self, sink: &mut S, piece: &Piece, from: usize, to: u64, over: u64) {
        if !piece.promotes {
            return sink.to_each(from, to);
        }
        let definition = &self.rules.definition;
        let promoting = to & definition.promotion_region[self.side as usize] & !over;
        let plain = if definition.mandatory_promotion { to & !promoting } else { to };
        sink.to_each(from, plain);
        if promoting != 0 {
            let kinds = definition.promotions[self.side as usize].len();
            sink.promotions_to_each(from, promoting, kinds);
        }
    }
}

const _: () = assert!(QUIET == 1 && CAPTURE == 2, "the order in which reached cells are given");
