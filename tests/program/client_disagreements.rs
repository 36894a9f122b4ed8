//! The client and a server that do not agree about the position: each decision of the table in
//! `src/net/client/session/mod.rs`, over real sockets. What the client sends is legal in what the
//! server has implied, and no turn is answered twice.

use std::time::{Duration, Instant};

use alesia::game::{Game, Side};
use alesia::games::{AnyGame, AnyState, Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{Answer, Player};

use crate::dialogue::client::{meet, meet_player};
use crate::dialogue::{Peer, Random};

/// Proves that the client is silent: a line sent before would come before this answer.
fn is_silent_until_its_turn(server: &mut Peer, their_move: &str, our_move: &str) {
    server.says([&format!("OPPONENT_MOVE {their_move}"), "YOUR_TURN"]);
    server.hears([&format!("MOVE {our_move}")]);
}

// Our move was refused.

#[test]
fn a_refused_move_is_taken_back_and_another_is_sent() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 A3 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["ILLEGAL_MOVE", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
        server.says(["VALID_MOVE", "VICTORY"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (the server gave no reason)");
    assert_eq!(played.report().plies, 3);
    assert_eq!(played.seen[1..3], ["we as White: B1", "we as White: A3"]);
}

/// Insists on the first legal move.
struct Stubborn;

impl Player for Stubborn {
    fn choose(&mut self, state: &AnyState, _: Instant) -> Answer {
        let mut legal = alesia::game::MoveList::new();
        state.position.moves(&mut legal);
        legal[0].into()
    }
}

#[test]
fn no_refused_move_is_sent_again_and_at_last_none() {
    // Four cells: A1 A2 B1 B2.
    let played = meet_player(AnyGame::from(Hadron::start(2, 2)), &mut Stubborn, |mut server| {
        server.says(["WELCOME White"]);
        for refused in ["MOVE A1", "MOVE A2", "MOVE B1", "MOVE B2"] {
            server.says(["YOUR_TURN"]);
            server.hears([refused]);
            server.says(["ILLEGAL_MOVE"]);
        }
        server.says(["YOUR_TURN", "TIMEOUT", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "Black (our move came too late)");
}

#[test]
fn a_refused_move_may_be_sent_in_another_turn() {
    let played = meet_player(AnyGame::from(Hadron::start(2, 2)), &mut Stubborn, |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["ILLEGAL_MOVE", "YOUR_TURN"]);
        server.hears(["MOVE A2"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VICTORY"]);
    });
    assert_eq!(played.report().plies, 3);
}

#[test]
fn a_turn_after_a_refusal_said_twice_is_answered_once() {
    meet(AnyGame::from(Hadron::start(9, 9)), "B1 A3 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["ILLEGAL_MOVE", "ILLEGAL_MOVE", "YOUR_TURN", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE"]);
        is_silent_until_its_turn(&mut server, "A1", "C2");
    });
}

#[test]
fn a_refusal_after_which_the_opponent_moves_was_none() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["ILLEGAL_MOVE", "OPPONENT_MOVE A3", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
        server.says(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn a_timeout_after_which_the_opponent_moves_was_none() {
    let played = meet(AnyGame::from(Hadron::start(9, 9)), "B1", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["TIMEOUT", "OPPONENT_MOVE A3"]);
        server.leaves();
    });
    assert!(played.said().contains("move 2 of White, before any result"), "{}", played.said());
}

#[test]
fn a_move_that_was_accepted_is_not_taken_back() {
    meet(AnyGame::from(Hadron::start(9, 9)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE", "ILLEGAL_MOVE", "YOUR_TURN"]);
        is_silent_until_its_turn(&mut server, "A3", "C2");
    });
}

#[test]
fn a_second_chance_after_a_timeout_may_still_take_our_late_move() {
    meet(AnyGame::from(Hadron::start(9, 9)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN", "TIMEOUT", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE"]);
        is_silent_until_its_turn(&mut server, "A3", "C2");
    });
}

// Turns out of order. (Repeated ones: `client_tolerance.rs`.)

#[test]
fn a_turn_before_the_opponents_move_is_answered_when_that_comes() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE", "YOUR_TURN", "OPPONENT_MOVE A3"]);
        server.hears(["MOVE C2"]);
        server.says(["VALID_MOVE", "VICTORY"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn blacks_first_turn_before_whites_move_is_answered_when_that_comes() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["YOUR_TURN", "WELCOME Black"]);
        server.leaves();
    });
    assert!(played.said().contains("move 1 of Black"), "no colour yet: {}", played.said());
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "YOUR_TURN", "OPPONENT_MOVE B1"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn a_turn_repeated_before_our_move_is_accepted_does_not_count_ahead() {
    meet(AnyGame::from(Hadron::start(9, 9)), "B1", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["YOUR_TURN", "VALID_MOVE", "OPPONENT_MOVE A3", "VICTORY"]);
        server.hears_the_end();
    });
}

#[test]
fn acknowledgement_and_the_opponents_move_may_change_places() {
    meet(AnyGame::from(Hadron::start(9, 9)), "B1 C2", |mut server| {
        server.says(["YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["OPPONENT_MOVE A3", "WELCOME White", "VALID_MOVE", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
    });
}

// The opponent's moves.

#[test]
fn the_opponents_last_move_said_again_after_our_answer_is_ignored() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["OPPONENT_MOVE b 1", "VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn the_opponents_last_move_and_our_turn_said_again_are_not_answered_twice() {
    let played = meet(AnyGame::from(Loa::start(Default::default())), "A2-C2", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE B1-B3", "YOUR_TURN"]);
        server.hears(["MOVE A2-C2"]);
        server.says(["OPPONENT_MOVE B1-B3", "YOUR_TURN", "VALID_MOVE", "VICTORY"]);
        server.hears_the_end();
    });
    assert_eq!(played.report().plies, 2);
}

#[test]
fn a_move_of_the_opponent_can_be_replaced_before_our_turn() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE A1", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.report().plies, 3);
}

#[test]
fn ignores_lines_that_cannot_replace_the_opponents_move() {
    meet(AnyGame::from(Murus::start()), "A1,S", |mut server| {
        // Black's own move, as if it were White's.
        server.says(["WELCOME Black", "OPPONENT_MOVE G4,NE", "OPPONENT_MOVE A4,S", "YOUR_TURN"]);
        server.hears(["MOVE A1,S"]);
    });
}

#[test]
fn white_that_hears_the_opponents_first_move_is_black() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME White", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.report().side, Side::Black);
}

/// A move of White that our rules do not know is followed by our turn: our answer is legal in the
/// position that the move as written leaves.
fn continues_after(start: AnyGame, illegal: &str, left: &str) {
    assert!(start.parse_move(illegal).is_err(), "{illegal} in {start}");
    let left = start.parse_board(left).unwrap();
    let mut player = Random(fastrand::Rng::with_seed(1));
    let played = meet_player(start, &mut player, |mut server| {
        server.says(["WELCOME Black", &format!("OPPONENT_MOVE {illegal}"), "YOUR_TURN"]);
        let answer = server.hears_a_line();
        let text = answer.strip_prefix("MOVE ").unwrap();
        assert!(left.parse_move(text).is_ok(), "{text} in {left}");
        server.says(["VALID_MOVE", "VICTORY"]);
        server.hears_the_end();
    });
    assert_eq!(played.report().plies, 2);
    assert_eq!(played.said(), "Black (the server gave no reason)");
}

#[test]
fn an_unknown_move_after_which_the_server_continues_is_played_as_written() {
    // Far in front of all towers; out of balance; over a stone; a knight's leap too far.
    continues_after(
        AnyGame::from(Murus::start()),
        "G4,S",
        "BBBBBBBB/......../......../......../......../......../WWW.WWWW b 1",
    );
    continues_after(
        AnyGame::from(Hadron::start(3, 3)).parse_board("b../.../... w 1").unwrap(),
        "A2",
        "bw./.../... b 2",
    );
    continues_after(
        AnyGame::from(Loa::start(Default::default())),
        "B1-B4",
        ".wwwwww./b......b/b......b/b......b/bw.....b/b......b/b......b/..wwwww. b 1",
    );
    continues_after(
        AnyGame::from(Voidrider::start()),
        "b1-b5",
        "#v###v#/rnbkbnr/#ppppp#/#.....#/#N....#/#.....#/#PPPPP#/R.BKBNR/#V###V# b 1 DdUu 1",
    );
}

#[test]
fn an_unknown_move_may_be_replaced_by_a_legal_one() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE Z9", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn a_turn_before_an_unknown_move_is_answered_as_after_it() {
    let start = AnyGame::from(Hadron::start(3, 3)).parse_board("w../.../... b 1").unwrap();
    assert!(start.parse_move("A2").is_err());
    let left = start.parse_board("wb./.../... w 2").unwrap();
    let mut player = Random(fastrand::Rng::with_seed(1));
    meet_player(start, &mut player, |mut server| {
        server.says(["WELCOME White", "YOUR_TURN", "OPPONENT_MOVE A2"]);
        let answer = server.hears_a_line();
        let text = answer.strip_prefix("MOVE ").unwrap();
        assert!(left.parse_move(text).is_ok(), "{text} in {left}");
        server.says(["VALID_MOVE", "VICTORY"]);
        server.hears_the_end();
    });
}

// Everything at once.

/// A server that sends anything in any order: the client ends when the server does, and every line
/// of the client is a possible move, at most one per turn.
#[test]
fn messages_in_any_order() {
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let start = AnyGame::from(Hadron::start(4, 4));
        let mut player = Random(fastrand::Rng::with_seed(seed));
        let (mut turns, mut script) = (0, String::new());
        for _ in 0..rng.usize(1..60) {
            let cell = format!("{}{}", ['A', 'B', 'C', 'D', 'E'][rng.usize(..5)], rng.u8(1..6));
            script += &match rng.u8(..12) {
                0 => "WELCOME White\n".to_owned(),
                1 => "WELCOME Black\n".to_owned(),
                2 => "ILLEGAL_MOVE\n".to_owned(),
                3 => "TIMEOUT\n".to_owned(),
                4 | 5 => "VALID_MOVE\n".to_owned(),
                6..9 => format!("OPPONENT_MOVE {cell}\n"),
                _ => {
                    turns += 1;
                    "YOUR_TURN\n".to_owned()
                }
            };
        }
        let told = script.clone();
        let mut lines = Vec::new();
        let heard = &mut lines;
        let played = meet_player(start, &mut player, move |mut server| {
            server.sends(script + "TIE\n");
            *heard = server.hears_all();
        });
        assert!(lines.len() <= turns, "seed {seed}: {lines:?} to {told}");
        for line in &lines {
            let text = line.strip_prefix("MOVE ").unwrap_or_else(|| panic!("{line}"));
            assert!(start.parse_move(text).is_ok(), "seed {seed}: {line}");
        }
        // A move that our rules did not know may be its last word.
        if let Err(error) = played.result {
            assert!(error.to_string().contains("an illegal move"), "seed {seed}: {error}");
        }
    }
}

/// Complaints do not hold the client up: a flood of anything is read, and the turn behind it
/// answered.
#[test]
fn a_flood_before_our_turn() {
    for flood in
        ["HELLO\n", "VALID_MOVE\n", "MESSAGE x\n", "OPPONENT_MOVE A9\n", "\n", "\0\u{e9}\n"]
    {
        let played = meet(AnyGame::from(Hadron::start(1, 1)), "A1", |mut server| {
            server.says(["WELCOME White"]);
            server.sends(flood.repeat(200_000));
            server.says(["YOUR_TURN"]);
            server.hears(["MOVE A1"]);
            server.says(["VICTORY"]);
        });
        assert_eq!(played.said(), "White (no legal move)");
        assert!(played.report().slowest < Duration::from_secs(20));
    }
}
