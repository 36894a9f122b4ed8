//! Refused requests and their messages; they change nothing.

use serde_json::{Value, json};

use super::table::{Follower, Game, any_move, engine, length, me, open, texts};
use crate::board::{Answer, Server};

#[test]
fn a_stale_move_changes_nothing() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    table.play("white", 0, "A1").json();
    let words = "the game has continued: this was for move 1, it is move 2 now";
    table.refuses(|table| table.play("white", 0, "B3"), 409, words);
    table.refuses(|table| table.play("black", 0, "B3"), 409, words);
    table.refuses(|table| table.undo("black", 0), 409, words);
    table.refuses(|table| table.hint("black", 0), 409, words);
    let words = "the game has continued: this was for move 1000, it is move 2 now";
    table.refuses(|table| table.play("black", 999, "B3"), 409, words);
    // The same request twice, as by a double click.
    table.play("black", 1, "B3").json();
    let words = "the game has continued: this was for move 2, it is move 3 now";
    table.refuses(|table| table.play("black", 1, "B3"), 409, words);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron3");
    table.play("white", 0, "B1").json();
    for text in ["B1", "B2", "Z9", "", "A3 B2", "\u{0}", &"A".repeat(100_000)] {
        let before = table.still();
        let (status, sentence) = table.play("black", 1, text).refusal();
        assert_eq!(status, 422, "{sentence}");
        assert!(sentence.starts_with("move: found `"), "{sentence}");
        assert!(sentence.len() < 300, "{sentence}");
        assert_eq!(table.still(), before);
    }
}

#[test]
fn no_player_moves_for_the_other() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    let words = "it is not your turn: White is to move";
    table.refuses(|table| table.play("black", 0, "A1"), 403, words);
    table.refuses(|table| table.hint("black", 0), 403, words);
    let words = "this seat is not yours: wrong token";
    for token in ["", "0", &"0".repeat(32), &"é".repeat(16)] {
        for action in ["move", "undo", "resign", "hint"] {
            let content = json!({ "token": token, "ply": 0, "move": "A1" });
            table.refuses(|table| table.act(action, content), 403, words);
        }
    }
    let other = Game::of_two(&server, "hadron5");
    let foreign = json!({ "token": other.token("white"), "ply": 0, "move": "A1" });
    table.refuses(|table| table.act("move", foreign), 403, words);
}

#[test]
fn a_seat_is_taken_once() {
    let server = Server::start(&[]);
    let mut table = Game::new(&server, "murus", open(), open());
    let mut page = Follower::new(&table);
    let joined = table.act("join", json!({ "side": "black", "name": " Eve " })).json();
    assert_eq!(joined["side"], "black");
    table.tokens["black"] = joined["token"].clone();
    page.until(|state| state["seats"]["black"]["kind"] == "person");
    assert_eq!(page.state["seats"]["black"]["name"], "Eve");
    let words = "this seat is already taken";
    table.refuses(|table| table.act("join", json!({ "side": "black" })), 409, words);
    let words = "waiting for an opponent: the game has not begun";
    let first = any_move(&page.state, &mut fastrand::Rng::with_seed(0));
    table.refuses(|table| table.play("black", 0, &first), 409, words);
    table.refuses(|table| table.undo("black", 0), 409, words);
    assert_eq!(page.state["clock"]["running"], Value::Null);
    let joined = table.act("join", json!({})).json();
    assert_eq!(joined["side"], "white");
    table.tokens["white"] = joined["token"].clone();
    page.until(|state| state["clock"]["running"] == "white");
    assert_eq!(page.state["seats"]["white"]["name"], "White");
    let words = "this seat is already taken";
    table.refuses(|table| table.act("join", json!({})), 409, words);
    table.play("white", 0, &first).json();
}

#[test]
fn a_game_that_has_begun_is_not_cancelled() {
    let server = Server::start(&[]);
    let cancel = |table: &Game| {
        table.act("resign", json!({ "token": table.token("white"), "cancel": true }))
    };
    let table = Game::of_two(&server, "hadron5");
    table.refuses(cancel, 409, "the game has begun");
    let waiting = Game::new(&server, "hadron5", me(), open());
    cancel(&waiting).json();
    assert_eq!(server.get(&format!("/api/games/{}/events", waiting.id)).refusal().0, 404);
}

#[test]
fn unreadable_requests_change_nothing() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    let path = format!("/api/games/{}/move", table.id);
    let token = table.token("white").as_str().unwrap();
    let send = |body: &str| {
        server.send("POST", &path, &[("content-type", "application/json")], body).refusal()
    };
    let before = table.still();
    for body in [
        "",
        "{",
        "null",
        "[]",
        "\u{0}",
        &format!("{{\"token\":\"{token}\",\"move\":\"A1\"}}"),
        &format!("{{\"token\":\"{token}\",\"ply\":-1,\"move\":\"A1\"}}"),
        &format!("{{\"token\":\"{token}\",\"ply\":0.5,\"move\":\"A1\"}}"),
        &format!("{{\"token\":\"{token}\",\"ply\":0,\"move\":7}}"),
        &format!("{{\"token\":\"{token}\",\"ply\":0,\"ply\":0,\"move\":\"A1\"}}"),
        &"[".repeat(100_000),
    ] {
        let (status, sentence) = send(body);
        assert_eq!(status, 400, "{sentence}");
        assert!(sentence.starts_with("request, line 1, column "), "{sentence}");
        assert!(sentence.contains(": found ") && sentence.contains(", expected "), "{sentence}");
    }
    assert_eq!(send(&" ".repeat(3 << 20)).0, 413);
    let good = json!({ "token": token, "ply": 0, "move": "A1" }).to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let answer = server.send("POST", &path, &[("content-type", kind)], &good);
        let words = "expected content of type application/json";
        assert_eq!(answer.refusal(), (400, words.into()));
    }
    assert_eq!(server.send("POST", &path, &[], &good).refusal().0, 400);
    assert_eq!(table.still(), before);
    server.send("POST", &path, &[("content-type", "application/json")], &good).json();
}

#[test]
fn refuses_games_that_cannot_be_played() {
    let server = Server::start(&[]);
    let refused = |wanted: Value, status: u16, words: &str| {
        let (found, sentence) = server.post("/api/games", &wanted).refusal();
        assert!(found == status && sentence.starts_with(words), "{found}: {sentence}");
    };
    let wanted = |game: &str, white: Value, black: Value| json!({ "game": game, "white": white, "black": black });
    let game = |game: &str| wanted(game, me(), me());
    refused(game("chess"), 400, "game: found `chess`, expected");
    let named = json!({ "kind": "me", "name": "x".repeat(41) });
    refused(wanted("murus", named, open()), 400, "name: found `xxx");
    let named = json!({ "kind": "me", "name": "a\u{1b}[31m" });
    refused(wanted("murus", named, open()), 400, "name: found `a\\u{1b}[31m`, expected");
    for ms in [0, 9, 60_001, u64::MAX] {
        let words = format!("ms: found {ms}, expected 10 to 60000 milliseconds");
        refused(wanted("murus", me(), engine("mcts", ms)), 400, &words);
    }
    refused(wanted("murus", me(), engine("gpt", 100)), 400, "engine: found `gpt`, expected");
    refused(wanted("murus", me(), json!({ "kind": "king" })), 400, "");
    refused(wanted("murus", me(), json!({ "kind": "engine", "engine": "mcts" })), 400, "");
    refused(json!({ "game": "murus", "white": me() }), 400, "");
    let mut with_board = game("hadron3");
    with_board["board"] = json!(".../.x./... w 0");
    refused(with_board.clone(), 400, "board, row 2, column 2: found");
    with_board["board"] = json!(".../.../... w 0");
    with_board["moves"] = json!(["B2", "B1"]);
    refused(with_board.clone(), 400, "move 2, move: found `B1`, expected a legal move");
    with_board["moves"] = json!(["B1", "A3", "C2"]);
    refused(with_board, 409, "the game is over: White (no legal move)");
    let lobby = server.events("/api/lobby/events").wait("lobby");
    assert_eq!(lobby["games"], json!([]));
}

#[test]
fn an_unknown_game_is_said_to_be_unknown() {
    let server = Server::start(&[]);
    let words = "game not found: the server may have been restarted";
    let content = json!({ "token": "", "ply": 0, "move": "A1" });
    for action in ["join", "move", "undo", "resign", "hint"] {
        let answer = server.post(&format!("/api/games/nowhere/{action}"), &content);
        assert_eq!(answer.refusal(), (404, words.into()));
    }
    assert_eq!(server.get("/api/games/nowhere/events").refusal(), (404, words.into()));
}

#[test]
fn of_many_at_the_same_time_one_is_served() {
    let server = Server::start(&[]);
    let at_once = |ask: &(dyn Fn() -> Answer + Sync)| {
        std::thread::scope(|scope| {
            let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            let answers = asked.into_iter().map(|asked| asked.join().unwrap());
            let (good, refused): (Vec<_>, Vec<_>) =
                answers.partition(|answer| answer.status == 200);
            assert!(refused.iter().all(|answer| answer.status == 409));
            assert_eq!(good.len(), 1);
            good[0].json()
        })
    };
    let mut table = Game::new(&server, "hadron5", me(), open());
    table.tokens["black"] = at_once(&|| table.act("join", json!({})))["token"].clone();
    at_once(&|| table.play("white", 0, "A1"));
    at_once(&|| table.play("black", 1, "C3"));
    assert_eq!(texts(&table.whole()), ["A1", "C3"]);
    // The same where the engine of the open game has to be built first.
    let mut table = Game::new(&server, "hadron5", engine("mcts", 10), open());
    table.tokens["black"] = at_once(&|| table.act("join", json!({})))["token"].clone();
    Follower::new(&table).until(|state| length(state) == 1);
    // And for a move, where it has left at the end of the game.
    let table = Game::new(&server, "hadron5", me(), engine("mcts", 10));
    table.play("white", 0, "A1").json();
    let mut page = Follower::new(&table);
    page.until(|state| length(state) == 2);
    table.resign("white").json();
    table.undo("white", 2).json();
    at_once(&|| table.play("white", 0, "B1"));
    page.until(|state| texts(state).first() == Some(&"B1") && length(state) == 2);
}

#[test]
fn an_address_that_leads_nowhere_is_said_to_do_so() {
    let server = Server::start(&[]);
    let words = "address: found `/api/nothing`, expected an address of the page";
    assert_eq!(server.get("/api/nothing").refusal(), (404, words.into()));
    assert_eq!(server.get("/api/games/%FF/events").refusal().0, 400);
    assert_eq!(server.post("/api/rules", &json!({})).refusal().0, 405);
    // The page itself shows it.
    let page = server.get("/nothing");
    assert_eq!((page.status, page.header("content-type")), (404, Some("text/html; charset=utf-8")));
}
