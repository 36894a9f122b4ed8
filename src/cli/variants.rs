//! `alesia variants`: lists, checks and draws chess variants.

use std::io::{Write, stdout};

use alesia::game::Game;
use alesia::games::variant::{Chosen, check_file};
use alesia::games::{BuiltIn, Setup, Variant};
use alesia::screen;
use clap::Args;

use super::CommandError;

/// The arguments of `alesia variants`.
#[derive(Args)]
pub struct Variants {
    /// File of definitions, in the grammar of variants.ini [default: the built-in variants].
    file: Option<String>,
    /// Also draws the start positions.
    #[arg(long, help_heading = "Output")]
    draw: bool,
}

impl Variants {
    /// Runs the command.
    pub fn run(&self) -> Result<(), CommandError> {
        // What is wrong in a file has its place there, and nothing before it.
        let opened = self.file.as_deref().map(check_file).transpose();
        let opened = opened.map_err(|error| CommandError::Definition(error.to_string()))?;
        let all = opened.as_deref().unwrap_or(Chosen::LISTED);
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
        Ok(())
    }
}
