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

#[test]
fn a_castling_and_another_move_of_the_king_are_written_differently() {
    let text = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (keys, castlings, others) in [
        // Leaps, also lame ones, that only move; riders and first moves; hops over the rook.
        ("king = k:KmsD", vec!["e1a1", "e1h1"], vec!["e1c1", "e1g1"]),
        ("king = k:KmnD", vec!["e1a1", "e1h1"], vec!["e1c1", "e1g1"]),
        ("king = k:KmrR2", vec!["e1c1", "e1h1"], vec!["e1g1"]),
        ("king = k:KimrD\ndoubleStepRegionWhite = *1", vec!["e1c1", "e1h1"], vec!["e1g1"]),
        ("king = k:K", vec!["e1c1", "e1g1"], vec![]),
        // Two castlings to one cell.
        (
            "castlingMoves = e1-f1-h1-e1 e1-f1-a1-e1\n\
             startFen = 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            vec!["e1a1", "e1h1"],
            vec!["e1f1"],
        ),
    ] {
        let start = chess_with(keys);
        let position = start.parse_board(text).unwrap();
        let mut list = MoveList::new();
        position.moves(&mut list);
        let all: Vec<String> = list.iter().map(|&m| position.notation(m).to_string()).collect();
        assert_eq!(moves(&position).len(), all.len(), "{keys}: {all:?}");
        assert!(
            castlings.iter().chain(&others).all(|m| all.iter().any(|name| name == m)),
            "{all:?}"
        );
        for &m in &list {
            assert_eq!(position.parse_move(&position.notation(m).to_string()), Ok(m), "{keys}");
        }
        let castles = |m: &str| {
            let after = after(position, m).position.to_string();
            ["R4RK1", "2KR3R", "R3RK2", "4RK1R"].iter().any(|row| after.contains(row))
        };
        assert!(castlings.iter().all(|m| castles(m)), "{keys}");
        assert!(!others.iter().any(|m| castles(m)), "{keys}");
    }
}
