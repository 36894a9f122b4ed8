//! One game through the referee of the tournament protocol, where a player is a client of it.
//!
//! The one idea: the very referee of match day sits between the two. A program that speaks the
//! protocol is started with the referee's address, or comes by itself; any other player is
//! connected by the client of match day, so that both have the same rules and the same clock.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use alesia::game::{Game, Outcome, Side};
use alesia::games::{AnyGame, AnyState};
use alesia::net::address::Endpoint;
use alesia::net::client::{self, Answer, ClientEvent};
use alesia::net::referee::{self, GameEvent, GameResult, RefereeOptions, Wire, serve_game_over};
use alesia::net::relay::HIGHEST_FILTERED_PORT;
use alesia::net::socket::connect;
use alesia::net::tournament::ServerMessage;
use alesia::record::end::End;
use alesia::search::clock::MoveTime;

use super::audience::Spectator;
use super::opening::Opening;
use super::ruling::{GamePlayed, Ruling};
use crate::players::entrant::Program;
use crate::players::guest::{self, Guest};
use crate::players::limit::{Allowance, Limit};
use crate::players::process::Process;
use crate::players::{Fault, NotStarted, Player, Turn};
use crate::words::logging::warn;
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

/// After this time a player that is called is named.
const NOTICE_TIME: Duration = Duration::from_secs(10);

/// Number of ports that games of the relay protocol may use.
const HIGH_PORTS: u16 = 20_000;

/// The safety margin of a player of this process, as on match day.
const RESERVE: Duration = Duration::from_millis(150);

/// A player at the referee's table.
pub enum RefereeSeat<'a> {
    /// A player that comes by itself.
    Guest(&'a Guest),
    /// A program that connects, or as White of the relay protocol listens.
    Client {
        /// For the log.
        name: &'a str,
        wire: Wire,
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

impl RefereeSeat<'_> {
    fn wire(&self) -> Wire {
        match self {
            RefereeSeat::Guest(guest) => guest.wire,
            RefereeSeat::Client { wire, .. } => *wire,
            RefereeSeat::Local { .. } => Wire::Tournament,
        }
    }
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
    let wires = [seats[0].wire(), seats[1].wire()];
    let guests = [&seats[0], &seats[1]].map(|seat| match seat {
        RefereeSeat::Guest(guest) => Some(*guest),
        _ => None,
    });
    let Some(mut comers) = gather(guests, stop) else { return Ok(None) };
    if let Some(ruling) = comers.walkover() {
        comers.dismiss(&ruling);
        return Ok(Some((ruling, Vec::new())));
    }
    let mut options = *options;
    if wires == [Wire::Tournament; 2] {
        options.warm_up =
            guests.into_iter().flatten().map(|guest| guest.warm_up).max().unwrap_or_default();
    }
    thread::scope(|scope| {
        let mut programs = [None, None];
        let mut locals = [None, None];
        let mut streams = [None, None];
        let mut seats: Vec<_> = [Side::White, Side::Black].into_iter().zip(seats).collect();
        if wires[0] == Wire::Relay {
            // White's time runs since its connection, so Black must be there before.
            seats.reverse();
        }
        for (side, seat) in seats {
            let stream = match seat {
                RefereeSeat::Guest(guest) => match comers.streams[side as usize].take() {
                    Some(stream) => stream,
                    None => match visit(guest, comers.patience(), stop) {
                        Some(stream) => stream,
                        None if stop.load(Ordering::Relaxed) => return Ok(None),
                        None => {
                            comers.absent[side as usize] = true;
                            comers.streams[!side as usize] = streams[!side as usize].take();
                            let ruling = comers.walkover().expect("a player is not there");
                            comers.dismiss(&ruling);
                            return Ok(Some((ruling, Vec::new())));
                        }
                    },
                },
                RefereeSeat::Client { name, wire, program, seed } => {
                    let place = format!("-engine {name}, cmd={}", program.path.display());
                    let address = match (wire, side) {
                        (Wire::Tournament, _) => {
                            Meeting::Here(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?)
                        }
                        (Wire::Relay, Side::White) => {
                            Meeting::There(high_listener()?.local_addr()?.port())
                        }
                        (Wire::Relay, Side::Black) => Meeting::Here(high_listener()?),
                    };
                    let program = with_address(program, game, address.port()?, seed);
                    let (process, stream) = match start_client(name, &program, &address, stop)? {
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
                    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
                    let own = TcpStream::connect(listener.local_addr()?)?;
                    let stream = listener.accept()?.0;
                    let time = MoveTime::new(options.move_time, RESERVE);
                    let playing = move || converse(player, limit, time, own, opening, live);
                    let playing = thread::Builder::new().spawn_scoped(scope, playing)?;
                    locals[side as usize] = Some(playing);
                    stream
                }
            };
            streams[side as usize] = Some(stream);
        }
        let streams = streams.map(|stream| stream.expect("a stream for each side"));
        let served = serve(streams, wires, opening.state.position, &options, stop, live)?;
        let Some((result, mut moves)) = served else { return Ok(None) };
        let mut faults = with_thoughts(&mut moves, locals);
        for (program, fault) in programs.iter().zip(&mut faults) {
            *fault = program.as_ref().and_then(end_of).or(fault.take());
        }
        let by_option =
            opening.state.position.ply() + moves.len() < opening.state.position.ply_limit();
        let loser = loser_of(&result);
        let time = wires[loser as usize].move_time(moves.len(), options.move_time);
        Ok(Some((ruling(&result, faults, time, by_option), moves)))
    })
}

/// The guests of a game.
struct Comers {
    streams: [Option<TcpStream>; 2],
    /// Those that have not come in time.
    absent: [bool; 2],
    wires: [Wire; 2],
    waits: [Duration; 2],
    called: Instant,
}

/// Waits until the guests of a game are there, or too late; none where the wait was stopped. White
/// of the relay protocol is there when it is visited.
fn gather(guests: [Option<&Guest>; 2], stop: &AtomicBool) -> Option<Comers> {
    let called = Instant::now();
    let comes = |side: usize| {
        let visited = |guest: &&Guest| guest.wire == Wire::Relay && side == Side::White as usize;
        guests[side].filter(|guest| !visited(guest))
    };
    let comers = [0, 1].map(comes);
    let mut said = false;
    loop {
        let missing = comers.map(|guest| guest.filter(|guest| !guest.is_here()));
        let late = missing.map(|guest| guest.is_some_and(|guest| called.elapsed() >= guest.wait));
        let waits = [0, 1].into_iter().any(|side| missing[side].is_some() && !late[side]);
        if !waits {
            return Some(Comers {
                streams: comers.map(|guest| guest.and_then(Guest::take)),
                absent: late,
                wires: guests.map(|guest| guest.map_or(Wire::Tournament, |guest| guest.wire)),
                waits: guests.map(|guest| guest.map_or(Duration::ZERO, |guest| guest.wait)),
                called,
            });
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if called.elapsed() >= NOTICE_TIME && !std::mem::replace(&mut said, true) {
            for guest in missing.into_iter().flatten() {
                let left = guest.wait.saturating_sub(called.elapsed()).as_secs();
                warn(&format!("{} is called to its game, and has {left} s to come", guest.name));
            }
        }
        thread::sleep(guest::LOOK_TIME);
    }
}

/// Connects to White of the relay protocol.
fn visit(guest: &Guest, patience: Duration, stop: &AtomicBool) -> Option<TcpStream> {
    let Endpoint { host, port } = guest.listens.as_ref()?;
    let end = Instant::now() + patience;
    while !stop.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        match connect(host, *port, left.min(STOPPING_TIME)) {
            Ok(stream) => return Some(stream),
            Err(_) if left.is_zero() => return None,
            Err(_) => thread::sleep(guest::LOOK_TIME),
        }
    }
    None
}

impl Comers {
    /// How long a player is waited for that may have been called a while ago.
    fn patience(&self) -> Duration {
        let wait = self.waits[Side::White as usize];
        wait.saturating_sub(self.called.elapsed()).max(NOTICE_TIME.min(wait))
    }

    /// The result where a player is not there.
    fn walkover(&self) -> Option<Ruling> {
        match self.absent {
            [false, false] => None,
            [true, true] => Some(Ruling::by_absence()),
            [white, _] => {
                let loser = if white { Side::White } else { Side::Black };
                let wait = self.waits[loser as usize].as_secs();
                let how = format!("did not come within {wait} s");
                Some(Ruling::by_fault(loser, &Fault::Ended(how), None))
            }
        }
    }

    /// Says the result to the player that has come, as far as its protocol has words for it.
    fn dismiss(&mut self, ruling: &Ruling) {
        for side in [Side::White, Side::Black] {
            let Some(stream) = self.streams[side as usize].take() else { continue };
            if self.wires[side as usize] == Wire::Relay {
                continue;
            }
            let reason = ruling.reason.as_bytes();
            let result = ServerMessage::of_outcome(ruling.result.outcome(), side);
            for message in [ServerMessage::Welcome(side), ServerMessage::Message(reason), result] {
                // It may be gone.
                let _ = (&stream).write_all(&message.to_line());
            }
        }
    }
}

/// How a program and the referee meet.
enum Meeting {
    /// The program connects to this listener.
    Here(TcpListener),
    /// The program listens on this port.
    There(u16),
}

impl Meeting {
    fn port(&self) -> io::Result<u16> {
        match self {
            Meeting::Here(listener) => Ok(listener.local_addr()?.port()),
            Meeting::There(port) => Ok(*port),
        }
    }
}

/// The next port that is tried.
static NEXT_PORT: AtomicU16 = AtomicU16::new(0);

/// A listener on a free port above those that routers may filter, or, once it is dropped, a port
/// for White to listen on: no other game tries the same for a while.
fn high_listener() -> io::Result<TcpListener> {
    let first = HIGHEST_FILTERED_PORT + 1;
    for _ in 0..HIGH_PORTS {
        // Two matches on a machine begin at different places.
        let own = std::process::id() as u16;
        let place = NEXT_PORT.fetch_add(1, Ordering::Relaxed).wrapping_add(own) % HIGH_PORTS;
        if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, first + place)) {
            return Ok(listener);
        }
    }
    Err(io::Error::other(format!("no port from {first} on is free")))
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
    meeting: &Meeting,
    stop: &AtomicBool,
) -> io::Result<Result<(Process, TcpStream), String>> {
    let mut process = match Process::start(name, program, false) {
        Ok(process) => process,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let connected = match meeting {
        Meeting::Here(listener) => wait_for(listener, &mut process, stop)?,
        Meeting::There(port) => {
            wait(&mut process, stop, || Ok(TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).ok()))?
        }
    };
    Ok(match connected {
        Ok(stream) => Ok((process, stream)),
        Err(fault) => Err(no_connection(&fault, &process)),
    })
}

/// Referees the game: its result and its moves, without what the players thought. None where it was
/// stopped.
fn serve(
    [white, black]: [TcpStream; 2],
    wires: [Wire; 2],
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
        let result = serve_game_over([white, black], wires, start, options, &mut |event| {
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
    wait(process, stop, || match listener.accept() {
        Ok((stream, _)) => {
            // Some systems hand the listener's mode on.
            stream.set_nonblocking(false)?;
            Ok(Some(stream))
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    })
}

/// Tries to meet a program, at most until `stop` is set.
fn wait(
    process: &mut Process,
    stop: &AtomicBool,
    mut meet: impl FnMut() -> io::Result<Option<TcpStream>>,
) -> io::Result<Result<TcpStream, Fault>> {
    let end = Instant::now() + CONNECTING_TIME;
    loop {
        if let Some(stream) = meet()? {
            return Ok(Ok(stream));
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
    let loser = loser_of(result);
    if let (referee::Cause::Disconnected, Some(fault)) = (result.cause, &faults[loser as usize]) {
        return Ruling::by_fault(loser, fault, Some(move_time));
    }
    let End { outcome, cause, reason } = End::of_referee(result, move_time, by_option);
    Ruling { result: outcome.into(), cause, reason }
}

/// Who has lost; of a draw anyone.
fn loser_of(result: &GameResult) -> Side {
    match result.outcome {
        Outcome::Win(Side::White) => Side::Black,
        Outcome::Win(Side::Black) | Outcome::Draw => Side::White,
    }
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
