//! One player misbehaves, others continue: at the referee's other tables, in its queue, and after
//! its restart.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use alesia::games::{AnyGame, Hadron};
use alesia::net::client::{self, ClientReport, JoinError, join_game};
use alesia::net::referee::{self, GameEvent, GameResult, RefereeOptions};
use socket2::SockRef;

use crate::dialogue::process::Process;
use crate::dialogue::{Background, Peer, Random, free_port, listener, wait_until};

/// No warm-up, and no player is late.
const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(600),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

/// The results so far, by the number of the game, and how many have left before one.
#[derive(Default)]
struct Seen {
    results: Vec<(usize, String)>,
    left: usize,
}

/// A referee in the background, its address, and its events.
fn referee(games: usize) -> (SocketAddr, Arc<Mutex<Seen>>, Background<Vec<GameResult>>) {
    let (listener, address) = listener();
    let seen = Arc::<Mutex<Seen>>::default();
    let noted = Arc::clone(&seen);
    let referee = Background::new(move || {
        referee::serve(
            listener,
            AnyGame::from(Hadron::start(5, 5)),
            games,
            &TERMS,
            &|game, event| match event {
                GameEvent::Ended { outcome, reason } => {
                    noted.lock().unwrap().results.push((game, format!("{outcome} ({reason})")));
                }
                GameEvent::Left => noted.lock().unwrap().left += 1,
                _ => {}
            },
        )
        .unwrap()
    });
    (address, seen, referee)
}

/// Joins and plays at random in the background.
fn player(address: SocketAddr, seed: u64) -> Background<Result<ClientReport, JoinError>> {
    Background::new(move || {
        let mut player = Random(fastrand::Rng::with_seed(seed));
        let patience = Duration::from_secs(20);
        join_game(
            "127.0.0.1",
            address.port(),
            patience,
            AnyGame::from(Hadron::start(5, 5)),
            &mut player,
            &mut |_| {},
            None,
        )
    })
}

/// Two players play a game to its end and agree.
fn an_honest_game(address: SocketAddr) {
    let players = [player(address, 1), player(address, 2)];
    let [one, other] = players.map(|player| player.wait().unwrap());
    assert_eq!(one.to_string(), other.to_string());
    assert_ne!(one.side, other.side);
    assert!(one.announced && one.ending.is_some());
}

/// While a player at the first table does what it does, a game at the second is played to its end.
fn others_play_on(misbehave: impl Fn(&mut TcpStream) + Send + 'static) {
    let (address, seen, referee) = referee(2);
    let mut white = Peer::connect(address);
    white.hears(["WELCOME White"]);
    let mut black = TcpStream::connect(address).unwrap();
    let mut reading = BufReader::new(black.try_clone().unwrap());
    reading.read_line(&mut String::new()).unwrap();
    let bad = Background::new(move || {
        misbehave(&mut black);
        black
    });
    an_honest_game(address);
    wait_until(|| seen.lock().unwrap().results.iter().any(|(game, _)| *game == 1));
    white.leaves();
    drop(bad);
    drop(reading);
    let results = referee.wait();
    assert!(results[1].reason == "no legal move", "{}", results[1]);
}

#[test]
fn others_play_on_beside_silence() {
    others_play_on(|_| thread::sleep(Duration::from_secs(1)));
}

#[test]
fn others_play_on_beside_a_flood_of_lines() {
    others_play_on(|stream| while stream.write_all(&b"MOVE A1\n".repeat(1000)).is_ok() {});
}

#[test]
fn others_play_on_beside_a_flood_of_empty_lines() {
    others_play_on(|stream| while stream.write_all(&b"\n".repeat(10_000)).is_ok() {});
}

#[test]
fn others_play_on_beside_an_endless_line() {
    others_play_on(|stream| while stream.write_all(&[b'x'; 10_000]).is_ok() {});
}

#[test]
fn others_play_on_beside_a_byte_now_and_then() {
    others_play_on(|stream| {
        for _ in 0..100 {
            let _ = stream.write_all(b"x");
            thread::sleep(Duration::from_millis(10));
        }
    });
}

// At the door.

/// Tears the connection down as a crash does.
fn reset(stream: TcpStream) {
    SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
}

#[test]
fn a_player_that_leaves_the_queue_makes_room() {
    let (address, seen, referee) = referee(1);
    let left = || seen.lock().unwrap().left;
    for number in 1..=20 {
        let stream = TcpStream::connect(address).unwrap();
        let mut welcome = String::new();
        BufReader::new(stream.try_clone().unwrap()).read_line(&mut welcome).unwrap();
        assert_eq!(welcome, "WELCOME White\n");
        match number % 3 {
            0 => drop(stream),
            1 => reset(stream),
            _ => {
                let mut stream = stream;
                // More than is read from anybody; the referee ends it.
                while stream.write_all(&[b'x'; 10_000]).is_ok() {}
            }
        }
        wait_until(|| left() == number);
    }
    an_honest_game(address);
    assert_eq!(referee.wait()[0].reason, "no legal move");
}

// Servers that are restarted.

#[test]
fn a_player_joins_again_where_the_server_is_started_anew_before_the_game() {
    let (listener, address) = listener();
    let seated = |stream: TcpStream| {
        let mut peer = Peer::new(stream);
        peer.says(["WELCOME White", "MESSAGE waiting for the opponent"]);
        peer
    };
    let playing = player(address, 1);
    // It ends without a word, then by a crash; at last it is a referee.
    seated(listener.accept().unwrap().0).leaves();
    let (stream, _) = listener.accept().unwrap();
    (&stream).write_all(b"WELCOME White\n").unwrap();
    thread::sleep(Duration::from_millis(50));
    reset(stream);
    drop(listener);
    thread::sleep(Duration::from_millis(300));
    let listener = TcpListener::bind(address).unwrap();
    let referee = Background::new(move || {
        referee::serve(listener, AnyGame::from(Hadron::start(5, 5)), 1, &TERMS, &|_, _| {}).unwrap()
    });
    let other = player(address, 2);
    let reports = [playing, other].map(|player| player.wait().unwrap());
    assert_eq!(reports[0].to_string(), referee.wait()[0].to_string());
}

#[test]
fn a_server_that_always_ends_before_the_game_is_left_in_the_end() {
    let (listener, address) = listener();
    let playing = player(address, 1);
    for _ in 0..4 {
        Peer::new(listener.accept().unwrap().0).says(["WELCOME Black"]);
    }
    let error = playing.wait().unwrap_err();
    assert!(
        matches!(error, JoinError::Play(client::ClientError::NoResult { begun: false, .. })),
        "{error}"
    );
}

#[test]
fn a_server_that_goes_away_before_its_welcome_is_joined_again() {
    let (listener, address) = listener();
    let playing = player(address, 1);
    // It ends without a word, by a crash, and after a message.
    drop(listener.accept().unwrap());
    reset(listener.accept().unwrap().0);
    Peer::new(listener.accept().unwrap().0).says(["MESSAGE we start again"]);
    let mut server = Peer::new(listener.accept().unwrap().0);
    server.says(["WELCOME Black", "VICTORY"]);
    assert_eq!(playing.wait().unwrap().to_string(), "Black (the server gave no reason)");
}

#[test]
fn no_game_is_joined_again_once_it_has_begun() {
    let begun: [&[&str]; 2] =
        [&["WELCOME White", "YOUR_TURN"], &["WELCOME Black", "OPPONENT_MOVE A1"]];
    for lines in begun {
        let (listener, address) = listener();
        let playing = player(address, 1);
        let mut server = Peer::new(listener.accept().unwrap().0);
        lines.iter().for_each(|line| server.says([line]));
        if lines.contains(&"YOUR_TURN") {
            server.hears_a_line();
        }
        server.leaves();
        let error = playing.wait().unwrap_err().to_string();
        let begin = "the connection to the server ended in move 1 of ";
        assert!(error.starts_with(begin), "{error}");
    }
}

#[test]
fn a_referee_that_is_killed_and_started_anew_on_its_port() {
    let port = free_port();
    let serving = format!("referee --game hadron5 --bind 127.0.0.1 -p {port} -wt 0 -tt 600000");
    let playing = format!("play 127.0.0.1 {port} --game hadron5 --engine random --memory 1MiB");
    let (killed, mut lines) = Process::start(&serving);
    assert!(lines.next().unwrap().starts_with("listening on "));
    let (_first, mut first_lines) = Process::start(&playing);
    let begun = first_lines.next().unwrap();
    let expected =
        format!("Hadron: we are White on 127.0.0.1:{port}; 1000 ms a move, answering at 850");
    assert!(begun.starts_with(&expected), "{begun}");
    drop(killed);
    let (_anew, mut lines) = Process::start(&serving);
    assert!(lines.next().unwrap().starts_with("listening on "));
    assert!(lines.next().unwrap().starts_with("White is "));
    let (_second, second_lines) = Process::start(&playing);
    let result = lines.last().unwrap();
    assert!(result.starts_with("result: ") && result.ends_with("(no legal move)"), "{result}");
    assert_eq!(first_lines.last().as_ref(), Some(&result));
    assert_eq!(second_lines.last().as_ref(), Some(&result));
}
