//! The client against servers with other habits or faults: every unambiguous line is understood,
//! nothing is sent twice or out of turn, and every end of a connection has a clear message.

use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, Side};
use alesia::games::{AnyGame, AnyState, Hadron, Murus};
use alesia::net::client::{Answer, ClientEvent, Player};

use crate::dialogue::Peer;
use crate::dialogue::client::{meet, meet_player};

// Tolerance.

/// A game as Black with a server that has its own forms of lines.
fn in_other_words(talk: impl Fn(&mut Peer, &str) + Sync) {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        talk(&mut server, "WELCOME Black\nMESSAGE wait\nOPPONENT_MOVE B1\nYOUR_TURN\n");
        server.hears(["MOVE A3"]);
        talk(&mut server, "VALID_MOVE\nOPPONENT_MOVE C2\nDEFEAT\n");
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.seen.len(), 6);
}

#[test]
fn a_byte_at_a_time() {
    in_other_words(|server, text| server.slices(text));
}

#[test]
fn several_lines_in_one_packet() {
    in_other_words(|server, text| server.sends(text));
}

#[test]
fn carriage_returns() {
    in_other_words(|server, text| server.sends(text.replace('\n', "\r\n")));
}

#[test]
fn lower_case() {
    in_other_words(|server, text| server.sends(text.to_lowercase()));
}

#[test]
fn blanks_for_underscores() {
    in_other_words(|server, text| server.sends(text.replace('_', " ")));
}

#[test]
fn superfluous_blanks() {
    in_other_words(|server, text| server.sends(text.replace(' ', "   ").replace('\n', " \t \n")));
}

fn before_each_line(noise: &str, text: &str) -> String {
    text.lines().map(|line| format!("{noise}{line}\n")).collect()
}

#[test]
fn unknown_words_and_empty_lines() {
    let noise = "\n \nHELLO there\n\0\x01\n";
    in_other_words(|server, text| server.sends(before_each_line(noise, text)));
}

#[test]
fn lines_longer_than_any_message() {
    let noise = format!("MESSAGE {}\n", "x".repeat(100_000));
    in_other_words(|server, text| server.sends(before_each_line(&noise, text)));
}

#[test]
fn messages_in_any_encoding() {
    let played = meet(AnyGame::from(Hadron::start(1, 1)), "", |mut server| {
        server.sends(b"WELCOME Black\nMESSAGE perch\xe9\nMESSAGE \xc3\xa8\nDEFEAT\n");
    });
    assert_eq!(played.seen[1..3], ["message perché", "message è"]);
}

#[test]
fn the_opponents_moves_in_lower_case_with_blanks() {
    let played = meet(AnyGame::from(Murus::start()), "A1,S", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE  g4, ne ", "YOUR_TURN"]);
        server.hears(["MOVE A1,S"]);
        server.says(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(played.seen[1], "they as White: G4,NE");
}

// Never twice, never out of turn.

#[test]
fn a_repeated_your_turn_is_answered_once() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE", "YOUR_TURN", "OPPONENT_MOVE A3", "YOUR_TURN", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
        server.says(["VALID_MOVE", "YOUR_TURN", "VICTORY"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn your_turn_without_the_opponents_move_is_not_answered() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "YOUR_TURN", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn a_repeated_opponent_move_is_played_once() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE B1", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.report().plies, 3);
}

#[test]
fn your_turn_without_a_welcome_means_white() {
    let played = meet(AnyGame::from(Hadron::start(1, 1)), "A1", |mut server| {
        server.says(["YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.report().side, Side::White);
}

#[test]
fn an_opponents_move_without_a_welcome_means_black() {
    let played = meet(AnyGame::from(Hadron::start(1, 1)), "", |mut server| {
        server.says(["OPPONENT_MOVE A1", "DEFEAT"]);
    });
    assert_eq!(played.report().side, Side::Black);
}

#[test]
fn a_second_welcome_changes_nothing() {
    let played = meet(AnyGame::from(Hadron::start(1, 1)), "A1", |mut server| {
        server.says(["WELCOME White", "WELCOME Black", "WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VICTORY"]);
    });
    assert_eq!(played.seen, ["we are White", "we as White: A1", "ended: White (no legal move)"]);
}

// Illegal moves.

#[test]
fn an_unreadable_move_relayed_ends_our_part() {
    let played = meet(AnyGame::from(Murus::start()), "", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE G4,X", "YOUR_TURN", "TIMEOUT", "DEFEAT"]);
        server.hears_the_end();
    });
    let said = played.said();
    let begin = "the server relayed an illegal move 1 of White: move: found `G4,X`, expected a ";
    assert!(said.starts_with(begin), "{said}");
    let question = "is it playing another game? This player plays Murus Gallicus (--game)";
    assert!(said.ends_with(&format!("; its result is White; {question}")), "{said}");
}

#[test]
fn an_illegal_move_relayed_without_a_result() {
    let played = meet(AnyGame::from(Murus::start()), "", |mut server| {
        server.sends(b"WELCOME Black\nOPPONENT_MOVE \xff\nYOUR_TURN\n");
    });
    assert_eq!(
        played.said(),
        "the server relayed an illegal move 1 of White: move: found `ÿ`, expected a move in \
         the game's notation; then it closed without a result; is it playing another game? This \
         player plays Murus Gallicus (--game)"
    );
}

#[test]
fn an_opponent_that_loses_by_an_illegal_move_is_no_error() {
    let played = meet(AnyGame::from(Murus::start()), "", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE G4", "MESSAGE illegal", "VICTORY"]);
    });
    assert_eq!(played.said(), "Black (illegal)");
}

#[test]
fn an_illegal_move_of_the_player_is_replaced_by_a_legal_one() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 B1", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE A3", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
        server.says(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
}

// The end of the connection.

#[test]
fn the_connection_may_end_at_every_point() {
    let dialogue =
        ["WELCOME White", "YOUR_TURN", "VALID_MOVE", "OPPONENT_MOVE A3", "YOUR_TURN", "VALID_MOVE"];
    let moves = [(1, "MOVE B1"), (4, "MOVE C2")];
    let next_move = |number, side| {
        format!("the connection to the server ended in move {number} of {side}, before any result:")
    };
    for cut in 0..=dialogue.len() {
        for half_a_line in [false, true] {
            let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 C2", |mut server| {
                for (index, line) in dialogue[..cut].iter().enumerate() {
                    server.says([line]);
                    if let Some((_, answer)) = moves.iter().find(|(at, _)| *at == index) {
                        server.hears([answer]);
                    }
                }
                if half_a_line {
                    server.sends("MESS");
                }
            });
            let expected = match cut {
                0 => "the connection to the server ended before WELCOME:".to_owned(),
                1 => "the connection to the server ended before the first move:".to_owned(),
                2 | 3 => next_move(1, Side::Black),
                4 => next_move(2, Side::White),
                _ => "White (no legal move)".to_owned(),
            };
            let said = played.said();
            assert!(said.starts_with(&expected), "cut at {cut}: {said}");
        }
    }
}

#[test]
fn a_server_that_disagrees_is_believed() {
    let played = meet(AnyGame::from(Hadron::start(1, 1)), "A1", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VALID_MOVE", "DEFEAT"]);
    });
    assert_eq!(played.said(), "Black (the server gave no reason)");
    assert_eq!(played.report().ending.unwrap().to_string(), "White (no legal move)");
}

// The player.

/// Notes when it may think.
struct Observant(Vec<String>);

/// How long the observant player thinks.
const THINKING: Duration = Duration::from_millis(50);

impl Player for Observant {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        assert!(received.elapsed() < Duration::from_secs(20));
        self.0.push(format!("choose in {}", state.position));
        thread::sleep(THINKING);
        state.position.random_move(&mut fastrand::Rng::with_seed(1)).unwrap().into()
    }

    fn event(&mut self, event: &ClientEvent) {
        match event {
            ClientEvent::Welcome { side, state } => {
                self.0.push(format!("we are {side} in {}", state.position));
            }
            ClientEvent::Moved { thinking: Some(_), state, .. } => {
                self.0.push(format!("opponent to move in {}", state.position));
            }
            _ => {}
        }
    }
}

#[test]
fn the_player_learns_when_it_may_ponder() {
    let mut player = Observant(Vec::new());
    let played = meet_player(AnyGame::from(Hadron::start(1, 3)), &mut player, |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE A1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE A2", "DEFEAT"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(
        player.0,
        ["we are Black in ... w 0", "choose in w.. b 1", "opponent to move in w.b w 2"]
    );
    assert!(played.report().slowest >= THINKING);
}
