//! What every command of the lab hears and says: options, errors, the log, progress.

pub mod grammar;
pub mod logging;
pub mod progress;
