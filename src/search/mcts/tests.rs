//! The invariants of finished trees, with more threads than cores and with full pools.

use std::collections::HashSet;

use super::*;
use crate::games::{Hadron, Loa, Murus, Voidrider};

/// Walks a tree and checks every node that it reaches; returns how many there are.
fn check_tree<G: Evaluate>(shared: &Shared<G>, tree: &Tree) -> usize {
    let first = tree.root();
    let last = first + tree.usage().0 as usize;
    let mut reached = HashSet::from([first]);
    let mut open = vec![first];
    while let Some(index) = open.pop() {
        let node = &shared.arena[index];
        let bounds = node.bounds();
        let Some(children) = node.children() else { continue };
        assert!(first < children.start && children.end <= last, "children in the tree's range");
        let mut child_visits = 0;
        let mut priors = 0.0;
        for child in children.clone() {
            assert!(reached.insert(child), "no node has two parents");
            open.push(child);
            child_visits += u64::from(shared.arena[child].stats().visits);
            priors += shared.arena[child].prior();
            assert!(shared.arena[child].to_here().is_some());
        }
        let stats = node.stats();
        assert!(child_visits <= u64::from(stats.visits), "every child's visit passed its parent");
        assert!(stats.reward <= u64::from(stats.visits) * u64::from(node::REWARD_OF_WIN));
        assert!((priors - 1.0).abs() < 1e-3, "priors sum to 1: {priors}");
        let of_children = Bounds::of_parent(shared.arena[children].iter().map(Node::bounds));
        if bounds.proven() && index != first {
            // A position that a rule decides, or that wins at once, needs no children.
            let by_children = of_children.proof() == bounds.proof();
            assert!(by_children || !of_children.proven() || bounds.is_win(), "{bounds:?}");
        }
    }
    reached.len()
}

/// Searches, waits for all workers, and checks all trees.
fn check<G: Evaluate>(start: G, threads: usize, trees: usize, memory: usize) {
    let options = EngineOptions { threads, trees, memory, seed: 5, parameters: None };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    let mut state = GameState::new(start);
    for _ in 0..6 {
        let report = engine.think(&state, &Budget::nodes(20_000), &mut |_| {});
        engine.workers.wait_until(None);
        let shared = &engine.shared;
        let mut at_roots = 0;
        for tree in &shared.trees {
            let nodes = check_tree(shared, tree);
            assert!(nodes <= tree.usage().1 as usize);
            at_roots += u64::from(shared.arena[tree.root()].stats().visits);
        }
        let iterations: u64 =
            shared.iterations.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        assert_eq!(at_roots, iterations, "every iteration has passed a root, once");
        assert!(iterations == 20_000 || report.proof.is_some() || report.nodes == 0);
        state.play(report.best);
        if state.ending().is_some() {
            break;
        }
    }
}

#[test]
fn invariants_hold_with_one_thread() {
    check(Murus::start(), 1, 1, 8 << 20);
    check(Hadron::start(5, 5), 1, 1, 8 << 20);
    check(Loa::start(Default::default()), 1, 1, 8 << 20);
    check(Voidrider::start(), 1, 1, 8 << 20);
}

#[test]
fn invariants_hold_with_more_threads_than_cores_on_one_tree() {
    check(Murus::start(), 8, 1, 8 << 20);
    check(Hadron::start(5, 5), 8, 1, 8 << 20);
    check(Loa::start(Default::default()), 8, 1, 8 << 20);
    check(Voidrider::start(), 8, 1, 8 << 20);
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

/// Lets an engine ponder until its trees have grown a little.
fn ponder<G: Evaluate>(engine: &mut MonteCarlo<G>, state: &GameState<G>) {
    engine.ponder(state);
    let grown = |shared: &Shared<G>| {
        shared.trees.iter().all(|tree| shared.arena[tree.root()].stats().visits > 5_000)
    };
    while !grown(&engine.shared) {
        std::thread::yield_now();
    }
}

/// The visits of all roots before a search of one iteration.
fn visits_kept<G: Evaluate>(engine: &mut MonteCarlo<G>, state: &GameState<G>) -> u64 {
    let report = engine.think(state, &Budget::nodes(1), &mut |_| {});
    let mut legal = MoveList::new();
    state.position.moves(&mut legal);
    assert!(legal.contains(&report.best));
    engine.workers.wait_until(None);
    let shared = &engine.shared;
    for tree in &shared.trees {
        check_tree(shared, tree);
    }
    let visits = |tree: &Tree| u64::from(shared.arena[tree.root()].stats().visits);
    shared.trees.iter().map(visits).sum()
}

fn keeps_what_was_pondered<G: Evaluate>(start: G, threads: usize, trees: usize) {
    let options = EngineOptions { threads, trees, memory: 32 << 20, seed: 5, parameters: None };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    let state = GameState::new(start);
    // The position itself, as in a warm-up.
    ponder(&mut engine, &state);
    assert!(visits_kept(&mut engine, &state) > 5_000);
    // The reply that was looked at most.
    ponder(&mut engine, &state);
    let shared = &engine.shared;
    let most = (0..shared.root_children(&shared.trees[0]).len())
        .max_by_key(|&index| shared.root_move(index).0.visits)
        .unwrap();
    let reply = shared.root_children(&shared.trees[0])[most].to_here().unwrap();
    let mut after = state;
    after.play(reply);
    assert!(visits_kept(&mut engine, &after) > 100);
    // Anything else: two moves on, and the same position with another past.
    ponder(&mut engine, &state);
    after.play(any_move(&after));
    assert!(visits_kept(&mut engine, &after) <= trees as u64);
    ponder(&mut engine, &state);
    let mut elsewhere = state;
    elsewhere.history.push(&after.position);
    if G::REPETITION {
        assert!(visits_kept(&mut engine, &elsewhere) <= trees as u64);
    }
}

#[test]
fn pondering_keeps_what_it_can_use() {
    keeps_what_was_pondered(Murus::start(), 1, 1);
    keeps_what_was_pondered(Hadron::start(5, 5), 3, 1);
    keeps_what_was_pondered(Loa::start(Default::default()), 2, 2);
    keeps_what_was_pondered(Voidrider::start(), 3, 2);
}

fn grows_trees_differently<G: Evaluate>(start: G) {
    let options =
        EngineOptions { threads: 2, trees: 2, memory: 8 << 20, seed: 5, parameters: None };
    let mut engine = MonteCarlo::new(start, &options).unwrap();
    engine.think(&GameState::new(start), &Budget::nodes(4_000), &mut |_| {});
    engine.workers.wait_until(None);
    let shared = &engine.shared;
    let visits = |tree| -> Vec<u32> {
        shared.root_children(tree).iter().map(|child| child.stats().visits).collect()
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

#[test]
fn a_proven_draw_is_played_rather_than_what_was_visited_more() {
    let stats = |visits| Stats { visits, reward: 0 };
    let drawn_root = Bounds::DRAWN;
    let drawn = preference(stats(3), Bounds::DRAWN, drawn_root);
    let doubtful = preference(stats(1000), Bounds::UNKNOWN, drawn_root);
    assert!(drawn > doubtful);
    // While the root is open, visits decide; won and lost moves come first and last.
    let open = Bounds::UNKNOWN;
    assert!(preference(stats(1000), open, open) > preference(stats(3), Bounds::DRAWN, open));
    assert!(preference(stats(1), Bounds::loss(4), open) > preference(stats(1000), open, open));
    assert!(
        preference(stats(1), Bounds::loss(2), open) > preference(stats(9), Bounds::loss(4), open)
    );
    assert!(preference(stats(0), open, open) > preference(stats(1000), Bounds::win(9), open));
    assert!(
        preference(stats(1), Bounds::win(9), open) > preference(stats(9), Bounds::win(1), open)
    );
}
