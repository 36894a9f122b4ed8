//! The relay and its two sides over a network that does what it likes: White, Black and the relay
//! are connected through proxies with faults of their own.

use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use alesia::game::Side;
use alesia::games::{AnyGame, Loa};
use alesia::net::relay::forward::{RelayResult, RelayTimes, relay};
use alesia::net::relay::side::{CutOff, MAX_SILENCE, SideReport, play_side_within};

use crate::dialogue::{Background, Peer, Random, listener};
use crate::proxy::{Fault, Proxy};
use Fault::*;

/// No player is late.
const PLENTY: RelayTimes =
    RelayTimes { first: Duration::from_secs(60), other: Duration::from_secs(60) };

fn loa() -> AnyGame {
    AnyGame::from(Loa::start(Default::default()))
}

/// Plays a side at random in the background.
fn side(
    stream: TcpStream,
    side: Side,
    silence: Duration,
) -> Background<Result<SideReport, CutOff>> {
    Background::new(move || {
        let mut player = Random(fastrand::Rng::with_seed(side as u64));
        let now = Instant::now();
        play_side_within(stream, loa(), side, now, &mut player, &mut |_| {}, silence)
    })
}

/// A connection that sends through the faults of `there` and receives through those of `back`.
fn connection(there: &'static [Fault], back: &'static [Fault]) -> (TcpStream, TcpStream, Proxy) {
    let (listener, address) = listener();
    let proxy = Proxy::new(address, back, there);
    let near = TcpStream::connect(proxy.address as SocketAddr).unwrap();
    (near, listener.accept().unwrap().0, proxy)
}

type Ends = (RelayResult, [Result<SideReport, CutOff>; 2]);

/// A game in which White's connection, or both players', has faults.
fn game(
    times: RelayTimes,
    both: bool,
    there: &'static [Fault],
    back: &'static [Fault],
    silence: Duration,
) -> Ends {
    let (white, to_white, _white_proxy) = connection(there, back);
    let (black, to_black, _black_proxy) =
        if both { connection(there, back) } else { connection(&[], &[]) };
    let relay = Background::new(move || {
        relay(to_white, to_black, Instant::now(), loa(), times, &mut |_| {}).unwrap()
    });
    let players = [side(white, Side::White, silence), side(black, Side::Black, silence)];
    (relay.wait(), players.map(Background::wait))
}

#[track_caller]
fn harmless(there: &'static [Fault], back: &'static [Fault]) {
    let (undisturbed, _) = game(PLENTY, true, &[], &[], MAX_SILENCE);
    assert!(undisturbed.plies > 30, "{undisturbed}");
    let (result, players) = game(PLENTY, true, there, back, MAX_SILENCE);
    assert_eq!((result.to_string(), result.plies), (undisturbed.to_string(), undisturbed.plies));
    for report in players {
        let report = report.unwrap();
        assert_eq!((report.to_string(), report.plies), (result.to_string(), result.plies));
    }
}

#[test]
fn a_byte_at_a_time() {
    harmless(&[Slices(1)], &[Slices(1)]);
}

#[test]
fn latency() {
    harmless(&[LATE], &[LATE]);
}

const LATE: Fault = Latency(Duration::from_millis(2));

#[test]
fn empty_lines_to_a_side_are_the_opponents_fault() {
    let (result, [white, _]) = game(PLENTY, false, &[], &[Noise(b"", 0)], MAX_SILENCE);
    assert_eq!(result.to_string(), "Black (White disconnected)");
    assert_eq!(white.unwrap().to_string(), "White (Black made an illegal move: ``)");
}

/// White's faults, and the end of the game for the relay and for Black, which detects only wrong
/// messages.
#[track_caller]
fn fatal(
    times: RelayTimes,
    there: &'static [Fault],
    back: &'static [Fault],
    result: &str,
    black: &str,
) -> Result<SideReport, CutOff> {
    let (ended, [white, said]) = game(times, false, there, back, Duration::from_secs(4));
    assert_eq!(ended.to_string(), result);
    let said = match said {
        Ok(report) => report.to_string(),
        Err(error) => error.to_string(),
    };
    assert!(said.starts_with(black), "{said}");
    white
}

const CUT_OFF: &str = "the connection to the relay ended in move 2 of White, before the end";

#[test]
fn a_reset() {
    let white = fatal(PLENTY, &[Reset(6)], &[], "Black (White disconnected)", CUT_OFF);
    assert!(white.is_err());
}

#[test]
fn an_end_in_the_middle_of_a_message() {
    let result = "Black (White made an illegal move: `";
    let (ended, [white, black]) = game(PLENTY, false, &[Close(9)], &[], MAX_SILENCE);
    assert!(ended.to_string().starts_with(result), "{ended}");
    assert!(white.is_err());
    assert!(black.unwrap_err().to_string().contains("in the middle of a line"));
}

#[test]
fn a_half_open_connection() {
    let times = RelayTimes { first: Duration::from_secs(2), other: Duration::from_secs(2) };
    let result = "Black (White exceeded the move time (no move in 2000 ms))";
    let white = fatal(times, &[Silence(6)], &[Silence(6)], result, CUT_OFF);
    let said = white.unwrap_err().to_string();
    assert!(
        said.contains("in move 2 of Black, before the end of the game: nothing came"),
        "{said}"
    );
}

#[test]
fn every_message_twice() {
    let (ended, [_, black]) = game(PLENTY, false, &[Twice("")], &[], MAX_SILENCE);
    assert!(ended.to_string().starts_with("Black (White sent `"), "{ended}");
    assert!(ended.to_string().ends_with("\\n` out of turn)"), "{ended}");
    // It is there before Black's answer; else it is read in White's next turn, and is no move then.
    let said = black.unwrap().to_string();
    let begins = ["Black (White sent `", "Black (White made an illegal move: `"];
    assert!(begins.iter().any(|begin| said.starts_with(begin)), "{said}");
}

#[test]
fn nul_bytes_and_endless_lines() {
    fatal(
        PLENTY,
        &[Noise(b"\0", 1)],
        &[],
        "Black (White made an illegal move: `\\0\\n`)",
        "Black (White made an illegal move: `\\0`)",
    )
    .unwrap_err();
    let (ended, _) = game(PLENTY, false, &[Noise(b"x", 1 << 20)], &[], MAX_SILENCE);
    assert!(ended.to_string().starts_with("Black (White made an illegal move: `xxxx"), "{ended}");
}

/// What a side says of a relay that follows a script.
fn meets(silence: Duration, script: impl FnOnce(&mut Peer)) -> Result<SideReport, CutOff> {
    let (near, far, _proxy) = connection(&[], &[]);
    let playing = side(near, Side::White, silence);
    let mut far = Peer::new(far);
    far.hears_a_line();
    script(&mut far);
    playing.wait()
}

#[test]
fn a_side_knows_too_long_a_line() {
    let report = meets(MAX_SILENCE, |relay| relay.sends(vec![b'x'; 1 << 20])).unwrap();
    assert_eq!(report.to_string(), "White (Black sent a line of more than 1024 bytes)");
}

#[test]
fn a_side_gives_a_silent_relay_up() {
    let error = meets(Duration::from_millis(200), |_| {}).unwrap_err().to_string();
    let begin = "the connection to the relay ended in move 1 of Black, before the end of the game: \
                 nothing came for too long";
    assert!(error.starts_with(begin), "{error}");
}

#[test]
fn black_waits_for_whites_first_move_however_long() {
    let (near, far, _proxy) = connection(&[], &[]);
    let silence = Duration::from_millis(500);
    let playing = side(near, Side::Black, silence);
    let mut far = Peer::new(far);
    std::thread::sleep(3 * silence);
    far.says(["B1-B3"]);
    far.hears_a_line();
    far.leaves();
    let error = playing.wait().unwrap_err().to_string();
    assert!(error.contains(" ended in move 2 of White"), "{error}");
}
