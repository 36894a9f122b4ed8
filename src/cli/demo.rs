//! `alesia` by itself: a whole tournament game on one machine.
//!
//! A referee on a loopback port and two players over TCP: Murus Gallicus, Monte Carlo against
//! alpha-beta, half the cores each, no pondering, as they share a machine.

use std::net::{Ipv4Addr, TcpListener};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::thread::{self, available_parallelism};
use std::time::Duration;

use alesia::game::{Game, screen};
use alesia::game::{GameState, Outcome, Side};
use alesia::games::{AnyState, Murus};
use alesia::net::client::{connect, play_game};
use alesia::net::referee::{GameEvent, RefereeOptions, serve};
use alesia::player::EnginePlayer;
use alesia::player::latest::Latest;
use alesia::player::printer::Printer;
use alesia::search::clock::MoveTime;
use alesia::search::memory::at_most_half_of_available;
use alesia::search::{EngineKind, EngineOptions};

use super::by_hand::program;
use super::terminal::Terminal;
use super::terminal::progress::{Progress, taking_memory};
use super::terminal::view::{Names, Notes, View};
use alesia::words::command_error::CommandError;

use super::referee;

/// The time for a move.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The safety margin for the network.
const MARGIN: Duration = Duration::from_millis(150);

/// Memory of a player for each of its threads, in bytes, which a game of this length hardly fills,
/// and at most.
const MEMORY_OF_THREAD: usize = 64 << 20;
const MAX_MEMORY: usize = 256 << 20;

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

    // Built before the clock runs.
    let memory = (threads * MEMORY_OF_THREAD).min(MAX_MEMORY);
    let memory = at_most_half_of_available(PLAYERS.len() * memory) / PLAYERS.len();
    let options = EngineOptions { threads, memory, ..Default::default() };
    let taken = Progress::start(taking_memory(PLAYERS.len() * memory));
    let [first, second] = PLAYERS.map(|(kind, _)| kind.build(start.into(), &options));
    let engines = [first?, second?];
    drop(taken);
    let thoughts = [(); 2].map(|()| Arc::new(Latest::default()));
    let names = Names::BySide(PLAYERS.map(|(_, name)| name.to_owned()));
    let view = View::start(start.into(), names, &thoughts.each_ref());
    let (view, notes) = view.unzip();
    let printer = Printer::with_panel(view.map(View::boxed))?;
    printer.line(format_args!(
        "Murus Gallicus on 127.0.0.1:{port}, {threads} thread(s) each, 1 s a move"
    ));
    for (side, (_, name)) in [Side::White, Side::Black].iter().zip(PLAYERS) {
        printer.line(format_args!("{side}: {name}"));
    }
    // Connected in order: the first is white.
    let mut players = Vec::new();
    for (engine, latest) in engines.into_iter().zip(&thoughts) {
        let time = MoveTime::new(MOVE_TIME, MARGIN);
        let latest = notes.is_some().then_some(latest);
        let player = EnginePlayer::new(engine, time, None, false).with_latest(latest);
        let stream = connect("127.0.0.1", port, Duration::ZERO)
            .map_err(|error| CommandError::Failed(error.to_string()))?;
        players.push((player, stream));
    }
    let terms = RefereeOptions {
        move_time: MOVE_TIME,
        warm_up: Duration::ZERO,
        ..RefereeOptions::default()
    };
    let shown = Mutex::new(Shown { state: GameState::new(start.into()), result: None });
    thread::scope(|scope| {
        for (mut player, stream) in players {
            let playing = move || {
                // The referee announces any failure of a player as its loss.
                if let Err(error) = play_game(stream, start.into(), &mut player, &mut |_| {}) {
                    log::error!("{error}");
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, playing);
            started.map_err(|error| CommandError::Failed(format!("no thread: {error}")))?;
        }
        let show = |_, event| {
            shown.lock().expect("showing never panics").show(&printer, notes.as_deref(), &event);
        };
        serve(listener, start.into(), 1, &terms, &show).map_err(failed)
    })?;
    let shown = shown.into_inner().expect("showing never panics");
    let last = if Terminal::of_output().is_some() { shown.summary() } else { String::new() };
    Ok(printer.finish(last)?)
}

/// The game as far as it has been shown.
struct Shown {
    state: AnyState,
    /// Who won, and why.
    result: Option<(Outcome, String)>,
}

impl Shown {
    /// Prints a line for each event, and the board after each move where no view shows it.
    fn show(&mut self, printer: &Printer, notes: Option<&Notes>, event: &GameEvent) {
        let state = &mut self.state;
        let played = match event {
            GameEvent::Moved { text, .. } => state.position.parse_move(text).ok(),
            _ => None,
        };
        if let Some(m) = played {
            state.play(m);
        }
        if let Some(notes) = notes {
            // The players' names are better than their addresses.
            if !matches!(event, GameEvent::Seated { .. }) {
                notes.watch(event, &state.position);
            }
        }
        let line = referee::line(event, state.position.ply());
        match event {
            GameEvent::Ended { outcome, reason } => {
                self.result = Some((*outcome, reason.clone()));
                printer.result(format_args!("{line}"));
            }
            _ => printer.line(format_args!("{line}")),
        }
        if played.is_some() && notes.is_none() {
            printer.line(format_args!("{}", screen::board(&self.state.position)));
        }
    }

    /// Who won against whom, how and in how many moves; and what a person may try next.
    fn summary(&self) -> String {
        let Some((outcome, reason)) = &self.result else { return String::new() };
        let player = |side: Side| format!("{} ({side})", PLAYERS[side as usize].1);
        let [white, black] = [Side::White, Side::Black].map(player);
        let told = match outcome {
            Outcome::Win(Side::White) => format!("{white} won against {black}"),
            Outcome::Win(Side::Black) => format!("{black} won against {white}"),
            Outcome::Draw => format!("{white} and {black} drew"),
        };
        let reason = outcome.why(reason);
        let (moves, name, program) =
            (self.state.position.ply(), self.state.position.name(), program());
        format!(
            "\n{told} in {moves} moves: {reason}.\n\nTry next:\n  \
             {program} rules {name}            the rules, with boards\n  \
             {program} manual --game {name}    play against the engine yourself\n  \
             {program} --help                 all commands\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia::games::AnyGame;

    fn summary(outcome: Outcome) -> String {
        let mut state = GameState::new(AnyGame::from(Murus::start()));
        state.play_text("G4,N A4,S").unwrap();
        Shown { state, result: Some((outcome, "no legal move".into())) }.summary()
    }

    #[test]
    fn the_summary_says_who_won_against_whom_how_and_when() {
        for (outcome, told) in [
            (
                Outcome::Win(Side::White),
                "Monte Carlo tree search (White) won against alpha-beta (Black) in 2 moves: \
                 Black has",
            ),
            (
                Outcome::Win(Side::Black),
                "alpha-beta (Black) won against Monte Carlo tree search (White) in 2 moves: \
                 White has",
            ),
            (
                Outcome::Draw,
                "Monte Carlo tree search (White) and alpha-beta (Black) drew in 2 moves:",
            ),
        ] {
            let text = summary(outcome);
            assert!(text.contains(&format!("\n{told} no legal move.\n")), "{text}");
            assert!(text.contains(" rules murus "), "{text}");
        }
    }
}
