//! One recorded game on boards, step by step.
//!
//! The one idea: all positions are there from the beginning, so a step goes anywhere. Without a
//! person at a terminal all boards are printed.

use std::io::{self, Write};
use std::ops::ControlFlow;

use alesia::game::screen;
use alesia::game::{Game, ParseError, quoted};
use alesia::games::AnyGame;
use alesia::record::game_record::GameRecord;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use alesia_match::files::record_reader::result_of;

/// What may be pressed.
const HELP: &str = "→ next, ← back, Home, End, a number and Enter, n: next game, q: quit";

/// The texts of all positions of a game, from the beginning to the end.
///
/// # Errors
/// The record is not of its game.
pub fn frames(start: AnyGame, record: &GameRecord) -> Result<Vec<String>, ParseError> {
    let line = record.line();
    let mut position = start.begin(line.board.as_deref())?;
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

/// Where a person wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Next,
    Back,
    First,
    Last,
    /// A number of plies, which there may not be.
    To(usize),
    NextGame,
    Quit,
}

/// Shows what a person asks for until the game is over or left; returns whether further games are
/// wanted. `asked` is what the person wants next.
///
/// # Errors
/// The system's.
pub fn step(
    frames: &[String],
    mut asked: impl FnMut(&mut dyn Write) -> io::Result<Step>,
    out: &mut impl Write,
) -> io::Result<ControlFlow<()>> {
    let last = frames.len() - 1;
    let mut at = 0;
    write!(out, "{}", frames[at])?;
    loop {
        write!(out, "[{HELP}] ")?;
        out.flush()?;
        let step = asked(out)?;
        writeln!(out)?;
        at = match step {
            Step::NextGame => return Ok(ControlFlow::Continue(())),
            Step::Next if at == last => return Ok(ControlFlow::Continue(())),
            Step::Quit => return Ok(ControlFlow::Break(())),
            Step::Next => at + 1,
            Step::Back => at.saturating_sub(1),
            Step::First => 0,
            Step::Last => last,
            Step::To(ply) if ply <= last => ply,
            Step::To(ply) => {
                let found = quoted(&ply.to_string());
                writeln!(out, "found {found}, expected a number from 0 to {last}")?;
                continue;
            }
        };
        write!(out, "{}", frames[at])?;
    }
}

/// Waits for keys until they say a step; digits are shown as they are typed.
///
/// # Errors
/// The system's.
pub fn pressed(out: &mut dyn Write) -> io::Result<Step> {
    let _raw = Raw::enter()?;
    let mut typed = String::new();
    loop {
        let Event::Key(key) = event::read()? else { continue };
        // Some systems also say when a key is let go.
        if key.kind == KeyEventKind::Release {
            continue;
        }
        if let Some(step) = step_of(key, &mut typed) {
            return Ok(step);
        }
        write!(out, "\r[{HELP}] {typed} \x08")?;
        out.flush()?;
    }
}

/// The terminal passes on each key at once, until this is dropped.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Raw> {
        enable_raw_mode()?;
        Ok(Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // Nobody is left who could do more about it.
        let _ = disable_raw_mode();
    }
}

/// The step that a key says, after the digits that were typed before it.
fn step_of(key: KeyEvent, typed: &mut String) -> Option<Step> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Step::Quit);
    }
    Some(match key.code {
        KeyCode::Enter if !typed.is_empty() => Step::To(typed.parse().unwrap_or(usize::MAX)),
        KeyCode::Enter | KeyCode::Right | KeyCode::Down | KeyCode::Char(' ') => Step::Next,
        KeyCode::Left | KeyCode::Up | KeyCode::Char('b') => Step::Back,
        KeyCode::Home => Step::First,
        KeyCode::End => Step::Last,
        KeyCode::Char('n') => Step::NextGame,
        KeyCode::Char('q') | KeyCode::Esc => Step::Quit,
        KeyCode::Char(digit @ '0'..='9') => {
            typed.push(digit);
            return None;
        }
        KeyCode::Backspace => {
            typed.pop();
            return None;
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::games::Hadron;
    use alesia::record::game_record::read;

    const RECORD: &str = r#"{"seed":7,"pair":3,"leg":1,"game":"hadron2x2","white":"A","black":"B","opening":["A1"],"moves":[{"move":"B2","ms":1.5,"value":0.25},{"move":"A2","ms":1},{"move":"B1","ms":1}],"result":"0-1","cause":"rule","reason":"no legal move"}"#;

    fn all() -> Vec<String> {
        let record: GameRecord = read("here", RECORD).unwrap();
        frames(Hadron::start(2, 2).into(), &record).unwrap()
    }

    /// What is shown for some steps, and whether further games are wanted.
    fn stepped(steps: &[Step]) -> (String, bool) {
        let (mut out, mut steps) = (Vec::new(), steps.iter());
        let flow = step(&all(), |_| Ok(*steps.next().expect("it ends")), &mut out).unwrap();
        assert_eq!(steps.len(), 0, "nothing is asked after the end");
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
        use Step::{Back, First, Last, Next, Quit, To};
        let steps = [Next, To(3), Back, To(9), Last, First, Back, Quit];
        let (text, goes_on) = stepped(&steps);
        assert!(!goes_on);
        let plies: Vec<&str> =
            text.lines().filter_map(|line| Some(line.split_once(" of 4")?.0)).collect();
        assert_eq!(plies, ["0", "1", "3", "2", "4", "0", "0"]);
        assert!(text.contains("found `9`, expected a number from 0 to 4"), "{text}");
    }

    #[test]
    fn the_next_game_comes_after_the_end_or_when_it_is_asked_for() {
        assert!(stepped(&[Step::NextGame]).1);
        assert!(stepped(&[Step::Last, Step::Next]).1);
        assert!(!stepped(&[Step::Quit]).1);
    }

    #[test]
    fn keys_say_steps() {
        let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let mut typed = String::new();
        for (code, expected) in [
            (KeyCode::Right, Some(Step::Next)),
            (KeyCode::Enter, Some(Step::Next)),
            (KeyCode::Left, Some(Step::Back)),
            (KeyCode::Home, Some(Step::First)),
            (KeyCode::End, Some(Step::Last)),
            (KeyCode::Char('1'), None),
            (KeyCode::Char('7'), None),
            (KeyCode::Backspace, None),
            (KeyCode::Char('2'), None),
            (KeyCode::Enter, Some(Step::To(12))),
            (KeyCode::Char('n'), Some(Step::NextGame)),
            (KeyCode::Esc, Some(Step::Quit)),
            (KeyCode::Char('x'), None),
        ] {
            let step = step_of(plain(code), &mut typed);
            assert_eq!(step, expected, "{code:?}");
            if step.is_some() {
                typed.clear();
            }
        }
        let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(step_of(interrupt, &mut typed), Some(Step::Quit));
    }

    #[test]
    fn a_number_that_no_game_reaches_is_only_refused() {
        let mut typed = "9".repeat(40);
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert_eq!(step_of(enter, &mut typed), Some(Step::To(usize::MAX)));
    }
}
