//! Analyses, reviews and records of the page, over HTTP.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::board::{Events, Server};
use crate::lab::{run, texts};
use serde_json::{Value, json};

/// Asks for something and returns its name.
fn begin(server: &Server, path: &str, content: &Value) -> String {
    server.post(path, content).json()["id"].as_str().unwrap().to_owned()
}

/// All events of a kind until the end.
fn all(events: Events, kind: &str) -> Vec<Value> {
    let content = |(name, content)| {
        assert_eq!(name, kind);
        content
    };
    events.map(content).collect()
}

/// The moves of a list.
fn moves(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap().to_owned()).collect()
}

/// A match of this program's engines, its games as JSON lines.
fn games(words: &str) -> String {
    let output = run(format!("match {words} -jsonl").split_whitespace());
    let (text, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    text
}

#[test]
fn an_analysis_of_each_game_can_be_drawn_and_stepped_through() {
    let server = Server::start(&[]);
    for game in ["murus", "hadron", "loa", "voidrider"] {
        let began = Instant::now();
        let wanted = json!({ "game": game, "moves": [], "engine": "mcts", "ms": 1500 });
        let id = begin(&server, "/api/analyses", &wanted);
        let reports = all(server.events(&format!("/api/analyses/{id}/events")), "report");
        let took = began.elapsed();
        assert!(took >= Duration::from_millis(1500), "{game}: {took:?}");
        let (last, before) = reports.split_last().unwrap();
        assert!(!before.is_empty(), "{game}: it reports while it searches");
        assert!(before.iter().all(|report| report["done"] == false));
        assert_eq!(last["done"], true);

        let position = server.post("/api/positions", &json!({ "game": game, "moves": [] })).json();
        let legal = position["now"]["legal"].as_array().unwrap();
        assert!(legal.contains(&last["best"]), "{}", last["best"]);
        let top = last["top"].as_array().unwrap();
        assert_eq!(top.len(), 5);
        for m in top {
            let shape = legal.iter().find(|shape| shape["move"] == m["move"]).unwrap();
            for (key, value) in shape.as_object().unwrap() {
                assert_eq!(&m[key], value);
            }
            assert!((0.0..=1.0).contains(&m["value"].as_f64().unwrap()), "{m}");
        }
        assert_eq!(last["pv"][0]["move"], last["best"]["move"]);
        let line = json!({ "game": game, "moves": moves(&last["pv"]) });
        let walked = server.post("/api/positions", &line).json();
        let rows = |list: &Value| -> Vec<Value> {
            list.as_array().unwrap().iter().map(|played| played["rows"].clone()).collect()
        };
        assert_eq!(rows(&walked["moves"]), rows(&last["pv"]));

        let again = all(server.events(&format!("/api/analyses/{id}/events")), "report");
        assert_eq!(again, std::slice::from_ref(last), "a late listener gets the last");
    }
}

#[test]
fn the_other_engine_answers_too_and_only_moves_have_values() {
    let server = Server::start(&[]);
    let wanted = json!({ "game": "loa", "moves": [], "engine": "alphabeta", "ms": 300 });
    let id = begin(&server, "/api/analyses", &wanted);
    let reports = all(server.events(&format!("/api/analyses/{id}/events")), "report");
    let last = reports.last().unwrap();
    assert!(last["report"]["depth"].as_u64().unwrap() >= 1 && last["top"] == json!([]), "{last}");
    // Black wins by the only move that is left.
    let wanted =
        json!({ "game": "hadron2x2", "moves": ["A1", "B2", "A2"], "engine": "mcts", "ms": 10 });
    let id = begin(&server, "/api/analyses", &wanted);
    let reports = all(server.events(&format!("/api/analyses/{id}/events")), "report");
    let last = reports.last().unwrap();
    assert_eq!((&last["best"]["move"], &last["report"]["value"]), (&json!("B1"), &json!(0.0)));
}

#[test]
fn an_analysis_without_end_continues_while_it_has_listeners() {
    let server = Server::start(&[]);
    let wanted = json!({ "game": "hadron", "moves": [], "engine": "mcts", "ms": null });
    let stopped = begin(&server, "/api/analyses", &wanted);
    let mut events = server.events(&format!("/api/analyses/{stopped}/events"));
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(6) {
        assert_eq!(events.next().unwrap().1["done"], false, "it has a listener");
    }
    let answer = server.post(&format!("/api/analyses/{stopped}/stop"), &json!({})).json();
    assert_eq!(answer, json!({}));
    let rest = all(events, "report");
    let last = rest.last().unwrap();
    assert_eq!((&last["done"], &last["stopped"]), (&json!(true), &json!(true)));
}

#[test]
fn a_search_without_listeners_gives_its_place_to_another() {
    let server = Server::start(&["--memory", "1MiB"]);
    let listen = |kind: &str, wanted: &Value| {
        let id = begin(&server, &format!("/api/{kind}"), wanted);
        let mut events = server.events(&format!("/api/{kind}/{id}/events"));
        events.next().unwrap();
        events
    };
    let analysis = json!({ "game": "murus", "engine": "alphabeta", "ms": null });
    let first = listen("analyses", &analysis);
    // Enough positions that it does not end meanwhile.
    let moves = ["E5", "A1", "I9", "C3"];
    let review = json!({ "game": "hadron", "moves": moves, "engine": "alphabeta", "ms": 10_000 });
    let other = listen("reviews", &review);
    // Engines that wait for a move of their opponents have places too.
    let game = json!({ "game": "hadron3", "white": { "kind": "me" },
                       "black": { "kind": "engine", "engine": "random", "ms": 100 } });
    for _ in 2..12 {
        server.post("/api/games", &game).json();
    }
    let (status, error) = server.post("/api/analyses", &analysis).refusal();
    assert_eq!(status, 429, "{error}");
    assert!(error.starts_with("12 engines are running for you already"), "{error}");
    let accepted = || {
        let began = Instant::now();
        while server.post("/api/analyses", &analysis).status != 200 {
            assert!(began.elapsed() < Duration::from_secs(60), "the place stays taken");
            sleep(Duration::from_millis(200));
        }
    };
    drop(first);
    accepted();
    // That one never had a listener.
    accepted();
    drop(other);
}

#[test]
fn refuses_positions_it_cannot_analyse() {
    let server = Server::start(&[]);
    let ask = |content: Value| server.post("/api/analyses", &content).refusal();
    let (status, error) =
        ask(json!({ "game": "hadron3", "moves": ["B1", "A3", "C2"], "engine": "mcts", "ms": 50 }));
    assert_eq!((status, &error[..]), (409, "the game is over: White (no legal move)"));
    let (status, error) =
        ask(json!({ "game": "hadron3", "moves": ["B1", "B2"], "engine": "mcts", "ms": 50 }));
    assert!(status == 400 && error.starts_with("move 2, move: found `B2`"), "{status} {error}");
    let (status, error) = ask(json!({ "game": "loa", "engine": "random", "ms": 50 }));
    assert_eq!((status, &error[..]), (400, "engine: found `random`, expected mcts or alphabeta"));
    let (status, error) = ask(json!({ "game": "loa", "engine": "mcts", "ms": 9 }));
    assert!(status == 400 && error.starts_with("ms: found 9, expected"), "{status} {error}");
    let (status, _) = ask(json!({ "game": "chess", "engine": "mcts", "ms": 50 }));
    assert_eq!(status, 400);
    let (status, error) = server
        .post("/api/reviews", &json!({ "game": "loa", "engine": "mcts", "ms": 10001 }))
        .refusal();
    assert!(status == 400 && error.starts_with("ms: found 10001"), "{status} {error}");
    assert_eq!(server.get("/api/analyses/nothing/events").refusal().0, 404);
    assert_eq!(server.post("/api/reviews/nothing/stop", &json!({})).refusal().0, 404);
}

/// The last message of a whole review.
fn review(server: &Server, wanted: &Value) -> Value {
    let id = begin(server, "/api/reviews", wanted);
    let told = all(server.events(&format!("/api/reviews/{id}/events")), "review");
    for pair in told.windows(2) {
        assert!(pair[0]["done"].as_u64() <= pair[1]["done"].as_u64());
    }
    let last = told.last().unwrap().clone();
    assert_eq!((&last["finished"], &last["stopped"]), (&json!(true), &json!(false)));
    last
}

#[test]
fn a_review_finds_the_move_that_threw_a_win_away() {
    let server = Server::start(&[]);
    // White can win by any move but the two in the middle.
    for engine in ["mcts", "alphabeta"] {
        let wanted =
            json!({ "game": "hadron3x4", "moves": ["B2"], "engine": engine, "ms": 10_000 });
        let last = review(&server, &wanted);
        assert_eq!((&last["done"], &last["total"]), (&json!(2), &json!(2)), "{last}");
        let first = &last["plies"][0];
        assert_eq!((&first["value"], &first["loss"]), (&json!(1.0), &json!(1.0)), "{last}");
        assert_eq!(first["mark"], "blunder");
    }
}

#[test]
fn a_review_of_each_game_comes_to_its_end() {
    let server = Server::start(&[]);
    let mut blunders = 0;
    for game in ["murus", "hadron7", "loa", "voidrider"] {
        let words = format!(
            "-game {game} -engine name=A option.engine=random -engine name=B option.engine=random \
             -each nodes=1 option.memory=1MiB -openings plies=2 -rounds 1"
        );
        let loaded = server.post("/api/records", &json!({ "text": games(&words) })).json();
        let record = &loaded["games"][0];
        let moves = record["moves"].as_array().unwrap();
        let wanted = json!({
            "game": record["game"], "board": record["board"], "moves": moves, "engine": "mcts", "ms": 10,
        });
        let last = review(&server, &wanted);
        let plies = last["plies"].as_array().unwrap();
        assert_eq!(plies.len(), moves.len() + 1, "{game}");
        let winner = record["result"].as_str().unwrap().split(' ').next().unwrap();
        let value = match winner {
            "White" => 1.0,
            "Black" => 0.0,
            _ => 0.5,
        };
        let end = plies.last().unwrap();
        assert_eq!(
            (&end["value"], &end["best"], &end["loss"]),
            (&json!(value), &Value::Null, &Value::Null)
        );
        for (ply, m) in plies.iter().zip(moves) {
            let loss = ply["loss"].as_f64().unwrap();
            assert!((0.0..=1.0).contains(&loss), "{ply}");
            assert!(ply["best"]["move"] != *m || loss == 0.0, "{ply}");
            assert_eq!(ply["mark"] == "blunder", loss >= 0.2, "{ply}");
            blunders += usize::from(loss >= 0.2);
        }
    }
    // The moves are random; one short game may be without, all of them are not.
    assert!(blunders > 0);
}

#[test]
fn positions_without_a_choice_are_worth_what_comes_after_them() {
    let server = Server::start(&[]);
    // On this board Black always has the last move, and B2 is the only answer to A1.
    for (moves, forced) in [(vec!["A1"], vec![1]), (vec!["A1", "B2", "A2", "B1"], vec![1, 3])] {
        let wanted = json!({ "game": "hadron2x2", "moves": moves, "engine": "mcts", "ms": 500 });
        let last = review(&server, &wanted);
        let plies = last["plies"].as_array().unwrap();
        assert_eq!(plies.len(), moves.len() + 1);
        assert!(plies.iter().all(|ply| ply["value"] == 0.0 && ply["mark"].is_null()), "{last}");
        for ply in forced {
            assert_eq!(plies[ply]["best"]["move"], ["A1", "B2", "A2", "B1"][ply]);
        }
    }
}

#[test]
fn a_review_can_be_stopped() {
    let server = Server::start(&[]);
    let moves = ["E5", "A1", "I9", "C3"];
    let wanted = json!({ "game": "hadron", "moves": moves, "engine": "mcts", "ms": 10_000 });
    let id = begin(&server, "/api/reviews", &wanted);
    let mut events = server.events(&format!("/api/reviews/{id}/events"));
    let (_, first) = events.next().unwrap();
    let begun = json!({ "done": 0, "total": 5, "finished": false, "stopped": false, "plies": [] });
    assert_eq!(first, begun);
    server.post(&format!("/api/reviews/{id}/stop"), &json!({}));
    let rest = all(events, "review");
    let last = rest.last().unwrap();
    let ended = last["finished"] == true && last["stopped"] == true;
    assert!(ended && last["done"].as_u64().unwrap() < 5, "{last}");
}

#[test]
fn games_are_read_from_all_that_the_programs_write() {
    let server = Server::start(&[]);
    let load = |content: Value| server.post("/api/records", &content).json()["games"].clone();
    let text = games(
        "-game hadron3 -engine name=Tree -engine name=Other option.engine=alphabeta \
         -each nodes=60 option.memory=1MiB -openings plies=1 -rounds 2 -srand 5",
    );
    let read = load(json!({ "text": text }));
    let read = read.as_array().unwrap();
    assert_eq!(read.len(), 4);
    for game in read {
        let (moves, values) =
            (game["moves"].as_array().unwrap(), game["values"].as_array().unwrap());
        assert_eq!(moves.len(), values.len());
        // Of an only move nothing is known.
        assert!(values[0].is_null() && values[1..].iter().any(Value::is_number), "{game}");
        let line = json!({ "game": game["game"], "board": game["board"], "moves": moves });
        let shown = server.post("/api/positions", &line).json();
        assert_eq!(shown["result"]["text"], game["result"]);
    }
    assert_eq!((&read[0]["white"], &read[1]["white"]), (&json!("Tree"), &json!("Other")));

    let words: Vec<&str> =
        read[0]["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    let printed = format!("moves: {}\n", words.join(" "));
    let by_hand = load(json!({ "game": "hadron3", "text": printed }));
    assert_eq!(by_hand[0]["moves"], read[0]["moves"]);
    assert_eq!(by_hand[0]["result"], read[0]["result"]);

    let line = json!({ "game": "hadron3", "moves": &words[..2] });
    let shown = server.post("/api/positions", &line).json();
    let board = shown["now"]["board"].as_str().unwrap();
    let rest = format!("{board} moves {}", words[2..].join(" "));
    let of_board = load(json!({ "text": rest }));
    assert_eq!((&of_board[0]["game"], &of_board[0]["board"]), (&json!("hadron3"), &json!(board)));
    assert_eq!(of_board[0]["result"], read[0]["result"]);

    let mut file = "# recorded\nGAME\t0\n".to_owned();
    for number in 0..=words.len() {
        let line = json!({ "game": "hadron3", "moves": &words[..number] });
        let shown = server.post("/api/positions", &line).json();
        let now = &shown["now"];
        let rows: Vec<&str> =
            now["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
        let rows = rows.join("/");
        let mut legal = moves(&now["legal"]);
        legal.sort();
        let side = &now["side"].as_str().unwrap()[..1];
        match words.get(number) {
            Some(played) => {
                file += &format!("{number}\t{side}\t{rows}\t{}\t{played}\n", legal.join(" "));
            }
            None => {
                let winner = &shown["result"]["winner"].as_str().unwrap()[..1];
                file += &format!("END\t{number}\t{winner}\t{rows}\n");
            }
        }
    }
    let of_file = load(json!({ "game": "hadron3", "text": file }));
    assert_eq!(of_file[0]["moves"], read[0]["moves"]);
    assert_eq!(of_file[0]["result"], read[0]["result"]);
}

#[test]
fn names_unreadable_lines() {
    let server = Server::start(&[]);
    let error = |content: Value| {
        let (status, error) = server.post("/api/records", &content).refusal();
        assert_eq!(status, 400, "{error}");
        error
    };
    let text = games(
        "-game hadron3 -engine name=A option.engine=random -engine name=B option.engine=random \
         -each nodes=1 option.memory=1MiB -openings plies=1 -rounds 1",
    );
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines[1]["moves"][0]["move"] = lines[1]["opening"][0].clone();
    let wrong: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let found = server.post("/api/records", &json!({ "text": wrong })).json();
    let first = found["wrong"].as_str().unwrap();
    assert!(first.starts_with("line 2") && first.contains("move 2"), "{found}");
    let count = found["games"].as_array().unwrap().len();
    assert_eq!((count, &found["left_out"]), (lines.len() - 1, &json!(1)), "{found}");
    let long = "B1 ".repeat(22 << 20);
    let found = error(json!({ "game": "hadron3", "text": long }));
    assert!(found.starts_with("text: found 69206016 bytes, expected at most 64 MiB"), "{found}");
}
