//! What must be true of every finished tree, checked node by node.
//!
//! The one idea: threads that share a tree without a lock can only spoil it where a node, its
//! children and their sums no longer belong together. So all that is reached from the root is
//! walked and compared; children that several nodes share, once. For tests and stress commands,
//! between two searches.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::children::Children;
use super::halving::{fewest_halved, halved_visits, max_losses, too_many};
use super::node::Node;
use super::player::MonteCarlo;
use super::proof::Bounds;
use super::standing::Next;
use super::stats::REWARD_OF_WIN;
use super::tree::Tree;
use super::tree_search::{Job, Phase, TreeSearch};
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;
use crate::game::GameState;
use crate::search::clock::Instant;

/// What the last search has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    /// Nodes that the roots reach.
    pub nodes: usize,
    /// Iterations of the search.
    pub iterations: u64,
    /// Blocks of the pools that its workers have taken.
    pub blocks: u64,
    /// Places where a worker wanted to make children and another was about it.
    pub lost_claims: u64,
    /// Nodes that were halved since their trees were planted.
    pub halved: u64,
}

/// Bytes of a node.
pub const NODE_BYTES: usize = size_of::<Node>();

impl<G: Evaluate> MonteCarlo<G> {
    /// Waits for the workers, moves the roots to `state`, and copies the trees, even if little of
    /// their pools is used; returns the time for it. Call it after [`Engine::think`], with a later
    /// state, as a player does between two moves.
    ///
    /// [`Engine::think`]: crate::search::Engine::think
    pub fn keep_trees(&mut self, state: &GameState<G>) -> Duration {
        self.shell.halt(None);
        let started = Instant::now();
        self.standing.stand_at(&self.shell, &Next::of_all_moves(state, false));
        let shared = self.shared();
        shared.begin_compaction(u32::MAX);
        let all = Phase::Compact { until: None };
        self.shell.begin(Job::new(*state, &[all], None), 1);
        self.shell.wait(None);
        started.elapsed()
    }

    /// Waits for the workers, and checks all nodes that the roots reach; returns their number.
    ///
    /// # Errors
    /// The first violated invariant.
    pub fn inspect_nodes(&self) -> Result<usize, String> {
        self.shell.wait(None);
        let shared = self.shared();
        let mut all = 0;
        for tree in &shared.trees {
            let nodes = shared.inspect_tree(tree)?;
            let used = tree.usage().0 as usize;
            if nodes > used {
                return Err(format!("{nodes} nodes reached, of {used} handed out"));
            }
            all += nodes;
        }
        Ok(all)
    }

    /// Waits for the workers, and checks all trees.
    ///
    /// # Errors
    /// The first violated invariant.
    pub fn inspect(&self) -> Result<Inspection, String> {
        self.shell.wait(None);
        let shared = self.shared();
        let nodes = self.inspect_nodes()?;
        let mut found = Inspection { nodes, ..Inspection::default() };
        let mut at_roots = 0;
        for tree in &shared.trees {
            at_roots += shared.iterations_at_root(tree);
            found.halved += tree.nodes_halved();
        }
        found.iterations = shared.count();
        for work in &shared.work {
            // Relaxed: the workers have been waited for.
            found.blocks += work.blocks.load(Ordering::Relaxed);
            found.lost_claims += work.lost_claims.load(Ordering::Relaxed);
        }
        let expected = shared.kept.load(Ordering::Relaxed) + found.iterations;
        if at_roots != expected {
            return Err(format!("{at_roots} visits of the roots, after {expected} iterations"));
        }
        Ok(found)
    }
}

/// A bit for each node of an arena: trees may have hundreds of millions of nodes.
struct Marks(Vec<u64>);

impl Marks {
    fn new(nodes: usize) -> Marks {
        Marks(vec![0; nodes.div_ceil(64)])
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Marks a node; returns whether it was marked before.
    fn set(&mut self, index: usize) -> bool {
        let before = self.has(index);
        self.0[index / 64] |= 1 << (index % 64);
        before
    }
}

impl<G: Evaluate> TreeSearch<G> {
    /// Walks a tree and checks every node that it reaches; returns their number.
    ///
    /// # Errors
    /// The first violated invariant and its node.
    pub fn inspect_tree(&self, tree: &Tree) -> Result<usize, String> {
        let root = tree.root();
        let live = tree.live();
        // Of iterations that were under way when a node was halved, a visit may be lost.
        let halved = tree.nodes_halved() > 0;
        let losses = halved.then(|| max_losses(tree, G::Oracle::POLL_ITERATIONS));
        let [mut reached, mut groups, mut shared_groups] =
            [(); 3].map(|()| Marks::new(self.arena.len()));
        reached.set(root);
        let mut all = 1;
        let mut open = vec![root];
        while let Some(index) = open.pop() {
            let node = &self.arena[index];
            let (stats, bounds) = (node.stats(), node.bounds());
            let wrong = |what| format!("node {index}: {what}");
            let visits = stats.visits + losses.unwrap_or(0);
            let most = u64::from(visits) * u64::from(REWARD_OF_WIN);
            if stats.reward > most {
                return Err(wrong(format!(
                    "a reward of {} in {} visits",
                    stats.reward, stats.visits
                )));
            }
            let Some(children) = node.children(&self.arena) else { continue };
            let (first, shared) = (children.first(), node.shares_children());
            if groups.set(first) {
                if !(shared_groups.has(first) && shared) {
                    return Err(wrong("its children have another parent too".into()));
                }
                continue;
            }
            if shared {
                shared_groups.set(first);
            }
            let (visits, priors) =
                self.inspect_children(&children, &live, &mut reached).map_err(wrong)?;
            all += children.indices().inspect(|&index| open.push(index)).count();
            // Those that are shared are visited from elsewhere too.
            if !shared && too_many_visits(node, &children, visits, losses) {
                return Err(wrong(format!("{} visits, its children {visits}", stats.visits)));
            }
            // About 1: each later group of children is weighed by what the search has learned
            // since.
            if priors <= 0.0 {
                return Err(wrong(format!("its children's priors sum to {priors}")));
            }
            let of_children = children.bounds_of_parent();
            if index != root && !self.agree(bounds, of_children, shared) {
                return Err(wrong(format!("{bounds:?}, by its children {of_children:?}")));
            }
        }
        Ok(all)
    }

    /// Checks the children of a node, which nobody else may have reached. Returns their visits and
    /// the sum of their priors.
    fn inspect_children(
        &self,
        children: &Children,
        live: &impl Fn(usize) -> bool,
        reached: &mut Marks,
    ) -> Result<(u64, f32), String> {
        let (mut visits, mut priors) = (0, 0.0);
        for index in children.indices() {
            if !live(index) {
                return Err(format!("child {index} lies in the free part"));
            }
            if reached.set(index) {
                return Err(format!("child {index} has another parent too"));
            }
            let child = &self.arena[index];
            if child.to_here().is_none() {
                return Err(format!("child {index} has no move"));
            }
            // A little more than 1 by rounding.
            if child.prior() > 1.01 {
                return Err(format!("child {index} has a prior of {}", child.prior()));
            }
            visits += u64::from(child.stats().visits);
            priors += child.prior();
        }
        Ok((visits, priors))
    }

    /// Whether the proven bounds of a node agree with those by its children.
    fn agree(&self, bounds: Bounds, of_children: Bounds, shared: bool) -> bool {
        // A position that a rule decides, or that wins at once, needs no children. Where children
        // are shared, another parent alone may have a shorter path; and where the oracle found a
        // win while another worker made children, these may prove it in other plies.
        let same = |a: Bounds, b: Bounds| a.proven() && b.proven() && a.halves() == b.halves();
        let other_plies = (shared || self.parameters.oracle_depth > 0) && same(of_children, bounds);
        let by_children = of_children.proof() == bounds.proof() || other_plies;
        let by_rule = bounds.is_win() || bounds == Bounds::DRAWN;
        !bounds.proven() || by_children || !of_children.proven() || by_rule
    }
}

/// Whether children that no other node has are visited more often than their parent. After halvings
/// as many as `losses` of its visits may be lost.
fn too_many_visits(node: &Node, children: &Children, visits: u64, losses: Option<u32>) -> bool {
    let own = node.stats().visits;
    let Some(losses) = losses else { return visits > u64::from(own) };
    let of_children = halved_visits(children, fewest_halved(losses));
    !node.has_unhalved_children() && too_many(of_children, own + losses)
}
