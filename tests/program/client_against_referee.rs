//! Our client against our referee: random players play whole games of all four games over TCP,
//! and both must agree on every result.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use alesia::game::Side;
use alesia::games::{AnyGame, Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{self, ClientReport};
use alesia::net::referee::{self, Cause, GameEvent, RefereeOptions};

use crate::dialogue::{Background, Peer, Random, listener};

const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(20),
    tolerance: [Duration::ZERO; 2],
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

fn play(address: SocketAddr, start: AnyGame, seed: u64) -> ClientReport {
    let patience = Duration::from_secs(20);
    let stream = client::connect("127.0.0.1", address.port(), patience).unwrap();
    let mut player = Random(fastrand::Rng::with_seed(seed));
    client::play_game(stream, start, &mut player, &mut |_| {}).unwrap()
}

/// `games` games at once, each between two random players; checks that all agree.
fn agree(start: AnyGame, games: usize, seed: u64) {
    let (listener, address) = listener();
    let referee = Background::new(move || {
        let lines = Mutex::new(vec![Vec::new(); games]);
        let results = referee::serve(listener, start, games, &TERMS, &|game, event| {
            if let GameEvent::Moved { text, .. } = event {
                lines.lock().unwrap()[game].push(text.to_string());
            }
        });
        (results.unwrap(), lines.into_inner().unwrap())
    });
    let players = (0..2 * games as u64)
        .map(|number| Background::new(move || play(address, start, seed + number)));
    let players: Vec<_> = players.collect();
    let reports: Vec<ClientReport> = players.into_iter().map(Background::wait).collect();
    let (results, lines) = referee.wait();
    for result in &results {
        assert!(matches!(result.cause, Cause::Rule(_)), "{result}");
    }
    for side in [Side::White, Side::Black] {
        let mut of_players: Vec<(String, usize)> = reports
            .iter()
            .filter(|report| report.side == side)
            .map(|report| (report.to_string(), report.plies))
            .collect();
        let mut of_referee: Vec<(String, usize)> =
            results.iter().map(|result| (result.to_string(), result.plies)).collect();
        of_players.sort();
        of_referee.sort();
        assert_eq!(of_players, of_referee, "{side}, seed {seed}");
    }
    assert!(reports.iter().all(|report| report.announced && report.ending.is_some()));
    for (line, result) in lines.iter().zip(&results) {
        assert_eq!(line.len(), result.plies);
    }
}

#[test]
fn murus() {
    agree(AnyGame::from(Murus::start()), 4, 1);
}

#[test]
fn hadron() {
    agree(AnyGame::from(Hadron::start(9, 9)), 4, 100);
    agree(AnyGame::from(Hadron::start(4, 5)), 3, 200);
}

#[test]
fn lines_of_action() {
    agree(AnyGame::from(Loa::start(Default::default())), 3, 300);
}

#[test]
fn voidrider_chess() {
    agree(AnyGame::from(Voidrider::start()), 3, 400);
}

#[test]
fn a_forfeit_is_explained_to_the_winner() {
    let (listener, address) = listener();
    let terms = RefereeOptions { move_time: Duration::from_millis(50), ..TERMS };
    let referee = Background::new(move || {
        referee::serve(listener, AnyGame::from(Murus::start()), 1, &terms, &|_, _| {}).unwrap()
    });
    let mut silent = Peer::connect(address);
    silent.hears(["WELCOME White"]);
    let report = play(address, AnyGame::from(Murus::start()), 1);
    let said = "Black (White exceeded the move time (no move in 50 ms))";
    assert_eq!(report.to_string(), said);
    assert_eq!(referee.wait()[0].to_string(), said);
}
