//! A game on a server as it is seen on a terminal: beneath the lines that are printed everywhere,
//! a view of the game is drawn in place. Without a terminal there are the lines alone.

use std::process::{Command, Stdio};

use crate::dialogue::process::Process;
use crate::dialogue::{Peer, listener};
#[cfg(unix)]
use crate::manual::terminal::{Terminal, characters_as_bytes};

/// A player of a small board for the server at this address.
fn player(address: std::net::SocketAddr, options: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    let play = format!("play {address} --game hadron3 --threads 1 --memory 1MiB --nodes 200");
    command.args(play.split(' ')).args(options.split_whitespace()).env_remove("RUST_LOG");
    command
}

/// The moves of a game that White wins, and the server's part in it.
fn plays_a_game(server: &mut Peer) {
    server.says(["WELCOME White", "YOUR_TURN"]);
    server.hears_a_line();
    server.says(["VALID_MOVE", "DEFEAT"]);
}

#[test]
fn without_a_terminal_values_are_printed_only_where_they_are_asked_for() {
    for (options, with_value) in [("", false), ("-v", true)] {
        let (listener, address) = listener();
        let mut command = player(address, options);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut child = Process(child);
        let mut server = Peer::new(listener.accept().unwrap().0);
        plays_a_game(&mut server);
        let output = std::io::read_to_string(child.0.stdout.take().unwrap()).unwrap();
        assert!(!output.contains('\u{1b}'), "{output}");
        let line = output.lines().find(|line| line.starts_with("1 White ")).unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[4], "ms", "{line}");
        match with_value {
            false => assert!(!line.contains("value"), "{line}"),
            true => {
                let at = words.iter().position(|&word| word == "value").expect(line);
                assert!((0.0..=1.0).contains(&words[at + 1].parse::<f32>().unwrap()), "{line}");
            }
        }
    }
}

#[cfg(unix)]
fn on_a_terminal(mut command: Command) -> Terminal {
    for name in ["CLICOLOR", "CLICOLOR_FORCE", "LC_CTYPE"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm").env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
    Terminal::start(command)
}

#[cfg(unix)]
#[test]
fn a_game_is_drawn_in_place_beneath_its_lines() {
    let (listener, address) = listener();
    let mut terminal = on_a_terminal(player(address, ""));
    let mut server = Peer::new(listener.accept().unwrap().0);
    terminal.sees("Hadron: waiting for an opponent");
    server.says(["WELCOME Black"]);
    terminal.sees(": we are Black on ");
    terminal.sees("  A · · ·   Hadron: warm-up, ");
    terminal.sees(&format!("White  opponent on {address}"));
    server.says(["OPPONENT_MOVE B1"]);
    // The line is printed over the view, which follows beneath.
    terminal.sees("\u{1b}[5A");
    terminal.sees("1 White B1\u{1b}[K\r\n");
    terminal.sees("  B[○]· · ");
    // Not before: the answer comes at once, and a view shows the newest position alone.
    server.says(["YOUR_TURN"]);
    server.hears_a_line();
    terminal.sees("2 Black ");
    terminal.sees(", line ");
    server.says(["VALID_MOVE", "VICTORY"]);
    terminal.sees("Hadron: over after 2 moves");
    let (rest, status) = terminal.ends();
    assert_eq!(status, 0, "{rest}");
    assert!(rest.trim_end().lines().last().unwrap().starts_with("result: Black ("), "{rest}");
}

#[cfg(unix)]
#[test]
fn the_list_of_games_is_broken_where_a_terminal_ends() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alesia"));
    command.args(["rules", "--lang", "it"]);
    let terminal = on_a_terminal(command);
    let (text, status) = terminal.ends();
    let text = characters_as_bytes(&text);
    assert_eq!(status, 0, "{text}");
    assert!(text.lines().count() > 4, "{text}");
    let long = text.lines().find(|line| line.chars().count() > 80);
    assert_eq!(long, None, "{text}");
    // What is broken stands beneath its beginning.
    assert!(text.lines().any(|line| line.starts_with(&" ".repeat(11))), "{text}");
}

#[cfg(unix)]
#[test]
fn nothing_is_drawn_over_the_lines_after_ctrl_c() {
    let (listener, address) = listener();
    let mut terminal = on_a_terminal(player(address, ""));
    let mut server = Peer::new(listener.accept().unwrap().0);
    server.says(["WELCOME Black", "OPPONENT_MOVE B1"]);
    terminal.sees("  B[○]· · ");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();
    assert!(state.moves == "B1" && state.says("to move: Black; Alesia plays Black"));
    assert!(state.lines.iter().all(|line| !line.contains('\u{1b}')), "{:?}", state.lines);
}

#[cfg(unix)]
#[test]
fn a_server_is_awaited_with_a_countdown() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut terminal = on_a_terminal(player(([127, 0, 0, 1], port).into(), ""));
    terminal.sees("Hadron: waiting for the server, 29 s left");
    terminal.sees("Hadron: waiting for the server, 28 s left");
    terminal.presses_ctrl('c');
    let (_, status) = terminal.ends();
    assert_eq!(status, 130);
}
