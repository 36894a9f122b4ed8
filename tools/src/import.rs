//! `alesia-lab games import`: games that other programs or people have written, as game records.

use std::io::{self, Read, StdoutLock, Write, stderr, stdin, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alesia::game::{ParseError, counted, quoted, without_bom};
use alesia::games::GameSpec;
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::checked_line::json_line;
use alesia::record::game_record::GameRecord;
use alesia::words::command_error::CommandError;
use alesia_answers::formats::{Content, ForeignGame, Format, plain_text};
use alesia_match::files::disk;
use clap::Args;

use crate::out;

/// Max bytes of a text.
const LONGEST: u64 = 256 << 20;

/// Games that are written at once.
const MOST_WAITING: usize = 1000;

/// Max games that are left out and named.
const MOST_NAMED: u32 = 100;

/// The arguments of `alesia-lab games import`.
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
        let mut output = Output::of(self)?;
        let (mut games, mut left_out) = (0, 0);
        let mut result = Ok(());
        format.read(text, &mut |game| {
            let record = game.and_then(|game| game.record(self.game_of(&game)?, games));
            games += 1;
            match record {
                Ok(record) => result = output.add(&record),
                Err(error) => {
                    left_out += 1;
                    if left_out <= MOST_NAMED {
                        let _ = writeln!(stderr(), "{}; left out", within(error));
                    }
                }
            }
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result?;
        output.end(games - left_out)?;
        if games == 0 && !text.trim_ascii().is_empty() {
            return Err(CommandError::Failed(format!("{name}: found no game, expected one")));
        }
        match left_out {
            0 => Ok(()),
            _ => {
                let of = counted(games as usize, "game");
                Err(CommandError::Failed(format!("{name}: {left_out} of {of} left out")))
            }
        }
    }

    fn text(&self) -> Result<String, CommandError> {
        let failed = |error| failed(&self.file, &error);
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
        Ok(plain_text::of_bytes(bytes)
            .map_err(|error| error.within(self.file.display().to_string()))?)
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
                if let Some(error) = game.wrong_board() {
                    return Err(error);
                }
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

/// Where the records go.
enum Output<'a> {
    Standard(StdoutLock<'static>),
    /// The file is opened for the first record.
    File {
        path: &'a Path,
        file: Option<AppendOnlyFile>,
        waiting: usize,
    },
}

impl Output<'_> {
    fn of(import: &Import) -> Result<Output<'_>, CommandError> {
        let Some(path) = &import.out else { return Ok(Output::Standard(stdout().lock())) };
        out::check_growing(path, &import.file)?;
        Ok(Output::File { path, file: None, waiting: 0 })
    }

    fn add(&mut self, record: &GameRecord) -> Result<(), CommandError> {
        match self {
            Output::Standard(stream) => stream.write_all(json_line(record).as_bytes())?,
            Output::File { path, file, waiting } => {
                let failed = |error| failed(path, &error);
                if file.is_none() {
                    *file = Some(AppendOnlyFile::append(path).map_err(failed)?);
                }
                let file = file.as_mut().expect("it is open");
                file.add(record);
                *waiting += 1;
                if *waiting == MOST_WAITING {
                    *waiting = 0;
                    file.commit().map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    fn end(self, games: u32) -> Result<(), CommandError> {
        match self {
            Output::Standard(mut stream) => stream.flush()?,
            Output::File { path, file, .. } => {
                if let Some(mut file) = file {
                    file.commit().map_err(|error| failed(path, &error))?;
                }
                let count = counted(games as usize, "game");
                writeln!(stdout(), "{count} appended to {}", path.display())?;
            }
        }
        Ok(())
    }
}

fn failed(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("{}: {error}", path.display()))
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
