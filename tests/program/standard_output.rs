//! Standard output that nobody reads, is closed or full: games are played to their end, players and
//! referees end, and the exit status says that something was not shown.

use std::io::{PipeReader, pipe};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::dialogue::process::Process;
use crate::dialogue::{Background, Peer, free_port, listener};

/// What a command says when its output has no reader.
const STUCK: &str = "alesia: standard output: its reader has stopped; lines are lost\n";

/// A pipe that is full and that nobody reads, as long as the reader is kept.
fn full_pipe() -> (PipeReader, Stdio) {
    use std::io::Write;
    let (reader, writer) = pipe().unwrap();
    let mut filling = writer.try_clone().unwrap();
    let written = Arc::new(AtomicUsize::new(0));
    let count = written.clone();
    // It waits for room, and ends when the reader is dropped.
    thread::spawn(move || {
        while filling.write_all(b"\n").is_ok() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let mut before = 0;
    loop {
        thread::sleep(Duration::from_millis(500));
        let now = written.load(Ordering::Relaxed);
        if now == before && now >= 4096 {
            return (reader, writer.into());
        }
        before = now;
    }
}

/// A pipe without a reader.
fn closed_pipe() -> Stdio {
    pipe().unwrap().1.into()
}

fn start(arguments: &str, output: Stdio) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    command.args(arguments.split_whitespace()).env_remove("RUST_LOG");
    Process(command.stdout(output).stderr(Stdio::piped()).spawn().unwrap())
}

/// The same where no file may grow.
#[cfg(unix)]
fn start_limited(arguments: &str, output: Stdio) -> Process {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_alesia");
    command.args(["-c", &format!("ulimit -f 0; exec {program} {arguments}")]);
    command.env_remove("RUST_LOG");
    Process(command.stdout(output).stderr(Stdio::piped()).spawn().unwrap())
}

/// Waits for the end; returns the exit status and the lines on standard error.
fn end_of(mut process: Process) -> (Option<i32>, String) {
    Background::new(move || {
        let mut errors = String::new();
        let child: &mut Child = &mut process.0;
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut errors).unwrap();
        (child.wait().unwrap().code(), errors)
    })
    .wait()
}

/// A player with this output wins a game.
fn player_wins(output: Stdio) -> (Option<i32>, String) {
    player_wins_as(start, output)
}

fn player_wins_as(
    start: impl FnOnce(&str, Stdio) -> Process,
    output: Stdio,
) -> (Option<i32>, String) {
    let (listener, address) = listener();
    let player = start(
        &format!("play {address} --engine random --memory 1MiB --game hadron1x1 --threads 1"),
        output,
    );
    let mut server = Peer::new(listener.accept().unwrap().0);
    server.says(["WELCOME White", "YOUR_TURN"]);
    server.hears(["MOVE A1"]);
    server.says(["VALID_MOVE", "VICTORY"]);
    end_of(player)
}

#[test]
fn a_player_ends_without_a_reader() {
    let (reader, output) = full_pipe();
    assert_eq!(player_wins(output), (Some(1), STUCK.to_owned()));
    drop(reader);
}

#[test]
fn a_player_that_can_show_its_result_has_status_0() {
    assert_eq!(player_wins(Stdio::null()), (Some(0), String::new()));
}

/// Two players at the referee's port, once it listens.
fn players(port: u16) -> [Peer; 2] {
    let connect = || {
        let patience = Duration::from_secs(20);
        Peer::new(alesia::net::client::connect("127.0.0.1", port, patience).unwrap())
    };
    let mut white = connect();
    white.hears(["WELCOME White", "MESSAGE waiting for the opponent"]);
    [white, connect()]
}

/// A referee with this output serves two games at a fixed port.
fn referee_serves(output: Stdio) -> (Option<i32>, String) {
    referee_serves_as(start, output)
}

fn referee_serves_as(
    start: impl FnOnce(&str, Stdio) -> Process,
    output: Stdio,
) -> (Option<i32>, String) {
    let port = free_port();
    let referee = start(
        &format!("referee --game hadron1x1 --bind 127.0.0.1 -p {port} -wt 0 -tt 20000 --games 2"),
        output,
    );
    for _ in 0..2 {
        let [mut white, mut black] = players(port);
        white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
        white.says(["MOVE A1"]);
        white.hears(["VALID_MOVE", "VICTORY"]);
        white.hears_the_end();
        black.hears(["WELCOME Black", "MESSAGE waiting for the opponent"]);
        black.hears(["MESSAGE all players connected", "OPPONENT_MOVE A1", "DEFEAT"]);
        black.hears_the_end();
    }
    end_of(referee)
}

#[test]
fn a_referee_serves_without_a_reader() {
    let (reader, output) = full_pipe();
    assert_eq!(referee_serves(output), (Some(1), STUCK.to_owned()));
    drop(reader);
}

#[test]
fn a_referee_serves_with_its_output_closed() {
    let (status, errors) = referee_serves(closed_pipe());
    assert!(errors.starts_with("alesia: standard output: "), "{errors}");
    assert_eq!((status, errors.lines().count()), (Some(1), 1), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_referee_serves_with_a_full_disk() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let (status, errors) = referee_serves(full.into());
    assert!(errors.starts_with("alesia: standard output: No space left"), "{errors}");
    assert_eq!((status, errors.lines().count()), (Some(1), 1), "{errors}");
}

/// In a debug build, reading the arguments alone takes more.
#[cfg(target_os = "linux")]
#[test]
fn a_small_limit_of_the_stack_ends_no_command() {
    let program = env!("CARGO_BIN_EXE_alesia");
    let script =
        format!("ulimit -s 64; exec {program} search --game hadron1x1 --nodes 1 --memory 1MiB");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.ends_with("bestmove A1\n"), "{output:?}");
}

/// The system would end the program by a signal where nobody handles it.
#[cfg(target_os = "linux")]
#[test]
fn games_continue_beyond_the_limit_of_file_sizes() {
    let path = std::env::temp_dir().join(format!("alesia-limited-{}.txt", std::process::id()));
    let output = || std::fs::File::create(&path).unwrap().into();
    for (status, errors) in
        [player_wins_as(start_limited, output()), referee_serves_as(start_limited, output())]
    {
        let said = "alesia: standard output: File too large (os error 27); lines are lost\n";
        assert_eq!((status, &*errors), (Some(1), said));
    }
    // Where standard error is such a file too, the status is all that is left.
    let program = env!("CARGO_BIN_EXE_alesia");
    let script = format!("ulimit -f 0; exec {program} perft nothing 1 2>{}", path.display());
    let status = Command::new("sh").args(["-c", &script]).status().unwrap();
    assert_eq!(status.code(), Some(2));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_relay_passes_on_without_a_reader() {
    let (white, address) = listener();
    let port = free_port();
    let (reader, output) = full_pipe();
    let relay = start(
        &format!("relay --white {address} --bind 127.0.0.1 --listen {port} --any-port"),
        output,
    );
    let patience = Duration::from_secs(20);
    let black: TcpStream = alesia::net::client::connect("127.0.0.1", port, patience).unwrap();
    let mut black = Peer::new(black);
    let mut white = Peer::new(accept(white));
    white.sends("B1-B3\n");
    black.hears(["B1-B3"]);
    black.sends("A2-A3\n");
    white.hears(["A2-A3"]);
    white.hears_the_end();
    black.hears_the_end();
    assert_eq!(end_of(relay), (Some(1), STUCK.to_owned()));
    drop(reader);
}

fn accept(listener: TcpListener) -> TcpStream {
    listener.accept().unwrap().0
}
