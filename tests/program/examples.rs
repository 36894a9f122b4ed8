//! The examples do what they say.

#[path = "../../examples/best_move.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod best_move;
#[path = "../../examples/client.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod client;
#[path = "../../examples/engine_match.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod engine_match;
#[path = "../../examples/heuristic.rs"]
#[expect(dead_code, reason = "its `main` is for the command line")]
mod heuristic;

use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use alesia::games::{AnyGame, Murus};
use alesia::net::referee::{RefereeOptions, serve};
use alesia::search::EngineKind;

#[test]
fn the_best_move_wins_at_once_where_one_does() {
    let position = "BB.BBBBB/......../..W...../......../......../......../WW...... w 40";
    let best = best_move::best_move(position, Duration::from_millis(100)).unwrap();
    assert_eq!(best, "C3,N");
}

#[test]
fn a_match_is_played_again_alike() {
    // With a number of nodes and one thread the same games are played again.
    let [points, again] = [(); 2].map(|()| engine_match::engine_match(2).unwrap());
    assert!(points == again && (0.0..=4.0).contains(&points), "{points}, {again}");
}

#[test]
fn a_heuristic_plays_whole_pairs_in_both_engines() {
    for kind in [EngineKind::AlphaBeta, EngineKind::MonteCarlo] {
        let counts = heuristic::pairs_against_the_network(kind, 3).unwrap();
        assert_eq!(counts.iter().sum::<u32>(), 3, "{kind:?}");
    }
}

#[test]
fn the_client_plays_a_game_to_its_end() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let options = RefereeOptions { warm_up: Duration::ZERO, ..RefereeOptions::default() };
    let referee = thread::spawn(move || {
        serve(listener, AnyGame::from(Murus::start()), 1, &options, &|_, _| {}).unwrap()
    });
    let other = thread::spawn(move || client::play("127.0.0.1", port).map_err(|e| e.to_string()));
    let report = client::play("127.0.0.1", port).unwrap();
    let other = other.join().unwrap().unwrap();
    assert_ne!(report.side, other.side);
    assert_eq!((report.outcome, report.plies), (other.outcome, other.plies));
    let result = referee.join().unwrap().remove(0);
    assert_eq!((result.outcome, result.reason), (report.outcome, report.reason));
}
