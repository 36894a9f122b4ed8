//! The `alesia` program and its protocols: sockets, pipes, terminals, processes.
//!
//! One program for all these tests, as every program needs time to link; but not that of the
//! engines, whose tests would delay these.

mod client_against_referee;
mod client_dialogues;
mod client_disagreements;
mod client_tolerance;
mod command_line;
mod dialogue;
mod examples;
mod hostile_network;
mod hostile_peers;
mod hostile_relay;
#[cfg(target_os = "linux")]
mod lossy_network;
mod manual;
mod many_games;
mod pauses;
mod proxy;
mod referee_dialogues;
mod referee_lobby;
#[cfg(target_os = "linux")]
mod referee_service;
mod relay;
mod rules;
mod screens;
#[cfg(target_os = "linux")]
mod stand_in;
mod standard_output;
mod uci;
mod ugi;
