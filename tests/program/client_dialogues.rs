//! The client against scripted servers over real sockets: the document's and the one observed.

use std::thread;
use std::time::Duration;

use alesia::game::{Game, Outcome, Side};
use alesia::games::{AnyGame, Hadron, Loa, Murus, Voidrider};

use crate::dialogue::client::meet;
use crate::dialogue::{Peer, games, moves_of};

/// A server's part of a whole game in the document's words, up to the last move.
fn document_game(server: &mut Peer, side: Side, game: &str) {
    server.says([&format!("WELCOME {side}")]);
    for (ply, m) in game.split_whitespace().enumerate() {
        if ply % 2 == side as usize {
            server.says(["YOUR_TURN"]);
            server.hears([&format!("MOVE {m}")]);
            server.says(["VALID_MOVE"]);
        } else {
            server.says([&format!("OPPONENT_MOVE {m}")]);
        }
    }
}

// The document's server.

#[test]
fn the_documents_own_example() {
    let played = meet(AnyGame::from(Murus::start()), "G4,NE G5,N", |mut server| {
        server.says(["WELCOME white"]);
        server.says(["YOUR_TURN"]);
        server.hears(["MOVE G4,NE"]);
        server.says(["VALID_MOVE"]);
        server.says(["OPPONENT_MOVE A1,S"]);
        server.says(["YOUR_TURN"]);
        server.hears(["MOVE G5,N"]);
        server.says(["VALID_MOVE"]);
        server.says(["TIE"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "tie (the server gave no reason)");
    assert_eq!(
        played.seen,
        [
            "we are White",
            "we as White: G4,NE",
            "they as Black: A1,S",
            "we as White: G5,N",
            "ended: tie (the server gave no reason)",
        ]
    );
    let report = played.report();
    assert_eq!((report.side, report.plies, report.announced), (Side::White, 3, true));
    assert_eq!(report.ending, None);
}

/// A game to its end from both sides, the result announced or not.
fn whole_game(start: AnyGame, game: &str, winner: Side, result: &str) {
    for side in [Side::White, Side::Black] {
        for announced in [true, false] {
            let played = meet(start, &moves_of(side as usize, game), |mut server| {
                document_game(&mut server, side, game);
                if announced {
                    server.says([if side == winner { "VICTORY" } else { "DEFEAT" }]);
                    server.hears_the_end();
                }
            });
            assert_eq!(played.said(), result);
            let report = played.report();
            assert_eq!((report.side, report.announced), (side, announced));
            assert_eq!(report.plies, game.split_whitespace().count());
            assert_eq!(report.outcome, Outcome::Win(winner));
            assert_eq!(report.ending.unwrap().to_string(), result);
        }
    }
}

#[test]
fn murus_to_its_end() {
    whole_game(
        AnyGame::from(Murus::start()),
        games::MURUS_WHITE,
        Side::White,
        "White (home row reached)",
    );
    whole_game(
        AnyGame::from(Murus::start()),
        games::MURUS_BLACK,
        Side::Black,
        "Black (home row reached)",
    );
    whole_game(
        AnyGame::from(Murus::start()),
        games::MURUS_NO_MOVE,
        Side::Black,
        "Black (no legal move)",
    );
}

#[test]
fn hadron_to_its_end() {
    let start = AnyGame::from(Hadron::start(3, 3));
    whole_game(start, games::HADRON_3X3_WHITE, Side::White, "White (no legal move)");
    let start = AnyGame::from(Hadron::start(2, 2));
    whole_game(start, games::HADRON_2X2_BLACK, Side::Black, "Black (no legal move)");
}

#[test]
fn lines_of_action_to_its_end() {
    let start = AnyGame::from(Loa::start(Default::default()));
    whole_game(start, games::LOA_WHITE, Side::White, "White (all stones connected)");
}

#[test]
fn voidrider_chess_to_its_end() {
    whole_game(
        AnyGame::from(Voidrider::start()),
        games::VOIDRIDER_BLACK,
        Side::Black,
        "Black (checkmate)",
    );
}

#[test]
fn a_tie_by_our_rules() {
    let last_ply = "BBBBBBBB/......../......../......../......../......../WWWWWWWW b 119";
    let start = AnyGame::from(Murus::start()).parse_board(last_ply).unwrap();
    let played = meet(start, "A1,S", |mut server| {
        server.says(["WELCOME Black", "YOUR_TURN"]);
        server.hears(["MOVE A1,S"]);
        server.says(["VALID_MOVE", "TIE"]);
    });
    assert_eq!(played.said(), "tie (move limit)");
}

#[test]
fn the_server_may_continue_after_the_end_by_our_rules() {
    let last_ply = "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 119";
    let start = AnyGame::from(Murus::start()).parse_board(last_ply).unwrap();
    let played = meet(start, "G1,N", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE G1,N"]);
        // One move of each too many: still answered, though not by the player.
        server.says(["VALID_MOVE", "OPPONENT_MOVE A1,S", "YOUR_TURN"]);
        server.hears(["MOVE G2,N"]);
        server.says(["VALID_MOVE", "TIE"]);
    });
    assert_eq!(played.said(), "tie (move limit)");
    assert_eq!(played.report().plies, 3);
}

#[test]
fn an_illegal_move_is_a_defeat_announced_or_not() {
    for announced in [true, false] {
        let played = meet(AnyGame::from(Murus::start()), "G4,NE", |mut server| {
            server.says(["WELCOME White", "YOUR_TURN"]);
            server.hears(["MOVE G4,NE"]);
            server.says(["ILLEGAL_MOVE"]);
            if announced {
                server.says(["DEFEAT"]);
            }
        });
        let reason = "the server refused our first move G4,NE: is it playing another game? This \
                      player plays Murus Gallicus (--game)";
        assert_eq!(played.said(), format!("Black ({reason})"));
        assert_eq!(played.report().announced, announced);
    }
}

#[test]
fn a_later_illegal_move_is_a_defeat_by_that_move() {
    let played = meet(AnyGame::from(Murus::start()), "G4,NE G2,N", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE G4,NE"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE A1,S", "YOUR_TURN"]);
        server.hears(["MOVE G2,N"]);
        server.says(["ILLEGAL_MOVE", "DEFEAT"]);
    });
    assert_eq!(played.said(), "Black (our move G2,N was refused as illegal)");
}

#[test]
fn only_losses_by_our_own_move_are_our_fault() {
    let ends: [(&[&str], bool); 6] = [
        (&["ILLEGAL_MOVE", "DEFEAT"], true),
        (&["MESSAGE You have sent an invalid move", "DEFEAT"], true),
        (&["TIMEOUT", "DEFEAT"], true),
        (&["VALID_MOVE", "DEFEAT"], false),
        (&["VALID_MOVE", "MESSAGE Black disconnected", "VICTORY"], false),
        (&["TIMEOUT", "VICTORY"], false),
    ];
    for (lines, ours) in ends {
        let played = meet(AnyGame::from(Murus::start()), "G4,NE", |mut server| {
            server.says(["WELCOME White", "YOUR_TURN"]);
            server.hears(["MOVE G4,NE"]);
            lines.iter().for_each(|line| server.says([line]));
        });
        assert_eq!(played.report().our_fault, ours, "{lines:?}: {}", played.said());
    }
}

/// A move that ends the game by our rules, and the server's reaction.
#[test]
fn a_refused_move_that_ends_the_game_is_our_fault() {
    let drawn = "BBBBBBBB/......../......../......../......../......../WWWWWWWW b 119";
    for (lines, ours) in [
        (&["MESSAGE You have sent an invalid move", "DEFEAT"][..], true),
        (&["VALID_MOVE", "DEFEAT"], false),
    ] {
        // A win by our rules.
        let played = meet(AnyGame::from(Hadron::start(1, 2)), "A1", |mut server| {
            server.says(["WELCOME White", "YOUR_TURN"]);
            server.hears(["MOVE A1"]);
            lines.iter().for_each(|line| server.says([line]));
        });
        assert_eq!(played.report().our_fault, ours, "{lines:?}: {}", played.said());
        // A draw by our rules.
        let start = AnyGame::from(Murus::start()).parse_board(drawn).unwrap();
        let played = meet(start, "A1,S", |mut server| {
            server.says(["WELCOME Black", "YOUR_TURN"]);
            server.hears(["MOVE A1,S"]);
            lines.iter().for_each(|line| server.says([line]));
        });
        assert_eq!(played.report().our_fault, ours, "{lines:?}: {}", played.said());
    }
}

/// A move that really loses is no fault, also where the server does not accept it first.
#[test]
fn a_move_that_loses_by_the_rules_is_no_fault() {
    let board = "b......w/......../......../......../...w.b../......../......../........ w 10";
    let start = AnyGame::from(Loa::start(Default::default())).parse_board(board).unwrap();
    let played = meet(start, "D4-F4", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE D4-F4"]);
        server.says(["DEFEAT"]);
    });
    assert_eq!(played.said(), "Black (all stones connected)");
    assert!(!played.report().our_fault);
}

#[test]
fn an_opponents_move_of_another_game_asks_which_game_the_server_plays() {
    let question = "; is it playing another game? This player plays Murus Gallicus (--game)";
    for (text, foreign) in [("B1", true), ("b8-c8", true), ("A1,N", false), (" a1 , n", false)] {
        let played = meet(AnyGame::from(Murus::start()), "", |mut server| {
            server.says(["WELCOME Black"]);
            server.says([&format!("OPPONENT_MOVE {text}")]);
            server.says(["DEFEAT"]);
        });
        let said = played.said();
        assert!(said.starts_with("the server relayed an illegal move 1 of White: "), "{said}");
        assert_eq!(said.ends_with(question), foreign, "{said}");
    }
    // The server knows our game once a move was readable.
    let played = meet(AnyGame::from(Murus::start()), "A1,S", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE G4,NE", "YOUR_TURN"]);
        server.hears(["MOVE A1,S"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE B1", "DEFEAT"]);
    });
    assert!(!played.said().contains("another game"), "{}", played.said());
}

#[test]
fn a_timeout_is_a_defeat_announced_or_not() {
    for announced in [true, false] {
        let played = meet(AnyGame::from(Murus::start()), "G4,NE", |mut server| {
            server.says(["WELCOME White", "YOUR_TURN", "TIMEOUT"]);
            server.hears(["MOVE G4,NE"]);
            if announced {
                server.says(["DEFEAT"]);
                server.hears_the_end();
            }
        });
        assert_eq!(played.said(), "Black (our move came too late)");
        assert_eq!(played.report().announced, announced);
    }
}

#[test]
fn a_server_that_continues_after_a_timeout_is_answered() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN", "TIMEOUT"]);
        server.hears(["MOVE B1"]);
        server.says(["OPPONENT_MOVE A3", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn a_timeout_before_a_victory_was_not_ours() {
    let played = meet(AnyGame::from(Murus::start()), "G4,NE", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE G4,NE"]);
        server.says(["VALID_MOVE", "TIMEOUT", "VICTORY"]);
    });
    assert_eq!(played.said(), "White (the server gave no reason)");
}

// The observed server.

#[test]
fn the_observed_server_as_white() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "B1 C2", |mut server| {
        server.says(["WELCOME White", "MESSAGE Group 0, please wait for the opponent"]);
        server.says(["MESSAGE All players connected", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE"]);
        // The opponent's move comes just before our turn.
        thread::sleep(Duration::from_millis(100));
        server.says(["OPPONENT_MOVE A3", "YOUR_TURN"]);
        server.hears(["MOVE C2"]);
        server.says(["VALID_MOVE", "VICTORY"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(
        played.seen,
        [
            "we are White",
            "message Group 0, please wait for the opponent",
            "message All players connected",
            "we as White: B1",
            "they as Black: A3",
            "we as White: C2",
            "ended: White (no legal move)",
        ]
    );
}

#[test]
fn the_observed_server_as_black() {
    let played = meet(AnyGame::from(Hadron::start(3, 3)), "A3", |mut server| {
        server.says(["WELCOME Black", "MESSAGE Group 0, please wait for the opponent"]);
        server.says(["MESSAGE All players connected"]);
        server.says(["OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE"]);
        server.says(["OPPONENT_MOVE C2", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
}

/// How the observed server ends a game after our first move, and what we say of it.
fn observed_end<const N: usize>(lines: [&'static str; N], said: &str) {
    let played = meet(AnyGame::from(Hadron::start(9, 9)), "B1", |mut server| {
        server.says(["WELCOME White", "MESSAGE Group 0, please wait for the opponent"]);
        server.says(["MESSAGE All players connected", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(lines);
    });
    assert_eq!(played.said(), said);
}

#[test]
fn the_observed_server_reports_faults_by_message() {
    observed_end(
        ["MESSAGE You have sent an invalid move", "DEFEAT"],
        "Black (the server refused our first move B1 (You have sent an invalid move): is it \
         playing another game? This player plays Hadron (--game))",
    );
    observed_end(
        ["VALID_MOVE", "MESSAGE Your opponent has sent an invalid move", "VICTORY"],
        "White (Your opponent has sent an invalid move)",
    );
    observed_end(["TIMEOUT", "DEFEAT"], "Black (our move came too late)");
    observed_end(["VALID_MOVE", "MESSAGE Opponent timeout", "VICTORY"], "White (Opponent timeout)");
}

#[test]
fn the_observed_server_closes_without_a_word() {
    observed_end(
        ["VALID_MOVE"],
        "the connection to the server ended in move 1 of Black, before any result: \
         the connection was closed",
    );
}

#[test]
fn a_message_from_before_the_last_move_is_no_reason() {
    observed_end(["VALID_MOVE", "VICTORY"], "White (the server gave no reason)");
}
