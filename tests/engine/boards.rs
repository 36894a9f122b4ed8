//! Text from outside: boards, moves and names of games that are refused, and why.
//!
//! Each refusal names the place, and a board at the near side of each limit is read.

use alesia::game::{Game, GameState, ParseError};
use alesia::games::hadron::Size;
use alesia::games::loa::Layout;
use alesia::games::voidrider::Rules;
use alesia::games::{AnyGame, GameSpec, Hadron, Murus, Voidrider};

/// Reads a text board of the game with this name and writes it again.
fn reread(game: &str, text: &str) -> Result<String, ParseError> {
    let game: GameSpec = game.parse().unwrap();
    AnyGame::start(game).parse_board(text).map(|position| position.to_string())
}

/// The error of a move in the position of a text board.
fn said_of_move(game: &str, board: &str, text: &str) -> String {
    let position = AnyGame::named(game).unwrap().parse_board(board).unwrap();
    position.parse_move(text).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

/// A named test for each case: a board, and a part of its error.
macro_rules! refused_boards {
    ($game:literal; $($name:ident: $text:expr => $said:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let said = reread($game, $text).expect_err("a refusal").to_string();
                assert!(said.contains($said), "{said}");
            }
        )*
    };
}

/// A named test for each case: a board that is read, and written again as it was.
macro_rules! accepted_boards {
    ($($name:ident: $game:literal $text:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(reread($game, $text).as_deref(), Ok($text));
            }
        )*
    };
}

refused_boards! { "murus";
    no_fields: "" => "text board: found 0 fields, expected 3 fields";
    only_blanks: " \t\n " => "text board: found 0 fields, expected 3 fields";
    missing_plies: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w" => "found 2 fields, expected 3 fields";
    missing_side: "BBBBBBBB/......../......../......../......../......../WWWWWWWW 0" => "found 2 fields, expected 3 fields";
    superfluous_field: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 0 -" => "found 4 fields, expected 3 fields";
    too_few_rows: "BBBBBBBB/......../......../......../......../WWWWWWWW w 0" => "found 6 rows, expected 7 rows";
    too_many_rows: "BBBBBBBB/......../......../......../......../......../......../WWWWWWWW w 0" => "found 8 rows, expected 7 rows";
    row_too_short: "BBBBBBBB/......./......../......../......../......../WWWWWWWW w 0" => "row 2: found 7 cells, expected 8 cells";
    row_too_long: "BBBBBBBB/......../......../......../......../......../WWWWWWWW. w 0" => "row 7: found 9 cells, expected 8 cells";
    empty_row: "BBBBBBBB//......../......../......../......../WWWWWWWW w 0" => "row 2: found 0 cells, expected 8 cells";
    rows_not_joined_by_slashes: "BBBBBBBB,........,........,........,........,........,WWWWWWWW w 0" => "found 1 rows, expected 7 rows";
    unknown_letter: "BBBBBBBB/......../..x...../......../......../......../WWWWWWWW w 0" => "row 3, column 3: found `x`, expected one of `.` `w` `W` `b` `B`";
    letter_of_another_game: "BBBBBBBB/......../......../......../......../.......P/WWWWWWWW w 0" => "row 6, column 8: found `P`";
    letter_of_several_bytes: "BBBBBBBB/ö......./......../......../......../......../WWWWWWWW w 0" => "row 2, column 1: found `ö`";
    control_character: "BBBBBBBB/\u{7}......./......../......../......../......../WWWWWWWW w 0" => "row 2, column 1: found `\\u{7}`";
    side_in_upper_case: "BBBBBBBB/......../......../......../......../......../WWWWWWWW W 0" => "side to move: found `W`, expected `w` or `b`";
    side_written_out: "BBBBBBBB/......../......../......../......../......../WWWWWWWW white 0" => "side to move: found `white`";
    negative_plies: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w -1" => "plies played: found `-1`, expected a whole number from 0 to 120";
    signed_plies: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w +1" => "plies played: found `+1`";
    fractional_plies: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 1.5" => "plies played: found `1.5`";
    more_plies_than_a_game_has: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 121" => "plies played: found `121`";
    absurd_plies: "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 99999999999999999999999" => "plies played: found `99999999999999999999999`";
    seventeen_black_stones: "BBBBBBBB/b......./......../......../......../......../WWWWWWWW w 0" => "stones of Black: found 17, expected at most 16";
    seventeen_white_stones: "BBBBBBBB/......../......../......../......../w......./WWWWWWWW w 0" => "stones of White: found 17, expected at most 16";
    both_sides_on_the_home_row: "w......./......../......../......../......../......../b....... w 9" => "home rows: found an enemy stone on both, expected on one at most";
}

refused_boards! { "hadron3x4";
    fewer_plies_than_stones: "w.../..b./.... w 1" => "plies played: found 1, expected 2, the number of stones on the board";
    more_plies_than_stones: "w.../..b./.... b 3" => "plies played: found 3, expected 2, the number of stones on the board";
    more_plies_than_cells: "w.../..b./.... b 13" => "plies played: found `13`, expected a whole number from 0 to 12";
    tower_on_a_hadron_board: "W.../..b./.... w 2" => "row 1, column 1: found `W`, expected one of `.` `w` `b`";
    board_of_another_size: "..../..../..../.... w 0" => "text board: found 4 rows, expected 3 rows";
    board_of_another_width: "..../...../.... w 0" => "row 2: found 5 cells, expected 4 cells";
}

refused_boards! { "loa";
    no_black_stones: ".wwwwww./......../......../......../......../......../......../.wwwwww. w 0" => "stones of Black: found 0, expected 1 to 12";
    no_white_stones: ".bbbbbb./......../......../......../......../......../......../.bbbbbb. w 0" => "stones of White: found 0, expected 1 to 12";
    no_stones: "......../......../......../......../......../......../......../........ w 0" => "found 0, expected 1 to 12";
    thirteen_stones: "wwwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0" => "stones of White: found 13, expected 1 to 12";
    two_hundred_and_one_plies: ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 201" => "plies played: found `201`, expected a whole number from 0 to 200";
    too_wide_for_loa: "........./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0" => "row 1: found 9 cells, expected 8 cells";
}

refused_boards! { "voidrider";
    fields_of_another_game: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 0" => "found 3 fields, expected 5 fields";
    missing_quiet_plies: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 -" => "found 4 fields, expected 5 fields";
    queen: "#.###.#/...k.../#.....#/#..q..#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0" => "row 4, column 4: found `q`, expected one of `#` `.` and the pieces";
    no_white_king: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/......./#.###.# w 0 - 0" => "kings of White: found 0, expected 1";
    no_black_king: "#.###.#/......./#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0" => "kings of Black: found 0, expected 1";
    two_white_kings: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/K..K.../#.###.# w 0 - 0" => "kings of White: found 2, expected 1";
    two_black_kings: "#.###.#/k..k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0" => "kings of Black: found 2, expected 1";
    fifteen_pieces: "#.###.#/...k.../#.....#/#.....#/#.....#/#PPPPP#/#NNNNN#/R..K..R/#V###V# w 0 - 0" => "pieces of White: found 15, expected at most 14";
    six_pawns: "#.###.#/...k.../#p....#/#ppppp#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0" => "pawns of Black: found 6, expected at most 5";
    white_pawn_on_rank_9: "#P###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0" => "row 1, column 2: found a pawn of White, expected a piece it was promoted to";
    black_pawn_on_rank_1: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###p# w 0 - 0" => "row 9, column 6: found a pawn of Black, expected a piece it was promoted to";
    right_without_the_king_at_home: "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R...K.R/#.###.# w 0 D 0" => "castling rights: found `D`, expected no `D`, as its king or rook is not at home";
    right_without_the_rook_at_home: "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K.R./#.###.# w 0 DU 0" => "castling rights: found `DU`, expected no `U`, as its king or rook is not at home";
    right_with_the_enemys_rook_at_home: "#.###.#/R..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# b 0 d 0" => "castling rights: found `d`, expected no `d`";
    unknown_right: "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 0 KQ 0" => "castling rights: found `KQ`, expected `-`, or each of `D` `d` `U` `u` at most once";
    repeated_right: "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 0 DD 0" => "castling rights: found `DD`";
    dash_beside_a_right: "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 0 -D 0" => "castling rights: found `-D`";
    one_hundred_and_one_quiet_plies: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 150 - 101" => "plies since the last capture or pawn move: found `101`, expected a whole number from 0 to 100";
    quiet_plies_in_words: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 150 - few" => "plies since the last capture or pawn move: found `few`";
    two_hundred_and_one_plies_of_voidrider: "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 201 - 0" => "plies played: found `201`";
    opponent_in_check: "#.###.#/...k.../#.....#/#..R..#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0" => "text board: found Black in check, White to move, expected only the side to move in check";
    opponent_in_check_across_void: "k######/#######/#######/#######/#######/#######/#######/#######/V#####K w 0 - 0" => "found Black in check, White to move";
    kings_side_by_side: "#.###.#/......./#.....#/#..k..#/#..K..#/#.....#/#.....#/......./#.###.# b 0 - 0" => "found White in check, Black to move";
}

accepted_boards! {
    sixteen_stones_each: "murus" "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 0";
    sixteen_stones_in_walls_and_towers: "murus" "BBBBBBB./b......./b......./......../......../......../WWWWWWWW w 3";
    last_ply_of_murus: "murus" "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 120";
    one_enemy_stone_on_a_home_row: "murus" "w......./......../......../......../......../......../W....... b 9";
    no_stones_of_murus: "murus" "......../......../......../......../......../......../........ w 0";
    as_many_plies_as_stones: "hadron3x4" "w.../..b./.... w 2";
    as_many_plies_as_cells: "hadron1x2" "wb w 2";
    twelve_stones_each: "loa" ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0";
    one_stone_each: "loa" "w......./......../......../......../......../......../......../.......b b 200";
    fourteen_pieces: "voidrider" "#.###.#/...k.../#.....#/#.....#/#.....#/#PPPPP#/#NNNNN#/R..K.../#V###V# w 0 - 0";
    five_pawns_of_black: "voidrider" "#.###.#/...k.../#.....#/#ppppp#/#.....#/#.....#/#.....#/...K.../#.###.# w 0 - 0";
    white_pawn_on_rank_8_and_1: "voidrider" "#.###.#/P....k./#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#P###.# w 0 - 0";
    black_pawn_on_rank_9_and_2: "voidrider" "#p###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/p..K.../#.###.# w 0 - 0";
    each_right_alone: "voidrider" "#.###.#/r..k..r/#.....#/#.....#/#.....#/#.....#/#.....#/R..K..R/#.###.# w 0 u 0";
    one_hundred_quiet_plies: "voidrider" "#.###.#/...k.../#.....#/#.....#/#.....#/#.....#/#.....#/...K.../#.###.# w 200 - 100";
    side_to_move_in_check: "voidrider" "#.###.#/...k.../#.....#/#..R..#/#.....#/#.....#/#.....#/...K.../#.###.# b 0 - 0";
}

#[test]
fn blanks_around_the_fields_do_not_matter() {
    let text = "  BBBBBBBB/......../......../......../......../......../WWWWWWWW \t w\r\n 0 \n";
    assert_eq!(reread("murus", text), Ok(Murus::start().to_string()));
}

#[test]
fn rights_are_read_in_any_order() {
    let board = Voidrider::start().to_string();
    assert_eq!(reread("voidrider", &board.replace("DdUu", "uUdD")), Ok(board));
}

/// A named test for each case: a text that is no move, and a part of its error.
macro_rules! refused_moves {
    ($game:literal, $board:literal; $($name:ident: $text:literal => $said:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let said = said_of_move($game, $board, $text);
                assert!(said.contains($said), "{said}");
            }
        )*
    };
}

refused_moves! { "murus", "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 0";
    murus_nothing: "" => "move: found ``, expected a move such as `G4,NE`";
    murus_no_direction: "G4" => "found `G4`, expected a move such as";
    murus_empty_direction: "G4," => "found `G4,`, expected a move such as";
    murus_no_cell: ",N" => "found `,N`, expected a move such as";
    murus_unknown_direction: "G4,X" => "found `G4,X`, expected a move such as";
    murus_doubled_direction: "G4,NN" => "found `G4,NN`, expected a move such as";
    murus_two_directions: "G4,N,N" => "found `G4,N,N`, expected a move such as";
    murus_blank_after: "G4,N " => "found `G4,N `, expected a move such as";
    murus_row_h: "H4,N" => "found `H4,N`, expected a move such as";
    murus_column_9: "G9,N" => "found `G9,N`, expected a move such as";
    murus_column_0: "G0,N" => "found `G0,N`, expected a move such as";
    murus_column_before_row: "4G,N" => "found `4G,N`, expected a move such as";
    murus_other_alphabet: "Ｇ4,N" => "found `Ｇ4,N`, expected a move such as";
    murus_long_text: "G4,NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN" => "NNN…`, expected a move such as";
    murus_off_the_board: "G4,S" => "found `G4,S`, expected a legal move of White such as ";
    murus_of_an_empty_cell: "D4,N" => "found `D4,N`, expected a legal move of White such as ";
    murus_of_the_other_side: "A4,S" => "found `A4,S`, expected a legal move of White such as ";
    murus_pass: "pass" => "found `pass`, expected a move such as";
}

refused_moves! { "hadron4x5", "w..../...../...../..... b 1";
    hadron_nothing: "" => "expected a cell such as `A1`: row A to D, column 1 to 5";
    hadron_half_a_cell: "A" => "expected a cell such as `A1`";
    hadron_row_off_the_board: "E1" => "found `E1`, expected a cell such as `A1`";
    hadron_column_off_the_board: "A6" => "found `A6`, expected a cell such as `A1`";
    hadron_two_digits: "A10" => "found `A10`, expected a cell such as `A1`";
    hadron_occupied_cell: "A1" => "found `A1`, expected a legal move of Black such as ";
    hadron_unbalanced_cell: "A2" => "found `A2`, expected a legal move of Black such as ";
    hadron_swap: "swap" => "found `swap`, expected a cell such as `A1`";
}

refused_moves! { "hadron1x1", "w b 1";
    hadron_after_the_last_move: "A1" => "found `A1`, expected nothing, as Black has no legal move";
}

refused_moves! { "loa", ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0";
    loa_nothing: "" => "expected a move such as `B1-B3`: column A to H and row 1 to 8, twice";
    loa_without_dash: "B1B3" => "expected a move such as `B1-B3`";
    loa_other_dash: "B1–B3" => "expected a move such as `B1-B3`";
    loa_row_9: "B1-B9" => "expected a move such as `B1-B3`";
    loa_column_i: "I1-B3" => "expected a move such as `B1-B3`";
    loa_three_cells: "B1-B3-B5" => "expected a move such as `B1-B3`";
    loa_too_far: "B1-B4" => "found `B1-B4`, expected a legal move of White such as ";
    loa_onto_its_own_cell: "B1-B1" => "found `B1-B1`, expected a legal move of White such as ";
    loa_off_every_line: "B1-C3" => "found `B1-C3`, expected a legal move of White such as ";
    loa_of_the_other_side: "A2-C2" => "found `A2-C2`, expected a legal move of White such as ";
}

refused_moves! { "voidrider", "#v###v#/rnbkbnr/#ppppp#/#.....#/#.....#/#.....#/#PPPPP#/RNBKBNR/#V###V# w 0 DdUu 0";
    voidrider_nothing: "" => "expected a move such as `b3-a3` or `c8-c9=V`: file a to g and rank 1 to 9, twice";
    voidrider_without_dash: "b3a3" => "expected a move such as `b3-a3`";
    voidrider_file_h: "h3-g3" => "expected a move such as `b3-a3`";
    voidrider_rank_0: "b0-b1" => "expected a move such as `b3-a3`";
    voidrider_promotion_to_nothing: "b3-b4=" => "expected a move such as `b3-a3`";
    voidrider_promotion_to_a_king: "b3-b4=K" => "expected a move such as `b3-a3`";
    voidrider_promotion_to_two: "b3-b4=VV" => "expected a move such as `b3-a3`";
    voidrider_castling_in_chess_notation: "O-O" => "expected a move such as `b3-a3`";
    voidrider_promotion_before_the_last_rank: "b3-b4=V" => "found `b3-b4=V`, expected a legal move of White such as ";
    voidrider_blocked: "d2-d3" => "found `d2-d3`, expected a legal move of White such as ";
    voidrider_of_the_other_side: "b7-b6" => "found `b7-b6`, expected a legal move of White such as ";
    voidrider_diagonally_into_the_void: "b3-a4" => "found `b3-a4`, expected a legal move of White such as ";
}

#[test]
fn a_list_of_moves_names_the_first_wrong_one() {
    let mut state = GameState::new(Murus::start());
    let error = state.play_text("G2,N A3,S\nG2,N G1,N").unwrap_err();
    assert!(error.to_string().starts_with("move 3, move: found `G2,N`, expected a legal move"));
    // What came before it has been played.
    assert_eq!(state.position.ply(), 2);
}

#[test]
fn a_list_of_moves_must_not_continue_after_the_end() {
    let mut state = GameState::new(Hadron::start(1, 2));
    let error = state.play_text("A1 A2").unwrap_err();
    assert_eq!(
        error.to_string(),
        "move 2: found `A2`, expected nothing after White (no legal move)"
    );
}

#[test]
fn names_of_games() {
    let named = [
        ("hadron", GameSpec::Hadron(Size::square(9))),
        ("hadron5", GameSpec::Hadron(Size::square(5))),
        ("hadron7", GameSpec::Hadron(Size::square(7))),
        ("hadron1", GameSpec::Hadron(Size::square(1))),
        ("hadron4x5", GameSpec::Hadron(Size { rows: 4, columns: 5 })),
        ("hadron9x1", GameSpec::Hadron(Size { rows: 9, columns: 1 })),
        ("loa", GameSpec::Loa(Layout::Rows)),
        ("loa:files", GameSpec::Loa(Layout::Files)),
        ("loa:standard", GameSpec::Loa(Layout::Standard)),
        ("voidrider:thery", GameSpec::Voidrider(Rules::Thery)),
    ];
    for (name, game) in named {
        assert_eq!(name.parse(), Ok(game));
        assert_eq!(game.to_string(), name);
    }
    // Other ways to write the same.
    assert_eq!("MURUS".parse::<GameSpec>(), "murus".parse());
    assert_eq!("Hadron4X5".parse(), Ok(GameSpec::Hadron(Size { rows: 4, columns: 5 })));
    assert_eq!("hadron9".parse(), Ok(GameSpec::Hadron(Size::square(9))));
    assert_eq!("hadron7x7".parse(), Ok(GameSpec::Hadron(Size::square(7))));
}

#[test]
fn names_of_no_game() {
    let names = [
        "",
        " ",
        "chess",
        "murus ",
        "hadron0",
        "hadron10",
        "hadron-5",
        "hadron+5",
        "hadron 5",
        "hadron05",
        "hadron4x",
        "hadronx4",
        "hadronx",
        "hadron4x5x6",
        "hadron4*5",
        "hadron0x5",
        "hadron5x10",
        "hadron99999999999999999999",
        "hadron٣",
        "loa2",
        "voidriders",
    ];
    for name in names {
        let error = name.parse::<GameSpec>().expect_err(name);
        let expected = "murus, hadron, hadron5, hadron7, hadronRxC";
        assert!(error.to_string().starts_with("game: found `"), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}
