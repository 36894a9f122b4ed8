//! `alesia-lab train solve` beside a plain solver, and as users and scripts see it.

use std::collections::HashMap;
use std::fs;

use alesia_plain::{Hadron, PlainGame, wins};

use crate::lab::{fresh_file, run, texts};

/// The lines that `solve` prints with these words.
fn solved(words: &str) -> Vec<String> {
    let output = run(["solve"].into_iter().chain(words.split(' ')));
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{words}: {errors}");
    text.lines().map(str::to_owned).collect()
}

/// What follows a beginning, in the line that has it.
fn rest<'a>(lines: &'a [String], begin: &str) -> &'a str {
    let found = lines.iter().find_map(|line| line.strip_prefix(begin));
    found.unwrap_or_else(|| panic!("{begin} in {lines:?}"))
}

fn nodes(lines: &[String]) -> u64 {
    rest(lines, "nodes ").parse().unwrap()
}

/// The winning first moves, by playing everything.
fn winning_first_moves(rows: usize, columns: usize) -> String {
    let (start, mut known) = (Hadron::start(rows, columns), HashMap::new());
    let mut winning = Vec::new();
    for m in start.moves() {
        let mut after = start.clone();
        after.play(m);
        if !wins(&after, &mut known) {
            winning.push(start.notation(m));
        }
    }
    if winning.is_empty() { "none".to_owned() } else { winning.join(" ") }
}

fn agrees(rows: usize, columns: usize) {
    let expected = winning_first_moves(rows, columns);
    let lines = solved(&format!("hadron{rows}x{columns} --moves --memory 16MiB"));
    let result = if expected == "none" { "second" } else { "first" };
    let end = [format!("result: {result}"), format!("winning first moves: {expected}")];
    assert_eq!(lines[lines.len() - 2..], end, "{rows}x{columns}");
}

#[test]
fn the_winning_first_moves_are_those_of_a_plain_solver() {
    for (rows, columns) in [(1, 1), (1, 8), (2, 2), (2, 3), (2, 4), (5, 2), (3, 3), (3, 4), (3, 5)]
    {
        agrees(rows, columns);
    }
    for rows in 10..=12 {
        agrees(rows, 1);
    }
}

#[test]
fn a_board_that_is_too_wide_is_solved_with_rows_and_columns_exchanged() {
    for (rows, columns) in [(1, 10), (1, 11), (1, 12), (2, 10)] {
        let wide = solved(&format!("hadron{rows}x{columns} --moves --memory 16MiB"));
        let tall = solved(&format!("hadron{columns}x{rows} --moves --memory 16MiB"));
        assert_eq!(wide[0], format!("hadron{rows}x{columns} is solved as hadron{columns}x{rows}"));
        assert_eq!(wide[1..], tall);
    }
    let lines = solved("HADRON2X10 --memory 16MiB");
    assert_eq!(lines[lines.len() - 2..], ["result: second", "winning first moves: none"]);
    let [wide, tall] =
        ["hadron2x9", "hadron9x2"].map(|board| solved(&format!("{board} --moves --memory 16MiB")));
    assert_eq!(rest(&wide, "winning first moves: "), "A3 A5 A7 B3 B5 B7");
    assert_eq!(rest(&tall, "winning first moves: "), "C1 C2 E1 E2 G1 G2");
}

#[test]
fn a_file_holds_positions_of_the_exchanged_board() {
    let file = fresh_file("solve-wide.txt");
    let words = format!("--moves --memory 16MiB --resume {}", file.display());
    let first = solved(&format!("hadron2x11 {words}"));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# alesia-lab solve hadron11x2: "), "{text}");
    let again = solved(&format!("hadron11x2 {words}"));
    assert!(nodes(&first) > 0 && nodes(&again) == 0, "{first:?} {again:?}");
    assert_eq!(rest(&first, "winning first moves: "), rest(&again, "winning first moves: "));
}

#[test]
#[ignore = "minutes for the plain solver, in the release build"]
fn the_winning_first_moves_of_larger_boards_are_those_of_a_plain_solver() {
    for (rows, columns) in [(4, 4), (2, 7), (3, 6), (3, 7), (4, 5), (3, 8), (10, 2), (11, 2)] {
        agrees(rows, columns);
    }
}

#[test]
fn without_moves_the_search_ends_with_the_first_win() {
    let lines = solved("hadron3x3 --memory 16MiB");
    let [examined, _, rest, "result: first", winning] =
        lines.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        panic!("{lines:?}")
    };
    assert_eq!(
        winning.strip_prefix("winning first moves: "),
        Some(&*examined.replace(": wins", " (at least)"))
    );
    assert!(rest.starts_with("not examined: "), "{rest}");
    let lines = solved("hadron8x8 --memory 16MiB");
    assert_eq!(
        lines[lines.len() - 3..],
        ["nodes 0", "result: second", "winning first moves: none"]
    );
}

#[test]
fn one_first_move_can_be_asked_for() {
    let lines = solved("hadron3x4 --move b1 --memory 16MiB");
    assert_eq!(lines[0], "B1 B4: wins");
    assert_eq!(lines[3..], ["result: first", "winning first moves: B1 B4 (at least)"]);
    let lines = solved("hadron3x4 --move B2 --memory 16MiB");
    assert_eq!(lines[0], "B2 B3: loses");
    assert_eq!(lines[3..], ["result: unknown", "winning first moves: unknown"]);
}

#[test]
fn a_file_of_proved_positions_is_continued() {
    let file = fresh_file("solve.txt");
    let words = format!("hadron3x5 --moves --memory 16MiB --resume {}", file.display());
    let first = solved(&words);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.lines().count() > 10, "{text}");
    let again = solved(&words);
    assert!(nodes(&first) > 0 && nodes(&again) == 0, "{first:?} {again:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // As after an interruption.
    let half: Vec<&str> = text.lines().take(text.lines().count() / 2).collect();
    fs::write(&file, half.join("\n") + "\n.....").unwrap();
    let rest = solved(&words);
    assert!((1..nodes(&first)).contains(&nodes(&rest)), "{rest:?}");
    for lines in [again, rest] {
        assert_eq!(lines.last(), first.last());
    }
}

#[test]
fn progress_says_which_first_move_is_examined() {
    let output = run("solve hadron3x4 --moves --memory 16MiB".split(' '));
    let (text, errors) = texts(&output);
    let moves = text.lines().filter(|line| line.contains(": ") && !line.contains("first")).count();
    assert!(errors.lines().count() >= moves && moves == 4, "{text}{errors}");
    assert!(errors.lines().all(|line| line.contains(" nodes: ")), "{errors}");
    assert!(errors.contains("(1 of 4)") && errors.contains("(4 of 4)"), "{errors}");
}

#[test]
fn unusable_arguments_are_reported_in_one_line() {
    let other = fresh_file("no-solve.txt");
    fs::write(&other, "buy milk\n").unwrap();
    let resumed = format!("hadron3x3 --resume {}", other.display());
    let cases = [
        ("murus", "found `murus`, expected hadronRxC, one side 1 to 9, the other 1 to 12"),
        ("hadron10x10", "board: found `hadron10x10`, expected hadronRxC, one side 1 to 9"),
        ("hadron2x13", "board: found `hadron2x13`, expected hadronRxC, one side 1 to 9"),
        ("hadron02x11", "board: found `hadron02x11`, expected hadronRxC, one side 1 to 9"),
        ("hadron3x3 --memory 1MiB", "--memory: found `1MiB`, expected a size from 16MiB"),
        ("hadron3x3 --memory x", "size: found `x`, expected a size such as 512MiB"),
        ("hadron3x3 --move D1", "found `D1`, expected a cell such as `A1`: row A to C"),
        (
            "hadron2x11 --move A3",
            "hadron2x11 is solved as hadron11x2, move: found `A3`, expected a cell such as `A1`: \
             row A to K, column 1 to 2",
        ),
        ("hadron3x3 --move A1 --moves", "--move"),
        (&*resumed, ":1: found `buy milk`, expected a new file"),
    ];
    for (arguments, expected) in cases {
        let output = run(["solve"].into_iter().chain(arguments.split(' ')));
        let (text, errors) = texts(&output);
        assert_eq!((output.status.code(), &*text), (Some(2), ""), "{arguments}: {errors}");
        assert!(errors.contains(expected), "{arguments}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), "buy milk\n");
}
