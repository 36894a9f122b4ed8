//! Files of games that survive what happens to a machine.
//!
//! The one idea: a line counts once the disk has it, and what was written in part is removed; so a
//! file always consists of whole lines, whenever its writer was killed.

pub mod disk;
pub mod match_file;
pub mod record_reader;
