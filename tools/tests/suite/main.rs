//! `alesia-lab` as users, scripts and browsers see it.
//!
//! One program for all these tests, as every program needs time to link.

#[cfg(target_os = "linux")]
mod batch;
mod board;
mod board_analysis;
mod board_feeds;
mod board_play;
mod book;
mod external_players;
mod formats;
mod hosted;
#[cfg(unix)]
mod interruptions;
mod lab;
mod r#match;
mod odds;
mod recorded;
mod records;
mod report;
#[cfg(target_os = "linux")]
mod safety;
mod solve;
mod sprt;
mod spsa;
mod stress;
mod tournament;
mod tune;
mod ugi_match;
