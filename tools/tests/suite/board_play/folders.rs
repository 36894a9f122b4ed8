//! The folder that keeps the games.

use std::path::Path;
#[cfg(unix)]
use std::process::Command;

use serde_json::json;

use super::table::{Game, engine, me, open, texts as moves};
use crate::board::Server;
use crate::lab::{fresh_folder, run, texts};

#[test]
fn a_folder_has_one_server() {
    let folder = fresh_folder("games of the page");
    let folder = folder.to_str().unwrap();
    let first = Server::start(&["--data", folder]);
    let output = run(["board", "--port", "0", "--data", folder]);
    let (text, errors) = texts(&output);
    assert_eq!((output.status.code(), &*text), (Some(1), ""), "{errors}");
    let begin = format!("alesia-lab: --data {folder}: found in use by ");
    assert!(errors.starts_with(&begin) && errors.contains(", expected one writer ("), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let wanted = json!({ "game": "hadron3", "white": me(), "black": open() });
    let made = first.post("/api/games", &wanted).json();
    let id = made["id"].as_str().unwrap();
    assert!(Path::new(folder).join(format!("{id}.json")).exists(), "the game is kept");
    drop(first);
    let second = Server::start(&["--data", folder]);
    let lobby =
        second.events("/api/lobby/events").until("lobby", |lobby| lobby["games"] != json!([]));
    assert_eq!(lobby["games"][0]["id"], id);
}

/// A move that was answered is kept, also if the server is told to end or killed at once.
#[cfg(unix)]
#[test]
fn a_server_that_ends_has_kept_the_last_moves() {
    let folder = fresh_folder("games of the page to its end");
    let folder = folder.to_str().unwrap();
    for (signal, status) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
        let server = Server::start(&["--data", folder]);
        let table = Game::new(&server, "hadron5", me(), me());
        table.play("white", 0, "A1").json();
        table.play("black", 1, "C3").json();
        let id = table.id.clone();
        assert_eq!(server.end(signal), status, "{signal}");
        let next = Server::start(&["--data", folder]);
        let game = next.events(&format!("/api/games/{id}/events")).wait("game");
        assert_eq!(moves(&game), ["A1", "C3"], "{signal}");
    }
}

/// The limit of file sizes stands for a full disk.
#[cfg(unix)]
#[test]
fn what_the_disk_refuses_is_refused_on_the_page_and_told_at_the_end() {
    let folder = fresh_folder("games of a full disk");
    let errors = folder.join("errors.txt");
    let folder = folder.join("games").display().to_string();
    let mut command = Command::new("sh");
    let script = "ulimit -f 3; exec \"$0\" \"$@\" 2>>\"$ERRORS\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_alesia-lab"), "board", "--port", "0"]);
    let server = Server::run({
        command.args(["--data", &folder]).env("ERRORS", &errors);
        command
    });
    let table = Game::new(&server, "hadron", me(), me());
    let mut kept = Vec::new();
    let refusal = loop {
        let now = table.whole()["now"].clone();
        let (side, text) = (now["side"].as_str().unwrap(), now["legal"][0]["move"].as_str());
        let answer = table.play(side, now["ply"].as_u64().unwrap(), text.unwrap());
        match answer.status {
            200 => kept.push(text.unwrap().to_owned()),
            _ => break answer.refusal(),
        }
    };
    let words = "the server could not keep this (File too large (os error 27)): try again";
    assert_eq!(refusal, (507, words.to_owned()));
    assert!(kept.len() > 2);
    let state = table.whole();
    assert_eq!(moves(&state), kept);
    assert_eq!(state["unkept"], "File too large (os error 27)");
    // An engine's move is refused too, and the page says so.
    let other = Game::new(&server, "hadron", engine("random", 10), engine("random", 10));
    other.events().until("change", |news| news["unkept"].is_string());
    let (id, last) = (table.id.clone(), other.whole());
    let other = other.id.clone();
    assert_eq!(server.end("-TERM"), Some(1));
    let said = std::fs::read_to_string(&errors).unwrap();
    let line = said.lines().last().unwrap();
    assert!(line.starts_with(&format!("alesia-lab: --data {folder}: the disk refused ")), "{said}");
    assert!(said.ends_with(" changes; nothing else is lost\n"), "{said}");
    let next = Server::start(&["--data", &folder]);
    let now = |id: &str| next.events(&format!("/api/games/{id}/events")).wait("game");
    assert_eq!(moves(&now(&id)), kept);
    assert!(moves(&now(&other)).starts_with(&moves(&last)));
}

#[cfg(unix)]
#[test]
fn a_folder_of_damaged_files_is_read_before_anybody_can_connect() {
    let folder = fresh_folder("damaged games");
    for number in 0..400 {
        std::fs::write(folder.join(format!("{number}.json")), "{\"id\":").unwrap();
    }
    // One that would be waited for.
    assert!(Command::new("mkfifo").arg(folder.join("pipe.json")).status().unwrap().success());
    let errors = folder.join("errors.txt");
    let mut command = crate::lab::command();
    command.args(["board", "--port", "0", "--data", folder.to_str().unwrap()]);
    command.stderr(std::fs::File::create(&errors).unwrap());
    let server = Server::run(command);
    assert_eq!(server.get("/api/rules/hadron3").status, 200);
    drop(server);
    let said = std::fs::read_to_string(&errors).unwrap();
    assert_eq!(said.lines().filter(|line| line.contains(".json: line 1: found ")).count(), 10);
    assert!(said.contains(": 391 more files cannot be read\n"), "{said}");
    // Where the port cannot be had, the folder has been read before it was asked for.
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = crate::lab::command();
    command.args(["board", "--port", &port, "--data", folder.to_str().unwrap()]);
    let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
    let (read, opened) = said.split_once(": 391 more files cannot be read\n").expect(&said);
    assert!(!read.contains(&port) && opened.contains(&port), "{said}");
}
