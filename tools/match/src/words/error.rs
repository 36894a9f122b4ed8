//! Why a command of the lab ends without success, and with which exit status.

use std::io;

use alesia::game::ParseError;
use alesia::words::command_pages::PageError;
use thiserror::Error;

/// Why a command ends without success.
#[derive(Debug, Error)]
pub enum CommandError {
    /// Status 2.
    #[error("{0}")]
    Usage(String),
    /// Status 1.
    #[error("{0}")]
    Failed(String),
    /// Status 1, unless the reader of standard output has gone.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
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
