//! What is kept of games and measurements: a finished game as a line of JSON, the files to which
//! lines are added, and files of measurements with the machine they were made on.

pub mod append_only;
pub mod checked_line;
pub mod end;
pub mod game_record;
pub mod last_line;
pub mod lock;
pub mod machine;
pub mod measure;
pub mod measurements;
pub mod noted_game;
pub mod record_file;
pub mod replay;
pub mod system_file;
pub mod thought;
