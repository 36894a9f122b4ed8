//! `alesia-lab games report`: one page with charts, of games, measurements and experiments; or the
//! picture of strength over time alone.

use std::io::{BufReader, ErrorKind, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use alesia::game::ParseError;
use alesia::record::system_file::MAX_GAMES;
use alesia::words::command_error::CommandError;
use alesia_match::files::disk;
use alesia_report::source::Part;
use alesia_report::{Source, page};
use clap::Args;

use crate::files::{place_of, write_whole};

/// What begins every page and every picture that this command writes.
const PAGE: &str = "<!DOCTYPE html><html lang=\"en\">";
const PICTURE: &str = "<svg role=\"img\" ";

/// The arguments of `alesia-lab games report`.
#[derive(Args)]
pub struct Report {
    /// Game records, match files (`-config`), measurements (`--json`), or the table of experiments;
    /// `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The page; one that is there already is replaced. A name in `.svg` gets the picture of the
    /// table of experiments.
    #[arg(long, value_name = "FILE", default_value = "report.html", help_heading = "Output")]
    out: PathBuf,
    /// Numbers of cores for which the speed is predicted, from `stress scale`.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "32,64",
          value_parser = clap::value_parser!(u32).range(1..=1024), help_heading = "Output")]
    cores: Vec<u32>,
}

impl Report {
    pub fn run(&self) -> Result<(), CommandError> {
        place_of(Some(&self.out), || self.out.clone())?;
        self.check_out()?;
        let sources: Vec<Source> =
            self.files.iter().map(|path| source(path)).collect::<Result<_, _>>()?;
        write_whole(&self.out, self.content(&sources)?.as_bytes())?;
        writeln!(stdout(), "{} written", self.out.display())?;
        Ok(())
    }

    fn is_picture(&self) -> bool {
        self.out.extension().is_some_and(|end| end == "svg")
    }

    /// The page or the picture.
    fn content(&self, sources: &[Source]) -> Result<String, CommandError> {
        if !self.is_picture() {
            let program = concat!("alesia-lab ", env!("CARGO_PKG_VERSION"));
            return Ok(page(sources, program, &self.cores));
        }
        let parts: Vec<&Part> = sources.iter().flat_map(|source| &source.parts).collect();
        match parts[..] {
            [Part::Strength(strength)] => Ok(strength.svg()),
            _ => {
                let expected = "the name of a page; the table of experiments alone has a picture";
                let found = self.out.display().to_string();
                Err(ParseError::new("--out", found, expected).into())
            }
        }
    }

    /// Refuses to replace what is neither a page nor a picture of ours.
    fn check_out(&self) -> Result<(), CommandError> {
        let expected = if self.is_picture() { PICTURE } else { PAGE };
        let mut beginning = Vec::new();
        match disk::open(&self.out) {
            Ok(file) => {
                let limit = expected.len() as u64;
                let read = file.take(limit).read_to_end(&mut beginning);
                read.map_err(|error| failed(&self.out, &error))?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&self.out, &error)),
        }
        if beginning.is_empty() || beginning == expected.as_bytes() {
            return Ok(());
        }
        let found = format!("{}, which holds something else", self.out.display());
        Err(ParseError::new("--out", found, "the name of a new file").into())
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
