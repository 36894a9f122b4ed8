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
fn the_engine_is_seen_to_think() {
    let command = "manual --game hadron --side black --threads 1 --memory 1MiB --move-time 1500";
    let mut command = alesia(command);
    terminal(&mut command);
    let mut terminal = Terminal::start(command);
    terminal.sees("White: the engine thinks, ");
    terminal.sees("  >>> White plays ");
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
