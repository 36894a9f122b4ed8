//! The review of a whole game, position by position, with the moves that lost something.
//!
//! The one idea: the positions are searched in the order of the game. The tree search keeps the
//! subtree of the move that was played for the next position; backwards it would begin anew at
//! every position. Later results that hold earlier too are carried back only in the judgement (see
//! [`judge`]).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::report_view::value_for_white;
use alesia::game::ParseError;
use alesia::games::GameSpec;
use alesia::record::game_record::GameLine;
use alesia::search::clock::{Budget, Instant};
use serde::Serialize;

use super::forced::Forced;
use super::marks::{Judged, Known, judge};
use crate::insight::{Insight, Thinker};
use crate::position::{self, Played, Verdict};
use crate::shape::MoveShape;

/// A review at work.
pub struct Review {
    game: GameSpec,
    line: GameLine,
    moves: Vec<Played>,
    result: Option<Verdict>,
    /// The only legal move of each position with a single one.
    only_moves: Vec<Option<MoveShape>>,
    /// The moves at the beginning that no player chose.
    opening: usize,
    /// For every position.
    time: Duration,
    /// The first positions of the game.
    known: Vec<Known>,
}

/// What is known so far.
#[derive(Serialize)]
pub struct Message {
    done: usize,
    total: usize,
    finished: bool,
    /// Before the end of the game.
    stopped: bool,
    plies: Vec<Judged>,
}

impl Review {
    /// A review with so much time for each position; nothing is known yet.
    ///
    /// # Errors
    /// The line is not by the rules.
    pub fn new(
        game: GameSpec,
        line: GameLine,
        opening: usize,
        time: Duration,
    ) -> Result<Review, ParseError> {
        let position::Shown { moves, result, .. } = position::show(game, &line)?;
        let (_, mut followed) = position::begin(game, line.board.as_deref())?;
        let mut only_moves = Vec::new();
        let mut texts = line.moves.iter();
        loop {
            let legal = followed.now().legal;
            only_moves.push(<[MoveShape; 1]>::try_from(legal).ok().map(|[only]| only));
            let Some(text) = texts.next() else { break };
            followed.play(text)?;
        }
        Ok(Review { game, line, moves, result, only_moves, opening, time, known: Vec::new() })
    }

    /// All that is known.
    pub fn message(&self, finished: bool) -> Message {
        let plies = judge(&self.known, &self.moves, self.opening);
        let (done, total) = (plies.len(), self.moves.len() + 1);
        let stopped = finished && done < total;
        Message { done, total, finished, stopped, plies }
    }

    /// Searches position after position until the end or until it is stopped; `publish` may show
    /// what is known after each.
    pub fn run(
        &mut self,
        thinker: &mut Thinker,
        stop: Option<&AtomicBool>,
        publish: &mut dyn FnMut(&Review),
    ) {
        for number in 0..=self.moves.len() {
            let is_last = number == self.moves.len();
            // A position without a choice is worth what comes after it.
            if self.only_moves[number].is_some() && !is_last {
                continue;
            }
            let Some(found) = self.look(thinker, stop, number) else { break };
            self.learn(number, &found);
            if !is_last {
                publish(self);
            }
        }
    }

    /// The result of a position; none if the search was stopped.
    fn look(
        &self,
        thinker: &mut Thinker,
        stop: Option<&AtomicBool>,
        number: usize,
    ) -> Option<Known> {
        if number == self.moves.len()
            && let Some(result) = &self.result
        {
            let value = value_for_white(result.winner);
            return Some(Known { value, proven: true, best: None });
        }
        let moves = self.line.moves[..number].to_vec();
        let line = GameLine { board: self.line.board.clone(), moves };
        let forced = Forced::new(self.game, line).ok()?;
        // The tree search ends earlier where the best move is clear, as a person waits for the
        // whole review.
        let deadline = Some(Instant::now() + self.time);
        let budget = Budget { saves: true, deadline, stop, ..Budget::default() };
        let insight = forced.think(thinker, &budget, &mut |_| {});
        // A search that was cut short is worth less than the others. Relaxed: a flag alone.
        let stopped = stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let Insight { best, report, .. } = insight.ok().filter(|_| !stopped)?;
        Some(match report.proof {
            Some(proof) => {
                Known { value: value_for_white(proof.winner), proven: true, best: Some(best) }
            }
            None => Known { value: report.value.unwrap_or(0.5), proven: false, best: Some(best) },
        })
    }

    /// Records the result of a position and of the positions before it that lead to it by force.
    fn learn(&mut self, number: usize, found: &Known) {
        while self.known.len() < number {
            let best = self.only_moves[self.known.len()].clone();
            self.known.push(Known { best, ..found.clone() });
        }
        self.known.push(found.clone());
    }
}
