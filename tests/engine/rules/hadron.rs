//! Hadron: the neighbours that allow a stone, and the loser at the end.

use crate::support::{hadron, random_walk};
use alesia::games::Hadron;

/// A named test for each case: whether the middle of 3 × 3 cells is legal with these neighbours
/// to the north, west, east and south.
macro_rules! middle {
    ($($name:ident: $neighbours:literal => $legal:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let &[north, west, east, south] = $neighbours.as_bytes() else { unreachable!() };
                let [north, west, east, south] = [north, west, east, south].map(char::from);
                let stones = $neighbours.bytes().filter(|&cell| cell != b'.').count();
                for side in ['w', 'b'] {
                    let text = format!(".{north}./{west}.{east}/.{south}. {side} {stones}");
                    assert_eq!(hadron(&text).allows("B2"), $legal, "{text}");
                }
            }
        )*
    };
}

middle! {
    no_neighbour: "...." => true;
    one_white: "w..." => false;
    one_black: "..b." => false;
    one_each_across: "w..b" => true;
    one_each_at_a_corner: "wb.." => true;
    one_each_side_by_side: ".bw." => true;
    two_white: "w..w" => false;
    two_black: ".bb." => false;
    two_white_and_one_black: "wwb." => false;
    one_white_and_two_black: "b.wb" => false;
    two_each_across: "wbbw" => true;
    two_each_at_corners: "wwbb" => true;
    two_each_alternating: "wbwb" => true;
    three_white: "www." => false;
    three_white_and_one_black: "wwbw" => false;
    one_white_and_three_black: "bbwb" => false;
    four_white: "wwww" => false;
    four_black: "bbbb" => false;
}

#[test]
fn diagonal_neighbours_do_not_count() {
    assert!(hadron("w.w/.../..b b 3").allows("B2"));
}

#[test]
fn neighbours_do_not_wrap_around_the_edge() {
    assert!(hadron("..w/.../... b 1").allows("B1"));
    assert!(hadron(".../w../... b 1").allows("A3"));
    assert!(hadron("........w/........./......... b 1").allows("B1"));
    assert!(hadron("........./w......../......... b 1").allows("A9"));
}

#[test]
fn corner_and_edge_count_the_neighbours_they_have() {
    let game = hadron("w../.b./... w 2");
    assert_eq!(game.notations().join(" "), "A2 A3 B1 C1 C3");
}

#[test]
fn stones_stay_where_they_are() {
    let game = hadron("wb/bw w 4");
    assert!(game.notations().is_empty());
    assert!(!hadron("w../.../... b 1").allows("A1"));
}

#[test]
fn both_sides_have_the_same_legal_cells() {
    let mut rng = fastrand::Rng::with_seed(2);
    for plies in 0..60 {
        let position = random_walk(Hadron::start(9, 9), plies, &mut rng).position;
        let text = position.to_string();
        let other = if text.contains(" w ") {
            text.replace(" w ", " b ")
        } else {
            text.replace(" b ", " w ")
        };
        assert_eq!(hadron(&text).notations(), hadron(&other).notations());
    }
}

boards! { hadron;
    each_side_places_its_own_colour: ".../... w 0", "A1 B2 A2" => "ww./.b. b 3";
}

endings! { hadron;
    single_cell_is_won_by_white: ". w 0", "A1" => "White (no legal move)";
    single_cell_is_open_before: ". w 0", "" => "none";
    empty_cell_that_nobody_may_take_ends_the_game: ".. w 0", "A2" => "White (no legal move)";
    four_cells_are_open_after_three_stones: "../.. w 0", "A1 B2 A2" => "none";
    four_cells_full_are_won_by_the_last_to_move: "../.. w 0", "A1 B2 A2 B1" => "Black (no legal move)";
    cell_between_one_of_each_keeps_it_open: "w.. b 1", "A3" => "none";
    full_board_after_81_plies_is_no_draw:
        "wbwbwbwbw/bwbwbwbwb/wbwbwbwbw/bwbwbwbwb/wbwbwbwbw/bwbwbwbwb/wbwbwbwbw/bwbwbwbwb/wbwbwbwbw b 81", "" => "White (no legal move)";
}
