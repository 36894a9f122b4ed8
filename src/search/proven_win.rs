//! A proven win, remembered over the opponent's reply.
//!
//! The one idea: where a win was proven and its move played, any reply leaves it won. A search that
//! ends at once, as there is one legal move, may not find the proof again, and must not report less
//! than the one before.

use super::report::{Proof, Report};
use crate::game::{Game, GameState, Move};

/// The last proven win, if the last search has found one.
pub struct ProvenWin<G>(Option<Kept<G>>);

struct Kept<G> {
    state: GameState<G>,
    best: Move,
    plies: u16,
}

impl<G> Default for ProvenWin<G> {
    fn default() -> ProvenWin<G> {
        ProvenWin(None)
    }
}

impl<G: Game> ProvenWin<G> {
    /// Gives the report on a position with one legal move the win that was proven before, unless
    /// it has a proof itself; and remembers the win that it reports.
    pub fn keep(&mut self, state: &GameState<G>, report: &mut Report) {
        if report.proof.is_none()
            && state.position.count_moves() == 1
            && let Some(plies) = self.plies_left(state)
        {
            report.proof = Some(Proof::Win(plies));
            report.value = 1.0;
        }
        self.0 = match report.proof {
            Some(Proof::Win(plies)) => Some(Kept { state: *state, best: report.best, plies }),
            _ => None,
        };
    }

    /// The plies in which a position is won, if it follows from the proven win by our move and any
    /// reply.
    fn plies_left(&self, state: &GameState<G>) -> Option<u16> {
        let Kept { state: before, best, plies } = self.0.as_ref()?;
        let left = plies.checked_sub(2)?;
        let ours = before.after(*best);
        let replies = ours.position.legal_moves();
        let leads_there = |&m: &Move| ours.after(m).same_as(state);
        replies.iter().any(leads_there).then_some(left)
    }
}
