//! Where a game of Murus Gallicus begins: as usual, or for players of different strength.
//!
//! The one idea: a wall in the place of a tower is one stone less, the smallest difference that the
//! game has.

use super::Murus;
use crate::game::{Game, Side};
use crate::games::{Handicap, Setup};

const HANDICAPS: &[Handicap] = &[
    Handicap {
        word: "white-wall",
        name: "wall",
        side: Side::White,
        board: "BBBBBBBB/......../......../......../......../......../WWWwWWWW w 0",
    },
    Handicap {
        word: "black-wall",
        name: "wall",
        side: Side::Black,
        board: "BBBbBBBB/......../......../......../......../......../WWWWWWWW w 0",
    },
    Handicap {
        word: "white-walls",
        name: "walls",
        side: Side::White,
        board: "BBBBBBBB/......../......../......../......../......../WWWwwWWW w 0",
    },
    Handicap {
        word: "black-walls",
        name: "walls",
        side: Side::Black,
        board: "BBBbbBBB/......../......../......../......../......../WWWWWWWW w 0",
    },
];

/// A start: as usual, or one side with less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start(Option<&'static Handicap>);

impl Start {
    /// Its position.
    pub fn position(self) -> Murus {
        let start = Murus::start();
        self.0.map_or(start, |less| start.parse_board(less.board).expect("it is tested"))
    }
}

impl Setup for Start {
    const LISTED: &'static [Start] = &[Start(None)];

    fn handicaps() -> Vec<Start> {
        HANDICAPS.iter().map(|less| Start(Some(less))).collect()
    }

    fn handicap(self) -> Option<&'static Handicap> {
        self.0
    }

    fn suffix(self) -> String {
        self.0.map_or(String::new(), |less| format!(":{}", less.word))
    }
}
