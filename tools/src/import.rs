//! `alesia-lab import`: games that other programs or people have written, as game records.

use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;

use alesia::game::{ParseError, counted, quoted, without_bom};
use alesia::games::GameSpec;
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::checked_line::json_line;
use alesia::record::game_record::GameRecord;
use alesia::words::command_error::CommandError;
use alesia_match::files::disk;
use alesia_match::formats::{Content, ForeignGame, Format};
use clap::Args;

use crate::out;

/// Max bytes of a text.
const LONGEST: u64 = 256 << 20;

/// The arguments of `alesia-lab import`.
#[derive(Args)]
pub struct Import {
    /// Text with games; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Game [default: as the text names it, or the only one to which all moves belong].
    #[arg(long, value_name = "GAME", help_heading = "Game", value_parser = GameSpec::open)]
    game: Option<GameSpec>,
    /// Form: pgn, sgf, moves, or printed (the lines of `play` and `referee`) [default: as it
    /// looks].
    #[arg(long, value_name = "FORMAT", help_heading = "Game")]
    format: Option<Format>,
    /// File of records to which these are appended [default: standard output].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Import {
    pub fn run(&self) -> Result<(), CommandError> {
        let name = self.file.display();
        let within = |error: ParseError| error.within(name.to_string());
        let text = self.text()?;
        let text = without_bom(&text);
        if self.format.is_none() {
            check_content(text).map_err(within)?;
        }
        let format = self.format.unwrap_or_else(|| Format::of(text));
        let games = format.read(text).map_err(within)?;
        let records = (0..)
            .zip(&games)
            .map(|(number, game)| game.record(self.game_of(game)?, number))
            .collect::<Result<Vec<GameRecord>, ParseError>>()
            .map_err(within)?;
        match &self.out {
            Some(path) => {
                out::check_growing(path, &self.file)?;
                let failed = |error| CommandError::Failed(format!("{}: {error}", path.display()));
                let mut file = AppendOnlyFile::append(path).map_err(failed)?;
                records.iter().for_each(|record| file.add(record));
                file.commit().map_err(failed)?;
                let count = counted(records.len(), "game");
                writeln!(stdout(), "{count} appended to {}", path.display())?;
            }
            None => {
                let lines: String = records.iter().map(json_line).collect();
                stdout().write_all(lines.as_bytes())?;
            }
        }
        Ok(())
    }

    fn text(&self) -> Result<String, CommandError> {
        let failed = |error: std::io::Error| {
            CommandError::Failed(format!("{}: {error}", self.file.display()))
        };
        let stream: Box<dyn Read> = if self.file.as_os_str() == "-" {
            Box::new(stdin().lock())
        } else {
            Box::new(disk::open(&self.file).map_err(failed)?)
        };
        let mut bytes = Vec::new();
        stream.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LONGEST {
            let what = format!("{}: found more than {LONGEST} bytes", self.file.display());
            return Err(CommandError::Failed(what));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The game of a text's game.
    fn game_of(&self, game: &ForeignGame) -> Result<GameSpec, ParseError> {
        if let Some(spec) = self.game {
            return Ok(spec);
        }
        let within = |error: ParseError| error.within(format!("line {}", game.line));
        if let Some(name) = &game.game {
            return GameSpec::open(name).map_err(within);
        }
        match &game.candidates()[..] {
            [one] => Ok(*one),
            [] => {
                let first = game.moves.first().map_or("", |m| &m.text);
                let expected = "moves of one game; --game GAME says which move is wrong";
                Err(within(ParseError::new("game", quoted(first), expected)))
            }
            several => {
                let names: Vec<String> = several.iter().map(GameSpec::to_string).collect();
                let found = format!("moves of {}", names.join(", "));
                Err(within(ParseError::new("game", found, "--game GAME")))
            }
        }
    }
}

/// Refuses what is no game of another program.
fn check_content(text: &str) -> Result<(), ParseError> {
    let (found, expected) = match Content::of(text) {
        Content::Games(_) => return Ok(()),
        Content::Records => ("game records", "other games: there is nothing to import"),
        Content::Table => {
            ("CSV", "pgn, sgf, moves or printed lines (CSV is written, and not read)")
        }
    };
    Err(ParseError::new("format", found, expected))
}
