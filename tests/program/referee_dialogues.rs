//! The referee, heard by two scripted players over real sockets: every byte that both hear.

use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use alesia::game::{Game, Outcome, Rule, Side};
use alesia::games::{AnyGame, Hadron, Loa, Murus, Voidrider};
use alesia::net::referee::{self, Cause, GameEvent, GameResult, RefereeOptions};

use crate::dialogue::{Background, Peer, games, listener};

/// No warm-up, and time enough for any machine.
const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(20),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

/// Referees a game between two scripted players, connected and welcomed. Returns the result and the
/// events.
fn game(
    start: AnyGame,
    terms: RefereeOptions,
    script: impl FnOnce(Peer, Peer),
) -> (GameResult, Vec<GameEvent>) {
    let (listener, address) = listener();
    let connect = || {
        let player = TcpStream::connect(address).unwrap();
        (Peer::new(player), listener.accept().unwrap().0)
    };
    let ((mut white, white_stream), (mut black, black_stream)) = (connect(), connect());
    let referee = Background::new(move || {
        let mut events = Vec::new();
        let mut observer = |event| events.push(event);
        let result = referee::serve_game(white_stream, black_stream, start, &terms, &mut observer);
        (result.unwrap(), events)
    });
    for (peer, welcome) in [(&mut white, "WELCOME White"), (&mut black, "WELCOME Black")] {
        peer.hears([welcome, "MESSAGE waiting for the opponent", "MESSAGE all players connected"]);
    }
    script(white, black);
    referee.wait()
}

/// Plays all moves of a game but the last, and returns that.
fn play_to_the_last<'a>(players: &mut [Peer; 2], moves: &'a str) -> &'a str {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let (last, others) = moves.split_last().unwrap();
    players[0].hears(["YOUR_TURN"]);
    for (ply, m) in others.iter().enumerate() {
        let [mover, other] = in_turn(players, ply);
        mover.says([&format!("MOVE {m}")]);
        mover.hears(["VALID_MOVE"]);
        other.hears([&format!("OPPONENT_MOVE {m}"), "YOUR_TURN"]);
    }
    let [mover, _] = in_turn(players, others.len());
    mover.says([&format!("MOVE {last}")]);
    last
}

/// The player to move and the other one.
fn in_turn(players: &mut [Peer; 2], ply: usize) -> [&mut Peer; 2] {
    let [white, black] = players;
    if ply.is_multiple_of(2) { [white, black] } else { [black, white] }
}

/// A whole game that its last move wins.
fn won_game(start: AnyGame, moves: &str, expected: &str) {
    let (result, events) = game(start, TERMS, |white, black| {
        let mut players = [white, black];
        let last = play_to_the_last(&mut players, moves);
        let plies = moves.split_whitespace().count();
        let [mover, other] = in_turn(&mut players, plies - 1);
        mover.hears(["VALID_MOVE", "VICTORY"]);
        other.hears([&format!("OPPONENT_MOVE {last}"), "DEFEAT"]);
        players.into_iter().for_each(Peer::hears_the_end);
    });
    assert_eq!(result.to_string(), expected);
    assert!(matches!(result.cause, Cause::Rule(_)));
    let told: Vec<String> = events
        .iter()
        .filter_map(|event| match event {
            GameEvent::Moved { text, .. } => Some(text.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(told, moves.split_whitespace().collect::<Vec<_>>());
    assert_eq!(result.plies, told.len());
    let (outcome, reason) = (result.outcome, result.reason);
    assert_eq!(events.last(), Some(&GameEvent::Ended { outcome, reason }));
}

#[test]
fn murus_is_won_on_the_home_row() {
    won_game(AnyGame::from(Murus::start()), games::MURUS_WHITE, "White (home row reached)");
    won_game(AnyGame::from(Murus::start()), games::MURUS_BLACK, "Black (home row reached)");
}

#[test]
fn murus_is_lost_without_a_move() {
    won_game(AnyGame::from(Murus::start()), games::MURUS_NO_MOVE, "Black (no legal move)");
}

#[test]
fn hadron_is_lost_without_a_move() {
    won_game(AnyGame::from(Hadron::start(3, 3)), games::HADRON_3X3_WHITE, "White (no legal move)");
    won_game(AnyGame::from(Hadron::start(2, 2)), games::HADRON_2X2_BLACK, "Black (no legal move)");
}

#[test]
fn lines_of_action_is_won_by_connecting() {
    won_game(
        AnyGame::from(Loa::start(Default::default())),
        games::LOA_WHITE,
        "White (all stones connected)",
    );
}

#[test]
fn voidrider_chess_is_won_by_mate() {
    won_game(AnyGame::from(Voidrider::start()), games::VOIDRIDER_BLACK, "Black (checkmate)");
}

#[test]
fn a_tie_after_so_many_moves_of_each() {
    let terms = RefereeOptions { moves_per_player: Some(2), ..TERMS };
    let (result, _) = game(AnyGame::from(Murus::start()), terms, |white, black| {
        let mut players = [white, black];
        let last = play_to_the_last(&mut players, "G4,N A5,S G3,NE A1,S");
        let [mut white, mut black] = players;
        black.hears(["VALID_MOVE", "TIE"]);
        white.hears([&format!("OPPONENT_MOVE {last}"), "TIE"]);
        black.hears_the_end();
        white.hears_the_end();
    });
    assert_eq!(result.to_string(), "tie (move limit)");
    assert_eq!(result.cause, Cause::Rule(Rule::PLY_LIMIT));
}

#[test]
fn a_tie_by_the_games_own_limit_comes_first() {
    let terms = RefereeOptions { moves_per_player: Some(1000), ..TERMS };
    let last_but_one = "BBBBBBBB/......../......../......../......../......../WWWWWWWW b 119";
    let start = AnyGame::from(Murus::start()).parse_board(last_but_one).unwrap();
    let (result, _) = game(start, terms, |mut white, mut black| {
        black.hears(["YOUR_TURN"]);
        black.says(["MOVE A1,S"]);
        black.hears(["VALID_MOVE", "TIE"]);
        white.hears(["OPPONENT_MOVE A1,S", "TIE"]);
    });
    assert_eq!((result.outcome, result.plies), (Outcome::Draw, 1));
    assert_eq!(result.reason, "move limit");
}

#[test]
fn moves_are_relayed_in_the_games_own_notation() {
    game(AnyGame::from(Murus::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.sends("move   g4,ne  \r\n");
        white.hears(["VALID_MOVE"]);
        black.hears(["OPPONENT_MOVE G4,NE", "YOUR_TURN"]);
        black.slices(" Move a1,S\r\n");
        black.hears(["VALID_MOVE"]);
        white.hears(["OPPONENT_MOVE A1,S", "YOUR_TURN"]);
    });
    game(AnyGame::from(Voidrider::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE B3-A3"]);
        black.hears(["OPPONENT_MOVE b3-a3", "YOUR_TURN"]);
    });
    game(AnyGame::from(Loa::start(Default::default())), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE b1-b3"]);
        black.hears(["OPPONENT_MOVE B1-B3", "YOUR_TURN"]);
    });
}

/// White's first line loses, and for this reason.
fn refused(line: impl AsRef<[u8]>, fault: &str) {
    let (result, _) = game(AnyGame::from(Murus::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.sends(line);
        white.hears(["ILLEGAL_MOVE", "DEFEAT"]);
        white.hears_the_end();
        black.hears([&format!("MESSAGE White {fault}"), "VICTORY"]);
        black.hears_the_end();
    });
    assert_eq!(result.to_string(), format!("Black (White {fault})"));
    assert_eq!(result.cause, Cause::IllegalMove);
    assert_eq!(result.plies, 0);
}

#[test]
fn an_illegal_move_loses() {
    refused("MOVE G4,S\n", "made an illegal move: `G4,S`");
    refused("MOVE A4,S\n", "made an illegal move: `A4,S`");
    refused("MOVE Z9,NE\n", "made an illegal move: `Z9,NE`");
}

#[test]
fn a_line_that_is_no_move_loses() {
    refused("hello\n", "sent a line without a move: `hello`");
    refused("MOVE\n", "sent a line without a move: `MOVE`");
    refused("\n", "sent a line without a move: ``");
    refused(b"\xe8\x1b\n", "sent a line without a move: `è\\u{1b}`");
}

#[test]
fn too_long_a_line_loses_even_before_its_end() {
    refused(vec![b'x'; 5000], "sent a line that is too long");
    refused(format!("MOVE {}G4,NE\n", " ".repeat(2000)), "sent a line that is too long");
}

#[test]
fn black_can_lose_by_an_illegal_move_too() {
    let (result, _) = game(AnyGame::from(Murus::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE G4,NE"]);
        white.hears(["VALID_MOVE"]);
        black.hears(["OPPONENT_MOVE G4,NE", "YOUR_TURN"]);
        black.says(["MOVE G4,NE"]);
        black.hears(["ILLEGAL_MOVE", "DEFEAT"]);
        white.hears(["MESSAGE Black made an illegal move: `G4,NE`", "VICTORY"]);
    });
    assert_eq!(result.to_string(), "White (Black made an illegal move: `G4,NE`)");
}

#[test]
fn no_move_in_time_loses() {
    let terms = RefereeOptions { move_time: Duration::from_millis(100), ..TERMS };
    let (result, _) = game(AnyGame::from(Murus::start()), terms, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.sends("MOVE G4");
        white.hears(["TIMEOUT", "DEFEAT"]);
        white.sends(",NE\n");
        let reason = "MESSAGE White exceeded the move time (no move in 100 ms)";
        black.hears([reason, "VICTORY"]);
        black.hears_the_end();
    });
    assert_eq!(result.outcome, Outcome::Win(Side::Black));
    assert!(matches!(result.cause, Cause::Timeout(waited) if waited > terms.move_time));
}

/// White has disconnected.
fn black_is_left(black: &mut Peer) {
    black.hears(["MESSAGE White disconnected", "VICTORY"]);
}

#[test]
fn the_mover_disconnects() {
    let (result, _) = game(AnyGame::from(Murus::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.sends("MOVE G4,");
        white.leaves();
        black_is_left(&mut black);
        black.hears_the_end();
    });
    assert_eq!(result.to_string(), "Black (White disconnected)");
    assert_eq!(result.cause, Cause::Disconnected);
}

#[test]
fn the_waiting_player_disconnects() {
    let (result, _) = game(AnyGame::from(Murus::start()), TERMS, |mut white, black| {
        white.hears(["YOUR_TURN"]);
        black.leaves();
        white.hears(["MESSAGE Black disconnected", "VICTORY"]);
        white.hears_the_end();
    });
    assert_eq!(result.to_string(), "White (Black disconnected)");
}

#[test]
fn a_player_disconnects_in_the_warm_up() {
    let terms = RefereeOptions { warm_up: Duration::from_secs(3600), ..TERMS };
    let (result, _) = game(AnyGame::from(Murus::start()), terms, |white, mut black| {
        white.leaves();
        black_is_left(&mut black);
        black.hears_the_end();
    });
    assert_eq!(result.to_string(), "Black (White disconnected)");
}

#[test]
fn a_move_sent_right_before_disconnecting_counts() {
    let (result, _) = game(AnyGame::from(Hadron::start(1, 1)), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE A1"]);
        white.leaves();
        black.hears(["OPPONENT_MOVE A1", "DEFEAT"]);
        black.hears_the_end();
    });
    assert_eq!(result.to_string(), "White (no legal move)");
}

#[test]
fn a_second_line_in_a_turn_is_the_next_turns_move() {
    let (result, _) = game(AnyGame::from(Hadron::start(3, 3)), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE B1", "MOVE C2"]);
        white.hears(["VALID_MOVE"]);
        black.hears(["OPPONENT_MOVE B1", "YOUR_TURN"]);
        black.says(["MOVE A3"]);
        black.hears(["VALID_MOVE", "OPPONENT_MOVE C2", "DEFEAT"]);
        white.hears(["OPPONENT_MOVE A3", "YOUR_TURN", "VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(result.to_string(), "White (no legal move)");
}

#[test]
fn flooding_loses_and_all_still_hear_the_result() {
    let (result, _) = game(AnyGame::from(Murus::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        black.sends("MOVE A1,S\n".repeat(2000));
        let reason = "MESSAGE Black sent more than 8 lines out of turn";
        black.hears([reason, "DEFEAT"]);
        white.hears([reason, "VICTORY"]);
        white.hears_the_end();
        black.hears_the_end();
    });
    assert_eq!(result.to_string(), "White (Black sent more than 8 lines out of turn)");
    assert_eq!(result.cause, Cause::Flood);
}

#[test]
fn bytes_without_an_end_are_read_up_to_a_limit() {
    let (result, _) = game(AnyGame::from(Murus::start()), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        black.sends(vec![b'x'; 3 << 20]);
        let reason = "MESSAGE Black sent more than 2 MiB";
        black.hears([reason, "DEFEAT"]);
        white.hears([reason, "VICTORY"]);
        white.hears_the_end();
        black.hears_the_end();
    });
    assert_eq!(result.to_string(), "White (Black sent more than 2 MiB)");
    assert_eq!(result.cause, Cause::Flood);
}

#[test]
fn the_warm_up_comes_before_the_first_turn() {
    let warm_up = Duration::from_millis(300);
    let begin = Instant::now();
    game(AnyGame::from(Murus::start()), RefereeOptions { warm_up, ..TERMS }, |mut white, black| {
        white.hears(["YOUR_TURN"]);
        assert!(begin.elapsed() >= warm_up);
        black.leaves();
    });
}

#[test]
fn a_player_may_send_lines_while_it_gets_the_result() {
    game(AnyGame::from(Hadron::start(1, 1)), TERMS, |mut white, _black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE A1"]);
        // Were the connection closed already, these lines would tear it down.
        for _ in 0..3 {
            thread::sleep(Duration::from_millis(30));
            white.says(["MOVE A1"]);
        }
        white.hears(["VALID_MOVE", "VICTORY"]);
        white.hears_the_end();
    });
}

#[test]
fn players_that_do_not_close_delay_no_other() {
    let mut kept_open = None;
    let (result, _) = game(AnyGame::from(Hadron::start(1, 1)), TERMS, |mut white, mut black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE A1"]);
        white.hears(["VALID_MOVE", "VICTORY"]);
        black.hears(["OPPONENT_MOVE A1", "DEFEAT"]);
        kept_open = Some([white, black]);
    });
    assert_eq!(result.to_string(), "White (no legal move)");
    kept_open.into_iter().flatten().for_each(Peer::hears_the_end);
}

#[test]
fn events_tell_the_whole_game() {
    let start = AnyGame::from(Hadron::start(1, 1));
    let (result, events) = game(start, TERMS, |mut white, _black| {
        white.hears(["YOUR_TURN"]);
        white.says(["MOVE a1"]);
        white.hears(["VALID_MOVE", "VICTORY"]);
    });
    let [
        GameEvent::Seated { side: Side::White, peer: Some(_) },
        GameEvent::Seated { side: Side::Black, peer: Some(_) },
        GameEvent::Started { warm_up: Duration::ZERO },
        GameEvent::Moved { side: Side::White, text, elapsed },
        GameEvent::Ended { outcome, reason },
    ] = &events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!(&text[..], "A1");
    assert_eq!((outcome, reason), (&result.outcome, &result.reason));
    assert_eq!(result.slowest, [*elapsed, Duration::ZERO]);
}
