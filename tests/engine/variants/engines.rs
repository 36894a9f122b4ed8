//! What the engines make of rules that no other game has.

use alesia::search::clock::Budget;
use alesia::search::report::{Proof, Report};
use alesia::search::{EngineKind, EngineOptions};

use super::*;

const ENGINES: [EngineKind; 2] = [EngineKind::MonteCarlo, EngineKind::AlphaBeta];

fn search(kind: EngineKind, state: &GameState<Variant>) -> Report {
    let options = EngineOptions { memory: 4 << 20, ..Default::default() };
    let mut engine = kind.build_for(state.position, &options).unwrap();
    engine.think(state, &Budget::nodes(3_000), &mut |_| {})
}

/// Black has a rook more. White's king has been on g1 with Black to move.
const REPEATED: &str = "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1";

/// White, to move, may bring that position back.
fn may_repeat(keys: &str) -> GameState<Variant> {
    let start = chess_with(keys).parse_board(REPEATED).unwrap();
    after(start, "g8h8 g1f1 h8g8")
}

#[test]
fn a_repetition_that_loses_is_avoided_and_one_that_wins_is_played() {
    for kind in ENGINES {
        let best = |keys: &str| {
            let state = may_repeat(keys);
            let report = search(kind, &state);
            (state.position.notation(report.best).to_string(), report.proof)
        };
        // The value is that of the side to move after the repetition.
        let (m, _) = best("nFoldRule = 2\nnFoldValue = win");
        assert_ne!(m, "f1g1", "{kind}");
        let wins = ("f1g1".to_owned(), Some(Proof::Win(1)));
        assert_eq!(best("nFoldRule = 2\nnFoldValue = loss"), wins, "{kind}");
    }
}

/// The queen may take a pawn, or leave Black without a move. One ply sees which of them wins.
#[test]
fn a_stalemate_that_is_lost_is_seen_at_the_horizon() {
    let start = chess_with("stalemateValue = loss");
    let state = GameState::new(start.parse_board("k7/7Q/8/8/7p/7P/8/4K3 w - - 0 1").unwrap());
    let options = EngineOptions { memory: 4 << 20, ..Default::default() };
    let mut engine = EngineKind::AlphaBeta.build_for(state.position, &options).unwrap();
    let one_ply = Budget { depth: Some(1), ..Budget::default() };
    let report = engine.think(&state, &one_ply, &mut |_| {});
    assert_eq!(state.position.notation(report.best).to_string(), "h7c7");
    assert_eq!(report.proof, Some(Proof::Win(1)));
}
