//! `--json FILE` of the commands that measure: their rows as lines of JSON
//! ([`measurements`](crate::record::measurements)), which `alesia-lab games report` draws.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::command_error::CommandError;
use crate::record::measurements::Measurements;

/// The option.
#[derive(Args, Debug)]
pub struct JsonOption {
    /// File that gets the measurements as JSON lines too, for `alesia-lab games report`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
}

/// The file, if one was asked for.
pub struct JsonFile {
    measurements: Option<Measurements>,
}

impl JsonOption {
    /// Whether a file was asked for.
    pub fn is_given(&self) -> bool {
        self.json.is_some()
    }

    /// Opens the file, before any work, and writes the head of a run of a program's command.
    ///
    /// # Errors
    /// It cannot be written, or holds something else.
    pub fn begin(&self, program: &str, run: &str) -> Result<JsonFile, CommandError> {
        let begin = |path: &PathBuf| {
            let version = env!("CARGO_PKG_VERSION");
            let begun = Measurements::begin(path, run, program, version);
            begun.map_err(|e| CommandError::Failed(format!("--json {}: {e}", path.display())))
        };
        Ok(JsonFile { measurements: self.json.as_ref().map(begin).transpose()? })
    }
}

impl JsonFile {
    /// Adds a row.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, row: &impl Serialize) -> Result<(), CommandError> {
        let Some(measurements) = &mut self.measurements else { return Ok(()) };
        measurements.add(row).map_err(|error| CommandError::Failed(format!("--json: {error}")))
    }
}
