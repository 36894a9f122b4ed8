//! Fixed work on the positions of a random game, and a signature of what is reported of them: what
//! `alesia bench` shows, and what every build must find again.

use super::clock::Budget;
use super::report::Report;
use super::{EngineError, EngineKind, EngineOptions};
use crate::game::{Game, GameState};
use crate::games::AnyGame;

/// Nodes or iterations for each position.
const NODES: u64 = 5_000;

/// Random plies from the start to each position of a game.
const PLIES: [usize; 4] = [0, 5, 12, 21];

/// Random games that are tried for each position.
const MAX_TRIES: u32 = 1_000;

/// Little memory, so that the pool fills here too.
const OPTIONS: EngineOptions = EngineOptions {
    threads: 1,
    trees: 1,
    memory: 2 << 20,
    seed: 1,
    parameters: None,
    weights: None,
};

/// A hash of everything reported (FNV-1a, Fowler, Noll and Vo).
pub struct Signature(pub u64);

impl Default for Signature {
    fn default() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }
}

impl Signature {
    fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_report(&mut self, report: &Report) {
        self.add(report.nodes);
        self.add(u64::from(report.value.to_bits()));
        for m in &report.variation {
            self.add(u64::from(m.to_bits()));
        }
    }

    /// Adds the work on a game, with one thread or none; returns its nodes.
    ///
    /// # Errors
    /// The engine cannot be built.
    pub fn work(
        &mut self,
        kind: EngineKind,
        start: AnyGame,
        threads: usize,
    ) -> Result<u64, EngineError> {
        let mut engine = kind.build(start, &EngineOptions { threads, ..OPTIONS })?;
        let mut rng = fastrand::Rng::with_seed(1);
        let mut nodes = 0;
        for plies in PLIES {
            let mut state = GameState::new(start);
            let mut tries = 0;
            while state.position.ply() < plies && tries < MAX_TRIES {
                match state.position.random_move(&mut rng) {
                    Some(m) if state.ending().is_none() => state.play(m),
                    _ => {
                        state = GameState::new(start);
                        tries += 1;
                    }
                }
            }
            // A small board may have no game that is so long.
            if state.position.ply() < plies || state.ending().is_some() {
                continue;
            }
            let report = engine.think(&state, &Budget::nodes(NODES), &mut |_| {});
            self.add_report(&report);
            nodes += report.nodes;
        }
        Ok(nodes)
    }
}
