//! A search of some moves alone, and for several lines of play.

use alesia::game::{Game, GameState, Move, MoveList};
use alesia::games::{AnyGame, AnyState};
use alesia::search::clock::Budget;
use alesia::search::report::{Proof, Report};
use alesia::search::{Engine, EngineKind, EngineOptions};

fn engine(kind: EngineKind, start: AnyGame) -> Box<dyn Engine> {
    let options = EngineOptions { memory: 4 << 20, ..EngineOptions::default() };
    kind.build(start, &options).unwrap()
}

fn start(game: &str) -> AnyState {
    GameState::new(AnyGame::named(game).unwrap())
}

fn moves(state: &AnyState) -> MoveList {
    state.position.legal_moves()
}

/// The first moves of all lines of a report, the best first.
fn first_moves(report: &Report) -> Vec<Move> {
    let others = report.alternatives.iter().map(|line| line.variation[0]);
    std::iter::once(report.best).chain(others).collect()
}

const GAMES: [&str; 5] = ["murus", "hadron5", "loa", "voidrider", "variant:losalamos"];

#[test]
fn only_the_chosen_moves_are_played() {
    for game in GAMES {
        let state = start(game);
        let all = moves(&state);
        let last = all[all.len() - 2..].to_vec();
        for kind in EngineKind::ALL {
            let mut engine = engine(kind, state.position);
            for only in [&last[..], &last[..1], &all[..3]] {
                for nodes in [0, 1, 100] {
                    let budget = Budget { only, lines: 3, ..Budget::nodes(nodes) };
                    let report = engine.think(&state, &budget, &mut |interim| {
                        assert!(only.contains(&interim.best));
                    });
                    let found = first_moves(&report);
                    assert!(found.iter().all(|m| only.contains(m)), "{game} {kind} {nodes}");
                    assert_eq!(report.variation[0], report.best);
                }
            }
        }
    }
}

#[test]
fn lines_of_play_begin_with_different_moves_and_the_best_is_that_of_one_line() {
    for game in ["hadron5", "loa", "variant:losalamos"] {
        let state = start(game);
        for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
            let mut engine = engine(kind, state.position);
            let budget = Budget { lines: 4, ..Budget::nodes(1500) };
            let report = engine.think(&state, &budget, &mut |_| {});
            let mut found = first_moves(&report);
            assert_eq!(found.len(), 4, "{game} {kind}");
            for line in &report.alternatives {
                let mut after = state;
                for &m in &line.variation {
                    assert!(moves(&after).contains(&m), "{game} {kind}");
                    after.play(m);
                }
            }
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), 4, "{game} {kind}: a move twice");
            if kind == EngineKind::MonteCarlo {
                // Lines are read off the same tree.
                engine.new_game(0);
                let one = engine.think(&state, &Budget::nodes(1500), &mut |_| {});
                assert_eq!(one.variation, report.variation);
                assert!(one.alternatives.is_empty());
                let ranked = engine.root_moves(&state);
                let ranked: Vec<Move> = ranked[..4].iter().map(|root| root.m).collect();
                assert_eq!(first_moves(&report), ranked);
            }
        }
    }
}

#[test]
fn what_was_left_out_is_searched_by_the_next_search() {
    // Black mates by Qh4; without it nothing is decided.
    let mut state = start("variant:chess");
    state.play_text("f2f3 e7e5 g2g4").unwrap();
    let mate = state.position.parse_move("d8h4").unwrap();
    let others: Vec<Move> = moves(&state).into_iter().filter(|&m| m != mate).collect();
    for kind in [EngineKind::MonteCarlo, EngineKind::AlphaBeta] {
        let mut engine = engine(kind, state.position);
        for _ in 0..2 {
            let budget = Budget { only: &others, ..Budget::nodes(300) };
            let without = engine.think(&state, &budget, &mut |_| {});
            assert!(without.best != mate && without.proof.is_none(), "{kind}");
            // As after pondering, from which the moves alone differ.
            engine.keep();
            let with = engine.think(&state, &Budget::nodes(300), &mut |_| {});
            assert_eq!((with.best, with.proof), (mate, Some(Proof::Win(1))), "{kind}");
            engine.keep();
        }
    }
}

#[test]
fn a_search_of_some_moves_continues_after_pondering_on_the_same() {
    let state = start("loa");
    let only = &moves(&state)[..2];
    let mut engine = engine(EngineKind::MonteCarlo, state.position);
    let budget = Budget { only, ..Budget::nodes(1000) };
    engine.think(&state, &budget, &mut |_| {});
    engine.keep();
    let on = engine.think(&state, &budget, &mut |_| {});
    assert!(on.tree.unwrap().kept >= 1000);
    assert_eq!(engine.root_moves(&state).len(), 2);
}
