//! Positions in which two rules of chess variants meet.

use super::*;

#[test]
fn a_check_by_two_ways_of_one_piece_is_answered_on_both() {
    let start = defined(
        "[x]\nking = k\nrook = r\nbishop = b\ncustomPiece1 = x:RD\ncustomPiece2 = y:DD\n\
         castling = false\ndoubleStep = false\nstartFen = kx6/8/8/8/8/8/8/K1B4R w - - 0 1",
    );
    let moves_at = |text: &str| moves(&start.parse_board(text).unwrap());
    // From e3 along the file and by a leap: a rook between them is no answer.
    let all = moves_at("7k/8/8/8/8/4x3/R7/4K3 w - - 0 1");
    assert!(all.iter().all(|name| name.starts_with("e1")), "{all:?}");
    // Its capture is.
    assert!(moves_at("7k/8/8/8/8/R3x3/8/4K3 w - - 0 1").contains("a3e3"));
    // Two checks along lines that cross on e3, where one piece is in the way of both.
    let all = moves_at("7k/8/8/4y3/4r3/R7/8/4K3 w - - 0 1");
    let others: Vec<&String> = all.iter().filter(|name| !name.starts_with("e1")).collect();
    assert_eq!(others, ["a3e3"], "{all:?}");
}
