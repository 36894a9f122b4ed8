//! What the page shows, and how it hears of changes.
//!
//! The one idea: everything is drawn from text boards and moves in the games' own notations, and a
//! page hears of it as events of a [`topic`].

pub mod files;
pub mod guide;
pub mod qr;
pub mod topic;
