//! What is kept of games and measurements: a finished game as a line of JSON, files of
//! measurements with the machine they were made on, and the file to which lines are added.

pub mod date;
pub mod game_record;
pub mod machine;
pub mod measure;
pub mod measurements;
pub mod record_file;
