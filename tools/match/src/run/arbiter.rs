//! One game between two players under the match's own clock.
//!
//! The one idea: the arbiter gets a move from the side to move, checks the clock, plays the move,
//! and checks the rules; a player's fault only ends the game, with its reason.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use alesia::game::{Game, Side};
use alesia::games::AnyState;
use alesia::net::feed::GameEvent;
use alesia::net::tournament::move_text;

use super::adjudication::{Adjudication, Adjudicator};
use super::audience::Spectator;
use super::opening::Opening;
use super::ruling::{GamePlayed, Ruling};
use crate::players::limit::Clocks;
use crate::players::{Choice, Fault, NotStarted, Player, Turn};
use alesia::record::game_record::{RecordedMove, milliseconds};

/// A player at the board.
pub struct ArbiterSeat<'a> {
    pub player: &'a mut dyn Player,
    /// What it may need beyond its time.
    pub margin: Duration,
    /// The seed of its random choices in this game.
    pub seed: u64,
}

/// Plays a game from its opening: what happened, and the moves of the players. None where it was
/// stopped. The moves are shown where there is a page.
///
/// # Errors
/// A player cannot be started.
pub fn play(
    opening: &Opening,
    seats: &mut [ArbiterSeat<'_>; 2],
    mut clocks: Clocks,
    adjudication: Adjudication,
    stop: &AtomicBool,
    live: Option<&dyn Spectator>,
) -> Result<Option<GamePlayed>, NotStarted> {
    let mut moves = Vec::new();
    for side in [Side::White, Side::Black] {
        let ArbiterSeat { player, seed, .. } = &mut seats[side as usize];
        match player.begin(*seed) {
            Ok(()) => {}
            Err(Fault::NotStarted(why)) => return Err(NotStarted(side, why)),
            Err(fault) => return Ok(Some((Ruling::by_fault(side, &fault, None), moves))),
        }
    }
    let Opening { mut line, mut state } = opening.clone();
    let mut adjudicator = Adjudicator::new(adjudication);
    loop {
        if let Some(ruling) = by_rule(&state).or_else(|| adjudicator.ruling(moves.len())) {
            return Ok(Some((ruling, moves)));
        }
        // Relaxed: a flag alone.
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let side = state.position.side();
        let ArbiterSeat { player, margin, .. } = &mut seats[side as usize];
        let allowance = clocks.allowance(side);
        let time = allowance.time(side);
        let turn = Turn { line: &line, state: &state, allowance, margin: *margin };
        let in_time = |choice: Choice| match time {
            Some(time) if choice.elapsed > time + *margin => Err(Fault::Late(choice.elapsed)),
            _ => Ok(choice),
        };
        let choice = match player.choose(&turn).and_then(in_time) {
            Ok(choice) => choice,
            Err(fault) => return Ok(Some((Ruling::by_fault(side, &fault, time), moves))),
        };
        if let Some((live, info)) = live.zip(choice.info(&state.position)) {
            live.hear(&GameEvent::Thought { side, ply: state.position.ply(), info });
        }
        adjudicator.hear(side, &choice);
        let Choice { m, elapsed, thought, .. } = choice;
        clocks.moved(side, elapsed);
        let text = move_text(&state.position, m);
        if let Some(live) = live {
            live.hear(&GameEvent::Moved { side, text, elapsed });
        }
        let text = text.to_string();
        line.moves.push(text.clone());
        moves.push(RecordedMove { text, ms: Some(milliseconds(elapsed)), thought });
        state.play(m);
    }
}

fn by_rule(state: &AnyState) -> Option<Ruling> {
    state.ending().map(|ending| Ruling::by_rule(ending.outcome, ending.rule))
}
