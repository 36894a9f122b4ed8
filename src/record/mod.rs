//! What is kept of games and measurements: a finished game as a line of JSON, the files to which
//! lines are added, and files of measurements with the machine they were made on.

#[cfg(feature = "program")]
#[doc(hidden)]
pub mod append_only;
#[doc(hidden)]
pub mod checked_line;
pub mod end;
pub mod game_record;
#[doc(hidden)]
pub mod last_line;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod lock;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod machine;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod measure;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod measurements;
#[cfg(feature = "program")]
pub mod noted_game;
#[cfg(feature = "program")]
pub mod record_file;
#[cfg(feature = "program")]
mod refereed;
#[cfg(feature = "program")]
pub mod replay;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod system_file;
pub mod thought;
