//! `loa:standard` against games of OpenSpiel's `lines_of_action`, recorded by
//! `tools/checks/openspiel_loa.py`: how many moves there are at each ply, and how each game ends.

use alesia::game::{Ending, Game, GameState, MAX_PLIES, Outcome, Rule, Side};
use alesia::games::loa::Layout;
use alesia::games::{AnyGame, Loa};
use alesia::search::clock::Budget;
use alesia::search::{EngineKind, EngineOptions};

const GAMES: &str = include_str!("../data/openspiel_loa.tsv");

/// Plays a recorded game, in which each move follows the number of legal ones, and returns how it
/// ends.
fn play(moves: &str) -> (GameState<Loa>, Ending) {
    let mut state = GameState::new(Loa::start(Layout::Standard));
    for (ply, word) in moves.split(' ').enumerate() {
        let (count, m) = word.split_once(':').unwrap();
        assert_eq!(state.ending(), None, "ply {ply}");
        assert_eq!(state.moves().len(), count.parse::<usize>().unwrap(), "ply {ply}");
        state.play(state.position.parse_move(m).unwrap());
    }
    (state, state.ending().expect("the game is over there"))
}

#[test]
fn recorded_games_go_and_end_as_in_openspiel() {
    let mut ends = [0; 3];
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let (winner, moves) = line.split_once('\t').unwrap();
        let (state, ending) = play(moves);
        let expected = match winner {
            "White" => Outcome::Win(Side::White),
            "Black" => Outcome::Win(Side::Black),
            _ => Outcome::Draw,
        };
        assert_eq!(ending.outcome, expected, "{moves}");
        let rules = [Loa::CONNECTED, Loa::REPEATED, Rule::PLY_LIMIT];
        ends[rules.iter().position(|&rule| rule == ending.rule).unwrap()] += 1;
        if ending.rule == Rule::PLY_LIMIT {
            assert_eq!(state.position.ply(), MAX_PLIES);
        }
    }
    assert!(ends[0] > 20 && ends[1] > 5 && ends[2] == 1, "{ends:?}");
}

/// A named test for each case: how a game ends that begins with a text board.
macro_rules! standard_ends {
    ($($name:ident: $board:expr, $moves:expr => $ending:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let start = Loa::start(Layout::Standard).parse_board($board).unwrap();
                let mut state = GameState::new(start);
                state.play_text($moves).unwrap();
                let ending = state.ending();
                assert_eq!(ending.map_or("none".to_owned(), |end| end.to_string()), $ending);
            }
        )*
    };
}

const START: &str = ".bbbbbb./w......w/w......w/w......w/w......w/w......w/w......w/.bbbbbb. b";
const ONE_MOVE: &str = "w......./......../......../.....b../...b..../......../......../.......w b";
const NO_MOVE: &str = "....w..b/......ww/......../......../......../......../ww....../bw...... w";
/// White comes back in three moves, Black in two, and then has none.
const NO_MOVE_AGAIN: &str =
    ".....wwb/......ww/......../......w./......../w.w...../ww....../bww...w. w";

standard_ends! {
    black_moves_first: &format!("{START} 0"), "B1-B3" => "none";
    goes_on_after_200_plies: &format!("{START} 199"), "B1-B3 A2-C2" => "none";
    goes_on_until_a_board_comes_back: &format!("{START} 0"), "B1-B3 A2-C2 B3-B1" => "none";
    a_board_that_comes_back_is_a_draw: &format!("{START} 0"), "B1-B3 A2-C2 B3-B1 C2-A2" =>
        "tie (repetition of the board)";
    it_may_be_the_other_sides_turn_then: &format!("{START} 0"), "B1-B3 A3-C5 B3-D3 C5-A3 D3-B1" =>
        "tie (repetition of the board)";
    a_board_that_comes_back_is_a_draw_for_a_side_without_a_move_too:
        &format!("{NO_MOVE_AGAIN} 0"), "H7-F7 H8-H7 F7-F5 H7-H8 F5-H7" =>
        "tie (repetition of the board)";
    one_group_wins_on_ply_999: &format!("{ONE_MOVE} 998"), "D4-E4" => "Black (all stones connected)";
    one_group_on_ply_1000_is_a_draw: &format!("{ONE_MOVE} 999"), "D4-E4" => "tie (move limit)";
    no_legal_move_loses_on_ply_999: &format!("{NO_MOVE} 998"), "E8-G8" => "White (no legal move)";
    no_legal_move_on_ply_1000_is_a_draw: &format!("{NO_MOVE} 999"), "E8-G8" => "tie (move limit)";
}

/// On the last ply a connection is worth nothing: whoever believes it a win would say so.
#[test]
fn no_engine_counts_on_a_win_on_the_last_ply() {
    let start = AnyGame::named("loa:standard").unwrap();
    let options = EngineOptions { memory: 4 << 20, ..EngineOptions::default() };
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        let mut engine = kind.build(start, &options).unwrap();
        // Where White is to move, the last move is Black's.
        let boards = [ONE_MOVE.to_owned(), ONE_MOVE.replace(" b", " w")];
        for (board, ply, value) in [(0, 998, 1.0), (0, 999, 0.5), (1, 998, 0.5)] {
            let board = start.parse_board(&format!("{} {ply}", boards[board])).unwrap();
            let report = engine.think(&GameState::new(board), &Budget::nodes(500), &mut |_| {});
            assert_eq!(report.value, value, "{kind:?}, ply {ply}");
        }
    }
}
