//! One game through the referee of the tournament protocol, where a player is a client of it.
//!
//! The one idea: the very referee of match day sits between the two. A program that speaks the
//! protocol is started with the referee's address; any other player is connected by the client of
//! match day, so that both have the same rules and the same clock.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use alesia::game::{Game, Outcome, Side};
use alesia::games::{AnyGame, AnyState};
use alesia::net::client::{self, Answer, ClientEvent};
use alesia::net::referee::{self, GameEvent, GameResult, RefereeOptions, serve_game};
use alesia::record::end::End;
use alesia::search::clock::MoveTime;

use super::audience::Spectator;
use super::opening::Opening;
use super::ruling::{GamePlayed, Ruling};
use crate::players::entrant::Program;
use crate::players::limit::{Allowance, Limit};
use crate::players::process::Process;
use crate::players::{Fault, NotStarted, Player, Turn};
use alesia::record::game_record::GameLine;
use alesia::record::game_record::{RecordedMove, milliseconds};
use alesia::record::thought::Thought;

/// Max time of a program from its start to its connection.
const CONNECTING_TIME: Duration = Duration::from_secs(30);

/// Max time of a program to end after its game.
const LEAVING_TIME: Duration = Duration::from_secs(2);

/// The time between two looks at whether the game has to stop.
const STOPPING_TIME: Duration = Duration::from_millis(50);

/// The time between two looks for a connection.
const LOOK_TIME: Duration = Duration::from_millis(2);

/// The safety margin of a player of this process, as on match day.
const RESERVE: Duration = Duration::from_millis(150);

/// A player at the referee's table.
pub enum RefereeSeat<'a> {
    /// A program that connects.
    Client {
        /// For the log.
        name: &'a str,
        /// What to run; `{host}`, `{port}`, `{game}` and `{seed}` in its arguments are filled in,
        /// and where there is no `{port}`, host and port come last.
        program: &'a Program,
        /// The seed of its random choices in this game.
        seed: u64,
    },
    /// Anyone else.
    Local {
        player: &'a mut dyn Player,
        limit: Limit,
        /// The seed of its random choices in this game.
        seed: u64,
    },
}

/// Why there is no game.
#[derive(Debug)]
pub enum NoGame {
    /// The player of that side cannot be started, or ends before it connects.
    NotStarted(NotStarted),
    /// The system gives no connections or threads.
    System(io::Error),
}

impl From<NotStarted> for NoGame {
    fn from(error: NotStarted) -> NoGame {
        NoGame::NotStarted(error)
    }
}

impl From<io::Error> for NoGame {
    fn from(error: io::Error) -> NoGame {
        NoGame::System(error)
    }
}

/// Plays a game from the start position: what happened, and the moves of the players. None where it
/// was stopped.
///
/// # Errors
/// A program cannot be started, or the system gives no connections or threads.
pub fn play(
    opening: &Opening,
    game: &str,
    seats: [RefereeSeat<'_>; 2],
    options: &RefereeOptions,
    stop: &AtomicBool,
    live: Option<&dyn Spectator>,
) -> Result<Option<GamePlayed>, NoGame> {
    thread::scope(|scope| {
        let mut programs = [None, None];
        let mut locals = [None, None];
        let mut streams = Vec::new();
        for (side, seat) in [Side::White, Side::Black].into_iter().zip(seats) {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let port = listener.local_addr()?.port();
            let stream = match seat {
                RefereeSeat::Client { name, program, seed } => {
                    let place = format!("-engine {name}, cmd={}", program.path.display());
                    let program = with_address(program, game, port, seed);
                    let (process, stream) = match start_client(name, &program, &listener, stop)? {
                        Ok(client) => client,
                        // Relaxed, as everywhere here: a flag alone.
                        Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
                        Err(why) => {
                            return Err(NotStarted(side, format!("{place}: {why}")).into());
                        }
                    };
                    programs[side as usize] = Some(process);
                    stream
                }
                RefereeSeat::Local { player, limit, seed } => {
                    if let Err(fault) = player.begin(seed) {
                        let Fault::NotStarted(why) = fault else {
                            return Ok(Some((Ruling::by_fault(side, &fault, None), Vec::new())));
                        };
                        return Err(NotStarted(side, why).into());
                    }
                    let own = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
                    let stream = listener.accept()?.0;
                    let time = MoveTime::new(options.move_time, RESERVE);
                    let playing = move || converse(player, limit, time, own, opening, live);
                    let playing = thread::Builder::new().spawn_scoped(scope, playing)?;
                    locals[side as usize] = Some(playing);
                    stream
                }
            };
            streams.push(stream);
        }
        let streams = <[TcpStream; 2]>::try_from(streams).expect("a stream for each side");
        let served = serve(streams, opening.state.position, options, stop, live)?;
        let Some((result, mut moves)) = served else { return Ok(None) };
        let mut faults = with_thoughts(&mut moves, locals);
        for (program, fault) in programs.iter().zip(&mut faults) {
            *fault = program.as_ref().and_then(end_of).or(fault.take());
        }
        let by_option =
            opening.state.position.ply() + moves.len() < opening.state.position.ply_limit();
        Ok(Some((ruling(&result, faults, options.move_time, by_option), moves)))
    })
}

/// What a player has said of its moves, and its fault.
type Said = (Vec<Thought>, Option<Fault>);

/// Adds to the moves what players of this process have said of them; returns the players' faults.
fn with_thoughts(
    moves: &mut [RecordedMove],
    locals: [Option<ScopedJoinHandle<'_, Said>>; 2],
) -> [Option<Fault>; 2] {
    let mut firsts = [0, 1].into_iter();
    locals.map(|local| {
        let own = moves.iter_mut().skip(firsts.next().unwrap_or_default()).step_by(2);
        let (thoughts, fault) = local?.join().unwrap_or_default();
        own.zip(thoughts).for_each(|(m, thought)| m.thought = thought);
        fault
    })
}

/// How a program has ended after its game; none if it still runs.
fn end_of(program: &Process) -> Option<Fault> {
    program.wait(LEAVING_TIME).map(|_| Fault::Ended(program.last_words()))
}

/// Starts a program and waits until it connects; or says why it does not, also where the wait was
/// stopped.
fn start_client(
    name: &str,
    program: &Program,
    listener: &TcpListener,
    stop: &AtomicBool,
) -> io::Result<Result<(Process, TcpStream), String>> {
    let mut process = match Process::start(name, program, false) {
        Ok(process) => process,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let connected = wait_for(listener, &mut process, stop)?;
    Ok(match connected {
        Ok(stream) => Ok((process, stream)),
        Err(fault) => Err(no_connection(&fault, &process)),
    })
}

/// Referees the game: its result and its moves, without what the players thought. None where it was
/// stopped.
fn serve(
    [white, black]: [TcpStream; 2],
    start: AnyGame,
    options: &RefereeOptions,
    stop: &AtomicBool,
    live: Option<&dyn Spectator>,
) -> io::Result<Option<(GameResult, Vec<RecordedMove>)>> {
    let streams = [white.try_clone()?, black.try_clone()?];
    let (playing, ended) = channel();
    thread::scope(|scope| {
        let stopping = move || shut_down(&streams, stop, &ended);
        thread::Builder::new().spawn_scoped(scope, stopping)?;
        let mut moves = Vec::new();
        let result = serve_game(white, black, start, options, &mut |event| {
            if let GameEvent::Moved { text, elapsed, .. } = event {
                if let Some(live) = live {
                    live.hear(&event);
                }
                let (text, ms) = (text.to_string(), Some(milliseconds(elapsed)));
                moves.push(RecordedMove { text, ms, thought: Thought::default() });
            }
        });
        drop(playing);
        let result = result?;
        let is_cut = result.cause == referee::Cause::Disconnected && stop.load(Ordering::Relaxed);
        Ok((!is_cut).then_some((result, moves)))
    })
}

/// Shuts down the connections of a game when it has to stop, unless it ends before.
fn shut_down(streams: &[TcpStream; 2], stop: &AtomicBool, ended: &Receiver<()>) {
    while ended.recv_timeout(STOPPING_TIME) == Err(RecvTimeoutError::Timeout) {
        if stop.load(Ordering::Relaxed) {
            for stream in streams {
                // Fails only where the connection has ended anyway.
                let _ = stream.shutdown(Shutdown::Both);
            }
            return;
        }
    }
}

/// A program with the referee's address among its arguments.
fn with_address(program: &Program, game: &str, port: u16, seed: u64) -> Program {
    let (host, port, seed) = (Ipv4Addr::LOCALHOST.to_string(), port.to_string(), seed.to_string());
    let has_port = program.arguments.iter().any(|argument| argument.contains("{port}"));
    let filled_in = |argument: &String| {
        argument
            .replace("{host}", &host)
            .replace("{port}", &port)
            .replace("{game}", game)
            .replace("{seed}", &seed)
    };
    let mut arguments: Vec<String> = program.arguments.iter().map(filled_in).collect();
    if !has_port {
        arguments.extend([host, port]);
    }
    Program { arguments, ..program.clone() }
}

/// Waits for a program to connect, at most until `stop` is set.
pub fn wait_for(
    listener: &TcpListener,
    process: &mut Process,
    stop: &AtomicBool,
) -> io::Result<Result<TcpStream, Fault>> {
    listener.set_nonblocking(true)?;
    let end = Instant::now() + CONNECTING_TIME;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                // Some systems hand the listener's mode on.
                stream.set_nonblocking(false)?;
                return Ok(Ok(stream));
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if process.wait(LOOK_TIME).is_some() {
            return Ok(Err(Fault::Disconnects));
        }
        if Instant::now() >= end || stop.load(Ordering::Relaxed) {
            return Ok(Err(Fault::Stalls));
        }
    }
}

/// Why a program has not connected.
fn no_connection(fault: &Fault, process: &Process) -> String {
    match fault {
        Fault::Disconnects => format!("it ended before it connected ({})", process.last_words()),
        _ => format!("it has not connected within {} s", CONNECTING_TIME.as_secs()),
    }
}

/// The referee's ruling in the words of the match. `faults` are those of players that were asked
/// here, and how programs have ended; `by_option` is whether a move limit can only be that of the
/// options.
fn ruling(
    result: &GameResult,
    faults: [Option<Fault>; 2],
    move_time: Duration,
    by_option: bool,
) -> Ruling {
    let loser = match result.outcome {
        Outcome::Win(Side::White) => Side::Black,
        Outcome::Win(Side::Black) | Outcome::Draw => Side::White,
    };
    if let (referee::Cause::Disconnected, Some(fault)) = (result.cause, &faults[loser as usize]) {
        return Ruling::by_fault(loser, fault, Some(move_time));
    }
    let End { outcome, cause, reason } = End::of_referee(result, move_time, by_option);
    Ruling { result: outcome.into(), cause, reason }
}

/// A player that is no client, as the client of match day asks it.
struct Connected<'a, 'b> {
    player: &'a mut dyn Player,
    limit: Limit,
    time: MoveTime,
    /// Closed where the player fails: the referee then sees it gone.
    stream: &'b TcpStream,
    /// Grows with every move of either side.
    line: &'b RefCell<GameLine>,
    thoughts: Vec<Thought>,
    fault: Option<Fault>,
    live: Option<&'b dyn Spectator>,
}

/// Plays a game on a connection: what the player said of its moves, and its fault.
fn converse(
    player: &mut dyn Player,
    limit: Limit,
    time: MoveTime,
    stream: TcpStream,
    opening: &Opening,
    live: Option<&dyn Spectator>,
) -> Said {
    let line = RefCell::new(opening.line.clone());
    let Ok(to_close) = stream.try_clone() else { return (Vec::new(), Some(Fault::Disconnects)) };
    let (thoughts, fault) = (Vec::new(), None);
    let mut player =
        Connected { player, limit, time, stream: &to_close, line: &line, thoughts, fault, live };
    let start = opening.state.position;
    let played = client::play_game(stream, start, &mut player, &mut |event| {
        if let ClientEvent::Moved { text, .. } = event {
            line.borrow_mut().moves.push(text.to_string());
        }
    });
    if let Err(error) = played {
        log::info!("{error}");
    }
    (player.thoughts, player.fault)
}

impl client::Player for Connected<'_, '_> {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        let allowance = match self.limit {
            Limit::Nodes(nodes) => Allowance::Nodes(nodes),
            Limit::Depth(plies) => Allowance::Depth(plies),
            Limit::MoveTime(_) | Limit::Clock { .. } => {
                let end = self.time.deadline(received);
                Allowance::Move(end.saturating_duration_since(Instant::now()))
            }
        };
        let margin = self.time.margin();
        let line = self.line.borrow();
        match self.player.choose(&Turn { line: &line, state, allowance, margin }) {
            Ok(choice) => {
                if let Some((live, info)) = self.live.zip(choice.info(&state.position)) {
                    let (side, ply) = (state.position.side(), state.position.ply());
                    live.hear(&GameEvent::Thought { side, ply, info });
                }
                self.thoughts.push(choice.thought);
                choice.m.into()
            }
            Err(fault) => {
                self.fault = Some(fault);
                // Fails only where the connection has ended anyway.
                let _ = self.stream.shutdown(Shutdown::Both);
                // No message names it any more.
                let legal = state.position.legal_moves();
                legal[0].into()
            }
        }
    }
}
