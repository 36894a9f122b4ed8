//! Moves that are taken back, and hints.

use std::time::Duration;

use serde_json::{Value, json};

use super::table::{Follower, Game, any_move, engine, length, me, over, ply, texts, to_move};
use crate::board::Server;

#[test]
fn at_one_screen_undo_takes_the_last_move_back_at_once() {
    let server = Server::start(&[]);
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
    let server = Server::start(&[]);
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
    // Longer than any delay between two requests on a busy machine.
    const TIME: u64 = 3000;
    let server = Server::start(&[]);
    let table = Game::new(&server, "murus", me(), engine("mcts", TIME));
    let mut page = Follower::new(&table);
    let text = any_move(&page.state, &mut fastrand::Rng::with_seed(3));
    table.play("white", 0, &text).json();
    page.events.wait("thinking");
    std::thread::sleep(Duration::from_millis(100));
    table.undo("white", 1).json();
    // The same move again: the engine searches again.
    table.play("white", 0, &text).json();
    let thoughts = Follower::new(&table).until(|state| length(state) == 2);
    assert!(!thoughts.is_empty());
    let answer = &table.whole()["moves"][1];
    let (thought, took) = (&answer["report"]["ms"], &answer["ms"]);
    assert!(thought.as_f64() <= took.as_f64(), "{thought} ms of {took} ms");
    // No answer comes to a move that has been taken back.
    let mut page = Follower::new(&table);
    let text = any_move(&page.state, &mut fastrand::Rng::with_seed(4));
    table.play("white", 2, &text).json();
    page.events.wait("thinking");
    table.undo("white", 3).json();
    std::thread::sleep(Duration::from_millis(TIME + 300));
    assert_eq!((length(&table.whole()), to_move(&table.whole())), (2, "white"));
    table.play("white", 2, &text).json();
    Follower::new(&table).until(|state| length(state) == 4);
}

#[test]
fn resigning_while_the_engine_thinks_stops_it() {
    let server = Server::start(&[]);
    let table = Game::new(&server, "murus", me(), engine("mcts", 60_000));
    let mut page = Follower::new(&table);
    let text = any_move(&page.state, &mut fastrand::Rng::with_seed(3));
    table.play("white", 0, &text).json();
    page.events.wait("thinking");
    table.resign("white").json();
    assert_eq!(table.whole()["result"]["text"], "Black (White resigned)");
    // The game continues: the engine is built again.
    table.undo("white", 1).json();
    table.play("white", 0, &text).json();
    let thought = table.events().wait("thinking");
    assert!(thought["report"]["ms"].as_f64().unwrap() < 30_000.0);
}

#[test]
fn undo_after_the_end_continues_the_game() {
    let server = Server::start(&[]);
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
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    let nothing = "there is no move of yours to take back";
    table.refuses(|table| table.undo("white", 0), 409, nothing);
    table.play("white", 0, "A1").json();
    table.refuses(|table| table.undo("black", 1), 409, nothing);
    let mut page = Follower::new(&table);
    table.undo("white", 1).json();
    page.until(|state| state["undo_asked"] == "white");
    assert_eq!(page.length(), 1);
    let words = "you have asked already: wait until the other player agrees";
    table.refuses(|table| table.undo("white", 1), 409, words);
    // A move declines.
    table.play("black", 1, "C3").json();
    page.until(|state| length(state) == 2);
    assert_eq!(page.state["undo_asked"], Value::Null);
    // White asks for its own last turn back, two moves ago, and Black agrees.
    table.undo("white", 2).json();
    table.agree("black", 2).json();
    page.until(|state| length(state) == 0);
    assert_eq!((to_move(&page.state), &page.state["undo_asked"]), ("white", &Value::Null));
    table.play("white", 0, "B2").json();
}

/// Who asks has not agreed, even if the other's request came first and was not seen yet.
#[test]
fn requests_that_cross_take_nothing_back() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    table.play("white", 0, "B1").json();
    table.play("black", 1, "A3").json();
    let version = table.whole()["version"].clone();
    let nobody = "nobody asks to take a move back";
    table.refuses(|table| table.agree("black", 2), 409, nobody);
    table.undo("white", 2).json();
    let asks = json!({ "token": table.token("black"), "ply": 2, "version": version });
    let words = "the other player asks for that too: agree, or play on";
    table.refuses(|table| table.act("undo", asks.clone()), 409, words);
    let own = "you have asked already: wait until the other player agrees";
    table.refuses(|table| table.agree("white", 2), 409, own);
    // Nor is a move refused that crosses a request: it declines.
    let plays =
        json!({ "token": table.token("white"), "ply": 2, "version": version, "move": "C5" });
    table.act("move", plays).json();
    table.refuses(|table| table.agree("black", 3), 409, nobody);
}

#[test]
fn a_move_for_a_position_that_was_taken_back_is_stale_though_its_ply_is_the_same() {
    let server = Server::start(&[]);
    let table = Game::of_two(&server, "hadron5");
    table.play("white", 0, "C3").json();
    let shown = table.whole()["version"].clone();
    table.undo("white", 1).json();
    table.agree("black", 1).json();
    table.play("white", 0, "A1").json();
    let act = |action, version: &Value| {
        let token = table.token("black");
        let content = json!({ "token": token, "ply": 1, "version": version, "move": "E5" });
        table.act(action, content)
    };
    let words = "the game has continued: this was for another position";
    for action in ["move", "undo", "hint"] {
        table.refuses(|_| act(action, &shown), 409, words);
    }
    let now = table.whole();
    assert_eq!((to_move(&now), &now["phase"]), ("black", &json!("playing")));
    act("move", &now["version"]).json();
}

#[test]
fn a_hint_is_a_legal_move_of_the_side_to_move() {
    let server = Server::start(&[]);
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

/// So often is tried what needs two requests at the same time, which a busy machine may keep apart.
const TRIES: u64 = 10;

#[test]
fn there_is_one_hint_at_a_time() {
    let server = Server::start(&[]);
    let table = Game::new(&server, "murus", me(), me());
    let refused = (0..TRIES).find_map(|_| {
        let answers = std::thread::scope(|scope| {
            let hints = [(); 2].map(|()| scope.spawn(|| table.hint("white", 0)));
            hints.map(|hint| hint.join().unwrap())
        });
        assert!(answers.iter().any(|answer| answer.status == 200));
        answers.into_iter().find(|answer| answer.status != 200)
    });
    let words = "a hint for this game is being searched already";
    assert_eq!(refused.unwrap().refusal(), (503, words.into()));
    table.hint("white", 0).json();
}

#[test]
fn a_hint_for_a_position_that_has_gone_is_not_given() {
    let server = Server::start(&[]);
    let table = Game::new(&server, "murus", me(), me());
    let refused = (0..TRIES).find_map(|ply| {
        let whole = table.whole();
        let (side, text) = (to_move(&whole), any_move(&whole, &mut fastrand::Rng::with_seed(ply)));
        let answer = std::thread::scope(|scope| {
            let hint = scope.spawn(|| table.hint(side, ply));
            std::thread::sleep(Duration::from_millis(200));
            table.play(side, ply, &text).json();
            hint.join().unwrap()
        });
        let words = format!(
            "the game has continued: this was for move {}, it is move {} now",
            ply + 1,
            ply + 2
        );
        (answer.status != 200).then(|| assert_eq!(answer.refusal(), (409, words)))
    });
    assert!(refused.is_some());
}
