//! `alesia` by itself: a whole tournament game on one machine.
//!
//! A referee on a loopback port and two players over TCP: Murus Gallicus, Monte Carlo against
//! alpha-beta, half the cores each, no pondering, as they share a machine.

use std::io::{Write, stdout};
use std::net::{Ipv4Addr, TcpListener};
use std::num::NonZeroUsize;
use std::thread::{self, available_parallelism};
use std::time::Duration;

use alesia::eval::Evaluate;
use alesia::game::Side;
use alesia::games::Murus;
use alesia::net::client::{connect, play_game};
use alesia::net::referee::{GameEvent, RefereeOptions, serve};
use alesia::search::clock::MoveTime;
use alesia::search::{EngineKind, EngineOptions};

use super::player::EnginePlayer;
use super::{CommandError, referee, screen};

/// The time for a move.
const MOVE_TIME: MoveTime =
    MoveTime { total: Duration::from_secs(1), reserve: Duration::from_millis(150) };

/// Memory of each player, in bytes.
const MEMORY: usize = 256 << 20;

/// The players, white first.
const PLAYERS: [(EngineKind, &str); 2] =
    [(EngineKind::MonteCarlo, "Monte Carlo tree search"), (EngineKind::AlphaBeta, "alpha-beta")];

/// Plays the demonstration game.
pub fn run() -> Result<(), CommandError> {
    let start = Murus::start();
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = (cores / 2).max(1);
    let failed = |error: std::io::Error| CommandError::Failed(format!("loopback: {error}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();

    let mut out = stdout();
    writeln!(out, "Murus Gallicus on 127.0.0.1:{port}, {threads} thread(s) each, 1 s a move")?;
    for (side, (_, name)) in [Side::White, Side::Black].iter().zip(PLAYERS) {
        writeln!(out, "{side}: {name}")?;
    }
    // Built before the clock runs, and connected in order: the first is white.
    let options = EngineOptions { threads, memory: MEMORY, ..Default::default() };
    let mut players = Vec::new();
    for (kind, _) in PLAYERS {
        let engine = kind.build(start, &options)?;
        let player = EnginePlayer {
            engine,
            time: MOVE_TIME,
            first: None,
            nodes: None,
            ponder: false,
            record: None,
        };
        let stream = connect("127.0.0.1", port, Duration::ZERO)
            .map_err(|error| CommandError::Failed(error.to_string()))?;
        players.push((player, stream));
    }
    let terms = RefereeOptions {
        move_time: MOVE_TIME.total,
        warm_up: Duration::ZERO,
        ..RefereeOptions::default()
    };
    thread::scope(|scope| {
        for (mut player, stream) in players {
            scope.spawn(move || {
                // The referee announces whatever goes wrong for a player as its loss.
                if let Err(error) = play_game(stream, start, &mut player, &mut |_| {}) {
                    log::error!("{error}");
                }
            });
        }
        serve(listener, start, 1, &terms, &|_, event| show(&event)).map_err(failed)
    })?;
    Ok(())
}

/// Prints a line for each event, and the board after each move. The game goes on if nobody reads
/// along.
fn show<G: Evaluate>(event: &GameEvent<G>) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{}", referee::line(event));
    if let GameEvent::Moved { position, .. } = event {
        let _ = writeln!(out, "{}", screen::board(position));
    }
}
