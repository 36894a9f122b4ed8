//! Starts of Murus Gallicus for players of different strength.
//!
//! The one idea: a wall in the place of a tower is one stone less, the smallest difference that the
//! game has.

use crate::game::Side;
use crate::games::Handicap;

pub const HANDICAPS: &[Handicap] = &[
    Handicap {
        name: "wall",
        side: Side::White,
        board: "BBBBBBBB/......../......../......../......../......../WWWwWWWW w 0",
    },
    Handicap {
        name: "wall",
        side: Side::Black,
        board: "BBBbBBBB/......../......../......../......../......../WWWWWWWW w 0",
    },
    Handicap {
        name: "walls",
        side: Side::White,
        board: "BBBBBBBB/......../......../......../......../......../WWWwwWWW w 0",
    },
    Handicap {
        name: "walls",
        side: Side::Black,
        board: "BBBbbBBB/......../......../......../......../......../WWWWWWWW w 0",
    },
];
