//! The solver against playing everything.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use super::*;
use crate::game::chance::Chance;
use crate::game::{Game, Move};

/// Whether the side to move wins, by playing everything; positions seen before are known.
fn plain(position: &Hadron, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&wins) = known.get(&position.key()) {
        return wins;
    }
    let moves = position.legal_moves();
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
                let solved = solver.solve(&position, u64::MAX, Stop::NEVER).expect("no limit");
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
                let solved = solver.solve(&position, u64::MAX, Stop::NEVER).expect("no limit");
                assert_eq!(solved.wins, plain(&position, &mut known), "{position}");
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

/// The longest that both can make the game last.
fn longest(position: &Hadron) -> u16 {
    let moves = position.legal_moves();
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
                let solved = solver.solve(&position, u64::MAX, Stop::NEVER).expect("no limit");
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
    assert_eq!(solver.solve(&position, 1_000, Stop::NEVER), None);
    let spent = solver.steps();
    assert!((1_000..2_000).contains(&spent), "{spent}");
    assert_eq!(solver.solve(&position, u64::MAX, Stop::new(&AtomicBool::new(true))), None);
    // Interrupted searches leave no wrong results behind.
    let mut rng = fastrand::Rng::with_seed(4);
    for _ in 0..100 {
        let (mut position, mut known) = (Hadron::start(4, 4), HashMap::new());
        while let Some(m) = position.random_move(&mut rng) {
            let steps = rng.u64(1..300);
            if let Some(solved) = solver.solve(&position, steps, Stop::NEVER) {
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
    let solved = old.solve(&position, u64::MAX, Stop::NEVER);
    let steps = old.steps();
    assert!(old.solve(&position, u64::MAX, Stop::NEVER) == solved && old.steps() < steps);
    old.clear();
    assert_eq!((old.solve(&position, u64::MAX, Stop::NEVER), old.steps()), (solved, steps));
}

/// A position, the moves written after its start.
fn after(rows: usize, columns: usize, moves: &str) -> Hadron {
    let mut position = Hadron::start(rows, columns);
    for m in moves.split_whitespace() {
        position.play(position.parse_move(m).expect("a legal move"));
    }
    position
}

fn is_lost_by_mirror(position: &Hadron) -> bool {
    Region::of(position).is_lost_by_mirror()
}

#[test]
fn boards_lost_by_the_mirror_are_lost() {
    let mut rng = fastrand::Rng::with_seed(6);
    for (rows, columns) in [(2, 4), (2, 6), (4, 4), (3, 4), (3, 5), (1, 9)] {
        let (mut known, mut lost) = (HashMap::new(), 0);
        for _ in 0..300 {
            let mut position = Hadron::start(rows, columns);
            while let Some(m) = position.random_move(&mut rng) {
                position.play(m);
                if position.legal() != 0 && is_lost_by_mirror(&position) {
                    assert!(!plain(&position, &mut known), "{position}");
                    lost += 1;
                }
            }
        }
        // Also on odd boards, where no live cell is in the middle.
        assert!(lost > 2, "{rows}x{columns}: {lost}");
    }
}

#[test]
fn cells_in_the_middle_spoil_the_mirror() {
    for (rows, columns) in [(2, 2), (2, 8), (4, 6), (8, 8)] {
        assert!(is_lost_by_mirror(&Hadron::start(rows, columns)));
    }
    // The first three are won: by their middle cell, or beside it.
    for (rows, columns) in [(3, 3), (3, 4), (4, 5), (2, 3), (1, 2), (9, 9)] {
        assert!(!is_lost_by_mirror(&Hadron::start(rows, columns)));
    }
    assert!(is_lost_by_mirror(&after(4, 6, "A2 D5 C1 B6")));
    for moves in ["A2", "A2 D4", "A2 D5 C1", "A2 D5 C1 B5"] {
        assert!(!is_lost_by_mirror(&after(4, 6, moves)), "{moves}");
    }
}

#[test]
fn symmetric_positions_and_no_others_share_a_key() {
    let symmetric = [after(3, 4, "A2 C1"), after(3, 4, "C2 A1"), after(3, 4, "A3 C4")];
    let turned = after(4, 3, "B1 A3");
    for position in symmetric {
        assert_eq!(boards::key(&position), boards::key(&turned), "{position}");
    }
    let mut texts = HashMap::new();
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let mut position = Hadron::start(4, 4);
        while let Some(m) = position.random_move(&mut rng) {
            position.play(m);
            let region = Region::of_mover(&position);
            if let [part] = region.split().collect::<Vec<_>>()[..] {
                let least = part.symmetric().map(|region| format!("{region:?}"));
                let least = least.into_iter().min().expect("eight regions");
                assert_eq!(*texts.entry(boards::key(&position)).or_insert(least.clone()), least);
            }
        }
    }
    let different = texts.values().collect::<HashSet<_>>().len();
    assert!(different == texts.len() && different > 200, "{different} of {}", texts.len());
}

#[test]
fn symmetric_first_moves_of_tall_boards_share_a_key() {
    for (rows, columns, classes) in [(10, 1, 5), (11, 1, 6), (11, 2, 6), (12, 9, 30), (9, 9, 15)] {
        let start = Hadron::tall(rows, columns);
        let moves = start.legal_moves();
        let after = |&m: &Move| {
            let mut position = start;
            position.play(m);
            boards::key(&position)
        };
        let keys: HashSet<u128> = moves.iter().map(after).collect();
        assert_eq!((moves.len(), keys.len()), (rows * columns, classes), "{rows}x{columns}");
    }
}

#[test]
fn ends_of_random_games_on_tall_boards_are_solved_right() {
    let mut solver = boards::BoardSolver::with_memory(0).expect("memory");
    let (mut rng, mut checked) = (fastrand::Rng::with_seed(9), 0);
    for _ in 0..100 {
        let mut position = Hadron::tall(rng.index(10..=12), rng.index(2..=9));
        let mut known = HashMap::new();
        while let Some(m) = position.random_move(&mut rng) {
            position.play(m);
            if position.live().count_ones() <= 17 {
                let wins = solver.wins_board(&position, Stop::NEVER).expect("enough room");
                assert_eq!(wins, plain(&position, &mut known), "{position}");
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

/// Solves positions of random games on small boards, and compares with playing everything.
fn boards_are_solved_right(mut solver: boards::BoardSolver) {
    let mut rng = fastrand::Rng::with_seed(8);
    let sizes = [(1, 9), (2, 6), (3, 3), (4, 4), (3, 5), (10, 1), (11, 1), (12, 1)];
    for (rows, columns) in sizes {
        let mut known = HashMap::new();
        for _ in 0..8 {
            let mut position = Hadron::tall(rows, columns);
            loop {
                let seen = solver.seen_board(&position);
                let wins = solver.wins_board(&position, Stop::NEVER).expect("enough room");
                assert_eq!(wins, plain(&position, &mut known), "{position}");
                assert!(seen.is_none_or(|seen| seen == wins), "{position}");
                let Some(m) = position.random_move(&mut rng) else { break };
                position.play(m);
            }
        }
    }
}

#[test]
fn whole_boards_are_solved_right() {
    boards_are_solved_right(boards::BoardSolver::with_memory(0).expect("memory"));
}

#[test]
fn whole_boards_are_solved_right_without_room_for_values() {
    let few = Values::new(1 << 9);
    boards_are_solved_right(Solver::with_tables(
        few,
        Shapes::new(1 << 4),
        vec![NO_RESULT; 16],
        200,
    ));
}

#[test]
fn a_solver_of_boards_stops_when_it_is_told() {
    let mut solver = boards::BoardSolver::with_memory(0).expect("memory");
    let position = Hadron::start(5, 5);
    assert_eq!(solver.wins_board(&position, Stop::new(&AtomicBool::new(true))), None);
    assert_eq!(
        solver.wins_board(&Hadron::start(4, 4), Stop::new(&AtomicBool::new(true))),
        Some(false)
    );
}
