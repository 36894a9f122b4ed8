//! A heuristic in Python: `alesia.Engine(evaluate=f)`.
//!
//! The one idea: such an engine has no threads, so the function is asked on the thread that
//! searches, which knows it from a list of its own. There the search finds it, though a heuristic
//! of the library is a type and not a value. An exception stops the search and is raised after it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use alesia::game::{GameState, ParseError};
use alesia::games::{AnyGame, GameSpec};
use alesia::search::judged::Heuristic;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::refused;
use crate::position::Position;
use crate::unlocked::while_it_lasts;

/// The heuristic of the search that this thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfPython;

impl Heuristic<AnyGame> for OfPython {
    fn evaluate(position: &AnyGame) -> i32 {
        // Not borrowed meanwhile: the function may search with another engine.
        let asked = SEARCHES.with_borrow(|searches| searches.last().cloned());
        asked.map_or(0, |search| search.score(position))
    }
}

thread_local! {
    /// The searches of this thread, each within a function of the one before.
    static SEARCHES: RefCell<Vec<Rc<Search>>> = const { RefCell::new(Vec::new()) };
}

struct Search {
    function: Arc<Py<PyAny>>,
    game: GameSpec,
    /// The address of its engine.
    engine: usize,
    stop: Arc<AtomicBool>,
    error: RefCell<Option<PyErr>>,
}

impl Search {
    /// The score of a position; 0 once the search is to end.
    fn score(&self, position: &AnyGame) -> i32 {
        // Relaxed: the flag alone matters.
        if self.stop.load(Ordering::Relaxed) {
            return 0;
        }
        Python::attach(|py| self.ask(py, position)).unwrap_or_else(|error| {
            self.stop.store(true, Ordering::Relaxed);
            self.error.replace(Some(error));
            0
        })
    }

    fn ask(&self, py: Python<'_>, position: &AnyGame) -> PyResult<i32> {
        let position = Position {
            game: self.game,
            origin: Some(Arc::from(position.to_string())),
            played: Vec::new(),
            state: Box::new(GameState::new(*position)),
        };
        let score = self.function.bind(py).call1((position,))?;
        // Here is no other place that hears of Ctrl-C or of the end of the interpreter.
        py.check_signals()?;
        while_it_lasts()?;
        match score.extract::<f64>() {
            // A cast saturates.
            Ok(number) if number.is_finite() => Ok(number.round() as i32),
            Ok(number) => Err(refused(ParseError::new("evaluate", number.to_string(), EXPECTED))),
            Err(error) if !error.is_instance_of::<PyTypeError>(py) => Err(error),
            Err(_) => {
                let found = score.get_type().name()?;
                Err(PyTypeError::new_err(format!("evaluate: found {found}, expected {EXPECTED}")))
            }
        }
    }
}

const EXPECTED: &str = "a number, the score for the side to move";

/// Whether this thread searches with an engine, whose function has asked.
pub fn searches_with(engine: usize) -> bool {
    SEARCHES.with_borrow(|searches| searches.iter().any(|search| search.engine == engine))
}

/// Does a search in which the function is asked.
///
/// # Errors
/// What the function raises, or that it returns no number.
pub fn asking<T>(
    function: Arc<Py<PyAny>>,
    game: GameSpec,
    engine: usize,
    stop: &Arc<AtomicBool>,
    search: impl FnOnce() -> T,
) -> PyResult<T> {
    let asked = Search { function, game, engine, stop: stop.clone(), error: RefCell::default() };
    let asked = Rc::new(asked);
    SEARCHES.with_borrow_mut(|searches| searches.push(asked.clone()));
    let found = search();
    SEARCHES.with_borrow_mut(Vec::pop);
    asked.error.take().map_or(Ok(found), Err)
}
