//! The texts of books, and engines that play from them.

use std::time::{Duration, Instant};

use super::*;
use crate::game::chance::Chance;
use crate::game::{Game, GameState, Move, MoveList};
use crate::games::loa::Layout;
use crate::games::{AnyGame, AnyState, Hadron, Loa, Symmetry};
use crate::search::clock::Budget;
use crate::search::report::Report;
use crate::search::{Engine, EngineKind, EngineOptions};

/// The standard start of a game.
fn game(name: &str) -> AnyGame {
    AnyGame::named(name).unwrap()
}

fn after(start: AnyGame, moves: &str) -> AnyState {
    let mut state = GameState::new(start);
    state.play_text(moves).unwrap();
    state
}

/// A small engine with a book.
fn engine(start: AnyGame, kind: EngineKind, book: &str, seed: u64) -> WithBook {
    let options = EngineOptions { memory: 1 << 20, ..EngineOptions::default() };
    let engine = kind.build(start, &options).unwrap();
    WithBook::with(engine, Book::read(&start, book).unwrap(), seed)
}

fn think(engine: &mut WithBook, state: &AnyState) -> Report {
    engine.think(state, &Budget::nodes(20), &mut |_| {})
}

/// Plays random games on the board and on the board turned or mirrored.
fn check_symmetries(start: AnyGame) {
    let mut rng = fastrand::Rng::with_seed(1);
    for &symmetry in start.symmetries().iter().cycle().take(24) {
        let (mut plain, mut turned) = (GameState::new(start), GameState::new(start));
        loop {
            assert_eq!(plain.ending(), turned.ending(), "{}", plain.position);
            if plain.ending().is_some() {
                break;
            }
            let image = |m: Move| symmetry.image(&plain.position.notation(m).to_string());
            let (mut moves, mut others) = (MoveList::new(), MoveList::new());
            plain.position.moves(&mut moves);
            turned.position.moves(&mut others);
            assert_eq!(moves.len(), others.len(), "{} {}", plain.position, turned.position);
            for &m in &moves {
                turned.position.parse_move(&image(m)).unwrap();
            }
            let m = *rng.pick(&moves).unwrap();
            turned.play_text(&image(m)).unwrap();
            plain.play(m);
        }
    }
}

#[test]
fn a_board_turned_or_mirrored_has_the_same_rules() {
    check_symmetries(game("murus"));
    check_symmetries(game("hadron"));
    check_symmetries(game("loa"));
    check_symmetries(game("voidrider"));
}

#[test]
fn notations_are_turned_and_mirrored() {
    let images = |symmetries: &[Symmetry], text: &str| {
        let images: Vec<String> = symmetries.iter().map(|symmetry| symmetry.image(text)).collect();
        images.join(" ")
    };
    assert_eq!(images(game("murus").symmetries(), "G2,NE"), "G2,NE G7,NW");
    assert_eq!(images(game("hadron").symmetries(), "B3"), "B3 H3 B7 H7 C2 C8 G2 G8");
    assert_eq!(images(game("loa").symmetries(), "B1-B3"), "B1-B3 G1-G3 B8-B6 G8-G6");
    assert_eq!(images(game("voidrider").symmetries(), "a8-b9=R"), "a8-b9=R g8-f9=R");
}

/// The properties of the compiled book: every line is written as it is read, leads by legal moves
/// to legal answers, is found, and the answers differ by at most a margin.
fn check_compiled_in(start: AnyGame, least: usize) {
    let book = Book::compiled_in(&start).unwrap();
    assert!(book.lines() >= least, "{}: {} positions", start.title(), book.lines());
    assert!(!book.answers(&start).is_empty());
    assert!(start.book().starts_with("# The book of "), "the command that made it");
    let lines = start.book().lines().filter(|line| !line.starts_with('#'));
    for text in lines {
        let line = BookLine::read(start, text).unwrap();
        assert_eq!(line.text(start), text);
        let mut state = GameState::new(start);
        line.moves.iter().for_each(|&m| state.play(m));
        assert_eq!(state.ending(), None, "{text}");
        let answers = book.answers(&state.position);
        let legal = state.position.legal_moves();
        assert!(answers.iter().all(|answer| legal.contains(&answer.m)), "{text}");
        assert!(line.answers.iter().all(|answer| answers.contains(answer)), "{text}");
        let best = line.answers[0].thousandths;
        let in_order = line.answers.is_sorted_by_key(|answer| u16::MAX - answer.thousandths);
        let least = line.answers.iter().map(|answer| answer.thousandths).min();
        assert!(in_order && least.unwrap() + 21 >= best, "{text}");
    }
}

#[test]
fn the_books_are_what_they_claim() {
    check_compiled_in(game("murus"), 200);
    check_compiled_in(game("hadron"), 60);
    check_compiled_in(game("loa"), 150);
    check_compiled_in(game("voidrider"), 60);
}

#[test]
fn a_position_is_found_however_it_came_about() {
    let book = Book::read(&game("hadron"), "# Some.\n\nE5 A1 B3 | G2/480 G8/470\n").unwrap();
    let found = |moves: &str| {
        let state = after(game("hadron"), moves);
        let answers = book.answers(&state.position).iter();
        let mut texts: Vec<String> =
            answers.map(|answer| state.position.notation(answer.m).to_string()).collect();
        texts.sort_unstable();
        texts.join(" ")
    };
    assert_eq!(found("E5 A1 B3"), "G2 G8");
    assert_eq!(found("B3 A1 E5"), "G2 G8");
    assert_eq!(found("E5 A9 B7"), "G2 G8", "mirrored");
    assert_eq!(found("E5 A1 C2"), "B7 H7", "rows and columns exchanged");
    for other in ["", "E5", "E5 A1", "E5 B3 A1", "E5 A1 B3 G2", "E5 A1 B4"] {
        assert_eq!(found(other), "", "{other}");
    }
    // From a board that looks the same turned, an answer goes all ways.
    let book = Book::read(&game("hadron"), "| B3/510 E5/500").unwrap();
    assert_eq!(book.answers(&game("hadron")).len(), 9);
}

#[test]
fn nothing_of_another_start_is_found() {
    let book = Book::read(&game("hadron"), "| E5/500").unwrap();
    assert!(!book.answers(&game("hadron")).is_empty());
    for (rows, columns) in [(5, 5), (7, 7), (9, 8), (8, 9)] {
        let start = AnyGame::from(Hadron::start(rows, columns));
        assert_eq!(
            start.key(),
            AnyGame::from(Hadron::start(9, 9)).key(),
            "keys alone would mislead"
        );
        assert!(book.answers(&start).is_empty());
    }
    let book = Book::read(&game("loa"), "| B1-B3/500").unwrap();
    assert!(!book.answers(&AnyGame::from(Loa::start(Layout::Rows))).is_empty());
    assert!(book.answers(&AnyGame::from(Loa::start(Layout::Files))).is_empty());
    let book = Book::read(&game("voidrider"), "| d3-d4/500").unwrap();
    let start = game("voidrider");
    let text = start.to_string();
    let no_rights = start.parse_board(&text.replace("DdUu", "DdU")).unwrap();
    let later = start.parse_board(&text.replace(" w 0 DdUu 0", " w 2 DdUu 2")).unwrap();
    assert!(!book.answers(&start).is_empty());
    assert!(book.answers(&no_rights).is_empty() && book.answers(&later).is_empty());
}

#[test]
fn a_broken_book_is_reported_in_one_error() {
    let error = |text: &str| {
        Book::read(&game("hadron"), text).err().map(|error| error.to_string()).unwrap()
    };
    let cases = [
        (
            "E5",
            "line 1, line: found `E5`, expected moves, a bar and answers, such as `A1 B2 | C3/500`",
        ),
        (
            "# x\nE5 E5 | A1/5",
            "line 2, move 2, move: found `E5`, expected a legal move of Black such as A1",
        ),
        ("E5 |", "line 1, answers: found none, expected at least one, such as `C3/500`"),
        (
            "E5 | A1",
            "line 1, answer 1, answer: found `A1`, expected a move and thousandths, such as `C3/500`",
        ),
        (
            "E5 | A1/5 E5/5",
            "line 1, answer 2, move: found `E5`, expected a legal move of Black such as A1",
        ),
        ("E5 | A1/5 A1/5", "line 1, answer 2: found `A1/5`, expected each answer once"),
        (
            "E5 | A1/1001",
            "line 1, answer 1, thousandths: found `1001`, expected a whole number from 0 to 1000",
        ),
        (
            "E5 | A1/-1",
            "line 1, answer 1, thousandths: found `-1`, expected a whole number from 0 to 1000",
        ),
        (
            "A1 | B9/5\n\nI9 | A1/5",
            "line 3: found the position of line 1, perhaps turned or mirrored, expected each position once",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected);
    }
    let finished = format!("{}| A1/5", "a1-a1 ");
    assert!(Book::read(&game("voidrider"), &finished).is_err());
    let mut rng = fastrand::Rng::with_seed(1);
    let words = ["E5", "A1", "|", "/5", " ", "\n", "#", "é", "\0", "E5/500", "I9/1000"];
    for _ in 0..20_000 {
        let text: String = (0..rng.index(..8)).map(|_| words[rng.index(..words.len())]).collect();
        let _ = Book::read(&game("hadron"), &text);
    }
}

#[test]
fn a_move_of_the_book_is_played_at_once_and_another_with_another_seed() {
    let book = "| E5/503 A1/500";
    let start = GameState::new(game("hadron"));
    let mut seen = Vec::new();
    for seed in 0..30 {
        let mut engine = engine(start.position, EngineKind::AlphaBeta, book, seed);
        // Without the book, this would be a search of an hour.
        let hour = Budget::until(Instant::now() + Duration::from_secs(3600));
        let report = engine.think(&start, &hour, &mut |_| {});
        assert!(report.from_book && report.nodes == 0);
        let text = start.position.notation(report.best).to_string();
        assert_eq!(report.value, if text == "E5" { 0.503 } else { 0.5 });
        let info = report.info(&start.position);
        assert!(info.ends_with(&format!(" book pv {text}")), "{info}");
        // A new game of the same seed begins in the same way.
        engine.new_game(seed);
        assert_eq!(think(&mut engine, &start).best, report.best);
        seen.push(text);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, ["A1", "A9", "E5", "I1", "I9"]);
}

#[test]
fn thinks_where_the_book_has_no_move() {
    let start = game("hadron");
    let mut engine = engine(start, EngineKind::MonteCarlo, "| E5/500", 1);
    let report = think(&mut engine, &after(start, "E5"));
    assert!(!report.from_book && report.nodes == 20);
    assert!(!report.info(&start).contains("book"));
    // Nor where a position is analysed: it has no limit but a stop.
    let stop = std::sync::atomic::AtomicBool::new(true);
    let budget = Budget { stop: Some(&stop), ..Budget::default() };
    assert!(!engine.think(&GameState::new(start), &budget, &mut |_| {}).from_book);
}
