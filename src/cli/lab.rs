//! The lab's commands by the player's name: `alesia match …` runs `alesia-lab match …`.

use std::env::{consts::EXE_SUFFIX, current_exe};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use alesia::words::command_error::on_standard_error;

/// The program with the lab's commands.
pub const PROGRAM: &str = "alesia-lab";

/// The commands that it is run for, and what each is for.
pub const COMMANDS: [(&str, &str); 6] = [
    ("board", "Opens a page in the browser to watch, play and analyse games"),
    ("match", "Plays a match between engines or external programs"),
    ("tournament", "Plays a tournament defined in a file, or hosts one"),
    ("games", "Checks, shows and converts game records, draws charts of them"),
    ("train", "Trains networks, tunes parameters, builds opening books"),
    ("stress", "Stress tests: deadlines under load, endurance"),
];

/// What the help says of them.
pub const HELP: &str = "The commands board, match, tournament, games, train and stress are those \
                        of alesia-lab, which must be beside this program or in PATH.";

/// The program beside ours, or else the one in PATH.
pub fn program() -> OsString {
    let beside = current_exe().map(|own| own.with_file_name(format!("{PROGRAM}{EXE_SUFFIX}")));
    match beside {
        Ok(path) if path.is_file() => path.into(),
        _ => PROGRAM.into(),
    }
}

/// Runs the lab if the first of the words after our name, or after `help`, is a command of its;
/// none if it is not.
pub fn run(words: &[OsString]) -> Option<ExitCode> {
    let command = words.get(1).filter(|word| *word != "help").or(words.get(2))?;
    if !COMMANDS.iter().any(|(own, _)| command == own) {
        return None;
    }
    let mut lab = Command::new(program());
    lab.args(&words[1..]);
    Some(match replace_us(&mut lab) {
        Ok(status) => status,
        Err(error) => {
            let shown = command.to_string_lossy();
            on_standard_error(format_args!(
                "alesia: {shown}: found no {PROGRAM} ({error}), expected it beside alesia or in PATH"
            ));
            ExitCode::from(1)
        }
    })
}

/// Goes on as the other program, so that signals reach it alone.
#[cfg(unix)]
fn replace_us(lab: &mut Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(lab.exec())
}

/// Runs the other program to its end.
#[cfg(not(unix))]
fn replace_us(lab: &mut Command) -> std::io::Result<ExitCode> {
    let code = lab.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
