//! A game of Hadron is never lost from a position that was solved as won.

use std::time::{Duration, Instant};

use alesia::eval::stop::Stop;
use alesia::game::{Game, GameState, Side};
use alesia::games::Hadron;
use alesia::games::hadron::endgame::Solver;
use alesia::search::clock::Budget;
use alesia::search::report::Proof;
use alesia::search::{Engine, EngineKind, EngineOptions};

const FILE: &str = include_str!("../data/hadron_endgames.tsv");

/// Every `one_in`-th position that engines' games have reached.
fn positions(one_in: usize) -> Vec<GameState<Hadron>> {
    let lines = FILE.lines().filter_map(|line| line.split_once('\t'));
    let boards = lines.step_by(one_in).map(|(_, board)| board);
    let start = Hadron::start(9, 9);
    boards.map(|board| GameState::new(start.parse_board(board).expect("a position"))).collect()
}

fn engine(kind: EngineKind, seed: u64) -> Box<dyn Engine<Hadron>> {
    let options = EngineOptions { memory: 4 << 20, seed, ..EngineOptions::default() };
    kind.build_for(Hadron::start(9, 9), &options).expect("memory and threads")
}

/// Plays all positions with either engine, as White and as Black, and checks the winner: from the
/// first position that the engine has proven or, for the tree search, that the solver gives as won.
fn never_loses(player: EngineKind, opponent: EngineKind, one_in: usize) {
    // Alpha-beta does not try all moves of a root as hard.
    let also_unproven = player == EngineKind::MonteCarlo;
    let (mut player, mut opponent) = (engine(player, 1), engine(opponent, 2));
    let mut solver = Solver::new();
    let mut held = 0;
    for start in positions(one_in) {
        for side in [Side::White, Side::Black] {
            let mut state = start;
            let mut won = false;
            while state.ending().is_none() {
                let ours = state.position.side() == side;
                let mover = if ours { &mut player } else { &mut opponent };
                if ours && also_unproven {
                    won |=
                        solver.solve(&state.position, 20_000, Stop::NEVER).is_some_and(|s| s.wins);
                }
                let report = mover.think(&state, &Budget::nodes(500), &mut |_| {});
                won |= ours && matches!(report.proof, Some(Proof::Win(_)));
                state.play(report.best);
            }
            let winner = state.ending().and_then(|ending| match ending.outcome {
                alesia::game::Outcome::Win(winner) => Some(winner),
                alesia::game::Outcome::Draw => None,
            });
            assert!(!won || winner == Some(side), "{}", start.position);
            held += usize::from(won);
        }
    }
    assert!(held > 20, "{held}");
}

#[test]
fn tree_search_keeps_its_wins_against_random_moves() {
    never_loses(EngineKind::MonteCarlo, EngineKind::Random, 20);
}

#[test]
fn tree_search_keeps_its_wins_against_alpha_beta() {
    never_loses(EngineKind::MonteCarlo, EngineKind::AlphaBeta, 20);
}

#[test]
fn alpha_beta_keeps_its_wins_against_the_tree_search() {
    never_loses(EngineKind::AlphaBeta, EngineKind::MonteCarlo, 20);
}

#[test]
fn a_search_continues_where_every_leaf_is_slow() {
    // Leaves are slower by so much without optimisations.
    const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 200 } else { 40 });
    let mut rng = fastrand::Rng::with_seed(5);
    let options = EngineOptions { memory: 1 << 20, ..EngineOptions::default() };
    let mut engine = EngineKind::MonteCarlo.build_for(Hadron::start(7, 7), &options).unwrap();
    let mut thought = 0;
    for _ in 0..20 {
        let mut state = GameState::new(Hadron::start(7, 7));
        for _ in 0..rng.usize(4..12) {
            state.play(state.position.random_move(&mut rng).unwrap());
        }
        let budget = Budget::until(Instant::now() + TIME);
        let report = engine.think(&state, &budget, &mut |_| {});
        thought += usize::from(report.nodes > 0 || report.proof.is_some());
    }
    // A busy machine may keep a worker from its work for so long now and then.
    assert!(thought >= 10, "{thought} of 20");
}
