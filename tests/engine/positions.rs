//! The reference games, every ply of them, in both implementations; and that faults are found.

use alesia::game::check::{CheckSummary, Mismatch, Subject, check};
use alesia::game::{Game, ParseError};
use alesia::games::loa::Layout;
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia_plain::{self as plain, PlainGame, PlainResult};

const MURUS: &str = include_str!("../data/positions/murus.tsv");
const HADRON: &str = include_str!("../data/positions/hadron.tsv");
const LOA: &str = include_str!("../data/positions/loa.tsv");
const VOIDRIDER: &str = include_str!("../data/positions/voidrider.tsv");

fn checked<G: Game>(start: G, text: &str) -> Result<(CheckSummary, Vec<Mismatch>), ParseError> {
    let mut mismatches = Vec::new();
    let summary = check(start, text, &mut |mismatch| mismatches.push(mismatch))?;
    Ok((summary, mismatches))
}

/// Replays a file with the fast implementation: no mismatch, and no line left out.
fn fast_agrees<G: Game>(start: G, text: &str) {
    let (summary, mismatches) = checked(start, text).unwrap();
    assert_eq!(mismatches, []);
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("GAME"));
    assert_eq!(summary, CheckSummary { positions: lines.count(), mismatches: 0 });
}

/// Replays a file with the plain implementation, every field compared. (Its own reader, since
/// that of `alesia check` is under test too.)
fn plain_agrees<P: PlainGame>(start: &P, text: &str) {
    let mut game = start.clone();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        match line.split('\t').collect::<Vec<_>>()[..] {
            [comment] if comment.starts_with('#') => {}
            ["GAME", _] => game = start.clone(),
            ["END", plies, result, rows] => {
                let result = match result {
                    "w" => PlainResult::White,
                    "b" => PlainResult::Black,
                    "d" => PlainResult::Draw,
                    other => panic!("result {other:?} in line {number}"),
                };
                assert_eq!(game.result(), Some(result), "line {number}");
                assert_eq!(game.ply().to_string(), plies, "line {number}");
                assert_eq!(game.rows(), rows, "line {number}");
            }
            [ply, side, rows, listed, played] => {
                assert_eq!(game.result(), None, "line {number}");
                assert_eq!(game.ply().to_string(), ply, "line {number}");
                assert_eq!(game.white_to_move(), side == "w", "line {number}");
                assert_eq!(game.rows(), rows, "line {number}");
                let moves = game.moves();
                let mut names: Vec<String> = moves.iter().map(|&m| game.notation(m)).collect();
                names.sort();
                assert_eq!(names.join(" "), listed, "line {number}");
                let m = moves.iter().find(|&&m| game.notation(m) == played);
                game.play(*m.unwrap_or_else(|| panic!("{played} in line {number}")));
            }
            _ => panic!("line {number} has another form: {line}"),
        }
    }
}

#[test]
fn murus_by_the_fast_implementation() {
    fast_agrees(Murus::start(), MURUS);
}

#[test]
fn murus_by_the_plain_implementation() {
    plain_agrees(&plain::Murus::start(), MURUS);
}

#[test]
fn hadron_by_the_fast_implementation() {
    fast_agrees(Hadron::start(9, 9), HADRON);
}

#[test]
fn hadron_by_the_plain_implementation() {
    plain_agrees(&plain::Hadron::start(9, 9), HADRON);
}

#[test]
fn loa_by_the_fast_implementation() {
    fast_agrees(Loa::start(Layout::Rows), LOA);
}

#[test]
fn loa_by_the_plain_implementation() {
    plain_agrees(&plain::Loa::start(), LOA);
}

#[test]
fn voidrider_by_the_fast_implementation() {
    fast_agrees(Voidrider::start(), VOIDRIDER);
}

#[test]
fn voidrider_by_the_plain_implementation() {
    plain_agrees(&plain::Voidrider::start(), VOIDRIDER);
}

/// A whole game of Hadron on 2 × 3 cells.
const SHORT: &str = "GAME\t0
0\tw\t.../...\tA1 A2 A3 B1 B2 B3\tA1
1\tb\tw../...\tA3 B2 B3\tB2
2\tw\tw../.b.\tA2 A3 B1\tA2
3\tb\tww./.b.\tB1\tB1
END\t4\tb\tww./bb.
";

#[test]
fn a_faultless_short_game_has_five_positions() {
    let (summary, mismatches) = checked(Hadron::start(2, 3), SHORT).unwrap();
    assert_eq!(mismatches, []);
    assert_eq!(summary.to_string(), "5 positions, 0 mismatches");
}

/// One named test for each fault: what stands in the file instead of what, and the reports.
macro_rules! planted_faults {
    ($($name:ident: $right:literal => $wrong:literal, $reports:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let text = SHORT.replacen($right, $wrong, 1);
                assert_ne!(text, SHORT, "the fault is planted");
                let (summary, mismatches) = checked(Hadron::start(2, 3), &text).unwrap();
                let reports: Vec<String> =
                    mismatches.iter().map(|m| format!("line {}, {}", m.line, m.subject)).collect();
                assert_eq!(reports, $reports);
                assert_eq!(summary.mismatches, reports.len());
            }
        )*
    };
}

planted_faults! {
    fault_changed_board: "w../.b." => "w../b..", ["line 4, board"];
    fault_missing_move: "A2 A3 B1\t" => "A2 A3\t", ["line 4, legal moves"];
    fault_superfluous_move: "A3 B2 B3" => "A3 B1 B2 B3", ["line 3, legal moves"];
    fault_other_move: "A3 B2 B3" => "A2 B2 B3", ["line 3, legal moves"];
    fault_doubled_move: "A3 B2 B3" => "A3 B2 B2 B3", ["line 3, legal moves"];
    fault_wrong_ply: "2\tw" => "4\tw", ["line 4, plies"];
    fault_wrong_side: "2\tw" => "2\tb", ["line 4, side to move"];
    fault_wrong_winner: "4\tb\tww" => "4\tw\tww", ["line 6, result"];
    fault_wrong_draw: "4\tb\tww" => "4\td\tww", ["line 6, result"];
    fault_wrong_length: "4\tb\tww" => "5\tb\tww", ["line 6, plies"];
    fault_wrong_final_board: "ww./bb." => "ww./bbw", ["line 6, board"];
    fault_illegal_move: "B3\tB2\n" => "B3\tB1\n", ["line 3, move"];
    fault_unreadable_move: "B3\tB2\n" => "B3\t?\n", ["line 3, move"];
    fault_move_on_an_occupied_cell: "B3\tB2\n" => "B3\tA1\n", ["line 3, move"];
    fault_game_ended_early: "3\tb\tww./.b.\tB1\tB1\nEND\t4\tb\tww./bb." => "END\t3\tw\tww./.b.",
        ["line 5, result"];
    fault_game_goes_on: "END" => "4\tw\tww./bb.\t\tA3\nEND", ["line 6, result"];
    fault_two_at_once: "2\tw\tw../.b." => "3\tw\t.../...", ["line 4, plies", "line 4, board"];
}

/// Damages single lines of a reference file: each fault is reported, on its line, and only there.
fn faults_in_a_file_are_found<G: Game>(start: G, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let mut rng = fastrand::Rng::with_seed(7);
    let mut planted = 0;
    while planted < crate::support::cases(40) {
        let index = rng.usize(..lines.len());
        let fields: Vec<&str> = lines[index].split('\t').collect();
        let mut damaged: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
        let subject = match (fields.len(), rng.usize(..3)) {
            (5, 0) => {
                damaged[2] = fields[2].replacen('.', "w", 1);
                Subject::Board
            }
            (5, 1) => {
                damaged[3] = fields[3].split_once(' ').map_or("", |(_, rest)| rest).to_owned();
                Subject::LegalMoves
            }
            (5, _) => {
                damaged[0] = (fields[0].parse::<usize>().unwrap() + 2).to_string();
                Subject::Plies
            }
            (4, _) => {
                damaged[2] = if fields[2] == "w" { "d".to_owned() } else { "w".to_owned() };
                Subject::Result
            }
            _ => continue,
        };
        let damaged = damaged.join("\t");
        let mut with_fault = lines.clone();
        with_fault[index] = &damaged;
        let (_, mismatches) = checked(start, &with_fault.join("\n")).unwrap();
        let found: Vec<_> = mismatches.iter().map(|m| (m.line, m.subject)).collect();
        assert_eq!(found, [(index + 1, subject)], "{damaged}");
        planted += 1;
    }
}

#[test]
fn faults_in_the_reference_games_are_found() {
    faults_in_a_file_are_found(Murus::start(), MURUS);
    faults_in_a_file_are_found(Hadron::start(9, 9), HADRON);
    faults_in_a_file_are_found(Loa::start(Layout::Rows), LOA);
    faults_in_a_file_are_found(Voidrider::start(), VOIDRIDER);
}
