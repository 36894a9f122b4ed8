//! Rules of chess variants, one by one.

use super::*;
use alesia::games::rulebook::Language;

use crate::plain_variant::PlainVariant;

#[test]
fn a_pawn_is_captured_en_passant_only_at_once_and_only_if_the_king_stays_safe() {
    let chess = built_in("chess");
    let state = after(chess, "e2e4 a7a6 e4e5 d7d5");
    assert!(state.position.to_string().contains(" d6 "), "{}", state.position);
    assert!(moves(&state.position).contains("e5d6"));
    let later = after(chess, "e2e4 a7a6 e4e5 d7d5 h2h3 h7h6");
    assert!(!moves(&later.position).contains("e5d6"));
    let taken = after(chess, "e2e4 a7a6 e4e5 d7d5 e5d6").position;
    assert!(taken.to_string().starts_with("rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP"), "{taken}");
    // Both pawns leave the rank of king and rook.
    assert_eq!(moves_from(&chess, "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "e5"), ["e5e6"]);
    // Nobody stands ready to take: the cell is not written, and the position is the same without.
    assert!(after(chess, "e2e4").position.to_string().contains(" - 0 1"));
}

#[test]
fn no_en_passant_after_promotion_on_the_double_step() {
    let start = chess_with("promotionRegionBlack = *1 *5\nmandatoryPawnPromotion = false");
    let text = "4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1";
    let after = |m: &str| after(start.parse_board(text).unwrap(), m).position;
    let mut plain = PlainVariant::start(&start.rules().definition);
    assert!(moves(&after("e7e5")).contains("d5e6"));
    for m in ["e7e5n", "e7e5q"] {
        let promoted = after(m);
        assert!(!moves(&promoted).contains("d5e6"), "{m}");
        assert_eq!(start.parse_board(&promoted.to_string()), Ok(promoted));
    }
    // The plain rules say the same, from the start: a2a4 b7b5n and no a4b5 over b6.
    for m in ["a2a4", "h7h6", "a4a5", "b7b5n"] {
        let legal = plain.moves();
        plain.play(legal.iter().find(|legal| plain.notation(legal) == m).expect(m));
    }
    assert!(plain.moves().iter().all(|m| plain.notation(m) != "a5b6"));
}

/// As in Fairy-Stockfish.
#[test]
fn a_capture_en_passant_promotes_nothing() {
    for mandatory in [true, false] {
        let start =
            chess_with(&format!("promotionRegionWhite = *6\nmandatoryPawnPromotion = {mandatory}"));
        let text = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        let found = moves(&after(start.parse_board(text).unwrap(), "d7d5").position);
        let captures: Vec<&String> = found.iter().filter(|m| m.starts_with("e5d6")).collect();
        assert_eq!(captures, ["e5d6"], "{mandatory}");
        assert!(found.contains("e5e6q"), "{mandatory}");
    }
}

/// What the text of a position leaves out is as Fairy-Stockfish fills it in.
#[test]
fn the_fields_that_a_position_leaves_out_are_filled_in() {
    let chess = built_in("chess");
    let rows = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (fields, expected) in [
        ("", "w - - 0 1"),
        ("b", "b - - 0 1"),
        ("w KQkq", "w KQkq - 0 1"),
        ("w KQkq -", "w KQkq - 0 1"),
        ("w KQkq - 5", "w KQkq - 5 1"),
        ("w 5", "w - - 5 1"),
        ("b 5 9", "b - - 5 9"),
    ] {
        let position = chess.parse_board(&format!("{rows} {fields}")).expect(fields);
        assert_eq!(position.to_string(), format!("{rows} {expected}"));
    }
    // So does the start of a definition, and all that is read from it.
    let start = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP";
    let text = format!("[x:breakthrough]\nstartFen = {start} w 0 1\n");
    assert_eq!(defined(&text).to_string(), format!("{start} w - - 0 1"));
    let definition = &defined(&text).rules().definition;
    assert_eq!(PlainVariant::start(definition).moves().len(), moves(&defined(&text)).len());
}

#[test]
fn an_immobile_piece_stands_in_the_way_and_never_moves() {
    let start = chess_with("immobile = x\nstartFen = 4k3/8/8/8/8/x7/8/R3K3 w Q - 0 1");
    let from_a1 = moves_from(&start, &start.to_string(), "a1");
    assert_eq!(from_a1, ["a1a2", "a1a3", "a1b1", "a1c1", "a1d1"]);
    let state = after(start, "e1e2");
    assert!(moves(&state.position).iter().all(|name| name.starts_with("e8")));
    let page = start.page_of_rules(Language::English);
    assert!(page.contains("| `x` | immobile | does not move |"), "{page}");
}

/// As in Fairy-Stockfish, the later of two generations says what the pawns are, and in one section
/// the key of a single rule.
#[test]
fn pawn_types_are_promoted_and_begin_the_count_of_moves_anew() {
    let pawns = "pawn = -\ncustomPiece1 = m:fmWfceFifmnD\npawnTypes = m\n\
                 startFen = rnbqkbnr/mmmmmmmm/8/8/8/8/MMMMMMMM/RNBQKBNR w KQkq - 0 1\n";
    let of = |keys: &str| {
        let start = chess_with(&format!("{pawns}{keys}"));
        let promotions = moves_from(&start, "4k3/M7/8/8/8/8/8/4K3 w - - 5 9", "a7");
        let text = "4k3/8/8/8/8/8/M7/4K3 w - - 5 9";
        let later = after(start.parse_board(text).unwrap(), "a2a3").position.to_string();
        (promotions.len(), later.ends_with(" 0 9"))
    };
    assert_eq!(of(""), (4, true));
    assert_eq!(of("promotionPawnTypes = -"), (1, true));
    assert_eq!(of("nMoveRuleTypes = q"), (4, false));
    let generation = "[p:chess]\nsoldier = s\npromotionPawnTypes = p\nnMoveRuleTypes = p\n";
    let both = format!("{generation}[x:p]\npawnTypes = s\n[y:x]\nnMoveRuleTypes = p\n");
    let all = variant::load("generations.ini", both).unwrap();
    for (chosen, quiet) in [(all[0], "6 9"), (all[1], "0 9"), (all[2], "6 9")] {
        let start = Variant::set_up(chosen);
        let text = "4k3/8/8/8/8/1S6/P7/4K3 w - - 5 9";
        let later = after(start.parse_board(text).unwrap(), "b3b4").position.to_string();
        assert!(later.ends_with(quiet), "{}: {later}", start.rules().name());
        let promoted = moves_from(&start, "4k3/1S6/8/8/8/8/8/4K3 w - - 0 1", "b7b8");
        assert_eq!(promoted.len() == 4, chosen != all[0], "{promoted:?}");
    }
    // A pawn is promoted whatever the others are.
    for keys in ["wazir = s\npawnTypes = s", "promotionPawnTypes = -"] {
        let promotions = moves_from(&chess_with(keys), "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7");
        assert_eq!(promotions.len(), 4, "{keys}: {promotions:?}");
    }
}

/// The cells and captures are those of Fairy-Stockfish.
#[test]
fn any_piece_that_makes_a_first_move_along_a_line_is_captured_en_passant() {
    let captures = |keys: &str, text: &str, m: &str, capture: &str| {
        let start = chess_with(keys);
        let position = after(start.parse_board(text).unwrap(), m).position;
        assert_eq!(start.parse_board(&position.to_string()), Ok(position), "{keys}: {m}");
        moves(&position).contains(capture)
    };
    let text = "4k3/8/8/8/2p5/8/1S6/4K3 w - - 0 1";
    for (piece, is_captured) in [
        ("s:WimfnD", true),
        ("s:WimfD", true),
        ("s:WimfR2", true),
        // Not where it can go there at other times too.
        ("s:RimfnD", false),
        ("s:nDWimfD", false),
        ("s:cDWimfD", true),
    ] {
        let keys = format!("customPiece1 = {piece}");
        assert_eq!(captures(&keys, text, "b2b4", "c4b3"), is_captured, "{piece}");
    }
    // On each cell that a longer move has passed.
    let long = "4k3/8/8/2p5/2p5/8/1S6/4K3 w - - 0 1";
    let leapt = "4k3/8/8/2p5/2p5/1P6/1S6/4K3 w - - 0 1";
    for (piece, text, expected) in [
        ("s:WimfR", long, [true, true]),
        ("s:WimfnH", long, [true, true]),
        ("s:WimfH", leapt, [false, true]),
        ("s:RimfH", long, [false, false]),
    ] {
        let keys = format!("customPiece1 = {piece}");
        let found = ["c4b3", "c5b4"].map(|capture| captures(&keys, text, "b2b5", capture));
        // Over the pawn, c4b3 is an ordinary capture.
        let of_pawn = [text == leapt, false];
        assert_eq!(found, [0, 1].map(|i| expected[i] || of_pawn[i]), "{piece}: {text}");
    }
    let keys = "customPiece1 = s:WimfR\nenPassantRegion = *4";
    assert!(!captures(keys, long, "b2b5", "c4b3") && captures(keys, long, "b2b5", "c5b4"));
    let both = after(chess_with("customPiece1 = s:WimfR").parse_board(long).unwrap(), "b2b5");
    assert_eq!(both.position.to_string(), "4k3/8/8/1Sp5/2p5/8/8/4K3 b - b4b3 1 1");
    let king = "4k3/8/8/8/2p5/8/1K6/8 w - - 0 1";
    assert!(!captures("king = k:KimfnD", king, "b2b4", "c4b3"));
    // No cell lies between the ends of a knight's leap.
    let knight = "4k3/8/8/8/8/2p5/1S6/4K3 w - - 0 1";
    assert!(!captures("customPiece1 = s:WimnN", knight, "b2c4", "c3b2"));
    // Where pawns are named, they alone capture so, and the piece `pawn`.
    let of_other = "4k3/8/8/8/2s5/8/1P6/4K3 w - - 0 1";
    for (pawns, captured) in
        [("", true), ("pawnTypes = s", true), ("pawnTypes = p", false), ("pawnTypes = -", false)]
    {
        let keys = format!("customPiece1 = s:fmWfceF\n{pawns}");
        assert_eq!(captures(&keys, of_other, "b2b4", "c4b3"), captured, "{pawns}");
    }
    let of_pawn = "4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1";
    assert!(captures("pawnTypes = -", of_pawn, "b2b4", "c4b3"));
}

/// As in Fairy-Stockfish.
#[test]
fn promotions_and_moves_that_cannot_be_taken_back_begin_the_count_anew() {
    for (keys, text, m, clock) in [
        ("", "4k3/P7/8/8/8/8/8/4K3 w - - 5 9", "a7a8q", 0),
        ("nMoveRuleTypes = -", "4k3/P7/8/8/8/8/8/4K3 w - - 5 9", "a7a8q", 0),
        ("nMoveRuleTypes = -", "4k3/8/P7/8/8/8/8/4K3 w - - 5 9", "a6a7", 6),
        ("nMoveRuleTypes = *", "4k3/8/P7/8/8/8/8/4K3 w - - 5 9", "a6a7", 0),
        ("nMoveRuleTypes = *", "4k3/8/P7/8/8/8/8/4K3 w - - 5 9", "e1e2", 6),
        // Ahead it cannot go back, diagonally it can.
        ("silver = s\nnMoveRuleTypes = s", "4k3/8/S7/8/8/8/8/4K3 w - - 5 9", "a6a7", 0),
        ("silver = s\nnMoveRuleTypes = s", "4k3/8/S7/8/8/8/8/4K3 w - - 5 9", "a6b7", 6),
    ] {
        let played = after(chess_with(keys).parse_board(text).unwrap(), m).position.to_string();
        assert!(played.ends_with(&format!(" - - {clock} 9")), "{keys}: {played}");
    }
}

#[test]
fn a_king_castles_neither_out_of_check_nor_through_it_nor_over_pieces() {
    let chess = built_in("chess");
    let castlings = |text: &str| {
        let all = moves_from(&chess, text, "e1");
        all.into_iter().filter(|name| name == "e1g1" || name == "e1c1").collect::<Vec<_>>()
    };
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), ["e1c1", "e1g1"]);
    assert_eq!(castlings("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"), ["e1c1"]);
    assert_eq!(castlings("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"), [""; 0]);
    assert_eq!(castlings("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1"), ["e1c1"]);
    // The rook may cross an attacked cell.
    assert_eq!(castlings("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1"), ["e1c1", "e1g1"]);
    assert_eq!(castlings("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1"), [""; 0]);
    let start = chess.parse_board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    assert_eq!(after(start, "e1g1").position.to_string(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(after(start, "a1a2 e8e7 a2a1").position.to_string().split(' ').nth(2), Some("K"));
}

#[test]
fn games_end_by_the_rules_of_their_variant() {
    let hill = "8/8/4k3/8/8/3K4/8/7R w - - 0 1";
    let to_the_hill = built_in("kingofthehill").parse_board(hill).unwrap();
    let ended = after(to_the_hill, "d3d4").ending().map(|ending| ending.to_string());
    assert_eq!(ended.as_deref(), Some("White (flag reached)"));
    let extinction = built_in("extinction");
    let last = extinction.parse_board("k2n1q2/1pb4r/8/8/8/8/P2Q4/KNB4R w - - 0 1").unwrap();
    let ended = after(last, "d2d8").ending().map(|ending| ending.to_string());
    assert_eq!(ended.as_deref(), Some("White (extinction)"));
    let no_check = moves(&built_in("racingkings"));
    assert!(!no_check.contains("c2a2") && no_check.contains("h2h3"), "{no_check:?}");
    let stalemate = "k7/2Q5/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(ending_at(built_in("chess"), stalemate).as_deref(), Some("tie (stalemate)"));
    let lost = chess_with("stalemateValue = loss");
    assert_eq!(ending_at(lost, stalemate).as_deref(), Some("White (stalemate)"));
    let mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";
    assert_eq!(ending_at(built_in("chess"), mate).as_deref(), Some("White (checkmate)"));
    let won = chess_with("checkmateValue = win");
    assert_eq!(ending_at(won, mate).as_deref(), Some("Black (checkmate)"));
    let quiet = "k7/8/8/8/8/8/8/KR6 w - - 100 90";
    assert!(ending_at(built_in("chess"), quiet).is_some_and(|said| said.starts_with("tie")));
    assert_eq!(ending_at(built_in("shatranj"), quiet), None);
    assert_eq!(ending_at(chess_with("nMoveRule = 0"), quiet), None);
}

#[test]
fn a_position_may_occur_as_often_as_the_definition_says() {
    let twice = "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8";
    let of = |start| after(start, twice).ending().map(|ending| ending.to_string());
    assert_eq!(of(built_in("chess")).as_deref(), Some("tie (repetition of the position)"));
    assert_eq!(of(chess_with("nFoldRule = 4")), None);
    assert_eq!(of(chess_with("nFoldRule = 0")), None);
    // For the side to move, which is white again.
    assert!(of(chess_with("nFoldValue = loss")).is_some_and(|said| said.starts_with("Black")));
}

#[test]
fn captures_may_be_compulsory() {
    let keys = "king = -\ncommoner = k\ncastling = false\nmustCapture = true\nstalemateValue = win\n\
                extinctionValue = win\nextinctionPieceTypes = *\npromotionPieceTypes = nbrqk\n\
                startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let losing = chess_with(keys);
    let state = after(losing, "e2e4 d7d5");
    assert_eq!(moves(&state.position), BTreeSet::from(["e4d5".to_owned()]));
    let text = "8/8/8/8/8/8/1p6/R7 b - - 0 1";
    let last = losing.parse_board(text).unwrap();
    let ended = after(last, "b2a1k").ending().map(|ending| ending.to_string());
    assert_eq!(ended.as_deref(), Some("White (extinction)"));
}

#[test]
fn a_promotion_without_its_letter_is_answered_with_it() {
    let start = built_in("chess").parse_board("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    for (m, expected) in [
        ("a7a8", "move: found `a7a8`, expected a promotion with its letter, such as a7a8q"),
        ("a1a2q", "move: found `a1a2q`, expected a1a2, as nothing is promoted"),
        ("a1a8", "move: found `a1a8`, expected a legal move of White such as "),
    ] {
        let error = start.parse_move(m).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_promotion_that_is_not_mandatory_may_be_left_out() {
    let text = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let must = moves_from(&built_in("chess"), text, "a7");
    assert_eq!(must, ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
    let may = moves_from(&chess_with("mandatoryPawnPromotion = false"), text, "a7");
    assert_eq!(may, ["a7a8", "a7a8b", "a7a8n", "a7a8q", "a7a8r"]);
}

#[test]
fn berolina_pawns_step_aside_and_are_captured_straight_ahead_en_passant() {
    let start = built_in("berolina");
    assert_eq!(moves_from(&start, &start.to_string(), "e2"), ["e2c4", "e2d3", "e2f3", "e2g4"]);
    // Over f3 to g4, beside a pawn on f4 that captures straight ahead.
    let text = "4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1";
    let state = after(start.parse_board(text).unwrap(), "e2g4");
    assert!(state.position.to_string().contains(" f3 "), "{}", state.position);
    let taken = after(state.position, "f4f3").position;
    assert_eq!(taken.to_string(), "4k3/8/8/8/8/5p2/8/4K3 w - - 0 2");
    assert_eq!(start.parse_board(&state.position.to_string()), Ok(state.position));
}

/// A crowd of pieces that leap far has more moves than can be listed.
#[test]
fn more_than_255_moves_are_refused_or_end_the_game() {
    const CROWD: &str = "A1A1A1A1/8/1A1A1A1A/8/A1A1A1A1/8/1A1A1A1A/8";
    let load = |start: String| {
        let text = format!("[x]\ncustomPiece1 = a:KDNAHCZG\nwazir = w\nstartFen = {start}");
        variant::load("crowd.ini", text).map(|all| Variant::set_up(all[0]))
    };
    let error = load(format!("{CROWD} w - - 0 1")).unwrap_err().to_string();
    assert!(
        error.starts_with("crowd.ini:4: startFen: found ") && error.contains(" legal moves"),
        "{error}"
    );
    let of_black = CROWD.to_lowercase();
    let start =
        load(format!("{} w - - 0 1", of_black.replacen("1a1a1a1a/8", "1a1a1a1a/W7", 2))).unwrap();
    let mut list = start.legal_moves();
    let mut state = GameState::new(start);
    state.play(list[0]);
    state.position.moves(&mut list);
    assert_eq!((list.len(), state.position.count_moves()), (255, 255));
    let ending = state.ending().expect("it cannot be played").to_string();
    assert!(ending.starts_with("tie (more than 255 legal moves"), "{ending}");
    // The most of any position of chess that is known.
    let most = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1";
    let most = built_in("chess").parse_board(most).unwrap();
    assert_eq!(most.count_moves(), 218);
}
