//! What all workers of a player share, and what each of them does in a search.
//!
//! The one idea: a search is one or two phases, compacting and growing. In each a worker finds all
//! it needs here by its number: its tree, its oracle, its seed, its share of the iterations.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::arena::{Arena, MAX_BYTES};
use super::compaction::Compaction;
use super::transpositions::{Slot, Transpositions};
use super::tree::Tree;
use super::worker::{Contention, Worker};
use crate::eval::Evaluate;
use crate::eval::nodes::Nodes;
use crate::eval::oracle::Oracle;
use crate::eval::parameters::Parameters;
use crate::eval::stop::Stop;
use crate::game::{GameState, MoveList};
use crate::search::clock::Instant;
use crate::search::memory::{Block, available_memory};
use crate::search::shell::{Search, share_of};
use crate::search::{EngineError, EngineOptions};

/// The transposition tables use 1/16 of the memory on top of it: a slot for eight nodes, of which
/// about one gets children.
const SLOTS_SHARE: usize = 16;

/// The most bytes that node indices and the machine's addresses can name.
const ADDRESSED: usize =
    if MAX_BYTES < isize::MAX as usize { MAX_BYTES } else { isize::MAX as usize };

/// A part of a search, done by all workers before the next begins.
#[derive(Clone, Copy)]
pub enum Phase {
    /// The trees for which that was begun are compacted, until a moment.
    Compact { until: Option<Instant> },
    /// The trees are grown.
    Grow,
}

/// What the workers of one search are to do.
#[derive(Clone, Copy)]
pub struct Job<G> {
    pub(super) state: GameState<G>,
    pub(super) phases: [Phase; 2],
    /// Iterations of all workers together.
    pub(super) iterations: Option<u64>,
    /// The moment at which workers stop by themselves, should the watcher get no core.
    pub(super) deadline: Option<Instant>,
}

impl<G> Job<G> {
    /// At most two phases.
    pub fn new(state: GameState<G>, phases: &[Phase], iterations: Option<u64>) -> Job<G> {
        let mut job = Job { state, phases: [Phase::Grow; 2], iterations, deadline: None };
        job.phases[..phases.len()].copy_from_slice(phases);
        job
    }
}

/// What a worker has done, written by it alone.
#[derive(Default)]
pub struct Work {
    /// In all searches.
    pub(super) iterations: AtomicU64,
    /// In this search; set when its part of it ends.
    pub(super) blocks: AtomicU64,
    pub(super) lost_claims: AtomicU64,
}

pub struct TreeSearch<G: Evaluate> {
    pub(super) arena: Arena,
    pub(super) trees: Vec<Tree>,
    /// For each tree, the slots of its table of positions; none where no positions are shared.
    pub(super) slots: Vec<Block<Slot>>,
    pub(super) parameters: Parameters,
    /// Whether a worker has panicked growing a tree, which leaves iterations in it that began and
    /// never end.
    pub(super) broken: AtomicBool,
    /// What the workers that compact a tree share, for each tree.
    pub(super) compactions: Vec<Compaction>,
    /// Trees that are still to be compacted, and workers that may be about it.
    pub(super) to_compact: AtomicUsize,
    pub(super) compacting: AtomicUsize,
    /// What each worker has done.
    pub(super) work: Vec<CachePadded<Work>>,
    /// One for each worker.
    pub(super) oracles: Vec<Mutex<G::Oracle>>,
    /// Iterations that the trees had before.
    pub(super) kept: AtomicU64,
    /// Iterations of all searches before.
    pub(super) before: AtomicU64,
    /// Changed while no worker is at work.
    pub(super) seed: AtomicU64,
    /// The moves that new roots get; none: all legal ones.
    pub(super) only: Mutex<MoveList>,
}

impl<G: Evaluate> TreeSearch<G> {
    /// Allocates the memory of trees without roots, for this many workers.
    pub fn new(threads: usize, options: &EngineOptions) -> Result<TreeSearch<G>, EngineError> {
        let tree_count = options.trees.clamp(1, threads);
        let parameters = options.parameters.unwrap_or(G::TUNING);
        let has_tables = parameters.transpositions > 0;
        let oracles = G::Oracle::BYTES.saturating_mul(threads);
        check_memory(options.memory, has_tables, oracles, available_memory())?;
        let arena = Arena::new(options.memory, tree_count, threads)?;
        // Node 0 stays unused.
        let share = (arena.len() - 1) / tree_count;
        // Workers are dealt out to the trees in turn.
        let workers_of = |tree: usize| (threads - tree).div_ceil(tree_count);
        let trees = (0..tree_count).map(|tree| {
            let first = (1 + tree * share) as u32;
            Tree::new(first..first + share as u32, workers_of(tree))
        });
        let slots_of_tree = options.memory / SLOTS_SHARE / tree_count;
        let tables = if has_tables { tree_count } else { 0 };
        let slots = (0..tables).map(|_| Block::new(slots_of_tree, 1, threads));
        let slots = slots.collect::<Result<_, EngineError>>()?;
        let trees: Vec<Tree> = trees.collect();
        Ok(TreeSearch {
            compactions: trees.iter().map(Compaction::new).collect(),
            trees,
            slots,
            broken: AtomicBool::new(false),
            to_compact: AtomicUsize::new(0),
            compacting: AtomicUsize::new(0),
            before: AtomicU64::new(0),
            work: (0..threads).map(|_| CachePadded::default()).collect(),
            oracles: (0..threads).map(|_| Mutex::default()).collect(),
            kept: AtomicU64::new(0),
            seed: AtomicU64::new(options.seed),
            only: Mutex::default(),
            parameters,
            arena,
        })
    }
}

/// Max bytes of memory that a tree search can be built with on this machine now, without the
/// transposition tables: what node indices address and what is free.
pub fn max_memory() -> usize {
    most_memory(true, available_memory())
}

/// The same with and without tables, of what is free as far as that is known.
fn most_memory(has_tables: bool, free: Option<usize>) -> usize {
    // The tables come on top.
    let without_tables =
        |free| if has_tables { free / (SLOTS_SHARE + 1) * SLOTS_SHARE } else { free };
    free.map_or(ADDRESSED, |free| without_tables(free).min(ADDRESSED))
}

/// Refuses memory for which there is no room together with its tables, before any is touched, which
/// takes seconds for many GiB. `oracles` are the bytes of the oracles' tables, which come on top.
fn check_memory(
    bytes: usize,
    has_tables: bool,
    oracles: usize,
    free: Option<usize>,
) -> Result<(), EngineError> {
    let free = free.map(|free| free.saturating_sub(oracles));
    let most = most_memory(has_tables, free);
    if bytes <= most {
        Ok(())
    } else if bytes <= ADDRESSED && free.is_some() {
        Err(EngineError::MemoryNotThere { bytes, most })
    } else {
        Err(EngineError::MemoryTooLarge { bytes, most })
    }
}

impl<G: Evaluate> Search for TreeSearch<G> {
    type Job = Job<G>;

    fn work(&self, index: usize, phase: usize, slot: usize, job: &Job<G>, stop: Stop<'_>) {
        match job.phases[phase] {
            Phase::Compact { until } => self.compact(index, until, slot, stop),
            Phase::Grow => {
                let _guard = BreaksOnPanic(&self.broken);
                // With one worker to a tree, nothing in it is shared.
                if self.trees.len() == self.work.len() {
                    self.grow::<true>(index, slot, job, stop);
                } else {
                    self.grow::<false>(index, slot, job, stop);
                }
            }
        }
    }

    fn may_begin_beside(&self) -> bool {
        // SeqCst: between the stop and the look (`compact`). Acquire: what they have copied is
        // seen.
        fence(Ordering::SeqCst);
        // In trees that are compacted nobody can be at work.
        self.all_compacted() || self.compacting.load(Ordering::Acquire) == 0
    }
}

/// Raises its flag if it is dropped by a panic.
struct BreaksOnPanic<'a>(&'a AtomicBool);

impl Drop for BreaksOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Relaxed: read after the worker has been waited for, or else as soon as may be.
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<G: Evaluate> TreeSearch<G> {
    /// The tree that a worker grows.
    fn tree_of(&self, worker: usize) -> usize {
        worker % self.trees.len()
    }

    /// Helps to compact the worker's tree and then the others. Nobody waits for a worker that has
    /// not come for want of a core.
    pub fn compact(&self, index: usize, until: Option<Instant>, slot: usize, stop: Stop<'_>) {
        // SeqCst: either this worker sees a stop before it changes anything, or who has stopped it
        // sees that it compacts (`may_begin_beside`).
        self.compacting.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        for nth in 0..self.trees.len() {
            let at = (self.tree_of(index) + nth) % self.trees.len();
            let (tree, compaction) = (&self.trees[at], &self.compactions[at]);
            if compaction.help(&self.arena, tree, self.transpositions(at), until, stop) {
                tree.set_root_of(slot, tree.root());
                // Release: who sees it sees the compacted tree.
                self.to_compact.fetch_sub(1, Ordering::Release);
            }
        }
        // Release: who sees it sees all that the worker has copied.
        self.compacting.fetch_sub(1, Ordering::Release);
    }

    /// Prepares the compaction of all trees of which more than one in `one_in` nodes are used. No
    /// worker may be at work.
    pub fn begin_compaction(&self, one_in: u32) {
        let trees = self.trees.iter().zip(&self.compactions);
        let mut begun = 0;
        for (tree, compaction) in trees.filter(|(tree, _)| tree.fuller_than(one_in)) {
            compaction.begin(&self.arena, tree);
            begun += 1;
        }
        // Relaxed: seen by workers that are woken later.
        self.to_compact.store(begun, Ordering::Relaxed);
    }

    /// Whether nothing is left to compact.
    pub fn all_compacted(&self) -> bool {
        // Acquire: pairs with the Release in `compact`.
        self.to_compact.load(Ordering::Acquire) == 0
    }

    /// Iterates until the budget ends or a stop is called.
    fn grow<const OWNED: bool>(&self, index: usize, slot: usize, job: &Job<G>, stop: Stop<'_>) {
        // It comes too late; somebody else may use its oracle.
        if stop.raised() {
            return;
        }
        let at = self.tree_of(index);
        let tree = &self.trees[at];
        let seed = self.seed_of(index);
        // No other thread locks it for long during a search.
        let mut oracle = self.oracles[index].lock();
        let mut worker = Worker::<G, OWNED>::new(
            (&self.arena, tree),
            &self.parameters,
            &mut oracle,
            &job.state,
            seed,
        );
        worker.use_root(tree.root_of(slot));
        worker.use_transpositions(self.transpositions(at));
        worker.use_count(Nodes::new(u64::MAX, stop).until(job.deadline));
        let mut left = share_of(job.iterations, index, self.work.len());
        let work = &self.work[index];
        let mut iterated = 0;
        while left > 0 && !stop.raised() {
            if worker.finished() {
                stop.raise();
                break;
            }
            if job.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.raise();
                break;
            }
            if index == 0 {
                worker.prove_root(iterated, stop);
                if worker.finished() {
                    continue;
                }
            }
            worker.halve_full_root();
            let now = left.min(G::Oracle::POLL_ITERATIONS);
            iterated = now;
            worker.iterate(now as u32);
            left -= now;
            // Relaxed: a counter for reports, written by this worker alone.
            let done = work.iterations.load(Ordering::Relaxed);
            work.iterations.store(done + now, Ordering::Relaxed);
        }
        let Contention { blocks, lost_claims } = worker.contention();
        // Relaxed: read after all workers have been waited for.
        work.blocks.store(blocks, Ordering::Relaxed);
        work.lost_claims.store(lost_claims, Ordering::Relaxed);
    }

    /// The table of the positions that a tree's nodes stand for; an empty one where none are
    /// shared.
    pub fn transpositions(&self, tree: usize) -> Transpositions<'_> {
        Transpositions::new(self.slots.get(tree).map_or(&[], |slots| slots))
    }

    /// Begins to count the iterations of a search; those that the roots have are kept ones.
    pub fn begin_count(&self) {
        let iterations = self.trees.iter().map(|tree| self.iterations_at_root(tree)).sum();
        self.kept.store(iterations, Ordering::Relaxed);
        self.before.store(self.count_all(), Ordering::Relaxed);
        for work in &self.work {
            for count in [&work.blocks, &work.lost_claims] {
                count.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Iterations that a tree's root has had, those under way included as in its visits.
    pub fn iterations_at_root(&self, tree: &Tree) -> u64 {
        u64::from(self.arena[tree.root()].stats().visits) + tree.halved_away()
    }

    /// The seed of a worker or tree.
    pub fn seed_of(&self, index: usize) -> u64 {
        // Multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
        self.seed.load(Ordering::Relaxed) ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_tables_count_when_memory_is_refused() {
        let free = 1700 << 20;
        let refused = |bytes, has_tables, free| {
            let error = check_memory(bytes, has_tables, 0, free).unwrap_err().to_string();
            error.split_once("expected ").unwrap().1.to_owned()
        };
        let with_tables = 1600 << 20;
        assert!(check_memory(with_tables, true, 0, Some(free)).is_ok());
        let expected = "at most 1600 MiB (free on this machine)";
        assert_eq!(refused(with_tables + 1, true, Some(free)), expected);
        assert_eq!(refused(free, true, Some(free)), expected);
        assert!(check_memory(free, false, 0, Some(free)).is_ok());
        let expected = "at most 1700 MiB (free on this machine)";
        assert_eq!(refused(free + 1, false, Some(free)), expected);
        // So do those of the oracles.
        let oracles = 64 << 20;
        assert!(check_memory(free - oracles, false, oracles, Some(free)).is_ok());
        let error = check_memory(free, false, oracles, Some(free)).unwrap_err().to_string();
        assert!(error.ends_with("expected at most 1636 MiB (free on this machine)"), "{error}");
        assert!(check_memory(1, false, oracles, Some(0)).is_err());
        // No machine could do it, but what this one could do is said.
        assert_eq!(refused(usize::MAX, true, Some(free)), "at most 1600 MiB");
        assert!(check_memory(1 << 30, true, 0, None).is_ok());
        assert!(matches!(
            check_memory(usize::MAX, true, 0, None),
            Err(EngineError::MemoryTooLarge { most, .. }) if most == ADDRESSED
        ));
    }
}
