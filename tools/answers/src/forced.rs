//! Positions with one legal move only.
//!
//! The one idea: an engine answers such a position at once, without a meaningful value. So it
//! searches the first position after it with a choice, and its report is converted back into one on
//! the original position.

use crate::report_view::{ProofView, ReportView, TopMove, value_for_white};
use alesia::game::ParseError;
use alesia::games::GameSpec;
use alesia::record::game_record::GameLine;
use alesia::search::clock::Budget;

use crate::insight::{Insight, Thinker, TopShape};
use crate::position::{self, Played, Verdict};

/// A line that is not over, and the moves without a choice that follow.
pub struct Forced {
    /// With these moves.
    line: GameLine,
    moves: Vec<Played>,
    /// How the game ends by them.
    result: Option<Verdict>,
}

impl Forced {
    /// Plays on from the end of a line while there is no choice.
    ///
    /// # Errors
    /// The line is not by the rules.
    pub fn new(game: GameSpec, mut line: GameLine) -> Result<Forced, ParseError> {
        let (_, mut followed) = position::begin(game, line.board.as_deref())?;
        for text in &line.moves {
            followed.play(text)?;
        }
        let mut moves = Vec::new();
        while let [only] = &followed.now().legal[..] {
            moves.push(followed.play(&only.text)?);
            line.moves.push(only.text.clone());
        }
        Ok(Forced { line, moves, result: followed.result() })
    }

    /// Thinks about the position at the end of the line.
    ///
    /// # Errors
    /// The line is over.
    pub fn think(
        &self,
        thinker: &mut Thinker,
        budget: &Budget,
        progress: &mut dyn FnMut(&dyn Fn() -> Insight),
    ) -> Result<Insight, ParseError> {
        let Some(first) = self.moves.first() else {
            return thinker.think(&self.line, budget, progress);
        };
        let (report, pv) = match &self.result {
            Some(result) => (ended(result), Vec::new()),
            None => {
                let mut on_progress = |insight: &dyn Fn() -> Insight| {
                    progress(&|| {
                        let Insight { report, pv, .. } = insight();
                        self.before(first, report, pv)
                    });
                };
                let Insight { report, pv, .. } =
                    thinker.think(&self.line, budget, &mut on_progress)?;
                (report, pv)
            }
        };
        Ok(self.before(first, report, pv))
    }

    /// Converts a report on the position after the moves into one on the position before them.
    fn before(&self, first: &Played, mut report: ReportView, pv: Vec<Played>) -> Insight {
        let plies = self.moves.len();
        let later = |proof: ProofView| ProofView {
            plies: proof.plies.map(|more| more.saturating_add(plies as u16)),
            ..proof
        };
        report.proof = report.proof.map(later);
        report.depth = report.depth.map(|depth| depth + plies as u32);
        let texts = self.moves.iter().map(|played| played.shape.text.clone());
        report.pv = texts.chain(report.pv).collect();
        let shape = first.shape.clone();
        let (visits, value) = (report.nodes.unwrap_or(0), report.value.unwrap_or(0.5));
        let (text, proof, prior) = (shape.text.clone(), report.proof, 1.0);
        report.only = true;
        report.top = vec![TopMove { text, visits, value, prior, proof }];
        let top = vec![TopShape { shape: shape.clone(), visits, value, prior, proof }];
        let pv = self.moves.iter().cloned().chain(pv).collect();
        Insight { best: shape, report, top, pv }
    }
}

/// The report of a position that is over.
fn ended(result: &Verdict) -> ReportView {
    ReportView {
        value: Some(value_for_white(result.winner)),
        depth: Some(0),
        nodes: Some(0),
        ms: Some(0.0),
        proof: Some(ProofView { winner: result.winner, plies: Some(0) }),
        ..ReportView::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report_view::Colour;
    use alesia::games::AnyGame;
    use alesia::search::{EngineKind, EngineOptions};

    fn think(game: &str, moves: &str) -> Insight {
        let game = game.parse().unwrap();
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let forced = Forced::new(game, GameLine { board: None, moves }).unwrap();
        let (start, options) = (AnyGame::start(game), EngineOptions::default());
        let engine = EngineKind::MonteCarlo.build(start, &options).unwrap();
        let mut thinker = Thinker::new(start, engine);
        forced.think(&mut thinker, &Budget::nodes(2000), &mut |_| {}).unwrap()
    }

    #[test]
    fn the_only_moves_are_played_on_until_there_is_a_choice_or_an_end() {
        // After A1 and B2 on 2 × 2 cells, A2 and B1 are there; either leaves the other alone.
        let end = think("hadron2x2", "A1 B2 A2");
        assert_eq!(end.best.text, "B1");
        assert_eq!(
            end.report.proof.map(|proof| (proof.winner, proof.plies)),
            Some((Some(Colour::Black), Some(1)))
        );
        assert_eq!((end.report.value, end.pv.len(), end.top.len()), (Some(0.0), 1, 1));
        let choice = think("hadron2x2", "A1 B2");
        assert_eq!(choice.top.len(), 2);
    }
}
