//! Games on the page, as a browser and its person see them.

mod board;

use board::{Answer, Events, Server};
use serde_json::{Value, json};

const SIDES: [&str; 2] = ["white", "black"];

fn me() -> Value {
    json!({ "kind": "me" })
}

fn open() -> Value {
    json!({ "kind": "open" })
}

fn engine(engine: &str, ms: u64) -> Value {
    json!({ "kind": "engine", "engine": engine, "ms": ms })
}

/// A game and the tokens of its seats.
struct Game<'a> {
    server: &'a Server,
    id: String,
    tokens: Value,
}

impl<'a> Game<'a> {
    fn new(server: &'a Server, game: &str, white: Value, black: Value) -> Game<'a> {
        let wanted = json!({ "game": game, "white": white, "black": black });
        let made = server.post("/api/games", &wanted).json();
        let id = made["id"].as_str().unwrap().to_owned();
        Game { server, id, tokens: made["tokens"].clone() }
    }

    /// Two people at two browsers.
    fn of_two(server: &'a Server, game: &str) -> Game<'a> {
        let mut made = Game::new(server, game, me(), open());
        let joined = made.act("join", json!({ "name": "Ada" })).json();
        assert_eq!(joined["side"], "black");
        made.tokens["black"] = joined["token"].clone();
        made
    }

    fn act(&self, action: &str, content: Value) -> Answer {
        self.server.post(&format!("/api/games/{}/{action}", self.id), &content)
    }

    fn token(&self, side: &str) -> &Value {
        let token = &self.tokens[side];
        assert!(token.is_string(), "no token for {side}: {}", self.tokens);
        token
    }

    fn play(&self, side: &str, ply: u64, text: &str) -> Answer {
        self.act("move", json!({ "token": self.token(side), "ply": ply, "move": text }))
    }

    fn undo(&self, side: &str, ply: u64) -> Answer {
        self.act("undo", json!({ "token": self.token(side), "ply": ply }))
    }

    fn hint(&self, side: &str, ply: u64) -> Answer {
        self.act("hint", json!({ "token": self.token(side), "ply": ply }))
    }

    fn resign(&self, side: &str) -> Answer {
        self.act("resign", json!({ "token": self.token(side) }))
    }

    fn events(&self) -> Events {
        self.server.events(&format!("/api/games/{}/events", self.id))
    }

    /// What whoever comes now is told.
    fn whole(&self) -> Value {
        self.events().wait("game")
    }

    /// The same without what changes by itself.
    fn still(&self) -> Value {
        let mut whole = self.whole();
        whole["clock"]["elapsed"] = Value::Null;
        whole["listeners"] = Value::Null;
        whole
    }

    /// What is refused, with what status and words; and nothing has changed.
    fn refuses(&self, ask: impl FnOnce(&Game) -> Answer, status: u16, words: &str) {
        let before = self.still();
        let (found, sentence) = ask(self).refusal();
        assert_eq!((found, &*sentence), (status, words));
        assert_eq!(self.still(), before, "{sentence}");
    }
}

/// A page: what it knows of a game by its events alone.
struct Follower {
    events: Events,
    state: Value,
    /// How often it was told the whole.
    wholes: usize,
}

impl Follower {
    fn new(game: &Game) -> Follower {
        let mut events = game.events();
        let state = events.wait("game");
        Follower { events, state, wholes: 1 }
    }

    /// Follows the game until something holds; the answer is what the engines thought meanwhile.
    fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut thoughts = Vec::new();
        while !holds(&self.state) {
            let (name, content) = self.events.next().expect("the game goes on");
            match &*name {
                "game" => {
                    self.state = content;
                    self.wholes += 1;
                }
                "change" => self.change(&content),
                "thinking" => thoughts.push(content),
                _ => panic!("an event {name}"),
            }
        }
        thoughts
    }

    fn change(&mut self, content: &Value) {
        let from = content["from"].as_u64().unwrap() as usize;
        let moves = self.state["moves"].as_array_mut().unwrap();
        assert!(from <= moves.len());
        moves.truncate(from);
        moves.extend_from_slice(content["moves"].as_array().unwrap());
        for key in ["now", "result", "clock", "seats", "undo_asked", "listeners"] {
            self.state[key] = content[key].clone();
        }
    }

    fn length(&self) -> usize {
        length(&self.state)
    }
}

fn length(state: &Value) -> usize {
    state["moves"].as_array().unwrap().len()
}

fn texts(state: &Value) -> Vec<&str> {
    state["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect()
}

fn to_move(state: &Value) -> &str {
    state["now"]["side"].as_str().unwrap()
}

fn ply(state: &Value) -> u64 {
    state["now"]["ply"].as_u64().unwrap()
}

fn over(state: &Value) -> bool {
    !state["result"].is_null()
}

/// A legal move, as good as any.
fn any_move(state: &Value, random: &mut fastrand::Rng) -> String {
    let legal = state["now"]["legal"].as_array().unwrap();
    random.choice(legal).expect("a legal move")["move"].as_str().unwrap().to_owned()
}

/// Two people play to the end, by what they are told alone.
fn play_out(game: &str) {
    let server = Server::start();
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
    // Nobody moves, resigns or gets a hint after the end.
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
fn an_engine_answers_with_what_it_thinks() {
    let server = Server::start();
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
        assert!((1..=4).contains(&thoughts.len()), "{name}: {} in 0.9 s", thoughts.len());
        assert!(thoughts.iter().all(|thought| thought["side"] == "black"));
        assert!(thoughts[0]["report"]["nodes"].as_u64().unwrap() > 0);
    }
}

#[test]
fn an_engine_with_white_begins() {
    let server = Server::start();
    let table = Game::new(&server, "loa", engine("random", 10), me());
    let mut page = Follower::new(&table);
    page.until(|state| length(state) == 1);
    assert_eq!(to_move(&page.state), "black");
    assert_eq!(page.state["seats"]["white"]["name"], "Random moves");
}

#[test]
fn engines_play_each_other_to_the_end_while_people_watch() {
    let server = Server::start();
    let table = Game::new(&server, "hadron5", engine("mcts", 20), engine("alphabeta", 20));
    assert_eq!(table.tokens, json!({}));
    let mut page = Follower::new(&table);
    page.until(over);
    assert!(page.state["moves"].as_array().unwrap().iter().all(|m| m["report"].is_object()));
    table.refuses(
        |table| table.act("move", json!({ "token": "", "ply": 0, "move": "A1" })),
        403,
        "this seat is not yours: its token is another",
    );
}

#[test]
fn the_engines_of_games_that_have_ended_make_room() {
    let server = Server::start();
    for _ in 0..12 {
        let table = Game::new(&server, "hadron3", engine("random", 10), engine("random", 10));
        Follower::new(&table).until(over);
    }
    let mut made = Vec::new();
    let wanted = json!({ "game": "hadron", "white": me(), "black": engine("random", 1000) });
    let refusal = loop {
        let answer = server.post("/api/games", &wanted);
        if answer.status != 200 {
            break answer.refusal();
        }
        made.push(answer.json());
    };
    let words = "16 engines are at work already; wait until a game or an analysis ends";
    assert_eq!((made.len(), refusal), (16, (503, words.into())));
    let id = made[0]["id"].as_str().unwrap();
    let token = &made[0]["tokens"]["white"];
    server.post(&format!("/api/games/{id}/resign"), &json!({ "token": token })).json();
    let room = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        server.post("/api/games", &wanted).status == 200
    });
    assert!(room);
}

#[test]
fn a_stale_move_changes_nothing() {
    let server = Server::start();
    let table = Game::of_two(&server, "hadron5");
    table.play("white", 0, "A1").json();
    let words = "the game has gone on: this was for move 1, it is move 2 now";
    table.refuses(|table| table.play("white", 0, "B3"), 409, words);
    table.refuses(|table| table.play("black", 0, "B3"), 409, words);
    table.refuses(|table| table.undo("black", 0), 409, words);
    table.refuses(|table| table.hint("black", 0), 409, words);
    let words = "the game has gone on: this was for move 1000, it is move 2 now";
    table.refuses(|table| table.play("black", 999, "B3"), 409, words);
    // The same request twice, as by a double click.
    table.play("black", 1, "B3").json();
    let words = "the game has gone on: this was for move 2, it is move 3 now";
    table.refuses(|table| table.play("black", 1, "B3"), 409, words);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let server = Server::start();
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
fn nobody_moves_for_the_other() {
    let server = Server::start();
    let table = Game::of_two(&server, "hadron5");
    let words = "it is not your turn: White is to move";
    table.refuses(|table| table.play("black", 0, "A1"), 403, words);
    table.refuses(|table| table.hint("black", 0), 403, words);
    let words = "this seat is not yours: its token is another";
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
fn no_event_tells_a_token() {
    let server = Server::start();
    let table = Game::of_two(&server, "hadron5");
    let mut lobby = server.events("/api/lobby/events");
    let listed = lobby.until("lobby", |lobby| lobby["games"][0]["open"] == json!([]));
    for side in SIDES {
        let token = table.token(side).as_str().unwrap();
        assert_eq!(token.len(), 32);
        assert!(!table.whole().to_string().contains(token));
        assert!(!listed.to_string().contains(token));
    }
    assert_ne!(table.token("white"), table.token("black"));
}

#[test]
fn a_seat_is_taken_once() {
    let server = Server::start();
    let mut table = Game::new(&server, "murus", open(), open());
    let mut page = Follower::new(&table);
    let joined = table.act("join", json!({ "side": "black", "name": " Eve " })).json();
    assert_eq!(joined["side"], "black");
    table.tokens["black"] = joined["token"].clone();
    page.until(|state| state["seats"]["black"]["kind"] == "person");
    assert_eq!(page.state["seats"]["black"]["name"], "Eve");
    let words = "somebody else has taken this seat";
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
    let words = "somebody else has taken this seat";
    table.refuses(|table| table.act("join", json!({})), 409, words);
    table.play("white", 0, &first).json();
}

#[test]
fn whoever_joins_an_engine_plays_it() {
    let server = Server::start();
    let mut table = Game::new(&server, "hadron5", open(), engine("random", 10));
    let mut page = Follower::new(&table);
    let joined = table.act("join", json!({})).json();
    table.tokens[joined["side"].as_str().unwrap()] = joined["token"].clone();
    table.play("white", 0, "C3").json();
    page.until(|state| length(state) == 2);
}

#[test]
fn what_cannot_be_read_changes_nothing() {
    let server = Server::start();
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
        assert!(!sentence.is_empty());
    }
    assert_eq!(send(&" ".repeat(3 << 20)).0, 413);
    let good = json!({ "token": token, "ply": 0, "move": "A1" }).to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let answer = server.send("POST", &path, &[("content-type", kind)], &good);
        let words = "found no content of type application/json";
        assert_eq!(answer.refusal(), (400, words.into()));
    }
    assert_eq!(server.send("POST", &path, &[], &good).refusal().0, 400);
    assert_eq!(table.still(), before);
    server.send("POST", &path, &[("content-type", "application/json")], &good).json();
}

#[test]
fn what_cannot_be_played_is_not_set_up() {
    let server = Server::start();
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
fn a_game_may_begin_anywhere() {
    let server = Server::start();
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
fn an_unknown_game_is_said_to_be_unknown() {
    let server = Server::start();
    let words = "there is no such game; it may have ended long ago";
    let content = json!({ "token": "", "ply": 0, "move": "A1" });
    for action in ["join", "move", "undo", "resign", "hint"] {
        let answer = server.post(&format!("/api/games/nowhere/{action}"), &content);
        assert_eq!(answer.refusal(), (404, words.into()));
    }
    assert_eq!(server.get("/api/games/nowhere/events").refusal(), (404, words.into()));
}

#[test]
fn at_one_screen_undo_takes_the_last_move_back_at_once() {
    let server = Server::start();
    let table = Game::new(&server, "hadron5", me(), me());
    let nothing = "there is no move of yours to take back";
    table.refuses(|table| table.undo("white", 0), 409, nothing);
    table.play("white", 0, "A1").json();
    table.play("black", 1, "C3").json();
    let mut page = Follower::new(&table);
    table.undo("black", 2).json();
    page.until(|state| length(state) == 1);
    assert_eq!((texts(&page.state), to_move(&page.state)), (vec!["A1"], "black"));
    table.undo("white", 1).json();
    page.until(|state| length(state) == 0);
    table.play("white", 0, "B2").json();
    page.until(|state| length(state) == 1);
    assert_eq!(page.state["clock"]["used"]["black"], 0.0);
}

#[test]
fn against_an_engine_undo_goes_back_to_the_own_turn_at_once() {
    let server = Server::start();
    let table = Game::new(&server, "hadron", me(), engine("random", 10));
    let mut page = Follower::new(&table);
    let nothing = "there is no move of yours to take back";
    table.refuses(|table| table.undo("white", 0), 409, nothing);
    for ply in [0, 2] {
        let text = any_move(&page.state, &mut fastrand::Rng::with_seed(ply));
        table.play("white", ply, &text).json();
        page.until(|state| length(state) as u64 == ply + 2);
    }
    let first: Vec<String> = texts(&page.state)[..2].iter().map(|&text| text.into()).collect();
    table.undo("white", 4).json();
    page.until(|state| length(state) == 2);
    assert_eq!(texts(&page.state), first);
    let text = any_move(&page.state, &mut fastrand::Rng::with_seed(9));
    table.play("white", 2, &text).json();
    page.until(|state| length(state) == 4);
}

#[test]
fn undo_while_the_engine_thinks_stops_it() {
    let server = Server::start();
    let table = Game::new(&server, "murus", me(), engine("mcts", 60_000));
    let mut page = Follower::new(&table);
    let text = any_move(&page.state, &mut fastrand::Rng::with_seed(3));
    table.play("white", 0, &text).json();
    page.events.wait("thinking");
    table.undo("white", 1).json();
    page.state = table.whole();
    assert_eq!((length(&page.state), to_move(&page.state)), (0, "white"));
    // The same move again at once: the engine thinks anew and for its whole time.
    table.play("white", 0, &text).json();
    page.events = table.events();
    page.events.wait("thinking");
    assert_eq!(length(&table.whole()), 1);
    table.resign("white").json();
    assert_eq!(table.whole()["result"]["text"], "Black (White resigned)");
}

#[test]
fn undo_after_the_end_goes_on_with_the_game() {
    let server = Server::start();
    let table = Game::new(&server, "hadron3", me(), engine("random", 10));
    let mut page = Follower::new(&table);
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..2 {
        while !over(&page.state) {
            let number = page.length();
            let text = any_move(&page.state, &mut random);
            table.play("white", ply(&page.state), &text).json();
            page.until(|state| over(state) || length(state) == number + 2);
        }
        let number = page.length();
        table.undo("white", ply(&page.state)).json();
        page.until(|state| length(state) < number);
        assert_eq!((over(&page.state), to_move(&page.state)), (false, "white"));
    }
}

#[test]
fn between_two_people_undo_asks_and_the_other_agrees_or_moves() {
    let server = Server::start();
    let table = Game::of_two(&server, "hadron5");
    let nothing = "there is no move of yours to take back";
    table.refuses(|table| table.undo("white", 0), 409, nothing);
    table.play("white", 0, "A1").json();
    table.refuses(|table| table.undo("black", 1), 409, nothing);
    let mut page = Follower::new(&table);
    table.undo("white", 1).json();
    page.until(|state| state["undo_asked"] == "white");
    assert_eq!(page.length(), 1);
    let words = "you have asked already; the other player has to agree";
    table.refuses(|table| table.undo("white", 1), 409, words);
    // A move declines.
    table.play("black", 1, "C3").json();
    page.until(|state| length(state) == 2);
    assert_eq!(page.state["undo_asked"], Value::Null);
    // White asks for its own last turn back, two moves ago, and Black agrees.
    table.undo("white", 2).json();
    table.undo("black", 2).json();
    page.until(|state| length(state) == 0);
    assert_eq!((to_move(&page.state), &page.state["undo_asked"]), ("white", &Value::Null));
    table.play("white", 0, "B2").json();
}

#[test]
fn a_hint_is_a_legal_move_for_whoever_is_to_move() {
    let server = Server::start();
    for game in ["murus", "hadron", "loa", "voidrider"] {
        let table = Game::new(&server, game, me(), engine("random", 10));
        let before = table.still();
        let hint = table.hint("white", 0).json();
        assert!(before["now"]["legal"].as_array().unwrap().contains(&hint["move"]));
        assert_eq!(hint["report"]["pv"][0], hint["move"]["move"]);
        assert_eq!(table.still(), before);
        table.play("white", 0, hint["move"]["move"].as_str().unwrap()).json();
    }
}

#[test]
fn there_is_one_hint_at_a_time() {
    let server = Server::start();
    let table = Game::new(&server, "murus", me(), me());
    std::thread::scope(|scope| {
        let hints: Vec<_> = (0..2).map(|_| scope.spawn(|| table.hint("white", 0))).collect();
        let answers: Vec<Answer> = hints.into_iter().map(|hint| hint.join().unwrap()).collect();
        let refused: Vec<&Answer> = answers.iter().filter(|answer| answer.status != 200).collect();
        let words = "a hint for this game is being thought of already";
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].refusal(), (503, words.into()));
    });
    table.hint("white", 0).json();
    // One for a position that has gone meanwhile is not given.
    std::thread::scope(|scope| {
        let hint = scope.spawn(|| table.hint("white", 0));
        std::thread::sleep(std::time::Duration::from_millis(300));
        let text = any_move(&table.whole(), &mut fastrand::Rng::with_seed(0));
        table.play("white", 0, &text).json();
        let words = "the game has gone on: this was for move 1, it is move 2 now";
        assert_eq!(hint.join().unwrap().refusal(), (409, words.into()));
    });
}

#[test]
fn whoever_resigns_loses() {
    let server = Server::start();
    let table = Game::of_two(&server, "loa");
    table.resign("black").json();
    let result = json!({
        "winner": "white", "reason": "Black resigned", "text": "White (Black resigned)",
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

#[test]
fn a_game_that_nobody_has_joined_can_be_closed() {
    let server = Server::start();
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
fn the_lobby_lists_games_with_the_newest_first() {
    let server = Server::start();
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
    second.resign("white").json();
    lobby.until("lobby", |lobby| lobby["games"][0]["result"] == "Black (White resigned)");
}

#[test]
fn whoever_comes_back_gets_the_whole_and_keeps_the_seat() {
    let server = Server::start();
    let table = Game::of_two(&server, "hadron5");
    let page = Follower::new(&table);
    table.play("white", 0, "A1").json();
    drop(page);
    table.play("black", 1, "C3").json();
    let again = Follower::new(&table);
    assert_eq!(texts(&again.state), ["A1", "C3"]);
    assert_eq!(again.state["listeners"], 1);
    table.play("white", 2, "E5").json();
}

#[test]
fn one_that_is_slow_delays_nobody_and_catches_up() {
    // More than the system keeps for a connection.
    const TURNS: u64 = 1500;
    let server = Server::start();
    let table = Game::new(&server, "hadron9", me(), me());
    let mut slow = Follower::new(&table);
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

#[test]
fn of_many_at_the_same_time_one_is_served() {
    let server = Server::start();
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
}

#[test]
fn pages_from_elsewhere_can_do_nothing() {
    let server = Server::start();
    let table = Game::of_two(&server, "hadron5");
    let path = format!("/api/games/{}/move", table.id);
    let good = json!({ "token": table.token("white"), "ply": 0, "move": "A1" }).to_string();
    let json = ("content-type", "application/json");
    let send = |headers: &[(&str, &str)]| {
        server.send("POST", &path, &[&[json], headers].concat(), &good).refusal()
    };
    let before = table.still();
    for origin in ["http://example.org", "null", "http://localhost:1", "http://127.0.0.1"] {
        let refused = (403, "the request comes from another page".into());
        assert_eq!(send(&[("origin", origin)]), refused);
    }
    for host in ["example.org", "localhost.example.org", "example.org:80", "127.0.0.1.nip.io", ""] {
        let refused = (403, "this server is not known by that name".into());
        let origin = format!("http://{host}");
        assert_eq!(send(&[("host", host), ("origin", &origin)]), refused);
        let answer = server.send("GET", "/api/rules", &[("host", host)], "");
        assert_eq!(answer.refusal(), refused);
    }
    let watching = format!("/api/games/{}/events", table.id);
    for site in ["cross-site", "same-site"] {
        let headers = [("sec-fetch-site", site), ("sec-fetch-mode", "cors")];
        assert_eq!(server.send("GET", &watching, &headers, "").refusal().0, 403);
    }
    assert_eq!(table.still(), before);
    let port = server.host.rsplit_once(':').unwrap().1;
    let (host, origin) = (format!("localhost:{port}"), format!("http://localhost:{port}"));
    server.send("POST", &path, &[json, ("host", &host), ("origin", &origin)], &good).json();
    // Following a link from another page is no harm.
    let headers = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
    assert_eq!(server.send("GET", "/", &headers, "").status, 200);
}

#[test]
fn other_addresses_need_the_token() {
    let server = Server::start_with(&["--bind", "0.0.0.0"]);
    let token = server.token.as_deref().expect("the printed address has a token");
    let words = "open the page by the address that the program has printed, with its token";
    for path in ["/", "/api/rules", "/api/lobby/events", "/?token=0123456789abcdef", "/?token="] {
        assert_eq!(server.get(path).refusal(), (403, words.into()));
    }
    assert_eq!(server.post("/api/games", &json!({})).refusal(), (403, words.into()));
    let welcome = server.get(&format!("/game/x?token={token}"));
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/game/x")));
    let cookie = welcome.header("set-cookie").unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(server.send("GET", "/api/rules", &[("cookie", cookie)], "").status, 200);
    let others = format!("a=b; {cookie}; c=d");
    server.events_with("/api/lobby/events", &[("cookie", &others)]).wait("lobby");
    let wrong = cookie.replace(token, &"0".repeat(32));
    for cookie in [&*wrong, "", "alesia-token=", token] {
        let answer = server.send("GET", "/api/rules", &[("cookie", cookie)], "");
        assert_eq!(answer.refusal(), (403, words.into()));
    }
}
