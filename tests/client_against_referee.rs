//! Our client against our referee: random players play whole games of all four games over TCP,
//! and both must agree on every result.

mod dialogue;

use std::net::SocketAddr;
use std::sync::Mutex;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use alesia::game::{Game, Side};
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::net::client::{self, ClientReport};
use alesia::net::referee::{self, Cause, GameEvent, GameResult, RefereeOptions};

use dialogue::{Random, listener};

const TERMS: RefereeOptions = RefereeOptions {
    move_time: Duration::from_secs(20),
    tolerance: Duration::ZERO,
    warm_up: Duration::ZERO,
    moves_per_player: None,
};

fn play<G: Game>(address: SocketAddr, start: G, seed: u64) -> ClientReport {
    let patience = Duration::from_secs(20);
    let stream = client::connect("127.0.0.1", address.port(), patience).unwrap();
    let mut player = Random(fastrand::Rng::with_seed(seed));
    client::play_game(stream, start, &mut player, &mut |_| {}).unwrap()
}

/// So many games at once, each between two random players; checks that all agree.
fn agree<G: Game>(start: G, games: usize, seed: u64) -> Vec<GameResult> {
    let (listener, address) = listener();
    let lines = Mutex::new(vec![Vec::new(); games]);
    let (results, reports) = thread::scope(|scope| {
        let players: Vec<ScopedJoinHandle<ClientReport>> = (0..2 * games as u64)
            .map(|number| scope.spawn(move || play(address, start, seed + number)))
            .collect();
        let results = referee::serve(listener, start, games, &TERMS, &|game, event| {
            if let GameEvent::Moved { text, .. } = event {
                lines.lock().unwrap()[game].push(text.to_string());
            }
        });
        let reports: Vec<ClientReport> =
            players.into_iter().map(|player| player.join().unwrap()).collect();
        (results.unwrap(), reports)
    });
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
    for (line, result) in lines.into_inner().unwrap().iter().zip(&results) {
        assert_eq!(line.len(), result.plies);
    }
    results
}

#[test]
fn murus() {
    agree(Murus::start(), 6, 1);
}

#[test]
fn hadron() {
    agree(Hadron::start(9, 9), 6, 100);
    agree(Hadron::start(4, 5), 4, 200);
}

#[test]
fn lines_of_action() {
    agree(Loa::start(Default::default()), 4, 300);
}

#[test]
fn voidrider_chess() {
    agree(Voidrider::start(), 4, 400);
}

#[test]
fn forfeits_are_explained_to_the_winner() {
    let (listener, address) = listener();
    let terms = RefereeOptions { move_time: Duration::from_millis(50), ..TERMS };
    let (results, report) = thread::scope(|scope| {
        // Whoever says nothing loses on time, if it is white; else it disconnects when it likes.
        let silent = std::net::TcpStream::connect(address).unwrap();
        let winner = scope.spawn(move || play(address, Murus::start(), 1));
        let results = referee::serve(listener, Murus::start(), 1, &terms, &|_, _| {});
        drop(silent);
        (results.unwrap(), winner.join().unwrap())
    });
    let said = "Black (White exceeded the move time (no move in 50 ms))";
    assert_eq!(results[0].to_string(), said);
    assert_eq!(report.to_string(), said);
}
