//! The second process that sends a move where the player is not woken in time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use alesia::game::Game;
use alesia::games::{AnyGame, Hadron};
use alesia::net::arrival::StampedStream;
use alesia::net::stand_in::{Connection, Outgoing, Second};
use alesia::net::tournament::{OutgoingLine, move_line, parse_move_line};

/// Long for a second process that is woken, and short for a test.
const SOON: Duration = Duration::from_millis(50);
const NEVER: Duration = Duration::from_secs(3600);

/// Our end of a connection, and the server's.
fn connected() -> (TcpStream, BufReader<TcpStream>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let theirs = listener.accept().unwrap().0;
    theirs.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    (ours, BufReader::new(theirs))
}

/// A second process that answers a turn by itself after some time.
fn second(program: &str, within: Duration) -> Second<'_> {
    Second { program: Path::new(program), game: "hadron5".into(), within }
}

fn watched_within<'a>(incoming: &'a StampedStream<'a>, within: Duration) -> Connection<'a> {
    let connection = Connection::new(incoming, Some(&second(env!("CARGO_BIN_EXE_alesia"), within)));
    assert!(connection.is_watched());
    connection
}

fn watched<'a>(incoming: &'a StampedStream<'a>) -> Connection<'a> {
    watched_within(incoming, NEVER)
}

fn heard(server: &mut impl BufRead) -> String {
    let mut line = String::new();
    server.read_line(&mut line).unwrap();
    line
}

/// What was sent instead of a move.
fn sent(connection: &mut Connection, text: &str) -> Option<OutgoingLine> {
    connection.send(&move_line(text)).unwrap().instead
}

#[test]
fn the_last_move_so_far_leaves_at_its_moment_and_no_other_after_it() {
    let (stream, mut server) = connected();
    let incoming = StampedStream::new(&stream);
    let mut connection = watched(&incoming);
    let moment = Instant::now() + SOON;
    connection.so_far(&move_line("A1"), moment);
    connection.so_far(&move_line("A2"), moment);
    assert_eq!(heard(&mut server), "MOVE A2\n", "while we do nothing");
    assert!(Instant::now() >= moment);
    connection.so_far(&move_line("A3"), Instant::now());
    let answer = connection.send(&move_line("A4")).unwrap();
    assert_eq!(answer.instead, Some(move_line("A2")));
    let left = answer.left.unwrap();
    assert!(left >= moment && left <= Instant::now());
    assert_eq!(sent(&mut connection, "B1"), None, "the next turn");
    drop(connection);
    drop(incoming);
    drop(stream);
    let mut rest = String::new();
    server.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "MOVE B1\n", "and the connection ends with us");
}

#[test]
fn a_move_in_time_is_the_only_one_of_its_turn() {
    let (stream, mut server) = connected();
    let incoming = StampedStream::new(&stream);
    let mut connection = watched(&incoming);
    connection.so_far(&move_line("A1"), Instant::now() + SOON);
    assert_eq!(sent(&mut connection, "A2"), None);
    std::thread::sleep(2 * SOON);
    connection.so_far(&move_line("B1"), Instant::now() + NEVER);
    drop(connection);
    drop(incoming);
    drop(stream);
    let mut all = String::new();
    server.read_to_string(&mut all).unwrap();
    assert_eq!(all, "MOVE A2\n");
}

#[test]
fn without_a_second_process_moves_are_sent_by_us() {
    let (stream, mut server) = connected();
    let incoming = StampedStream::new(&stream);
    let mut connection = Connection::new(&incoming, Some(&second("/no such program", SOON)));
    assert!(!connection.is_watched());
    assert_eq!(sent(&mut connection, "A1"), None);
    assert_eq!(heard(&mut server), "MOVE A1\n");
}

/// Reads what the server has said.
fn read(mut incoming: &StampedStream) {
    assert!(incoming.read(&mut [0; 256]).unwrap() > 0);
}

#[test]
fn where_the_player_is_not_woken_for_its_turn_a_legal_move_leaves() {
    let (stream, mut server) = connected();
    let incoming = StampedStream::new(&stream);
    let mut connection = watched_within(&incoming, SOON);
    let mut position = AnyGame::from(Hadron::start(5, 5));
    let mut begin = Instant::now();
    server.get_mut().write_all(b"WELCOME White\nMESSAGE begin\nYOUR_TURN\n").unwrap();
    // The player reads its turn, and gets no core to do more.
    read(&incoming);
    let mut line = heard(&mut server);
    for _ in 0..3 {
        // The stamp of an arrival is converted from another clock, so to the millisecond.
        assert!(Instant::now() + Duration::from_millis(1) >= begin + SOON);
        let text = parse_move_line(line.trim_end().as_bytes()).unwrap();
        let before = position;
        position.play(before.parse_move(text).unwrap());
        // The opponent has answered when the player gets one and hears what became of its turn.
        let reply = position.legal_moves()[0];
        let reply = (reply, position.notation(reply).to_string());
        begin = Instant::now();
        let said = format!("VALID_MOVE\nOPPONENT_MOVE {}\nYOUR_TURN\n", reply.1);
        server.get_mut().write_all(said.as_bytes()).unwrap();
        connection.our_turn(&before, begin);
        connection.so_far(&move_line("A1"), begin);
        assert_eq!(sent(&mut connection, "A1"), Some(move_line(text)));
        read(&incoming);
        position.play(reply.0);
        line = heard(&mut server);
    }
}

#[test]
fn a_turn_that_the_player_takes_up_in_time_is_its_own() {
    let (stream, mut server) = connected();
    let incoming = StampedStream::new(&stream);
    let mut connection = watched_within(&incoming, SOON);
    let start = AnyGame::from(Hadron::start(5, 5));
    server.get_mut().write_all(b"YOUR_TURN\n").unwrap();
    read(&incoming);
    connection.our_turn(&start, Instant::now());
    connection.so_far(&move_line("A1"), Instant::now() + NEVER);
    std::thread::sleep(2 * SOON);
    assert_eq!(sent(&mut connection, "C3"), None);
    // The turn is said again, and nobody knows what that means.
    server.get_mut().write_all(b"VALID_MOVE\nYOUR_TURN\n").unwrap();
    std::thread::sleep(2 * SOON);
    read(&incoming);
    drop(connection);
    drop(incoming);
    drop(stream);
    let mut all = String::new();
    server.read_to_string(&mut all).unwrap();
    assert_eq!(all, "MOVE C3\n");
}

#[test]
fn a_turn_of_which_only_the_player_knows_is_answered_too() {
    let (stream, mut server) = connected();
    let incoming = StampedStream::new(&stream);
    let mut connection = watched_within(&incoming, SOON);
    let start = AnyGame::from(Hadron::start(5, 5));
    let begin = Instant::now();
    connection.our_turn(&start, begin);
    let line = heard(&mut server);
    assert!(Instant::now() + Duration::from_millis(1) >= begin + SOON);
    let text = parse_move_line(line.trim_end().as_bytes()).unwrap();
    assert!(start.parse_move(text).is_ok(), "{text}");
    assert_eq!(sent(&mut connection, "C3"), Some(move_line(text)));
}

#[test]
fn what_the_player_has_read_is_seen_by_others_until_it_is_cleared() {
    let (stream, mut server) = connected();
    let mut incoming = &StampedStream::new(&stream);
    incoming.show();
    let (mut room, mut seen) = ([0; 8], [0; 8]);
    for (said, cleared) in [("one", false), ("two", true), ("three", false)] {
        server.get_mut().write_all(said.as_bytes()).unwrap();
        let count = incoming.read(&mut room).unwrap();
        assert_eq!(&room[..count], said.as_bytes(), "each is read once");
        assert_eq!(stream.peek(&mut seen).unwrap(), count);
        if cleared {
            incoming.clear();
            stream.set_nonblocking(true).unwrap();
            assert!(stream.peek(&mut seen).is_err());
            stream.set_nonblocking(false).unwrap();
        }
    }
}
