//! Engines for the page, and levels below their full strength.

pub mod levels;
pub(crate) mod mind;
