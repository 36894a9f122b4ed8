//! An engine of this process as a player.

use std::time::{Duration, Instant};

use alesia::game::Game;
use alesia::games::AnyGame;
use alesia::search::clock::{Budget, Clock};
use alesia::search::report::Proof;
use alesia::search::{Engine, EngineError, EngineKind, EngineOptions};

use super::limit::Allowance;
use super::{Choice, Details, Fault, Player, Turn};
use alesia::record::thought::Thought;
use alesia::words::command_error::CommandError;

/// Subtracted from a clock with each move, and from a move's time without a margin: the delay with
/// which a busy machine wakes a thread.
const OVERHEAD: Duration = Duration::from_millis(10);

/// What an engine of this process has for its move.
pub fn budget(turn: &Turn<'_>, started: Instant) -> Budget<'static> {
    match turn.allowance {
        Allowance::Nodes(nodes) => Budget::nodes(nodes),
        Allowance::Move(time) => {
            // As little as will do: what the margin forgives need not be kept.
            let kept = OVERHEAD.saturating_sub(turn.margin).min(time / 4);
            Budget::until(started + time - kept)
        }
        Allowance::Depth(plies) => Budget { depth: Some(plies as usize), ..Budget::default() },
        Allowance::Clock { left, increments, moves_to_go } => {
            let position = &turn.state.position;
            let side = position.side() as usize;
            let (remaining, increment) = (left[side], increments[side]);
            let clock = Clock { remaining, increment, moves_to_go };
            let plies_to_come = position.ply_limit().saturating_sub(position.ply());
            Budget::at_most_until(started + clock.share(OVERHEAD, plies_to_come))
        }
    }
}

/// An engine, its memory taken.
pub struct Internal {
    engine: Box<dyn Engine>,
}

impl Internal {
    /// Builds the engine; `name` is for errors.
    ///
    /// # Errors
    /// The engine cannot be built.
    pub fn new(
        start: AnyGame,
        kind: EngineKind,
        options: &EngineOptions,
        name: &str,
    ) -> Result<Internal, CommandError> {
        let engine = kind.build(start, options).map_err(|error| {
            let text = format!("-engine {name}, {error}");
            match error {
                EngineError::MemoryTooSmall { .. }
                | EngineError::MemoryTooLarge { .. }
                | EngineError::Weights(_) => CommandError::Usage(text),
                EngineError::MemoryNotThere { .. }
                | EngineError::NoThreads(_)
                | EngineError::NoMemory { .. } => CommandError::Failed(text),
            }
        })?;
        Ok(Internal { engine })
    }
}

impl Player for Internal {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.engine.new_game(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let started = Instant::now();
        let budget = budget(turn, started);
        let report = self.engine.think(turn.state, &budget, &mut |_| {});
        let thought = Thought {
            value: Some(report.value),
            cp: None,
            mate: report.proof.and_then(Proof::in_moves),
            depth: Some(report.depth as u32),
            nodes: Some(report.nodes),
        };
        let (m, elapsed) = (report.best, started.elapsed());
        Ok(Choice { m, elapsed, thought, details: Details::Report(Box::new(report)) })
    }
}
