//! `alesia.Position`: a position of a game, which never changes.
//!
//! The one idea: playing a move makes a new position, so nothing has to be taken back, and any
//! number of threads may look at one. It keeps its game's name and its moves, from which it is made
//! again where it is pickled or recorded.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use alesia::game::{Ending, Game, GameState, Move, Outcome, ParseError, quoted, screen};
use alesia::games::{AnyGame, AnyState, GameSpec};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyMemoryView, PyString};

use crate::error::refused;
use crate::picture;
use crate::planes::{self, Planes};
use crate::playouts::playouts;
use crate::unlocked::interruptible;

/// How a game ended.
#[pyclass(frozen, eq, hash, get_all, skip_from_py_object, module = "alesia")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Result {
    /// `White`, `Black`, or None after a draw.
    winner: Option<String>,
    /// The rule that ended it.
    reason: String,
    text: String,
}

impl From<Ending> for Result {
    fn from(ending: Ending) -> Result {
        let winner = match ending.outcome {
            Outcome::Win(side) => Some(side.to_string()),
            Outcome::Draw => None,
        };
        Result { winner, reason: ending.rule.to_string(), text: ending.to_string() }
    }
}

#[pymethods]
impl Result {
    /// 1 for a win of the side, 0 for its loss, ½ for a draw.
    fn score(&self, side: &str) -> PyResult<f64> {
        if side != "White" && side != "Black" {
            return Err(refused(ParseError::new("side", quoted(side), "White or Black")));
        }
        Ok(match &self.winner {
            Some(winner) => f64::from(u8::from(winner == side)),
            None => 0.5,
        })
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<alesia.Result {}>", self.text)
    }
}

/// Random games that take a small part of a second.
const BRIEF_GAMES: u64 = 10;

/// The variants that were read from texts, by their names; of one name, the newest.
static LOADED: Mutex<BTreeMap<String, GameSpec>> = Mutex::new(BTreeMap::new());

/// The variant of this name that was read from a text.
pub fn loaded(name: &str) -> Option<GameSpec> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied()
}

/// The game of a word.
///
/// # Errors
/// There is no such game or setup, or its file of definitions is wrong.
pub fn game_of(name: &str) -> PyResult<GameSpec> {
    match loaded(name) {
        Some(game) => Ok(game),
        None => GameSpec::open(name).map_err(refused),
    }
}

/// The game of a pickle: the one of this name here, or else the one that its text defines.
///
/// # Errors
/// The game of this name has other rules here.
fn pickled_game(name: &str, fingerprint: Option<u64>, text: Option<String>) -> PyResult<GameSpec> {
    let here = match (game_of(name), text) {
        (Ok(game), _) => game,
        (Err(error), None) => return Err(error),
        (Err(error), Some(text)) => {
            let Some((file, _)) = name.rsplit_once(':') else { return Err(error) };
            let all = load_variants(&text, file)?;
            if !all.iter().any(|known| known == name) {
                return Err(error);
            }
            game_of(name)?
        }
    };
    let found = here.origin().map(|origin| origin.fingerprint);
    if found != fingerprint {
        let shown = |fingerprint: Option<u64>| {
            fingerprint.map_or("none".to_owned(), |fingerprint| format!("{fingerprint:016x}"))
        };
        let found = format!("rules with the fingerprint {}", shown(found));
        let expected = format!("{}, those of the pickle", shown(fingerprint));
        return Err(refused(ParseError::new(name, found, expected)));
    }
    Ok(here)
}

/// A move of Python: its text or its action.
pub enum AnyMove {
    /// In the game's notation.
    Text(String),
    /// Its code.
    Action(i64),
}

impl<'py> FromPyObject<'_, 'py> for AnyMove {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyMove> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(AnyMove::Text(text.to_str()?.to_owned()));
        }
        if object.is_instance_of::<PyInt>() && object.extract::<i64>().is_err() {
            // Larger than any action: named as it is, and refused as not legal.
            return Ok(AnyMove::Text(object.str()?.to_str()?.to_owned()));
        }
        let wrong = |_| {
            let found = object.get_type().name().map_or("?".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("move: found {found}, expected a text or a whole number"))
        };
        object.extract().map(AnyMove::Action).map_err(wrong)
    }
}

/// Moves of Python: one text with blanks between them, as the program's `--moves` accepts it, or
/// several.
pub struct AnyMoves(Vec<AnyMove>);

impl<'py> FromPyObject<'_, 'py> for AnyMoves {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<AnyMoves> {
        if let Ok(text) = object.cast::<PyString>() {
            let words = text.to_str()?.split_whitespace();
            return Ok(AnyMoves(words.map(|word| AnyMove::Text(word.to_owned())).collect()));
        }
        object.try_iter()?.map(|m| m?.extract()).collect::<PyResult<_>>().map(AnyMoves)
    }
}

/// A position of a game, with all that its rules need to know of the moves before.
#[pyclass(frozen, module = "alesia")]
pub struct Position {
    pub game: GameSpec,
    /// The text board that the moves begin with, where that is not the game's own.
    pub origin: Option<Arc<str>>,
    /// The moves since.
    pub played: Vec<Move>,
    /// Where it stands.
    pub state: Box<AnyState>,
}

/// A game at its beginning, or on a text board.
///
/// # Errors
/// The text is no board of the game.
fn begin(game: GameSpec, board: Option<&str>) -> std::result::Result<Box<AnyState>, ParseError> {
    let position = AnyGame::start(game).begin(board)?;
    Ok(Box::new(GameState::new(position)))
}

impl Position {
    /// A position without moves.
    ///
    /// # Errors
    /// The text is no board of the game.
    pub fn begin(game: GameSpec, board: Option<&str>) -> PyResult<Position> {
        let state = begin(game, board).map_err(|error| refused(error.within("board")))?;
        Ok(Position { game, origin: board.map(Arc::from), played: Vec::new(), state })
    }

    /// The position after a legal move.
    fn after(&self, m: Move) -> Position {
        let mut played = Vec::with_capacity(self.played.len() + 1);
        played.extend_from_slice(&self.played);
        played.push(m);
        let mut state = self.state.clone();
        state.play(m);
        Position { game: self.game, origin: self.origin.clone(), played, state }
    }

    /// Finds a legal move of a game that is not over.
    fn find(&self, m: &AnyMove) -> std::result::Result<Move, ParseError> {
        let found = || match m {
            AnyMove::Text(text) => quoted(text),
            AnyMove::Action(action) => action.to_string(),
        };
        let moves = self.state.moves();
        if moves.is_empty()
            && let Some(ending) = self.state.ending()
        {
            return Err(ParseError::new("move", found(), format!("nothing after {ending}")));
        }
        match m {
            AnyMove::Text(text) => self.state.position.parse_move(text),
            AnyMove::Action(action) => {
                moves.iter().copied().find(|m| i64::from(m.code()) == *action).ok_or_else(|| {
                    let example = moves[0];
                    let text = self.state.position.notation(example).to_string();
                    let expected = format!("a legal action such as {} ({text})", example.code());
                    ParseError::new("move", found(), expected)
                })
            }
        }
    }

    /// The position after several moves.
    ///
    /// # Errors
    /// The first that is not legal.
    pub fn after_all(self, moves: &[AnyMove]) -> PyResult<Position> {
        let mut position = self;
        for (index, m) in moves.iter().enumerate() {
            let place = || format!("move {}", index + 1);
            let m = position.find(m).map_err(|error| refused(error.within(place())))?;
            position = position.after(m);
        }
        Ok(position)
    }

    /// The moves since the beginning in the game's notation.
    pub fn texts(&self) -> PyResult<Vec<String>> {
        let mut position = begin(self.game, self.origin.as_deref()).map_err(refused)?.position;
        let mut texts = Vec::with_capacity(self.played.len());
        for &m in &self.played {
            texts.push(position.notation(m).to_string());
            position.play(m);
        }
        Ok(texts)
    }

    /// The error that the game is over, or none.
    pub fn over(&self) -> Option<PyErr> {
        self.state.ending().map(|ending| refused(format!("the game is over: {ending}")))
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game = "murus", board = None, moves = None))]
    fn new(game: &str, board: Option<&str>, moves: Option<AnyMoves>) -> PyResult<Position> {
        let position = Position::begin(game_of(game)?, board)?;
        position.after_all(&moves.map_or(Vec::new(), |moves| moves.0))
    }

    /// The name of the game, as on the command line.
    #[getter]
    fn game(&self) -> String {
        self.game.to_string()
    }

    /// The game's name for people.
    #[getter]
    fn title(&self) -> String {
        self.state.position.title().into_owned()
    }

    /// The side to move, `White` or `Black`.
    #[getter]
    fn side(&self) -> String {
        self.state.position.side().to_string()
    }

    /// Plies since the beginning of the game.
    #[getter]
    fn ply(&self) -> usize {
        self.state.position.ply()
    }

    /// Max plies of a game.
    #[getter]
    fn max_plies(&self) -> usize {
        self.state.position.ply_limit()
    }

    /// The text board.
    #[getter]
    fn board(&self) -> String {
        self.state.position.to_string()
    }

    /// The text board that the moves begin with; None: the game's start position.
    #[getter]
    fn start_board(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// The moves so far, in the game's notation.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        self.texts()
    }

    /// The end of the game; None while it is not over.
    #[getter]
    fn result(&self) -> Option<Result> {
        self.state.ending().map(Result::from)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.ending().is_some()
    }

    /// The Zobrist key: equal for positions with the same moves and side.
    #[getter]
    fn key(&self) -> u64 {
        self.state.position.key()
    }

    /// All actions of the game are below this.
    #[getter]
    fn num_actions(&self) -> usize {
        self.state.position.codes()
    }

    /// The legal moves in the game's notation; none where the game is over.
    fn legal_moves(&self) -> Vec<String> {
        self.state.moves().iter().map(|&m| self.state.position.notation(m).to_string()).collect()
    }

    /// The same moves as numbers, in the same order.
    fn legal_actions(&self) -> Vec<u16> {
        self.state.moves().iter().map(|m| m.code()).collect()
    }

    /// The position after a move, given as text or as an action.
    #[pyo3(signature = (m, /))]
    fn play(&self, m: AnyMove) -> PyResult<Position> {
        Ok(self.after(self.find(&m).map_err(refused)?))
    }

    /// The action of a legal move.
    #[pyo3(signature = (m, /))]
    fn action(&self, m: String) -> PyResult<u16> {
        self.find(&AnyMove::Text(m)).map(Move::code).map_err(refused)
    }

    /// The notation of a legal action.
    #[pyo3(signature = (action, /))]
    fn notation(&self, action: i64) -> PyResult<String> {
        let m = self.find(&AnyMove::Action(action)).map_err(refused)?;
        Ok(self.state.position.notation(m).to_string())
    }

    /// A legal move, given as text or as an action, as PGN writes it: in the standard algebraic
    /// notation in chess variants, and in the game's notation otherwise.
    #[pyo3(signature = (m, /))]
    fn san(&self, m: AnyMove) -> PyResult<String> {
        let m = self.find(&m).map_err(refused)?;
        Ok(self.state.position.standard_notation(m))
    }

    /// The static score for the side to move, in hundredths of about a pawn or stone.
    fn evaluate(&self) -> PyResult<i32> {
        self.over().map_or_else(|| Ok(self.state.position.evaluate()), Err)
    }

    /// Planes of 32-bit floats: (planes, rows, columns), the top row first.
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let planes = Planes::of(&self.state.position);
        let numbers = planes::numbers(&self.state.position);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let flat = PyMemoryView::from(PyBytes::new(py, &bytes).as_any())?;
        let [rows, columns] = planes.size;
        flat.call_method1("cast", ("f", (planes.names.len(), rows, columns)))
    }

    /// What each plane of `features` says.
    fn feature_names(&self) -> Vec<String> {
        Planes::of(&self.state.position).names
    }

    /// The shape of `features`.
    #[getter]
    fn feature_shape(&self) -> (usize, usize, usize) {
        let planes = Planes::of(&self.state.position);
        (planes.names.len(), planes.size[0], planes.size[1])
    }

    /// Plays `games` games from here with random moves: how many White won, how many were drawn,
    /// how many Black won, and the plies played in all.
    #[pyo3(signature = (games, seed = 0))]
    fn playouts(&self, py: Python<'_>, games: u64, seed: u64) -> PyResult<(u64, u64, u64, u64)> {
        let [white, draws, black, plies] = interruptible(py, games <= BRIEF_GAMES, |stop| {
            playouts(&self.state, games, seed, stop)
        })?;
        Ok((white, draws, black, plies))
    }

    /// The board as an image, which notebooks show.
    fn _repr_svg_(&self) -> String {
        picture::board(&self.state.position)
    }

    fn __str__(&self) -> String {
        format!("{}board: {}", screen::board(&self.state.position), self.state.position)
    }

    fn __repr__(&self) -> String {
        format!("<alesia.Position {} {}>", self.game, self.state.position)
    }

    fn __eq__(&self, other: &Position) -> bool {
        self.game == other.game && self.state.same_as(&other.state)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.state.position.key(), self.state.position.ply()).hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(slf: Py<Position>) -> Py<Position> {
        slf
    }

    fn __deepcopy__(slf: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        slf
    }

    /// With the definition of a variant, as its file or text may not be known in the process that
    /// reads it back.
    #[allow(clippy::type_complexity)] // what the protocol of pickle asks for
    fn __reduce__<'py>(
        slf: &Bound<'py, Position>,
    ) -> PyResult<(
        Bound<'py, PyAny>,
        (String, Option<u64>, Option<String>, Option<String>, Vec<u16>),
    )> {
        let this = slf.get();
        let actions = this.played.iter().map(|m| m.code()).collect();
        let origin = this.origin.as_deref().map(str::to_owned);
        let fingerprint = this.game.origin().map(|origin| origin.fingerprint);
        let text = match this.game {
            GameSpec::Variant(chosen) => chosen.text(),
            _ => None,
        };
        let make = slf.get_type().getattr("_from_pickle")?;
        Ok((make, (this.game.to_string(), fingerprint, text, origin, actions)))
    }

    /// What `__reduce__` has said.
    #[staticmethod]
    fn _from_pickle(
        game: &str,
        fingerprint: Option<u64>,
        text: Option<String>,
        board: Option<&str>,
        actions: Vec<i64>,
    ) -> PyResult<Position> {
        let game = pickled_game(game, fingerprint, text)?;
        let moves: Vec<AnyMove> = actions.into_iter().map(AnyMove::Action).collect();
        Position::begin(game, board)?.after_all(&moves)
    }
}

/// The names of the built-in games, with their other boards.
#[pyfunction]
pub fn games() -> Vec<String> {
    GameSpec::setups().iter().map(GameSpec::to_string).collect()
}

/// The names of the built-in chess variants.
#[pyfunction]
pub fn variants() -> Vec<String> {
    GameSpec::variants().map(|variant| variant.to_string()).collect()
}

/// Reads the definitions of variants from a text, and returns the names by which they are known
/// from now on; `file` names the text there and in errors.
#[pyfunction]
#[pyo3(signature = (text, file = "text.ini"))]
pub fn load_variants(text: &str, file: &str) -> PyResult<Vec<String>> {
    if !file.to_ascii_lowercase().ends_with(".ini") {
        return Err(refused(ParseError::new("file", quoted(file), "a name that ends in .ini")));
    }
    let all = GameSpec::of_text(file, text).map_err(refused)?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let games = all.into_iter().map(|game| (game.to_string(), game));
    let names = games.map(|(name, game)| {
        loaded.insert(name.clone(), game);
        name
    });
    Ok(names.collect())
}
