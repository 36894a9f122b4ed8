//! The value of a position at the horizon: its static evaluation, in games with noisy moves after
//! the exchanges that the side to move may begin (quiescence search).
//!
//! The one idea: the search goes on by the loop of [`eval::quiescence`](crate::eval::quiescence),
//! and a position beyond the horizon counts, stops and may have a known score like any other.
//! Positions are evaluated before moves are generated, and gains tried in their order instead of
//! the network's priors, which is faster.

use std::ops::ControlFlow;

use super::score::{INFINITE, MAX_HEIGHT};
use super::search::Search;
use crate::eval::exchanges::Exchanges;
use crate::eval::quiescence::{self, Quiescence};
use crate::eval::{Evaluate, MAX_SCORE};
use crate::game::{Move, MoveList, Outcome};

/// A search that goes on beyond its horizon. `PV`: its window is wider than zero.
struct Horizon<'s, 'a, G: Evaluate, const PV: bool>(&'s mut Search<'a, G>);

impl<G: Evaluate> Search<'_, G> {
    /// The value of a position `height` plies below the root, at the horizon, if it is between
    /// `alpha` and `beta`, and otherwise a bound on that side of the window.
    pub fn quiesce<const PV: bool>(
        &mut self,
        position: &G,
        height: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        self.nodes.begin_leaf();
        let score = quiescence::search(&mut Horizon::<G, PV>(self), position, height, alpha, beta);
        self.nodes.end_leaf();
        score
    }

    #[inline(always)]
    fn evaluate(&self, position: &G) -> i32 {
        position.evaluate().clamp(1 - MAX_SCORE, MAX_SCORE - 1)
    }
}

impl<G: Evaluate, const PV: bool> Quiescence<G> for Horizon<'_, '_, G, PV> {
    /// No delta pruning, which left out hardly anything.
    const MARGIN: i32 = 2 * INFINITE;

    /// Equal exchanges are tried.
    const LEAST_GAIN: i32 = 0;

    #[inline(always)]
    fn look(
        &mut self,
        position: &G,
        height: usize,
        beta: i32,
        exchanges: &mut Exchanges,
    ) -> ControlFlow<i32, i32> {
        let search = &mut *self.0;
        if PV {
            search.memory.lines[height].clear();
        }
        let goes_on = search.nodes.visit();
        if search.nodes.stopped() {
            return ControlFlow::Break(0);
        }
        if let Some(score) = search.known_score(position, height) {
            return ControlFlow::Break(score);
        }
        if !G::NOISY || height >= MAX_HEIGHT || !goes_on {
            let stuck = position.count_moves() == 0;
            let score =
                if stuck { search.stuck(position, height) } else { search.evaluate(position) };
            return ControlFlow::Break(score);
        }
        let score = search.evaluate(position);
        // Who is in no danger has lost nothing by having no move, but where a stalemate is lost.
        let is_stuck = || {
            let lost = Outcome::Win(!position.side());
            position.without_moves().outcome == lost && position.count_moves() == 0
        };
        if search.features.pruning && score >= beta && !position.is_urgent() && !is_stuck() {
            return ControlFlow::Break(score);
        }
        let mut moves = MoveList::new();
        if !position.noisy_moves(&mut moves) {
            return ControlFlow::Break(search.stuck(position, height));
        }
        exchanges.extend(position, &moves);
        ControlFlow::Continue(score)
    }

    #[inline(always)]
    fn tries_all(&self, _standing: i32) -> bool {
        !self.0.features.pruning
    }

    #[inline(always)]
    fn enter(&mut self, position: &G) {
        self.0.history.push(position);
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.0.history.pop::<G>();
    }

    #[inline(always)]
    fn over(&self) -> bool {
        self.0.nodes.over()
    }

    #[inline(always)]
    fn raised(&mut self, height: usize, m: Move) {
        if PV {
            self.0.extend_line(height, m);
        }
    }
}
