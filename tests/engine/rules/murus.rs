//! Murus Gallicus: steps and sacrifices of towers, the home rows, the tie.

use crate::support::murus;

/// A white tower on D4, and on the two cells east of it what a case names.
fn tower_facing(cells: &str) -> String {
    format!("......../......../......../...W{cells}../......../......../........ w 0")
}

/// A named test for each case: whether the tower may move east.
macro_rules! east {
    ($($name:ident: $cells:literal => $legal:literal;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(murus(&tower_facing($cells)).allows("D4,E"), $legal);
            }
        )*
    };
}

east! {
    step_onto_two_empty_cells: ".." => true;
    step_onto_an_own_wall_and_an_empty_cell: "w." => true;
    step_onto_an_empty_cell_and_an_own_wall: ".w" => true;
    step_onto_two_own_walls: "ww" => true;
    no_step_onto_an_own_tower_first: "W." => false;
    no_step_onto_an_own_tower_second: ".W" => false;
    no_step_onto_an_enemy_wall_second: ".b" => false;
    no_step_onto_an_enemy_tower_second: ".B" => false;
    no_step_past_an_own_wall_onto_an_enemy_wall: "wb" => false;
    no_step_past_an_own_wall_onto_an_own_tower: "wW" => false;
    sacrifice_before_an_empty_cell: "b." => true;
    sacrifice_before_an_enemy_wall: "bb" => true;
    sacrifice_before_an_enemy_tower: "bB" => true;
    sacrifice_before_an_own_wall: "bw" => true;
    sacrifice_before_an_own_tower: "bW" => true;
    no_sacrifice_of_an_enemy_tower: "B." => false;
    no_sacrifice_of_an_enemy_tower_before_a_wall: "Bb" => false;
    no_sacrifice_of_an_enemy_wall_two_cells_away: ".b" => false;
}

targets! { murus;
    free_tower_moves_in_eight_directions:
        "......../......../......../...W..../......../......../........ w 0", "D4" => "E N NE NW S SE SW W";
    tower_among_enemy_walls_sacrifices_in_eight_directions:
        "......../......../..bbb.../..bWb.../..bbb.../......../........ w 0", "D4" => "E N NE NW S SE SW W";
    tower_among_enemy_towers_does_not_move:
        "......../......../..BBB.../..BWB.../..BBB.../......../........ w 0", "D4" => "";
    both_stones_must_stay_on_the_board:
        "......../.W....../......../......../......../......../........ w 0", "B2" => "E S SE";
    sacrifice_needs_no_cell_beyond_the_edge:
        ".b....../bW....../......../......../......../......../........ w 0", "B2" => "E N S SE W";
    walls_do_not_move:
        "......../......../......../...w..../......../......../.......W w 0", "D4" => "";
    towers_of_the_other_side_do_not_move:
        "......../......../......../...B..../......../......../.......W w 0", "D4" => "";
    black_moves_alike:
        "......../......../......../...Bw.../...W..../......../........ b 1", "D4" => "E N NE NW SE SW W";
}

boards! { murus;
    north: "......../......../......../...W..../......../......../........ w 0", "D4,N" =>
        "......../...w..../...w..../......../......../......../........ b 1";
    north_east: "......../......../......../...W..../......../......../........ w 0", "D4,NE" =>
        "......../.....w../....w.../......../......../......../........ b 1";
    east: "......../......../......../...W..../......../......../........ w 0", "D4,E" =>
        "......../......../......../....ww../......../......../........ b 1";
    south_east: "......../......../......../...W..../......../......../........ w 0", "D4,SE" =>
        "......../......../......../......../....w.../.....w../........ b 1";
    south: "......../......../......../...W..../......../......../........ w 0", "D4,S" =>
        "......../......../......../......../...w..../...w..../........ b 1";
    south_west: "......../......../......../...W..../......../......../........ w 0", "D4,SW" =>
        "......../......../......../......../..w...../.w....../........ b 1";
    west: "......../......../......../...W..../......../......../........ w 0", "D4,W" =>
        "......../......../......../.ww...../......../......../........ b 1";
    north_west: "......../......../......../...W..../......../......../........ w 0", "D4,NW" =>
        "......../.w....../..w...../......../......../......../........ b 1";
    wall_on_the_first_cell_becomes_a_tower: &tower_facing("w."), "D4,E" =>
        "......../......../......../....Ww../......../......../........ b 1";
    wall_on_the_second_cell_becomes_a_tower: &tower_facing(".w"), "D4,E" =>
        "......../......../......../....wW../......../......../........ b 1";
    walls_on_both_cells_become_towers: &tower_facing("ww"), "D4,E" =>
        "......../......../......../....WW../......../......../........ b 1";
    sacrifice_leaves_a_wall_and_an_empty_cell: &tower_facing("bB"), "D4,E" =>
        "......../......../......../...w.B../......../......../........ b 1";
    sacrifice_diagonally_at_the_edge:
        "b......./.W....../......../......../......../......../........ w 4", "B2,NW" =>
        "......../.w....../......../......../......../......../........ b 5";
    black_steps_and_sacrifices:
        "......../......../......../B...Bw../......../......../.......W b 7", "D5,E G8,N D1,S" =>
        "......../......../......../....b.../b......w/b......w/........ w 10";
}

endings! { murus;
    white_wins_on_row_a:
        "......../......../...W..../......../.......B/......../........ w 0", "C4,N" => "White (home row reached)";
    white_wins_on_row_a_diagonally:
        "......../......../...W..../......../.......B/......../........ w 0", "C4,NW" => "White (home row reached)";
    black_wins_on_row_g:
        "......../......../.......W/......../B......./......../........ b 0", "E1,S" => "Black (home row reached)";
    row_b_is_not_enough:
        "......../......../......../...W..../.......B/......../........ w 0", "D4,N" => "none";
    own_home_row_does_not_count:
        "......../......../.......B/......../...W..../......../........ w 0", "E4,S" => "none";
    sacrifice_on_the_home_row_does_not_win:
        "b......./W......./......../.......B/......../......../........ w 0", "B1,N" => "none";
    no_tower_left_loses:
        "......../......../......../b......./......../......../.......W w 0", "G8,N" => "White (no legal move)";
    no_tower_left_loses_only_at_its_turn:
        "......../......../......../b......./......../......../.......W w 0", "" => "none";
    shut_in_tower_loses:
        "......../......../BB....../WB....../bbB...../......../........ b 9", "E3,W" => "Black (no legal move)";
    tower_beside_a_single_wall_is_not_shut_in:
        "......../......../BB....../WB....../bb.B..../......../........ b 9", "E4,W" => "none";
    winning_comes_before_the_lack_of_moves:
        "......../......../......../......../B......./......../.......w b 9", "E1,S" => "Black (home row reached)";
    no_tie_after_119_plies:
        "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 118", "G1,N" => "none";
    tie_after_120_plies:
        "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 118", "G1,N A1,S" => "tie (move limit)";
    home_row_on_the_last_ply_wins:
        "......../......../......../......../B......./......../.......W b 119", "E1,S" => "Black (home row reached)";
    lack_of_moves_on_the_last_ply_loses:
        "B......./......../......../......../......../......../.......w b 119", "A1,E" => "Black (no legal move)";
}
