//! The properties of every game that search, referee and commands rely on: one suite over the trait
//! `Game`. It uses only the traits, and gets the games from the list.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::support::{Seed, cases};
use alesia::game::{Game, GameState, Move, MoveList};
use alesia::games::{BuiltIn, Hadron, Setup};

/// The legal moves as a list of their own.
fn legal<G: Game>(position: &G) -> MoveList {
    position.legal_moves()
}

/// Plays seeded random games to their end and shows every state, the last one too.
fn each_state<G: Game>(start: G, games: u64, mut show: impl FnMut(&GameState<G>)) {
    for seed in 0..games {
        let seed = Seed(seed);
        let mut rng = seed.generator();
        let mut state = GameState::new(start);
        loop {
            show(&state);
            if state.ending().is_some() {
                break;
            }
            state.play(state.position.random_move(&mut rng).expect("a move in an unfinished game"));
        }
    }
}

fn moves_are_counted_and_listed_once<G: Game>(start: G) {
    // The old content of the list must not stay in it.
    let mut list = MoveList::new();
    each_state(start, cases(200), |state| {
        state.position.moves(&mut list);
        assert_eq!(state.position.count_moves(), list.len(), "{}", state.position);
        let distinct: HashSet<&Move> = list.iter().collect();
        assert_eq!(distinct.len(), list.len(), "{}", state.position);
        let codes = start.codes();
        assert!(list.iter().all(|m| usize::from(m.code()) < codes), "{}", state.position);
    });
}

fn a_move_without_the_key_is_the_same_move<G: Game>(start: G) {
    each_state(start, cases(100), |state| {
        for m in legal(&state.position) {
            let (mut keyed, mut unkeyed) = (state.position, state.position);
            keyed.play(m);
            unkeyed.play_unkeyed(m);
            assert_eq!(keyed.to_string(), unkeyed.to_string(), "{}", state.position.notation(m));
        }
    });
}

fn random_moves_are_legal_and_uniform<G: Game>(start: G) {
    // Each move is expected often enough to show a bias.
    const EACH: usize = 200;
    let mut rng = fastrand::Rng::with_seed(11);
    let mut number = 0;
    each_state(start, cases(40), |state| {
        number += 1;
        if number % 25 != 1 {
            return;
        }
        let position = &state.position;
        let list = legal(position);
        let mut drawn = vec![0usize; list.len()];
        for _ in 0..EACH * list.len() {
            let m = position.random_move(&mut rng).expect("a move where there is one");
            let index = list.iter().position(|&other| other == m);
            drawn[index.unwrap_or_else(|| panic!("{} at {position}", position.notation(m)))] += 1;
        }
        // Pearson's statistic is near the number of moves, its deviation near the root of twice
        // that; five deviations off is never chance with these few positions.
        let statistic: f64 =
            drawn.iter().map(|&n| (n as f64 - EACH as f64).powi(2) / EACH as f64).sum();
        let freedom = list.len().saturating_sub(1) as f64;
        let most = freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0;
        assert!(statistic <= most, "{drawn:?} at {position}");
    });
}

fn boards_survive_writing_and_reading<G: Game>(start: G) {
    each_state(start, cases(200), |state| {
        let position = state.position;
        let text = position.to_string();
        let read = start.parse_board(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, position, "{text}");
        // The key kept up by the moves is the one computed from the board.
        assert_eq!(read.key(), position.key(), "{text}");
        assert_eq!(read.to_string(), text);
        // Rows alone, a character for each cell, begin a text board too.
        let (_, rest) = text.split_once(' ').expect("rows and further fields");
        let spelt = format!("{} {rest}", position.rows());
        assert_eq!(start.parse_board(&spelt), Ok(position), "{spelt}");
    });
}

/// All that a key stands for: the text board without its counts of plies.
fn without_plies<G: Game>(position: &G) -> String {
    let text = position.to_string();
    let is_count = |field: &&str| field.parse::<usize>().is_ok();
    text.split(' ').filter(|field| !is_count(field)).collect::<Vec<_>>().join(" ")
}

fn keys_are_equal_exactly_where_positions_are<G: Game>(start: G) {
    let mut board_of_key = HashMap::new();
    let mut key_of_board = HashMap::new();
    let mut note = |position: &G| {
        let board = without_plies(position);
        let key = position.key();
        assert_eq!(board_of_key.entry(key).or_insert_with(|| board.clone()), &board);
        key_of_board.insert(board.clone(), key).inspect(|&other| assert_eq!(other, key, "{board}"))
    };
    // Few moves in many orders lead to the same position in several ways.
    fn orders<G: Game>(position: &G, depth: usize, visit: &mut impl FnMut(&G)) {
        visit(position);
        if depth > 0 {
            for &m in legal(position).iter().take(6) {
                let next = position.after(m);
                orders(&next, depth - 1, visit);
            }
        }
    }
    let mut transpositions = 0;
    orders(&start, 5, &mut |position| transpositions += usize::from(note(position).is_some()));
    assert!(transpositions > 0, "the same position in two ways");
    each_state(start, cases(200), |state| {
        note(&state.position);
    });
}

fn copies_are_independent<G: Game>(start: G) {
    let mut rng = fastrand::Rng::with_seed(3);
    each_state(start, cases(60), |state| {
        let (before, moves, history) =
            (state.position, legal(&state.position), state.history.len());
        let text = before.to_string();
        let mut copy = *state;
        for _ in 0..3 {
            let Some(m) = copy.position.random_move(&mut rng) else { break };
            if copy.ending().is_some() {
                break;
            }
            copy.play(m);
            assert_ne!(copy.position, before);
        }
        assert_eq!(state.position, before);
        assert_eq!(state.position.key(), before.key());
        assert_eq!(state.position.to_string(), text);
        assert_eq!(legal(&state.position), moves);
        assert_eq!(state.history.len(), history);
    });
}

fn notation_is_read_back_in_either_case<G: Game>(start: G) {
    each_state(start, cases(60), |state| {
        let position = &state.position;
        let mut names = HashSet::new();
        for &m in &legal(position) {
            let name = position.notation(m).to_string();
            for text in [name.clone(), name.to_lowercase(), name.to_uppercase()] {
                assert_eq!(position.read_notation(&text), Ok(m), "{text} at {position}");
                assert_eq!(position.parse_move(&text), Ok(m), "{text} at {position}");
            }
            assert_eq!(Move::from_bits(m.to_bits()), Some(m));
            assert!(names.insert(name), "two moves of the same name at {position}");
        }
    });
}

fn sides_and_plies_alternate<G: Game>(start: G) {
    assert_eq!(start.ply(), 0);
    let mut previous = start;
    each_state(start, cases(100), |state| {
        let position = state.position;
        if position.ply() > 0 {
            assert_eq!(position.ply(), previous.ply() + 1);
            assert_eq!(position.side(), !previous.side());
            assert_ne!(position.key(), previous.key());
        }
        previous = position;
    });
}

fn endings_come_in_order_and_in_time<G: Game>(start: G) {
    let mut longest = 0;
    each_state(start, cases(400), |state| {
        let position = &state.position;
        let won = position.won();
        let drawn = position.drawn(&state.history);
        let moves = position.count_moves();
        let expected = match (won, moves) {
            (Some(_), _) => won,
            (None, 0) => Some(position.without_moves()),
            (None, _) => drawn,
        };
        assert_eq!(state.ending(), expected, "{position}");
        assert_eq!(position.ending(&state.history), expected, "{position}");
        if moves == 0 {
            assert_eq!(position.random_move(&mut fastrand::Rng::with_seed(0)), None);
        }
        if expected.is_none() {
            assert!(position.ply() < G::PLY_LIMIT, "{position}");
        }
        longest = longest.max(position.ply());
    });
    assert!(longest <= G::PLY_LIMIT);
}

fn refuses_illegal_moves<G: Game>(start: G, texts: &[String]) {
    // All texts at every position would need too long, so only at some in the middle.
    let every = if cfg!(debug_assertions) { 400 } else { 20 };
    let mut number = 0;
    each_state(start, 2, |state| {
        number += 1;
        if number > 2 && number % every != 0 && state.ending().is_none() {
            return;
        }
        let position = &state.position;
        let names: HashSet<String> =
            legal(position).iter().map(|&m| position.notation(m).to_string()).collect();
        let mut accepted = 0;
        for text in texts {
            match position.parse_move(text) {
                Ok(m) => {
                    assert_eq!(&position.notation(m).to_string(), text, "at {position}");
                    assert!(names.contains(text), "{text} is accepted at {position}");
                    accepted += 1;
                }
                Err(error) => {
                    assert!(!names.contains(text), "{text} is refused at {position}");
                    assert!(error.to_string().contains(text.as_str()), "{error}");
                }
            }
        }
        assert_eq!(accepted, names.len(), "every legal move is among the texts at {position}");
    });
}

fn labels_name_rows_and_columns<G: Game>(start: G) {
    let (rows, columns) = start.labels();
    let text = start.rows().to_string();
    assert_eq!(text.split('/').count(), rows.len());
    assert!(text.split('/').all(|row| row.chars().count() == columns.len()), "{text}");
    let names: HashSet<&String> = rows.iter().chain(&columns).collect();
    assert_eq!(names.len(), rows.len() + columns.len(), "{names:?}");
}

/// Texts that could be a move in some position, most of them illegal in any one: the first cell of
/// any notation of the game with the rest of any other.
fn texts<G: Game>(starts: &[G]) -> Vec<String> {
    let (mut firsts, mut rests) = (BTreeSet::new(), BTreeSet::new());
    for &start in starts {
        each_state(start, 20, |state| {
            for &m in &legal(&state.position) {
                let text = state.position.notation(m).to_string();
                let (first, rest) = text.split_at(2);
                firsts.insert(first.to_owned());
                rests.insert(rest.to_owned());
            }
        });
    }
    let with_rests = |first: &String| rests.iter().map(|rest| format!("{first}{rest}")).collect();
    firsts.iter().flat_map::<Vec<String>, _>(with_rests).collect()
}

/// The starts of a game of the list: those that lists show, or the usual one.
fn listed<G: BuiltIn>() -> Vec<G> {
    match G::Setup::LISTED {
        [] => vec![G::standard_start()],
        setups => setups.iter().map(|&setup| G::set_up(setup)).collect(),
    }
}

/// The whole suite for each start of each game of the list.
macro_rules! conformance {
    ([$($module:ident::$game:ident,)+]) => {
        $(mod $module {
            use alesia::games::$game;

            use super::*;

            fn starts() -> Vec<$game> {
                listed::<$game>()
            }

            suite!();
        })+
    };
}

/// All checks, of all that `starts` returns.
macro_rules! suite {
    () => {
        tests! {
            starts:
            moves_are_counted_and_listed_once,
            a_move_without_the_key_is_the_same_move,
            random_moves_are_legal_and_uniform,
            boards_survive_writing_and_reading,
            keys_are_equal_exactly_where_positions_are,
            copies_are_independent,
            notation_is_read_back_in_either_case,
            sides_and_plies_alternate,
            endings_come_in_order_and_in_time,
            labels_name_rows_and_columns,
        }

        #[test]
        fn refuses_illegal_moves() {
            let texts = texts(&starts());
            starts().into_iter().for_each(|start| {
                super::refuses_illegal_moves(start, &texts);
            });
        }
    };
}

/// Tests of these names, each of which does a check of the same name for every start.
macro_rules! tests {
    ($starts:ident: $($check:ident,)+) => {
        $(
            #[test]
            fn $check() {
                $starts().into_iter().for_each(super::$check);
            }
        )+
    };
}

alesia::games!(conformance);

/// A board that is not square, with a size that is not listed.
mod hadron_4x5 {
    use super::*;

    fn starts() -> [Hadron; 1] {
        [Hadron::start(4, 5)]
    }

    tests! {
        starts:
        boards_survive_writing_and_reading,
        notation_is_read_back_in_either_case,
        labels_name_rows_and_columns,
    }

    #[test]
    fn refuses_illegal_moves() {
        super::refuses_illegal_moves(starts()[0], &texts(&listed::<Hadron>()));
    }
}

/// A chess variant whose squares move, as a value.
mod squares_that_move {
    use alesia::games::AnyGame;

    use super::*;

    fn starts() -> [AnyGame; 1] {
        [AnyGame::named("variant:voidrider").expect("a built-in variant")]
    }

    suite!();
}
