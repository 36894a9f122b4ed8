//! Games on the page, as a browser and its person see them.

mod access;
mod browser;
#[cfg(target_os = "linux")]
mod crowds;
mod folders;
mod listening;
mod refusals;
mod table;
mod undo_and_hints;
mod whole_games;
