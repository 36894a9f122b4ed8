//! Play by hand at a terminal, and Ctrl-C in games over the network.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState};
use alesia::games::{AnyGame, AnyState, Hadron, Loa};
use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};

use super::state::State;
use super::{SMALL, alesia};
use crate::dialogue::process::Process;
use crate::dialogue::{Peer, listener};

/// Far longer than any step here, unless the program hangs.
const HANGS: Duration = Duration::from_secs(60);

/// The exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A program and the terminal that it runs in.
pub struct Terminal(PtySession);

impl Terminal {
    pub fn start(command: Command) -> Terminal {
        Terminal(spawn_command(command, Some(HANGS.as_millis() as u64)).unwrap())
    }

    /// Runs a command line in a shell, as if it had been pasted there.
    fn paste(line: &str) -> Terminal {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]);
        Terminal::start(shell)
    }

    pub fn types(&mut self, line: &str) {
        self.0.send_line(line).unwrap();
    }

    /// Presses keys that send these characters.
    pub fn presses(&mut self, keys: &str) {
        self.0.send(keys).unwrap();
        self.0.flush().unwrap();
    }

    pub fn presses_ctrl(&mut self, key: char) {
        self.0.send_control(key).unwrap();
    }

    /// Waits for a text; returns what came before it.
    #[track_caller]
    pub fn sees(&mut self, text: &str) -> String {
        let seen = self.0.exp_string(&bytes_as_characters(text));
        // Not all that was seen, as a view is drawn again and again.
        seen.unwrap_or_else(|error| panic!("waiting for {text}: {:.2000}", error.to_string()))
    }

    /// Waits for the end; returns what was left to see and the exit status.
    #[track_caller]
    pub fn ends(mut self) -> (String, i32) {
        let rest = self.0.exp_eof().unwrap();
        let begin = Instant::now();
        while begin.elapsed() < HANGS {
            match self.0.process().status() {
                Some(WaitStatus::Exited(_, status)) => return (rest.replace('\r', ""), status),
                Some(WaitStatus::StillAlive) => thread::sleep(Duration::from_millis(5)),
                other => panic!("{other:?}: {rest}"),
            }
        }
        panic!("does not end: {rest}");
    }

    /// Waits for the end after Ctrl-C.
    #[track_caller]
    pub fn ends_interrupted(self) -> State {
        let (rest, status) = self.ends();
        assert_eq!(status, INTERRUPTED, "{rest}");
        assert!(rest.ends_with("\nalesia: interrupted\n"), "{rest}");
        State::read(&rest)
    }
}

/// Text as it is seen at a terminal, where each byte is a character.
fn bytes_as_characters(text: &str) -> String {
    text.bytes().map(char::from).collect()
}

/// The text of what was seen at a terminal.
pub fn characters_as_bytes(seen: &str) -> String {
    let bytes = seen.chars().map(|c| u8::try_from(c).unwrap()).collect();
    String::from_utf8(bytes).unwrap()
}

/// The first legal move.
fn any_move(game: &AnyState) -> String {
    let mut legal = alesia::game::MoveList::new();
    game.position.moves(&mut legal);
    game.position.notation(legal[0]).to_string()
}

#[test]
fn a_whole_game() {
    let mut game = GameState::new(AnyGame::from(Hadron::start(3, 3)));
    let mut terminal = Terminal::start(alesia(&format!("manual --game hadron3 {SMALL}")));
    terminal.sees("Hadron: you enter the moves of White, the engine plays Black\r\n");
    // The prompt stays on the line that is typed on.
    terminal.sees("[White 0.0 s, Black 0.0 s] 1 White: ");
    terminal.types("hint");
    let hint = terminal.sees(" (").rsplit(' ').next().unwrap().to_owned();
    terminal.sees("] 1 White: ");
    terminal.types("helpp");
    terminal
        .sees("\"helpp\" is not a move. Moves look like A1 (row, column); type help for commands.");
    terminal.sees("] 1 White: ");
    terminal.types(&hint);
    terminal.sees(&format!("1 White {hint} "));
    terminal.sees("  >>> Black plays ");
    let reply = terminal.sees(" <<<");
    game.play_text(&format!("{hint} {reply}")).unwrap();

    terminal.sees("] 3 White: ");
    terminal.types("board");
    terminal.sees(&format!("moves: {hint} {reply}\r\n"));
    terminal.sees("] 3 White: ");
    terminal.types("undo");
    terminal.sees(&format!("taken back: {hint} {reply}\r\n"));
    terminal.sees("] 1 White: ");
    terminal.types("clock");
    terminal.sees("clock: White ");
    terminal.sees("; White, this move: ");
    terminal.sees("] 1 White: ");
    terminal.types(&hint);
    terminal.sees("  >>> Black plays ");
    assert_eq!(terminal.sees(" <<<"), reply, "the same engine");

    let ending = loop {
        terminal.sees(&format!("] {} White: ", game.position.ply() + 1));
        let m = any_move(&game);
        terminal.types(&m);
        game.play_text(&m).unwrap();
        if let Some(ending) = game.ending() {
            break ending;
        }
        terminal.sees("  >>> Black plays ");
        game.play_text(&terminal.sees(" <<<")).unwrap();
        if let Some(ending) = game.ending() {
            break ending;
        }
    };
    terminal.sees("the game is over, ");
    terminal.sees("; type undo, save FILE or quit\r\n");
    terminal.sees("] over: ");
    terminal.types("quit");
    let (rest, status) = terminal.ends();
    assert_eq!(status, 0);
    assert!(rest.ends_with(&format!("\nresult: {ending}\n")), "{rest}");
    assert_eq!(State::read(&rest).game(AnyGame::from(Hadron::start(3, 3))).position, game.position);
}

#[test]
fn the_clocks_count_for_the_side_to_move() {
    let mut terminal = Terminal::start(alesia(&format!("manual --side both {SMALL}")));
    terminal.sees("] 1 White: ");
    thread::sleep(Duration::from_millis(500));
    terminal.types("undo");
    terminal.sees("] 1 White: ");
    terminal.types("G4,N");
    let number = |text: String| text.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
    terminal.sees("1 White G4,N");
    assert!(number(terminal.sees(" ms")) >= 500.0);
    terminal.sees("[White");
    assert!(number(terminal.sees(" s, Black")) >= 0.5);
    terminal.sees("] 2 Black: ");
    thread::sleep(Duration::from_millis(500));
    terminal.types("clock");
    terminal.sees("clock: White");
    terminal.sees(" s, Black");
    assert!(number(terminal.sees(" s; Black, this move:")) >= 0.5);
    assert!(number(terminal.sees(" s")) >= 0.5);
}

#[test]
fn the_end_of_the_input_ends_with_the_state() {
    let mut terminal = Terminal::start(alesia(&format!("manual --game hadron5 {SMALL}")));
    terminal.sees("] 1 White: ");
    terminal.types("C3");
    terminal.sees("] 3 White: ");
    terminal.presses_ctrl('d');
    let (rest, status) = terminal.ends();
    assert_eq!(status, 0, "{rest}");
    let state = State::read(&rest);
    assert!(state.moves.starts_with("C3 ") && state.plies() == 2, "{rest}");
    state.game(AnyGame::from(Hadron::start(5, 5)));
}

#[test]
fn an_interrupted_game_by_hand_is_continued() {
    let mut terminal =
        Terminal::start(alesia(&format!("manual --game hadron5 --side black {SMALL}")));
    terminal.sees("] 2 Black: ");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();
    assert_eq!(state.plies(), 1);
    assert!(state.says("to move: Black; Alesia plays White"), "{:?}", state.lines);

    let mut terminal = Terminal::paste(&state.command);
    terminal.sees(&format!("  >>> White plays {} <<<", state.moves));
    terminal.sees("] 2 Black: ");
    terminal.types(&any_move(&state.game(AnyGame::from(Hadron::start(5, 5)))));
    terminal.sees("] 4 Black: ");
}

#[test]
fn an_engine_that_thinks_by_hand_is_interrupted() {
    let command = "manual --game murus --side black --threads 1 --memory 1MiB --move-time 600000";
    let mut terminal = Terminal::start(alesia(command));
    terminal.sees("at a prompt, type a move");
    terminal.presses_ctrl('c');
    assert_eq!(terminal.ends_interrupted().plies(), 0);
}

/// A player in a terminal against one in the background, at our referee, interrupted after a move.
#[test]
fn an_interrupted_game_on_a_server_is_continued() {
    let (_referee, mut lines) =
        Process::start("referee --game hadron -p 0 --bind 127.0.0.1 -wt 0 -tt 60000");
    let listening = lines.next().unwrap();
    let port = listening.rsplit(':').next().unwrap();
    let play = format!("play 127.0.0.1 {port} --game hadron");
    let mut terminal =
        Terminal::start(alesia(&format!("{play} --threads 1 --memory 4MiB --move-time 200")));
    terminal.sees(": we are White on ");
    let (_opponent, _) = Process::start(&format!("{play} {SMALL}"));
    terminal.sees("\n5 White ");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();

    // Either may lack the last move of the other, which was on its way.
    let lines: Vec<String> = lines.collect();
    assert_eq!(lines.last().unwrap(), "result: Black (White disconnected)");
    let moves = lines.iter().filter(|line| line.ends_with(" ms"));
    let moves: Vec<&str> = moves.map(|line| line.split(' ').nth(2).unwrap()).collect();
    let printed: Vec<&str> = state.moves.split(' ').collect();
    let both = printed.len().min(moves.len());
    assert_eq!(printed[..both], moves[..both]);
    assert!(printed.len().abs_diff(moves.len()) <= 1, "{printed:?} {lines:?}");
    assert!(moves.len() >= 5, "{lines:?}");

    continues(&state, AnyGame::from(Hadron::start(9, 9)), "White");
}

/// Continues by hand a game that was interrupted: the engine plays its side, and the other's
/// moves are entered.
#[track_caller]
fn continues(state: &State, start: AnyGame, ours: &str) {
    let game = state.game(start);
    let to_move = game.position.side();
    assert!(state.says(&format!("to move: {to_move}; Alesia plays {ours}")), "{:?}", state.lines);
    assert!(game.ending().is_none());
    let mut terminal = Terminal::paste(&state.command);
    terminal.sees(&format!("the engine plays {ours}\r\n"));
    let mut terminal = if to_move.to_string() == ours {
        terminal.sees(&format!("  >>> {ours} plays "));
        terminal
    } else {
        terminal.sees(&format!("] {} {to_move}: ", state.plies() + 1));
        terminal.types(&any_move(&game));
        terminal.sees(&format!("  >>> {ours} plays "));
        terminal
    };
    let reply = terminal.sees(" <<<");
    terminal.types("quit");
    let (rest, status) = terminal.ends();
    assert_eq!(status, 0);
    let later = State::read(&rest);
    assert!(later.moves.starts_with(&state.moves) && later.moves.ends_with(&reply), "{rest}");
    later.game(start);
}

/// Both sides of a game over the relay: one is interrupted, the other is cut off by that.
#[test]
fn an_interrupted_game_over_the_relay_is_continued_by_both_sides() {
    let port_of = |line: String| line.rsplit(':').next().unwrap().to_owned();
    let small = "--any-port --game loa:files --threads 1 --memory 4MiB";
    let (mut white, mut white_lines) =
        Process::start(&format!("loa-white --bind 127.0.0.1 --listen 0 --nodes 200 {small}"));
    let port = port_of(white_lines.next().unwrap());
    let (_relay, mut relay_lines) = Process::start(&format!(
        "relay --white 127.0.0.1:{port} --bind 127.0.0.1 --listen 0 --any-port \
         --game loa:files --move-time 60000 --first-move-time 60000"
    ));
    let port = port_of(relay_lines.next().unwrap());
    let mut terminal = Terminal::start(alesia(&format!(
        "loa-black 127.0.0.1 {port} --move-time 200 --first-move-time 200 {small}"
    )));
    terminal.sees("\n6 Black ");
    terminal.presses_ctrl('c');
    let black = terminal.ends_interrupted();
    assert_eq!(relay_lines.last().unwrap(), "result: White (Black disconnected)");

    let white_lines: Vec<String> = white_lines.collect();
    assert_eq!(white.0.wait().unwrap().code(), Some(1));
    let white = State::read(&white_lines.join("\n"));
    // Either side may have made a move that has not reached the other.
    let [shorter, longer] =
        if white.plies() < black.plies() { [&white, &black] } else { [&black, &white] };
    assert!(longer.moves.starts_with(&shorter.moves), "{} {}", white.moves, black.moves);
    assert!(longer.plies() - shorter.plies() <= 1, "{} {}", white.moves, black.moves);
    let start = AnyGame::from(Loa::start(alesia::games::loa::Layout::Files));
    continues(&white, start, "White");
    continues(&black, start, "Black");
}

/// A player in a terminal and the server that it has reached.
fn reached() -> (Terminal, Peer) {
    let (listener, address): (TcpListener, _) = listener();
    let command = format!("play 127.0.0.1 {} --game hadron5", address.port());
    let small = "--threads 1 --memory 4MiB --move-time 600000";
    let terminal = Terminal::start(alesia(&format!("{command} {small}")));
    (terminal, Peer::new(listener.accept().unwrap().0))
}

#[test]
fn ctrl_c_before_there_is_a_server() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let command = format!("-v play 127.0.0.1 {port} {SMALL}");
    let mut terminal = Terminal::start(alesia(&command));
    terminal.sees("waiting for the server");
    terminal.presses_ctrl('c');
    let (rest, status) = terminal.ends();
    assert_eq!(status, INTERRUPTED);
    for (ours, by_hand) in [("White", "black"), ("Black", "white")] {
        let line =
            rest.lines().find(|line| line.starts_with(&format!("continue by hand as {ours}")));
        assert!(line.unwrap().contains(&format!(" --side {by_hand} ")), "{rest}");
    }
}

#[test]
fn ctrl_c_while_the_server_is_silent() {
    let (mut terminal, _server) = reached();
    terminal.presses_ctrl('c');
    let (rest, status) = terminal.ends();
    assert_eq!(status, INTERRUPTED);
    assert!(rest.contains("the server has not named our side yet"), "{rest}");
}

#[test]
fn ctrl_c_before_the_first_turn() {
    let (mut terminal, mut server) = reached();
    server.says(["WELCOME Black"]);
    terminal.sees(": we are Black on ");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();
    assert!(state.says("to move: White; Alesia plays Black") && state.plies() == 0);
}

#[test]
fn ctrl_c_while_the_engine_thinks() {
    let (mut terminal, mut server) = reached();
    server.says(["WELCOME Black", "OPPONENT_MOVE C3", "YOUR_TURN"]);
    terminal.sees("1 White C3");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();
    assert!(state.says("to move: Black; Alesia plays Black") && state.moves == "C3");
    server.hears_the_end();
}

#[test]
fn loa_white_is_interrupted_while_it_waits_for_the_relay() {
    let command = format!("loa-white --bind 127.0.0.1 --listen 0 --any-port {SMALL}");
    let mut terminal = Terminal::start(alesia(&command));
    terminal.sees("listening on ");
    terminal.presses_ctrl('c');
    let state = terminal.ends_interrupted();
    assert!(state.says("to move: White; Alesia plays White") && state.plies() == 0);
    assert!(state.command.contains(" --game loa --side black "), "{}", state.command);
}

/// Interrupts a process that has no terminal.
fn interrupt(process: &Child) {
    // The shell's own, as the program of that name is not everywhere.
    let kill = format!("kill -INT {}", process.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
}

/// The first Ctrl-C cannot print where standard output is stuck; the second need not.
#[test]
fn a_second_ctrl_c_ends_at_once() {
    let (unread, mut stuck) = std::io::pipe().unwrap();
    let output = stuck.try_clone().unwrap();
    let (sender, filling) = channel();
    thread::spawn(move || {
        // More than any pipe holds: this write does not end before the pipe is closed.
        let much = vec![b'x'; 1 << 20];
        sender.send(()).unwrap();
        let _ = stuck.write_all(&much);
    });
    filling.recv().unwrap();
    thread::sleep(Duration::from_millis(300));
    let (listener, address) = listener();
    let play = format!("play 127.0.0.1 {} --game hadron5 {SMALL}", address.port());
    let player = alesia(&play).stdout(output).stderr(Stdio::null()).spawn().unwrap();
    let mut player = Process(player);
    let _server = listener.accept().unwrap();
    interrupt(&player.0);
    thread::sleep(Duration::from_millis(300));
    assert_eq!(player.0.try_wait().unwrap(), None, "it is stuck");
    interrupt(&player.0);
    let begin = Instant::now();
    while player.0.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < HANGS, "it does not end");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(player.0.wait().unwrap().code(), Some(INTERRUPTED));
    drop(unread);
}

/// Lets a player play on a server that plays at random, and interrupts it after some of its moves,
/// during the game. Returns all moves that the server has, and the player's output.
fn interrupted_after(count: usize, rng: &mut fastrand::Rng) -> (Vec<String>, String) {
    let (listener, address) = listener();
    let play = format!("play 127.0.0.1 {} --game hadron --move-time 4", address.port());
    let small = "--threads 1 --memory 1MiB";
    let mut command = alesia(&format!("{play} {small}"));
    let mut player = Process(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let output = BufReader::new(player.0.stdout.take().unwrap());
    let printed = thread::spawn(move || std::io::read_to_string(output).unwrap());
    let mut server = listener.accept().unwrap().0;
    server.set_nodelay(true).unwrap();
    let mut answers = BufReader::new(server.try_clone().unwrap()).lines();
    let mut game = GameState::new(AnyGame::from(Hadron::start(9, 9)));
    let mut moves = Vec::new();
    // What cannot be said to a player that has ended need not be.
    let mut say = |text: String| drop(server.write_all(text.as_bytes()));
    say("WELCOME White\nYOUR_TURN\n".into());
    thread::scope(|scope| {
        while let Some(Ok(line)) = answers.next() {
            let m = line.strip_prefix("MOVE ").unwrap().to_owned();
            game.play_text(&m).unwrap();
            moves.push(m);
            if moves.len() / 2 == count {
                scope.spawn(|| interrupt(&player.0));
            }
            let Some(m) = game.position.random_move(rng) else { break };
            let m = game.position.notation(m).to_string();
            game.play_text(&m).unwrap();
            say(format!("OPPONENT_MOVE {m}\nYOUR_TURN\n"));
            moves.push(m);
        }
    });
    let printed = printed.join().unwrap();
    assert_eq!(player.0.wait().unwrap().code(), Some(INTERRUPTED), "{printed}");
    (moves, printed)
}

/// However the signal meets the sending of a move: what the server has from us is printed, and
/// nothing but our last move can be printed that it has not.
#[test]
fn ctrl_c_loses_no_move_at_any_moment() {
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..30 {
        let count = rng.usize(..12);
        let (moves, printed) = interrupted_after(count, &mut rng);
        let state = State::read(&printed);
        let printed: Vec<&str> = state.moves.split(' ').collect();
        let common = printed.iter().zip(&moves).take_while(|(ours, theirs)| ours == theirs).count();
        // Ours are those with even numbers.
        let missing = &moves[common..];
        assert!(missing.len() <= usize::from(common % 2 == 1), "{moves:?} {printed:?}");
        assert!(printed.len() - common <= usize::from(common % 2 == 0), "{moves:?} {printed:?}");
    }
}
