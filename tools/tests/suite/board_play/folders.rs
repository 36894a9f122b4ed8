//! The folder that keeps the games.

use std::path::Path;

use serde_json::json;

use super::table::{in_time, me, open};
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
    let file = Path::new(folder).join(format!("{id}.json"));
    assert!(in_time(|| file.exists()), "the game is kept");
    drop(first);
    let second = Server::start(&["--data", folder]);
    let lobby =
        second.events("/api/lobby/events").until("lobby", |lobby| lobby["games"] != json!([]));
    assert_eq!(lobby["games"][0]["id"], id);
}

/// A move that was answered is kept, also if the server is told to end at once.
#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_end_keeps_the_last_moves() {
    use super::table::{Game, texts as moves};

    let folder = fresh_folder("games of the page to its end");
    let folder = folder.to_str().unwrap();
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(&["--data", folder]);
        let table = Game::new(&server, "hadron5", me(), me());
        let file = Path::new(folder).join(format!("{}.json", table.id));
        assert!(in_time(|| file.exists()), "the game is kept");
        table.play("white", 0, "A1").json();
        table.play("black", 1, "C3").json();
        let id = table.id.clone();
        assert_eq!(server.end(signal), Some(130), "{signal}");
        let next = Server::start(&["--data", folder]);
        let game = next.events(&format!("/api/games/{id}/events")).wait("game");
        assert_eq!(moves(&game), ["A1", "C3"], "{signal}");
    }
}
