//! Games from their setting up to their result: between people, and with engines.

use serde_json::{Value, json};

use super::table::{
    Follower, Game, any_move, engine, in_time, length, me, open, over, ply, texts, to_move,
};
use crate::board::Server;
use crate::lab::{self, fresh_file, run};

/// Two people play to the end, using only their events.
fn play_out(game: &str) {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, game);
    let mut page = Follower::new(&table);
    let mut random = fastrand::Rng::with_seed(5);
    assert_eq!(page.state["start"]["rows"], page.state["now"]["rows"]);
    while !over(&page.state) {
        let (side, number) = (to_move(&page.state).to_owned(), page.length());
        let text = any_move(&page.state, &mut random);
        assert_eq!(page.state["clock"]["running"], *side);
        assert_eq!(table.play(&side, ply(&page.state), &text).json(), json!({}));
        page.until(|state| length(state) == number + 1);
        let played = &page.state["moves"][number];
        assert_eq!(
            (played["move"].as_str(), played["side"].as_str()),
            (Some(&*text), Some(&*side))
        );
        assert_eq!(played["rows"], page.state["now"]["rows"]);
        assert!(played["ms"].as_f64().unwrap() >= 0.0 && played["report"].is_null());
    }
    assert_eq!(page.state["now"]["legal"], json!([]));
    assert_eq!(page.state["clock"]["running"], Value::Null);
    let mut known = page.state.clone();
    known["clock"]["elapsed"] = Value::Null;
    known["listeners"] = Value::Null;
    assert_eq!(table.still(), known, "{game}: the changes and the whole agree");
    // The rules alone say the same of these moves.
    let again = json!({ "game": game, "moves": texts(&page.state) });
    let shown = server.post("/api/positions", &again).json();
    assert_eq!(shown["result"], page.state["result"]);
    assert_eq!(shown["now"], page.state["now"]);
    // No move, resignation or hint after the end.
    let words = format!("the game is over: {}", page.state["result"]["text"].as_str().unwrap());
    let end = ply(&page.state);
    let side = to_move(&page.state);
    table.refuses(|table| table.play(side, end, "A1"), 409, &words);
    table.refuses(|table| table.hint(side, end), 409, &words);
    table.refuses(|table| table.resign("white"), 409, &words);
}

#[test]
fn two_people_play_murus_gallicus_to_its_end() {
    play_out("murus");
}

#[test]
fn two_people_play_hadron_to_its_end() {
    play_out("hadron");
}

#[test]
fn two_people_play_lines_of_action_to_its_end() {
    play_out("loa");
}

#[test]
fn two_people_play_voidrider_chess_to_its_end() {
    play_out("voidrider");
}

#[test]
fn a_game_may_begin_anywhere() {
    let server = Server::start(&[]);
    let wanted = json!({
        "game": "hadron5", "board": "...../...../..w../...../..... b 1", "moves": ["A1", "E5"],
        "white": { "kind": "me", "name": "Ada" }, "black": me(),
    });
    let made = server.post("/api/games", &wanted).json();
    let table = Game {
        server: &server,
        id: made["id"].as_str().unwrap().into(),
        tokens: made["tokens"].clone(),
    };
    let whole = table.whole();
    assert_eq!((length(&whole), ply(&whole), to_move(&whole)), (2, 3, "black"));
    assert_eq!(whole["start"]["ply"], 1);
    assert_eq!(whole["start"]["rows"], json!([".....", ".....", "..w..", ".....", "....."]));
    assert_eq!(whole["seats"]["white"]["name"], "Ada");
    assert_eq!((&whole["source"], &whole["result"]), (&json!("board"), &Value::Null));
    let text = any_move(&whole, &mut fastrand::Rng::with_seed(0));
    table.play("black", 3, &text).json();
}

#[test]
fn an_engine_answers_with_its_analysis() {
    let server = Server::start(&[]);
    for name in ["mcts", "alphabeta", "random"] {
        let table = Game::new(&server, "murus", me(), engine(name, 900));
        assert_eq!(table.tokens.as_object().unwrap().len(), 1);
        let mut page = Follower::new(&table);
        let text = any_move(&page.state, &mut fastrand::Rng::with_seed(1));
        table.play("white", 0, &text).json();
        let thoughts = page.until(|state| length(state) == 2);
        let answer = &page.state["moves"][1];
        assert_eq!(answer["side"], "black");
        if name == "random" {
            continue;
        }
        let value = answer["report"]["value"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&value));
        assert!(answer["report"]["nodes"].as_u64().unwrap() > 0);
        assert_eq!(answer["report"]["pv"][0], answer["move"]);
        assert!(answer["ms"].as_f64().unwrap() >= 100.0);
        // One at once and then four a second at most.
        let most = 1 + answer["ms"].as_f64().unwrap() as usize / 250;
        assert!((1..=most).contains(&thoughts.len()), "{name}: {}", thoughts.len());
        assert!(thoughts.iter().all(|thought| thought["side"] == "black"));
        // On a busy machine the first may be of a position that is not searched yet.
        let nodes = |thought: &Value| thought["report"]["nodes"].as_u64();
        assert!(thoughts.iter().filter_map(nodes).all(|nodes| nodes > 0));
    }
}

#[test]
fn an_engine_with_white_begins() {
    let server = Server::start(&[]);
    let table = Game::new(&server, "loa", engine("random", 10), me());
    let mut page = Follower::new(&table);
    page.until(|state| length(state) == 1);
    assert_eq!(to_move(&page.state), "black");
    assert_eq!(page.state["seats"]["white"]["name"], "Random moves");
}

#[test]
fn a_person_who_joins_an_engine_plays_it() {
    let server = Server::start(&[]);
    let mut table = Game::new(&server, "hadron5", open(), engine("random", 10));
    let mut page = Follower::new(&table);
    let joined = table.act("join", json!({})).json();
    table.tokens[joined["side"].as_str().unwrap()] = joined["token"].clone();
    table.play("white", 0, "C3").json();
    page.until(|state| length(state) == 2);
}

#[test]
fn engines_play_each_other_to_the_end_while_people_watch() {
    let server = Server::start(&[]);
    let table = Game::new(&server, "hadron5", engine("mcts", 20), engine("alphabeta", 20));
    assert_eq!(table.tokens, json!({}));
    let mut page = Follower::new(&table);
    page.until(over);
    assert!(page.state["moves"].as_array().unwrap().iter().all(|m| m["report"].is_object()));
    table.refuses(
        |table| table.act("move", json!({ "token": "", "ply": 0, "move": "A1" })),
        403,
        "this seat is not yours: wrong token",
    );
}

#[test]
fn the_engines_of_games_that_have_ended_make_room() {
    let server = Server::start(&[]);
    for _ in 0..12 {
        let table = Game::new(&server, "hadron3", engine("random", 10), engine("random", 10));
        Follower::new(&table).until(over);
    }
    let wanted = json!({ "game": "hadron", "white": me(), "black": engine("random", 1000) });
    let mut made = None;
    for _ in 0..12 {
        assert!(in_time(|| {
            let answer = server.post("/api/games", &wanted);
            let good = answer.status == 200;
            if good {
                made = Some(answer.json());
            }
            good
        }));
    }
    let words = "12 engines are running for you already: end a game or an analysis";
    assert_eq!(server.post("/api/games", &wanted).refusal(), (429, words.into()));
    let made = made.unwrap();
    let (id, token) = (made["id"].as_str().unwrap(), &made["tokens"]["white"]);
    server.post(&format!("/api/games/{id}/resign"), &json!({ "token": token })).json();
    assert!(in_time(|| server.post("/api/games", &wanted).status == 200));
}

#[test]
fn a_person_who_resigns_loses() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "loa");
    table.resign("black").json();
    let result = json!({
        "winner": "white", "reason": "Black resigned", "text": "White (Black resigned)",
        "decided": true,
    });
    assert_eq!(table.whole()["result"], result);
    let at_one_screen = Game::new(&server, "hadron5", me(), me());
    at_one_screen.play("white", 0, "A1").json();
    at_one_screen.resign("white").json();
    let result = at_one_screen.whole()["result"].clone();
    assert_eq!(result["text"], "White (Black resigned)", "the side to move resigns");
    // A move back, and on.
    at_one_screen.undo("white", 1).json();
    at_one_screen.play("white", 0, "A2").json();
}

/// A definition that was pasted is in no file: its record carries it.
#[test]
fn a_game_of_a_pasted_definition_is_taken_home_and_replayed() {
    let server = Server::start(&[]);
    let text = "# Mine.\n[mine:gardner]\n";
    let kept = server.post("/api/variants", &json!({ "text": text, "name": "mine" })).json();
    let game = kept["game"]["id"].as_str().unwrap();
    let wanted = json!({ "game": game, "moves": ["a2a3"], "white": me(), "black": me() });
    let made = server.post("/api/games", &wanted).json();
    let (id, token) = (made["id"].as_str().unwrap(), &made["tokens"]["white"]);
    server.post(&format!("/api/games/{id}/resign"), &json!({ "token": token })).json();
    let taken = |form: &str| {
        let answer = server.get(&format!("/api/games/{id}/record{form}"));
        assert_eq!(answer.status, 200, "{form}: {}", answer.body);
        answer.body
    };
    for form in ["pgn", "csv", "moves"] {
        assert!(taken(&format!("?format={form}")).contains("a3"), "{form}");
    }
    let path = fresh_file("pasted.jsonl");
    std::fs::write(&path, taken("")).unwrap();
    let output = run(["replay", path.to_str().unwrap()]);
    let (printed, errors) = lab::texts(&output);
    assert!(printed.ends_with("1 game, 0 wrong\n"), "{printed}{errors}");
    // Rules that are not those of the fingerprint are not used.
    let other = taken("").replace("[mine:gardner]", "[mine:losalamos]");
    std::fs::write(&path, other).unwrap();
    assert_eq!(run(["replay", path.to_str().unwrap()]).status.code(), Some(1));
}
