//! How a game of Voidrider Chess is set up: as in the tournament, by the text of its author alone,
//! or for players of different strength.
//!
//! The one idea of the handicaps: as in chess the stronger player begins without a piece, that of
//! the file toward a.

use super::Voidrider;
use crate::game::{Game, Side};
use crate::games::{Handicap, Setup};

const HANDICAPS: &[Handicap] = &[
    Handicap {
        word: "no-white-knight",
        name: "knight",
        side: Side::White,
        board: "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/R.BKBNR/#V###V# w 0 DdUu 0",
    },
    Handicap {
        word: "no-black-knight",
        name: "knight",
        side: Side::Black,
        board: "#v###v#/r.bkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0",
    },
    Handicap {
        word: "no-white-rook",
        name: "rook",
        side: Side::White,
        board: "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/.NBKBNR/#V###V# w 0 dUu 0",
    },
    Handicap {
        word: "no-black-rook",
        name: "rook",
        side: Side::Black,
        board: "#v###v#/.nbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DUu 0",
    },
    Handicap {
        word: "no-white-voidrider",
        name: "voidrider",
        side: Side::White,
        board: "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#.###V# w 0 DdUu 0",
    },
    Handicap {
        word: "no-black-voidrider",
        name: "voidrider",
        side: Side::Black,
        board: "#.###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0",
    },
];

/// A setup of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those of the tournament, with the draws of chess and at most 200 plies.
    Tournament,
    /// `voidrider:thery`: those of the text alone, which has no draw but stalemate.
    Thery,
    /// Those of the tournament, with less for one side.
    Handicap(&'static Handicap),
}

impl Rules {
    /// Where the game begins.
    pub fn start(self) -> Voidrider {
        let start = Voidrider::start();
        match self {
            Rules::Tournament => start,
            Rules::Thery => start.by_the_text_alone(),
            Rules::Handicap(less) => start.parse_board(less.board).expect("it is tested"),
        }
    }
}

impl Setup for Rules {
    const LISTED: &'static [Rules] = &[Rules::Tournament, Rules::Thery];

    fn handicaps() -> Vec<Rules> {
        HANDICAPS.iter().map(Rules::Handicap).collect()
    }

    fn handicap(self) -> Option<&'static Handicap> {
        match self {
            Rules::Handicap(less) => Some(less),
            Rules::Tournament | Rules::Thery => None,
        }
    }

    fn suffix(self) -> String {
        match self {
            Rules::Tournament => String::new(),
            Rules::Thery => ":thery".to_owned(),
            Rules::Handicap(less) => format!(":{}", less.word),
        }
    }
}
