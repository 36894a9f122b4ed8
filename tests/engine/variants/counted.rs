//! Rules that count: checks, pieces that are royal while they are few, flags, passes; and captures
//! that explode.

use super::*;

/// A position of a variant, with the board as its text says it.
fn at(start: &Variant, text: &str) -> Variant {
    start.parse_board(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn ended(state: &GameState<Variant>) -> Option<String> {
    state.ending().map(|ending| ending.to_string())
}

#[test]
fn the_third_check_wins() {
    let start = built_in("3check");
    let once = after(start, "e2e4 f7f6 d1h5");
    assert!(once.position.to_string().ends_with(" - 2+3 1 2"), "{}", once.position);
    let rook = at(&start, "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1");
    assert_eq!(ended(&after(rook, "a1b1")), None);
    assert_eq!(ended(&after(rook, "a1a8")).as_deref(), Some("White (checks given)"));
    let black = at(&start, "4k2r/8/8/8/8/8/8/4K3 b - - 1+1 0 1");
    assert_eq!(ended(&after(black, "h8h1")).as_deref(), Some("Black (checks given)"));
}

#[test]
fn the_checks_left_are_read_before_the_numbers_or_as_those_given_at_the_end() {
    let start = built_in("3check");
    let rows = "4k3/8/8/8/8/8/8/R3K3 w - -";
    let expected = at(&start, &format!("{rows} 1+3 4 9"));
    assert_eq!(at(&start, &format!("{rows} 4 9 +2+0")), expected);
    assert_eq!(at(&start, rows), at(&start, &format!("{rows} 1+1 0 1")));
    assert_ne!(expected.key(), at(&start, &format!("{rows} 2+3 4 9")).key());
    for wrong in ["3+", "+3", "3+x", "12+3", "1+2+3"] {
        let error = start.parse_board(&format!("{rows} {wrong} 0 1")).unwrap_err().to_string();
        assert!(error.contains("checks: found") && error.contains(wrong), "{error}");
    }
    // Elsewhere there is no such field.
    assert!(built_in("chess").parse_board(&format!("{rows} 1+3 0 1")).is_err());
}

#[test]
fn a_capture_explodes_all_around_but_pawns() {
    let start = built_in("atomic");
    let text = "rnbqk2r/pppppp1p/8/4N3/8/8/PPPPPPPP/RNBQKB1R w KQkq - 3 4";
    let taken = after(at(&start, text), "e5f7").position;
    // The king of Black is gone with its rights, and the pawns beside the capture stay.
    assert_eq!(taken.to_string(), "rnbq3r/ppppp2p/8/8/8/8/PPPPPPPP/RNBQKB1R b KQ - 0 4");
    assert_eq!(ended(&after(at(&start, text), "e5f7")).as_deref(), Some("White (extinction)"));
    // A rook beside a capture goes with its castling right.
    let text = "4k1nr/8/7N/8/8/8/8/4K3 w k - 0 1";
    let corner = after(at(&start, text), "h6g8").position;
    assert_eq!(corner.to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    // En passant the cell that is reached explodes, and the pawn beside it is captured.
    let text = "4k3/8/2n5/3pP3/8/8/8/4K3 w - d6 0 2";
    let passed = after(at(&start, text), "e5d6").position;
    assert_eq!(passed.to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 0 2");
}

#[test]
fn a_royal_piece_is_neither_left_attacked_nor_blown_up_by_its_side() {
    let start = built_in("atomic");
    let king = |text: &str| moves_from(&start, text, "e1");
    // It may not capture, nor go where it is attacked.
    assert_eq!(king("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), ["e1d1", "e1f1"]);
    // Beside the other king it is safe.
    let beside = king("8/8/8/8/8/8/3k4/r3K3 w - - 0 1");
    assert!(beside.contains(&"e1d1".to_owned()) && !beside.contains(&"e1f1".to_owned()));
    // A capture elsewhere answers no check, but for one that blows the other king up.
    let text = "r3k3/3p4/8/8/8/8/3q4/R3K3 w - - 0 1";
    assert_eq!(moves_from(&start, text, "a1"), [""; 0]);
    let text = "r2nk3/8/8/8/8/8/8/R2QK2r w - - 0 1";
    assert_eq!(moves_from(&start, text, "a1"), [""; 0]);
    assert_eq!(moves_from(&start, text, "d1"), ["d1d8"]);
    // Nor may a capture blow up the own king.
    let text = "4k3/8/8/8/8/8/3n4/3RK3 w - - 0 1";
    assert!(!moves_from(&start, text, "d1").contains(&"d1d2".to_owned()));
}

#[test]
fn who_is_mated_by_the_last_royal_piece_loses() {
    let start = built_in("atomic");
    let mate = "R6k/1R6/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(ending_at(start, mate).as_deref(), Some("White (checkmate)"));
    assert_eq!(at(&start, mate).checked_cell().as_deref(), Some("h8"));
    let stalemate = "7k/1R6/8/8/8/8/8/4K1R1 b - - 0 1";
    assert_eq!(ending_at(start, stalemate).as_deref(), Some("tie (stalemate)"));
}

#[test]
fn who_cannot_move_passes_and_two_passes_are_a_draw() {
    let lane = defined(
        "[x]\nmaxRank = 4\nmaxFile = a\npawn = p\nstartFen = p/1/1/P w - - 0 1\ndoubleStep = false\n\
         promotionRegionWhite = *4\npromotionRegionBlack = *1\npassOnStalemate = true",
    );
    assert!(!moves(&lane).contains("a1a1"));
    let met = after(lane, "a1a2 a4a3 a2a2");
    assert_eq!((ended(&met), moves(&met.position)), (None, BTreeSet::from(["a3a3".into()])));
    assert_eq!(ended(&after(lane, "a1a2 a4a3 a2a2 a3a3")).as_deref(), Some("tie (two passes)"));
    let corner = defined(
        "[x]\nmaxRank = 4\nmaxFile = 4\nking = k\nqueen = q\nstartFen = k3/4/3Q/K3 w - - 0 1\n\
         castling = false\npassOnStalemate = true",
    );
    let stuck = at(&corner, "k3/2Q1/4/K3 b - - 0 1");
    assert_eq!(moves(&stuck), BTreeSet::from(["a4a4".into()]));
    let passed = after(stuck, "a4a4");
    assert_eq!(passed.position.to_string(), "k3/2Q1/4/K3 w - - 1 2");
    assert_ne!(passed.position.key(), at(&corner, &passed.position.to_string()).key());
    // In check there is no pass.
    assert_eq!(ending_at(corner, "k3/1Q2/K3/4 b - - 0 1").as_deref(), Some("White (checkmate)"));
}

#[test]
fn a_flag_wins_when_enough_pieces_have_reached_it() {
    let keys = "flagPiece = n\nflagRegionWhite = *4\nflagRegionBlack = *5\nflagPieceCount = 2";
    let start = chess_with(keys);
    let one = after(start, "b1c3 a7a6 c3d5 a6a5 g1f3 a5a4 f3d4");
    assert_eq!(ended(&one), None);
    let two = at(&start, "4k3/8/8/8/4N3/2N5/8/4K3 w - - 0 1");
    assert_eq!(ended(&after(two, "c3a4")).as_deref(), Some("White (flag reached)"));
    // Any piece counts where none is named.
    let any = chess_with("flagRegionWhite = *6");
    let pawn = at(&any, "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1");
    assert_eq!(ended(&after(pawn, "e5e6")).as_deref(), Some("White (flag reached)"));
}
