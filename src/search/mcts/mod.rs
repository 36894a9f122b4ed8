//! Monte Carlo tree search in fixed memory, on one tree or several.
//!
//! `--trees R --threads N`: the threads are dealt out to R trees, each with its own range of the
//! arena. R = N is root parallelism (no sharing at all), R = 1 one shared tree; the code is the
//! same. At the root the trees' visits are added up, and a proof in any of them counts.
//!
//! The calling thread is the watcher: it prepares the roots, wakes the workers, waits on a
//! condition variable until the deadline, and reads the answer off the roots, whose children
//! exist from the start, so that a legal best move is known at any moment.

mod arena;
mod node;
mod proof;
mod roots;
mod select;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use self::arena::Arena;
use self::node::{Node, Stats};
use self::proof::Bounds;
use self::tree::Tree;
use self::worker::Worker;
use super::clock::Budget;
use super::report::{Proof, Report};
use super::workers::Workers;
use super::{Engine, EngineError, EngineOptions};
use crate::eval::Evaluate;
use crate::game::{GameState, Move, MoveList};

/// Iterations between two looks at the stop flag.
const POLL: u64 = 128;

/// What the workers of one search are to do.
#[derive(Clone, Copy)]
struct Job<G> {
    state: GameState<G>,
    /// Iterations of all workers together.
    iterations: Option<u64>,
}

struct Shared<G> {
    arena: Arena,
    trees: Vec<Tree>,
    job: Mutex<Job<G>>,
    stop: AtomicBool,
    /// Iterations of each worker in this search.
    iterations: Vec<CachePadded<AtomicU64>>,
    seed: u64,
}

/// The Monte Carlo player of a game.
pub struct MonteCarlo<G: Evaluate> {
    shared: Arc<Shared<G>>,
    workers: Workers,
    /// Where the trees stand, if they were grown in the opponent's time.
    pondered: Option<GameState<G>>,
}

impl<G: Evaluate> MonteCarlo<G> {
    /// Takes the memory and starts the threads. `start` is any position of the game.
    pub fn new(start: G, options: &EngineOptions) -> Result<MonteCarlo<G>, EngineError> {
        let threads = options.threads.max(1);
        let tree_count = options.trees.clamp(1, threads);
        let arena = Arena::new(options.memory, tree_count)?;
        // Node 0 stays unused.
        let share = (arena.len() - 1) / tree_count;
        let workers_of = |tree: usize| (tree..threads).step_by(tree_count).count();
        let trees = (0..tree_count).map(|tree| {
            let first = (1 + tree * share) as u32;
            Tree::new(first..first + share as u32, workers_of(tree))
        });
        let shared = Arc::new(Shared {
            trees: trees.collect(),
            job: Mutex::new(Job { state: GameState::new(start), iterations: None }),
            stop: AtomicBool::new(false),
            iterations: (0..threads).map(|_| CachePadded::default()).collect(),
            seed: options.seed,
            arena,
        });
        let at_work = shared.clone();
        // With one worker to a tree, nothing in it is shared.
        let workers = if tree_count == threads {
            Workers::start(threads, move |index| at_work.search::<true>(index))
        } else {
            Workers::start(threads, move |index| at_work.search::<false>(index))
        };
        Ok(MonteCarlo { shared, workers, pondered: None })
    }
}

impl<G: Evaluate> Shared<G> {
    /// The part of one worker in a search.
    fn search<const OWNED: bool>(&self, index: usize) {
        let job = *self.job.lock();
        let tree = &self.trees[index % self.trees.len()];
        let seed = self.seed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut worker = Worker::<G, OWNED>::new(&self.arena, tree, &job.state, seed);
        let workers = self.iterations.len() as u64;
        let mut left = job
            .iterations
            .map_or(u64::MAX, |all| all / workers + u64::from((index as u64) < all % workers));
        let done = &self.iterations[index];
        // Relaxed: the flag alone matters, and a stop seen a poll later is soon enough.
        while left > 0 && !self.stop.load(Ordering::Relaxed) {
            if worker.finished() {
                self.stop.store(true, Ordering::Relaxed);
                break;
            }
            let now = left.min(POLL);
            for _ in 0..now {
                worker.iterate();
            }
            left -= now;
            // Relaxed: a counter for reports, written by this worker alone.
            done.store(done.load(Ordering::Relaxed) + now, Ordering::Relaxed);
        }
    }

    /// The children of a tree's root; all trees have the same moves in the same order.
    fn root_children(&self, tree: &Tree) -> &[Node] {
        let range = self.arena[tree.root()].children().expect("the root is planted");
        &self.arena[range]
    }

    /// What is known of a root move: its visits in all trees, and the first proof found.
    fn root_move(&self, index: usize) -> (Stats, Bounds) {
        let mut sum = Stats::default();
        let mut bounds = Bounds::UNKNOWN;
        for tree in &self.trees {
            let child = &self.root_children(tree)[index];
            let stats = child.stats();
            sum.visits = sum.visits.saturating_add(stats.visits);
            sum.reward += stats.reward;
            if child.bounds().proven() {
                bounds = child.bounds();
            }
        }
        (sum, bounds)
    }

    /// Reads the answer off the roots.
    fn report(&self, started: Instant) -> Report {
        let count = self.root_children(&self.trees[0]).len();
        let (index, stats, bounds) = (0..count)
            .map(|index| {
                let (stats, bounds) = self.root_move(index);
                (index, stats, bounds)
            })
            .max_by(|a, b| preference(a.1, a.2).total_cmp(&preference(b.1, b.2)))
            .expect("a root has children");
        let tree = &self.trees[0];
        let best = &self.root_children(tree)[index];
        let mut report = Report::of_move(best.to_here().expect("a child has a move"));
        report.value = stats.mean();
        report.nodes = self.iterations.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        report.elapsed = started.elapsed();
        let used: (u64, u64) = self.trees.iter().fold((0, 0), |(used, all), tree| {
            let (u, a) = tree.usage();
            (used + u64::from(u), all + u64::from(a))
        });
        report.fill = (1000 * used.0 / used.1.max(1)) as u32;
        report.proof = self.root_proof(count, bounds);
        match report.proof {
            Some(Proof::Win(_)) => report.value = 1.0,
            Some(Proof::Draw) => report.value = 0.5,
            Some(Proof::Loss(_)) => report.value = 0.0,
            None => {}
        }
        self.follow(best, &mut report);
        report.depth = report.variation.len();
        report
    }

    /// The proven result of the root, whose best move has `best` for its bounds.
    fn root_proof(&self, count: usize, best: Bounds) -> Option<Proof> {
        if best.is_loss() {
            return Bounds::of_parent(std::iter::once(best)).proof();
        }
        Bounds::of_parent((0..count).map(|index| self.root_move(index).1)).proof()
    }

    /// Extends the variation from a root move along the preferred children.
    fn follow(&self, best: &Node, report: &mut Report) {
        let mut at = best;
        while let Some(children) = at.children() {
            if report.variation.is_full() {
                break;
            }
            let next = self.arena[children]
                .iter()
                .max_by(|a, b| {
                    let preference = |n: &Node| preference(n.stats(), n.bounds());
                    preference(a).total_cmp(&preference(b))
                })
                .expect("an expanded node has children");
            if next.stats().visits == 0 && !next.bounds().proven() {
                break;
            }
            report.variation.push(next.to_here().expect("a child has a move"));
            at = next;
        }
    }
}

/// How much a move is to be played: proven wins first, the quickest of them foremost; then by
/// visits; proven losses last, the slowest of them foremost. The bounds are the opponent's.
fn preference(stats: Stats, bounds: Bounds) -> f64 {
    match bounds.proof() {
        Some(Proof::Loss(plies)) => 1e12 - f64::from(plies),
        Some(Proof::Win(plies)) => f64::from(plies) - 1e12,
        _ => f64::from(stats.visits) + f64::from(stats.mean()) * 0.5,
    }
}

/// A legal move, for want of a better.
fn any_move<G: Evaluate>(state: &GameState<G>) -> Move {
    let mut moves = MoveList::new();
    state.position.moves(&mut moves);
    *moves.first().expect("a search starts where there is a legal move")
}

impl<G: Evaluate> MonteCarlo<G> {
    /// Waits until the workers have ended the previous search, at the latest until the deadline;
    /// answers whether they have. They were told to stop when it was reported, except from
    /// pondering, and then it takes them some iterations.
    fn halt(&self, deadline: Option<Instant>) -> bool {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.workers.wait_until(deadline)
    }

    /// Sets the workers to work on the trees as they stand.
    fn begin(&self, state: &GameState<G>, iterations: Option<u64>) {
        *self.shared.job.lock() = Job { state: *state, iterations };
        self.shared.stop.store(false, Ordering::Relaxed);
        self.workers.begin();
    }
}

impl<G: Evaluate> Engine<G> for MonteCarlo<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let started = Instant::now();
        if !self.halt(budget.deadline) {
            return Report::of_move(any_move(state));
        }
        let shared = &*self.shared;
        let pondered = self.pondered.take();
        if !pondered.is_some_and(|before| shared.advance(&before, state)) {
            shared.plant(state);
        }
        for count in &shared.iterations {
            count.store(0, Ordering::Relaxed);
        }
        let only_move = shared.root_children(&shared.trees[0]).len() == 1;
        let decided = shared.arena[shared.trees[0].root()].bounds().proven();
        if only_move || decided {
            return shared.report(started);
        }
        self.begin(state, budget.nodes);
        self.workers.watch(started, budget.deadline, || progress(&shared.report(started)));
        shared.stop.store(true, Ordering::Relaxed);
        shared.report(started)
    }

    fn ponder(&mut self, state: &GameState<G>) {
        self.halt(None);
        self.shared.plant(state);
        self.begin(state, None);
        self.pondered = Some(*state);
    }
}

impl<G: Evaluate> Drop for MonteCarlo<G> {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}
