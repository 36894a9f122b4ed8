//! Those who want too much: half-sent requests, thousands of games, guessed tokens.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::table::{engine, in_time, me, open};
use crate::board::{Answer, Server};
use crate::lab;

/// A page for the network that may open only this number of files.
fn limited(files: usize) -> Server {
    let mut command = Command::new("sh");
    let script = format!("ulimit -n {files}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_alesia-lab"), "board", "--port", "0"]);
    command.args(["--bind", "127.0.0.1", "--token", "0123456789"]);
    Server::run(command)
}

/// What a browser with the token has in its cookie.
fn cookie(server: &Server) -> String {
    let token = server.token.as_deref().unwrap();
    let welcome = server.get(&format!("/?token={token}"));
    assert_eq!(welcome.status, 303, "{}", welcome.body);
    welcome.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

fn post(server: &Server, cookie: &str, path: &str, content: &Value) -> Answer {
    let headers = [("content-type", "application/json"), ("cookie", cookie)];
    server.send("POST", path, &headers, &content.to_string())
}

/// Opens connections, each with the begin of a request.
fn half_sent(server: &Server, text: &str, count: usize) -> Vec<TcpStream> {
    let connect = |_| {
        let mut stream = server.connect();
        // It may have been closed already.
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    (0..count).map(connect).collect()
}

/// Also where the system lets the page open fewer files than its own limits need.
#[test]
fn half_sent_requests_keep_nobody_out() {
    for files in [60, 600] {
        let server = limited(files);
        let host = &server.host;
        let known = cookie(&server);
        let mut lobby = server.events_with("/api/lobby/events", &[("cookie", &known)]);
        lobby.wait("lobby");
        let head = format!("GET /?token=0123456789 HTTP/1.1\r\nhost: {host}\r\n");
        let body = format!(
            "POST /api/games HTTP/1.1\r\nhost: {host}\r\ncookie: {known}\r\n\
             content-type: application/json\r\ncontent-length: 1000\r\n\r\n{{"
        );
        let mut held = Vec::new();
        for text in ["", &*head, &*body] {
            held.extend(half_sent(&server, text, 220));
            assert_eq!(server.send("GET", "/api/rules", &[("cookie", &known)], "").status, 200);
            assert_eq!(cookie(&server), known, "the token still opens the page");
        }
        let wanted = json!({ "game": "murus", "white": me(), "black": open() });
        post(&server, &known, "/api/games", &wanted).json();
        lobby.until("lobby", |lobby| lobby["games"].as_array().unwrap().len() == 1);
    }
}

#[test]
fn half_a_request_is_not_waited_for() {
    let server = Server::start(&[]);
    let host = &server.host;
    let mut head = half_sent(&server, &format!("GET / HTTP/1.1\r\nhost: {host}\r\n"), 1).remove(0);
    let body = format!(
        "POST /api/positions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: 1000\r\nconnection: close\r\n\r\n{{"
    );
    let mut body = half_sent(&server, &body, 1).remove(0);
    let mut text = String::new();
    let _ = body.read_to_string(&mut text);
    assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
    assert!(text.ends_with("{\"error\":\"expected the whole request within 10 s\"}"), "{text}");
    let mut rest = Vec::new();
    let _ = head.read_to_end(&mut rest);
    assert_eq!(rest, b"", "the connection has ended without an answer");
}

/// A text of many games. The answer to it is longer than what the system keeps for a connection
/// with little room.
fn many_games() -> Value {
    let name = "\u{1f3f0}".repeat(100);
    let record = json!({
        "seed": 7, "pair": 3, "leg": 1, "game": "hadron3", "white": name, "black": name,
        "opening": [], "moves": [{ "move": "B1" }], "result": "1-0", "cause": "reported",
        "reason": name,
    });
    json!({ "text": format!("{record}\n").repeat(5000) })
}

/// Whether a long request is refused, as this visitor has too many already.
fn is_greedy(server: &Server) -> bool {
    let answer = server.post("/api/records", &json!({ "text": " ".repeat(70_000) }));
    if answer.status == 429 {
        assert_eq!(answer.refusal().1, "you are loading other games already: wait for them");
    }
    answer.status == 429
}

/// An answer that nobody reads is in the server's memory, and its request counts for as long.
#[test]
fn answers_that_nobody_reads_are_few() {
    let server = Server::start(&[]);
    let long = many_games();
    let unread: Vec<_> =
        (0..2).map(|_| server.with_little_room().post_unread("/api/records", &long)).collect();
    assert!(unread.iter().all(|(status, _)| *status == 200));
    assert!(is_greedy(&server));
    let wanted = json!({ "game": "hadron3", "white": me(), "black": open() });
    server.post("/api/games", &wanted).json();
    // One is read, and the other's reader is gone.
    let [(_, mut first), (_, second)] = <[_; 2]>::try_from(unread).ok().unwrap();
    first.read_exact(&mut vec![0; 8_000_000]).unwrap();
    drop((first, second));
    assert!(in_time(|| !is_greedy(&server)), "there is room again");
}

/// Who leaves at once cannot have more games read at the same time than who waits.
#[test]
fn who_leaves_a_long_request_still_has_its_place() {
    let server = Server::start(&[]);
    // All pawns step forward, and again.
    let steps = |white: u8, black: u8| ('a'..='h').map(move |c| format!("{c}{white} {c}{black}"));
    let moves = (1..).zip(steps(3, 6).chain(steps(4, 5)));
    let moves: Vec<String> = moves.map(|(number, both)| format!("{number}. {both}")).collect();
    let game = format!("[White \"A\"]\n\n{}", moves.join(" "));
    let long = json!({ "text": format!("{game} *\n\n").repeat(2000) });
    let begun = [(); 2].map(|()| server.post_begun("/api/records", &long));
    // Long enough to arrive, and then for the server to notice that nobody waits.
    sleep(Duration::from_millis(150));
    drop(begun);
    sleep(Duration::from_millis(150));
    assert!(is_greedy(&server), "the games are still read");
    assert!(in_time(|| !is_greedy(&server)), "there is room again");
}

#[test]
fn a_thousand_games_are_refused_to_their_visitor_alone() {
    let server = Server::start(&["--bind", "0.0.0.0", "--memory", "1MiB"]);
    let port = server.host.rsplit_once(':').unwrap().1.to_owned();
    let mut server = server;
    server.host = format!("127.0.0.1:{port}");
    let other = server.seen_from([127, 0, 0, 2]);
    let known = cookie(&server);
    let wanted = json!({ "game": "hadron3", "white": me(), "black": open() });
    let statuses: Vec<u16> =
        (0..1000).map(|_| post(&server, &known, "/api/games", &wanted).status).collect();
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    // On a slow machine the oldest of them may have given way meanwhile.
    assert!(count(200) >= 100 && count(200) + count(429) == 1000, "{statuses:?}");
    let (status, error) = post(&server, &known, "/api/games", &wanted).refusal();
    assert_eq!(status, 429);
    assert!(error.starts_with("you have 100 games already"), "{error}");
    post(&other, &known, "/api/games", &wanted).json();
    // The same with engines.
    let third = server.seen_from([127, 0, 0, 3]);
    let wanted = json!({ "game": "hadron3", "white": me(), "black": engine("random", 10) });
    let begin = |server: &Server| post(server, &known, "/api/games", &wanted);
    let begun = (0..13).map(|_| begin(&third).status);
    assert_eq!(begun.filter(|status| *status == 200).count(), 12);
    let words = "12 engines are running for you already: end a game or an analysis";
    assert_eq!(begin(&third).refusal(), (429, words.into()));
    begin(&other).json();
}

#[test]
fn guessing_tokens_is_slow_and_disturbs_nobody() {
    let server = Server::start(&["--bind", "127.0.0.1", "--token", "0123456789"]);
    let known = cookie(&server);
    for number in 0..10 {
        assert_eq!(server.get(&format!("/?token=012345678{number}x")).status, 403);
    }
    let words = "too many wrong tokens have come from your address: wait a minute";
    for token in ["wrong-one", "0123456789"] {
        assert_eq!(server.get(&format!("/?token={token}")).refusal(), (429, words.into()));
    }
    assert_eq!(server.send("GET", "/", &[("cookie", &known)], "").status, 200);
    assert_eq!(cookie(&server.seen_from([127, 0, 0, 2])), known);
}

/// A page with words of its own, and a variable of the environment.
fn chosen(words: &[&str], variable: Option<&str>) -> Command {
    let mut command = lab::command();
    command.args(["board", "--port", "0"]).args(words).env_remove("ALESIA_TOKEN");
    if let Some(token) = variable {
        command.env("ALESIA_TOKEN", token);
    }
    command
}

#[test]
fn a_token_comes_from_a_file_or_the_environment_too() {
    let file = lab::fresh_file("page.token");
    let path = file.to_str().unwrap();
    fs::write(&file, "from-a-file\n").unwrap();
    let token = |words: &[&str], variable| Server::run(chosen(words, variable)).token.clone();
    assert_eq!(token(&["--token-file", path], None).unwrap(), "from-a-file");
    assert_eq!(token(&["--token-file", path], Some("of-the-environment")).unwrap(), "from-a-file");
    assert_eq!(token(&[], Some("of-the-environment")).unwrap(), "of-the-environment");
    assert_eq!(token(&["--token", "of-an-option"], Some("x")).unwrap(), "of-an-option");
    assert_eq!(token(&[], Some("")), None);
    let refused = |words: &[&str], variable| {
        let output = chosen(words, variable).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        lab::texts(&output).1
    };
    let expected = "expected at least 8 letters, digits, `-` or `_`";
    assert!(refused(&[], Some("a secret")).contains(&format!("ALESIA_TOKEN: {expected}")));
    for text in ["", "short", "two lines\nof-text-here", "\nfrom-a-file"] {
        fs::write(&file, text).unwrap();
        let error = refused(&["--token-file", path], None);
        assert!(error.contains(&format!("--token-file: {path}: {expected}")), "{error}");
    }
    fs::write(&file, [0xff; 9]).unwrap();
    assert!(refused(&["--token-file", path], None).contains(&format!("{path}: ")));
    fs::remove_file(&file).unwrap();
    assert!(refused(&["--token-file", path], None).contains(&format!("{path}: ")));
    refused(&["--token-file", path, "--token", "of-an-option"], None);
}
