//! The invariants of finished trees, with more threads than cores and with full pools.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::compaction;
use super::node::Node;
use super::player::MonteCarlo;
use super::proof::Bounds;
use super::standing::Next;
use super::stats::{Stats, VIRTUAL_LOSS};
use super::tree::Tree;
use super::tree_search::TreeSearch;
use crate::eval::Evaluate;
use crate::eval::nodes::Nodes;
use crate::eval::oracle::{NoOracle, Oracle};
use crate::eval::stop::Stop;
use crate::game::{Game, GameState, Move};
use crate::games::murus::threats;
use crate::games::{Hadron, Loa, Murus, Voidrider};
use crate::search::clock::Budget;
use crate::search::{Engine, EngineOptions};

/// Iterations of each search here, more in an optimised build.
const ITERATIONS: u64 = if cfg!(debug_assertions) { 6_000 } else { 15_000 };

/// Searches, waits for all workers, and checks all trees.
fn check<G: Evaluate>(start: G, threads: usize, trees: usize, memory: usize) {
    let options = EngineOptions { threads, trees, memory, seed: 5, ..Default::default() };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    let mut state = GameState::new(start);
    for _ in 0..4 {
        let report = engine.think(&state, &Budget::nodes(ITERATIONS), &mut |_| {});
        let iterations = engine.inspect().unwrap().iterations;
        assert!(
            iterations == ITERATIONS || report.proof.is_some() || report.nodes == 0,
            "{iterations} iterations: {report:?}"
        );
        state.play(report.best);
        if state.ending().is_some() {
            break;
        }
    }
}

#[test]
fn invariants_hold_with_one_thread() {
    check(Murus::start(), 1, 1, 8 << 20);
    check(Hadron::start(9, 9), 1, 1, 8 << 20);
    check(Loa::start(Default::default()), 1, 1, 8 << 20);
    check(Voidrider::start(), 1, 1, 8 << 20);
}

#[test]
fn invariants_hold_with_more_threads_than_cores_on_one_tree() {
    check(Murus::start(), 8, 1, 8 << 20);
    check(Hadron::start(9, 9), 8, 1, 8 << 20);
    check(Loa::start(Default::default()), 8, 1, 8 << 20);
    check(Voidrider::start(), 8, 1, 8 << 20);
}

#[test]
fn the_moves_at_the_root_are_all_legal_ones_and_begin_with_those_of_the_report() {
    let options = EngineOptions { memory: 8 << 20, ..Default::default() };
    let mut engine = MonteCarlo::new(Loa::start(Default::default()), &options).unwrap();
    let mut state = GameState::new(Loa::start(Default::default()));
    assert_eq!(engine.root_moves(&state), [], "nothing was searched");
    let report = engine.think(&state, &Budget::nodes(500), &mut |_| {});
    let moves = engine.root_moves(&state);
    assert_eq!(moves[..report.top_moves.len()], report.top_moves[..]);
    assert_eq!(moves.len(), state.position.count_moves());
    let visits: u64 = moves.iter().map(|root| root.visits).sum();
    assert!((490..=500).contains(&visits), "{visits}");
    state.play(report.best);
    assert_eq!(engine.root_moves(&state), [], "another position");
}

/// A game of random moves, a few plies before it lasts too long.
fn shortly_before_the_limit<G: Evaluate>(start: G, plies: usize) -> GameState<G> {
    let mut rng = fastrand::Rng::with_seed(9);
    loop {
        let mut state = GameState::new(start);
        while state.ending().is_none() {
            if state.position.ply() + plies == state.position.ply_limit() {
                return state;
            }
            state.play(state.position.random_move(&mut rng).unwrap());
        }
    }
}

#[test]
fn many_threads_end_where_the_game_ends() {
    let options = EngineOptions { threads: 8, memory: 8 << 20, ..Default::default() };
    let state = shortly_before_the_limit(Voidrider::start(), 5);
    let mut engine = MonteCarlo::new(state.position, &options).unwrap();
    for seed in 0..if cfg!(debug_assertions) { 40 } else { 100 } {
        engine.new_game(seed);
        let report = engine.think(&state, &Budget::nodes(8_000), &mut |_| {});
        engine.shell.wait(None);
        assert!(engine.shared().count() == 8_000 || report.proof.is_some(), "a worker panicked");
    }
}

/// Checks each visited leaf below a node: where its position is neither over nor decided, a proof
/// is one by threats. Returns how many there are.
fn proofs_at_leaves(nodes: &[Node], node: &Node, position: Murus, depth: usize) -> usize {
    if let Some(children) = node.children(nodes) {
        let below = |child: &Node| {
            let after = position.after(child.to_here().expect("a child has a move"));
            proofs_at_leaves(nodes, child, after, depth + 1)
        };
        return children.nodes().map(below).sum();
    }
    let moves = position.legal_moves();
    let over = position.won().is_some() || moves.is_empty();
    // At depth 1 it is the root that looks.
    if node.stats().visits == 0 || depth < 2 || over || position.decided().is_some() {
        return 0;
    }
    let mut visited = Nodes::at_most(u64::MAX);
    let proof = threats::solve(&position, Murus::TUNING.oracle_depth, &mut visited);
    assert_eq!(node.bounds().proof(), proof, "{position}");
    usize::from(proof.is_some())
}

#[test]
fn a_leaf_that_is_won_or_lost_by_threats_is_proven() {
    let options = EngineOptions { memory: 8 << 20, ..Default::default() };
    let mut found = 0;
    for seed in 0..30 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = GameState::new(Murus::start());
        while state.ending().is_none() && state.position.ply() < 24 {
            state.play(state.position.random_move(&mut rng).expect("the game is not over"));
        }
        if state.ending().is_some() {
            continue;
        }
        let mut engine = MonteCarlo::new(Murus::start(), &options).unwrap();
        engine.think(&state, &Budget::nodes(2_000), &mut |_| {});
        engine.shell.wait(None);
        let (nodes, root) = (&engine.shared().arena, engine.shared().trees[0].root());
        found += proofs_at_leaves(nodes, &nodes[root], state.position, 0);
    }
    assert!(found > 20, "{found}");
}

#[test]
fn invariants_hold_with_several_trees() {
    check(Murus::start(), 4, 4, 8 << 20);
    check(Loa::start(Default::default()), 5, 2, 8 << 20);
}

#[test]
fn invariants_hold_in_full_pools() {
    check(Murus::start(), 4, 1, 64 << 10);
    check(Loa::start(Default::default()), 2, 2, 64 << 10);
    check(Voidrider::start(), 3, 2, 128 << 10);
}

/// What the tests of pondering ask for; and what a root shows at least by then, since iterations
/// under way count as well, until they are stopped.
const PONDERED: u64 = 5_000;
/// As in [`NoOracle`], the largest of all games.
const POLL_ITERATIONS: u64 = <NoOracle as Oracle<Murus>>::POLL_ITERATIONS;

const SHOWN: u64 = PONDERED + 8 * POLL_ITERATIONS * VIRTUAL_LOSS;

/// Lets an engine ponder until its trees have grown a little.
fn ponder<G: Evaluate>(engine: &mut MonteCarlo<G>, state: &GameState<G>) {
    engine.ponder(state);
    let grown = |shared: &TreeSearch<G>| {
        shared.trees.iter().all(|tree| u64::from(shared.arena[tree.root()].stats().visits) > SHOWN)
    };
    while !grown(engine.shared()) {
        std::thread::yield_now();
    }
}

/// The visits of all roots before a search of one iteration.
fn visits_kept<G: Evaluate>(engine: &mut MonteCarlo<G>, state: &GameState<G>) -> u64 {
    let report = engine.think(state, &Budget::nodes(1), &mut |_| {});
    let legal = state.position.legal_moves();
    assert!(legal.contains(&report.best));
    engine.shell.wait(None);
    let shared = &engine.shared();
    for tree in &shared.trees {
        shared.inspect_tree(tree).unwrap();
    }
    let visits = |tree: &Tree| u64::from(shared.arena[tree.root()].stats().visits);
    shared.trees.iter().map(visits).sum()
}

fn keeps_what_was_pondered<G: Evaluate>(start: G, threads: usize, trees: usize) {
    let options = EngineOptions { threads, trees, memory: 32 << 20, seed: 5, ..Default::default() };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    let state = GameState::new(start);
    // The position itself, as in a warm-up.
    ponder(&mut engine, &state);
    assert!(visits_kept(&mut engine, &state) > PONDERED);
    // After `keep` one search continues the last one; the search after it begins anew.
    engine.think(&state, &Budget::nodes(SHOWN), &mut |_| {});
    engine.keep();
    assert!(visits_kept(&mut engine, &state) > PONDERED);
    assert!(visits_kept(&mut engine, &state) <= trees as u64);
    // The reply that was looked at most.
    ponder(&mut engine, &state);
    let shared = &engine.shared();
    let most =
        shared.root_children(&shared.trees[0]).max_by_key(|child| child.stats().visits).unwrap();
    let reply = most.to_here().unwrap();
    let after = state.after(reply);
    assert!(visits_kept(&mut engine, &after) > 100);
    // Anything else: an earlier position, and the same position with another past.
    assert!(visits_kept(&mut engine, &state) <= trees as u64);
    ponder(&mut engine, &state);
    let mut elsewhere = state;
    elsewhere.history.push(&after.position);
    if state.position.has_repetition() {
        assert!(visits_kept(&mut engine, &elsewhere) <= trees as u64);
    }
}

#[test]
fn pondering_keeps_what_it_can_use() {
    keeps_what_was_pondered(Murus::start(), 1, 1);
    keeps_what_was_pondered(Hadron::start(9, 9), 3, 1);
    keeps_what_was_pondered(Loa::start(Default::default()), 2, 2);
    keeps_what_was_pondered(Voidrider::start(), 3, 2);
}

fn grows_trees_differently<G: Evaluate>(start: G) {
    let options =
        EngineOptions { threads: 2, trees: 2, memory: 8 << 20, seed: 5, ..Default::default() };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    engine.think(&GameState::new(start), &Budget::nodes(4_000), &mut |_| {});
    engine.shell.wait(None);
    let shared = &engine.shared();
    let visits = |tree| -> Vec<u32> {
        shared.root_children(tree).map(|child| child.stats().visits).collect()
    };
    assert_ne!(visits(&shared.trees[0]), visits(&shared.trees[1]), "{}", G::TITLE);
}

#[test]
fn trees_of_their_own_grow_differently() {
    grows_trees_differently(Murus::start());
    grows_trees_differently(Hadron::start(9, 9));
    grows_trees_differently(Loa::start(Default::default()));
    grows_trees_differently(Voidrider::start());
}

/// Everything that a search knows of a node, and where its children stand in the list: in their
/// order, without those that it knows nothing of.
struct Known {
    m: Option<Move>,
    stats: Stats,
    bounds: Bounds,
    prior: u32,
    children: Vec<usize>,
}

impl Known {
    fn facts(&self) -> (Option<Move>, Stats, Bounds, u32) {
        (self.m, self.stats, self.bounds, self.prior)
    }
}

/// Everything that a search knows below a node, which is the first of the list; children that
/// several nodes share stand in it once.
fn known(nodes: &[Node], index: usize) -> Vec<Known> {
    let (mut order, mut places) = (vec![index], HashMap::from([(index, 0)]));
    let mut list = Vec::new();
    while let Some(&index) = order.get(list.len()) {
        let node = &nodes[index];
        let mut children = Vec::new();
        for child in node.children(nodes).iter().flat_map(|children| children.indices()) {
            if compaction::says_something(&nodes[child]) {
                let place = *places.entry(child).or_insert_with(|| {
                    order.push(child);
                    order.len() - 1
                });
                children.push(place);
            }
        }
        let (m, stats, bounds) = (node.to_here(), node.stats(), node.bounds());
        list.push(Known { m, stats, bounds, prior: node.prior().to_bits(), children });
    }
    list
}

/// Whether all that is known in one list is known in another: below a node of it either all
/// children or, where `parts` are allowed, none.
fn is_part(part: &[Known], whole: &[Known], parts: bool) -> bool {
    let mut pairs = vec![(0, 0)];
    let mut seen = HashSet::from([(0, 0)]);
    while let Some((a, b)) = pairs.pop() {
        let (a, b) = (&part[a], &whole[b]);
        let lost = parts && a.children.is_empty();
        if a.facts() != b.facts() || !(lost || a.children.len() == b.children.len()) {
            return false;
        }
        let children = a.children.iter().copied().zip(b.children.iter().copied());
        pairs.extend(children.filter(|&pair| seen.insert(pair)));
    }
    true
}

/// An engine after a search, and its tree with the root moved to the best child.
fn after_a_move(memory: usize, nodes: u64, threads: usize) -> MonteCarlo<Murus> {
    let options = EngineOptions { memory, threads, ..Default::default() };
    let mut engine = MonteCarlo::new(Murus::start(), &options).unwrap();
    let mut state = GameState::new(Murus::start());
    let report = engine.think(&state, &Budget::nodes(nodes), &mut |_| {});
    engine.shell.wait(None);
    state.play(report.best);
    engine.standing.stand_at(&engine.shell, &Next::of_all_moves(&state, false));
    engine
}

/// Whether some nodes of the first tree share their children.
fn has_shared_children(shared: &TreeSearch<Murus>) -> bool {
    shared.arena.iter().any(Node::shares_children)
}

/// Keeps the reachable part of the first tree.
fn keep(shared: &TreeSearch<Murus>, until: Option<Instant>, stop: bool) {
    let (tree, transpositions) = (&shared.trees[0], shared.transpositions(0));
    shared.compactions[0].begin(&shared.arena, tree);
    let (stop, compaction) = (AtomicBool::new(stop), &shared.compactions[0]);
    let help = || compaction.help(&shared.arena, tree, transpositions, until, Stop::new(&stop));
    let finished = std::thread::scope(|scope| {
        let helpers: Vec<_> = (0..tree.workers()).map(|_| scope.spawn(help)).collect();
        helpers.into_iter().map(|helper| helper.join().unwrap()).filter(|&last| last).count()
    });
    assert_eq!(finished, usize::from(!stop.into_inner()));
}

#[test]
fn kept_trees_are_true_copies_wherever_the_ring_turns() {
    for (threads, turns) in [(1, 50), (4, 20)] {
        let engine = after_a_move(8 << 20, 30_000, threads);
        let (shared, tree) = (engine.shared(), &engine.shared().trees[0]);
        let before = known(&shared.arena, tree.root());
        assert!(before[0].stats.visits > 1_000 && has_shared_children(shared));
        let used = tree.usage().0;
        for _ in 0..turns {
            keep(shared, None, false);
            shared.inspect_tree(tree).unwrap();
            let after = known(&shared.arena, tree.root());
            assert!(is_part(&after, &before, false) && after.len() < before.len() * 21 / 20);
            assert!(tree.usage().0 < used, "the rest is free again");
        }
    }
}

#[test]
fn no_search_begins_beside_a_worker_that_may_copy_yet() {
    let engine = after_a_move(8 << 20, 30_000, 1);
    let shared = engine.shared();
    assert!(engine.shell.may_begin_beside());
    shared.begin_compaction(u32::MAX);
    shared.compacting.fetch_add(1, Ordering::Relaxed);
    assert!(!engine.shell.may_begin_beside());
    shared.compacting.fetch_sub(1, Ordering::Relaxed);
    assert!(engine.shell.may_begin_beside(), "it was given up, and all have left it");
    shared.compacting.fetch_add(1, Ordering::Relaxed);
    shared.compact(0, None, 0, Stop::NEVER);
    assert!(engine.shell.may_begin_beside(), "who has not left has nothing to do any more");
}

#[test]
fn a_copy_without_time_or_room_has_lost_the_deepest_nodes_only() {
    // The time is up at once; or all that fills the pool is kept.
    let cases = [(8 << 20, 1, Some(Instant::now())), (64 << 10, 1, None), (192 << 10, 3, None)];
    for (memory, threads, until) in cases {
        let mut engine = after_a_move(memory, 30_000, threads);
        let state = *engine.standing.state().unwrap();
        engine.think(&state, &Budget::nodes(30_000), &mut |_| {});
        engine.shell.wait(None);
        let (shared, tree) = (engine.shared(), &engine.shared().trees[0]);
        let before = known(&shared.arena, tree.root());
        keep(shared, until, false);
        shared.inspect_tree(tree).unwrap();
        let after = known(&shared.arena, tree.root());
        assert!(!after[0].children.is_empty());
        assert!(is_part(&after, &before, true) && !is_part(&after, &before, false));
    }
}

#[test]
fn a_copy_that_is_stopped_leaves_the_tree_as_it_was() {
    let engine = after_a_move(8 << 20, 30_000, 1);
    let (shared, tree) = (engine.shared(), &engine.shared().trees[0]);
    let (root, usage) = (tree.root(), tree.usage());
    let before = known(&shared.arena, root);
    keep(shared, None, true);
    assert_eq!((tree.root(), tree.usage()), (root, usage));
    let after = known(&shared.arena, root);
    assert!(is_part(&after, &before, false) && after.len() == before.len());
}

#[test]
fn trees_are_kept_on_request_and_the_search_goes_on() {
    let options = EngineOptions { threads: 3, trees: 2, memory: 8 << 20, ..Default::default() };
    let mut engine = MonteCarlo::new(Loa::start(Default::default()), &options).unwrap();
    let mut state = GameState::new(Loa::start(Default::default()));
    let report = engine.think(&state, &Budget::nodes(4_000), &mut |_| {});
    let all = engine.inspect_nodes().unwrap();
    state.play(report.best);
    engine.keep_trees(&state);
    let kept = engine.inspect_nodes().unwrap();
    assert!(100 < kept && kept < all, "{kept} nodes of {all}");
    engine.keep();
    let report = engine.think(&state, &Budget::nodes(1_000), &mut |_| {});
    assert!(report.tree.unwrap().kept > 100);
    engine.inspect().unwrap();
}

#[test]
fn a_copy_remembers_whose_children_are_to_be_halved() {
    let engine = after_a_move(8 << 20, 30_000, 1);
    let (shared, tree) = (engine.shared(), &engine.shared().trees[0]);
    let marked = |node: &Node| node.has_unhalved_children();
    shared.arena[tree.root()].mark_children_unhalved();
    shared.root_children(tree).for_each(Node::mark_children_unhalved);
    let expected = 1 + shared.root_children(tree).filter(|child| marked(child)).count();
    keep(shared, None, false);
    let root = &shared.arena[tree.root()];
    assert!(marked(root) && root.unstored());
    assert_eq!(1 + shared.root_children(tree).filter(|child| marked(child)).count(), expected);
    assert!(expected > 2);
}

#[test]
fn a_spoiled_tree_is_found() {
    let engine = after_a_move(8 << 20, 30_000, 1);
    let (shared, tree) = (engine.shared(), &engine.shared().trees[0]);
    assert!(shared.inspect_tree(tree).is_ok());
    // As if an iteration had passed the child and not its parent.
    let visits = shared.arena[tree.root()].stats().visits;
    shared.root_children(tree).next().unwrap().add_iterations::<true>(visits, 0);
    let found = shared.inspect_tree(tree).unwrap_err();
    assert!(found.contains(" visits, its children "), "{found}");
}

#[test]
fn a_search_ends_early_only_where_time_is_saved_or_there_is_no_choice() {
    let mut state = GameState::new(Murus::start());
    // Where one move is clearly the best.
    state.play_text("G2,NE A3,S G5,N A7,S G8,NW A8,SW G4,NE A1,SE G3,N B7,SW E6,NE A4,SW").unwrap();
    let options = EngineOptions { memory: 8 << 20, ..Default::default() };
    let mut engine = MonteCarlo::new(Murus::start(), &options).unwrap();
    let report = engine.think(&state, &Budget::nodes(20_000), &mut |_| {});
    engine.shell.wait(None);
    // As if a second had passed and a thousandth were left, for 20 iterations more.
    let now = Instant::now();
    let (started, deadline) = (now - Duration::from_secs(1), now + Duration::from_millis(1));
    let lead = report.top_moves[0].visits.saturating_sub(report.top_moves[1].visits);
    assert!(lead > 100, "{lead}");
    assert!(engine.shared().settled(started, &Budget::at_most_until(deadline)));
    assert!(!engine.shared().settled(started, &Budget::until(deadline)));
    let mut small =
        MonteCarlo::new(Murus::start(), &EngineOptions { memory: 1 << 20, ..Default::default() })
            .unwrap();
    small.think(&state, &Budget::nodes(100_000), &mut |_| {});
    small.shell.wait(None);
    assert!(small.shared().trees[0].full());
    assert!(small.shared().settled(started, &Budget::until(deadline)), "nothing more is learned");
    let root = &engine.shared().arena[engine.shared().trees[0].root()];
    for child in root.children(&engine.shared().arena).unwrap().nodes().skip(1) {
        child.tighten(Bounds::win(3));
    }
    assert!(engine.shared().settled(started, &Budget::until(deadline)), "all others lose");
}
