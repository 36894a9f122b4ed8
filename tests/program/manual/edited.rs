//! Play by hand at a terminal that understands control sequences: lines are edited, boards have
//! symbols.

use std::process::Command;

use super::terminal::Terminal;
use super::{SMALL, alesia};

/// A terminal without colours, so that what is seen is easy to compare.
fn terminal(command: &mut Command) -> &mut Command {
    for name in ["CLICOLOR", "CLICOLOR_FORCE", "LC_CTYPE"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8")
}

fn manual(arguments: &str) -> Terminal {
    let mut command = alesia(&format!("manual {arguments} {SMALL}"));
    terminal(&mut command);
    Terminal::start(command)
}

#[test]
fn moves_and_commands_are_completed() {
    let mut terminal = manual("--side both");
    terminal.sees("] 1 White: ");
    // The only move of this tower that begins so.
    terminal.presses("g1,ne\t\r");
    terminal.sees("1 White G1,NE ");
    terminal.sees("] 2 Black: ");
    terminal.presses("und\t\r");
    terminal.sees("taken back: G1,NE");
    terminal.sees("] 1 White: ");
    // Two moves of one tower, and the rest by hand.
    terminal.presses("G3\t");
    terminal.sees("G3,N");
    terminal.presses("E\r");
    terminal.sees("1 White G3,NE ");
}

#[test]
fn earlier_lines_come_back() {
    let mut terminal = manual("--game hadron5 --side both");
    terminal.sees("] 1 White: ");
    terminal.types("clock");
    terminal.sees("clock: White ");
    terminal.sees("] 1 White: ");
    // Up, then a word is deleted and another one is typed.
    terminal.presses("\u{1b}[A\r");
    terminal.sees("clock: White ");
    terminal.sees("] 1 White: ");
    terminal.presses("\u{1b}[A\u{17}C3\r");
    terminal.sees("1 White C3 ");
}

#[test]
fn boards_have_symbols_and_the_last_move_is_marked() {
    let mut terminal = manual("--game hadron3 --side both");
    terminal.sees("  A · · · \r\n  B · · · \r\n");
    terminal.sees("] 1 White: ");
    terminal.types("B1");
    terminal.sees("  B[○]· · \r\n");
    terminal.sees("] 2 Black: ");
    terminal.types("A3");
    terminal.sees("  A · ·[●]\r\n  B ○ · · \r\n");
}

#[test]
fn help_says_what_the_symbols_are() {
    for (game, said) in [
        ("murus", "The boards here show W as ◎, w as ○, B as ◉, b as ●, and an empty cell as ·."),
        ("voidrider", "; where there is no\r\nsquare, they show nothing."),
    ] {
        let mut terminal = manual(&format!("--game {game} --side both"));
        terminal.sees("] 1 White: ");
        terminal.types("help");
        terminal.sees("quit       ends the program");
        terminal.sees(said);
        terminal.sees("] 1 White: ");
    }
}

#[test]
fn the_board_is_drawn_over_the_last_unless_words_were_listed_between() {
    let mut terminal = manual("--game hadron3 --side both");
    terminal.sees("] 1 White: ");
    terminal.types("B1");
    // Six rows of the board, the line that was typed, and the move, which is printed again above.
    terminal.sees("\u{1b}[8A\r\u{1b}[J1 White B1 ");
    terminal.sees("] 2 Black: ");
    terminal.presses("\t\t");
    terminal.sees("] 2 Black: ");
    terminal.types("A3");
    let between = terminal.sees("  A · ·[●]\r\n");
    assert!(between.contains("2 Black A3 ") && !between.contains("\u{1b}[J"), "{between}");
}

#[test]
fn the_engine_is_seen_to_think() {
    let command = "manual --game hadron --side black --threads 1 --memory 1MiB --move-time 1500";
    let mut command = alesia(command);
    terminal(&mut command);
    let mut terminal = Terminal::start(command);
    terminal.sees("White: the engine thinks, ");
    terminal.sees("  >>> White plays ");
}

#[test]
fn lines_typed_ahead_and_pasted_are_all_read() {
    let mut terminal = manual("--game hadron3 --side both");
    terminal.sees("] 1 White: ");
    terminal.presses("B1\rA3\rundo\r");
    terminal.sees("1 White B1 ");
    terminal.sees("2 Black A3 ");
    terminal.sees("taken back: A3");
    terminal.sees("] 2 Black: ");
    // As a terminal marks what is pasted.
    terminal.presses("\u{1b}[200~A3\rC2\r\u{1b}[201~\r");
    terminal.sees("2 Black A3 ");
    terminal.sees("] 3 White: C2");
    terminal.sees("3 White C2 ");
    terminal.sees("the game is over, White wins: Black has no legal move");
}

/// Ctrl-C at the prompt after the end, as well as `quit`.
#[test]
fn a_finished_game_is_kept_also_after_ctrl_c() {
    let file = std::env::temp_dir().join(format!("alesia-kept-{}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let arguments = format!("--game hadron3 --side both --record {}", file.display());
    for (moves, leave, status, games) in
        [("B1\rA3\r", 'c', 130, 0), ("B1\rA3\rC2\r", 'c', 130, 1), ("B1\rA3\rC2\r", 'd', 0, 2)]
    {
        let mut terminal = manual(&arguments);
        terminal.sees("] 1 White: ");
        terminal.presses(moves);
        terminal.sees(if moves.len() > 6 { "] over: " } else { "] 3 White: " });
        terminal.presses_ctrl(leave);
        let (rest, ended) = terminal.ends();
        assert_eq!(ended, status, "{rest}");
        assert_eq!(rest.contains("continue by hand:"), games == 0, "{rest}");
        let kept = std::fs::read_to_string(&file).unwrap();
        assert_eq!(kept.lines().count(), games, "{kept}");
        assert_eq!(kept.matches("\"move\":\"C2\"").count(), games, "{kept}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn the_keys_that_end_a_line_end_the_program() {
    let mut terminal = manual("--game hadron5 --side black");
    terminal.sees("] 2 Black: ");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();
    assert!(state.says("to move: Black; Alesia plays White"), "{:?}", state.lines);
    assert_eq!(state.plies(), 1);

    let mut terminal = manual("--game hadron5 --side both");
    terminal.sees("] 1 White: ");
    terminal.presses_ctrl('d');
    let (rest, status) = terminal.ends();
    assert!(status == 0 && rest.contains("to move: White"), "{rest}");
}
