//! The events for pages: the lobby, a game after a reload, slow listeners.

use serde_json::json;

use super::table::{Follower, Game, engine, in_time, length, me, open, texts};
use crate::board::Server;

#[test]
fn the_lobby_lists_games_with_the_newest_first() {
    let server = Server::start(&[]);
    let mut lobby = server.events("/api/lobby/events");
    assert_eq!(lobby.wait("lobby"), json!({ "games": [], "standings": false }));
    let named = json!({ "kind": "me", "name": "Ada" });
    let first = Game::new(&server, "murus", named, open());
    let second = Game::new(&server, "hadron5", me(), engine("random", 10));
    let listed = lobby.until("lobby", |lobby| lobby["games"].as_array().unwrap().len() == 2);
    let [newest, oldest] = [&listed["games"][0], &listed["games"][1]];
    assert_eq!((&newest["id"], &oldest["id"]), (&json!(second.id), &json!(first.id)));
    assert_eq!((&oldest["white"], &oldest["black"]), (&json!("Ada"), &json!("")));
    assert_eq!((&oldest["open"], &oldest["source"]), (&json!(["black"]), &json!("board")));
    assert_eq!((&newest["open"], &newest["black"]), (&json!([]), &json!("Random moves")));
    first.act("join", json!({ "name": "Eve" })).json();
    second.play("white", 0, "A1").json();
    let listed = lobby.until("lobby", |lobby| {
        lobby["games"][0]["plies"] == 2 && lobby["games"][1]["open"] == json!([])
    });
    assert_eq!(listed["games"][1]["black"], "Eve");
    let page = second.events();
    lobby.until("lobby", |lobby| lobby["games"][0]["listeners"] == 1);
    drop(page);
    lobby.until("lobby", |lobby| lobby["games"][0]["listeners"] == 0);
    second.resign("white").json();
    lobby.until("lobby", |lobby| lobby["games"][0]["result"] == "Black (White resigned)");
}

#[test]
fn a_game_without_an_opponent_can_be_closed() {
    let server = Server::start(&[]);
    let table = Game::new(&server, "loa", me(), open());
    let mut events = table.events();
    events.wait("game");
    let mut lobby = server.events("/api/lobby/events");
    lobby.until("lobby", |lobby| lobby["games"][0]["id"] == *table.id);
    table.resign("white").json();
    assert_eq!(events.wait("gone"), json!({}));
    assert_eq!(events.next(), None, "the stream ends");
    lobby.until("lobby", |lobby| lobby["games"] == json!([]));
    assert_eq!(table.act("join", json!({})).refusal().0, 404);
}

#[test]
fn a_reload_gets_the_complete_game_and_keeps_the_seat() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    let page = Follower::new(&table);
    table.play("white", 0, "A1").json();
    drop(page);
    table.play("black", 1, "C3").json();
    let again = Follower::new(&table);
    assert_eq!(texts(&again.state), ["A1", "C3"]);
    drop(again);
    assert!(in_time(|| table.whole()["listeners"] == 1), "a listener that has left is not counted");
    table.play("white", 2, "E5").json();
}

#[test]
fn a_slow_listener_delays_no_other_and_catches_up() {
    // More than the system keeps for a connection with little room.
    const TURNS: u64 = 400;
    let server = Server::start(&[]);
    let table = Game::new(&server, "hadron9", me(), me());
    let path = format!("/api/games/{}/events", table.id);
    let mut slow = Follower::hear(server.with_little_room().events(&path));
    let mut quick = Follower::new(&table);
    for turn in 0..TURNS {
        table.play("white", 0, if turn % 2 == 0 { "A1" } else { "B2" }).json();
        quick.until(|state| length(state) == 1);
        table.undo("white", 1).json();
        quick.until(|state| length(state) == 0);
    }
    table.play("white", 0, "C3").json();
    slow.until(|state| texts(state) == ["C3"]);
    assert!(slow.wholes > 1, "it has fallen behind");
    assert_eq!(quick.wholes, 1);
}
