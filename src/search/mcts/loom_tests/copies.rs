//! Workers that copy the reachable part of a tree together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{explore, join, spawn};
use crate::eval::stop::Stop;
use crate::game::Move;
use crate::search::mcts::compaction::Compaction;
use crate::search::mcts::node::Node;
use crate::search::mcts::transpositions::{Slot, Transpositions};
use crate::search::mcts::tree::Tree;

/// Two children fit, and a root beside them.
const BLOCK: u32 = 3;

/// Room for a tree of seven nodes, and for a copy that begins a block for each two children.
const NODES: u32 = 1 + 9 * BLOCK;

/// A small tree, and what its workers share to copy it.
struct Copied {
    nodes: Vec<Node>,
    tree: Tree,
    compaction: Compaction,
    slots: Vec<Slot>,
}

/// What the copy must be like: visits, and the children by their moves. No two nodes have equally
/// many visits.
#[derive(Debug, PartialEq)]
struct Shape {
    to_here: Option<Move>,
    visits: u32,
    children: Vec<Shape>,
}

impl Copied {
    /// A root, its two children, and two children of each of these; or with `sharing` the same two
    /// of both.
    fn new(sharing: bool) -> Copied {
        let nodes: Vec<Node> = (0..NODES).map(|_| Node::default()).collect();
        let tree = Tree::in_blocks(1..NODES, 2, BLOCK);
        tree.clear();
        // Blocks that have been used.
        assert!(tree.take_block().is_some() && tree.take_block().is_some());
        let make = |at: usize, to_here: Option<u16>| {
            nodes[at].reset(to_here.map(Move::from_code), 0.5);
            nodes[at].add_iterations::<true>(at as u32, 0);
        };
        let make_children = |of: usize, first: u32| {
            for (code, at) in (1..).zip([first, first + 1]) {
                make(at as usize, Some(code));
            }
            assert!(nodes[of].claim());
            nodes[of].publish(first, 2, 2);
        };
        make(1, None);
        make_children(1, 2);
        make_children(2, 4);
        if sharing {
            assert!(nodes[3].claim());
            nodes[3].share_children_of(&nodes[2]);
        } else {
            make_children(3, 6);
        }
        let compaction = Compaction::new(&tree);
        let slots = if sharing { vec![Slot::default()] } else { Vec::new() };
        Copied { nodes, tree, compaction, slots }
    }

    /// What is below a node.
    fn shape(&self, at: usize) -> Shape {
        let node = &self.nodes[at];
        let children = node.children(&self.nodes);
        Shape {
            to_here: node.to_here(),
            visits: node.stats().visits,
            children: children
                .map_or(Vec::new(), |of| of.indices().map(|child| self.shape(child)).collect()),
        }
    }

    /// Has two workers copy it. The one that makes it the live part sees the whole copy at once.
    fn copy(self) -> Arc<Copied> {
        let before = self.shape(self.tree.root());
        self.compaction.begin(&self.nodes, &self.tree);
        let (copied, before) = (Arc::new(self), Arc::new(before));
        let threads = [0, 1].map(|_| {
            let (copied, before) = (copied.clone(), before.clone());
            spawn(move || {
                let Copied { nodes, tree, compaction, slots } = &*copied;
                let (table, stop) = (Transpositions::new(slots), AtomicBool::new(false));
                let last = compaction.help(nodes, tree, table, None, Stop::new(&stop));
                assert!(!last || copied.shape(tree.root()) == *before);
                last
            })
        });
        assert_eq!(join(threads).into_iter().filter(|&last| last).count(), 1);
        assert_eq!(copied.shape(copied.tree.root()), *before);
        copied
    }
}

#[test]
fn two_workers_copy_a_tree_and_the_last_one_sees_all_of_it() {
    explore("a copy by two workers", Some(3), || {
        let copied = Copied::new(false).copy();
        assert!(copied.tree.root() > 7, "in what was free");
    });
}

#[test]
fn two_workers_copy_children_that_two_nodes_share() {
    let shared = Arc::new(AtomicBool::new(false));
    let seen = shared.clone();
    explore("a copy of shared children by two workers", Some(3), move || {
        let copied = Copied::new(true).copy();
        let root = &copied.nodes[copied.tree.root()];
        let children = root.children(&copied.nodes).expect("it has been copied with them");
        let groups = children.nodes().map(|child| child.children(&copied.nodes).unwrap().first());
        let [first, second] = groups.collect::<Vec<_>>()[..] else { panic!("not two") };
        // Relaxed: for the test alone.
        seen.fetch_or(first == second, Ordering::Relaxed);
    });
    assert!(shared.load(Ordering::Relaxed), "they are copied twice only if both look at once");
}
