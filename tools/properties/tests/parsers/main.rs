//! The properties on made-up, damaged, random and enormous text.

mod boards;
mod lines;
