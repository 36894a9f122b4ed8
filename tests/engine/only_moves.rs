//! With one legal move there is nothing to choose, but the report says all the same what is known.

use alesia::eval::Evaluate;
use alesia::game::GameState;
use alesia::game::chance::Chance;
use alesia::games::{Hadron, Murus};
use alesia::search::clock::Budget;
use alesia::search::report::Proof;
use alesia::search::{EngineKind, EngineOptions};

/// Plays until a side has proven its win; then it must not lose sight of it, however the other
/// plays. Returns how often it had one legal move.
fn only_moves_in_won_games<G: Evaluate>(start: G, kind: EngineKind, games: u64) -> usize {
    let options = EngineOptions { memory: 4 << 20, ..EngineOptions::default() };
    let mut engine = kind.build_for(start, &options).unwrap();
    let mut found = 0;
    for game in 0..games {
        engine.new_game(game);
        let mut rng = fastrand::Rng::with_seed(game);
        let mut state = GameState::new(start);
        let mut winner = None;
        while state.ending().is_none() {
            let side = state.position.side();
            let legal = state.position.legal_moves();
            // Openings differ, and whoever has lost plays anything.
            if winner.is_some_and(|winner| winner != side) || state.position.ply() < 4 {
                state.play(*rng.pick(&legal).unwrap());
                continue;
            }
            let report = engine.think(&state, &Budget::nodes(1_000), &mut |_| {});
            let is_won = matches!(report.proof, Some(Proof::Win(_)));
            if legal.len() == 1 && winner.is_some() {
                assert!(is_won && report.value == 1.0, "{kind}: {}", state.position);
                found += 1;
            }
            if is_won {
                winner = Some(side);
            }
            state.play(report.best);
        }
    }
    found
}

#[test]
fn a_proven_win_is_not_forgotten_where_there_is_one_legal_move() {
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        let found = only_moves_in_won_games(Hadron::start(4, 4), kind, 12);
        assert!(found > 0, "{kind}");
        only_moves_in_won_games(Murus::start(), kind, 1);
    }
}
