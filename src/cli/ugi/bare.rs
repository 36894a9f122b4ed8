//! The program as a bare engine: started without arguments by a name that begins with `alesia-uci`,
//! as graphical programs and test servers start engines.
//!
//! The one idea: it is `alesia uci` with one thread.

use std::ffi::OsString;
use std::path::Path;

use alesia::ugi::Dialect;
use alesia::words::command_error::CommandError;
use clap::Parser;

use super::Ugi;

/// How the names begin under which the program is an engine.
const NAME: &str = "alesia-uci";

/// Set where the program is built: it is an engine under any name (`make EXE=NAME`).
const UNDER_ANY_NAME: bool = option_env!("ALESIA_SPEAKS_UCI").is_some();

/// What a bare engine has been started as.
#[derive(Parser)]
#[command(name = NAME)]
struct Engine {
    #[command(flatten)]
    ugi: Ugi,
}

/// Whether the words of the command line start a bare engine.
pub fn is_bare(words: &[OsString]) -> bool {
    let [program] = words else { return false };
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    UNDER_ANY_NAME || name.to_ascii_lowercase().starts_with(NAME)
}

/// Serves a runner to the end.
pub fn run() -> Result<(), CommandError> {
    Engine::parse_from([NAME, "--threads", "1"]).ugi.run(Dialect::Uci)
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
}
