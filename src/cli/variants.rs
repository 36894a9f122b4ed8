//! `alesia variants`: lists, checks and draws chess variants.

use std::io::{Write, stdout};
use std::path::Path;

use alesia::game::screen;
use alesia::game::{Game, ParseError};
use alesia::games::{AnyGame, GameSpec};
use clap::Args;

use alesia::words::command_error::{CommandError, on_standard_error};

/// The arguments of `alesia variants`.
#[derive(Args)]
pub struct Variants {
    /// File of definitions, in the grammar of variants.ini, or one variant: FILE.ini:NAME or
    /// variant:NAME [default: the built-in variants].
    file: Option<String>,
    /// Also draws the start positions.
    #[arg(long, help_heading = "Output")]
    draw: bool,
}

impl Variants {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        let (games, errors) = match self.file.as_deref() {
            Some(name) => opened(name)?,
            None => (GameSpec::variants().collect(), Vec::new()),
        };
        let names: Vec<String> = games.iter().map(|game| game.short_name()).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let mut out = stdout().lock();
        for (&game, name) in games.iter().zip(&names) {
            let start = AnyGame::start(game);
            let (rows, columns) = start.labels();
            let size = format!("{}x{}", rows.len(), columns.len());
            writeln!(out, "{name:width$}  {size:5}  {}", game.title())?;
            if self.draw {
                writeln!(out, "{}\n{start}\n", screen::board(&start).trim_end())?;
            }
        }
        out.flush()?;
        games.iter().flat_map(|game| game.notices()).for_each(on_standard_error);
        if errors.is_empty() {
            return Ok(());
        }
        // What is wrong in a file has its place there, and nothing before it.
        let errors: Vec<String> = errors.iter().map(ParseError::to_string).collect();
        Err(CommandError::Definition(errors.join("\n")))
    }
}

/// The variants of a file with all that is wrong in it, or the one of a name.
fn opened(name: &str) -> Result<(Vec<GameSpec>, Vec<ParseError>), ParseError> {
    let alone = |game: GameSpec| (vec![game], Vec::new());
    if Path::new(name).exists() {
        return GameSpec::of_file(name);
    }
    let is_it = |game: &GameSpec| {
        game.to_string().eq_ignore_ascii_case(name) || game.short_name().eq_ignore_ascii_case(name)
    };
    if let Some(built_in) = GameSpec::variants().find(is_it) {
        return Ok(alone(built_in));
    }
    if name.to_ascii_lowercase().starts_with("variant:") {
        // No file is meant: the error lists the names there are.
        name.parse::<GameSpec>()?;
    }
    GameSpec::in_file(name).map_or_else(|| GameSpec::of_file(name), |found| found.map(alone))
}
