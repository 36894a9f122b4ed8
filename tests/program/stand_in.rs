//! The second process that sends a move where the player is not woken in time.

use std::io::{BufRead, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use alesia::net::stand_in::{Connection, Outgoing};
use alesia::net::tournament::{OutgoingLine, move_line};

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

fn watched(stream: &TcpStream) -> Connection<'_> {
    let connection = Connection::new(stream, Some(Path::new(env!("CARGO_BIN_EXE_alesia"))));
    assert!(connection.is_watched());
    connection
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
    let mut connection = watched(&stream);
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
    drop(stream);
    let mut rest = String::new();
    server.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "MOVE B1\n", "and the connection ends with us");
}

#[test]
fn a_move_in_time_is_the_only_one_of_its_turn() {
    let (stream, mut server) = connected();
    let mut connection = watched(&stream);
    connection.so_far(&move_line("A1"), Instant::now() + SOON);
    assert_eq!(sent(&mut connection, "A2"), None);
    std::thread::sleep(2 * SOON);
    connection.so_far(&move_line("B1"), Instant::now() + NEVER);
    drop(connection);
    drop(stream);
    let mut all = String::new();
    server.read_to_string(&mut all).unwrap();
    assert_eq!(all, "MOVE A2\n");
}

#[test]
fn without_a_second_process_moves_are_sent_by_us() {
    let (stream, mut server) = connected();
    let mut connection = Connection::new(&stream, Some(Path::new("/no such program")));
    assert!(!connection.is_watched());
    assert_eq!(sent(&mut connection, "A1"), None);
    assert_eq!(heard(&mut server), "MOVE A1\n");
}
