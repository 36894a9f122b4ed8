//! Which tree each worker grows, and on which processors.
//!
//! The one idea: on a machine with several NUMA nodes each tree can be placed on one of them, with
//! the threads that grow it. The trees are dealt out to the nodes in turn, and each gets threads by
//! the processors that there are for it; without nodes all are alike, and run anywhere.

use crate::search::memory::Crew;
use crate::search::numa::Processors;

/// The trees and workers of an engine, and their nodes.
pub struct Placement {
    /// The processors of each node; none if the trees are not placed.
    nodes: Vec<Processors>,
    trees: usize,
    /// For each worker the index of its tree.
    tree_of: Vec<usize>,
}

impl Placement {
    /// For this many trees, but at least one for each node, and at most one for each worker.
    pub fn new(trees: usize, workers: usize, nodes: Vec<Processors>) -> Placement {
        let workers = workers.max(1);
        let trees = trees.max(nodes.len()).clamp(1, workers);
        let mut placement = Placement { nodes, trees, tree_of: (0..trees).collect() };
        while placement.tree_of.len() < workers {
            let crowding = |tree: usize| {
                (placement.workers_of(tree) + 1) as f64 / placement.processors_for(tree)
            };
            let least = (0..trees).min_by(|&a, &b| crowding(a).total_cmp(&crowding(b)));
            placement.tree_of.push(least.expect("there is a tree"));
        }
        placement
    }

    /// The number of trees.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// The tree that a worker grows.
    pub fn tree_of(&self, worker: usize) -> usize {
        self.tree_of[worker]
    }

    /// How many workers grow a tree.
    pub fn workers_of(&self, tree: usize) -> usize {
        self.tree_of.iter().filter(|&&of_worker| of_worker == tree).count()
    }

    /// Where the workers of a tree may run, if that is not everywhere.
    pub fn processors_of(&self, tree: usize) -> Option<&Processors> {
        self.nodes.get(tree % self.nodes.len().max(1))
    }

    /// Says where each tree is, if they are placed.
    pub fn log(&self) {
        for tree in 0..self.trees {
            if let Some(processors) = self.processors_of(tree) {
                let workers = self.workers_of(tree);
                log::info!("tree {tree}: processors {processors}, threads: {workers}");
            }
        }
    }

    /// The threads that touch the memory of a tree: all, where they may run anywhere.
    pub fn crew_of(&self, tree: usize) -> Crew<'_> {
        match self.processors_of(tree) {
            None => Crew::anywhere(self.tree_of.len()),
            processors => Crew { threads: self.workers_of(tree), processors },
        }
    }

    /// Those that touch the memory of all trees, the parts of which follow each other.
    pub fn crews(&self) -> Vec<Crew<'_>> {
        if self.nodes.is_empty() {
            return vec![Crew::anywhere(self.tree_of.len())];
        }
        (0..self.trees).map(|tree| self.crew_of(tree)).collect()
    }

    /// A tree's part of the processors of its node, which it may share with other trees.
    fn processors_for(&self, tree: usize) -> f64 {
        let there = (tree % self.nodes.len().max(1)..self.trees).step_by(self.nodes.len().max(1));
        self.processors_of(tree).map_or(1.0, |all| all.count() as f64 / there.count() as f64)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// The trees of all workers, with nodes of these processors.
    fn dealt(trees: usize, workers: usize, nodes: &[&str]) -> Vec<usize> {
        let nodes = nodes.iter().map(|list| Processors::in_list(list).unwrap()).collect();
        Placement::new(trees, workers, nodes).tree_of
    }

    #[test]
    fn without_nodes_workers_are_dealt_out_in_turn() {
        assert_eq!(dealt(1, 3, &[]), [0, 0, 0]);
        assert_eq!(dealt(2, 5, &[]), [0, 1, 0, 1, 0]);
        assert_eq!(dealt(9, 3, &[]), [0, 1, 2], "one for each worker at most");
        assert_eq!(dealt(0, 0, &[]), [0]);
        let placement = Placement::new(2, 5, Vec::new());
        assert!(placement.processors_of(1).is_none());
        let crews: Vec<usize> = placement.crews().iter().map(|crew| crew.threads).collect();
        assert_eq!(crews, [5], "all touch everything");
    }

    #[test]
    fn each_node_has_a_tree_and_threads_for_its_processors() {
        assert_eq!(dealt(1, 4, &["0-3", "4-7"]), [0, 1, 0, 1]);
        assert_eq!(dealt(1, 4, &["0-5", "6-7"]), [0, 1, 0, 0]);
        assert_eq!(dealt(4, 8, &["0-3", "4-7"]), [0, 1, 2, 3, 0, 1, 2, 3]);
        assert_eq!(dealt(1, 2, &["0-6", "7"]), [0, 1], "no tree is without a worker");
        assert_eq!(dealt(1, 1, &["0-3", "4-7"]), [0], "nor a worker without a tree");
        let three = Placement::new(
            3,
            12,
            vec![Processors::in_list("0-3").unwrap(), Processors::in_list("4-7").unwrap()],
        );
        assert_eq!((0..3).map(|tree| three.workers_of(tree)).collect::<Vec<_>>(), [3, 6, 3]);
        let places: Vec<String> =
            three.crews().iter().map(|crew| crew.processors.unwrap().to_string()).collect();
        assert_eq!(places, ["0-3", "4-7", "0-3"]);
    }
}
