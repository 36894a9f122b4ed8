//! Engines for the page.

pub(crate) mod mind;
