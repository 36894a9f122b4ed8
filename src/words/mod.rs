//! The words of both command lines, `alesia` and `alesia-lab`: how arguments are read, refused and
//! described, and how a command ends.

pub mod arguments;
pub mod command_error;
pub mod command_pages;
pub mod dashes;
pub mod interruption;
pub mod json_file;
pub mod stack;
pub mod time_span;
