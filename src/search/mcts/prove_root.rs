//! Proofs of the root's moves by the game's oracle.
//!
//! The one idea: one worker spends a share of its time on running the oracle on each move in turn,
//! each round with more steps. If that fails, the search continues as without it.

use super::node::Node;
use super::proof::Bounds;
use super::sync::{Ordering, fence};
use crate::eval::Evaluate;
use crate::eval::oracle::Oracle;
use crate::eval::stop::Stop;
use crate::game::GameState;

/// Steps for each move of the root in the first round, and their growth from round to round.
const FIRST_STEPS: u64 = 400;
const STEP_GROWTH: u64 = 4;

/// Steps of the root's proofs, at once and per iteration: about half of the worker's time.
const INITIAL_ALLOWANCE: u64 = 8_000;
const STEPS_PER_ITERATION: u64 = 10;

/// The state of these attempts in one search.
pub struct RootProver {
    /// The root's child to try next, and the steps for it.
    next: usize,
    steps: u64,
    /// Steps that may still be taken.
    allowance: u64,
}

impl RootProver {
    /// Nothing has been tried.
    pub fn new() -> RootProver {
        RootProver { next: 0, steps: FIRST_STEPS, allowance: INITIAL_ALLOWANCE }
    }

    /// Tries to prove the moves of a root, as far as the steps suffice that these many further
    /// iterations allow.
    pub fn advance<G: Evaluate>(
        &mut self,
        oracle: &mut G::Oracle,
        (root, nodes): (&Node, &[Node]),
        start: &GameState<G>,
        iterations: u64,
        stop: Stop<'_>,
    ) {
        let Some(children) = root.children(nodes) else { return };
        if !oracle.may_prove_root(&start.position) {
            return;
        }
        self.allowance += iterations * STEPS_PER_ITERATION;
        while self.allowance >= self.steps && !root.bounds().proven() {
            let Some(child) = children.nodes().nth(self.next) else {
                (self.next, self.steps) = (0, self.steps * STEP_GROWTH);
                continue;
            };
            self.next += 1;
            if child.bounds().proven() {
                continue;
            }
            let mut after = start.position;
            let Some(m) = child.to_here() else { continue };
            after.play(m);
            let (proof, steps) = oracle.prove_move(&after, self.steps, stop);
            self.allowance = self.allowance.saturating_sub(steps);
            if let Some(proof) = proof {
                child.tighten(Bounds::of_proof(proof));
                // As where a leaf is proven.
                fence(Ordering::SeqCst);
                root.tighten(children.bounds_of_parent());
            }
        }
    }
}
