//! Client and referee over a hostile network: whole games of two clients and a referee, each client
//! behind a proxy with its own faults. Tolerable faults change nothing; others cost the game of
//! that player alone, and all programs end with a clear message.

use std::net::SocketAddr;
use std::time::Duration;

use alesia::game::{Game, Outcome, Side};
use alesia::games::{AnyGame, Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{self, ClientError, ClientReport};
use alesia::net::referee::{self, Cause, GameResult, RefereeOptions};

use crate::dialogue::{Background, Peer, Random, listener};
use crate::proxy::{Fault, Proxy};
use Fault::*;

/// No warm-up, and time enough for any machine.
const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(20),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

/// What a client says of its game.
type Played = Result<ClientReport, ClientError>;

/// Plays at random in the background.
fn client(address: SocketAddr, start: AnyGame, silence: Duration) -> Background<Played> {
    Background::new(move || {
        let patience = Duration::from_secs(20);
        let stream = client::connect("127.0.0.1", address.port(), patience).unwrap();
        let mut player = Random(fastrand::Rng::with_seed(7));
        client::play_game_within(stream, start, &mut player, &mut |_| {}, silence)
    })
}

/// A game of White behind a proxy, or of both players.
fn game(
    start: AnyGame,
    terms: RefereeOptions,
    both: bool,
    to_client: &'static [Fault],
    to_server: &'static [Fault],
) -> (GameResult, [Played; 2]) {
    game_with(start, terms, both, to_client, to_server, client::MAX_SILENCE)
}

fn game_with(
    start: AnyGame,
    terms: RefereeOptions,
    both: bool,
    to_client: &'static [Fault],
    to_server: &'static [Fault],
    silence_of_white: Duration,
) -> (GameResult, [Played; 2]) {
    let (listener, address) = listener();
    let (seated, seats) = std::sync::mpsc::channel();
    let referee = Background::new(move || {
        let seated = std::sync::Mutex::new(seated);
        referee::serve(listener, start, 1, &terms, &|_, event| {
            if let referee::GameEvent::Seated { .. } = event {
                let _ = seated.lock().unwrap().send(());
            }
        })
        .unwrap()
        .remove(0)
    });
    let proxy = Proxy::new(address, to_client, to_server);
    let white = client(proxy.address, start, silence_of_white);
    seats.recv().unwrap();
    let black = if both { proxy.address } else { address };
    let black = client(black, start, client::MAX_SILENCE);
    let result = referee.wait();
    (result, [white.wait(), black.wait()])
}

/// With any faults in the bytes of both players, the same game is played to the same end.
#[track_caller]
fn harmless(start: AnyGame, to_client: &'static [Fault], to_server: &'static [Fault]) {
    let (undisturbed, _) = game(start, TERMS, true, &[], &[]);
    let (result, players) = game(start, TERMS, true, to_client, to_server);
    assert!(matches!(result.cause, Cause::Rule(_)), "{result}");
    assert_eq!((result.to_string(), result.plies), (undisturbed.to_string(), undisturbed.plies));
    for (side, played) in [Side::White, Side::Black].into_iter().zip(players) {
        let report = played.unwrap();
        assert_eq!((report.side, report.announced), (side, true));
        assert_eq!((report.to_string(), report.plies), (result.to_string(), result.plies));
    }
}

macro_rules! harmless {
    ($($name:ident: $start:expr, $to_client:expr, $to_server:expr;)*) => {
        mod harmless {
            use super::*;
            $(
                #[test]
                fn $name() {
                    harmless($start, $to_client, $to_server);
                }
            )*
        }
    };
}

const LATE: Fault = Latency(Duration::from_millis(3));
const SLOW_END: Fault = SlowClose(Duration::from_millis(300));

harmless! {
    a_byte_at_a_time: AnyGame::from(Murus::start()), &[Slices(1)], &[Slices(1)];
    three_bytes_at_a_time: AnyGame::from(Hadron::start(9, 9)), &[Slices(3)], &[Slices(3)];
    seven_bytes_at_a_time: AnyGame::from(Voidrider::start()).parse_board(
        "#v###v#/....k../#.....#/#.....#/#.....#/#.....#/#.....#/R...K.R/#V###V# w 150 - 0").unwrap(),
        &[Slices(7)], &[Slices(7)];
    latency: AnyGame::from(Hadron::start(5, 5)), &[LATE], &[LATE];
    latency_before_every_byte: AnyGame::from(Hadron::start(3, 3)), &[LATE, Slices(1)], &[LATE, Slices(1)];
    turns_twice: AnyGame::from(Murus::start()), &[Twice("YOUR_TURN")], &[];
    moves_of_the_opponent_twice: AnyGame::from(Loa::start(Default::default())), &[Twice("OPPONENT_MOVE")], &[];
    acknowledgements_twice: AnyGame::from(Murus::start()), &[Twice("VALID_MOVE")], &[];
    everything_twice: AnyGame::from(Murus::start()), &[Twice("")], &[];
    everything_twice_a_byte_at_a_time: AnyGame::from(Hadron::start(5, 5)), &[Twice(""), Slices(1)], &[];
    nul_bytes: AnyGame::from(Hadron::start(5, 5)), &[Noise(b"\0", 1)], &[];
    bytes_of_no_encoding: AnyGame::from(Hadron::start(5, 5)), &[Noise(b"\xe9\xff\x80 \x1b[2J", 100)], &[];
    messages_of_nobody: AnyGame::from(Murus::start()), &[Noise(b"HELLO YOUR TURN", 1)], &[];
    empty_lines: AnyGame::from(Murus::start()), &[Noise(b"", 0)], &[];
    lines_of_a_mebibyte: AnyGame::from(Hadron::start(3, 3)), &[Noise(b"x", 1 << 20)], &[];
    a_slow_close: AnyGame::from(Hadron::start(3, 3)), &[SLOW_END], &[SLOW_END];
}

/// What happens to White's bytes costs it the game, for this reason; Black hears of it.
#[track_caller]
fn fatal(
    start: AnyGame,
    terms: RefereeOptions,
    to_client: &'static [Fault],
    to_server: &'static [Fault],
    reason: &str,
) -> Played {
    let (result, [white, black]) = game(start, terms, false, to_client, to_server);
    assert_eq!(result.to_string(), format!("Black ({reason})"));
    let black = black.unwrap();
    assert_eq!((black.side, black.outcome), (Side::Black, Outcome::Win(Side::Black)));
    assert_eq!(black.to_string(), result.to_string());
    white
}

macro_rules! fatal_for_white {
    ($($name:ident: $start:expr, $to_client:expr, $to_server:expr => $reason:literal, $white:literal;)*) => {
        mod fatal {
            use super::*;
            $(
                #[test]
                fn $name() {
                    let white = fatal($start, TERMS, $to_client, $to_server, $reason);
                    let said = match white {
                        Ok(report) => report.to_string(),
                        Err(error) => error.to_string(),
                    };
                    assert!(said.starts_with($white), "{said}");
                }
            )*
        }
    };
}

fatal_for_white! {
    reset_in_its_first_move: AnyGame::from(Murus::start()), &[], &[Reset(0)]
        => "White disconnected", "the connection to the server ended in move 1 of Black, before";
    reset_in_the_middle_of_a_line: AnyGame::from(Murus::start()), &[], &[Reset(8)]
        => "White disconnected", "the connection to the server ended in move 1 of Black, before";
    reset_after_some_moves: AnyGame::from(Murus::start()), &[Reset(300)], &[]
        => "White disconnected", "the connection to the server ended in move";
    closed_in_its_first_move: AnyGame::from(Murus::start()), &[], &[Close(0)]
        => "White disconnected", "the connection to the server ended in move 1 of Black, before";
    closed_in_the_middle_of_a_line: AnyGame::from(Hadron::start(9, 9)), &[], &[Close(12)]
        => "White disconnected", "the connection to the server ended in move 2 of Black, before";
    every_move_twice: AnyGame::from(Hadron::start(9, 9)), &[], &[Twice("MOVE")]
        => "White made an illegal move: `D9`", "Black (our move";
    a_nul_byte: AnyGame::from(Murus::start()), &[], &[Noise(b"\0", 1)]
        => "White sent a line without a move: `\\0`", "Black (the server refused our first move";
    bytes_of_no_encoding: AnyGame::from(Murus::start()), &[], &[Noise(b"\xe9", 1)]
        => "White sent a line without a move: `é`", "Black (the server refused our first move";
    a_line_of_a_mebibyte: AnyGame::from(Murus::start()), &[], &[Noise(b"x", 1 << 20)]
        => "White sent a line that is too long", "Black (the server refused our first move";
    endless_bytes: AnyGame::from(Murus::start()), &[], &[Noise(b"x", 4 << 20)]
        => "White sent a line that is too long", "Black (the server refused our first move";
}

// Silence.

/// Long enough for a move on any machine.
const SHORT_TERMS: RefereeOptions = RefereeOptions { move_time: Duration::from_secs(2), ..TERMS };

#[test]
fn a_half_open_connection_costs_the_game_and_the_client_notices() {
    // White is not heard in its second move, and hears no more itself.
    let (result, [white, black]) = game_with(
        AnyGame::from(Hadron::start(9, 9)),
        SHORT_TERMS,
        false,
        &[Silence(115)],
        &[Silence(8)],
        Duration::from_secs(4),
    );
    let reason = "White exceeded the move time (no move in 2000 ms)";
    assert_eq!(result.to_string(), format!("Black ({reason})"));
    assert_eq!(black.unwrap().to_string(), result.to_string());
    let said = white.unwrap_err().to_string();
    assert!(said.ends_with(", before any result: nothing came for too long"), "{said}");
}

#[test]
fn a_client_that_is_not_heard_hears_that_it_is_late() {
    let white = fatal(
        AnyGame::from(Hadron::start(9, 9)),
        SHORT_TERMS,
        &[],
        &[Silence(0)],
        "White exceeded the move time (no move in 2000 ms)",
    );
    assert_eq!(white.unwrap().to_string(), "Black (our move came too late)");
}

#[test]
fn before_the_game_a_server_may_be_silent_for_long() {
    let terms = RefereeOptions { warm_up: Duration::from_millis(500), ..TERMS };
    let silence = Duration::from_secs(1);
    let (listener, address) = listener();
    let referee = Background::new(move || {
        referee::serve(listener, AnyGame::from(Hadron::start(1, 1)), 1, &terms, &|_, _| {}).unwrap()
    });
    let white = client(address, AnyGame::from(Hadron::start(1, 1)), silence);
    std::thread::sleep(2 * silence);
    let black = client(address, AnyGame::from(Hadron::start(1, 1)), silence);
    assert_eq!(referee.wait()[0].to_string(), "White (no legal move)");
    for played in [white.wait(), black.wait()] {
        assert_eq!(played.unwrap().to_string(), "White (no legal move)");
    }
}

#[test]
fn a_server_that_is_silent_in_the_game_is_given_up() {
    let played = crate::dialogue::client::meet_within(
        AnyGame::from(Hadron::start(9, 9)),
        "B1",
        Duration::from_secs(1),
        |mut server| {
            server.says(["WELCOME White", "YOUR_TURN"]);
            server.hears(["MOVE B1"]);
            server.says(["VALID_MOVE"]);
            // The end that the client makes.
            server.hears_the_end();
        },
    );
    assert_eq!(
        played.said(),
        "the connection to the server ended in move 1 of Black, before any result: nothing came \
         for too long"
    );
}

#[test]
fn a_player_that_does_not_read_delays_no_other() {
    // White has sent two moves early, and reads nothing from the referee; Black gets all in time.
    let (result, players) = {
        let (listener, address) = listener();
        let referee = Background::new(move || {
            referee::serve(
                listener,
                AnyGame::from(Hadron::start(9, 9)),
                1,
                &SHORT_TERMS,
                &|_, _| {},
            )
            .unwrap()
        });
        let proxy = Proxy::new(address, &[Deafness], &[]);
        let mut white = Peer::connect(proxy.address);
        white.says(["MOVE A1", "MOVE C3"]);
        std::thread::sleep(Duration::from_millis(300));
        let black = client(address, AnyGame::from(Hadron::start(9, 9)), client::MAX_SILENCE);
        (referee.wait().remove(0), black.wait())
    };
    assert_eq!(result.to_string(), "Black (White exceeded the move time (no move in 2000 ms))");
    assert_eq!(result.plies, 4);
    assert_eq!(players.unwrap().to_string(), result.to_string());
}

// Moves that are legal elsewhere.

/// What each game calls a first move of White, and some that look like moves.
const MOVES: [&str; 8] = ["G4,NE", "A1", "B1-B3", "b3-a3", "A1,S", "c8-c9=V", "E5", "0-0"];

fn first_moves_of_other_games(start: AnyGame) {
    for text in MOVES.into_iter().filter(|text| start.parse_move(text).is_err()) {
        let (listener, address) = listener();
        let referee = Background::new(move || {
            referee::serve(listener, start, 1, &TERMS, &|_, _| {}).unwrap().remove(0)
        });
        let mut white = Peer::connect(address);
        white.hears(["WELCOME White", "MESSAGE waiting for the opponent"]);
        let black = client(address, start, client::MAX_SILENCE);
        white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
        white.says([&format!("MOVE {text}")]);
        white.hears(["ILLEGAL_MOVE", "DEFEAT"]);
        white.hears_the_end();
        let said = format!("Black (White made an illegal move: `{text}`)");
        assert_eq!(referee.wait().to_string(), said);
        assert_eq!(black.wait().unwrap().to_string(), said);
        // And from a server.
        let played = crate::dialogue::client::meet(start, "", |mut server| {
            server.says(["WELCOME Black", &format!("OPPONENT_MOVE {text}"), "DEFEAT"]);
        });
        let said = played.said();
        let begin = format!(
            "the server relayed an illegal move 1 of White: move: found `{text}`, expected "
        );
        assert!(said.starts_with(&begin), "{said}");
    }
}

#[test]
fn moves_that_are_legal_elsewhere() {
    first_moves_of_other_games(AnyGame::from(Murus::start()));
    first_moves_of_other_games(AnyGame::from(Hadron::start(9, 9)));
    first_moves_of_other_games(AnyGame::from(Loa::start(Default::default())));
    first_moves_of_other_games(AnyGame::from(Voidrider::start()));
}
