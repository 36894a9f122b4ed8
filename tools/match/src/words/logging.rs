//! What a command says beside its output: the log, into a file or errors alone to standard error,
//! and warnings.

use std::fs::OpenOptions;
use std::io::{Write, stderr};
use std::path::PathBuf;

use env_logger::Target;
use log::LevelFilter;

use alesia::words::command_error::CommandError;

/// The file of the log, and its level.
#[derive(Clone, Debug)]
pub struct LogFile {
    pub path: PathBuf,
    pub level: LevelFilter,
}

/// Starts the log.
pub fn start(file: Option<&LogFile>) -> Result<(), CommandError> {
    let mut builder = env_logger::Builder::new();
    match file {
        Some(LogFile { path, level }) => {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            let opened = opened.map_err(|error| {
                CommandError::Failed(format!("-log, file={}: {error}", path.display()))
            })?;
            builder.filter_level(*level).target(Target::Pipe(Box::new(opened)));
            builder.format_timestamp_millis();
        }
        None => {
            builder.filter_level(LevelFilter::Error);
        }
    }
    builder.init();
    Ok(())
}

/// Writes a line to standard error; if that is gone, nothing is lost.
pub fn warn(what: &str) {
    let _ = writeln!(stderr(), "alesia-lab: {what}");
}

/// Ends the log.
pub fn silence() {
    log::set_max_level(LevelFilter::Off);
}
