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
mod nodes;
mod order;
#[cfg(test)]
mod random_trees;
mod root;
mod score;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use self::best::{Best, Finding, Line};
use self::nodes::Nodes;
use self::search::{Features, MAX_DEPTH, Memory, Search};
use self::table::Table;
use super::clock::Budget;
use super::report::{Proof, Report};
use super::shell::{self, Shell, share_of};
use super::{Engine, EngineError, EngineOptions};
use crate::eval::oracle::Oracle;
use crate::eval::{Evaluate, MAX_SCORE, Weights, expectation};
use crate::game::{GameState, MAX_MOVES, Move, MoveList, Outcome};

/// What the workers of one search are to do.
#[derive(Clone, Copy)]
struct Job<G> {
    state: GameState<G>,
    /// Nodes of all workers together.
    nodes: Option<u64>,
    features: Features,
}

/// What one worker has to itself.
struct WorkerSlot<G: Evaluate> {
    memory: Mutex<Memory<G>>,
    /// Positions visited in this search.
    nodes: CachePadded<AtomicU64>,
}

struct AlphaBetaSearch<G: Evaluate> {
    table: Table,
    best: Best,
    slots: Vec<WorkerSlot<G>>,
}

/// The alpha-beta player of a game.
pub struct AlphaBeta<G: Evaluate> {
    shell: Shell<AlphaBetaSearch<G>>,
    features: Features,
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
            table: Table::new(options.memory)?,
            best: Best::new(),
            slots: std::iter::repeat_with(slot).take(threads).collect(),
        };
        let job = Job { state: GameState::new(start), nodes: None, features };
        Ok(AlphaBeta { shell: Shell::start(shared, threads, job)?, features })
    }
}

impl<G: Evaluate> shell::Search for AlphaBetaSearch<G> {
    type Job = Job<G>;

    fn work(&self, index: usize, _: usize, job: &Job<G>, stop: &AtomicBool) {
        let slot = &self.slots[index];
        let limit = share_of(job.nodes, index, self.slots.len());
        let mut memory = slot.memory.lock();
        memory.order.begin_search();
        memory.order.enabled = job.features.order;
        let mut search = Search {
            root: job.state.position,
            history: job.state.history,
            table: &self.table,
            memory: &mut memory,
            nodes: Nodes::new(limit, stop, &slot.nodes),
            features: job.features,
            salt: 0,
        };
        // Every second worker is one iteration ahead, so that they do not all do the same.
        let first = 1 + index % 2;
        let finished = search.deepen(first..=MAX_DEPTH, &self.best);
        search.nodes.publish();
        if finished {
            // Relaxed: a flag, and what was found is complete in the word that holds it.
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<G: Evaluate> AlphaBetaSearch<G> {
    /// Forgets what the previous search has found, but for the table.
    fn clear(&self) {
        self.best.clear();
        for slot in &self.slots {
            slot.nodes.store(0, Ordering::Relaxed);
        }
    }

    /// The move to play if no worker finds one in time: the one in the table, or else the
    /// most promising at first sight.
    fn first_sight(&self, position: &G, moves: &MoveList) -> Move {
        let mut weights: Weights = [0.0; MAX_MOVES];
        let weights = &mut weights[..moves.len()];
        position.weigh(moves, weights);
        let heaviest = moves.iter().zip(&*weights).max_by(|a, b| a.1.total_cmp(b.1));
        let remembered = self.remembered(position).filter(|m| moves.contains(m));
        remembered.unwrap_or(*heaviest.expect("a search starts where there is a legal move").0)
    }

    /// The best move that the table knows for a position.
    fn remembered(&self, position: &G) -> Option<Move> {
        self.table.probe(search::key(position, 0)).and_then(|entry| entry.best)
    }

    /// The report on the search so far.
    fn report(&self, state: &GameState<G>, first_sight: Move, started: Instant) -> Report {
        let (finding, line) = self.best.get().unzip();
        let mut report = Report::of_move(finding.map_or(first_sight, |finding| finding.best));
        if let Some(finding) = finding {
            fill_in(&mut report, &finding);
        }
        if let Some(line) = line.filter(|line| line.first() == Some(&report.best)) {
            report.variation = line;
        }
        self.extend(state, &mut report.variation);
        report.nodes = self.slots.iter().map(|slot| slot.nodes.load(Ordering::Relaxed)).sum();
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
            let mut moves = MoveList::new();
            state.position.moves(&mut moves);
            let wins = |m: &&Move| {
                let mut after = state.position;
                after.play(**m);
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
        let mut moves = MoveList::new();
        state.position.moves(&mut moves);
        let first_sight = shared.first_sight(&state.position, &moves);
        if !self.shell.halt(budget.deadline) {
            return Report::of_move(first_sight);
        }
        shared.clear();
        if moves.len() == 1 {
            return shared.report(state, first_sight, started);
        }
        self.begin(state, budget.nodes);
        let report = || shared.report(state, first_sight, started);
        self.shell.watch(started, budget, || false, || progress(&report()));
        self.shell.stop();
        report()
    }

    fn new_game(&mut self, _: u64) {
        self.shell.halt(None);
        let shared = self.shell.search();
        shared.clear();
        shared.table.clear();
        for slot in &shared.slots {
            let mut memory = slot.memory.lock();
            memory.order.clear();
            memory.oracle.clear();
        }
    }

    /// What pondering finds is kept in the table.
    fn ponder(&mut self, state: &GameState<G>) {
        if self.shell.halt_to_ponder() {
            self.shell.search().clear();
            self.begin(state, None);
        }
    }
}

impl<G: Evaluate> AlphaBeta<G> {
    /// Sets the workers to work.
    fn begin(&self, state: &GameState<G>, nodes: Option<u64>) {
        self.shell.search().table.begin_search();
        self.shell.begin(Job { state: *state, nodes, features: self.features }, 1);
    }
}
