//! What SAN is, by examples, and that it is read as it was written.

use super::*;
use crate::games::BuiltIn;
use crate::games::variant::{Chosen, load};
use proptest::prelude::*;

fn variant(name: &str) -> Variant {
    let found = Chosen::BUILT_IN.iter().find(|chosen| chosen.has_name(name));
    Variant::set_up(*found.unwrap_or_else(|| panic!("{name}")))
}

/// A position of a variant; an empty text is its start.
fn position(name: &str, fen: &str) -> Variant {
    let start = variant(name);
    if fen.is_empty() { start } else { start.parse_board(fen).expect(fen) }
}

/// Two black pawns reach d3, over which a white one has stepped from c2 to e4.
const BESIDE_EN_PASSANT: &str = "rnbqkbnr/pp2pppp/8/8/2ppP3/8/PP1PPPPP/RNBQKBNR b KQkq d3 0 5";

/// Variant, position, the move in UCI, and in SAN.
const WRITTEN: [(&str, &str, &str, &str); 38] = [
    // Pieces and pawns.
    ("chess", "", "e2e4", "e4"),
    ("chess", "", "g1f3", "Nf3"),
    // Captures: a pawn with its file, also en passant.
    ("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
    ("chess", "4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"),
    // Castling, also with check.
    ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
    ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
    ("chess", "r3k2r/8/8/8/8/8/8/3K4 b kq - 0 1", "e8c8", "O-O-O+"),
    ("chess", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    // Promotion, with capture, check and mate.
    ("chess", "8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q"),
    ("chess", "8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N"),
    ("chess", "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8r", "exd8=R+"),
    ("chess", "7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q#"),
    // Mate.
    ("chess", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
    ("chess", "7k/8/7K/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"),
    // The origin: the file, else the rank, else both; a pinned piece is no rival.
    ("chess", "7k/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
    ("chess", "6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "a1e1", "Rae1"),
    ("chess", "7k/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
    ("chess", "8/7k/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "a1b2", "Qa1b2"),
    ("chess", "4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
    // Letters of the variant: a chancellor, an amazon, a king of its own kind.
    ("almost", "", "d1e3", "Ce3"),
    ("amazon", "", "d1e3", "Ae3"),
    ("knightmate", "", "e1f3", "Kf3"),
    ("losalamos", "5k/P5/6/6/6/K5 w - - 0 1", "a5a6r", "a6=R+"),
    // Several kings, or none.
    ("extinction", "3k4/8/8/8/8/8/8/K1K5 w - - 0 1", "a1b2", "Kab2"),
    ("extinction", "3k4/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"),
    // A win by a flag, and by extinction.
    ("kingofthehill", "7k/8/8/8/8/3K4/8/8 w - - 0 1", "d3e4", "Ke4#"),
    ("extinction", "3kn2r/3p4/8/8/8/3q1Q2/8/K1BNRP2 w - - 0 1", "f3d3", "Qxd3#"),
    // Other pawns: breakthrough has no `pawnTypes`, in berolina they move diagonally.
    ("breakthrough", "", "e2e3", "e3"),
    ("breakthrough", "", "d2e3", "de3"),
    ("breakthrough", "8/8/8/8/8/2p5/1P6/8 w - - 0 1", "b2c3", "bxc3"),
    ("berolina", "4k3/8/8/8/8/8/2P1P3/K7 w - - 0 1", "c2d3", "cd3"),
    ("berolina", "4k3/8/8/8/8/3P4/2P5/4K3 w - - 0 1", "d3e4", "e4"),
    ("berolina", "4k3/8/8/8/8/5P2/2P5/4K3 w - - 0 1", "c2e4", "ce4"),
    ("berolina", "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5", "exe5"),
    // A quiet move beside a capture en passant to the same cell.
    ("berolina", BESIDE_EN_PASSANT, "c4d3", "d3"),
    ("berolina", BESIDE_EN_PASSANT, "d4d3", "dxd3"),
    // Into the void: the square moves along.
    ("voidrider", "", "b3a3", "a3"),
];

#[test]
fn moves_are_written_as_the_standard_has_them() {
    for (name, fen, uci, expected) in WRITTEN {
        let position = position(name, fen);
        let m = position.parse_move(uci).unwrap_or_else(|error| panic!("{fen} {uci}: {error}"));
        assert_eq!(san(&position, m), expected, "{name} {fen} {uci}");
        assert_eq!(read(&position, expected), Ok(m), "{name} {fen} {expected}");
    }
}

/// Position, forms of the same move, and the move in UCI.
const UNDERSTOOD: [(&str, &[&str], &str); 9] = [
    ("", &["e4", "e4!?", "e4+", "e2e4", "e2-e4", "E2E4", "E2-E4", "Pe4", "e4="], "e2e4"),
    ("", &["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nxf3", "nf3", "g1f3", "Nf3#"], "g1f3"),
    (
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        &["exd5", "ed5", "e4xd5", "e4d5", "e4:d5", "e:d5", "e4-d5", "exd5+"],
        "e4d5",
    ),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", &["exd6", "ed6", "exd6e.p.", "d6"], "e5d6"),
    (
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        &["O-O", "0-0", "o-o", "O-O+", "0-0!", "e1g1", "Kg1", "Ke1g1"],
        "e1g1",
    ),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["O-O-O", "0-0-0", "0-0-0?", "e1c1"], "e1c1"),
    (
        "8/4P2k/8/8/8/8/8/4K3 w - - 0 1",
        &["e8=Q", "e8Q", "e8q", "e8=q", "e8/Q", "e8=Q#", "e7e8q", "e7-e8=Q", "e7e8=Q"],
        "e7e8q",
    ),
    // A pawn on the b-file comes before a bishop.
    ("4k3/8/8/2p5/1P6/B7/8/4K3 w - - 0 1", &["bc5", "bxc5"], "b4c5"),
    ("4k3/8/8/2p5/8/B7/8/4K3 w - - 0 1", &["bc5", "Bc5", "Bxc5", "bxc5"], "a3c5"),
];

#[test]
fn moves_are_read_as_people_and_programs_write_them() {
    for (fen, forms, uci) in UNDERSTOOD {
        let position = position("chess", fen);
        let expected = position.parse_move(uci);
        for form in forms {
            assert_eq!(read(&position, form), expected, "{fen} {form}");
        }
    }
}

#[test]
fn names_what_was_expected_for_ambiguous_and_impossible_moves() {
    let knights = "7k/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    for (fen, text, expected) in [
        (knights, "Nd2", "one of Nfd2, Nbd2"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8", "one of e8=B, e8=N, e8=Q, e8=R"),
        ("", "Nd4", "a legal move of White such as d4"),
        ("", "Rd3", "a legal move of White such as d3"),
        ("", "O-O", "a legal move of White such as "),
        ("", "hello", "a move such as e4, Nf3, exd5, e8=Q, O-O or e2e4"),
        ("", "", "a move such as"),
        ("", "e9", "a legal move of White such as"),
    ] {
        let error = read(&position("chess", fen), text).unwrap_err();
        assert_eq!((&*error.place, error.found), ("move", quoted(text)));
        assert!(error.expected.starts_with(expected), "{text}: {}", error.expected);
    }
}

/// All legal moves of random games are written differently, and read back.
fn round_trip(start: Variant, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut state = crate::game::GameState::new(start);
    while state.ending().is_none() && state.position.ply() < start.ply() + 60 {
        let position = state.position;
        for (m, _) in actions(&position) {
            let text = san(&position, m);
            assert_eq!(read(&position, &text), Ok(m), "{position}: {text}");
            let own = position.notation(m).to_string();
            assert_eq!(read(&position, &own), Ok(m), "{position}: {own}");
        }
        let m = position.random_move(&mut rng).unwrap();
        state.play(m);
    }
}

#[test]
fn every_legal_move_of_every_variant_is_read_back() {
    for &chosen in Chosen::BUILT_IN {
        for seed in 0..2 {
            round_trip(Variant::set_up(chosen), seed);
        }
    }
}

/// Ten ranks, pieces whose letters are those of files or castling, several kinds of pawns.
const TALL: &str = "\
[tall]
maxRank = 10
maxFile = 6
pawn = p
king = k
queen = o
rook = x
customPiece1 = b:fF
customPiece2 = e:K
pawnTypes = pb
promotionPawnTypes = pb
promotionPieceTypes = ox
mandatoryPawnPromotion = false
promotionRegionWhite = *10
doubleStep = false
startFen = xeokex/bpbpbp/6/6/6/6/6/6/BPBPBP/XEOKEX w - - 0 1
";

#[test]
fn variants_of_other_files_are_read_back() {
    let mut count = 0;
    for text in [
        TALL,
        include_str!("../../../../../examples/variants/diana.ini"),
        include_str!("../../../../../examples/variants/fairy.ini"),
        include_str!("../../../../../examples/variants/losing.ini"),
        include_str!("../../../../../examples/variants/mine.ini"),
    ] {
        for chosen in load("others.ini", text.to_owned()).unwrap() {
            (0..4).for_each(|seed| round_trip(Variant::set_up(chosen), seed));
            count += 1;
        }
    }
    assert!(count > 5);
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = read(&position("chess", ""), &text);
    }

    #[test]
    fn anything_like_a_move_is_read_or_refused(text in "[a-hKQRBNPOx0-9=+#:/é-]{0,8}") {
        for name in ["chess", "berolina", "voidrider"] {
            let position = variant(name);
            if let Ok(m) = read(&position, &text) {
                prop_assert!(actions(&position).any(|(legal, _)| legal == m));
            }
        }
    }
}
