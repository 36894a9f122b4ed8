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
//!
//! A worker that gets no core may still be in the previous search when the next one is to begin.
//! The others begin it beside the late one: roots move, but no node is used again until it has
//! come. Where nobody can begin, the watcher plays what the trees know of the position, or else the
//! best move one ply ahead.

mod arena;
mod backup;
mod batch;
mod best_move;
mod children;
mod compaction;
mod evaluate;
mod expand;
mod expansion_policy;
mod halving;
mod history;
pub mod inspect;
mod iteration;

#[cfg(test)]
mod loom_tests;
mod node;
mod placement;
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

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use std::time::Instant;

use arrayvec::ArrayVec;
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use self::arena::Arena;
use self::compaction::Compaction;
use self::node::Node;
use self::placement::Placement;
use self::transpositions::{Slot, Transpositions};
use self::tree::Tree;
use self::worker::{Contention, Worker};
use super::clock::Budget;
use super::memory::{Block, available_memory, prepare_thread};
use super::numa::{self, Processors};
use super::promise::Promise;
use super::report::{Report, RootMove};
use super::shell::{Search, Shell, Way, share_of};
use super::{Engine, EngineError, EngineOptions, one_ply, theorem};
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
    /// The trees for which that was begun are compacted, until a moment.
    Compact { until: Option<Instant> },
    /// The trees are grown.
    Grow,
}

/// Iterations for a position with one legal move: it is played whatever they say, but its value
/// and its proof are reported.
const ONLY_MOVE_ITERATIONS: u64 = 4_000;

/// Iterations for each ply of a depth that is asked for without another limit.
const ITERATIONS_PER_PLY: u64 = 200_000;

/// What the workers of one search are to do.
#[derive(Clone, Copy)]
struct Job<G> {
    state: GameState<G>,
    phases: [Phase; 2],
    /// Iterations of all workers together.
    iterations: Option<u64>,
    /// The moment at which workers stop by themselves, should the watcher get no core.
    deadline: Option<Instant>,
}

impl<G> Job<G> {
    /// At most two phases.
    fn new(state: GameState<G>, phases: &[Phase], iterations: Option<u64>) -> Job<G> {
        let mut job = Job { state, phases: [Phase::Grow; 2], iterations, deadline: None };
        job.phases[..phases.len()].copy_from_slice(phases);
        job
    }
}

/// What a worker has done, written by it alone.
#[derive(Default)]
struct Work {
    /// In all searches.
    iterations: AtomicU64,
    /// In this search; set when its part of it ends.
    blocks: AtomicU64,
    lost_claims: AtomicU64,
}

struct TreeSearch<G: Evaluate> {
    arena: Arena,
    trees: Vec<Tree>,
    placement: Placement,
    /// For each tree, the slots of its table of positions; none where no positions are shared.
    slots: Vec<Block<Slot>>,
    parameters: Parameters,
    /// Whether a worker has panicked growing a tree, which leaves iterations in it that began and
    /// never end.
    broken: AtomicBool,
    /// What the workers that compact a tree share, for each tree.
    compactions: Vec<Compaction>,
    /// Trees that are still to be compacted, and workers that may be about it.
    to_compact: AtomicUsize,
    compacting: AtomicUsize,
    /// What each worker has done.
    work: Vec<CachePadded<Work>>,
    /// One for each worker.
    oracles: Vec<Mutex<G::Oracle>>,
    /// Iterations that the trees had before.
    kept: AtomicU64,
    /// Iterations of all searches before.
    before: AtomicU64,
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
    promise: Promise<G>,
}

impl<G: Evaluate> MonteCarlo<G> {
    /// Allocates the memory and starts the threads. `start` is any position of the game.
    pub fn new(start: G, options: &EngineOptions) -> Result<MonteCarlo<G>, EngineError> {
        const { assert!(G::PLY_LIMIT <= MAX_PLIES, "a path and a history have room for it") };
        let threads = options.threads.max(1);
        let nodes = if options.numa { numa::nodes() } else { Vec::new() };
        let placement = Placement::new(options.trees, threads, nodes);
        let tree_count = placement.trees();
        placement.log();
        let arena = Arena::new(options.memory, tree_count, &placement.crews())?;
        // Node 0 stays unused.
        let share = (arena.len() - 1) / tree_count;
        let trees = (0..tree_count).map(|tree| {
            let first = (1 + tree * share) as u32;
            Tree::new(first..first + share as u32, placement.workers_of(tree))
        });
        let parameters = options.parameters.unwrap_or(G::TUNING);
        let slots_of_tree = options.memory / SLOTS_SHARE / tree_count;
        let tables = if parameters.transpositions > 0 { tree_count } else { 0 };
        let slots =
            (0..tables).map(|tree| Block::new(slots_of_tree, 1, &[placement.crew_of(tree)]));
        let slots = slots.collect::<Result<_, EngineError>>()?;
        let trees: Vec<Tree> = trees.collect();
        let shared = TreeSearch {
            compactions: trees.iter().map(Compaction::new).collect(),
            trees,
            placement,
            slots,
            broken: AtomicBool::new(false),
            to_compact: AtomicUsize::new(0),
            compacting: AtomicUsize::new(0),
            before: AtomicU64::new(0),
            work: (0..threads).map(|_| CachePadded::default()).collect(),
            oracles: (0..threads).map(|_| Mutex::default()).collect(),
            kept: AtomicU64::new(0),
            seed: AtomicU64::new(options.seed),
            parameters,
            arena,
        };
        let shell = Shell::start(shared, threads, Job::new(GameState::new(start), &[], None))?;
        Ok(MonteCarlo { shell, standing: None, pondering: false, promise: Promise::default() })
    }

    fn shared(&self) -> &TreeSearch<G> {
        self.shell.search()
    }
}

/// Max bytes of memory that a tree search can be built with on this machine now, without the
/// transposition tables: what node indices address and what is free.
pub fn max_memory() -> usize {
    let addressed = arena::MAX_BYTES.min(isize::MAX as usize);
    // The tables come on top.
    let parts = SLOTS_SHARE + 1;
    available_memory().map_or(addressed, |free| (free / parts * SLOTS_SHARE).min(addressed))
}

impl<G: Evaluate> Search for TreeSearch<G> {
    type Job = Job<G>;

    /// On the processors of its tree, if it has its own; so its stack is near, too.
    fn prepare(&self, worker: usize) {
        let tree = self.placement.tree_of(worker);
        self.placement.processors_of(tree).map(Processors::confine_thread);
        prepare_thread();
    }

    fn work(&self, index: usize, phase: usize, slot: usize, job: &Job<G>, stop: &AtomicBool) {
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
    /// Helps to compact the worker's tree and then the others. Nobody waits for a worker that has
    /// not come for want of a core.
    fn compact(&self, index: usize, until: Option<Instant>, slot: usize, stop: &AtomicBool) {
        // SeqCst: either this worker sees a stop before it changes anything, or who has stopped it
        // sees that it compacts (`may_begin_beside`).
        self.compacting.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        for nth in 0..self.trees.len() {
            let at = (self.placement.tree_of(index) + nth) % self.trees.len();
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
    fn begin_compaction(&self, one_in: u32) {
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
    fn all_compacted(&self) -> bool {
        // Acquire: pairs with the Release in `compact`.
        self.to_compact.load(Ordering::Acquire) == 0
    }

    /// Iterates until the budget ends or a stop is called.
    fn grow<const OWNED: bool>(&self, index: usize, slot: usize, job: &Job<G>, stop: &AtomicBool) {
        // It comes too late; somebody else may use its oracle. Relaxed: as below.
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let at = self.placement.tree_of(index);
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
        let mut left = share_of(job.iterations, index, self.work.len());
        let work = &self.work[index];
        let mut iterated = 0;
        // Relaxed: the flag alone matters, and a stop seen a poll later is soon enough.
        while left > 0 && !stop.load(Ordering::Relaxed) {
            if worker.finished() {
                stop.store(true, Ordering::Relaxed);
                break;
            }
            if job.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.store(true, Ordering::Relaxed);
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
    fn transpositions(&self, tree: usize) -> Transpositions<'_> {
        Transpositions::new(self.slots.get(tree).map_or(&[], |slots| slots))
    }

    /// Begins to count the iterations of a search; those that the roots have are kept ones.
    fn begin_count(&self) {
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
    fn iterations_at_root(&self, tree: &Tree) -> u64 {
        u64::from(self.arena[tree.root()].stats().visits) + tree.halved_away()
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

impl<G: Evaluate> MonteCarlo<G> {
    /// The path from where the trees stand to `state`, if what they know of it may be used: it lies
    /// up to two plies after their root, or is the root itself after pondering.
    fn path_to(&self, state: &GameState<G>, pondered: bool) -> Option<ArrayVec<Move, 2>> {
        let path = path(self.standing.as_ref()?, state)?;
        (pondered || !path.is_empty()).then_some(path)
    }

    /// Makes `state` the root of all trees. They keep its subtree if a path leads there. After a
    /// panic they are planted anew. No worker may be at work.
    fn stand_at(&mut self, state: &GameState<G>, pondered: bool) {
        let path = self.path_to(state, pondered);
        // They stand nowhere until this is done, as a panic may leave some here and some there.
        self.standing = None;
        // Relaxed: the workers have been waited for.
        let sound = !self.shared().broken.swap(false, Ordering::Relaxed);
        match path.filter(|_| sound) {
            Some(path) => self.shared().advance(&path, state),
            None => self.shared().plant(state),
        }
        self.standing = Some(*state);
        let slot = self.shell.next_slot();
        self.shared().trees.iter().for_each(|tree| tree.set_root_of(slot, tree.root()));
    }

    /// The same beside late workers, which still grow the trees from earlier roots. False if no
    /// search can begin there: after a panic, or where the trees have no room.
    fn stand_beside(&mut self, state: &GameState<G>, pondered: bool) -> bool {
        let path = self.path_to(state, pondered);
        // As above; where they cannot stand there, they stay.
        let before = self.standing.take();
        let slot = self.shell.next_slot();
        // Relaxed: a panic that is seen later is dealt with before the next search.
        let sound = !self.shared().broken.load(Ordering::Relaxed);
        let stands = sound && self.shared().advance_beside(path.as_deref(), state, slot);
        self.standing = if stands { Some(*state) } else { before };
        stands
    }

    /// Makes `state` the root of all trees, if any worker can begin to grow them from there.
    fn stand(&mut self, way: Way, state: &GameState<G>, pondered: bool) -> bool {
        match way {
            Way::Clear => {
                self.stand_at(state, pondered);
                true
            }
            Way::Beside => self.stand_beside(state, pondered),
            Way::Blocked => false,
        }
    }

    /// The report where no search could begin: what the trees know of the position, or else what is
    /// best one ply ahead.
    fn at_hand(&self, state: &GameState<G>, started: Instant) -> Report {
        // Nodes are not used again in the last phase of a search, so they can be read.
        let path = self.standing.as_ref().and_then(|standing| path(standing, state));
        let known = path.filter(|_| self.shell.in_last_phase()).and_then(|path| {
            let shared = self.shared();
            shared.report_below(started, &|tree| shared.node_at(tree, &path))
        });
        let knows = |report: &Report| report.proof.is_some() || report.top_moves[0].visits > 0;
        let mut report = known.filter(knows).unwrap_or_else(|| {
            let (m, value) = one_ply::best_move(state, |_| true).expect("there is a legal move");
            Report { value, ..Report::of_move(m) }
        });
        theorem::complete(state, &mut report);
        report.nodes = 0;
        report.elapsed = started.elapsed();
        report
    }

    /// The report on the search so far.
    fn report(&self, state: &GameState<G>, started: Instant) -> Report {
        let shared = self.shared();
        let mut report = shared.report(started);
        if report.proof.is_none() && report.top_moves[0].visits == 0 {
            // No worker has done anything.
            let open = shared.open_moves();
            if let Some((m, value)) = one_ply::best_move(state, |m| open.contains(&m)) {
                let variation = Report::of_move(m).variation;
                report = Report { best: m, value, variation, depth: 0, ..report };
            }
        }
        report
    }

    /// Compacts the trees if they need it. Returns whether all is ready for growing them.
    fn compact(&self, state: &GameState<G>, started: Instant, budget: &Budget) -> bool {
        let shared = self.shared();
        if !shared.trees.iter().any(|tree| tree.fuller_than(COMPACT_WHEN_THINKING)) {
            return true;
        }
        let time = budget.deadline.map(|at| at.saturating_duration_since(started));
        let until = time.map(|time| started + time / COMPACTION_SHARE);
        let keep = Phase::Compact { until };
        shared.begin_compaction(COMPACT_WHEN_THINKING);
        self.shell.begin(Job::new(*state, &[keep], None), 1);
        // A worker that gets no core has nothing to do any more.
        let done = || shared.all_compacted() && self.shell.may_begin_beside();
        let ended = self.shell.watch(started, budget, done, || ());
        self.shell.stop();
        let ready = ended || done();
        if ready {
            let slot = self.shell.next_slot();
            shared.trees.iter().for_each(|tree| tree.set_root_of(slot, tree.root()));
        }
        ready
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
        let way = self.shell.make_way(budget);
        if !self.stand(way, state, self.pondering) {
            return self.at_hand(state, started);
        }
        self.pondering = false;
        let shared = self.shared();
        shared.begin_count();
        let decided = shared.arena[shared.trees[0].root()].bounds().proven();
        let ready = !decided && (way == Way::Beside || self.compact(state, started, budget));
        if ready {
            let depth = budget.depth.map(|depth| depth as u64 * ITERATIONS_PER_PLY);
            let limit =
                if budget.deadline.is_none() { budget.nodes.or(depth) } else { budget.nodes };
            let iterations = match shared.root_children(&shared.trees[0]).count() {
                1 => Some(limit.unwrap_or(u64::MAX).min(ONLY_MOVE_ITERATIONS)),
                _ => limit,
            };
            let job = Job::new(*state, &[Phase::Grow], iterations);
            self.shell.begin(Job { deadline: budget.deadline, ..job }, 1);
            // A number of iterations is for all workers, also for one that woke late.
            let over = || budget.nodes.is_none() && self.shell.is_over();
            let settled = || over() || shared.settled(started, budget);
            let interim = || progress(&self.report(state, started));
            self.shell.watch(started, budget, settled, interim);
            self.shell.stop();
        }
        let mut report = self.report(state, started);
        theorem::complete(state, &mut report);
        self.promise.keep(state, &mut report);
        report
    }

    fn root_moves(&self, state: &GameState<G>) -> Vec<RootMove> {
        match &self.standing {
            Some(standing) if standing.same_as(state) => self.shared().root_moves(),
            _ => Vec::new(),
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.shell.halt(None);
        self.standing = None;
        self.pondering = false;
        self.promise = Promise::default();
        self.shared().seed.store(seed, Ordering::Relaxed);
        for oracle in &self.shared().oracles {
            oracle.lock().clear();
        }
    }

    fn ponder(&mut self, state: &GameState<G>) {
        let way = self.shell.make_way_to_ponder();
        if !self.stand(way, state, true) {
            return;
        }
        let shared = self.shared();
        let full = shared.trees.iter().any(|tree| tree.fuller_than(COMPACT_WHEN_PONDERING));
        if way == Way::Clear && full {
            shared.begin_compaction(COMPACT_WHEN_PONDERING);
            let keep = Phase::Compact { until: None };
            self.shell.begin(Job::new(*state, &[keep, Phase::Grow], None), 2);
        } else {
            // One phase, so that a worker that gets no core keeps nobody waiting.
            self.shell.begin(Job::new(*state, &[Phase::Grow], None), 1);
        }
        self.pondering = true;
    }
}
