//! The Monte Carlo search against exhaustive solving, and its promises as an engine.

use std::time::{Duration, Instant};

use crate::exhaustive::{forced_positions, solve};
use alesia::eval::Evaluate;
use alesia::game::{Game, GameState};
use alesia::games::{Hadron, Loa, Murus, Voidrider};
use alesia::search::clock::Budget;
use alesia::search::mcts::MonteCarlo;
use alesia::search::report::{Proof, Report};
use alesia::search::{Engine, EngineOptions};

const OPTIONS: EngineOptions = EngineOptions {
    threads: 1,
    trees: 1,
    memory: 64 << 20,
    seed: 7,
    parameters: None,
    weights: None,
};

fn think<G: Evaluate>(state: &GameState<G>, nodes: u64, options: &EngineOptions) -> Report {
    let mut engine = MonteCarlo::new(state.position, options).unwrap();
    engine.think(state, &Budget::nodes(nodes), &mut |_| {})
}

fn first_player_wins(rows: usize, columns: usize) -> bool {
    let start = GameState::new(Hadron::start(rows, columns));
    match think(&start, 3_000_000, &OPTIONS).proof {
        Some(Proof::Win(_)) => true,
        Some(Proof::Loss(_)) => false,
        other => panic!("{rows}×{columns} is not solved: {other:?}"),
    }
}

macro_rules! small_hadron_boards {
    ($($name:ident: $rows:literal x $columns:literal, $expected:literal;)*) => {
        $(#[test]
        fn $name() {
            assert_eq!(first_player_wins($rows, $columns), $expected);
        })*
    };
}

small_hadron_boards! {
    hadron_3x3_is_won: 3 x 3, true;
    hadron_3x4_is_won: 3 x 4, true;
    hadron_3x5_is_won: 3 x 5, true;
    hadron_3x6_is_won: 3 x 6, true;
    hadron_3x7_is_won: 3 x 7, true;
    hadron_2x5_is_won: 2 x 5, true;
    hadron_2x7_is_won: 2 x 7, true;
    hadron_4x5_is_won: 4 x 5, true;
    hadron_2x2_is_lost: 2 x 2, false;
    hadron_2x3_is_lost: 2 x 3, false;
    hadron_2x4_is_lost: 2 x 4, false;
    hadron_2x6_is_lost: 2 x 6, false;
    hadron_4x4_is_lost: 4 x 4, false;
}

/// In release: half a minute, 2 GiB. Alpha-beta tests that every first move wins, as its
/// transposition table saves most of the work.
#[test]
#[ignore = "a long search, for the release build"]
fn hadron_5x5_is_won() {
    let options = EngineOptions { threads: 2, memory: 2 << 30, ..OPTIONS };
    let report = think(&GameState::new(Hadron::start(5, 5)), 120_000_000, &options);
    assert!(matches!(report.proof, Some(Proof::Win(_))), "{:?}", report.proof);
}

/// Proves forced results, never a quicker win or a slower loss than the true one; overlooks at most
/// `most`.
fn proves_forced_results<G: Evaluate>(start: G, depth: u16, count: usize, most: usize) {
    let mut overlooked = Vec::new();
    let mut positions = forced_positions(start, depth, 2 * count, 11);
    // A single legal move is played without a search.
    positions.retain(|(state, _)| state.position.count_moves() > 1);
    assert!(positions.len() >= count, "the sample is large enough: {}", positions.len());
    let mut engine = MonteCarlo::new(start, &OPTIONS).unwrap();
    for (state, proof) in positions {
        let report = engine.think(&state, &Budget::nodes(300_000), &mut |_| {});
        match (proof, report.proof) {
            (Proof::Win(plies), Some(Proof::Win(found))) => {
                assert!(found >= plies, "{}: {found} before {plies}", state.position);
                let after = state.after(report.best);
                let reply = solve(&after, depth);
                assert!(!matches!(reply, Some(Proof::Win(_) | Proof::Draw)), "{}", state.position);
            }
            // A loss is put off no longer than it can be.
            (Proof::Loss(plies), Some(Proof::Loss(found))) => {
                assert!(found >= plies, "{}: {found}, {plies}", state.position);
            }
            (_, None) => overlooked.push(format!("{}: {proof:?}", state.position)),
            (_, found) => panic!("{}: {proof:?} expected, {found:?} found", state.position),
        }
    }
    assert!(overlooked.len() <= most, "{overlooked:#?}");
}

#[test]
fn forced_results_of_murus_gallicus_are_proven() {
    proves_forced_results(Murus::start(), 4, 30, 0);
}

#[test]
fn forced_results_of_hadron_are_proven() {
    proves_forced_results(Hadron::start(6, 6), 6, 30, 0);
}

#[test]
fn forced_results_of_lines_of_action_are_proven() {
    proves_forced_results(Loa::start(Default::default()), 3, 20, 0);
}

#[test]
fn forced_results_of_voidrider_chess_are_proven() {
    // A quiet first move that opens a line to the king may have a small prior, and its mate come
    // late.
    proves_forced_results(Voidrider::start(), 3, 10, 2);
}

#[test]
fn one_thread_and_a_node_budget_give_the_same_report_every_time() {
    let mut state = GameState::new(Loa::start(Default::default()));
    state.play_text("B1-B3 H3-F5 G8-G6").unwrap();
    let reports: Vec<Report> = (0..2).map(|_| think(&state, 20_000, &OPTIONS)).collect();
    assert_eq!(reports[0].nodes, 20_000);
    assert_eq!(reports[0].variation, reports[1].variation);
    assert_eq!(reports[0].value.to_bits(), reports[1].value.to_bits());
    // A second search by the same engine starts afresh.
    let mut engine = MonteCarlo::new(state.position, &OPTIONS).unwrap();
    for _ in 0..2 {
        let report = engine.think(&state, &Budget::nodes(20_000), &mut |_| {});
        assert_eq!(report.variation, reports[0].variation);
    }
}

#[test]
fn a_node_budget_is_dealt_out_to_all_threads() {
    let state = GameState::new(Murus::start());
    for (threads, trees) in [(2, 1), (2, 2), (3, 2), (5, 5)] {
        let options = EngineOptions { threads, trees, ..OPTIONS };
        assert_eq!(think(&state, 10_001, &options).nodes, 10_001, "{threads} on {trees}");
    }
}

#[test]
fn a_full_pool_ends_nothing() {
    let options = EngineOptions { memory: 64 << 10, ..OPTIONS };
    let state = GameState::new(Loa::start(Default::default()));
    let report = think(&state, 200_000, &options);
    assert_eq!(report.nodes, 200_000);
    assert!(report.fill > 900, "the pool is full: {}", report.fill);
}

#[test]
fn a_single_legal_move_is_played_without_thinking() {
    // White's only tower can only go east.
    let forced = ".......B/......../BB....../W......./BB....../......../........ w 40";
    for (position, moves, nodes) in
        [(Murus::start(), 20, 1000), (Murus::start().parse_board(forced).unwrap(), 1, 0)]
    {
        let state = GameState::new(position);
        assert_eq!(state.ending(), None);
        assert_eq!(position.count_moves(), moves);
        assert_eq!(think(&state, 1000, &OPTIONS).nodes, nodes);
    }
}

/// A deadline that has passed still gets a legal move, at every ply of a game.
fn answers_past_deadlines<G: Evaluate>(start: G) {
    let options = EngineOptions { threads: 2, trees: 1, memory: 1 << 20, ..OPTIONS };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    let mut rng = fastrand::Rng::with_seed(3);
    let mut state = GameState::new(start);
    while state.ending().is_none() {
        let report = engine.think(&state, &Budget::until(Instant::now()), &mut |_| {});
        let moves = state.position.legal_moves();
        assert!(moves.contains(&report.best));
        state.play(moves[rng.usize(..moves.len())]);
    }
}

#[test]
fn past_deadlines_get_a_legal_move_in_every_game() {
    answers_past_deadlines(Murus::start());
    answers_past_deadlines(Hadron::start(9, 9));
    answers_past_deadlines(Loa::start(Default::default()));
    answers_past_deadlines(Voidrider::start());
}

#[test]
fn interim_reports_come_while_thinking() {
    let start = Hadron::start(9, 9);
    let mut engine = MonteCarlo::new(start, &OPTIONS).unwrap();
    let mut nodes = Vec::new();
    let deadline = Instant::now() + Duration::from_millis(400);
    let report = engine.think(&GameState::new(start), &Budget::until(deadline), &mut |report| {
        nodes.push(report.nodes);
    });
    assert!(!nodes.is_empty());
    assert!(nodes.is_sorted());
    assert!(*nodes.last().unwrap() <= report.nodes);
}
