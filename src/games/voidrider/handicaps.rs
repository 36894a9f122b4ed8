//! Starts of Voidrider Chess for players of different strength.
//!
//! The one idea: as in chess the stronger player begins without a piece, that of the file toward a.

use crate::game::Side;
use crate::games::Handicap;

pub const HANDICAPS: &[Handicap] = &[
    Handicap {
        name: "knight",
        side: Side::White,
        board: "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/R.BKBNR/#V###V# w 0 DdUu 0",
    },
    Handicap {
        name: "knight",
        side: Side::Black,
        board: "#v###v#/r.bkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0",
    },
    Handicap {
        name: "rook",
        side: Side::White,
        board: "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/.NBKBNR/#V###V# w 0 dUu 0",
    },
    Handicap {
        name: "rook",
        side: Side::Black,
        board: "#v###v#/.nbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DUu 0",
    },
    Handicap {
        name: "voidrider",
        side: Side::White,
        board: "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#.###V# w 0 DdUu 0",
    },
    Handicap {
        name: "voidrider",
        side: Side::Black,
        board: "#.###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0",
    },
];
