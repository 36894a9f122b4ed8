//! The client against scripted servers over real sockets: the document's and the one observed.

mod dialogue;

use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, GameState, Move, Outcome, Side};
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{self, ClientError, ClientEvent, ClientReport, Player};
use alesia::net::tournament::readable;

use dialogue::{Peer, Script, games, listener, moves_of};

/// What came of a game, and what was to be seen of it.
struct Played {
    result: Result<ClientReport, ClientError>,
    seen: Vec<String>,
}

impl Played {
    /// The result line or the error.
    fn said(&self) -> String {
        match &self.result {
            Ok(report) => report.to_string(),
            Err(error) => error.to_string(),
        }
    }

    fn report(&self) -> &ClientReport {
        self.result.as_ref().unwrap()
    }
}

/// Lets a player meet a scripted server.
fn meet_player<G: Game>(
    start: G,
    player: &mut impl Player<G>,
    server: impl FnOnce(Peer) + Send,
) -> Played {
    let (listener, address) = listener();
    let mut seen = Vec::new();
    let result = thread::scope(|scope| {
        scope.spawn(move || server(Peer::new(listener.accept().unwrap().0)));
        let stream = TcpStream::connect(address).unwrap();
        client::play_game(stream, start, player, &mut |event| {
            seen.push(match event {
                ClientEvent::Welcome(side) => format!("we are {side}"),
                ClientEvent::Message(text) => format!("message {}", readable(text)),
                ClientEvent::Moved { side, text, thinking, .. } => {
                    let whose = if thinking.is_some() { "we" } else { "they" };
                    format!("{whose} as {side}: {text}")
                }
                ClientEvent::Ended(report) => format!("ended: {report}"),
            });
        })
    });
    Played { result, seen }
}

/// Lets a player with prepared moves meet a scripted server.
fn meet<G: Game>(start: G, moves: &str, server: impl FnOnce(Peer) + Send) -> Played {
    meet_player(start, &mut Script::new(moves), server)
}

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
    let played = meet(Murus::start(), "G4,NE G5,N", |mut server| {
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
fn whole_game<G: Game>(start: G, game: &str, winner: Side, result: &str) {
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
    whole_game(Murus::start(), games::MURUS_WHITE, Side::White, "White (home row reached)");
    whole_game(Murus::start(), games::MURUS_BLACK, Side::Black, "Black (home row reached)");
    whole_game(Murus::start(), games::MURUS_NO_MOVE, Side::Black, "Black (no legal move)");
}

#[test]
fn hadron_to_its_end() {
    let start = Hadron::start(3, 3);
    whole_game(start, games::HADRON_3X3_WHITE, Side::White, "White (no legal move)");
    let start = Hadron::start(2, 2);
    whole_game(start, games::HADRON_2X2_BLACK, Side::Black, "Black (no legal move)");
}

#[test]
fn lines_of_action_to_its_end() {
    let start = Loa::start(Default::default());
    whole_game(start, games::LOA_WHITE, Side::White, "White (all stones connected)");
}

#[test]
fn voidrider_chess_to_its_end() {
    whole_game(Voidrider::start(), games::VOIDRIDER_BLACK, Side::Black, "Black (checkmate)");
}

#[test]
fn a_tie_by_our_rules() {
    let last_ply = "BBBBBBBB/......../......../......../......../......../WWWWWWWW b 119";
    let start = Murus::start().parse_board(last_ply).unwrap();
    let played = meet(start, "A1,S", |mut server| {
        server.says(["WELCOME Black", "YOUR_TURN"]);
        server.hears(["MOVE A1,S"]);
        server.says(["VALID_MOVE", "TIE"]);
    });
    assert_eq!(played.said(), "tie (move limit)");
}

#[test]
fn the_server_may_go_on_after_the_end_by_our_rules() {
    let last_ply = "BBBBBBBB/......../......../......../......../......../WWWWWWWW w 119";
    let start = Murus::start().parse_board(last_ply).unwrap();
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
        let played = meet(Murus::start(), "G4,NE", |mut server| {
            server.says(["WELCOME White", "YOUR_TURN"]);
            server.hears(["MOVE G4,NE"]);
            server.says(["ILLEGAL_MOVE"]);
            if announced {
                server.says(["DEFEAT"]);
            }
        });
        assert_eq!(played.said(), "Black (our move `G4,NE` was refused as illegal)");
        assert_eq!(played.report().announced, announced);
    }
}

#[test]
fn a_timeout_is_a_defeat_announced_or_not() {
    for announced in [true, false] {
        let played = meet(Murus::start(), "G4,NE", |mut server| {
            server.says(["WELCOME White", "YOUR_TURN", "TIMEOUT"]);
            server.hears(["MOVE G4,NE"]);
            // Nothing more is sent, even when asked.
            server.says(["OPPONENT_MOVE A1,S", "YOUR_TURN"]);
            if announced {
                server.says(["DEFEAT"]);
                server.hears_the_end();
            }
        });
        assert_eq!(played.said(), "Black (our move came too late)");
        assert_eq!(played.report().announced, announced);
    }
}

// The observed server.

#[test]
fn the_observed_server_as_white() {
    let played = meet(Hadron::start(3, 3), "B1 C2", |mut server| {
        server.says(["WELCOME White", "MESSAGE Group 0, please wait for the opponent"]);
        server.says(["MESSAGE All players connected", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(["VALID_MOVE"]);
        // The opponent's move is held back until just before our turn.
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
    let played = meet(Hadron::start(3, 3), "A3", |mut server| {
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
    let played = meet(Hadron::start(9, 9), "B1", |mut server| {
        server.says(["WELCOME White", "MESSAGE Group 0, please wait for the opponent"]);
        server.says(["MESSAGE All players connected", "YOUR_TURN"]);
        server.hears(["MOVE B1"]);
        server.says(lines);
    });
    assert_eq!(played.said(), said);
}

#[test]
fn the_observed_server_tells_faults_by_message() {
    observed_end(
        ["MESSAGE You have sent an invalid move", "DEFEAT"],
        "Black (You have sent an invalid move)",
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
        "the server closed the connection in move 1 of Black, before any result: \
         the connection was closed",
    );
}

#[test]
fn a_message_from_before_the_last_move_is_no_reason() {
    observed_end(["VALID_MOVE", "VICTORY"], "White (the server gave no reason)");
}

// Tolerance.

/// A game as black whose server talks in its own way.
fn in_other_words(talk: impl Fn(&mut Peer, &str) + Sync) {
    let played = meet(Hadron::start(3, 3), "A3", |mut server| {
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
    let played = meet(Hadron::start(1, 1), "", |mut server| {
        server.sends(b"WELCOME Black\nMESSAGE perch\xe9\nMESSAGE \xc3\xa8\nDEFEAT\n");
    });
    assert_eq!(played.seen[1..3], ["message perché", "message è"]);
}

#[test]
fn the_opponents_moves_in_lower_case_with_blanks() {
    let played = meet(Murus::start(), "A1,S", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE  g4, ne ", "YOUR_TURN"]);
        server.hears(["MOVE A1,S"]);
        server.says(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(played.seen[1], "they as White: G4,NE");
}

// Never twice, never out of turn.

#[test]
fn a_repeated_your_turn_is_answered_once() {
    let played = meet(Hadron::start(3, 3), "B1 C2", |mut server| {
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
    let played = meet(Hadron::start(3, 3), "A3", |mut server| {
        server.says(["WELCOME Black", "YOUR_TURN", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
        server.hears_the_end();
    });
    assert_eq!(played.said(), "White (no legal move)");
}

#[test]
fn a_repeated_opponent_move_is_played_once() {
    let played = meet(Hadron::start(3, 3), "A3", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE B1", "OPPONENT_MOVE B1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.report().plies, 3);
}

#[test]
fn your_turn_without_a_welcome_means_white() {
    let played = meet(Hadron::start(1, 1), "A1", |mut server| {
        server.says(["YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(played.report().side, Side::White);
}

#[test]
fn an_opponents_move_without_a_welcome_means_black() {
    let played = meet(Hadron::start(1, 1), "", |mut server| {
        server.says(["OPPONENT_MOVE A1", "DEFEAT"]);
    });
    assert_eq!(played.report().side, Side::Black);
}

#[test]
fn a_second_welcome_changes_nothing() {
    let played = meet(Hadron::start(1, 1), "A1", |mut server| {
        server.says(["WELCOME White", "WELCOME Black", "WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VICTORY"]);
    });
    assert_eq!(played.seen, ["we are White", "we as White: A1", "ended: White (no legal move)"]);
}

// Illegal moves.

#[test]
fn an_illegal_move_relayed_ends_our_part() {
    let played = meet(Murus::start(), "", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE G4,S", "YOUR_TURN", "TIMEOUT", "DEFEAT"]);
        server.hears_the_end();
    });
    let said = played.said();
    let begin = "the server relayed an illegal move 1 of White: move: found `G4,S`, expected a ";
    assert!(said.starts_with(begin), "{said}");
    assert!(said.ends_with("; its result is White"), "{said}");
}

#[test]
fn an_illegal_move_relayed_without_a_result() {
    let played = meet(Murus::start(), "", |mut server| {
        server.sends(b"WELCOME Black\nOPPONENT_MOVE \xff\nYOUR_TURN\n");
    });
    assert_eq!(
        played.said(),
        "the server relayed an illegal move 1 of White: move: found `ÿ`, expected a move in \
         the game's notation; then it closed without a result"
    );
}

#[test]
fn an_opponent_that_loses_by_an_illegal_move_is_no_error() {
    let played = meet(Murus::start(), "", |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE G4", "MESSAGE illegal", "VICTORY"]);
    });
    assert_eq!(played.said(), "Black (illegal)");
}

#[test]
fn an_illegal_move_of_the_player_is_replaced_by_a_legal_one() {
    let played = meet(Hadron::start(3, 3), "B1 B1", |mut server| {
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
        format!("the server closed the connection in move {number} of {side}, before any result:")
    };
    for cut in 0..=dialogue.len() {
        for half_a_line in [false, true] {
            let played = meet(Hadron::start(3, 3), "B1 C2", |mut server| {
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
                0 | 1 => next_move(1, Side::White),
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
    let played = meet(Hadron::start(1, 1), "A1", |mut server| {
        server.says(["WELCOME White", "YOUR_TURN"]);
        server.hears(["MOVE A1"]);
        server.says(["VALID_MOVE", "DEFEAT"]);
    });
    assert_eq!(played.said(), "Black (the server gave no reason)");
    assert_eq!(played.report().ending.unwrap().to_string(), "White (no legal move)");
}

// The player.

/// Notes when it is called.
struct Observant(Vec<String>);

/// How long the observant player thinks.
const THINKING: Duration = Duration::from_millis(50);

impl Player<Hadron> for Observant {
    fn choose(&mut self, state: &GameState<Hadron>, received: Instant) -> Move {
        assert!(received.elapsed() < Duration::from_secs(20));
        self.0.push(format!("choose in {}", state.position));
        thread::sleep(THINKING);
        state.position.random_move(&mut fastrand::Rng::with_seed(1)).unwrap()
    }

    fn opponent_to_move(&mut self, state: &GameState<Hadron>) {
        self.0.push(format!("opponent to move in {}", state.position));
    }
}

#[test]
fn the_player_learns_when_it_may_ponder() {
    let mut player = Observant(Vec::new());
    let played = meet_player(Hadron::start(1, 3), &mut player, |mut server| {
        server.says(["WELCOME Black", "OPPONENT_MOVE A1", "YOUR_TURN"]);
        server.hears(["MOVE A3"]);
        server.says(["VALID_MOVE", "OPPONENT_MOVE A2", "DEFEAT"]);
    });
    assert_eq!(played.said(), "White (no legal move)");
    assert_eq!(
        player.0,
        ["opponent to move in ... w 0", "choose in w.. b 1", "opponent to move in w.b w 2",]
    );
    assert!(played.report().slowest >= THINKING);
}
