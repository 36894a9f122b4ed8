//! Every rule of the four games in constructed positions, at both sides of every limit.
//!
//! Both implementations answer each case, and the answer written here comes from the rules.

/// A named test for each case: where one piece may go (in Murus Gallicus: in which directions).
macro_rules! targets {
    ($game:ident; $($name:ident: $board:expr, $from:literal => $targets:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!($game($board).targets($from).join(" "), $targets);
            }
        )*
    };
}

/// A named test for each case: the text board after some moves.
macro_rules! boards {
    ($game:ident; $($name:ident: $board:expr, $moves:literal => $after:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!($game($board).after($moves).text(), $after);
            }
        )*
    };
}

/// A named test for each case: the end of the game after some moves; `none` if it continues.
macro_rules! endings {
    ($game:ident; $($name:ident: $board:expr, $moves:expr => $ending:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let ending = $game($board).after($moves).ending();
                assert_eq!(ending.map_or("none".to_owned(), |e| e.to_string()), $ending);
            }
        )*
    };
}

mod hadron;
mod loa;
mod murus;
mod voidrider;

use alesia::games::loa::Layout;
use alesia::games::{Hadron, Loa, Murus, Voidrider};

/// The start positions as the rules write them.
macro_rules! starts {
    ($($name:ident: $start:expr => $text:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!($start.to_string(), $text);
            }
        )*
    };
}

starts! {
    start_of_murus: Murus::start() =>
        "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 0";
    start_of_hadron: Hadron::start(9, 9) =>
        "........./........./........./........./........./........./........./........./......... w 0";
    start_of_hadron_4x5: Hadron::start(4, 5) => "...../...../...../..... w 0";
    start_of_loa: Loa::start(Layout::default()) =>
        ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0";
    start_of_loa_on_the_files: Loa::start(Layout::Files) =>
        ".bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb. w 0";
    start_of_loa_as_the_world_plays_it: Loa::start(Layout::Standard) =>
        ".bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb. b 0";
    start_of_voidrider: Voidrider::start() =>
        "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0";
}
