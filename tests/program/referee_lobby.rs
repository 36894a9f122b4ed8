//! The referee's lobby, with players that join and leave over real sockets.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use alesia::game::Side;
use alesia::games::{AnyGame, Hadron};
use alesia::net::referee::{self, GameEvent, GameResult, RefereeOptions};

use crate::dialogue::{Background, Peer, listener, wait_until};

/// No warm-up, and time enough for any machine.
const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(20),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

/// All that happened at several tables.
type Events = Mutex<Vec<(usize, GameEvent)>>;

/// Serves games to players that connect to an address.
fn served(
    start: AnyGame,
    games: usize,
    script: impl FnOnce(SocketAddr, &Events),
) -> (Vec<GameResult>, Arc<Events>) {
    let (listener, address) = listener();
    let events = Arc::<Events>::default();
    let noted = Arc::clone(&events);
    let referee = Background::new(move || {
        referee::serve(listener, start, games, &TERMS, &|game, event| {
            noted.lock().unwrap().push((game, event));
        })
    });
    script(address, &events);
    (referee.wait().unwrap(), events)
}

/// Waits until a player that was alone has left.
fn wait_for_leaving(events: &Events) {
    let left = |(_, event): &(usize, GameEvent)| matches!(event, GameEvent::Left);
    wait_until(|| events.lock().unwrap().iter().any(left));
}

/// The numbers of the games that have ended, in this order.
fn ended(events: &Events) -> Vec<usize> {
    let number_of_ended = |(game, event): &(usize, GameEvent)| {
        matches!(event, GameEvent::Ended { .. }).then_some(*game)
    };
    events.lock().unwrap().iter().filter_map(number_of_ended).collect()
}

/// Connects and hears that it is white and alone.
fn first(address: SocketAddr) -> Peer {
    let mut white = Peer::connect(address);
    white.hears(["WELCOME White", "MESSAGE waiting for the opponent"]);
    white
}

/// Connects and hears that it is black and the game begins.
fn second(address: SocketAddr) -> Peer {
    let mut black = Peer::connect(address);
    black.hears([
        "WELCOME Black",
        "MESSAGE waiting for the opponent",
        "MESSAGE all players connected",
    ]);
    black
}

#[test]
fn the_first_connection_is_white_and_is_welcomed_alone() {
    let (results, _) = served(AnyGame::from(Hadron::start(1, 1)), 1, |address, _| {
        let mut white = first(address);
        let mut black = second(address);
        white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
        white.says(["MOVE A1"]);
        white.hears(["VALID_MOVE", "VICTORY"]);
        white.hears_the_end();
        black.hears(["OPPONENT_MOVE A1", "DEFEAT"]);
        black.hears_the_end();
    });
    assert_eq!(
        results.iter().map(GameResult::to_string).collect::<Vec<_>>(),
        ["White (no legal move)"]
    );
}

#[test]
fn a_player_that_leaves_before_its_opponent_came_frees_its_seat() {
    let (results, events) = served(AnyGame::from(Hadron::start(1, 1)), 1, |address, events| {
        first(address).leaves();
        wait_for_leaving(events);
        let mut white = first(address);
        let _black = second(address);
        white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
        white.says(["MOVE A1"]);
        white.hears(["VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(results[0].to_string(), "White (no legal move)");
    assert!(matches!(
        events.lock().unwrap()[..4],
        [
            (0, GameEvent::Seated { side: Side::White, .. }),
            (0, GameEvent::Left),
            (0, GameEvent::Seated { side: Side::White, .. }),
            (0, GameEvent::Seated { side: Side::Black, .. }),
        ]
    ));
}

#[test]
fn a_player_that_floods_before_its_opponent_came_frees_its_seat() {
    let (results, _) = served(AnyGame::from(Hadron::start(1, 1)), 1, |address, events| {
        let mut flood = first(address);
        flood.says(["MOVE A1"; 9]);
        flood.hears(["MESSAGE you sent too many lines before the game"]);
        flood.hears_the_end();
        wait_for_leaving(events);
        let white = first(address);
        let mut black = second(address);
        white.leaves();
        black.hears(["MESSAGE White disconnected", "VICTORY"]);
    });
    assert_eq!(results[0].to_string(), "Black (White disconnected)");
}

#[test]
fn a_line_from_before_the_opponent_came_is_kept() {
    let (results, _) = served(AnyGame::from(Hadron::start(1, 1)), 1, |address, _| {
        let mut white = first(address);
        white.says(["MOVE A1"]);
        let mut black = second(address);
        black.hears(["OPPONENT_MOVE A1", "DEFEAT"]);
        white.hears(["MESSAGE all players connected", "YOUR_TURN", "VALID_MOVE", "VICTORY"]);
    });
    assert_eq!(results[0].to_string(), "White (no legal move)");
}

#[test]
fn several_games_at_once_in_order_of_arrival() {
    let (results, events) = served(AnyGame::from(Hadron::start(1, 2)), 2, |address, events| {
        let mut players: Vec<[Peer; 2]> = Vec::new();
        for _ in 0..2 {
            let mut white = first(address);
            let black = second(address);
            white.hears(["MESSAGE all players connected", "YOUR_TURN"]);
            players.push([white, black]);
        }
        // The seats are taken: a later player is refused, or disconnected without a message.
        if let Ok(mut late) = TcpStream::connect(address) {
            assert!(late.read(&mut [0]).map_or(true, |count| count == 0));
        }
        // Both games run; the second ends first.
        let [mut white, mut black] = players.pop().unwrap();
        white.says(["MOVE A1"]);
        black.hears(["OPPONENT_MOVE A1", "DEFEAT"]);
        white.hears(["VALID_MOVE", "VICTORY"]);
        wait_until(|| ended(events) == [1]);
        let [mut white, black] = players.pop().unwrap();
        black.leaves();
        white.hears(["MESSAGE Black disconnected", "VICTORY"]);
    });
    let results: Vec<String> = results.iter().map(GameResult::to_string).collect();
    assert_eq!(results, ["White (Black disconnected)", "White (no legal move)"]);
    assert_eq!(ended(&events), [1, 0]);
}
