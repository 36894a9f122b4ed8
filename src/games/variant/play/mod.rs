//! A position of a variant: its moves, how a game ends, and what the position is worth.
//!
//! The one idea: nothing here is chosen for one variant. All that differs is read from the tables
//! that a definition has led to, so a position is a small value with a reference to its rules. No
//! two files import each other: each needs only what stands before it in these lines.
//!
//! ```text
//! piece_values, layout → learned → rules → position → attacks → passing, moves → castling
//!     → pseudo_royal, endings, action → fen, san, exchange, network → eval, playable
//! ```

mod action;
mod attacks;
mod castling;
mod endings;
mod eval;
mod exchange;
pub mod fen;
pub mod layout;
pub mod learned;
mod moves;
mod network;
mod passing;
mod piece_values;
pub mod playable;
pub mod position;
mod pseudo_royal;
pub mod rules;
mod san;

use std::borrow::Cow;
use std::fmt;

use self::action::Action;
use self::endings::ending;
use self::fen::PLY_LIMIT;
use self::moves::MAX_LISTED;
use self::position::Variant;
use super::read::definition::Definition;
use super::read::values::Area;
use crate::game::shape::MoveShape;
use crate::game::{Ending, Game, History, Move, MoveList, ParseError, Rule, Score, Side};
use crate::games::text;

impl Game for Variant {
    const TITLE: &'static str = "a chess variant";
    const MOVE_FORM: &'static str = "e2e4 (from, to) or e7e8q (with promotion)";
    const PLY_LIMIT: usize = PLY_LIMIT;
    const REPETITION: bool = true;

    fn title(&self) -> Cow<'static, str> {
        let Definition { title, name, .. } = &self.rules.definition;
        let title = if title == name { Self::TITLE } else { title };
        format!("{title} [{name}]").into()
    }

    fn codes(&self) -> usize {
        let promotions = &self.rules.definition.promotions;
        let most = promotions.iter().map(|kinds| kinds.len()).max().unwrap_or(0);
        (most + 1) << 12
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn ply(&self) -> usize {
        self.ply.into()
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn count_moves(&self) -> usize {
        self.all_moves().min(MAX_LISTED)
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
        if self.rules.has_special_ending { self.special_ending() } else { None }
    }

    fn without_moves(&self) -> Ending {
        let definition = &self.rules.definition;
        if self.in_check() {
            ending(definition.checkmate, self.side, Self::CHECKMATE)
        } else {
            ending(definition.stalemate, self.side, Self::STALEMATE)
        }
    }

    #[inline(always)]
    fn drawn(&self, history: &History) -> Option<Ending> {
        let definition = &self.rules.definition;
        let (fold, reach) = (definition.fold, usize::from(self.quiet));
        // Each occurrence takes at least four plies since the one before.
        let may_repeat = fold > 0 && reach >= 4 * (fold - 1);
        if may_repeat && history.occurrences(self.key, reach) >= fold - 1 {
            Some(ending(definition.fold_value, self.side, Self::REPETITION))
        } else if definition.quiet_limit.is_some_and(|limit| self.quiet >= limit) {
            Some(Ending::draw(Self::QUIET_PLIES))
        } else if self.ply() >= PLY_LIMIT {
            Some(Ending::draw(Rule::PLY_LIMIT))
        } else {
            None
        }
    }

    #[inline(always)]
    fn repetition_draws(&self) -> bool {
        self.rules.definition.fold_value == Score::Draw
    }

    /// Counts by itself, as a list has no room for too many moves.
    fn ending_with(&self, history: &History, _: impl FnOnce() -> usize) -> Option<Ending> {
        if let Some(ending) = self.won() {
            return Some(ending);
        }
        match self.all_moves() {
            0 => Some(self.without_moves()),
            1..=MAX_LISTED => self.drawn(history),
            _ => Some(Ending::draw(Self::TOO_MANY_MOVES)),
        }
    }

    fn write_move(&self, m: Move, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_uci(m, f)
    }

    fn read_notation(&self, text: &str) -> Result<Move, ParseError> {
        self.read_uci(text)
    }

    fn standard_notation(&self, m: Move) -> String {
        san::san(self, m)
    }

    fn understand(&self, text: &str) -> Result<Move, ParseError> {
        san::read(self, text)
    }

    fn hint(&self, wrong: Move, legal: &MoveList) -> Option<String> {
        let (from, to, promotion) = position::decode(wrong);
        let has_way = |m: &&Move| (from, to) == (position::decode(**m).0, position::decode(**m).1);
        let mut same_way = legal.iter().filter(has_way);
        let is_queen = |m: &&Move| {
            let kind = self.promoted(**m).map(|kind| &self.rules.definition.kinds[kind]);
            kind.is_some_and(|kind| kind.name == "queen")
        };
        let first = same_way.clone().next()?;
        let example = self.notation(*same_way.find(is_queen).unwrap_or(first));
        Some(match promotion {
            0 => format!("a promotion with its letter, such as {example}"),
            _ => format!("{example}, as nothing is promoted"),
        })
    }

    fn parse_board(&self, text: &str) -> Result<Variant, ParseError> {
        fen::read(self.rules, text)
    }

    fn write_rows(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_cells(f)
    }

    fn shape(&self, m: Move) -> MoveShape {
        let Action { from, to, also, kind, promotion } = self.describe(m);
        let (text, name) = (self.notation(m).to_string(), |cell: usize| self.cell_name(cell));
        MoveShape {
            text,
            from: Some(name(from)),
            to: name(to),
            also: also.map(name),
            kind,
            promotion,
        }
    }

    fn checked_cell(&self) -> Option<String> {
        self.checked_king().map(|cell| self.cell_name(cell))
    }

    fn labels(&self) -> (Vec<String>, Vec<String>) {
        let Area { rows, columns } = self.rules.area;
        let files = text::names(b'a', columns);
        ((1..=rows).rev().map(|rank| rank.to_string()).collect(), files)
    }
}
