//! The tree search on a known game: every position of tic-tac-toe is solved correctly.
//!
//! Half of its results are draws, both sides win, lines have every length: a wrong perspective in
//! proofs or in backup shows at once.

#[path = "../../examples/tictactoe.rs"]
mod tictactoe;

use std::collections::HashSet;

use self::tictactoe::TicTacToe;
use crate::exhaustive::solve;
use alesia::game::{Game, GameState};
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::report::Proof;
use alesia::search::{Engine, EngineOptions};

/// All positions that can come up and are not over.
fn open_positions() -> Vec<TicTacToe> {
    let mut seen = HashSet::from([TicTacToe::START]);
    let mut open = vec![TicTacToe::START];
    for index in 0.. {
        let Some(&position) = open.get(index) else { break };
        let moves = position.legal_moves();
        for m in moves {
            let after = position.after(m);
            if GameState::new(after).ending().is_none() && seen.insert(after) {
                open.push(after);
            }
        }
    }
    open
}

fn solves_every_position(threads: usize, trees: usize, memory: usize) {
    let options = EngineOptions { threads, trees, memory, ..Default::default() };
    let mut engine = MonteCarlo::new(TicTacToe::START, &options).unwrap();
    let positions = open_positions();
    assert_eq!(positions.len(), 4520);
    for position in positions {
        let state = GameState::new(position);
        let expected = solve(&state, 9).unwrap();
        engine.new_game(7);
        let report = engine.think(&state, &Budget::nodes(2_000_000), &mut |_| {});
        if position.count_moves() == 1 {
            continue;
        }
        match (expected, report.proof) {
            (Proof::Draw, Some(Proof::Draw)) => {}
            (Proof::Win(plies), Some(Proof::Win(found))) => assert!(found >= plies),
            (Proof::Loss(plies), Some(Proof::Loss(found))) => assert!(found >= plies),
            (expected, found) => panic!("{position}: {expected:?}, found {found:?}"),
        }
        // The move that is played reaches the result.
        let after = state.after(report.best);
        let reached = solve(&after, 9).unwrap();
        let same_result = matches!(
            (expected, reached),
            (Proof::Draw, Proof::Draw)
                | (Proof::Win(_), Proof::Loss(_))
                | (Proof::Loss(_), Proof::Win(_))
        );
        assert!(same_result, "{position}: {expected:?}, but {reached:?} after the move");
    }
}

#[test]
fn every_position_is_solved_by_one_thread() {
    solves_every_position(1, 1, 64 << 20);
}

#[test]
fn every_position_is_solved_by_threads_on_one_tree() {
    solves_every_position(3, 1, 64 << 20);
}

#[test]
fn every_position_is_solved_by_trees_of_their_own() {
    solves_every_position(2, 2, 64 << 20);
}
