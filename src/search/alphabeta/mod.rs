//! Alpha-beta with iterative deepening: an opponent for the tree search, under the same clock.
//!
//! All workers search the same root and share only the transposition table, the stop flag and the
//! best result so far (lazy SMP: Heinz 1999 and most chess programs since). The results of one
//! reach the others through the table; timing alone makes them search different parts.
//!
//! The calling thread is the watcher: it wakes the workers, parks until the deadline, raises the
//! stop flag, and reads the best result so far without waiting. A legal move is known before the
//! first worker wakes.

mod best;
mod horizon;
mod lines;
mod order;
#[cfg(test)]
mod random_trees;
mod root;
mod score;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crossbeam::utils::CachePadded;
use parking_lot::{Mutex, RwLock};

use self::best::{Best, Finding, Line};
use self::lines::DeepestLines;
use self::root::Wanted;
use self::search::{Features, MAX_DEPTH, Memory, Search};
use self::table::Table;
use super::clock::{Budget, Instant};
use super::proven_win::ProvenWin;
use super::report::{Alternative, MAX_LINES, Proof, Report};
use super::shell::{self, SLOTS, Shell, Way, share_of};
use super::{Engine, EngineError, EngineOptions, one_ply, theorem};
use crate::eval::nodes::Nodes;
use crate::eval::oracle::Oracle;
use crate::eval::stop::Stop;
use crate::eval::{Evaluate, MAX_SCORE, expectation};
use crate::game::{GameState, Move, MoveList, Outcome};

/// Nodes for a position with one legal move: it is played whatever they say, but its value and its
/// proof are reported.
const ONLY_MOVE_NODES: u64 = 20_000;

/// What the workers of one search are to do.
#[derive(Clone, Copy)]
struct Job<G> {
    state: GameState<G>,
    /// Nodes of all workers together.
    nodes: Option<u64>,
    /// The last iteration, in plies.
    depth: usize,
    /// Lines of play, at least 1.
    lines: usize,
    /// The moment at which workers stop by themselves, should the watcher get no core.
    deadline: Option<Instant>,
    features: Features,
}

/// What one worker has to itself.
struct WorkerSlot<G: Evaluate> {
    memory: Mutex<Memory<G>>,
    /// Positions visited in the search of each slot.
    nodes: CachePadded<[AtomicU64; SLOTS]>,
}

struct AlphaBetaSearch<G: Evaluate> {
    table: Table,
    /// What the search of each slot has found: a late worker offers only to its own.
    best: [Best; SLOTS],
    /// All lines, where several are asked for.
    lines: [DeepestLines; SLOTS],
    /// The moves that may be played in the search of each slot; none: all legal ones.
    only: [RwLock<MoveList>; SLOTS],
    /// The slot of the current search.
    current: AtomicUsize,
    slots: Vec<WorkerSlot<G>>,
}

/// The alpha-beta player of a game.
pub struct AlphaBeta<G: Evaluate> {
    shell: Shell<AlphaBetaSearch<G>>,
    features: Features,
    proven_win: ProvenWin<G>,
}

impl<G: Evaluate> AlphaBeta<G> {
    /// Allocates the memory and starts the threads. `start` is any position of the game; of the
    /// options, `trees` and `seed` do not matter.
    pub fn new(start: G, options: &EngineOptions) -> Result<AlphaBeta<G>, EngineError> {
        let threads = options.threads.max(1);
        let features = Features::ALL;
        let slot =
            || WorkerSlot { memory: Mutex::new(Memory::new()), nodes: CachePadded::default() };
        let shared = AlphaBetaSearch {
            table: Table::new(options.memory, threads)?,
            best: std::array::from_fn(|_| Best::new()),
            lines: std::array::from_fn(|_| DeepestLines::new()),
            only: std::array::from_fn(|_| RwLock::new(MoveList::new())),
            current: AtomicUsize::new(0),
            slots: std::iter::repeat_with(slot).take(threads).collect(),
        };
        let job = Job {
            state: GameState::new(start),
            nodes: None,
            depth: MAX_DEPTH,
            lines: 1,
            deadline: None,
            features,
        };
        let shell = Shell::start(shared, options.threads, job)?;
        Ok(AlphaBeta { shell, features, proven_win: ProvenWin::default() })
    }
}

impl<G: Evaluate> shell::Search for AlphaBetaSearch<G> {
    type Job = Job<G>;

    fn work(&self, index: usize, _: usize, search: usize, job: &Job<G>, stop: Stop<'_>) {
        let slot = &self.slots[index];
        let limit = share_of(job.nodes, index, self.slots.len());
        let mut memory = slot.memory.lock();
        memory.order.begin_search();
        memory.order.enabled = job.features.order;
        let only = self.only[search].read();
        let wanted = Wanted {
            only: &only,
            lines: job.lines,
            best: &self.best[search],
            deepest: &self.lines[search],
        };
        let mut search = Search {
            root: job.state.position,
            history: job.state.history,
            table: &self.table,
            memory: &mut memory,
            nodes: Nodes::new(limit, stop).until(job.deadline).shown(&slot.nodes[search]),
            features: job.features,
            salt: 0,
        };
        // Every second worker is one iteration ahead, so that they do not all do the same.
        let first = 1 + index % 2;
        let finished = search.deepen(first.min(job.depth)..=job.depth, &wanted);
        search.nodes.publish();
        if finished {
            stop.raise();
        }
    }
}

impl<G: Evaluate> AlphaBetaSearch<G> {
    /// Makes a slot, in which no worker can be, that of the current search: nothing is found.
    fn clear(&self, search: usize, only: &[Move]) {
        // Relaxed: for the watcher alone.
        self.current.store(search, Ordering::Relaxed);
        self.best[search].clear();
        self.lines[search].clear();
        *self.only[search].write() = only.iter().copied().collect();
        for slot in &self.slots {
            slot.nodes[search].store(0, Ordering::Relaxed);
        }
    }

    fn current(&self) -> usize {
        self.current.load(Ordering::Relaxed)
    }

    /// The move to play if no worker finds one in time, with its value: the one in the table, or
    /// else the best one ply ahead.
    fn fallback(&self, state: &GameState<G>, budget: &Budget) -> (Move, f32) {
        let remembered = self.remembered(&state.position).filter(|&m| budget.allows(m));
        remembered
            .and_then(|known| one_ply::best_move(state, &|m| m == known))
            .or_else(|| one_ply::best_move(state, &|m| budget.allows(m)))
            .expect("a search starts where there is a legal move")
    }

    /// The best move that the table knows for a position.
    fn remembered(&self, position: &G) -> Option<Move> {
        self.table.probe(search::key(position, 0)).and_then(|entry| entry.best)
    }

    /// The report on the search so far.
    fn report(
        &self,
        state: &GameState<G>,
        budget: &Budget,
        fallback: (Move, f32),
        started: Instant,
    ) -> Report {
        let current = self.current();
        let max_others = budget.lines.clamp(1, MAX_LINES) - 1;
        let (finding, line) = self.best[current].get().unzip();
        let (m, value) = fallback;
        let mut report = Report::of_move(finding.map_or(m, |finding| finding.best));
        report.value = value;
        if let Some(finding) = finding {
            fill_in(&mut report, &finding);
        }
        if let Some(line) = line.filter(|line| line.first() == Some(&report.best)) {
            report.variation = line;
        }
        self.extend(state, &mut report.variation);
        let best = report.best;
        let others = self.lines[current].get().into_iter().filter(|(_, line)| line[0] != best);
        for (finding, line) in others.take(max_others) {
            let mut other = Report::of_move(finding.best);
            fill_in(&mut other, &finding);
            let Report { value, proof, depth, .. } = other;
            let mut variation = line;
            self.extend(state, &mut variation);
            report.alternatives.push(Alternative { value, proof, depth, variation });
        }
        report.nodes =
            self.slots.iter().map(|slot| slot.nodes[current].load(Ordering::Relaxed)).sum();
        report.fill = self.table.fill();
        report.elapsed = started.elapsed();
        report
    }

    /// Continues a line with what the table knows, and where the result is certain with a win at
    /// once or else any move.
    fn extend(&self, state: &GameState<G>, line: &mut Line) {
        let mut state = *state;
        line.iter().for_each(|&m| state.play(m));
        while !line.is_full() && state.ending().is_none() {
            let moves = state.position.legal_moves();
            let wins = |m: &&Move| {
                let after = state.position.after(**m);
                after.won().is_some_and(|end| end.outcome == Outcome::Win(state.position.side()))
            };
            let next = if state.position.decided().is_some() {
                moves.iter().find(wins).or(moves.first()).copied()
            } else {
                self.remembered(&state.position).filter(|m| moves.contains(m))
            };
            let Some(next) = next else { break };
            line.push(next);
            state.play(next);
        }
    }
}

/// Copies what was found into a report.
fn fill_in(report: &mut Report, finding: &Finding) {
    report.depth = finding.depth - usize::from(!finding.complete);
    if finding.is_proven() {
        report.proof = score::proof(finding.score);
    }
    report.value = match report.proof {
        Some(Proof::Win(_)) => 1.0,
        Some(Proof::Loss(_)) => 0.0,
        Some(Proof::Draw) => 0.5,
        None => expectation(finding.score.clamp(-MAX_SCORE, MAX_SCORE)),
    };
}

impl<G: Evaluate> Engine<G> for AlphaBeta<G> {
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let started = Instant::now();
        let shared = self.shell.search();
        let fallback = shared.fallback(state, budget);
        if self.shell.make_way(budget) == Way::Blocked {
            let mut report = Report::of_move(fallback.0);
            report.value = fallback.1;
            theorem::complete(state, budget, &mut report);
            report.elapsed = started.elapsed();
            return report;
        }
        if theorem::winning_move(state, budget).is_some() {
            let mut report = Report::of_move(fallback.0);
            theorem::complete(state, budget, &mut report);
            report.elapsed = started.elapsed();
            self.proven_win.keep(state, &mut report);
            return report;
        }
        let nodes = match state.position.count_moves() {
            1 => Some(budget.nodes.unwrap_or(u64::MAX).min(ONLY_MOVE_NODES)),
            _ => budget.nodes,
        };
        self.begin(state, &Budget { nodes, ..*budget });
        let report = || shared.report(state, budget, fallback, started);
        // A late worker is not waited for when another has found the result.
        let settled = || self.shell.is_over();
        self.shell.watch(started, budget, settled, || progress(&report()));
        self.shell.stop();
        let mut report = report();
        theorem::complete(state, budget, &mut report);
        report.haste = self.shell.haste();
        self.proven_win.keep(state, &mut report);
        report
    }

    fn new_game(&mut self, _: u64) {
        self.shell.halt(None);
        self.proven_win = ProvenWin::default();
        let shared = self.shell.search();
        shared.table.clear();
        for slot in &shared.slots {
            let mut memory = slot.memory.lock();
            memory.order.clear();
            memory.oracle.clear();
        }
    }

    /// What pondering finds is kept in the table.
    fn ponder(&mut self, state: &GameState<G>) {
        if self.shell.make_way_to_ponder() != Way::Blocked {
            self.begin(state, &Budget::default());
        }
    }
}

impl<G: Evaluate> AlphaBeta<G> {
    /// Sets the workers to work.
    fn begin(&self, state: &GameState<G>, budget: &Budget) {
        let shared = self.shell.search();
        shared.clear(self.shell.next_slot(), budget.only);
        shared.table.begin_search();
        let depth = budget.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let Budget { nodes, deadline, lines, .. } = *budget;
        let features = self.features;
        let job = Job { state: *state, nodes, depth, lines: lines.max(1), deadline, features };
        self.shell.begin(job, 1);
    }
}
