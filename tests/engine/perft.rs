//! Move-sequence counts: the reference table line by line, and fast against plain anywhere.

use std::collections::BTreeSet;

use crate::support::{Both, Seed, Tested, cases, random_walk};
use alesia::game::GameState;
use alesia::game::perft::perft;
use alesia::games::loa::Layout;
use alesia::games::{AnyGame, GameSpec, Hadron, Loa, Murus, Voidrider};
use alesia::with_game;

/// Game, depth, move sequences.
type Case = (&'static str, u32, u64);

fn count(&(game, depth, _): &Case) -> u64 {
    let game: GameSpec = game.parse().unwrap();
    with_game!(AnyGame::start(game), start => perft(&GameState::new(start), depth))
}

fn count_plain(&(game, depth, _): &Case) -> u64 {
    fn count<G: Tested>(start: G, depth: u32) -> u64 {
        alesia_plain::perft(&Both::new(start).plain, depth)
    }
    let start = AnyGame::named(game).unwrap();
    macro_rules! of_twin {
        ([$($twin:ident,)+]) => {
            match start {
                $(AnyGame::$twin(start) => count(start, depth),)+
                other => panic!("{} has no plain twin", other.name()),
            }
        };
    }
    alesia_plain::twins!(of_twin)
}

/// One named test for each line of the table, and the table.
macro_rules! table {
    ($($name:ident: $game:literal $depth:literal $sequences:literal;)*) => {
        const TABLE: &[Case] = &[$(($game, $depth, $sequences)),*];
        $(
            #[test]
            fn $name() {
                assert_eq!(count(&($game, $depth, $sequences)), $sequences);
            }
        )*
    };
}

table! {
    murus_to_depth_1: "murus" 1 20;
    murus_to_depth_2: "murus" 2 400;
    murus_to_depth_3: "murus" 3 6960;
    murus_to_depth_4: "murus" 4 121104;
    murus_to_depth_5: "murus" 5 1953664;
    hadron_5x5_to_depth_1: "hadron5" 1 25;
    hadron_5x5_to_depth_2: "hadron5" 2 520;
    hadron_5x5_to_depth_3: "hadron5" 3 9032;
    hadron_5x5_to_depth_4: "hadron5" 4 129896;
    hadron_5x5_to_depth_5: "hadron5" 5 1576196;
    hadron_9x9_to_depth_1: "hadron" 1 81;
    hadron_9x9_to_depth_2: "hadron" 2 6192;
    hadron_9x9_to_depth_3: "hadron" 3 446720;
    hadron_9x9_to_depth_4: "hadron" 4 30370520;
    loa_to_depth_1: "loa" 1 36;
    loa_to_depth_2: "loa" 2 1244;
    loa_to_depth_3: "loa" 3 44952;
    loa_to_depth_4: "loa" 4 1563208;
    voidrider_to_depth_1: "voidrider" 1 23;
    voidrider_to_depth_2: "voidrider" 2 529;
    voidrider_to_depth_3: "voidrider" 3 12052;
    voidrider_to_depth_4: "voidrider" 4 274617;
}

#[test]
fn the_cases_are_the_lines_of_the_reference_table() {
    let file = include_str!("../data/perft.tsv");
    let lines: BTreeSet<String> =
        file.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    let tested: BTreeSet<String> =
        TABLE.iter().map(|(game, depth, count)| format!("{game}\t{depth}\t{count}")).collect();
    assert_eq!(lines, tested);
}

#[test]
fn the_plain_implementation_counts_the_same_table() {
    // The deepest counts are too slow for plain code in a debug build.
    let most = if cfg!(debug_assertions) { 200_000 } else { u64::MAX };
    for case in TABLE.iter().filter(|case| case.2 <= most) {
        assert_eq!(count_plain(case), case.2, "{case:?}");
    }
}

#[test]
fn depth_0_is_one_empty_sequence() {
    assert_eq!(perft(&GameState::new(Murus::start()), 0), 1);
}

#[test]
fn a_finished_position_has_no_sequences() {
    let finished = [
        ("murus", "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 120"),
        ("murus", "BBBBwBBB/......../......../......../......../......../WWWWWWW. b 9"),
        ("hadron1x2", "w. b 1"),
        ("loa", "......../......../.ww...../......../......../.b.b..../......../....b... b 9"),
        ("loa", "......../......../.w.w..../......../......../.b.b..../......../....b... w 200"),
    ];
    for (game, text) in finished {
        use alesia::game::Game;
        let game: GameSpec = game.parse().unwrap();
        let state = GameState::new(AnyGame::start(game).parse_board(text).unwrap());
        for depth in 1..=2 {
            assert_eq!(perft(&state, depth), 0, "{text}");
        }
    }
}

#[test]
fn sequences_through_a_third_occurrence_end_there() {
    let shuffle = "b2-c4 b8-c6 c4-b2 c6-b8 b2-c4 b8-c6 c4-b2";
    let mut state = GameState::new(Voidrider::start());
    state.play_text(shuffle).unwrap();
    let without_history = GameState::new(state.position);
    // Only c6-b8 repeats the start for the third time: its 23 continuations are missing.
    assert_eq!(perft(&without_history, 2) - perft(&state, 2), 23);
}

/// Compares counts to depth 2 at positions in the middle of random games.
fn midgame<G: Tested>(start: G, longest: usize) {
    for seed in 0..cases(300) {
        let seed = Seed(seed);
        let mut rng = seed.generator();
        let plies = rng.usize(0..=longest);
        let position = random_walk(start, plies, &mut rng).position;
        let both = Both::new(position);
        assert_eq!(perft(&both.fast, 2), alesia_plain::perft(&both.plain, 2), "{position}");
    }
}

macro_rules! midgames {
    ($($name:ident: $start:expr, $longest:literal plies;)*) => {
        $(
            #[test]
            fn $name() {
                midgame($start, $longest);
            }
        )*
    };
}

midgames! {
    midgame_murus: Murus::start(), 119 plies;
    midgame_hadron_9x9: Hadron::start(9, 9), 60 plies;
    midgame_hadron_5x5: Hadron::start(5, 5), 20 plies;
    midgame_hadron_1x1: Hadron::start(1, 1), 1 plies;
    midgame_hadron_1x9: Hadron::start(1, 9), 8 plies;
    midgame_hadron_2x2: Hadron::start(2, 2), 3 plies;
    midgame_hadron_3x4: Hadron::start(3, 4), 9 plies;
    midgame_hadron_4x5: Hadron::start(4, 5), 15 plies;
    midgame_hadron_9x3: Hadron::start(9, 3), 20 plies;
    midgame_hadron_7x9: Hadron::start(7, 9), 50 plies;
    midgame_loa_rows: Loa::start(Layout::Rows), 120 plies;
    midgame_loa_files: Loa::start(Layout::Files), 120 plies;
    midgame_voidrider: Voidrider::start(), 199 plies;
}
