//! Voidrider Chess: pieces, space moves, promotion, castling, checks by two kinds of lines, draws.

use crate::support::{thery, voidrider};

targets! { voidrider;
    rook_stops_at_void_and_pieces:
        "#.###.#/...k.../#.....#/#.p...#/#.....#/#.R.P.#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "b4 c2 c3 c5 c6 d4";
    bishop_stops_at_void_and_pieces:
        "#.###.#/...k.../#.....#/#...n.#/#.....#/#.B...#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "a2 b3 b5 d3 d5 e2 e6 f1";
    knight_jumps_and_lands_on_squares:
        "#.###.#/...k.../#.....#/#.....#/#PP...#/#NPp..#/#pP...#/...K.../#.###.# w 20 - 0", "b4" => "a2 c2 c6 d3 d5";
    king_steps_on_squares:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "d2" => "c2 c3 d3 e2 e3";
    pawn_steps_once:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.P...#/...K.../#.###.# w 20 - 0", "c3" => "c4";
    pawn_does_not_step_onto_a_piece:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.n...#/#.P...#/...K.../#.###.# w 20 - 0", "c3" => "";
    pawn_captures_diagonally_forward:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#n.n..#/#.P...#/.n.K.../#.###.# w 20 - 0", "c3" => "b4 c4 d4";
    pawn_does_not_capture_its_own_side:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#N.N..#/#.P...#/...K.../#.###.# w 20 - 0", "c3" => "c4";
    black_pawn_moves_down:
        "#.###.#/...k.../#.....#/#.....#/#.p...#/#B.B..#/#.....#/...K.../#.###.# b 21 - 0", "c5" => "b4 c4 d4";
    pieces_of_the_other_side_do_not_move:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.r...#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "";
}

// The voidrider's ordinary move: to the next square of a line, across any void before it.
targets! { voidrider;
    voidrider_among_squares_steps_once:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.V...#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "b3 b4 b5 c3 c5 d3 d4 d5";
    voidrider_crosses_void_and_stops_on_it_orthogonally:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#V###.# w 20 - 0", "b1" => "a1 a2 b2 c1 c2 d1 e1 f1";
    voidrider_captures_across_void:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#V###b# w 20 - 0", "b1" => "a1 a2 b2 c1 c2 d1 e1 f1";
    voidrider_does_not_capture_its_own_side:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#V###N# w 20 - 0", "b1" => "a1 a2 b2 c1 c2 d1 e1";
    voidrider_crosses_void_diagonally_but_never_stops_on_it:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/..#K.../#V###.# w 20 - 0", "b1" => "a1 a2 b2 d1 d3 e1 f1";
    voidrider_does_not_jump_squares_or_pieces:
        "#.###.#/...k.../##....#/##....#/#p....#/#V....#/#P....#/...K.../#.###.# w 20 - 0", "b4" => "b5 c3 c4 c5";
}

// Space moves: every piece one void cell orthogonally, if it touches another square there.
targets! { voidrider;
    no_space_move_beside_other_squares_only_diagonally:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#N....#/#.....#/...K.../#.###.# w 20 - 0", "b4" => "a2 c2 c6 d3 d5";
    space_move_beside_another_square:
        "#.###.#/...k.../#.....#/#.....#/......#/#N....#/#.....#/...K.../#.###.# w 20 - 0", "b4" => "a2 a4 c2 c6 d3 d5";
    space_moves_of_a_king:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#..#..# w 20 - 0", "d2" => "c1 c2 c3 d1 d3 e1 e2 e3";
    space_move_of_a_rook_goes_one_cell:
        "#.###.#/...k.../#.....#/#.....#/......#/##R...#/#.....#/...K.../#.###.# w 20 - 0", "c4" =>
        "b4 c2 c3 c5 c6 c7 c8 d4 e4 f4";
    space_move_of_a_voidrider_goes_farther:
        "#.###.#/...k.../#.....#/#.....#/......#/##V...#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "a4 b3 b4 b5 c3 c5 d3 d4 d5";
    space_move_of_a_voidrider_stops_only_beside_a_square:
        "#.###.#/...k.../#.....#/#.....#/.#....#/##V...#/##....#/...K.../#.###.# w 20 - 0", "c4" => "a2 a4 c3 c5 d3 d4 d5";
    voidrider_far_away_needs_a_square_too:
        "#.###.#/...k.../#.....#/#.....#/##....#/##V...#/##....#/...K.../#.###.# w 20 - 0", "c4" => "a2 c3 c5 d3 d4 d5";
    pawn_makes_space_moves_forward_and_sideways:
        "#.###.#/...k.../#.....#/#.....#/#.#...#/#.P#..#/#.#...#/...K.../#.###.# w 20 - 0", "c4" => "c5 d4";
    pawn_makes_space_moves_to_either_hand:
        "#.###.#/...k.../#.....#/#.....#/#...#.#/#.#P#.#/#...#.#/...K.../#.###.# w 20 - 0", "d4" => "c4 d5 e4";
    pawn_makes_no_space_move_backward:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.P...#/#.#...#/...K.../#.###.# w 20 - 0", "c4" => "c5";
    black_pawn_makes_no_space_move_backward:
        "#.###.#/...k.../#.....#/#.....#/#.#...#/#.p...#/#.#...#/...K.../#.###.# b 21 - 0", "c4" => "c3";
    pawn_does_not_go_sideways_onto_a_square:
        "#.###.#/...k.../#.....#/#.....#/#.n...#/#.P...#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "";
    pawn_forward_into_the_void_needs_another_square:
        "#.###.#/...k.../#.....#/#.#...#/#######/#.P...#/#.....#/...K.../#.###.# w 20 - 0", "c4" => "";
    piece_cut_off_from_all_squares_has_no_move:
        "#.####k/#######/#######/#######/#######/###B###/#######/#######/#.#.##K w 20 - 0", "d4" => "";
    voidrider_is_not_cut_off_by_void:
        "#.####k/#######/#######/#######/#######/###V###/#######/#######/#.#.##K w 20 - 0", "d4" => "d1 d2";
}

/// A named test for each kind of piece: from b4 into the void on a4, which touches a5.
macro_rules! every_piece_makes_space_moves {
    ($($name:ident: $piece:literal, $quiet:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let king = if $piece == 'K' { '.' } else { 'K' };
                let board = |row_4: &str, state: &str| {
                    let rows = "#.###.#/...k.../#.....#/#.....#/......#";
                    format!("{rows}/{row_4}/#.....#/...{king}.../#.###.# {state}")
                };
                let before = voidrider(&board(&format!("#{}....#", $piece), "w 20 - 5"));
                let after = board(&format!("{}#....#", $piece), &format!("b 21 - {}", $quiet));
                assert_eq!(before.after("b4-a4").text(), after);
            }
        )*
    };
}

every_piece_makes_space_moves! {
    space_move_of_the_king: 'K', 6;
    space_move_of_a_rook: 'R', 6;
    space_move_of_a_bishop: 'B', 6;
    space_move_of_a_knight: 'N', 6;
    space_move_of_a_voidrider: 'V', 6;
    space_move_of_a_pawn: 'P', 0;
}

boards! { voidrider;
    ordinary_move_leaves_its_square:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#N....#/#.....#/...K.../#.###.# w 20 - 5", "b4-d5" =>
        "#.###.#/...k.../#.....#/#.....#/#..N..#/#.....#/#.....#/...K.../#.###.# b 21 - 6";
    capture_leaves_its_square:
        "#.###.#/...k.../#.....#/#.....#/#..b..#/#N....#/#.....#/...K.../#.###.# w 20 - 5", "b4-d5" =>
        "#.###.#/...k.../#.....#/#.....#/#..N..#/#.....#/#.....#/...K.../#.###.# b 21 - 0";
    voidrider_takes_its_square_over_several_void_cells:
        "#.###.#/...k.../#.....#/#.....#/......#/##V...#/#.....#/...K.../#.###.# w 20 - 5", "c4-a4" =>
        "#.###.#/...k.../#.....#/#.....#/......#/V##...#/#.....#/...K.../#.###.# b 21 - 6";
    voidrider_crosses_void_without_its_square:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#V###.# w 20 - 5", "b1-f1" =>
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###V# b 21 - 6";
    board_may_fall_apart:
        "#######/##.k.##/##...##/###.###/###N###/##...##/##...##/##.K.##/####### w 20 - 5", "d5-c5" =>
        "#######/##.k.##/##...##/###.###/##N####/##...##/##...##/##.K.##/####### b 21 - 6";
    pawn_step_ends_the_quiet_plies:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#P....#/#.....#/...K.../#.###.# w 20 - 5", "b4-b5" =>
        "#.###.#/...k.../#.....#/#.....#/#P....#/#.....#/#.....#/...K.../#.###.# b 21 - 0";
}

#[test]
fn a_piece_is_stranded_when_the_square_beside_it_moves_away() {
    let text = "##.k.##/##...##/##...##/##...##/##...##/#P...##/B##..##/##...##/##.K.## w 20 - 5";
    let mut game = voidrider(text);
    assert_eq!(game.targets("a3"), ["a4", "b3"]);
    game.play("b4-b5 d9-d8");
    assert!(game.targets("a3").is_empty());
    // It stays on the board.
    assert!(game.text().contains("/B##..##/"));
}

// Promotion: by step, by capture, by space move, each to four kinds.
targets! { voidrider;
    promotion_by_step:
        "##.####/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "c8" => "c9=B c9=N c9=R c9=V";
    promotion_by_capture:
        "##nn###/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "c8" => "d9=B d9=N d9=R d9=V";
    promotion_by_space_move:
        "#.#####/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "c8" => "c9=B c9=N c9=R c9=V";
    no_promotion_into_void_away_from_squares:
        "#######/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "c8" => "";
    no_promotion_by_a_sideways_space_move:
        "##n####/##P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "c8" => "b8";
    black_promotion_by_step:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/..p...K/##.#### b 21 - 0", "c2" => "c1=B c1=N c1=R c1=V";
    black_promotion_by_capture:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/..p...K/##NN### b 21 - 0", "c2" => "d1=B d1=N d1=R d1=V";
    black_promotion_by_space_move:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/..p...K/#.##### b 21 - 0", "c2" => "c1=B c1=N c1=R c1=V";
    no_promotion_before_the_last_rank:
        "#.###.#/......k/#.P...#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0", "c7" => "c8";
}

boards! { voidrider;
    promoted_by_step:
        "##.####/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 5", "c8-c9=R" =>
        "##R####/......k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# b 21 - 0";
    promoted_by_capture:
        "##nn###/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 5", "c8-d9=B" =>
        "##nB###/......k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# b 21 - 0";
    promoted_by_space_move:
        "#.#####/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 5", "c8-c9=V" =>
        "#.V####/..#...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# b 21 - 0";
    black_promoted:
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/..p...K/##.#### b 21 - 5", "c2-c1=N" =>
        "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/......K/##n#### w 22 - 0";
}

#[test]
fn a_promotion_names_what_the_pawn_becomes() {
    let game = voidrider(
        "##.####/..P...k/#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0",
    );
    for illegal in ["c8-c9", "c8-c9=K", "c8-c9=P", "c8-c9=Q", "c8-c9=", "d2-d3=V"] {
        assert!(!game.allows(illegal), "{illegal}");
    }
}

/// A named test for each case: where the king on d2 may castle, of b2 and f2.
macro_rules! castling {
    ($($name:ident: $board:literal => $targets:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let mut targets = voidrider($board).targets("d2");
                targets.retain(|to| to == "b2" || to == "f2");
                assert_eq!(targets.join(" "), $targets);
            }
        )*
    };
}

castling! {
    castling_toward_both_sides:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 20 DdUu 0" => "b2 f2";
    castling_needs_the_right_toward_a:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 20 dUu 0" => "f2";
    castling_needs_the_right_toward_g:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 20 Ddu 0" => "b2";
    no_castling_without_rights:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 20 du 0" => "";
    no_castling_past_an_own_piece_on_b2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/RN.K..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_past_an_own_piece_on_c2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R.NK..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_past_an_own_piece_on_e2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..KN.R/#.###.# w 20 DdUu 0" => "b2";
    no_castling_past_an_own_piece_on_f2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K.NR/#.###.# w 20 DdUu 0" => "b2";
    no_castling_past_an_enemy:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R.nK..R/#.###.# w 20 DdUu 0" => "f2";
    castling_does_not_capture:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/Rn.K..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_across_void_on_b2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R#.K..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_across_void_on_c2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R.#K..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_across_void_on_e2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K#.R/#.###.# w 20 DdUu 0" => "b2";
    no_castling_across_void_on_f2:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K.#R/#.###.# w 20 DdUu 0" => "b2";
    no_castling_out_of_check:
        "#.###.#/r..k..r/#.....#/#.....#/#..r..#/#.....#/#.....#/R..K..R/#.###.# w 20 DdUu 0" => "";
    no_castling_out_of_a_check_across_void:
        "#.#v#.#/r..#k.r/#..#..#/#..#..#/#..#..#/#..#..#/#..#..#/R..K..R/#.###.# w 20 DU 0" => "";
    no_castling_through_an_attack_on_c2:
        "#.###.#/r..k..r/#.....#/#.....#/#.r...#/#.....#/#.....#/R..K..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_through_an_attack_on_e2:
        "#.###.#/r..k..r/#.....#/#.....#/#...r.#/#.....#/#.....#/R..K..R/#.###.# w 20 DdUu 0" => "b2";
    no_castling_through_attacks_of_a_pawn:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#..p..#/R..K..R/#.###.# w 20 DdUu 0" => "";
    no_castling_into_an_attack_on_b2:
        "#.###.#/r..k..r/#.....#/#.....#/#r....#/#.....#/#.....#/R..K..R/#.###.# w 20 DdUu 0" => "f2";
    no_castling_into_an_attack_on_f2:
        "#.###.#/r..k..r/#.....#/#.....#/#....r#/#.....#/#.....#/R..K..R/#.###.# w 20 DdUu 0" => "b2";
    no_castling_into_an_attack_across_void:
        "#v###.#/r#.k..r/##....#/##....#/##....#/##....#/##....#/R..K..R/#.###.# w 20 DdUu 0" => "f2";
    castling_into_the_shade_of_a_square:
        "#v###.#/r#.k..r/##....#/##....#/#.....#/##....#/##....#/R..K..R/#.###.# w 20 DdUu 0" => "b2 f2";
    castling_of_an_attacked_rook:
        "#.###.#/r..k..r/#.....#/#.....#/r.....#/......#/......#/R..K..R/#.###.# w 20 DdUu 0" => "b2 f2";
}

targets! { voidrider;
    no_castling_after_the_king_has_moved_and_returned: &after_castling_board("d2-d3 d8-d7 d3-d2 d7-d8"), "d2" =>
        "c2 c3 d3 e2 e3";
    no_castling_after_the_rook_has_moved_and_returned: &after_castling_board("a2-b2 d8-d7 b2-a2 d7-d8"), "d2" =>
        "c2 c3 d3 e2 e3 f2";
    no_castling_after_a_space_move_of_the_rook: &after_castling_board("a2-a1 d8-d7 a1-a2 d7-d8"), "d2" =>
        "c2 c3 d3 e2 e3 f2";
    castling_after_the_other_side_has_moved: &after_castling_board("b1-a1 d8-d7 a1-b1 d7-d8"), "d2" =>
        "b2 c2 c3 d3 e2 e3 f2";
}

const CASTLING_BOARD: &str =
    "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#N###.# w 20 DdUu 5";

fn after_castling_board(moves: &str) -> String {
    voidrider(CASTLING_BOARD).after(moves).text()
}

boards! { voidrider;
    castled_toward_a: CASTLING_BOARD, "d2-b2" =>
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/.KR...R/#N###.# b 21 du 6";
    castled_toward_g: CASTLING_BOARD, "d2-f2" =>
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R...RK./#N###.# b 21 du 6";
    black_castled_toward_a: CASTLING_BOARD, "d2-f2 d8-b8" =>
        "#.###.#/.kr...r/#.....#/#.....#/#.....#/#.....#/#.....#/R...RK./#N###.# w 22 - 7";
    black_castled_toward_g: CASTLING_BOARD, "d2-b2 d8-f8" =>
        "#.###.#/r...rk./#.....#/#.....#/#.....#/#.....#/#.....#/.KR...R/#N###.# w 22 - 7";
    king_move_ends_both_rights: CASTLING_BOARD, "d2-d3" =>
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#..K..#/R.....R/#N###.# b 21 du 6";
    king_space_move_ends_both_rights:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#..#..# w 20 DdUu 5", "d2-d1" =>
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..#..R/#..K..# b 21 du 6";
    rook_move_ends_its_right: CASTLING_BOARD, "g2-f2" =>
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K.R./#N###.# b 21 Ddu 6";
    rook_space_move_ends_its_right: CASTLING_BOARD, "a2-a1" =>
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/#..K..R/RN###.# b 21 dUu 6";
    capture_of_a_rook_at_home_ends_its_right:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#....P#/#b....#/R..K..R/#.###.# w 20 DdUu 5", "f4-f5 b3-a2" =>
        "#.###.#/r..k..r/#.....#/#.....#/#....P#/#.....#/#.....#/b..K..R/#.###.# w 22 dUu 0";
    rook_taking_a_rook_at_home_ends_both_their_rights:
        "#.###.#/r..k..r/......#/......#/......#/......#/......#/R..K..R/#.###.# w 20 DdUu 5", "a2-a8" =>
        "#.###.#/R..k..r/......#/......#/......#/......#/......#/...K..R/#.###.# b 21 Uu 0";
}

// Legality: lines of rooks and bishops lie over squares, lines of voidriders over void.
targets! { voidrider;
    space_move_must_not_open_a_voidriders_line:
        "k######/#######/#######/#######/#######/#######/v#.####/N######/K.##### w 20 - 0", "a2" => "c3";
    space_move_of_a_piece_pinned_by_a_rook:
        "k######/#######/#######/#######/#######/#######/r#.####/N######/K.##### w 20 - 0", "a2" => "b2";
    space_move_along_a_voidriders_line:
        "k######/#######/#######/#######/v######/#######/N######/#.#####/K###### w 20 - 0", "a3" => "a2 a4";
    space_move_elsewhere_without_the_voidrider:
        "k######/#######/#######/#######/b######/#######/N######/#.#####/K###### w 20 - 0", "a3" => "a2 a4 b3";
    pawn_pinned_by_a_voidrider_may_step:
        "#######/####k##/#######/#######/#######/#######/#.#####/vP#K###/####### w 20 - 0", "b2" => "b3 c2";
    pawn_pinned_by_a_voidrider_stays_on_the_line_by_space_move:
        "#######/####k##/#######/#######/#######/#######/.######/vP#K###/####### w 20 - 0", "b2" => "c2";
    pawn_not_pinned_leaves_the_line_by_space_move:
        "#######/####k##/#######/#######/#######/#######/.######/rP#K###/####### w 20 - 0", "b2" => "b3 c2";
    king_escapes_a_rook_by_a_space_move:
        "#.###.#/..k..../#.....#/#.....#/#..r..#/#.....#/#.....#/...K.../#..#..# w 20 - 0", "d2" => "c1 c2 c3 d1 e1 e2 e3";
    king_does_not_open_a_voidriders_line_to_itself:
        "#.###.#/..k..../#.....#/#.....#/#.....#/#.....#/#..v..#/...K.../#..#..# w 20 - 0", "d2" => "c1 d3 e1";
    king_makes_no_space_move_into_an_attack:
        "#.###.#/..k..../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#..#.r# w 20 - 0", "d2" => "c1 c2 c3 d3 e2 e3";
    king_takes_no_covered_piece:
        "#.###.#/..kr.../#.....#/#.....#/#.....#/#.....#/#..v..#/...K.../#..#..# w 20 - 0", "d2" => "c1 e1";
    king_does_not_step_beside_the_king:
        "#.###.#/......./#.....#/#.....#/#.....#/#..k..#/#.....#/...K.../#.###.# w 20 - 0", "d2" => "c2 e2";
    pinned_by_a_rook_moves_along_the_line:
        "#.###.#/..k..../#..r..#/#.....#/#.....#/#..R..#/#.....#/...K.../#.###.# w 20 - 0", "d4" => "d3 d5 d6 d7";
    pinned_by_a_bishop_moves_along_the_line:
        "#.###.#/..k..../#.....#/#.....#/#....b#/#...B.#/#.....#/..K..../#.###.# w 20 - 0", "e4" => "d3 f5";
    void_ends_the_line_of_a_rook:
        "#.###.#/..k..../#..r..#/#..#..#/#.....#/#..N..#/#.....#/...K.../#.###.# w 20 - 0", "d4" => "b3 b5 c2 c6 e2 e6 f3 f5";
}

/// A named test for each case: every legal move of the position.
macro_rules! all_moves {
    ($($name:ident: $board:literal => $moves:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(voidrider($board).notations().join(" "), $moves);
            }
        )*
    };
}

all_moves! {
    space_move_blocks_a_voidriders_check:
        "k######/#######/#######/#######/#######/#######/v######/#R#####/K.##### w 20 - 0" => "a1-b1 b2-a2";
    check_across_void_is_not_answered_by_ordinary_moves:
        "k######/#######/#######/#######/#######/#######/v.#####/#R#####/K.##### w 20 - 0" => "a1-b1 b2-a2";
    check_across_void_is_answered_by_a_capture:
        "k######/#######/#######/#######/#######/#######/vR#####/#######/K###### w 20 - 0" => "b3-a3";
    check_of_a_knight_is_answered_by_the_king_or_a_capture:
        "k######/#######/#######/#######/#######/#######/#n#####/#.#####/KR##### w 20 - 0" => "a1-a2 a1-b2 b1-b3";
    two_checks_are_answered_by_the_king_alone:
        "k######/#######/#######/#######/#######/#######/vn#####/#R#####/K.##### w 20 - 0" => "a1-b1";
}

// The smallest worlds: on `MATE` white may mate or stalemate the king in the corner.
const MATE: &str = "k######/#######/#######/#######/#######/#######/#######/#######/.V.###K";
const START: &str = "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V#";

endings! { voidrider;
    checkmate_across_void: &format!("{MATE} w 20 - 5"), "b1-a1" => "White (checkmate)";
    stalemate_is_a_draw: &format!("{MATE} w 20 - 5"), "b1-c1" => "tie (stalemate)";
    checkmate_by_black:
        "K######/#######/#######/#######/#######/#######/#######/#######/.v.###k b 21 - 5", "b1-a1" => "Black (checkmate)";
    check_with_a_way_out_goes_on:
        "k.#####/#######/#######/#######/#######/#######/#######/#######/.V.###K w 20 - 5", "b1-a1" => "none";

    no_draw_after_99_quiet_plies: &format!("{START} w 150 - 98"), "b2-c4" => "none";
    draw_after_100_quiet_plies: &format!("{START} w 150 - 98"), "b2-c4 b8-c6" =>
        "tie (100 plies without capture or pawn move)";
    space_moves_of_pieces_are_quiet: &format!("{START} w 150 - 99"), "a2-a1" =>
        "tie (100 plies without capture or pawn move)";
    castling_is_quiet:
        "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 150 DdUu 99", "d2-b2" =>
        "tie (100 plies without capture or pawn move)";
    pawn_step_is_not_quiet: &format!("{START} w 150 - 99"), "b3-b4" => "none";
    pawn_space_move_is_not_quiet: &format!("{START} w 150 - 99"), "b3-a3" => "none";
    capture_is_not_quiet:
        "#.###.#/...k.../#.....#/#.....#/#..b..#/#N....#/#.....#/...K.../#.###.# w 150 - 99", "b4-d5" => "none";
    checkmate_on_the_100th_quiet_ply_wins: &format!("{MATE} w 150 - 99"), "b1-a1" => "White (checkmate)";
    stalemate_on_the_100th_quiet_ply_is_named: &format!("{MATE} w 150 - 99"), "b1-c1" => "tie (stalemate)";

    no_draw_after_199_plies: &format!("{START} w 198 - 9"), "b2-c4" => "none";
    draw_after_200_plies: &format!("{START} w 198 - 9"), "b2-c4 b8-c6" => "tie (move limit)";
    checkmate_on_ply_200_wins: &format!("{MATE} w 199 - 9"), "b1-a1" => "White (checkmate)";
    stalemate_on_ply_200_is_named: &format!("{MATE} w 199 - 9"), "b1-c1" => "tie (stalemate)";

    second_occurrence_goes_on: &format!("{START} w 0 DdUu 0"),
        "b2-c4 b8-c6 c4-b2 c6-b8" => "none";
    third_occurrence_is_not_there_before_the_last_ply: &format!("{START} w 0 DdUu 0"),
        "b2-c4 b8-c6 c4-b2 c6-b8 b2-c4 b8-c6 c4-b2" => "none";
    third_occurrence_is_a_draw: &format!("{START} w 0 DdUu 0"),
        "b2-c4 b8-c6 c4-b2 c6-b8 b2-c4 b8-c6 c4-b2 c6-b8" => "tie (third occurrence of the position)";
    occurrences_need_not_follow_each_other: &format!("{START} w 0 DdUu 0"),
        "b2-c4 b8-c6 c4-b2 c6-b8 f2-e4 f8-e6 e4-f2 e6-f8" => "tie (third occurrence of the position)";
    rights_are_part_of_the_position: &format!("{START} w 0 DdUu 0"),
        "a2-a1 b8-c6 a1-a2 c6-b8 a2-a1 b8-c6 a1-a2 c6-b8" => "none";
    position_without_the_right_occurs_for_the_third_time: &format!("{START} w 0 DdUu 0"),
        "a2-a1 b8-c6 a1-a2 c6-b8 a2-a1 b8-c6 a1-a2 c6-b8 a2-a1" => "tie (third occurrence of the position)";
    pawn_moves_begin_the_count_anew: &format!("{START} w 0 DdUu 0"),
        "b3-a3 b8-c6 a3-b3 c6-b8 b3-a3 b8-c6 a3-b3 c6-b8 b3-a3 b8-c6 a3-b3 c6-b8" => "none";
    occurrences_before_the_last_pawn_move_never_count: &format!("{START} w 0 DdUu 0"),
        "b3-a3 b8-c6 a3-b3 c6-b8 b3-a3 b8-c6 a3-b3 c6-b8 b2-c4 b8-c6 f2-e4 f8-e6 c4-b2 c6-b8 e4-f2 e6-f8" => "none";
    occurrences_after_the_last_pawn_move_count: &format!("{START} w 0 DdUu 0"),
        "b3-b4 b7-b6 b2-c4 b8-c6 c4-b2 c6-b8 b2-c4 b8-c6 c4-b2 c6-b8" => "tie (third occurrence of the position)";
}

/// In `MOVES_SQUARES` a voidrider comes back to its cell, but brings another square with it than
/// it took away; in `BACK_AND_FORTH` the kings change nothing.
const RIDER: &str =
    "#.###.#/...k.../#.....#/#.....#/......#/#V....#/#.....#/...K.../#.###.# w 20 - 0";
const MOVES_SQUARES: &str = "b4-a4 d8-d7 a4-c4 d7-e8 c4-b4 e8-d8 ";
const BACK_AND_FORTH: &str = "d2-d3 d8-d7 d3-d2 d7-d8 ";

boards! { voidrider;
    same_pieces_on_other_squares: RIDER, "b4-a4 d8-d7 a4-c4 d7-e8 c4-b4 e8-d8" =>
        "#.###.#/...k.../#.....#/#.....#/......#/.V#...#/#.....#/...K.../#.###.# w 26 - 6";
}

endings! { voidrider;
    squares_are_part_of_the_position: RIDER, &[MOVES_SQUARES, BACK_AND_FORTH].concat() => "none";
    same_squares_for_the_third_time: RIDER, &[MOVES_SQUARES, BACK_AND_FORTH, BACK_AND_FORTH].concat() =>
        "tie (third occurrence of the position)";
}

/// Two kings alone. In `LOSES_A_TURN` white walks a triangle while black steps back and forth, so
/// that the same squares and pieces come back with the other side to move; in `WINS_IT_BACK` it
/// is the other way round.
const KINGS: &str =
    "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 20 - 0";
const LOSES_A_TURN: &str = "d2-d3 d8-d7 d3-e2 d7-d8 e2-d2 ";
const WINS_IT_BACK: &str = "d8-d7 d2-d3 d7-e8 d3-d2 e8-d8 ";

endings! { voidrider;
    side_to_move_is_part_of_the_position: KINGS, &[LOSES_A_TURN, WINS_IT_BACK, LOSES_A_TURN].concat() => "none";
    same_side_to_move_for_the_third_time: KINGS,
        &[LOSES_A_TURN, WINS_IT_BACK, LOSES_A_TURN, WINS_IT_BACK].concat() => "tie (third occurrence of the position)";
}

// `voidrider:thery`: stalemate is the only draw.
endings! { thery;
    thery_has_stalemate: &format!("{MATE} w 20 - 5"), "b1-c1" => "tie (stalemate)";
    thery_has_checkmate: &format!("{MATE} w 999 - 999"), "b1-a1" => "White (checkmate)";
    thery_has_no_draw_by_quiet_plies: &format!("{START} w 150 - 98"), "b2-c4 b8-c6" => "none";
    thery_has_no_draw_by_repetition: KINGS,
        &[LOSES_A_TURN, WINS_IT_BACK, LOSES_A_TURN, WINS_IT_BACK].concat() => "none";
    thery_goes_on_after_200_plies: &format!("{START} w 198 - 9"), "b2-c4 b8-c6" => "none";
    thery_goes_on_after_999_plies: &format!("{START} w 998 - 9"), "b2-c4" => "none";
    thery_is_broken_off_after_1000_plies: &format!("{START} w 998 - 9"), "b2-c4 b8-c6" =>
        "tie (move limit)";
    thery_stalemate_on_ply_1000_is_named: &format!("{MATE} w 999 - 9"), "b1-c1" =>
        "tie (stalemate)";
}
