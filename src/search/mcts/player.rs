//! The player: one search after another on the same trees.
//!
//! The one idea: the thread that asks for a move is the watcher. It prepares the roots, wakes the
//! workers, parks until the deadline, and reads the best move without waiting for anybody.

use std::sync::atomic::Ordering;

use super::standing::{Next, Standing};
use super::tree_search::{Job, Phase, TreeSearch};
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;
use crate::game::{GameState, MAX_PLIES};
use crate::search::clock::{Budget, Instant};
use crate::search::proven_win::ProvenWin;
use crate::search::report::{Report, RootMove};
use crate::search::shell::{Shell, Way};
use crate::search::{Engine, EngineError, EngineOptions, one_ply, theorem};

/// A tree is compacted before a search if more than one in this many nodes of its pool is used:
/// earlier in the opponent's time, when that costs no thinking of our own.
const COMPACT_WHEN_THINKING: u32 = 2;
const COMPACT_WHEN_PONDERING: u32 = 4;

/// Compaction before a search may take at most 1/16 of the move time.
const COMPACTION_SHARE: u32 = 16;

/// Iterations for a position with one legal move: it is played whatever they say, but its value
/// and its proof are reported.
const ONLY_MOVE_ITERATIONS: u64 = 4_000;

/// Iterations for each ply of a depth that is asked for without another limit.
const ITERATIONS_PER_PLY: u64 = 200_000;

/// The Monte Carlo player of a game.
pub struct MonteCarlo<G: Evaluate> {
    pub(super) shell: Shell<TreeSearch<G>>,
    /// Where the trees stand.
    pub(super) standing: Standing<G>,
    /// Whether the next search continues from their roots, as after pondering.
    pub(super) continues: bool,
    pub(super) proven_win: ProvenWin<G>,
}

impl<G: Evaluate> MonteCarlo<G> {
    /// Allocates the memory and starts the threads. `start` is any position of the game.
    pub fn new(start: G, options: &EngineOptions) -> Result<MonteCarlo<G>, EngineError> {
        const { assert!(G::PLY_LIMIT <= MAX_PLIES, "a path and a history have room for it") };
        let threads = options.threads.max(1);
        let shared = TreeSearch::new(threads, options)?;
        let shell =
            Shell::start(shared, options.threads, Job::new(GameState::new(start), &[], None))?;
        Ok(MonteCarlo {
            shell,
            standing: Standing::default(),
            continues: false,
            proven_win: ProvenWin::default(),
        })
    }

    pub(super) fn shared(&self) -> &TreeSearch<G> {
        self.shell.search()
    }
}

impl<G: Evaluate> MonteCarlo<G> {
    /// The report where no search could begin: what the trees know of the position, or else what is
    /// best one ply ahead.
    fn at_hand(&self, state: &GameState<G>, budget: &Budget, started: Instant) -> Report {
        // Nodes are not used again in the last phase of a search, so they can be read.
        let path = self.standing.path_to(state).filter(|_| budget.only.is_empty());
        let known = path.filter(|_| self.shell.in_last_phase()).and_then(|path| {
            let shared = self.shared();
            shared.report_below(started, &|tree| shared.node_at(tree, &path))
        });
        let knows = |report: &Report| report.proof.is_some() || report.top_moves[0].visits > 0;
        let mut report = known.filter(knows).unwrap_or_else(|| {
            let best = one_ply::best_move(state, &|m| budget.allows(m));
            let (m, value) = best.expect("there is a legal move");
            Report { value, ..Report::of_move(m) }
        });
        theorem::complete(state, budget, &mut report);
        report.nodes = 0;
        report.elapsed = started.elapsed();
        report
    }

    /// The report on the search so far.
    fn report(&self, state: &GameState<G>, budget: &Budget, started: Instant) -> Report {
        let shared = self.shared();
        let mut report = shared.report(started);
        if report.proof.is_none() && report.top_moves[0].visits == 0 {
            // No worker has done anything.
            let open = shared.open_moves();
            if let Some((m, value)) = one_ply::best_move(state, &|m| open.contains(&m)) {
                let variation = Report::of_move(m).variation;
                report = Report { best: m, value, variation, depth: 0, ..report };
            }
        }
        if budget.lines > 1 {
            report.alternatives = shared.alternatives(report.best, budget.lines - 1);
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
        let next = Next { state, pondered: self.continues, only: budget.only };
        if !self.standing.stand(&self.shell, way, &next) {
            return self.at_hand(state, budget, started);
        }
        self.continues = false;
        let shared = self.shared();
        shared.begin_count();
        let decided = shared.arena[shared.trees[0].root()].bounds().proven();
        let mut haste = None;
        let ready = !decided && (way == Way::Beside || self.compact(state, started, budget));
        if ready {
            let depth = budget.depth.map(|depth| (depth as u64).saturating_mul(ITERATIONS_PER_PLY));
            let limit =
                if budget.deadline.is_none() { budget.nodes.or(depth) } else { budget.nodes };
            let iterations = match shared.root_children(&shared.trees[0]).count() {
                1 if budget.only.is_empty() => {
                    Some(limit.unwrap_or(u64::MAX).min(ONLY_MOVE_ITERATIONS))
                }
                _ => limit,
            };
            let job = Job::new(*state, &[Phase::Grow], iterations);
            self.shell.begin(Job { deadline: budget.deadline, ..job }, 1);
            // A number of iterations is for all workers, also for one that woke late.
            let over = || budget.nodes.is_none() && self.shell.is_over();
            let settled = || over() || shared.settled(started, budget);
            let interim = || progress(&self.report(state, budget, started));
            self.shell.watch(started, budget, settled, interim);
            self.shell.stop();
            haste = self.shell.haste();
        }
        let mut report = self.report(state, budget, started);
        theorem::complete(state, budget, &mut report);
        report.haste = haste;
        self.proven_win.keep(state, &mut report);
        report
    }

    fn root_moves(&self, state: &GameState<G>) -> Vec<RootMove> {
        match self.standing.state() {
            Some(standing) if standing.same_as(state) => self.shared().root_moves(),
            _ => Vec::new(),
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.shell.halt(None);
        self.standing = Standing::default();
        self.continues = false;
        self.proven_win = ProvenWin::default();
        self.shared().seed.store(seed, Ordering::Relaxed);
        for oracle in &self.shared().oracles {
            oracle.lock().clear();
        }
    }

    fn keep(&mut self) {
        self.continues = true;
    }

    fn ponder(&mut self, state: &GameState<G>) {
        let way = self.shell.make_way_to_ponder();
        if !self.standing.stand(&self.shell, way, &Next::of_all_moves(state, true)) {
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
        self.continues = true;
    }
}
