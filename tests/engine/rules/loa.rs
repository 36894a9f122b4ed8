//! Lines of Action: how far and past whom a stone moves, groups, the order of endings.

use crate::support::loa;

/// A board with only these stones on row 4.
fn row_4(cells: &str) -> String {
    format!("......../......../......../......../{cells}/......../......../........ w 0")
}

/// A named test for each case: where on row 4 the white stone on D4 may go.
macro_rules! along_row_4 {
    ($($name:ident: $cells:literal => $targets:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let mut targets = loa(&row_4_with_black($cells)).targets("D4");
                targets.retain(|to| to.ends_with('4'));
                assert_eq!(targets.join(" "), $targets);
            }
        )*
    };
}

/// The same with a black stone far from every line of D4, as a board needs one.
fn row_4_with_black(cells: &str) -> String {
    row_4(cells).replacen("......../", ".b....../", 1)
}

along_row_4! {
    alone_one_cell: "...w...." => "C4 E4";
    two_stones_two_cells: "...w...w" => "B4 F4";
    enemies_count_too: "...w...b" => "B4 F4";
    stones_behind_count_too: "b..w...." => "B4 F4";
    three_stones_three_cells: "b..w...b" => "A4 G4";
    passes_over_an_own_stone: "...ww..." => "B4 F4";
    passes_over_two_own_stones: "...www.." => "A4 G4";
    does_not_pass_over_an_enemy: "...wb..." => "B4";
    does_not_pass_over_the_second_enemy_of_a_line: "...w.bw." => "A4";
    does_not_pass_over_an_own_stone_and_an_enemy: "...wwb.." => "A4";
    captures_an_enemy: "...w.b.." => "B4 F4";
    captures_past_an_own_stone: "...ww.b." => "A4 G4";
    does_not_land_on_an_own_stone: "...w.w.." => "B4";
    does_not_leave_the_board: "...wwww." => "H4";
    enemy_beyond_the_target_does_not_matter: "...w..b." => "B4 F4";
    full_row_has_no_move: "bbbwbbbb" => "";
}

targets! { loa;
    lone_stone_steps_in_eight_directions:
        ".b....../......../......../......../...w..../......../......b./.w...... w 0", "D4" => "C3 C4 C5 D3 D5 E3 E4 E5";
    column_diagonal_and_antidiagonal_have_their_own_counts:
        ".b....../w......./......../......../...w..../..b...../......b./...w...w w 0", "D4" => "B6 C4 D2 D6 E4 F2 F6";
    enemies_bar_the_column: ".b....../......../......../...b..../...w..../......../......../........ w 0", "D4" =>
        "C3 C4 C5 D2 E3 E4 E5";
    enemies_bar_the_diagonal: ".b....../......../......../....b.../...w..../......../......../........ w 0", "D4" =>
        "B2 C4 C5 D3 D5 E3 E4";
    enemies_bar_the_antidiagonal: ".b....../......../......../..b...../...w..../......../......../........ w 0", "D4" =>
        "C3 C4 D3 D5 E4 E5 F2";
    stone_in_the_corner_moves_along_three_lines:
        "b......./......../......../......../......../......../......../w.....w. b 1", "A8" => "A6 B7 B8";
    stones_of_the_other_side_do_not_move:
        ".b....../......../......../......../...w..../......../......b./.w...... w 0", "G2" => "";
}

boards! { loa;
    a_move_into_the_empty: "......../.w....../......../......../...w..../......../......b./b....... w 0", "D4-E4" =>
        "......../.w....../......../......../....w.../......../......b./b....... b 1";
    a_capture_removes_the_stone: ".b....../b......./......../......../...w.b../......../......../.......w w 8", "D4-F4" =>
        ".b....../b......./......../......../.....w../......../......../.......w b 9";
    black_captures_alike: "b......./......../......../......../...b.w../......../......../w......w b 9", "D4-F4" =>
        "b......./......../......../......../.....b../......../......../w......w w 10";
}

endings! { loa;
    one_group_wins:
        "b......./......../......../.....w../...w..../......../......../.......b w 10", "D4-E4" => "White (all stones connected)";
    one_group_of_black_wins:
        "w......./......../......../.....b../...b..../......../......../.......w b 11", "D4-E4" => "Black (all stones connected)";
    two_groups_go_on:
        "b......./......../......../.....w../...w..../......../......../.......b w 10", "D4-C4" => "none";
    both_in_one_group_the_mover_wins:
        "b......./b......./......../......w./...w.b../......../......../........ w 10", "D4-F4" => "White (all stones connected)";
    both_in_one_group_the_mover_wins_as_black:
        "w......./w......./......../......b./...b.w../......../......../........ b 11", "D4-F4" => "Black (all stones connected)";
    opponent_connected_by_the_capture_wins:
        "b......w/b......./......../......../...w.b../......../......../........ w 10", "D4-F4" => "Black (all stones connected)";
    single_stone_left_by_a_capture_is_a_group:
        "b......w/......../......../......../...w.b../......../......../........ w 10", "D4-F4" => "Black (all stones connected)";
    single_stone_left_and_the_mover_connected_the_mover_wins:
        "b......./......../......../......w./...w.b../......../......../........ w 10", "D4-F4" => "White (all stones connected)";
    groups_join_diagonally:
        "b......./......../......../....w.../..w...../......../......../.......b w 10", "C4-D4" => "White (all stones connected)";
    groups_do_not_join_around_the_edge:
        "...b..../.......w/w......./......../......../......../w......./...b.... w 10", "A2-A4" => "none";
    no_legal_move_loses:
        "....b..w/......bb/......../......../......../......../bb....../wb...... b 9", "E8-G8" => "Black (no legal move)";
    no_draw_after_199_plies:
        ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 198", "B1-B3" => "none";
    draw_after_200_plies:
        ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 198", "B1-B3 A2-C2" => "tie (move limit)";
    one_group_on_ply_200_wins:
        "b......./......../......../.....w../...w..../......../......../.......b w 199", "D4-E4" => "White (all stones connected)";
    opponent_connected_on_ply_200_wins:
        "b......w/b......./......../......../...w.b../......../......../........ w 199", "D4-F4" => "Black (all stones connected)";
    no_legal_move_on_ply_200_loses:
        "....b..w/......bb/......../......../......../......../bb....../wb...... b 199", "E8-G8" => "Black (no legal move)";
    repetition_means_nothing:
        ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 0",
        "B1-B3 A2-C2 B3-B1 C2-A2 B1-B3 A2-C2 B3-B1 C2-A2 B1-B3 A2-C2 B3-B1 C2-A2" => "none";
}
