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
        let list = position.legal_moves();
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

/// Which pawn has stepped over a cell is not seen on the board of Berolina chess.
#[test]
fn positions_differ_by_the_pawn_that_is_captured_en_passant() {
    let start = built_in("berolina");
    let of = |text: &str, m: &str| after(start.parse_board(text).unwrap(), m).position;
    let from_c2 = of("4k3/8/8/8/2Pp4/8/2P5/4K3 w - - 0 1", "c2e4");
    let from_e2 = of("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", "e2c4");
    assert_eq!(from_c2.to_string(), from_e2.to_string());
    let left = |position: Variant| after(position, "d4d3").position.to_string();
    assert_eq!(left(from_c2), "4k3/8/8/8/2P5/3p4/8/4K3 w - - 0 2");
    assert_eq!(left(from_e2), "4k3/8/8/8/4P3/3p4/8/4K3 w - - 0 2");
    assert_ne!((from_c2, from_c2.key()), (from_e2, from_e2.key()));
    assert_ne!(from_c2.key(), from_e2.key());
    assert_ne!(from_c2, from_e2);
    // The text means the pawn from the lower file.
    let read = start.parse_board(&from_e2.to_string()).unwrap();
    assert_eq!((read, read.key()), (from_c2, from_c2.key()));
    // Once the capture is not possible any more, nothing of it is left.
    let later = |position: Variant| after(position, "e8e7").position;
    assert_eq!((later(from_c2), later(from_c2).key()), (later(from_e2), later(from_e2).key()));
}

#[test]
fn a_first_move_of_any_kind_may_be_captured_on_the_one_cell_of_the_region_it_passes() {
    let pawn = "pawn = -\npawnTypes = p\npromotionPawnTypes = p\nnMoveRuleTypes = p\n";
    for (keys, texts) in [
        (
            "customPiece1 = p:fmWfceFifmnDifmnH\nenPassantRegion = *3 *6",
            [("a2a3 d7d5 a3a4 d5d4 e2e5", " e3 ", "d4e3"), ("a2a4 e7e4 d2d4", " d3 ", "e4d3")],
        ),
        (
            "customPiece1 = p:fmWfceFifmR2",
            [
                ("a2a3 d7d5 a3a4 d5d4 e2e4", " e3 ", "d4e3"),
                ("e2e4 a7a6 e4e5 d7d5 ", " d6 ", "e5d6"),
            ],
        ),
        (
            "customPiece1 = p:fmWfceFifmR3\nenPassantRegion = *4 *5",
            [("a2a3 d7d4 a3a4 d4d3 e2e4", " - ", ""), ("e2e4 d7d4", " d5 ", "e4d5")],
        ),
    ] {
        let start = chess_with(&format!("{pawn}{keys}"));
        for (game, cell, capture) in texts {
            let state = after(start, game);
            let (position, text) = (state.position, state.position.to_string());
            assert!(text.contains(cell), "{game}: {text}");
            assert!(capture.is_empty() || moves(&position).contains(capture), "{game}: {text}");
            assert_eq!(start.parse_board(&text), Ok(position), "{game}");
        }
    }
    // No way is stepped over that was not free: the leap goes to the same cell.
    let start = chess_with(&format!("{pawn}customPiece1 = p:fmWfceFifmDifmnD"));
    let blocked = start.parse_board("4k3/8/8/8/3p4/4N3/4P3/4K3 w - - 0 1").unwrap();
    let position = after(blocked, "e2e4").position;
    assert!(position.to_string().contains(" - "), "{position}");
    assert_eq!(start.parse_board(&position.to_string()), Ok(position));
}

#[test]
fn a_position_is_repeated_whatever_pieces_begin_the_count_of_quiet_moves_anew() {
    let moves = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8";
    for types in ["*", "n", "p", "-"] {
        let state = after(chess_with(&format!("nMoveRuleTypes = {types}")), moves);
        let ending = state.ending().map(|ending| ending.to_string());
        assert_eq!(ending.as_deref(), Some("tie (repetition of the position)"), "{types}");
        assert!(state.position.to_string().ends_with(" 8 5"), "{types}");
    }
}
