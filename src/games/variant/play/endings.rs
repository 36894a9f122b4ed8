//! How a game of a variant ends, and how a result for a side is said.

use super::moves::Count;
use super::position::Position;
use crate::game::{Ending, Rule, Score, Side};

impl Position<'_> {
    /// No legal move, in check.
    pub const CHECKMATE: Rule = Rule::new(&"checkmate");
    /// No legal move, not in check.
    pub const STALEMATE: Rule = Rule::new(&"stalemate");
    /// Too few pieces of a kind are left.
    pub const EXTINCTION: Rule = Rule::new(&"extinction");
    /// A piece stands in its flag region.
    pub const FLAG: Rule = Rule::new(&"flag reached");
    /// A side has given all checks that it must give.
    pub const CHECKS: Rule = Rule::new(&"checks given");
    /// Both sides have passed, one after the other.
    pub const PASSES: Rule = Rule::new(&"two passes");
    /// The position has occurred as often as it may.
    pub const REPETITION: Rule = Rule::new(&"repetition of the position");
    /// Too many plies without capture or pawn move.
    pub const QUIET_PLIES: Rule = Rule::new(&"too many moves without capture or pawn move");
    /// No list of moves has room for them.
    pub const TOO_MANY_MOVES: Rule =
        Rule::new(&"more than 255 legal moves, which this program cannot play");

    /// The number of legal moves, without a limit.
    pub(super) fn all_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0
    }

    /// What else than checkmate and stalemate the last move has brought about.
    #[cold]
    pub(super) fn special_ending(&self) -> Option<Ending> {
        let definition = &self.rules.definition;
        let mover = !self.side;
        if let Some(extinction) = &definition.extinction {
            for side in [mover, self.side] {
                for &kinds in &extinction.kinds {
                    if self.count(side, kinds) <= extinction.count {
                        return Some(ending(extinction.value, side, Self::EXTINCTION));
                    }
                }
            }
        }
        let region = definition.flag_region[mover as usize];
        if self.count_in(mover, definition.flags, region) >= definition.flag_count {
            Some(Ending::win(mover, Self::FLAG))
        } else if definition.check_counting && self.checks[mover as usize] == 0 {
            Some(Ending::win(mover, Self::CHECKS))
        } else {
            (self.passes > 1).then_some(Ending::draw(Self::PASSES))
        }
    }

    /// The pieces of a side of some kinds.
    pub(super) fn count(&self, side: Side, kinds: u32) -> u32 {
        self.count_in(side, kinds, u64::MAX)
    }

    fn count_in(&self, side: Side, kinds: u32, region: u64) -> u32 {
        let within = self.pieces(side) & region;
        let sets =
            crate::game::bitboard::cells(kinds.into()).map(|kind| self.of_kind(kind) & within);
        sets.map(u64::count_ones).sum()
    }
}

/// What a result for a side means.
pub fn ending(value: Score, side: Side, rule: Rule) -> Ending {
    match value {
        Score::Win => Ending::win(side, rule),
        Score::Draw => Ending::draw(rule),
        Score::Loss => Ending::win(!side, rule),
    }
}
