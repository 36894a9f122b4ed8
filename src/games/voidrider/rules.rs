//! The rules of Voidrider Chess: how a game begins and ends, and what its moves are listed for.

use std::fmt;

use super::moves::Sink;
use super::notation;
use super::position::{Kind, QUIET_LIMIT, TOURNAMENT_PLIES, Voidrider, encode};
use super::shape;
use super::tables::{COLUMNS, ROWS};
use crate::game::bitboard::cells;
use crate::game::shape::MoveShape;
use crate::game::{Ending, Game, History, MAX_PLIES, Move, MoveList, ParseError, Rule, Side};
use crate::games::text;

impl Voidrider {
    /// No legal move, in check.
    pub const CHECKMATE: Rule = Rule::new(&"checkmate");
    /// No legal move, not in check.
    pub const STALEMATE: Rule = Rule::new(&"stalemate");
    /// The position has occurred for the third time.
    pub const THIRD_OCCURRENCE: Rule = Rule::new(&"third occurrence of the position");
    /// 100 plies without a capture or pawn move.
    pub const QUIET_PLIES: Rule = Rule::new(&"100 plies without capture or pawn move");

    /// The position every game starts from.
    pub fn start() -> Voidrider {
        const START: &str =
            "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0";
        notation::parse(START, false).expect("the start position is valid")
    }

    /// The same position by the text of the author alone: stalemate is the only draw, and a game is
    /// broken off only at the limit of all games.
    pub fn by_the_text_alone(self) -> Voidrider {
        Voidrider { is_text_alone: true, ..self }
    }

    /// Lists the captures and promotions, and returns whether there is any legal move at all.
    #[inline(always)]
    pub fn captures_and_promotions(&self, list: &mut MoveList) -> bool {
        list.clear();
        let mut noisy = Noisy { list, enemy: self.pieces(!self.side), any: false };
        self.generate(&mut noisy);
        // A step of the king or into the void, or castling, may be left.
        noisy.any || self.count_moves() > 0
    }
}

/// Collects the moves.
impl Sink for MoveList {
    #[inline(always)]
    fn to_each(&mut self, from: usize, targets: u64) {
        self.extend(cells(targets).map(|to| encode(from, to, 0)));
    }

    #[inline(always)]
    fn pawns_to_each(&mut self, targets: u64, step: i32) {
        self.extend(cells(targets).map(|to| encode((to as i32 - step) as usize, to, 0)));
    }

    #[inline(always)]
    fn promotions_to_each(&mut self, targets: u64, step: i32) {
        for to in cells(targets) {
            let from = (to as i32 - step) as usize;
            self.extend(Kind::PROMOTIONS.map(|kind| encode(from, to, kind as usize)));
        }
    }
}

/// Collects captures and promotions; of the rest only whether there is a move, where it is seen
/// cheaply.
struct Noisy<'a> {
    list: &'a mut MoveList,
    enemy: u64,
    any: bool,
}

impl Sink for Noisy<'_> {
    const ALL: bool = false;

    #[inline(always)]
    fn to_each(&mut self, from: usize, targets: u64) {
        self.any |= targets != 0;
        self.list.to_each(from, targets & self.enemy);
    }

    #[inline(always)]
    fn pawns_to_each(&mut self, targets: u64, step: i32) {
        self.any |= targets != 0;
        self.list.pawns_to_each(targets & self.enemy, step);
    }

    #[inline(always)]
    fn promotions_to_each(&mut self, targets: u64, step: i32) {
        self.any |= targets != 0;
        self.list.promotions_to_each(targets, step);
    }
}

/// Counts the moves.
struct Count(u32);

impl Sink for Count {
    #[inline(always)]
    fn to_each(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn pawns_to_each(&mut self, targets: u64, _: i32) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn promotions_to_each(&mut self, targets: u64, _: i32) {
        self.0 += targets.count_ones() * Kind::PROMOTIONS.len() as u32;
    }
}

impl Game for Voidrider {
    const TITLE: &'static str = "Voidrider Chess";
    const MOVE_FORM: &'static str = "b3-a3 (from, to) or c8-c9=V (with promotion)";
    const PLY_LIMIT: usize = MAX_PLIES;
    const REPETITION: bool = true;

    #[inline(always)]
    fn ply_limit(&self) -> usize {
        if self.is_text_alone { Self::PLY_LIMIT } else { TOURNAMENT_PLIES }
    }

    fn codes(&self) -> usize {
        Kind::ALL.len() << 12
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn ply(&self) -> usize {
        self.ply as usize
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn count_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0 as usize
    }

    fn moves(&self, list: &mut MoveList) {
        list.clear();
        self.generate(list);
    }

    #[inline(always)]
    fn play(&mut self, m: Move) {
        self.make(m);
    }

    #[inline(always)]
    fn won(&self) -> Option<Ending> {
        None
    }

    fn without_moves(&self) -> Ending {
        if self.in_check() {
            Ending::win(!self.side, Voidrider::CHECKMATE)
        } else {
            Ending::draw(Voidrider::STALEMATE)
        }
    }

    #[inline(always)]
    fn drawn(&self, history: &History) -> Option<Ending> {
        if self.is_text_alone {
            return (self.ply() >= self.ply_limit()).then_some(Ending::draw(Rule::PLY_LIMIT));
        }
        // A third occurrence takes at least eight plies since the first.
        let repeated = self.quiet >= 8 && history.occurrences(self.key, self.quiet as usize) >= 2;
        if repeated {
            Some(Ending::draw(Voidrider::THIRD_OCCURRENCE))
        } else if self.quiet >= QUIET_LIMIT {
            Some(Ending::draw(Voidrider::QUIET_PLIES))
        } else if self.ply() >= TOURNAMENT_PLIES {
            Some(Ending::draw(Rule::PLY_LIMIT))
        } else {
            None
        }
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        notation::write_move(m, f)
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        notation::read_move(text)
    }

    fn parse_board(&self, text: &str) -> Result<Voidrider, ParseError> {
        notation::parse(text, self.is_text_alone)
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        text::write_rows(f, (ROWS, COLUMNS), |row, column| {
            let cell = row * COLUMNS + column;
            if self.pieces[0] >> cell & 1 != 0 {
                Kind::ALL[self.kind_at(cell)].letter()
            } else if self.pieces[1] >> cell & 1 != 0 {
                Kind::ALL[self.kind_at(cell)].letter().to_ascii_lowercase()
            } else if self.squares >> cell & 1 != 0 {
                '.'
            } else {
                '#'
            }
        })
    }

    fn shape(&self, m: Move) -> MoveShape {
        shape::shape(self, m)
    }

    fn checked_cell(&self) -> Option<String> {
        shape::checked_cell(self)
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        let mut rows = text::names(b'1', ROWS);
        rows.reverse();
        (rows, text::names(b'a', COLUMNS))
    }
}

impl fmt::Display for Voidrider {
    /// The full text board.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = text::side_letter(self.side);
        write!(f, "{} {side} {} ", self.rows(), self.ply)?;
        notation::write_rights(self.rights, f)?;
        write!(f, " {}", self.quiet)
    }
}
