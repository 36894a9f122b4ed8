//! One recorded game on boards, step by step.
//!
//! The one idea: all positions are there from the beginning, so a step goes anywhere. Without a
//! person at a terminal all boards are printed.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use alesia::game::{Game, ParseError, quoted};
use alesia::screen;
use alesia_match::record::GameRecord;

use crate::records::result_of;

/// What may be typed.
const HELP: &str = "Enter: next, b: back, a number: that ply, n: next game, q: quit";

/// The texts of all positions of a game, from the beginning to the end.
///
/// # Errors
/// The record is not of its game.
pub fn frames<G: Game>(start: G, record: &GameRecord) -> Result<Vec<String>, ParseError> {
    let line = record.line();
    let mut position = match &line.board {
        Some(board) => start.parse_board(board)?,
        None => start,
    };
    let plies = line.moves.len();
    let mut frames = vec![format!("0 of {plies}\n{}\n", screen::board(&position))];
    for (index, text) in line.moves.iter().enumerate() {
        let side = position.side();
        position.play(position.parse_move(text)?);
        let played = index.checked_sub(record.opening.len()).and_then(|at| record.moves.get(at));
        let time = played.and_then(|m| m.ms).map_or(String::new(), |ms| format!(" {ms:.0} ms"));
        let value = played.and_then(|m| m.thought.value);
        let value = value.map_or(String::new(), |value| format!(" value {value:.3}"));
        let number = index + 1;
        let end = match number == plies {
            true => format!("result: {}\n", result_of(record)),
            false => String::new(),
        };
        let board = screen::board(&position);
        frames.push(format!("{number} of {plies}: {side} {text}{time}{value}\n{board}{end}\n"));
    }
    Ok(frames)
}

/// Shows what a person asks for until the game is over or left; returns whether further games are
/// wanted.
///
/// # Errors
/// The system's.
pub fn step(
    frames: &[String],
    keys: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<ControlFlow<()>> {
    let mut at = 0;
    let mut is_shown = false;
    loop {
        if !is_shown {
            write!(out, "{}", frames[at])?;
        }
        write!(out, "[{HELP}] ")?;
        out.flush()?;
        let mut line = String::new();
        if keys.read_line(&mut line)? == 0 {
            return Ok(ControlFlow::Break(()));
        }
        is_shown = false;
        match line.trim() {
            "" if at + 1 == frames.len() => return Ok(ControlFlow::Continue(())),
            "" => at += 1,
            "b" => at = at.saturating_sub(1),
            "n" => return Ok(ControlFlow::Continue(())),
            "q" => return Ok(ControlFlow::Break(())),
            word => match word.parse::<usize>() {
                Ok(ply) if ply < frames.len() => at = ply,
                _ => {
                    is_shown = true;
                    let (found, most) = (quoted(word), frames.len() - 1);
                    writeln!(out, "found {found}, expected Enter, b, n, q, or 0 to {most}")?;
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::games::Hadron;
    use alesia_match::record::read;

    const RECORD: &str = r#"{"seed":7,"pair":3,"leg":1,"game":"hadron2x2","white":"A","black":"B","opening":["A1"],"moves":[{"move":"B2","ms":1.5,"value":0.25},{"move":"A2","ms":1},{"move":"B1","ms":1}],"result":"0-1","cause":"rule","reason":"no legal move"}"#;

    fn all() -> Vec<String> {
        let record: GameRecord = read("here", RECORD).unwrap();
        frames(Hadron::start(2, 2), &record).unwrap()
    }

    fn stepped(keys: &str) -> (String, bool) {
        let mut out = Vec::new();
        let flow = step(&all(), &mut keys.as_bytes(), &mut out).unwrap();
        (String::from_utf8(out).unwrap(), flow.is_continue())
    }

    #[test]
    fn a_frame_has_the_move_its_time_and_value_and_the_board() {
        let text = all().concat();
        let begin = "0 of 4\n  A . .\n  B . .\n    1 2\n\n1 of 4: White A1\n";
        assert!(text.starts_with(begin), "{text}");
        assert!(text.contains("2 of 4: Black B2 2 ms value 0.250\n  A w .\n  B . b\n"), "{text}");
        assert!(text.ends_with("    1 2\nresult: Black (no legal move)\n\n"), "{text}");
    }

    #[test]
    fn steps_go_on_back_and_anywhere() {
        let (text, goes_on) = stepped("\n3\nb\nx\n9\nq\n");
        assert!(!goes_on);
        let prompt = format!("[{HELP}] ");
        let heads = text.lines().map(|line| line.trim_start_matches(&prompt));
        let plies: Vec<&str> = heads.filter_map(|line| Some(line.split_once(" of ")?.0)).collect();
        assert_eq!(plies, ["0", "1", "3", "2"]);
        assert!(text.contains("found `x`, expected Enter, b, n, q, or 0 to 4"), "{text}");
    }

    #[test]
    fn the_next_game_comes_after_the_end_or_when_it_is_asked_for() {
        assert!(stepped("n\n").1);
        assert!(stepped("4\n\n").1);
        assert!(!stepped("").1);
    }
}
