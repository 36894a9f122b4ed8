//! `alesia-lab games export`: game records in the forms that other programs read.

use std::io::{Write, stderr, stdout};
use std::path::PathBuf;

use alesia::words::command_error::CommandError;
use alesia_answers::formats::Format;
use alesia_match::files::record_reader;
use clap::Args;

use crate::out;

/// The arguments of `alesia-lab games export`.
#[derive(Args)]
pub struct Export {
    /// Game records (`-pgnout`, `-config` or `--record`); `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Form: pgn, sgf (Lines of Action), csv (a row for each move) or moves (a line for each game).
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Format,
    /// New file to write [default: standard output].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Export {
    pub fn run(&self) -> Result<(), CommandError> {
        if let Some(path) = &self.out {
            out::check_new(path)?;
        }
        let mut text = self.format.head();
        let (mut lines, mut left_out) = (0, 0);
        record_reader::for_each(&self.file, |place, record| {
            lines += 1;
            let game = record
                .and_then(|record| self.format.text(&record).map_err(|error| error.within(place)));
            match game {
                Ok(game) => text += &game,
                Err(error) => {
                    left_out += 1;
                    let _ = writeln!(stderr(), "{error}; left out");
                }
            }
            Ok(())
        })?;
        if left_out < lines || lines == 0 {
            match &self.out {
                Some(path) => out::write_new(path, text.as_bytes())?,
                None => stdout().write_all(text.as_bytes())?,
            }
        }
        match left_out {
            0 => Ok(()),
            _ => Err(CommandError::Failed(format!(
                "{}: {left_out} of {lines} lines are left out",
                self.file.display()
            ))),
        }
    }
}
