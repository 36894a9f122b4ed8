//! `alesia-lab report`: one page with charts, of games and measurements.

use std::io::{BufReader, ErrorKind, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use alesia::game::ParseError;
use alesia::record::system_file::MAX_GAMES;
use alesia::words::command_error::CommandError;
use alesia_match::files::disk;
use alesia_report::{Source, page};
use clap::Args;

use crate::files::{place_of, write_whole};

/// What begins every page that this command writes.
const BEGINNING: &str = "<!DOCTYPE html><html lang=\"en\">";

/// The arguments of `alesia-lab report`.
#[derive(Args)]
pub struct Report {
    /// Game records, match files (`-config`), or measurements (`--json`); `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The page; one that is there already is replaced.
    #[arg(long, value_name = "FILE", default_value = "report.html", help_heading = "Output")]
    out: PathBuf,
}

impl Report {
    pub fn run(&self) -> Result<(), CommandError> {
        place_of(Some(&self.out), || self.out.clone())?;
        self.check_out()?;
        let sources: Vec<Source> =
            self.files.iter().map(|path| source(path)).collect::<Result<_, _>>()?;
        let program = concat!("alesia-lab ", env!("CARGO_PKG_VERSION"));
        write_whole(&self.out, page(&sources, program).as_bytes())?;
        writeln!(stdout(), "{} written", self.out.display())?;
        Ok(())
    }

    /// Refuses to replace what is no page.
    fn check_out(&self) -> Result<(), CommandError> {
        let mut beginning = Vec::new();
        match disk::open(&self.out) {
            Ok(file) => {
                let limit = BEGINNING.len() as u64;
                let read = file.take(limit).read_to_end(&mut beginning);
                read.map_err(|error| failed(&self.out, &error))?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&self.out, &error)),
        }
        if beginning.is_empty() || beginning == BEGINNING.as_bytes() {
            return Ok(());
        }
        let found = format!("{}, which holds something else", self.out.display());
        Err(ParseError::new("--out", found, "the name of a new page").into())
    }
}

fn failed(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::Failed(format!("{}: {error}", path.display()))
}

/// Reads a file.
fn source(path: &Path) -> Result<Source, CommandError> {
    let read = match path.as_os_str() == "-" {
        true => disk::lines(stdin().lock(), MAX_GAMES),
        false => disk::open(path).and_then(|file| disk::lines(BufReader::new(file), MAX_GAMES)),
    };
    let bytes = read.map_err(|error| failed(path, &error))?;
    // A line that is cut short may end within a character.
    let text = String::from_utf8_lossy(&bytes);
    let name = match path.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    };
    Ok(Source::read(&name, &text)?)
}
