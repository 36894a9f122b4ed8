//! The program as a bare engine: started without arguments by a name that begins with `alesia-uci`,
//! as graphical programs and test servers start engines.
//!
//! The one idea: the first word of the input says which interface is spoken. The rest is that of
//! `alesia ugi` or `alesia uci` with one thread.

use std::ffi::OsString;
use std::io::stdin;
use std::path::Path;
use std::time::Instant;

use alesia::game::without_bom;
use alesia::words::command_error::CommandError;
use clap::Parser;

use super::{Event, Uci, Ugi};

/// How the names begin under which the program is an engine.
const NAME: &str = "alesia-uci";

/// Set where the program is built: it is an engine under any name (`make EXE=NAME`).
const UNDER_ANY_NAME: bool = option_env!("ALESIA_SPEAKS_UCI").is_some();

/// What a bare engine has been started as.
#[derive(Parser)]
#[command(name = NAME)]
enum Engine {
    Ugi(Ugi),
    Uci(Uci),
}

/// Whether the words of the command line start a bare engine.
pub fn is_bare(words: &[OsString]) -> bool {
    let [program] = words else { return false };
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    UNDER_ANY_NAME || name.to_ascii_lowercase().starts_with(NAME)
}

/// Serves a runner to the end.
pub fn run() -> Result<(), CommandError> {
    let mut line = String::new();
    while line.trim().is_empty() {
        line.clear();
        match stdin().read_line(&mut line) {
            Ok(0) => return Ok(()),
            Ok(_) => line = without_bom(&line).to_owned(),
            Err(error) => return Err(CommandError::Failed(format!("standard input: {error}"))),
        }
    }
    let first = Event::Line(line.clone(), Instant::now());
    match Engine::parse_from([NAME, interface_of(&line), "--threads", "1"]) {
        Engine::Ugi(ugi) => super::serve(ugi.settings(), Some(first)),
        Engine::Uci(uci) => super::serve(uci.settings()?, Some(first)),
    }
}

/// The command that serves a runner who begins so.
fn interface_of(line: &str) -> &'static str {
    match line.split_whitespace().next() {
        Some("ugi" | "uginewgame") => "ugi",
        _ => "uci",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_alone_starts_a_bare_engine() {
        for (words, expected) in [
            (&["alesia-uci"][..], true),
            (&["/opt/Alesia-UCI-0.3.exe"], true),
            (&["alesia-uci", "bench"], false),
            (&["alesia"], UNDER_ANY_NAME),
            (&["alesia-lab"], UNDER_ANY_NAME),
        ] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(is_bare(&words), expected, "{words:?}");
        }
    }

    #[test]
    fn the_first_word_chooses_the_interface() {
        for (line, expected) in
            [("ugi\n", "ugi"), (" uci\r\n", "uci"), ("position startpos", "uci"), ("quit", "uci")]
        {
            assert_eq!(interface_of(line), expected, "{line}");
        }
    }
}
