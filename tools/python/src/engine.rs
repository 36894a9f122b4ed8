//! `alesia.Engine`: an engine of the library for one game.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};
use std::{process, thread};

use alesia::book::WithBook;
use alesia::eval::weights_file::WeightsFile;
use alesia::game::{ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::clock::Budget;
use alesia::search::judged::{self, Heuristic};
use alesia::search::size::Size;
use alesia::search::{self, EngineKind, EngineOptions};
use alesia::words::time_span::some_milliseconds;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::analysis::Analysis;
use crate::error::refused;
use crate::evaluate::{self, OfPython};
use crate::position::{Position, game_of};
use crate::unlocked::{interruptible, unlocked};

/// Max worker threads, as on the command line.
const MAX_THREADS: usize = 1024;

/// Iterations or positions that take a small part of a second.
const BRIEF_NODES: u64 = 1000;

/// Time between two looks at an engine that another thread of Python uses.
const WAIT: Duration = Duration::from_millis(2);

/// A number of Python as a text of the command line.
#[derive(FromPyObject)]
enum Value {
    Whole(u64),
    Number(f64),
    Text(String),
}

impl Value {
    fn text(&self) -> String {
        match self {
            Value::Whole(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

/// What an engine is asked for.
struct Order {
    kind: EngineKind,
    options: EngineOptions,
    /// `name=value`.
    parameters: Vec<String>,
    book: bool,
    /// Whether a function of Python evaluates.
    judged: bool,
}

impl Order {
    /// Refuses options that would do nothing, as the program does.
    fn check(&self) -> Result<(), ParseError> {
        let EngineOptions { threads, trees, .. } = self.options;
        if !(1..=MAX_THREADS).contains(&threads) {
            let expected = format!("a whole number from 1 to {MAX_THREADS}");
            return Err(ParseError::new("threads", threads.to_string(), expected));
        }
        if !(1..=threads).contains(&trees) {
            let expected = format!("from 1 to one for each thread, and threads is {threads}");
            return Err(ParseError::new("trees", trees.to_string(), expected));
        }
        if trees > 1 && self.kind != EngineKind::MonteCarlo {
            let found = format!("engine {}", self.kind);
            return Err(ParseError::new("trees", found, "engine mcts: others have no trees"));
        }
        if self.judged {
            self.check_judged()?;
        }
        match self.parameters.first().filter(|_| self.kind != EngineKind::MonteCarlo) {
            None => Ok(()),
            Some(set) => {
                let expected = format!("engine mcts: the engine {} has no parameters", self.kind);
                Err(ParseError::new("parameters", quoted(set), expected))
            }
        }
    }

    /// The same where a function of Python evaluates.
    fn check_judged(&self) -> Result<(), ParseError> {
        let EngineOptions { threads, weights, .. } = self.options;
        if self.kind == EngineKind::Random {
            let expected = "engine mcts or alphabeta: the engine random evaluates nothing";
            return Err(ParseError::new("evaluate", "engine random", expected));
        }
        if threads > 1 {
            let expected = "1 with evaluate, as Python calls one function at a time";
            return Err(ParseError::new("threads", threads.to_string(), expected));
        }
        match weights {
            None => Ok(()),
            Some(_) => Err(ParseError::new("weights", "a file", "none with evaluate")),
        }
    }

    /// Builds the engine of a game: takes its memory and starts its threads.
    fn build(self, start: AnyGame) -> PyResult<Box<dyn search::Engine>> {
        let own = <OfPython as Heuristic<AnyGame>>::TUNING;
        let mut parameters = if self.judged { own } else { start.tuning() };
        for assignment in &self.parameters {
            let set = parameters.set(assignment);
            set.map_err(|error| refused(error.within("parameters")))?;
        }
        let options = EngineOptions { parameters: Some(parameters), ..self.options };
        let engine = match self.judged {
            true => {
                // Without a thread, so that the function is asked on the one that searches.
                let options = EngineOptions { threads: 0, ..options };
                judged::engine_of_any::<OfPython>(self.kind, start, &options)
            }
            false => self.kind.build(start, &options),
        };
        let mut engine = engine.map_err(refused)?;
        if self.book && self.kind != EngineKind::Random {
            engine = Box::new(WithBook::new(engine, &start, options.seed));
        }
        Ok(engine)
    }
}

/// An engine with its memory and its threads.
#[pyclass(frozen, module = "alesia")]
pub struct Engine {
    game: GameSpec,
    kind: EngineKind,
    /// The process that has its threads: one that is forked from it has none of them.
    process: u32,
    engine: ManuallyDrop<Mutex<Box<dyn search::Engine>>>,
    seed: u64,
    /// What evaluates in place of the game's own evaluation.
    evaluate: Option<Arc<Py<PyAny>>>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Elsewhere its threads, for whose end it waits, would never end.
        if self.is_here() {
            // SAFETY: it is dropped nowhere else, and not used after this.
            unsafe { ManuallyDrop::drop(&mut self.engine) }
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (game = "murus", engine = "mcts", *, threads = 1, trees = 1,
                        memory = "512MiB", seed = 0, parameters = None, weights = None,
                        book = false, evaluate = None))]
    #[allow(clippy::too_many_arguments)] // each has a name in Python
    fn new(
        py: Python<'_>,
        game: &str,
        engine: &str,
        threads: usize,
        trees: usize,
        memory: &str,
        seed: u64,
        parameters: Option<BTreeMap<String, Value>>,
        weights: Option<PathBuf>,
        book: bool,
        evaluate: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Engine> {
        let game = game_of(game)?;
        let kind: EngineKind = engine.parse().map_err(refused)?;
        let memory = memory.parse::<Size>().map_err(|error| refused(error.within("memory")))?;
        let weights = weights.as_deref().map(WeightsFile::open).transpose().map_err(refused)?;
        let memory = memory.bytes();
        let options = EngineOptions { threads, trees, memory, seed, weights, ..Default::default() };
        let set = parameters.unwrap_or_default();
        let parameters = set.iter().map(|(name, value)| format!("{name}={}", value.text()));
        if let Some(other) = evaluate.as_ref().filter(|function| !function.is_callable()) {
            let found = other.get_type().name()?;
            let text = format!("evaluate: found {found}, expected a function of a position");
            return Err(PyTypeError::new_err(text));
        }
        let judged = evaluate.is_some();
        let order = Order { kind, options, parameters: parameters.collect(), book, judged };
        order.check().map_err(refused)?;
        let engine = unlocked(py, || order.build(AnyGame::start(game)))??;
        let engine = ManuallyDrop::new(Mutex::new(engine));
        let evaluate = evaluate.map(|function| Arc::new(function.unbind()));
        Ok(Engine { game, kind, process: process::id(), engine, seed, evaluate })
    }

    /// The name of its game.
    #[getter]
    fn game(&self) -> String {
        self.game.to_string()
    }

    /// `mcts`, `alphabeta` or `random`.
    #[getter]
    fn engine(&self) -> &'static str {
        self.kind.name()
    }

    /// Searches a position that is not over, until the first of the limits is reached or the result
    /// is proven. Other threads of Python run meanwhile; Ctrl-C ends it.
    #[pyo3(signature = (position, *, time_ms = None, nodes = None, depth = None))]
    fn search(
        &self,
        py: Python<'_>,
        position: &Position,
        time_ms: Option<u64>,
        nodes: Option<u64>,
        depth: Option<usize>,
    ) -> PyResult<Analysis> {
        self.check(position)?;
        if time_ms.is_none() && nodes.is_none() && depth.is_none() {
            let expected = "time_ms, nodes or depth";
            return Err(refused(ParseError::new("limit", "none", expected)));
        }
        if nodes == Some(0) || depth == Some(0) {
            let place = if nodes == Some(0) { "nodes" } else { "depth" };
            return Err(refused(ParseError::new(place, "0", "a whole number from 1")));
        }
        let time = time_ms.map(|ms| some_milliseconds(&ms.to_string())).transpose();
        let time = time.map_err(refused)?;
        let think = |engine: &mut dyn search::Engine, stop: &Arc<AtomicBool>| {
            // Time counts from when it may think.
            let deadline = time.map(|ms| Instant::now() + Duration::from_millis(ms));
            let budget = Budget { deadline, nodes, depth, stop: Some(stop), ..Budget::default() };
            let state = &*position.state;
            let report = engine.think(state, &budget, &mut |_| {});
            let root = engine.root_moves(state);
            Analysis::new(state, &report, &root, report.info(&state.position))
        };
        let brief = time.is_none() && nodes.is_some_and(|nodes| nodes <= BRIEF_NODES);
        let Some(function) = &self.evaluate else { return self.when_free(py, brief, think) };
        // At once, as the function hears of Ctrl-C by itself where it is called on this thread.
        self.when_free(py, true, |engine, stop| {
            let search = || think(engine, stop);
            let found = evaluate::asking(function.clone(), self.game, self.address(), stop, search);
            // Relaxed: the flag alone matters.
            if stop.load(Ordering::Relaxed) {
                // What it knows by now was not asked to the end.
                engine.new_game(self.seed);
            }
            found
        })?
    }

    /// Forgets all earlier positions: the engine behaves as if just built with this seed.
    #[pyo3(signature = (seed = 0))]
    fn new_game(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.when_free(py, true, |engine, _| engine.new_game(seed))
    }

    fn __repr__(&self) -> String {
        format!("<alesia.Engine {} of {}>", self.kind, self.game)
    }
}

impl Engine {
    /// Whether this is the process that made it.
    fn is_here(&self) -> bool {
        self.process == process::id()
    }

    /// What tells it from all other engines.
    fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// The engine, if no other thread uses it.
    fn free(&self) -> Option<MutexGuard<'_, Box<dyn search::Engine>>> {
        match self.engine.try_lock() {
            Ok(engine) => Some(engine),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Does some work as soon as no other thread uses the engine; see [`interruptible`].
    fn when_free<T: Send>(
        &self,
        py: Python<'_>,
        brief: bool,
        work: impl Fn(&mut dyn search::Engine, &Arc<AtomicBool>) -> T + Sync,
    ) -> PyResult<T> {
        if !self.is_here() {
            let found = format!("one made by process {}, before a fork", self.process);
            let expected = "one made in this process, or processes that are spawned";
            return Err(refused(ParseError::new("engine", found, expected)));
        }
        if evaluate::searches_with(self.address()) {
            let found = "the one that has called this function";
            return Err(refused(ParseError::new("engine", found, "another one")));
        }
        let at_once =
            |stop: &Arc<AtomicBool>| self.free().map(|mut engine| work(&mut **engine, stop));
        if brief && let Some(result) = interruptible(py, true, at_once)? {
            return Ok(result);
        }
        let later = |stop: &Arc<AtomicBool>| loop {
            let result = at_once(stop);
            // Relaxed: the flag alone matters.
            if result.is_some() || stop.load(Ordering::Relaxed) {
                return result;
            }
            thread::sleep(WAIT);
        };
        // There is a result unless the flag was raised, which is an error by itself.
        interruptible(py, false, later)?.ok_or_else(|| refused("the work was interrupted"))
    }

    /// Refuses a position of another game, and one at which the game is over.
    fn check(&self, position: &Position) -> PyResult<()> {
        if position.game != self.game {
            let found = format!("one of {}", position.game);
            let expected = format!("one of {}, the game of this engine", self.game);
            return Err(refused(ParseError::new("position", found, expected)));
        }
        position.over().map_or(Ok(()), Err)
    }
}
