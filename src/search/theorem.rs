//! What a theorem of the game says about the root of a search.
//!
//! The one idea: such a result costs no search, so it holds however little time there is; the
//! engines put it into their reports at the end, whatever they have found themselves.

use super::clock::Budget;
use super::report::{Proof, Report};
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;
use crate::game::{Ending, GameState, Move, Outcome};

/// A move that may be played and after which the opponent loses by a theorem, and the plies to our
/// win.
pub fn winning_move<G: Evaluate>(state: &GameState<G>, budget: &Budget) -> Option<(Move, u16)> {
    let moves = state.position.legal_moves();
    moves.iter().filter(|&&m| budget.allows(m)).find_map(|&m| {
        let after = state.position.after(m);
        let plies = G::Oracle::lost_by_theorem(&after)?;
        // Where the move ends the game, the rules decide.
        let after = state.after(m);
        let wins = |ending: Ending| ending.outcome == Outcome::Win(state.position.side());
        after.ending().is_none_or(wins).then_some((m, plies + 1))
    })
}

/// Gives a report without a proof the one that a theorem has for its position, and the move that
/// wins by it.
pub fn complete<G: Evaluate>(state: &GameState<G>, budget: &Budget, report: &mut Report) {
    if report.proof.is_some() {
        return;
    }
    if let Some((best, plies)) = winning_move(state, budget) {
        let Report { nodes, elapsed, fill, tree, .. } = *report;
        *report = Report { nodes, elapsed, fill, tree, ..Report::of_move(best) };
        (report.value, report.proof) = (1.0, Some(Proof::Win(plies)));
    } else if let Some(plies) = G::Oracle::lost_by_theorem(&state.position) {
        (report.value, report.proof) = (0.0, Some(Proof::Loss(plies)));
    }
}
