//! `alesia` by itself: a whole tournament game on one machine.
//!
//! A referee on a loopback port and two players over TCP: Murus Gallicus, Monte Carlo against
//! alpha-beta, half the cores each, no pondering, as they share a machine.

use std::net::{Ipv4Addr, TcpListener};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread::{self, available_parallelism};
use std::time::Duration;

use alesia::game::{Game, GameState, Side};
use alesia::games::Murus;
use alesia::net::client::{connect, play_game};
use alesia::net::referee::{GameEvent, RefereeOptions, serve};
use alesia::player::EnginePlayer;
use alesia::player::printer::Printer;
use alesia::search::clock::MoveTime;
use alesia::search::{EngineKind, EngineOptions};

use super::{CommandError, referee, screen};

/// The time for a move.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The safety margin for the network.
const MARGIN: Duration = Duration::from_millis(150);

/// Memory per player, in bytes.
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

    let printer = Printer::start();
    printer.line(format_args!(
        "Murus Gallicus on 127.0.0.1:{port}, {threads} thread(s) each, 1 s a move"
    ));
    for (side, (_, name)) in [Side::White, Side::Black].iter().zip(PLAYERS) {
        printer.line(format_args!("{side}: {name}"));
    }
    // Built before the clock runs, and connected in order: the first is white.
    let options = EngineOptions { threads, memory: MEMORY, ..Default::default() };
    let mut players = Vec::new();
    for (kind, _) in PLAYERS {
        let engine = kind.build(start, &options)?;
        let time = MoveTime::new(MOVE_TIME, MARGIN);
        let player = EnginePlayer::new(engine, time, None, false);
        let stream = connect("127.0.0.1", port, Duration::ZERO)
            .map_err(|error| CommandError::Failed(error.to_string()))?;
        players.push((player, stream));
    }
    let terms = RefereeOptions {
        move_time: MOVE_TIME,
        warm_up: Duration::ZERO,
        ..RefereeOptions::default()
    };
    thread::scope(|scope| {
        for (mut player, stream) in players {
            scope.spawn(move || {
                // The referee announces any failure of a player as its loss.
                if let Err(error) = play_game(stream, start, &mut player, &mut |_| {}) {
                    log::error!("{error}");
                }
            });
        }
        let shown = Mutex::new(GameState::new(start));
        let show = |_, event| {
            show(&printer, &event, &mut shown.lock().expect("showing never panics"));
        };
        serve(listener, start, 1, &terms, &show).map_err(failed)
    })?;
    Ok(printer.finish(String::new())?)
}

/// Prints a line for each event, and the board after each move.
fn show<G: Game>(printer: &Printer, event: &GameEvent, state: &mut GameState<G>) {
    let played = match event {
        GameEvent::Moved { text, .. } => state.position.parse_move(text).ok(),
        _ => None,
    };
    if let Some(m) = played {
        state.play(m);
    }
    let line = referee::line(event, state.position.ply());
    match event {
        GameEvent::Ended { .. } => printer.result(format_args!("{line}")),
        _ => printer.line(format_args!("{line}")),
    }
    if played.is_some() {
        printer.line(format_args!("{}", screen::board(&state.position)));
    }
}
