//! From the text of a definition to the tables that are played from.
//!
//! The one idea: all that can be wrong with a text is found here and said with its line, but for a
//! start position in which no game can begin; what comes after cannot fail. Each file needs only
//! what stands before it in this line.
//!
//! ```text
//! words → ini → keys, values, betza → kind, start → castling, counted → definition → tables
//!     → compile
//! ```

pub mod betza;
pub mod castling;
mod compile;
mod counted;
pub mod definition;
pub mod ini;
mod keys;
pub mod piece_kinds;
pub mod start;
pub mod tables;
pub mod values;
pub mod words;
