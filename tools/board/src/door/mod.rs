//! The door to the network: who comes in, how much each may send and hold, and refusals.
//!
//! The one idea: whatever comes from outside is limited before anything else is done with it, by
//! number, by length and by time, for each visitor and in all. So nobody can keep the others out.

mod attempts;
mod connections;
pub mod failure;
pub mod guard;
pub mod intake;
pub mod places;
pub mod secrets;
pub mod serve;
mod unsent;
mod writing;
