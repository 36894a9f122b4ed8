//! `alesia variants`: lists, checks and draws chess variants.

use std::io::{Write, stdout};
use std::path::Path;

use alesia::game::screen;
use alesia::game::{Game, ParseError};
use alesia::games::variant::{Chosen, divided, load, text_of};
use alesia::games::{BuiltIn, GameSpec, Setup, Variant};
use clap::Args;

use alesia::words::command_error::CommandError;

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
        let opened = self.file.as_deref().map(opened).transpose()?;
        let all = opened.as_deref().unwrap_or(Chosen::BUILT_IN);
        let names: Vec<String> =
            all.iter().map(|chosen| chosen.rules().name().to_owned()).collect();
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let mut out = stdout().lock();
        for (chosen, name) in all.iter().zip(&names) {
            let start = Variant::set_up(*chosen);
            let (rows, columns) = start.labels();
            let size = format!("{}x{}", rows.len(), columns.len());
            writeln!(out, "{name:width$}  {size:5}  {}", chosen.rules().title())?;
            if self.draw {
                writeln!(out, "{}\n{start}\n", screen::board(&start).trim_end())?;
            }
        }
        out.flush()?;
        all.iter().flat_map(|chosen| chosen.notices()).for_each(|notice| eprintln!("{notice}"));
        Ok(())
    }
}

/// The variants of a file, or the one of a name.
fn opened(name: &str) -> Result<Vec<Chosen>, CommandError> {
    if !Path::new(name).exists() {
        let built_in =
            Chosen::of_name(name).or_else(|| Chosen::of_name(&format!("variant:{name}")));
        if let Some(one) = built_in {
            return Ok(vec![one]);
        }
        if name.to_ascii_lowercase().starts_with("variant:") {
            // No file is meant: the error lists the names there are.
            name.parse::<GameSpec>()?;
        }
    }
    let (file, variant) = divided(name).unwrap_or((name, None));
    // What is wrong in a file has its place there, and nothing before it.
    let wrong = |error: ParseError| CommandError::Definition(error.to_string());
    let all = load(file, text_of(file)?).map_err(wrong)?;
    match variant.and_then(|_| Chosen::open(name)) {
        Some(one) => Ok(vec![one?]),
        None => Ok(all),
    }
}
