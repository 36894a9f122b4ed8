//! The words of both command lines, `alesia` and `alesia-lab`: how arguments are read, refused and
//! described.

pub mod arguments;
pub mod command_pages;
pub mod dashes;
pub mod time_span;
