//! Monte Carlo tree search in fixed memory, on one tree or several.
//!
//! `--trees R --threads N`: the threads are dealt out to R trees, each with its own range of the
//! arena. R = N is root parallelism (no sharing at all), R = 1 one shared tree; the code is the
//! same. At the root the trees' visits are added up, and a proof in any of them counts.
//!
//! On two threads and two cores, trees of their own ran 1.6 to 1.8 times the iterations of a shared
//! one, and yet scored only 14 of 40 against it in Murus Gallicus and 14 of 40 in Lines of Action
//! (November 2026, 50 ms a move; the test `trees_of_their_own_against_a_shared_one`): a tree half
//! the size is not as deep. So one tree is the default of `--trees`. (Both figures were taken beside
//! other load, which may favour either.)
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
use super::parameters::Parameters;
use super::report::{Proof, Report};
use super::workers::{HALT_TIME, Workers};
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
    parameters: Parameters,
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
    /// Where the trees stand.
    standing: Option<GameState<G>>,
    /// Whether they are grown in the opponent's time, so that the next search goes on from them.
    pondering: bool,
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
            parameters: options.parameters.unwrap_or(Parameters::of::<G>()),
            arena,
        });
        let at_work = shared.clone();
        // With one worker to a tree, nothing in it is shared.
        let workers = if tree_count == threads {
            Workers::start(threads, move |index| at_work.search::<true>(index))
        } else {
            Workers::start(threads, move |index| at_work.search::<false>(index))
        }?;
        Ok(MonteCarlo { shared, workers, standing: None, pondering: false })
    }
}

impl<G: Evaluate> Shared<G> {
    /// The part of one worker in a search.
    fn search<const OWNED: bool>(&self, index: usize) {
        let job = *self.job.lock();
        let tree = &self.trees[index % self.trees.len()];
        let seed = self.seed_of(index);
        let mut worker =
            Worker::<G, OWNED>::new(&self.arena, tree, &self.parameters, &job.state, seed);
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
            worker.iterate(now as u32);
            left -= now;
            // Relaxed: a counter for reports, written by this worker alone.
            done.store(done.load(Ordering::Relaxed) + now, Ordering::Relaxed);
        }
    }

    /// The seed of a worker or tree.
    fn seed_of(&self, index: usize) -> u64 {
        // Multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
        self.seed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The children of a tree's root; all trees have the same moves in the same order.
    fn root_children(&self, tree: &Tree) -> &[Node] {
        let range = self.arena[tree.root()].children().expect("the root is planted");
        &self.arena[range]
    }

    /// What is known of a root move: its visits in all trees, and all that is proven in any.
    fn root_move(&self, index: usize) -> (Stats, Bounds) {
        let mut sum = Stats::default();
        let mut bounds = Bounds::UNKNOWN;
        for tree in &self.trees {
            let child = &self.root_children(tree)[index];
            let stats = child.stats();
            sum.visits = sum.visits.saturating_add(stats.visits);
            sum.reward += stats.reward;
            bounds = bounds.and(child.bounds());
        }
        (sum, bounds)
    }

    /// Reads the answer off the roots.
    fn report(&self, started: Instant) -> Report {
        let count = self.root_children(&self.trees[0]).len();
        let root = Bounds::of_parent((0..count).map(|index| self.root_move(index).1));
        let merit = |index: &usize| {
            let (stats, bounds) = self.root_move(*index);
            preference(stats, bounds, root)
        };
        let index =
            (0..count).max_by(|a, b| merit(a).total_cmp(&merit(b))).expect("a root has children");
        let (stats, bounds) = self.root_move(index);
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
        report.proof = if bounds.is_loss() {
            // The win that is played, at its own distance.
            Bounds::of_parent(std::iter::once(bounds)).proof()
        } else {
            root.proof()
        };
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
                    let merit = |n: &Node| preference(n.stats(), n.bounds(), at.bounds());
                    merit(a).total_cmp(&merit(b))
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

/// How much a move is to be played: what secures a proven result of its parent first; then proven
/// wins, the quickest of them foremost; then by visits; proven losses last, the slowest of them
/// foremost. The child's bounds are the opponent's.
fn preference(stats: Stats, child: Bounds, parent: Bounds) -> f64 {
    let merit = match child.proof() {
        Some(Proof::Loss(plies)) => 1e12 - f64::from(plies),
        Some(Proof::Win(plies)) => f64::from(plies) - 1e12,
        _ => f64::from(stats.visits) + f64::from(stats.mean()) * 0.5,
    };
    if parent.proven() && !child.secures(parent) { merit - 1e15 } else { merit }
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

    /// Makes `state` the root of all trees, which keep what they know of it if they may.
    fn stand_at(&mut self, state: &GameState<G>, keep: bool) {
        let before = self.standing.replace(*state).filter(|_| keep);
        if !before.is_some_and(|before| self.shared.advance(&before, state)) {
            self.shared.plant(state);
        }
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
        let pondered = std::mem::take(&mut self.pondering);
        self.stand_at(state, pondered);
        let shared = &*self.shared;
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
        // Whoever asks must not be kept waiting: no pondering then this time.
        if self.halt(Some(Instant::now() + HALT_TIME)) {
            self.stand_at(state, true);
            self.begin(state, None);
            self.pondering = true;
        }
    }
}

impl<G: Evaluate> Drop for MonteCarlo<G> {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }
}
