//! Positions that are solved exactly, at leaves and at the root.
//!
//! The one idea: where a game's endgames can be solved ([`endgame`](crate::games::hadron::endgame)),
//! a leaf is tried for a few steps, and becomes a proof instead of an estimate; the moves at the
//! root are tried by one worker again and again, each time with more steps, which take a share of
//! its time. Either may fail: the search goes on as it would without.

use std::sync::atomic::AtomicBool;

use super::node::Node;
use super::proof::Bounds;
use super::sync::{Ordering, fence};
use crate::eval::Evaluate;
use crate::game::GameState;
use crate::games::hadron::endgame::{Solved, Solver, as_hadron};

/// Leaves with more live cells are not tried, and not for more steps.
const LEAF_CELLS: u32 = 40;
const LEAF_STEPS: u64 = 300;

/// Roots with more live cells are not tried.
const ROOT_CELLS: u32 = 56;

/// Steps for each move of the root at first; each further time they are so many times as many.
const ROOT_STEPS: u64 = 400;
const MORE_STEPS: u64 = 4;

/// Steps at the root, at once and for each iteration: about half of the worker's time.
const STEPS_AT_ONCE: u64 = 8_000;
const STEPS_PER_ITERATION: u64 = 10;

/// What one worker tries.
pub struct Endgames<'a> {
    solver: Option<&'a mut Solver>,
    /// The root's child to try next, and the steps for it.
    next: usize,
    steps: u64,
    /// Steps that the root may still take.
    left: u64,
}

/// Never raised.
static GO_ON: AtomicBool = AtomicBool::new(false);

impl<'a> Endgames<'a> {
    /// With a solver, if there is one.
    pub fn new(solver: Option<&'a mut Solver>) -> Endgames<'a> {
        Endgames { solver, next: 0, steps: ROOT_STEPS, left: STEPS_AT_ONCE }
    }

    /// What is found of a leaf.
    #[inline(always)]
    pub fn try_leaf<G: Evaluate>(&mut self, position: &G) -> Bounds {
        let (Some(solver), Some(position)) = (&mut self.solver, as_hadron(position)) else {
            return Bounds::UNKNOWN;
        };
        if position.live().count_ones() > LEAF_CELLS {
            return Bounds::UNKNOWN;
        }
        solver.solve(position, LEAF_STEPS, &GO_ON).map_or(Bounds::UNKNOWN, bounds)
    }

    /// Tries to prove the moves of a root, as far as the steps go that so many iterations allow.
    pub fn try_root<G: Evaluate>(
        &mut self,
        (root, nodes): (&Node, &[Node]),
        start: &GameState<G>,
        iterations: u64,
        stop: &AtomicBool,
    ) {
        let (Some(solver), Some(position)) = (&mut self.solver, as_hadron(&start.position)) else {
            return;
        };
        let Some(children) = root.children(nodes) else { return };
        if position.live().count_ones() > ROOT_CELLS {
            return;
        }
        self.left += iterations * STEPS_PER_ITERATION;
        while self.left >= self.steps && !root.bounds().proven() {
            let Some(child) = children.nodes().nth(self.next) else {
                (self.next, self.steps) = (0, self.steps * MORE_STEPS);
                continue;
            };
            self.next += 1;
            if child.bounds().proven() {
                continue;
            }
            let mut after = start.position;
            let Some(m) = child.to_here() else { continue };
            after.play(m);
            let Some(after) = as_hadron(&after) else { return };
            let solved = solver.solve(after, self.steps, stop);
            self.left = self.left.saturating_sub(solver.steps());
            if let Some(solved) = solved {
                child.tighten(bounds(solved));
                // As where a leaf is proven.
                fence(Ordering::SeqCst);
                root.tighten(children.bounds_of_parent());
            }
        }
    }
}

/// The plies of a proof are not exact: no play lasts longer.
fn bounds(solved: Solved) -> Bounds {
    if solved.wins { Bounds::win(solved.plies) } else { Bounds::loss(solved.plies) }
}
