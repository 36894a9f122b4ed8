//! What is wrong in a file of definitions, or in a position, is refused with its line.

use alesia::games::{GameSpec, Setup};

use super::*;

/// Definitions that are refused, and what is said of them.
#[test]
fn refuses_wrong_definitions_with_their_line() {
    for (text, expected) in [
        (
            "[x:chess]\nmaxrank = 8",
            "test.ini:2: maxrank: found an unknown key, expected maxRank, or",
        ),
        (
            "[x:chess]\npieceDrops = true",
            "test.ini:2: pieceDrops: found a key of Fairy-Stockfish that",
        ),
        ("[x:chess]\nmaxRank = 9", "test.ini:2: board: found 72 cells, expected at most 64"),
        ("[x:chess]\nmaxRank = 11", "test.ini:2: maxRank: found `11`, expected a whole number"),
        ("[x:chess]\ncastling = yes", "test.ini:2: castling: found `yes`, expected one of true"),
        (
            "[x:chess]\ncustomPiece1 = g",
            "test.ini:2: customPiece1: found `g`, expected letter:BETZA",
        ),
        (
            "[x:chess]\ncustomPiece1 = g:Wx",
            "test.ini:2: customPiece1: found `x` at character 2, expected Betza",
        ),
        (
            "[x:chess]\ncustomPiece26 = g:W",
            "test.ini:2: customPiece26: found an unknown key, expected customPiece1 to customPiece25",
        ),
        (
            "[x:chess]\nwazir = n",
            "test.ini:2: wazir: found `n`, expected another letter than that of",
        ),
        ("[x:chess]\nqueen = -", "test.ini:1: promotionPieceTypes (from [chess]): found `q`"),
        (
            "[x:kingofthehill]\nflagPiece = z",
            "test.ini:2: flagPiece: found `z`, expected letters of this",
        ),
        (
            "[x:kingofthehill]\nflagRegionWhite = j9",
            "test.ini:2: flagRegionWhite: found `j9`, expected cells",
        ),
        ("[x:chess]\nnFoldRule = 1", "test.ini:2: nFoldRule: found `1`"),
        ("[x:chess]\nstalemateValue = lose", "test.ini:2: stalemateValue: found `lose`"),
        ("[x:chess]\npieceValueMg = p:-1", "test.ini:2: pieceValueMg: found `p:-1`"),
        (
            "[x:chess]\npromotionPieceTypes = k",
            "test.ini:2: promotionPieceTypes: found `k`, expected no",
        ),
        ("[x:chess]\nvoidMoves = diagonal", "test.ini:2: voidMoves: found `diagonal`"),
        ("[x:chess]\nvoidRiders = n", "test.ini:2: voidRiders: found `n`, expected pieces"),
        ("[x:chess]\npawnVoidMoves = forward", "test.ini:2: pawnVoidMoves: found `forward`"),
        (
            "[x:chess]\nstartFen = 8/8",
            "test.ini:2: startFen: found 2 rows at board, expected 8 rows",
        ),
        (
            "[x:chess]\nstartFen = rnbqkbnr/8/8/8/8/8/8/RNBQXBNR w - - 0 1",
            "test.ini:2: startFen: found `X` at cell e1, expected letters of this variant's pieces (bknpqr)",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "test.ini:2: startFen: found Black in check, White to move, expected",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "test.ini:2: startFen: found `b` at side to move, expected `w`",
        ),
        (
            "[x:chess]\nmaxRank = 6\nmaxFile = 5\nstartFen = 4k/5/5/5/5/4K w - - 0 1",
            "test.ini:1: section x: found none, expected promotionRegionWhite",
        ),
        (
            "[x:chess]\ncastlingMoves = e1-g1-h1",
            "test.ini:2: castlingMoves: found `e1-g1-h1`, expected the king's",
        ),
        (
            "[x:chess]\ncastlingMoves = d1-g1-h1-f1",
            "test.ini:2: castlingMoves: found `d1-g1-h1-f1`, expected a piece of castlingKingPiece (k) on d1",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "test.ini:2: startFen: found `K` at castling rights, expected",
        ),
    ] {
        let error = variant::load("test.ini", text.to_owned()).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}:\n{error}\nexpected\n{expected}");
    }
}

/// The error of a definition, which begins with `expected`, and has `also` in it.
fn assert_refused(text: &str, expected: &str, also: &str) {
    let error = variant::load("test.ini", text.to_owned()).expect_err(text).to_string();
    let is_so = error.starts_with(&format!("test.ini:{expected}")) && error.contains(also);
    assert!(is_so, "{text}:\n{error}\nexpected\n{expected} … {also}");
}

#[test]
fn a_key_without_effect_is_refused_with_the_key_that_it_lacks() {
    for (keys, expected) in [
        ("extinctionValue = loss", "extinctionValue: found `loss`, expected extinctionPieceTypes"),
        ("extinctionPieceTypes = q", "extinctionPieceTypes: found `q`, expected extinctionValue"),
        ("extinctionPieceCount = 1", "extinctionPieceCount: found `1`, expected extinctionValue"),
        ("flagPiece = k", "flagPiece: found `k`, expected flagRegionWhite or flagRegionBlack"),
        ("flagPieceCount = 2", "flagPieceCount: found `2`, expected flagRegionWhite or"),
        (
            "extinctionPseudoRoyal = true",
            "extinctionPseudoRoyal: found `true`, expected extinction",
        ),
        ("blastOnCapture = true", "blastOnCapture: found `true`, expected no king with it"),
        ("pawnVoidMoves = forward", "pawnVoidMoves: found `forward`, expected voidMoves with it"),
        ("nFoldValue = loss\nnFoldRule = 0", "nFoldValue: found `loss`, expected nFoldRule"),
        ("nMoveRuleTypes = n\nnMoveRule = 0", "nMoveRuleTypes: found `n`, expected nMoveRule"),
        ("castlingRank = 1\ncastling = false", "castlingRank: found `1`, expected no such key"),
        ("doubleStepRegionWhite = *3\ndoubleStep = false", "doubleStepRegionWhite: found `*3`"),
        ("enPassantRegion = *3\ndoubleStep = false", "enPassantRegion: found `*3`, expected no"),
        (
            "promotionPieceTypes = n\npawn = -",
            "promotionPieceTypes: found `n`, expected promotionPawnTypes with it",
        ),
        (
            "castlingMoves = e1-g1-h1-f1\ncastlingRookPieces = -",
            "castlingMoves: found `e1-g1-h1-f1`, expected castlingRookPieces with it",
        ),
    ] {
        assert_refused(&format!("[x:chess]\n{keys}"), &format!("2: {expected}"), "");
    }
    for (parent, keys, expected) in [
        ("chess", "castlingKingsideFile = a", "3: castlingKingsideFile: found `a`, expected"),
        ("chess", "castlingQueensideFile = h", "3: castlingQueensideFile: found `h`, expected"),
        ("chess", "castlingKingFile = d", "3: castlingKingFile: found `d`, expected"),
        ("chess", "castlingRookKingsideFile = g", "3: castlingRookKingsideFile: found `g`"),
        ("chess", "castlingRank = 3", "3: castlingRank: found `3`, expected"),
        ("chess", "castlingRookPieces = -\ncastlingKingFile = e", "4: castlingKingFile: found `e`"),
        ("nocastle", "castling = true\ncastlingKingFile = d", "4: castlingKingFile: found `d`"),
        ("chess", "promotionPawnTypes = pk", "3: promotionPawnTypes: found `pk`, expected no king"),
    ] {
        let start = "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        assert_refused(&format!("[x:{parent}]\n{start}\n{keys}"), expected, "");
    }
    // What is inherited, and what switches a rule off, may be without effect.
    for (parent, keys) in [
        ("extinction", "extinctionValue = none"),
        ("kingofthehill", "flagPiece = -"),
        ("chess", "castling = false\nstartFen = 4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ("chess", "nFoldValue = loss"),
        ("chess", "promotionPawnTypes = *"),
        (
            "voidrider",
            "castling = false\nstartFen = *v***v*/rnbkbnr/*ppppp*/*5*/*5*/*5*/*PPPPP*/RNBKBNR/\
             *V***V* w - - 0 1",
        ),
    ] {
        let text = format!("[x:{parent}]\n{keys}");
        variant::load("test.ini", text).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn an_inherited_start_that_does_not_fit_names_the_key_that_is_in_its_way() {
    let from = "startFen (from [chess])";
    for (keys, line, found, key) in [
        ("nFoldRule = 2\ncastling = false", 3, "`KQkq` at castling rights", "castling"),
        ("maxRank = 6", 2, "8 rows at board", "maxRank"),
        ("maxFile = 6", 2, "8 cells at rank 8", "maxFile"),
        ("nFoldRule = 2\nking = -", 3, "`k` at cell e8", "king"),
    ] {
        let also = format!("; with {key} a section needs its own startFen");
        assert_refused(
            &format!("[x:chess]\n{keys}"),
            &format!("{line}: {from}: found {found}"),
            &also,
        );
    }
    assert_refused(
        "[x:chess]\nrook = -\ncustomPiece1 = r:RmF\n",
        "2: startFen (from [chess]): found `KQkq` at castling rights",
        "with castlingRookPieces = r, or a startFen",
    );
    assert_refused(
        "[x:chess]\nking = -\ncommoner = k\n",
        "2: startFen (from [chess]): found `KQkq` at castling rights",
        "with castlingKingPiece = k, or a startFen",
    );
    let own = "rook = -\ncustomPiece1 = r:RmF\nstartFen = r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1";
    let expected = "4: startFen: found `Qq` at castling rights, expected `-`, as there is no";
    assert_refused(&format!("[x:chess]\n{own}\n"), expected, "; or add castlingRookPieces = r");
    assert_refused("[x]\nking = k\n", "1: startFen (by default): found `r` at cell a8", "(k)");
    let none = "2: startFen: found `k` at cell a1";
    assert_refused("[x]\nstartFen = 8/8/8/8/8/8/8/k7 w - - 0 1\n", none, "add such as king = k");
}

#[test]
fn a_start_in_which_the_game_is_over_names_the_rule_and_its_line() {
    let keys = "extinctionValue = loss\ncannon = c\nextinctionPieceTypes = c";
    let expected = "4: extinctionPieceTypes: found a start position in which the game is over: ";
    assert_refused(&format!("[x:chess]\n{keys}"), expected, "(extinction)");
    let keys = "flagPiece = k\nflagRegionBlack = e8";
    let expected = "3: flagRegionBlack: found a start position in which the game is over: Black";
    assert_refused(&format!("[x:chess]\n{keys}"), expected, "(flag reached), expected one in");
}

#[test]
fn a_start_whose_clock_has_run_out_is_refused() {
    let start = |quiet: u32| {
        let rows = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        format!("startFen = {rows} w KQkq - {quiet} 1")
    };
    let text = format!("[x:chess]\n{}", start(100));
    assert_refused(&text, "2: startFen: found `100` at quiet plies, expected fewer than 100", "");
    let text = format!("[a:chess]\n{}\n[x:a]\nnMoveRule = 10", start(20));
    assert_refused(&text, "4: nMoveRule: found `10`, expected more than 10", "startFen");
    for keys in [start(99), start(100) + "\nnMoveRule = 0"] {
        chess_with(&keys);
    }
}

#[test]
fn a_king_that_captures_en_passant_is_refused() {
    let expected = "2: king: found `NfceF`, expected moves without e";
    assert_refused("[x:chess]\nking = k:NfceF", expected, "");
}

#[test]
fn slips_and_other_names_of_keys_are_told_apart() {
    for (key, expected) in [
        ("maxRanks = 8", "maxRanks: found an unknown key, expected maxRank, or another"),
        ("Knight = n", "Knight: found an unknown key, expected knight, or another"),
        ("grasshopper = g", "grasshopper: found a piece that has another name here"),
        ("connectN = 3", "connectN: found a key of Fairy-Stockfish that is not"),
        ("banner = b", "banner: found a piece of Fairy-Stockfish that is not supported"),
        ("janggiCannon = c", "janggiCannon: found a piece of Fairy-Stockfish that is not"),
        ("passWhite = true", "passWhite: found a key of Fairy-Stockfish that is not supported"),
        ("castlingRookPiece = r", "castlingRookPiece: found a key of Fairy-Stockfish that is not"),
        ("mobilityRegionWhiteKing = *1", "mobilityRegionWhiteKing: found a key of Fairy-Stockfish"),
        ("nonsense = 1", "nonsense: found an unknown key, expected one of the keys that docs/"),
        ("knight = N", "knight: found `N`, expected a lower-case letter"),
        ("pieceValueMg = x:100", "pieceValueMg: found `x:100`, expected letters of this variant"),
        (
            "castlingMoves = e1-g1-d1-f1",
            "castlingMoves: found `e1-g1-d1-f1`, expected a piece of castlingRookPieces (r) of White on d1",
        ),
    ] {
        assert_refused(&format!("[x:chess]\n{key}"), &format!("2: {expected}"), "");
    }
    assert_refused("[x:chess]\ngrasshopper = g", "2: ", "expected customPiece1 = g:gQ");
}

#[test]
fn a_side_without_a_king_is_allowed_and_noticed() {
    const HORDE: &str = "[horde:chess]\nstartFen = rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/\
                         PPPPPPPP/PPPPPPPP w kq - 0 1\nextinctionValue = loss\nextinctionPieceTypes = *\n";
    let notices = |text: &str| variant::load("horde.ini", text.to_owned()).unwrap()[0].notices();
    let expected = "horde.ini:2: startFen: White has no king (`k`), so it is never in check";
    assert_eq!(notices(HORDE), [expected]);
    assert_eq!(notices("[x:chess]\n"), [""; 0]);
}

#[test]
fn keys_of_display_are_read_over_with_a_notice() {
    let text = "[x:chess]\npieceToCharTable = PNBRQ................Kpnbrq................k\n\
                variantTemplate = shogi\npocketSize = 8\n[y:x]\n";
    let all = variant::load("drawn.ini", text.to_owned()).unwrap();
    let expected = ["pieceToCharTable", "variantTemplate", "pocketSize"].iter().zip(2..);
    let expected = expected.map(|(key, line)| {
        format!("drawn.ini:{line}: {key}: read over, as it only says how a board is drawn")
    });
    assert_eq!(all[0].notices(), expected.collect::<Vec<_>>());
    assert_eq!(all[1].notices(), [""; 0]);
    let plain = variant::load("plain.ini", "[x:chess]\n".to_owned()).unwrap()[0];
    let fingerprint = |one: Chosen| one.rules().definition.fingerprint;
    assert_eq!(fingerprint(all[0]), fingerprint(plain));
}

#[test]
fn a_variant_that_is_not_found_is_answered_with_the_names_near_it() {
    let error = |name: &str| GameSpec::open(name).unwrap_err().to_string();
    let said = error("variant:ches");
    assert!(said.contains("NAME being chess, or one of chess, nocastle, "), "{said}");
    assert!(error("variant:zzz").contains("NAME being one of chess, "));
    assert!(error("losalamos").contains("expected variant:losalamos, or murus"));
}

#[test]
fn positions_that_no_game_reaches_are_refused() {
    let chess = built_in("chess");
    for (text, expected) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "kings of White: found 0, expected 1"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "kings of Black: found 2, expected 1"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move: found `x`"),
        ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling rights: found `K`"),
        ("k7/8/8/8/8/8/8/K7 w - z9 0 1", "en passant cell: found `z9`"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 600", "number of the move: found `600`"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 2", "position: found 7 fields"),
        ("k7/8/8/8/8/8/8/K7 w 0 1 2", "position: found 5 fields"),
        ("k7/8/8/8/8/8/8/K7 w - 0 1", "en passant cell: found `0`"),
        ("", "position: found 0 fields"),
        ("k7/8/8/8/8/8/8/K6 w - - 0 1", "rank 1: found 7 cells, expected 8 cells"),
    ] {
        let error = chess.parse_board(text).expect_err(text);
        assert!(error.to_string().starts_with(expected), "{text}: {error}");
    }
}
