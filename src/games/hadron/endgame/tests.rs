//! The solver against playing everything.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::chance::Chance;
use crate::game::MoveList;

static GO: AtomicBool = AtomicBool::new(false);

/// Whether the side to move wins, by playing everything; positions seen before are known.
fn plain(position: &Hadron, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&wins) = known.get(&position.key()) {
        return wins;
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let wins = moves.iter().any(|&m| {
        let mut after = *position;
        after.play(m);
        !plain(&after, known)
    });
    known.insert(position.key(), wins);
    wins
}

#[test]
fn every_position_of_small_boards_is_solved_right() {
    let mut solver = Solver::new();
    let mut rng = fastrand::Rng::with_seed(1);
    for (rows, columns) in [(1, 9), (2, 5), (3, 3), (3, 4), (4, 4), (3, 6)] {
        let mut known = HashMap::new();
        for _ in 0..60 {
            let mut position = Hadron::start(rows, columns);
            loop {
                let solved = solver.solve(&position, u64::MAX, &GO).expect("no limit");
                assert_eq!(solved.wins, plain(&position, &mut known), "{position}");
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
    }
}

#[test]
fn ends_of_random_games_are_solved_right() {
    let mut solver = Solver::new();
    let mut rng = fastrand::Rng::with_seed(2);
    let mut checked = 0;
    for _ in 0..150 {
        let mut position = Hadron::start(rng.index(5..=9), rng.index(5..=9));
        let mut known = HashMap::new();
        while let Some(m) = position.random_move(&mut rng) {
            position.play(m);
            if position.live().count_ones() <= 17 {
                let solved = solver.solve(&position, u64::MAX, &GO).expect("no limit");
                assert_eq!(solved.wins, plain(&position, &mut known), "{position}");
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

/// The longest that both can make the game last.
fn longest(position: &Hadron) -> u16 {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let after = moves.iter().map(|&m| {
        let mut after = *position;
        after.play(m);
        1 + longest(&after)
    });
    after.max().unwrap_or(0)
}

#[test]
fn no_play_lasts_longer_than_is_said() {
    let mut solver = Solver::new();
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..100 {
        let mut position = Hadron::start(5, 5);
        while let Some(m) = position.random_move(&mut rng) {
            position.play(m);
            if position.live().count_ones() <= 8 {
                let solved = solver.solve(&position, u64::MAX, &GO).expect("no limit");
                assert_eq!(solved.plies % 2 == 1, solved.wins, "the last ply is the winner's");
                let longest = longest(&position);
                let of_the_winner = longest - u16::from((longest % 2 == 1) != solved.wins);
                assert!(solved.plies >= of_the_winner, "{position}");
            }
        }
    }
}

#[test]
fn limits_end_a_search_and_do_no_harm() {
    let mut solver = Solver::new();
    let position = Hadron::start(4, 5);
    assert_eq!(solver.solve(&position, 1_000, &GO), None);
    let spent = solver.steps();
    assert!((1_000..2_000).contains(&spent), "{spent}");
    assert_eq!(solver.solve(&position, u64::MAX, &AtomicBool::new(true)), None);
    // Interrupted searches leave no wrong results behind.
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..100 {
        let (mut position, mut known) = (Hadron::start(4, 4), HashMap::new());
        while let Some(m) = position.random_move(&mut rng) {
            let steps = rng.u64(1..300);
            if let Some(solved) = solver.solve(&position, steps, &GO) {
                assert_eq!(solved.wins, plain(&position, &mut known), "{position}");
            }
            position.play(m);
        }
    }
}

#[test]
fn a_cleared_solver_is_as_a_new_one() {
    let mut old = Solver::new();
    let mut rng = fastrand::Rng::with_seed(5);
    let mut position = Hadron::start(5, 6);
    for _ in 0..4 {
        position.play(position.random_move(&mut rng).unwrap());
    }
    let solved = old.solve(&position, u64::MAX, &GO);
    let steps = old.steps();
    assert!(old.solve(&position, u64::MAX, &GO) == solved && old.steps() < steps);
    old.clear();
    assert_eq!((old.solve(&position, u64::MAX, &GO), old.steps()), (solved, steps));
}
