//! Monte Carlo tree search in fixed memory, on one tree or several.
//!
//! `--trees R --threads N`: the threads are divided among R trees, each with its own range of the
//! arena. R = N is root parallelism (no sharing), R = 1 one shared tree; the code is the same. At
//! the root the trees' visits are added up, and a proof in any of them counts.
//!
//! The default is one shared tree for any number of threads: its proofs, and the part that is kept
//! after a move, serve all of them.
//!
//! Nodes of the same position share their children (`transpositions.rs`), so that a tree is a graph
//! without cycles; each node counts its own visits.
//!
//! One iteration (`iteration.rs`) is four steps, in files of their names. The calling thread is the
//! watcher: it prepares the roots, wakes the workers, parks until the deadline, and reads the best
//! move at the roots, whose children exist from the start, so a legal move is known at any moment.

mod arena;
mod backup;
mod batch;
mod best_move;
mod children;
mod compaction;
mod evaluate;
mod expand;
mod expansion_policy;
mod history;
pub mod inspect;
mod iteration;

#[cfg(test)]
mod loom_tests;
mod node;
mod proof;
mod prove_root;
mod rank;
mod roots;
mod select;
mod stats;
mod sync;
#[cfg(all(test, not(loom)))]
mod tests;
mod transpositions;
mod tree;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use arrayvec::ArrayVec;
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use self::arena::Arena;
use self::compaction::compact;
use self::node::Node;
use self::transpositions::{Slot, Transpositions};
use self::tree::Tree;
use self::worker::{Contention, Worker};
use super::clock::Budget;
use super::memory::Block;
use super::report::Report;
use super::shell::{Search, Shell, share_of};
use super::{Engine, EngineError, EngineOptions};
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;
use crate::game::{GameState, MAX_PLIES, Move, MoveList};
use crate::parameters::Parameters;

/// A tree is compacted before a search if more than one in this many nodes of its pool is used:
/// earlier in the opponent's time, when that costs no thinking of our own.
const COMPACT_WHEN_THINKING: u32 = 2;
const COMPACT_WHEN_PONDERING: u32 = 4;

/// Compaction before a search may take at most 1/16 of the move time.
const COMPACTION_SHARE: u32 = 16;

/// The transposition tables use 1/16 of the memory on top of it: a slot for eight nodes, of which
/// about one gets children.
const SLOTS_SHARE: usize = 16;

/// A part of a search, done by all workers before the next begins.
#[derive(Clone, Copy)]
enum Phase {
    /// Trees of which more than one in `one_in` nodes are used are compacted, until a moment.
    Compact { one_in: u32, until: Option<Instant> },
    /// The trees are grown.
    Grow,
}

/// What the workers of one search are to do.
#[derive(Clone, Copy)]
struct Job<G> {
    state: GameState<G>,
    phases: [Phase; 2],
    /// Iterations of all workers together.
    iterations: Option<u64>,
}

impl<G> Job<G> {
    /// At most two phases.
    fn new(state: GameState<G>, phases: &[Phase], iterations: Option<u64>) -> Job<G> {
        let mut job = Job { state, phases: [Phase::Grow; 2], iterations };
        job.phases[..phases.len()].copy_from_slice(phases);
        job
    }
}

/// What a worker has done in this search, written by it alone.
#[derive(Default)]
struct Work {
    iterations: AtomicU64,
    /// Set when its part of the search ends.
    blocks: AtomicU64,
    lost_claims: AtomicU64,
}

struct TreeSearch<G: Evaluate> {
    arena: Arena,
    trees: Vec<Tree>,
    /// For each tree, the slots of its table of positions; none where no positions are shared.
    slots: Vec<Block<Slot>>,
    parameters: Parameters,
    /// Workers that are growing a tree, or have panicked doing so, which leaves iterations in it
    /// that began and never end.
    growing: AtomicUsize,
    /// What each worker has done in this search.
    work: Vec<CachePadded<Work>>,
    /// One for each worker.
    oracles: Vec<Mutex<G::Oracle>>,
    /// Iterations that the trees had before.
    kept: AtomicU64,
    /// Changed while no worker is at work.
    seed: AtomicU64,
}

/// The Monte Carlo player of a game.
pub struct MonteCarlo<G: Evaluate> {
    shell: Shell<TreeSearch<G>>,
    /// Where the trees stand.
    standing: Option<GameState<G>>,
    /// Whether the engine ponders on them, so that the next search continues from them.
    pondering: bool,
}

impl<G: Evaluate> MonteCarlo<G> {
    /// Allocates the memory and starts the threads. `start` is any position of the game.
    pub fn new(start: G, options: &EngineOptions) -> Result<MonteCarlo<G>, EngineError> {
        const { assert!(G::PLY_LIMIT <= MAX_PLIES, "a path and a history have room for it") };
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
        let parameters = options.parameters.unwrap_or(G::TUNING);
        let slots_of_tree = options.memory / SLOTS_SHARE / tree_count;
        let tables = if parameters.transpositions > 0 { tree_count } else { 0 };
        let slots = (0..tables).map(|_| Block::new(slots_of_tree, 1));
        let slots = slots.collect::<Result<_, EngineError>>()?;
        let shared = TreeSearch {
            trees: trees.collect(),
            slots,
            growing: AtomicUsize::new(0),
            work: (0..threads).map(|_| CachePadded::default()).collect(),
            oracles: (0..threads).map(|_| Mutex::default()).collect(),
            kept: AtomicU64::new(0),
            seed: AtomicU64::new(options.seed),
            parameters,
            arena,
        };
        let shell = Shell::start(shared, threads, Job::new(GameState::new(start), &[], None))?;
        Ok(MonteCarlo { shell, standing: None, pondering: false })
    }

    fn shared(&self) -> &TreeSearch<G> {
        self.shell.search()
    }
}

impl<G: Evaluate> Search for TreeSearch<G> {
    type Job = Job<G>;

    fn work(&self, index: usize, phase: usize, job: &Job<G>, stop: &AtomicBool) {
        match job.phases[phase] {
            Phase::Compact { one_in, until } => {
                // Each tree by the first of its workers.
                if let Some(tree) = self.trees.get(index).filter(|tree| tree.fuller_than(one_in)) {
                    let transpositions = self.transpositions(index);
                    compact(&self.arena, tree, transpositions, until, stop);
                }
            }
            Phase::Grow => {
                // Relaxed: read after the worker has been waited for.
                self.growing.fetch_add(1, Ordering::Relaxed);
                // With one worker to a tree, nothing in it is shared.
                if self.trees.len() == self.work.len() {
                    self.grow::<true>(index, job, stop);
                } else {
                    self.grow::<false>(index, job, stop);
                }
                self.growing.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

impl<G: Evaluate> TreeSearch<G> {
    /// Iterates until the budget ends or a stop is called.
    fn grow<const OWNED: bool>(&self, index: usize, job: &Job<G>, stop: &AtomicBool) {
        let tree = &self.trees[index % self.trees.len()];
        let seed = self.seed_of(index);
        // No other thread locks it during a search.
        let mut oracle = self.oracles[index].lock();
        let mut worker = Worker::<G, OWNED>::new(
            (&self.arena, tree),
            &self.parameters,
            &mut oracle,
            &job.state,
            seed,
        );
        worker.use_transpositions(self.transpositions(index % self.trees.len()));
        let mut left = share_of(job.iterations, index, self.work.len());
        let work = &self.work[index];
        let mut iterated = 0;
        // Relaxed: the flag alone matters, and a stop seen a poll later is soon enough.
        while left > 0 && !stop.load(Ordering::Relaxed) {
            if worker.finished() {
                stop.store(true, Ordering::Relaxed);
                break;
            }
            if index == 0 {
                worker.prove_root(iterated, stop);
                if worker.finished() {
                    continue;
                }
            }
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
    fn transpositions(&self, tree: usize) -> Transpositions<'_> {
        Transpositions::new(self.slots.get(tree).map_or(&[], |slots| slots))
    }

    /// Begins to count the iterations of a search; those that the roots have are kept ones.
    fn begin_count(&self) {
        let visits = |tree: &Tree| u64::from(self.arena[tree.root()].stats().visits);
        self.kept.store(self.trees.iter().map(visits).sum(), Ordering::Relaxed);
        for work in &self.work {
            for count in [&work.iterations, &work.blocks, &work.lost_claims] {
                count.store(0, Ordering::Relaxed);
            }
        }
    }

    /// The seed of a worker or tree.
    fn seed_of(&self, index: usize) -> u64 {
        // Multiples of an odd constant near 2^64 / golden ratio are far apart (Knuth, TAOCP 6.4).
        self.seed.load(Ordering::Relaxed) ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The moves that lead from one state to another, if it is up to two plies later.
fn path<G: Evaluate>(before: &GameState<G>, after: &GameState<G>) -> Option<ArrayVec<Move, 2>> {
    let leads_there = |moves: &[Move]| {
        let mut state = *before;
        moves.iter().for_each(|&m| state.play(m));
        state.same_as(after)
    };
    let target = &after.position;
    let mut first_moves = MoveList::new();
    before.position.moves(&mut first_moves);
    match target.ply().checked_sub(before.position.ply())? {
        0 => leads_there(&[]).then(ArrayVec::new),
        1 => first_moves.iter().find(|&&m| leads_there(&[m])).map(|&m| [m].into_iter().collect()),
        2 => first_moves.iter().find_map(|&first| {
            let mut position = before.position;
            position.play(first);
            let mut second_moves = MoveList::new();
            position.moves(&mut second_moves);
            let second = second_moves.into_iter().find(|&second| {
                let mut position = position;
                position.play(second);
                position == *target && leads_there(&[first, second])
            })?;
            Some([first, second].into())
        }),
        _ => None,
    }
}

/// A legal move, where nothing better is known.
fn any_move<G: Evaluate>(state: &GameState<G>) -> Move {
    let mut moves = MoveList::new();
    state.position.moves(&mut moves);
    *moves.first().expect("a search starts where there is a legal move")
}

impl<G: Evaluate> MonteCarlo<G> {
    /// Makes `state` the root of all trees. They keep its subtree if it lies up to two plies after
    /// their root, or is the root itself after pondering. After a panic they are planted anew. No
    /// worker may be at work.
    fn stand_at(&mut self, state: &GameState<G>, pondered: bool) {
        // They stand nowhere until this is done, as a panic may leave some here and some there.
        let before = self.standing.take();
        let sound = self.shared().growing.swap(0, Ordering::Relaxed) == 0;
        let path = before.filter(|_| sound).and_then(|before| path(&before, state));
        match path {
            Some(path) if pondered || !path.is_empty() => self.shared().advance(&path, state),
            _ => self.shared().plant(state),
        }
        self.standing = Some(*state);
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
        if !self.shell.halt(budget.deadline) {
            return Report::of_move(any_move(state));
        }
        let pondered = std::mem::take(&mut self.pondering);
        self.stand_at(state, pondered);
        let shared = self.shared();
        shared.begin_count();
        let only_move = shared.root_children(&shared.trees[0]).count() == 1;
        let decided = shared.arena[shared.trees[0].root()].bounds().proven();
        if only_move || decided {
            return shared.report(started);
        }
        if shared.trees.iter().any(|tree| tree.fuller_than(COMPACT_WHEN_THINKING)) {
            let time = budget.deadline.map(|at| at.saturating_duration_since(started));
            let until = time.map(|time| started + time / COMPACTION_SHARE);
            let keep = Phase::Compact { one_in: COMPACT_WHEN_THINKING, until };
            self.shell.begin(Job::new(*state, &[keep], None), 1);
            if !self.shell.watch(started, budget, || false, || ()) {
                self.shell.stop();
                return shared.report(started);
            }
        }
        self.shell.begin(Job::new(*state, &[Phase::Grow], budget.nodes), 1);
        let settled = || shared.settled(started, budget);
        let interim = || progress(&shared.report(started));
        self.shell.watch(started, budget, settled, interim);
        self.shell.stop();
        shared.report(started)
    }

    fn new_game(&mut self, seed: u64) {
        self.shell.halt(None);
        self.standing = None;
        self.pondering = false;
        self.shared().seed.store(seed, Ordering::Relaxed);
        for oracle in &self.shared().oracles {
            oracle.lock().clear();
        }
    }

    fn ponder(&mut self, state: &GameState<G>) {
        if self.shell.halt_to_ponder() {
            self.stand_at(state, true);
            let keep = Phase::Compact { one_in: COMPACT_WHEN_PONDERING, until: None };
            self.shell.begin(Job::new(*state, &[keep, Phase::Grow], None), 2);
            self.pondering = true;
        }
    }
}
