//! Proven results in the tree: MCTS-Solver with bounds for draws.
//!
//! The one idea: every node has a lower and an upper bound of the result for its side to move. Its
//! bounds are the best of those of its children (Winands, Björnsson and Saito 2008; with draws,
//! Cazenave and Saffidine 2010). Where both meet the node is proven, with its distance to the end:
//! quickest win, slowest loss.

use super::stats::REWARD_OF_DRAW;
use crate::eval::Evaluate;
use crate::eval::oracle::Proof;
use crate::game::{GameState, Outcome, Score};

/// A result for the side to move.
const LOSS: i32 = -1;
const DRAW: i32 = 0;
const WIN: i32 = 1;

/// Proven bounds of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The result it is sure of: -1 loss, 0 draw, 1 win.
    lower: i32,
    /// The result it cannot exceed.
    upper: i32,
    /// Plies to the end; meaningful where both bounds meet.
    plies: u16,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lower: LOSS, upper: WIN, plies: 0 };
    /// A draw, of a finished game or proven.
    pub const DRAWN: Bounds = Bounds { lower: DRAW, upper: DRAW, plies: 0 };

    /// A win in `plies` plies.
    pub const fn win(plies: u16) -> Bounds {
        Bounds { lower: WIN, upper: WIN, plies }
    }

    /// A loss in `plies` plies.
    pub const fn loss(plies: u16) -> Bounds {
        Bounds { lower: LOSS, upper: LOSS, plies }
    }

    /// A known result.
    pub fn of_proof(proof: Proof) -> Bounds {
        match proof {
            Proof::Win(plies) => Bounds::win(plies),
            Proof::Draw => Bounds::DRAWN,
            Proof::Loss(plies) => Bounds::loss(plies),
        }
    }

    /// The result of a position without search: a finished or decided game. That a side has no
    /// legal move is found only where moves are generated, unless a rule that counts plies or
    /// positions applies, which has lower precedence.
    #[inline(always)]
    pub fn of_state<G: Evaluate>(state: &GameState<G>) -> Bounds {
        let position = &state.position;
        if let Some(won) = position.won() {
            return Bounds::of_outcome(position, won.outcome);
        }
        match position.drawn(&state.history) {
            Some(_) if position.count_moves() == 0 => Bounds::without_moves(position),
            Some(by_rule) => Bounds::of_outcome(position, by_rule.outcome),
            None => match position.decided() {
                Some((winner, plies)) if winner == position.side() => Bounds::win(plies as u16),
                Some((_, plies)) => Bounds::loss(plies as u16),
                None => Bounds::UNKNOWN,
            },
        }
    }

    /// Of a position without a legal move.
    pub fn without_moves<G: Evaluate>(position: &G) -> Bounds {
        Bounds::of_outcome(position, position.without_moves().outcome)
    }

    /// Of a finished game.
    #[inline(always)]
    pub fn of_outcome<G: Evaluate>(position: &G, outcome: Outcome) -> Bounds {
        match outcome.for_side(position.side()) {
            Score::Win => Bounds::win(0),
            Score::Draw => Bounds::DRAWN,
            Score::Loss => Bounds::loss(0),
        }
    }

    /// Whether the result is known.
    #[inline(always)]
    pub fn proven(self) -> bool {
        self.lower == self.upper
    }

    /// Whether the side to move is sure to win.
    #[inline(always)]
    pub fn is_win(self) -> bool {
        self.lower == WIN
    }

    /// Whether the side to move is sure to lose.
    #[inline(always)]
    pub fn is_loss(self) -> bool {
        self.upper == LOSS
    }

    /// Whether the side to move is sure of a draw, or more.
    #[inline(always)]
    pub fn is_drawn_at_least(self) -> bool {
        self.lower >= DRAW
    }

    /// The result where it is known.
    pub fn proof(self) -> Option<Proof> {
        match (self.lower, self.upper) {
            (WIN, _) => Some(Proof::Win(self.plies)),
            (_, LOSS) => Some(Proof::Loss(self.plies)),
            (DRAW, DRAW) => Some(Proof::Draw),
            _ => None,
        }
    }

    /// The proven result as an expected one in halves: 0 loss, 1 draw, 2 win.
    #[inline(always)]
    pub fn halves(self) -> u32 {
        debug_assert!(self.proven());
        (self.lower + 1) as u32
    }

    /// The reward of a proven result for its side to move.
    #[inline(always)]
    pub fn reward(self) -> u32 {
        self.halves() * REWARD_OF_DRAW
    }

    /// What two findings about the same position say together; of two distances the shorter, which
    /// later findings improve on. Where they contradict each other, as a draw by repetition does
    /// what was proven on another way, the first stays.
    #[inline(always)]
    pub fn and(self, other: Bounds) -> Bounds {
        if self.contradicts(other) {
            return self;
        }
        let plies = if self.proven() && other.proven() {
            self.plies.min(other.plies)
        } else {
            self.plies.max(other.plies)
        };
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper), plies }
    }

    /// Whether no result agrees with both.
    #[inline(always)]
    pub fn contradicts(self, other: Bounds) -> bool {
        self.lower > other.upper || other.lower > self.upper
    }

    /// Whether moving to a child with these bounds is sure to reach what `parent` is sure of.
    #[inline(always)]
    pub fn secures(self, parent: Bounds) -> bool {
        -self.upper >= parent.lower
    }

    /// Whether moving to a child with these bounds may reach more than what `parent` is sure of.
    #[inline(always)]
    pub fn may_improve(self, parent: Bounds) -> bool {
        -self.lower > parent.lower
    }

    /// The bounds of a position from those of all its children.
    #[inline(always)]
    pub fn of_parent(children: impl Iterator<Item = Bounds>) -> Bounds {
        let (mut lower, mut upper) = (LOSS, LOSS);
        let (mut quickest_win, mut longest) = (u16::MAX, 0);
        for child in children {
            lower = lower.max(-child.upper);
            upper = upper.max(-child.lower);
            if child.is_loss() {
                quickest_win = quickest_win.min(child.plies);
            }
            if child.proven() {
                longest = longest.max(child.plies);
            }
        }
        let plies = match (lower, upper) {
            (WIN, _) => quickest_win + 1,
            _ if lower == upper => longest + 1,
            _ => 0,
        };
        Bounds { lower, upper, plies }
    }

    /// Packed so that zero is [`Bounds::UNKNOWN`].
    #[inline(always)]
    pub fn to_bits(self) -> u32 {
        (self.lower - LOSS) as u32 | ((WIN - self.upper) as u32) << 2 | u32::from(self.plies) << 16
    }

    /// Unpacks [`Bounds::to_bits`].
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Bounds {
        Bounds {
            lower: LOSS + (bits & 3) as i32,
            upper: WIN - (bits >> 2 & 3) as i32,
            plies: (bits >> 16) as u16,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(children: &[Bounds]) -> Bounds {
        Bounds::of_parent(children.iter().copied())
    }

    #[test]
    fn packing_keeps_everything_and_zero_is_unknown() {
        assert_eq!(Bounds::from_bits(0), Bounds::UNKNOWN);
        for bounds in [Bounds::UNKNOWN, Bounds::DRAWN, Bounds::win(199), Bounds::loss(65_000)] {
            assert_eq!(Bounds::from_bits(bounds.to_bits()), bounds);
        }
    }

    #[test]
    fn one_lost_child_wins_and_the_quickest_counts() {
        let bounds = of(&[Bounds::loss(6), Bounds::UNKNOWN, Bounds::loss(2), Bounds::win(1)]);
        assert_eq!(bounds, Bounds::win(3));
    }

    #[test]
    fn all_children_won_loses_and_the_slowest_counts() {
        assert_eq!(of(&[Bounds::win(1), Bounds::win(5), Bounds::win(3)]), Bounds::loss(6));
    }

    #[test]
    fn findings_add_up_and_never_widen() {
        let at_least_a_draw = Bounds { lower: DRAW, upper: WIN, plies: 0 };
        let at_most_a_draw = Bounds { lower: LOSS, upper: DRAW, plies: 0 };
        assert_eq!(at_least_a_draw.and(at_most_a_draw).proof(), Some(Proof::Draw));
        assert_eq!(Bounds::win(7).and(Bounds::UNKNOWN), Bounds::win(7));
        assert_eq!(Bounds::UNKNOWN.and(Bounds::loss(4)), Bounds::loss(4));
        assert_eq!(Bounds::win(7).and(Bounds::win(5)), Bounds::win(5));
        assert_eq!(Bounds::DRAWN.and(Bounds::loss(4)), Bounds::DRAWN);
        assert_eq!(Bounds::win(7).and(at_most_a_draw), Bounds::win(7));
    }

    #[test]
    fn findings_without_a_common_result_contradict_each_other() {
        let at_least_a_draw = Bounds { lower: DRAW, upper: WIN, plies: 0 };
        let at_most_a_draw = Bounds { lower: LOSS, upper: DRAW, plies: 0 };
        let disjoint = [
            (Bounds::win(3), at_most_a_draw),
            (Bounds::loss(0), at_least_a_draw),
            (Bounds::DRAWN, Bounds::win(1)),
        ];
        for (one, other) in disjoint {
            assert!(one.contradicts(other) && other.contradicts(one), "{one:?}, {other:?}");
        }
        assert!(!at_least_a_draw.contradicts(at_most_a_draw), "both say a draw");
        assert!(!Bounds::win(3).contradicts(Bounds::win(5)));
        assert!(!Bounds::loss(2).contradicts(Bounds::UNKNOWN));
    }

    #[test]
    fn a_draw_is_secured_only_by_children_that_cannot_win() {
        let child_may_win = Bounds { lower: DRAW, upper: WIN, plies: 0 };
        assert!(!child_may_win.secures(Bounds::DRAWN));
        assert!(Bounds::DRAWN.secures(Bounds::DRAWN));
        assert!(Bounds::win(1).secures(Bounds::loss(2)), "a loss is secured by anything");
    }

    #[test]
    fn only_what_is_not_certain_may_improve() {
        let drawn_for_sure = of(&[Bounds::DRAWN, Bounds::UNKNOWN]);
        assert!(Bounds::UNKNOWN.may_improve(drawn_for_sure));
        assert!(!Bounds::DRAWN.may_improve(drawn_for_sure));
        assert!(Bounds::DRAWN.may_improve(Bounds::UNKNOWN));
        assert!(!Bounds::win(3).may_improve(Bounds::UNKNOWN));
    }

    #[test]
    fn a_draw_bounds_from_below_until_the_rest_is_known() {
        let open = of(&[Bounds::DRAWN, Bounds::UNKNOWN]);
        assert!(!open.proven());
        assert_eq!(open.proof(), None);
        assert_eq!(of(&[Bounds::DRAWN, Bounds::win(4)]).proof(), Some(Proof::Draw));
        let at_least_a_draw_for_the_child = of(&[open, Bounds::win(4)]);
        assert_eq!(at_least_a_draw_for_the_child.upper, DRAW, "not better than a draw for us");
        assert!(!at_least_a_draw_for_the_child.proven());
    }
}
