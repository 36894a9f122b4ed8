//! `alesia variants`: lists, checks and draws chess variants.

use std::io::{Write, stdout};
use std::path::Path;

use alesia::game::screen;
use alesia::game::{Game, ParseError};
use alesia::games::variant::{Chosen, Found, divided, load_right, text_of};
use alesia::games::{BuiltIn, GameSpec, Setup, Variant};
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
        let found = match self.file.as_deref() {
            Some(name) => opened(name)?,
            None => Found { right: Chosen::BUILT_IN.to_vec(), errors: Vec::new() },
        };
        let all = found.right;
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
        all.iter().flat_map(|chosen| chosen.notices()).for_each(on_standard_error);
        if found.errors.is_empty() {
            return Ok(());
        }
        // What is wrong in a file has its place there, and nothing before it.
        let errors: Vec<String> = found.errors.iter().map(ParseError::to_string).collect();
        Err(CommandError::Definition(errors.join("\n")))
    }
}

/// The variants of a file with all that is wrong in it, or the one of a name.
fn opened(name: &str) -> Result<Found, CommandError> {
    let alone = |one: Chosen| Found { right: vec![one], errors: Vec::new() };
    if !Path::new(name).exists() {
        let built_in =
            Chosen::of_name(name).or_else(|| Chosen::of_name(&format!("variant:{name}")));
        if let Some(one) = built_in {
            return Ok(alone(one));
        }
        if name.to_ascii_lowercase().starts_with("variant:") {
            // No file is meant: the error lists the names there are.
            name.parse::<GameSpec>()?;
        }
    }
    let (file, variant) = divided(name).unwrap_or((name, None));
    match variant.and_then(|_| Chosen::open(name)) {
        Some(one) => Ok(alone(one?)),
        None => Ok(load_right(file, &text_of(file)?)?),
    }
}
