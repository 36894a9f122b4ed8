//! Why a command ends without success, and with which exit status.

use std::io::{self, Write};

use thiserror::Error;

use super::command_pages::PageError;
use crate::game::ParseError;
use crate::player::printer::PrintError;
use crate::search::EngineError;

/// Why a command ends without success.
#[derive(Debug, Error)]
pub enum CommandError {
    /// Status 2.
    #[error("{0}")]
    Usage(String),
    /// Status 2: what is wrong in a file, with its place as compilers write it.
    #[error("{0}")]
    Definition(String),
    /// Status 1.
    #[error("{0}")]
    Failed(String),
    /// Status 1, unless the reader of standard output has gone.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

/// Writes a line to standard error. If that is gone or full, the exit status is enough.
pub fn on_standard_error(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

impl From<ParseError> for CommandError {
    /// Text given as an argument.
    fn from(error: ParseError) -> CommandError {
        CommandError::Usage(error.to_string())
    }
}

impl From<PageError> for CommandError {
    fn from(error: PageError) -> CommandError {
        match error {
            PageError::Unknown { .. } => CommandError::Usage(error.to_string()),
            PageError::Folder { .. } => CommandError::Failed(error.to_string()),
            PageError::Output(error) => CommandError::Output(error),
        }
    }
}

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> CommandError {
        match error {
            // No machine could do it.
            EngineError::MemoryTooSmall { .. } | EngineError::MemoryTooLarge { .. } => {
                CommandError::Usage(error.to_string())
            }
            _ => CommandError::Failed(error.to_string()),
        }
    }
}

impl From<PrintError> for CommandError {
    fn from(error: PrintError) -> CommandError {
        CommandError::Failed(error.to_string())
    }
}
