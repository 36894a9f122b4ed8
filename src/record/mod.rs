//! What is kept of games and measurements: a finished game as a line of JSON, the files to which
//! lines are added, and files of measurements with the machine they were made on.

#[doc(hidden)]
pub mod append_only;
#[doc(hidden)]
pub mod checked_line;
pub mod end;
pub mod game_record;
#[doc(hidden)]
pub mod last_line;
#[doc(hidden)]
pub mod lock;
#[doc(hidden)]
pub mod machine;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod measurements;
pub mod noted_game;
pub mod record_file;
pub mod replay;
#[doc(hidden)]
pub mod system_file;
pub mod thought;
