//! Workers that grow whole trees, of [`Nim`], on a handful of nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::nim::Nim;
use super::{explore, join, spawn};
use crate::eval::Evaluate;
use crate::eval::oracle::NoOracle;
use crate::eval::parameters::Parameters;
use crate::game::{Game, GameState};
use crate::search::mcts::node::Node;
use crate::search::mcts::proof::Bounds;
use crate::search::mcts::stats::REWARD_OF_WIN;
use crate::search::mcts::transpositions::{Slot, Transpositions};
use crate::search::mcts::tree::Tree;
use crate::search::mcts::worker::Worker;

/// A tree of [`Nim`], whose nodes the test gives to the workers.
struct Grown {
    nodes: Vec<Node>,
    tree: Tree,
    parameters: Parameters,
    start: GameState<Nim>,
    /// Of the transposition table; none where nothing is shared.
    slots: Vec<Slot>,
}

impl Grown {
    /// A root with children, in `nodes` nodes; node 0 is not used. Leaves get children at the
    /// first visit.
    fn new(heap: u16, nodes: u32) -> Grown {
        Grown::with_first_children(2, heap, nodes)
    }

    /// The same, where a node gets `first_children` of its two children first.
    fn with_first_children(first_children: u32, heap: u16, nodes: u32) -> Grown {
        let parameters =
            Parameters { prior_noise: 0.0, expand_visits: 1, first_children, ..Nim::TUNING };
        let grown = Grown {
            nodes: (0..nodes).map(|_| Node::default()).collect(),
            // Too small for a block, so that it is full from the beginning.
            tree: Tree::new(1..nodes, 2),
            parameters,
            start: GameState::new(Nim { heap, ply: 0 }),
            slots: Vec::new(),
        };
        let root = &grown.nodes[grown.tree.root()];
        root.reset(None, 1.0);
        assert!(grown.make_children(root, heap, 2));
        grown
    }

    /// Makes the first children of a node that stands for a heap.
    fn make_children(&self, node: &Node, heap: u16, first: u32) -> bool {
        let state = GameState::new(Nim { heap, ply: 0 });
        let mut worker = self.worker::<true>(&state);
        worker.use_block(first..first + 2);
        let moves = state.position.legal_moves();
        node.claim() && worker.make_children(node, &moves, self.parameters.first_children as usize)
    }

    fn worker<const OWNED: bool>(&self, start: &GameState<Nim>) -> Worker<'_, Nim, OWNED> {
        let oracle: &mut NoOracle = Box::leak(Box::default());
        Worker::new((&self.nodes, &self.tree), &self.parameters, oracle, start, 1)
    }

    /// Grows the tree by workers with these iterations each, to whom the last nodes are handed out,
    /// `nodes_each` each.
    fn grow<const WORKERS: usize>(self, iterations: [u32; WORKERS], nodes_each: u32) -> Arc<Grown> {
        let first = self.nodes.len() as u32 - WORKERS as u32 * nodes_each;
        let grown = Arc::new(self);
        let threads = (0..).zip(iterations).map(|(index, count)| {
            let first = first + index * nodes_each;
            let grown = grown.clone();
            spawn(move || {
                let mut worker = grown.worker::<false>(&grown.start);
                worker.use_transpositions(Transpositions::new(&grown.slots));
                worker.use_block(first..first + nodes_each);
                worker.iterate(count);
            })
        });
        join(threads.collect::<Vec<_>>());
        grown
    }

    fn bounds(&self, index: usize) -> Bounds {
        self.nodes[index].bounds()
    }

    /// Checks every node that is reached from the root, through which `iterations` went.
    fn check(&self, iterations: u32) {
        let root = self.tree.root();
        assert_eq!(self.nodes[root].stats().visits, iterations);
        let mut reached = vec![root];
        let mut next = 0;
        while next < reached.len() {
            let index = reached[next];
            next += 1;
            let node = &self.nodes[index];
            let stats = node.stats();
            assert!(stats.reward <= u64::from(stats.visits * REWARD_OF_WIN));
            let Some(children) = node.children(&self.nodes) else {
                assert!(node.bounds().proven() || node.claim(), "no claim is left behind");
                continue;
            };
            let last = &self.nodes[children.groups().last().expect("there is a group").start];
            assert!(children.missing() == 0 || last.claim_next(), "no claim of a group either");
            let (mut visits, mut reward, mut priors) = (0, 0, 0.0);
            let shared = node.shares_children();
            if shared && reached.contains(&children.first()) {
                continue;
            }
            for child in children.indices() {
                assert!(!reached.contains(&child), "no node is handed out twice");
                reached.push(child);
                let stats = self.nodes[child].stats();
                visits += stats.visits;
                reward += u64::from(stats.visits * REWARD_OF_WIN) - stats.reward;
                priors += self.nodes[child].prior();
                assert!(self.nodes[child].to_here().is_some());
            }
            assert!(shared || visits <= stats.visits, "every child's visit passed its parent");
            assert!(children.missing() > 0 || (priors - 1.0).abs() < 1e-3);
            if index == root {
                assert_eq!((stats.visits, stats.reward), (visits, reward), "nothing ended here");
            }
            // A node that shares its children learns their proofs at its next visit.
            let noted = node.bounds().proven() || !children.bounds_of_parent().proven();
            assert!(shared || noted, "what decides is noted");
        }
    }
}

#[test]
fn two_workers_that_prove_the_last_two_children_prove_the_parent() {
    // Three are left: both moves lose at once.
    explore("a proof at the root", None, || {
        let grown = Grown::new(3, 4).grow([1, 1], 0);
        grown.check(2);
        let both = grown.bounds(2).proven() && grown.bounds(3).proven();
        assert!(!both || grown.bounds(1) == Bounds::loss(2));
    });
    // Four are left: removing one leaves three; removing two is known to lose.
    explore("a proof two levels deep", Some(3), || {
        let grown = Grown::new(4, 6);
        grown.nodes[3].tighten(Bounds::win(1));
        assert!(grown.make_children(&grown.nodes[2], 3, 4));
        let grown = grown.grow([1, 1], 0);
        grown.check(2);
        let both = grown.bounds(4).proven() && grown.bounds(5).proven();
        assert!(!both || grown.bounds(1) == Bounds::win(3));
    });
}

#[test]
fn two_workers_that_prove_children_of_two_groups_prove_the_parent() {
    // Three are left: both moves lose at once, and only one of them is known yet.
    explore("a proof by two groups of children", Some(1), || {
        let grown = Grown::with_first_children(1, 3, 3 + 2).grow([2, 2], 1);
        grown.check(4);
        let children = grown.nodes[1].children(&grown.nodes).unwrap();
        let all = children.missing() == 0 && children.nodes().all(|c| c.bounds().proven());
        assert!(!all || grown.bounds(1) == Bounds::loss(2));
    });
}

#[test]
fn two_workers_grow_one_tree() {
    explore("two workers, one iteration each", Some(4), || {
        Grown::new(7, 4 + 2 * 2).grow([1, 1], 2).check(2);
    });
}

#[test]
fn two_workers_grow_one_tree_further() {
    explore("two workers, two iterations each", Some(1), || {
        Grown::new(4, 4 + 2 * 4).grow([2, 2], 4).check(4);
    });
    explore("two workers, two iterations and one", Some(1), || {
        Grown::new(7, 4 + 2 * 4).grow([2, 1], 4).check(3);
    });
}

#[test]
fn two_workers_come_to_one_position_by_two_ways() {
    // Six are left: removing one then two leaves as many as removing two then one.
    let shared = Arc::new(AtomicBool::new(false));
    let seen = shared.clone();
    explore("two workers that share children", Some(2), move || {
        let mut grown = Grown::new(6, 8 + 2 * 2);
        grown.slots = vec![Slot::default()];
        assert!(grown.make_children(&grown.nodes[2], 5, 4));
        assert!(grown.make_children(&grown.nodes[3], 4, 6));
        // What else there is wins for the other side.
        for other in [4, 7] {
            grown.nodes[other].tighten(Bounds::win(1));
        }
        let grown = grown.grow([1, 1], 2);
        grown.check(2);
        // Relaxed: for the test alone.
        seen.fetch_or(grown.nodes.iter().any(Node::shares_children), Ordering::Relaxed);
    });
    // Not as it comes: the position is proven, and then nothing is shared, before it is found
    // again.
    assert!(!cfg!(loom) || shared.load(Ordering::Relaxed), "in some order they do");
}

#[test]
fn three_workers_grow_one_tree() {
    explore("three workers, one iteration each", Some(0), || {
        Grown::new(7, 4 + 3 * 2).grow([1, 1, 1], 2).check(3);
    });
    explore("a proof by three workers", Some(0), || {
        Grown::new(3, 4).grow([1, 1, 1], 0).check(3);
    });
}

#[test]
fn a_full_pool_leaves_no_claim_behind() {
    explore("two workers without a node, one iteration each", None, || {
        Grown::new(7, 4).grow([1, 1], 0).check(2);
    });
    explore("two workers without a node, two iterations each", Some(1), || {
        Grown::new(7, 4).grow([2, 2], 0).check(4);
    });
    explore("two workers without a node for the next group", Some(1), || {
        Grown::with_first_children(1, 3, 3).grow([2, 2], 0).check(4);
    });
}
