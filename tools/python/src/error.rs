//! The program's errors as exceptions of Python, with the same text.

use std::fmt::Display;

use alesia::words::command_error::CommandError;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};

create_exception!(
    alesia,
    AlesiaError,
    PyValueError,
    "Something that cannot be used: where, what was found, what was expected."
);

/// What cannot be used, in the words of the program.
pub fn refused(error: impl Display) -> PyErr {
    AlesiaError::new_err(error.to_string())
}

/// An error of a command: what the system refuses is an `OSError`.
pub fn of_command(error: CommandError) -> PyErr {
    match error {
        CommandError::Usage(text) => refused(text),
        other => PyOSError::new_err(other.to_string()),
    }
}
