//! Lines of Action over the relay protocol, over real sockets: what the relay passes on and when it
//! closes, and how both sides see every kind of end by themselves.

use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::dialogue::process::Process;
use crate::dialogue::{Background, Peer, Script, games, listener, moves_of};
use alesia::game::{Game, Outcome, Side};
use alesia::games::{AnyGame, AnyState, Loa};
use alesia::net::client::{Answer, Player};
use alesia::net::relay::forward::{RelayResult, RelayTimes, relay};
use alesia::net::relay::side::{CutOff, SideReport, play_side};

/// No player is late.
const PLENTY: RelayTimes =
    RelayTimes { first: Duration::from_secs(60), other: Duration::from_secs(60) };

/// A connection: its near and its far end.
fn connection() -> (TcpStream, TcpStream) {
    let (listener, address) = listener();
    let near = TcpStream::connect(address).unwrap();
    (near, listener.accept().unwrap().0)
}

fn loa(board: &str) -> AnyGame {
    AnyGame::from(Loa::start(Default::default())).parse_board(board).unwrap()
}

/// A relay in the background, and the two ends that play.
fn relayed(start: AnyGame, times: RelayTimes) -> (TcpStream, TcpStream, Background<RelayResult>) {
    let ((white, to_white), (black, to_black)) = (connection(), connection());
    let work =
        move || relay(to_white, to_black, Instant::now(), start, times, &mut |_| {}).unwrap();
    (white, black, Background::new(work))
}

/// The same with scripted players.
fn scripted(times: RelayTimes) -> (Peer, Peer, Background<RelayResult>) {
    let (white, black, result) = relayed(AnyGame::from(Loa::start(Default::default())), times);
    (Peer::new(white), Peer::new(black), result)
}

/// Plays a side in the background.
fn side(
    stream: TcpStream,
    start: AnyGame,
    side: Side,
    moves: &'static str,
) -> Background<Result<SideReport, CutOff>> {
    Background::new(move || {
        play_side(stream, start, side, Instant::now(), &mut Script::new(moves), &mut |_| {})
    })
}

/// Plays a game between two sides through a relay: all three must see the same end.
#[track_caller]
fn all_see(board: &str, white: &'static str, black: &'static str, end: &str) {
    let start = loa(board);
    let (to_white, to_black, result) = relayed(start, PLENTY);
    let players =
        [side(to_white, start, Side::White, white), side(to_black, start, Side::Black, black)];
    let result = result.wait();
    assert_eq!(result.to_string(), end);
    for player in players {
        let report = player.wait().unwrap();
        assert_eq!((report.to_string().as_str(), report.plies), (end, result.plies));
    }
}

macro_rules! ends {
    ($($name:ident: $board:literal, $white:literal, $black:literal => $end:literal;)*) => {
        $(
            #[test]
            fn $name() {
                all_see($board, $white, $black, $end);
            }
        )*
    };
}

ends! {
    one_group_wins:
        "b......./......../......../.....w../...w..../......../......../.......b w 10", "D4-E4", ""
        => "White (all stones connected)";
    both_in_one_group_the_mover_wins:
        "w......./w......./......../......b./...b.w../......../......../........ b 11", "", "D4-F4"
        => "Black (all stones connected)";
    a_single_stone_left_by_a_capture_has_won:
        "b......w/......../......../......../...w.b../......../......../........ w 10", "D4-F4", ""
        => "Black (all stones connected)";
    a_side_without_a_move_has_lost:
        "....b..w/......bb/......../......../......../......../bb....../wb...... b 9", "", "E8-G8"
        => "Black (no legal move)";
    after_a_hundred_moves_each_it_is_a_draw:
        ".wwwwww./b......b/b......b/b......b/b......b/b......b/b......b/.wwwwww. w 198", "B1-B3", "A2-C2"
        => "tie (move limit)";
}

#[test]
fn a_whole_game() {
    let start = AnyGame::from(Loa::start(Default::default()));
    let (to_white, to_black, result) = relayed(start, PLENTY);
    let game = |number| moves_of(number, games::LOA_WHITE).leak() as &'static str;
    let white = side(to_white, start, Side::White, game(0));
    let black = side(to_black, start, Side::Black, game(1));
    assert_eq!(result.wait().to_string(), "White (all stones connected)");
    assert_eq!(white.wait().unwrap().plies, 17);
    assert_eq!(black.wait().unwrap().outcome, Outcome::Win(Side::White));
}

#[test]
fn messages_pass_unchanged_and_nothing_else_does() {
    let (mut white, mut black, result) = scripted(PLENTY);
    white.sends("B1-B3\n");
    black.hears(["B1-B3"]);
    black.slices("A2-C2\n");
    white.hears(["A2-C2"]);
    white.leaves();
    black.hears_the_end();
    assert_eq!(result.wait().to_string(), "Black (White disconnected)");
}

/// What White says as its first message, and why it loses by it; it is passed on all the same.
#[test]
fn bad_messages_lose_and_are_passed_on() {
    for (message, reason) in [
        ("B1-B4\n", "Black (White made an illegal move: `B1-B4\\n`)"),
        ("b1-b3\n", "Black (White made an illegal move: `b1-b3\\n`)"),
        ("B1-B3\r\n", "Black (White made an illegal move: `B1-B3\\r\\n`)"),
        ("A2-C2\n", "Black (White made an illegal move: `A2-C2\\n`)"),
        ("\n", "Black (White made an illegal move: `\\n`)"),
        ("hello, world\n", "Black (White made an illegal move: `hello, world\\n`)"),
    ] {
        let (mut white, mut black, result) = scripted(PLENTY);
        white.sends(message);
        black.hears([message.strip_suffix('\n').unwrap()]);
        black.hears_the_end();
        white.hears_the_end();
        assert_eq!(result.wait().to_string(), reason);
    }
}

#[test]
fn endless_bytes_are_a_bad_message() {
    let (mut white, black, result) = scripted(PLENTY);
    white.sends("A".repeat(10_000));
    assert!(result.wait().to_string().starts_with("Black (White made an illegal move: `AAAA"));
    drop((white, black));
}

#[test]
fn a_move_out_of_turn_loses() {
    let (mut white, mut black, result) = scripted(PLENTY);
    black.sends("A2-C2\n");
    white.hears(["A2-C2"]);
    white.hears_the_end();
    black.hears_the_end();
    assert_eq!(result.wait().to_string(), "White (Black sent `A2-C2\\n` out of turn)");
}

#[test]
fn who_is_late_loses_without_a_word() {
    let ms = Duration::from_millis;
    let first = RelayTimes { first: ms(50), ..PLENTY };
    let (white, black, result) = scripted(first);
    assert_eq!(
        result.wait().to_string(),
        "Black (White exceeded the move time (no move in 50 ms))"
    );
    white.hears_the_end();
    black.hears_the_end();

    // The second moves have the shorter time.
    let (mut white, mut black, result) = scripted(RelayTimes { other: ms(50), ..PLENTY });
    white.says(["B1-B3"]);
    black.hears(["B1-B3"]);
    black.says(["A2-C2"]);
    white.hears(["A2-C2"]);
    assert_eq!(
        result.wait().to_string(),
        "Black (White exceeded the move time (no move in 50 ms))"
    );
    white.hears_the_end();
    black.hears_the_end();
}

#[test]
fn an_opponent_that_is_gone_has_lost() {
    let (mut white, black, result) = scripted(PLENTY);
    white.says(["B1-B3"]);
    black.leaves();
    assert_eq!(result.wait().to_string(), "White (Black disconnected)");
}

/// A side whose relay closes before the end names the move.
#[test]
fn a_side_that_is_cut_off_has_no_result() {
    let (own, far) = connection();
    let player = side(own, AnyGame::from(Loa::start(Default::default())), Side::White, "B1-B3");
    let mut relay = Peer::new(far);
    relay.hears(["B1-B3"]);
    relay.leaves();
    let error = player.wait().unwrap_err().to_string();
    assert!(
        error.starts_with("the connection to the relay ended in move 1 of Black, before"),
        "{error}"
    );
}

/// A side accepts the lines of a lenient relay, and detects illegal moves.
#[test]
fn a_side_reads_with_tolerance_and_judges_by_the_rules() {
    let (own, far) = connection();
    let player =
        side(own, AnyGame::from(Loa::start(Default::default())), Side::White, "B1-B3 B3-B1");
    let mut relay = Peer::new(far);
    relay.hears(["B1-B3"]);
    relay.slices(" a2-c2\r\n");
    relay.hears(["B3-B1"]);
    relay.says(["C2-C9"]);
    let report = player.wait().unwrap();
    assert_eq!(report.to_string(), "White (Black made an illegal move: `C2-C9`)");
    relay.hears_the_end();
}

/// What White says of an opponent that sends this after White's first move, and of a relay that
/// closes then.
fn said_of(message: &[u8]) -> String {
    let (own, far) = connection();
    let player =
        side(own, AnyGame::from(Loa::start(Default::default())), Side::White, "B1-B3 B3-B1");
    let mut relay = Peer::new(far);
    relay.hears(["B1-B3"]);
    relay.sends(message);
    relay.leaves();
    match player.wait() {
        Ok(report) => report.to_string(),
        Err(error) => error.to_string(),
    }
}

/// The relay closes after a message that a side understands, but that is not exactly right.
#[test]
fn a_message_in_another_form_loses_if_the_relay_then_closes() {
    for (message, what) in
        [(&b"a2-c2\n"[..], "a2-c2"), (b"A2-C2\r\n", "A2-C2\\r"), (b" A2-C2\n", " A2-C2")]
    {
        let expected = format!("White (Black made an illegal move: `{what}`)");
        assert_eq!(said_of(message), expected);
    }
    let cut_off = "the connection to the relay ended in move 2 of Black, before the end";
    assert!(said_of(b"A2-C2\n").starts_with(cut_off), "{}", said_of(b"A2-C2\n"));
}

/// The relay passes on a message without a line's end up to its limit, and closes.
#[test]
fn a_message_that_does_not_end_loses_if_the_relay_then_closes() {
    let expected = "White (Black made an illegal move: `A2-C2 ";
    for length in [6, 256] {
        let message = [&b"A2-C2 "[..], &[b'x'; 250]].concat();
        assert!(said_of(&message[..length]).starts_with(expected), "{length}");
    }
    // The opponent may have been cut off in the middle of a right one.
    for length in 0..6 {
        let said = said_of(&b"A2-C2"[..length.min(5)]);
        assert!(said.starts_with("the connection to the relay ended"), "{length}: {said}");
    }
}

/// A player that does not move before it is let.
struct Slow<'a>(Script<'a>, std::sync::mpsc::Receiver<()>);

impl Player for Slow<'_> {
    fn choose(&mut self, state: &AnyState, received: Instant) -> Answer {
        self.1.recv().unwrap();
        self.0.choose(state, received)
    }
}

/// What White says of what comes while it thinks, before its first or second move, and of a relay
/// that closes then.
fn said_while_thinking(before: usize, message: &[u8]) -> String {
    let (own, far) = connection();
    let (go, wait) = std::sync::mpsc::channel();
    let start = AnyGame::from(Loa::start(Default::default()));
    let player = Background::new(move || {
        let mut player = Slow(Script::new("B1-B3 B3-B1"), wait);
        play_side(own, start, Side::White, Instant::now(), &mut player, &mut |_| {})
    });
    let mut relay = Peer::new(far);
    for _ in 0..before {
        go.send(()).unwrap();
        relay.hears(["B1-B3"]);
        relay.says(["A2-C2"]);
    }
    relay.sends(message);
    relay.leaves();
    std::thread::sleep(Duration::from_millis(50));
    go.send(()).unwrap();
    match player.wait() {
        Ok(report) => report.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_side_sees_that_its_opponent_moves_out_of_turn() {
    for before in 0..2 {
        let expected = "White (Black sent `A2-C2\\n` out of turn)";
        assert_eq!(said_while_thinking(before, b"A2-C2\n"), expected);
        // Neither the end alone nor part of a message is a move.
        for message in [&b""[..], b"A2-C2"] {
            let said = said_while_thinking(before, message);
            assert!(said.starts_with("the connection to the relay ended"), "{said}");
        }
    }
}

/// The port of a line such as `listening on 0.0.0.0:40102`.
fn port_of(line: &str) -> &str {
    assert!(line.starts_with("listening on "), "{line}");
    line.rsplit(':').next().unwrap()
}

#[test]
fn two_players_and_a_relay_as_programs() {
    let names = [
        ("--game loa", ["play --protocol relay", "referee --protocol relay -p 0 -tt 20000"]),
        ("--loa-layout files", ["", "relay --listen 0 --move-time 20000"]),
    ];
    for (setup, [play, relay]) in names {
        let of_side = |old: &str| if play.is_empty() { old.to_owned() } else { play.to_owned() };
        let (white, black) = (of_side("loa-white"), of_side("loa-black"));
        let more = format!("--any-port {setup}");
        let engine = "--threads 1 --memory 1MiB --nodes 200";
        let (mut first, mut white_lines) =
            Process::start(&format!("{white} --bind 127.0.0.1 --listen 0 {engine} {more}"));
        let listening = white_lines.next().unwrap();
        let port = port_of(&listening);
        let (mut between, mut relay_lines) =
            Process::start(&format!("{relay} --white 127.0.0.1:{port} --bind 127.0.0.1 {more}"));
        let listening = relay_lines.next().unwrap();
        let port = port_of(&listening);
        let (mut second, black_lines) =
            Process::start(&format!("{black} 127.0.0.1:{port} --engine alphabeta {engine} {more}"));
        let ends: Vec<Vec<String>> =
            vec![relay_lines.collect(), white_lines.collect(), black_lines.collect()];
        let result = ends[0].last().unwrap();
        assert!(result.starts_with("result: ") && result.ends_with(')'), "{result}");
        assert!(!result.contains("exceeded") && !result.contains("illegal"), "{result}");
        for lines in &ends {
            assert_eq!(lines.last(), Some(result));
            let moves = |line: &String| line.split(' ').take(3).collect::<Vec<_>>().join(" ");
            let all: Vec<String> = lines[..lines.len() - 1].iter().map(moves).collect();
            assert_eq!(all, ends[0][..ends[0].len() - 1].iter().map(moves).collect::<Vec<_>>());
        }
        for process in [&mut first, &mut between, &mut second] {
            assert!(process.0.wait().unwrap().success());
        }
    }
}

#[test]
fn connections_that_are_closed_at_once_take_nobodys_place() {
    let come_and_go = |port: &str| {
        for _ in 0..3 {
            drop(TcpStream::connect(format!("127.0.0.1:{port}")).unwrap());
        }
    };
    let engine = "--engine random --threads 1 --memory 1MiB";
    let (_white, mut lines) = Process::start(&format!(
        "loa-white --bind 127.0.0.1 --listen 0 --any-port {engine} --ponder off"
    ));
    let listening = lines.next().unwrap();
    let at_white = port_of(&listening);
    let (_relay, mut lines) = Process::start(&format!(
        "relay --white 127.0.0.1:{at_white} --bind 127.0.0.1 --listen 0 --any-port"
    ));
    come_and_go(at_white);
    let listening = lines.next().unwrap();
    let at_relay = port_of(&listening);
    come_and_go(at_relay);
    let mut black = Peer::connect(format!("127.0.0.1:{at_relay}").parse().unwrap());
    // White's first move has come all the way.
    assert_eq!(black.hears_a_line().len(), 5);
}

#[test]
fn ports_that_may_be_filtered_are_refused() {
    for arguments in [
        "loa-white --listen 8901",
        "play --protocol relay --listen 8901",
        "referee --protocol relay --white localhost:8901",
        "loa-black localhost 40000",
        "relay --white localhost:8901",
        "relay --white localhost:40101 --listen 99",
        "relay --white localhost",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_alesia"))
            .args(arguments.split_whitespace())
            .args(if arguments.starts_with("loa") { vec!["--memory", "1MiB"] } else { vec![] })
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{errors}");
        let expected = match arguments {
            "relay --white localhost" => "--white, address: found `localhost` without a port",
            _ => {
                "expected a port above 40000: routers may filter lower ones (--any-port allows them)"
            }
        };
        assert!(errors.contains(expected), "{errors}");
    }
}
