//! A game and its page, as the tests use them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::board::{Answer, Events, Server};

pub const SIDES: [&str; 2] = ["white", "black"];

pub fn me() -> Value {
    json!({ "kind": "me" })
}

pub fn open() -> Value {
    json!({ "kind": "open" })
}

pub fn engine(engine: &str, ms: u64) -> Value {
    json!({ "kind": "engine", "engine": engine, "ms": ms })
}

/// A game and the tokens of its seats.
pub struct Game<'a> {
    pub server: &'a Server,
    pub id: String,
    pub tokens: Value,
}

impl<'a> Game<'a> {
    pub fn new(server: &'a Server, game: &str, white: Value, black: Value) -> Game<'a> {
        let wanted = json!({ "game": game, "white": white, "black": black });
        let made = server.post("/api/games", &wanted).json();
        let id = made["id"].as_str().unwrap().to_owned();
        Game { server, id, tokens: made["tokens"].clone() }
    }

    /// Two people at two browsers.
    pub fn of_two(server: &'a Server, game: &str) -> Game<'a> {
        let mut made = Game::new(server, game, me(), open());
        let joined = made.act("join", json!({ "name": "Ada" })).json();
        assert_eq!(joined["side"], "black");
        made.tokens["black"] = joined["token"].clone();
        made
    }

    pub fn act(&self, action: &str, content: Value) -> Answer {
        self.server.post(&format!("/api/games/{}/{action}", self.id), &content)
    }

    pub fn token(&self, side: &str) -> &Value {
        let token = &self.tokens[side];
        assert!(token.is_string(), "no token for {side}: {}", self.tokens);
        token
    }

    pub fn play(&self, side: &str, ply: u64, text: &str) -> Answer {
        self.act("move", json!({ "token": self.token(side), "ply": ply, "move": text }))
    }

    pub fn undo(&self, side: &str, ply: u64) -> Answer {
        self.act("undo", json!({ "token": self.token(side), "ply": ply }))
    }

    /// Agrees that the other person takes moves back.
    pub fn agree(&self, side: &str, ply: u64) -> Answer {
        self.act("undo", json!({ "token": self.token(side), "ply": ply, "agree": true }))
    }

    pub fn hint(&self, side: &str, ply: u64) -> Answer {
        self.act("hint", json!({ "token": self.token(side), "ply": ply }))
    }

    pub fn resign(&self, side: &str) -> Answer {
        self.act("resign", json!({ "token": self.token(side) }))
    }

    pub fn events(&self) -> Events {
        self.server.events(&format!("/api/games/{}/events", self.id))
    }

    /// The first event of a new listener.
    pub fn whole(&self) -> Value {
        self.events().wait("game")
    }

    /// The same without the fields that change with time.
    pub fn still(&self) -> Value {
        let mut whole = self.whole();
        whole["clock"]["elapsed"] = Value::Null;
        whole["listeners"] = Value::Null;
        whole
    }

    /// A refused request with its status and message; nothing has changed.
    pub fn refuses(&self, ask: impl FnOnce(&Game) -> Answer, status: u16, words: &str) {
        let before = self.still();
        let (found, sentence) = ask(self).refusal();
        assert_eq!((found, &*sentence), (status, words));
        assert_eq!(self.still(), before, "{sentence}");
    }
}

/// A page: what it knows of a game by its events alone.
pub struct Follower {
    pub events: Events,
    pub state: Value,
    /// How often it got the complete game.
    pub wholes: usize,
}

impl Follower {
    pub fn new(game: &Game) -> Follower {
        Follower::hear(game.events())
    }

    pub fn hear(mut events: Events) -> Follower {
        let state = events.wait("game");
        Follower { events, state, wholes: 1 }
    }

    /// Follows the game until something holds; the answer is what the engines thought meanwhile.
    pub fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut thoughts = Vec::new();
        while !holds(&self.state) {
            let (name, content) = self.events.next().expect("the game is not over");
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

    pub fn change(&mut self, content: &Value) {
        let from = content["from"].as_u64().unwrap() as usize;
        let moves = self.state["moves"].as_array_mut().unwrap();
        assert!(from <= moves.len());
        moves.truncate(from);
        moves.extend_from_slice(content["moves"].as_array().unwrap());
        for key in [
            "version",
            "phase",
            "now",
            "result",
            "clock",
            "seats",
            "undo_asked",
            "listeners",
            "unkept",
        ] {
            self.state[key] = content[key].clone();
        }
    }

    pub fn length(&self) -> usize {
        length(&self.state)
    }
}

pub fn length(state: &Value) -> usize {
    state["moves"].as_array().unwrap().len()
}

pub fn texts(state: &Value) -> Vec<&str> {
    state["moves"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect()
}

pub fn to_move(state: &Value) -> &str {
    state["now"]["side"].as_str().unwrap()
}

pub fn ply(state: &Value) -> u64 {
    state["now"]["ply"].as_u64().unwrap()
}

pub fn over(state: &Value) -> bool {
    !state["result"].is_null()
}

/// A legal move, as good as any.
pub fn any_move(state: &Value, random: &mut fastrand::Rng) -> String {
    let legal = state["now"]["legal"].as_array().unwrap();
    random.choice(legal).expect("a legal move")["move"].as_str().unwrap().to_owned()
}

/// Whether something comes to hold within a minute.
pub fn in_time(mut holds: impl FnMut() -> bool) -> bool {
    (0..1200).any(|_| {
        let held = holds();
        if !held {
            std::thread::sleep(Duration::from_millis(50));
        }
        held
    })
}
