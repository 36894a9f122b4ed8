//! Who plays, and how a game ends.
//!
//! The one idea: an end is an outcome and the rule that brought it about, and it is printed in the
//! same form everywhere.

use std::fmt;
use std::ops::Not;

/// White moves first in every game but `loa:standard` and variants that begin otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// The first player.
    White,
    /// The second player (red in Voidrider Chess).
    Black,
}

impl Not for Side {
    type Output = Side;
    #[inline(always)]
    fn not(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// That side won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// How the game went for a side.
    #[inline(always)]
    pub fn for_side(self, side: Side) -> Score {
        match self {
            Outcome::Win(winner) if winner == side => Score::Win,
            Outcome::Win(_) => Score::Loss,
            Outcome::Draw => Score::Draw,
        }
    }

    /// The reason of this result in a sentence: `no legal move` gets the side that has none, which
    /// is not the one named as the winner.
    pub fn why(self, reason: &str) -> String {
        match self {
            Outcome::Win(side) if reason == Rule::NO_MOVE.to_string() => {
                format!("{} has {reason}", !side)
            }
            _ => reason.to_owned(),
        }
    }
}

/// How a game went for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// It lost.
    Loss,
    /// A draw.
    Draw,
    /// It won.
    Win,
}

impl Score {
    /// The same game for the other player.
    pub fn reversed(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }

    /// The same score in half points: 0, 1 or 2.
    pub fn halves(self) -> u32 {
        self as u32
    }
}

/// The rule that ended a game; its `Display` is the reason printed with a result. Games have rules
/// of their own beside those that stand here.
///
/// A thin pointer to its name, so that an [`Ending`] is returned in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule(&'static &'static str);

impl Rule {
    /// The side to move has no legal move, and loses by it.
    pub const NO_MOVE: Rule = Rule::new(&"no legal move");
    /// The game has lasted as many plies as it may.
    pub const PLY_LIMIT: Rule = Rule::new(&"move limit");

    /// A rule of a game, such as `Rule::new(&"checkmate")`.
    pub const fn new(name: &'static &'static str) -> Rule {
        Rule(name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The end of a game: its outcome and the rule. `Display` is the fixed form of every result line,
/// `White|Black|tie (reason)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// By which rule.
    pub rule: Rule,
}

impl Ending {
    /// A win of `side`.
    #[inline(always)]
    pub const fn win(side: Side, rule: Rule) -> Ending {
        Ending { outcome: Outcome::Win(side), rule }
    }

    /// A draw.
    #[inline(always)]
    pub const fn draw(rule: Rule) -> Ending {
        Ending { outcome: Outcome::Draw, rule }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Outcome::Win(side) => side.fmt(f),
            Outcome::Draw => f.write_str("tie"),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({})", self.outcome, self.rule)
    }
}
