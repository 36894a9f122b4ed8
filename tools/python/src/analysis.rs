//! What a search has found, as objects of Python.

use alesia::game::Game;
use alesia::games::{AnyGame, AnyState};
use alesia::record::thought::Thought;
use alesia::search::report::{self, Report, RootMove};
use pyo3::prelude::*;

use crate::picture;

/// A proven result for the side to move.
#[pyclass(frozen, eq, hash, get_all, skip_from_py_object, module = "alesia")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Proof {
    /// `win`, `draw` or `loss`.
    result: &'static str,
    /// The game ends within this many plies; None for a draw.
    plies: Option<u16>,
    text: String,
}

impl From<report::Proof> for Proof {
    fn from(proof: report::Proof) -> Proof {
        let (result, plies) = match proof {
            report::Proof::Win(plies) => ("win", Some(plies)),
            report::Proof::Draw => ("draw", None),
            report::Proof::Loss(plies) => ("loss", Some(plies)),
        };
        Proof { result, plies, text: proof.to_string() }
    }
}

#[pymethods]
impl Proof {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<alesia.Proof {}>", self.text)
    }
}

/// What is known of one move of the position searched.
#[pyclass(frozen, get_all, skip_from_py_object, module = "alesia")]
#[derive(Clone)]
pub struct MoveInfo {
    /// In the game's notation.
    r#move: String,
    /// The same as a number.
    action: u16,
    /// Iterations that came to its position.
    visits: u64,
    /// Their mean result for the side to move, 0 to 1.
    value: f32,
    /// Its share among the moves before anything was searched, 0 to 1.
    prior: f32,
    /// Its proven result for the side to move.
    proof: Option<Proof>,
}

#[pymethods]
impl MoveInfo {
    fn __repr__(&self) -> String {
        let MoveInfo { r#move, visits, value, proof, .. } = self;
        let proof = proof.as_ref().map_or(String::new(), |proof| format!(" proof {}", proof.text));
        format!("<alesia.MoveInfo {move} visits {visits} value {value:.3}{proof}>")
    }
}

/// What a search has found.
#[pyclass(frozen, skip_from_py_object, module = "alesia")]
#[derive(Clone)]
pub struct Analysis {
    /// The move to play, in the game's notation.
    #[pyo3(get)]
    r#move: String,
    /// The same as a number.
    #[pyo3(get)]
    action: u16,
    /// The expected result for the side to move, 0 (loss) to 1 (win).
    #[pyo3(get)]
    value: f32,
    /// The proven result for the side to move.
    #[pyo3(get)]
    proof: Option<Proof>,
    /// Plies: the completed depth of alpha-beta, the length of the variation of the tree search.
    #[pyo3(get)]
    depth: usize,
    /// Iterations of the tree search, or positions visited by alpha-beta.
    #[pyo3(get)]
    nodes: u64,
    /// Time spent.
    #[pyo3(get)]
    seconds: f64,
    /// The line of play expected, beginning with the move.
    #[pyo3(get)]
    variation: Vec<String>,
    /// All moves, the preferred ones first; none from alpha-beta or a book.
    #[pyo3(get)]
    moves: Vec<MoveInfo>,
    /// Whether nothing was searched, as an opening book has the move.
    #[pyo3(get)]
    from_book: bool,
    /// The lines of `alesia search`.
    #[pyo3(get)]
    info: String,
    pub thought: Option<Thought>,
}

impl Analysis {
    /// The findings at a position; `root` are all moves there, `info` the lines of the search.
    pub fn new(state: &AnyState, report: &Report, root: &[RootMove], info: String) -> Analysis {
        let known = if root.is_empty() { &report.top_moves[..] } else { root };
        let describe = |known: &RootMove| MoveInfo {
            r#move: state.position.notation(known.m).to_string(),
            action: known.m.code(),
            visits: known.visits,
            value: known.value,
            prior: known.prior,
            proof: known.proof.map(Proof::from),
        };
        Analysis {
            r#move: state.position.notation(report.best).to_string(),
            action: report.best.code(),
            value: report.value,
            proof: report.proof.map(Proof::from),
            depth: report.depth,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            variation: variation(state.position, report),
            moves: known.iter().map(describe).collect(),
            from_book: report.from_book,
            info,
            thought: Thought::of(report),
        }
    }
}

/// The moves of the principal variation in the game's notation.
fn variation(mut position: AnyGame, report: &Report) -> Vec<String> {
    let mut texts = Vec::with_capacity(report.variation.len());
    for &m in &report.variation {
        texts.push(position.notation(m).to_string());
        position.play(m);
    }
    texts
}

#[pymethods]
impl Analysis {
    /// A table of the moves, which notebooks show.
    fn _repr_html_(&self) -> String {
        let mut caption = format!("{} ({:.3}", self.r#move, self.value);
        if let Some(proof) = &self.proof {
            caption += &format!(", {}", proof.text);
        }
        caption += &format!(", {} nodes): {}", self.nodes, self.variation.join(" "));
        let heads = ["move", "visits", "value", "prior", "proof"];
        let rows = self.moves.iter().map(|known| {
            let MoveInfo { r#move, visits, value, prior, proof, .. } = known;
            let proof = proof.as_ref().map_or(String::new(), |proof| proof.text.clone());
            let [value, prior] = [value, prior].map(|share| format!("{share:.3}"));
            [r#move.clone(), visits.to_string(), value, prior, proof]
        });
        picture::table(&caption, heads, rows)
    }

    fn __repr__(&self) -> String {
        let Analysis { r#move, value, depth, nodes, proof, .. } = self;
        let proof = proof.as_ref().map_or(String::new(), |proof| format!(" proof {}", proof.text));
        format!("<alesia.Analysis {move} value {value:.3} depth {depth} nodes {nodes}{proof}>")
    }
}
