//! `alesia-lab train book` as users and scripts see it.

use std::fs;

use crate::lab::{fresh_file, run, texts};
use alesia::book::{Book, BookLine};
use alesia::game::Game;
use alesia::games::AnyGame;

/// The output for a small book, and the book.
fn made(game: &str, name: &str, options: &str) -> (String, String) {
    let out = fresh_file(&format!("{name}-{game}.txt"));
    let words = format!("book {game} --positions 6 --nodes 400 {options} --out {}", out.display());
    let output = run(words.split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(errors.lines().all(|line| line.starts_with("positions: ")), "{errors}");
    (text.replace(out.to_str().unwrap(), "FILE"), fs::read_to_string(out).unwrap())
}

fn check(game: &str) {
    let start = AnyGame::named(game).unwrap();
    let (said, text) = made(game, "one", "");
    let lines: Vec<&str> = said.lines().collect();
    let [summary, "FILE written"] = lines[..] else { panic!("{said}") };
    assert!(summary.starts_with("6 positions searched; "), "{said}");
    let head = format!(
        "# The book of {}, made by\n#   alesia-lab train book {game} --positions 6 --nodes 400 \
         --margin 0.02 --seed 1\n",
        start.title()
    );
    assert!(text.starts_with(&head), "{text}");
    let book = Book::read(&start, &text).unwrap();
    assert!(!book.answers(&start).is_empty() && book.lines() > 0, "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert_eq!(BookLine::read(start, line).unwrap().text(start), line);
    }
    // The same again, and another with another seed.
    assert_eq!(made(game, "again", ""), (said, text.clone()));
    assert_ne!(made(game, "other", "--seed 2 --margin 0.1").1, text);
}

#[test]
fn a_book_of_murus_gallicus_reads_back() {
    check("murus");
}

#[test]
fn a_book_of_hadron_reads_back() {
    check("hadron");
}

#[test]
fn a_book_of_lines_of_action_reads_back() {
    check("loa");
}

#[test]
fn a_book_of_voidrider_chess_reads_back() {
    check("voidrider");
}

#[test]
fn unusable_arguments_are_reported_in_one_line() {
    let cases = [
        ("hadron7", "'<GAME>': game: found `hadron7`, expected murus, hadron, loa"),
        ("go", "'<GAME>': game: found `go`, expected murus, hadron, loa"),
        ("murus --positions 0", "--positions: found `0`, expected a whole number from 1 to 100000"),
        ("murus --nodes 0", "--nodes: found `0`, expected a whole number from 1 to 100000000"),
        ("murus --margin 2", "'--margin <SHARE>': expected a number from 0 to 1, such as 0.02"),
        ("murus --out none/there.txt", "--out: cannot write none/there.txt, expected a file"),
        ("murus", "--out: cannot write src/games/murus/book.txt, expected to run at the root"),
    ];
    for (arguments, expected) in cases {
        let output = run(["book"].into_iter().chain(arguments.split(' ')));
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), &*text), (Some(2), ""), "{arguments}: {errors}");
        assert!(errors.contains(expected), "{arguments}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}
