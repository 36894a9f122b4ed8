//! What an engine finds, in words of a page.

use alesia::game::ParseError;
use alesia::games::{AnyGame, AnyState};
use alesia::record::game_record::GameLine;
use alesia::search::clock::Budget;
use alesia::search::report::{Report, RootMove};
use alesia::search::{Engine, contained};
use serde::Serialize;

use crate::position::{Followed, Played};
use crate::report_view::{ProofView, ReportView, TopMove};
use crate::shape::MoveShape;

/// A preferred move, ready to be drawn.
#[derive(Clone, Debug, Serialize)]
pub struct TopShape {
    /// The move; its `move` is the text.
    #[serde(flatten)]
    pub shape: MoveShape,
    /// Iterations that began with it.
    pub visits: u64,
    /// Its expected result for White, 0 to 1.
    pub value: f32,
    /// Its share before the search.
    pub prior: f32,
    pub proof: Option<ProofView>,
}

/// What a search has found.
#[derive(Clone, Debug, Serialize)]
pub struct Insight {
    pub best: MoveShape,
    /// In numbers.
    pub report: ReportView,
    /// The preferred moves, the best first.
    pub top: Vec<TopShape>,
    /// The principal variation with its boards.
    pub pv: Vec<Played>,
}

impl Insight {
    /// What an engine reports of a position.
    pub fn of(state: &AnyState, report: &Report) -> Insight {
        let known: Vec<RootMove> = report.known_moves().copied().collect();
        Insight::with_moves(state, report, &known)
    }

    /// The same with these moves of the root.
    pub fn with_moves(state: &AnyState, report: &Report, moves: &[RootMove]) -> Insight {
        let position = &state.position;
        let top: Vec<TopMove> = moves.iter().map(|top| TopMove::of(position, top)).collect();
        let shapes = moves.iter().zip(&top).map(|(root, top)| {
            let TopMove { visits, value, prior, proof, .. } = *top;
            TopShape { shape: MoveShape::of(position, root.m), visits, value, prior, proof }
        });
        let shapes = shapes.collect();
        let view = ReportView { top, ..ReportView::of_report(position, report) };
        let mut after = Followed::at(*state);
        let pv = view.pv.iter().map_while(|text| after.play(text).ok()).collect();
        Insight { best: MoveShape::of(position, report.best), top: shapes, pv, report: view }
    }
}

/// An engine that thinks about lines of a game.
pub struct Thinker {
    start: AnyGame,
    pub engine: Box<dyn Engine>,
}

impl Thinker {
    /// An engine that was built for a game.
    pub fn new(start: AnyGame, engine: Box<dyn Engine>) -> Thinker {
        Thinker { start, engine }
    }

    /// Analyses the position at the end of a line, which is not over, and reports now and then.
    ///
    /// # Errors
    /// The line is not by the rules, or the game is over.
    pub fn think(
        &mut self,
        line: &GameLine,
        budget: &Budget,
        progress: &mut dyn FnMut(&dyn Fn() -> Insight),
    ) -> Result<Insight, ParseError> {
        let state = line.state(self.start)?;
        if let Some(ending) = state.ending() {
            let expected = "a position with a legal move";
            return Err(ParseError::new("game", format!("its end: {ending}"), expected));
        }
        let mut on_report = |report: &Report| progress(&|| Insight::of(&state, report));
        let report = contained::think(&mut *self.engine, &state, budget, &mut on_report);
        Ok(Insight::of(&state, &report))
    }
}
