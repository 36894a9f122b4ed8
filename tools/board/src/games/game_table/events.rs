//! The events of a game: moves, thoughts, undos, seats, its end.
//!
//! The one idea: every event is a method here, which writes it to the game's file, changes the
//! game, and returns the news for the pages. Where the rules or the disk refuse it, nothing
//! changes.

use std::time::{Duration, Instant};

use alesia::game::{MAX_PLIES, Outcome, ParseError, Side};
use alesia::record::game_record::milliseconds;
use alesia_answers::position::{self, Followed, Played, Verdict};
use alesia_answers::report_view::{Colour, ReportView};
use serde_json::json;

use super::GameTable;
use crate::door::failure::Failure;
use crate::games::game_file::GameStep;
use crate::games::game_seat::GameSeat;
use crate::games::play::local_players;
use crate::page::topic::News;

impl GameTable {
    /// The clock of the side to move runs from now on, unless the game is over.
    pub fn begin(&mut self) -> News {
        self.running = self.result.is_none().then(Instant::now);
        self.news(self.moves.len())
    }

    /// Plays a move; the time it took is measured where it is not given.
    ///
    /// # Errors
    /// It is not legal, the game is over, or the disk refuses it.
    pub fn play(
        &mut self,
        text: &str,
        took: Option<Duration>,
        report: Option<ReportView>,
    ) -> Result<News, Failure> {
        let step = self.step(text, took, report);
        let step = step.map_err(|error| Failure::illegal(error.to_string()))?;
        self.keep(&GameStep::played(&step.1))?;
        self.advance(step);
        self.look();
        self.running = self.result.is_none().then(Instant::now);
        Ok(self.news(self.moves.len() - 1))
    }

    /// A move and the game after it.
    pub(super) fn step(
        &self,
        text: &str,
        took: Option<Duration>,
        report: Option<ReportView>,
    ) -> Result<(Followed, Played), ParseError> {
        if let Some(result) = &self.result {
            let expected = format!("nothing, as the game is over: {}", result.text);
            return Err(ParseError::new("move", alesia::game::quoted(text), expected));
        }
        let expected = || self.expected.get(&self.followed.ply()).cloned();
        let report = report.or_else(expected).map(|report| self.followed.legal_part(report));
        let mut after = self.followed.clone();
        let mut played = after.play(text)?;
        let took = took.or(self.running.map(|began| began.elapsed()));
        played.ms = took.map(milliseconds);
        played.report = report;
        Ok((after, played))
    }

    pub(super) fn advance(&mut self, (after, played): (Followed, Played)) {
        self.followed = after;
        self.expected = self.expected.split_off(&self.followed.ply());
        self.version += 1;
        self.line.moves.push(played.shape.text.clone());
        self.moves.push(played);
        self.undo_asked = None;
        self.result = self.followed.result();
    }

    /// Sees where the game stands now.
    pub(super) fn look(&mut self) {
        self.now = self.followed.now();
    }

    /// What a side thinks of its move after `ply` plies: shown with the move, at once or when it is
    /// played; there is no news before.
    ///
    /// # Errors
    /// That is a move of the other side, or is never played.
    pub fn think(
        &mut self,
        side: Side,
        ply: usize,
        report: ReportView,
    ) -> Result<Option<News>, Failure> {
        let same_mover = self.ply().abs_diff(ply).is_multiple_of(2);
        if same_mover != (self.side() == side) {
            return Err(Failure::forbidden("this is a move of the other player"));
        }
        match ply.checked_sub(self.ply() - self.length()) {
            Some(number) if number < self.length() => {
                let report = self.replay(number).legal_part(report);
                self.moves[number].report = Some(report);
                Ok(Some(self.news(number)))
            }
            Some(_) if self.result.is_none() && self.expected.len() < MAX_PLIES => {
                self.expected.insert(ply, report);
                Ok(None)
            }
            _ => Err(Failure::stale("no such move has been played")),
        }
    }

    /// The game as it was after `length` moves.
    fn replay(&self, length: usize) -> Followed {
        let (_, mut followed) =
            position::begin(self.game, self.line.board.as_deref()).expect("it began there");
        for text in &self.line.moves[..length] {
            followed.play(text).expect("it was played before");
        }
        followed
    }

    /// Takes moves back, so that `length` are left.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn take_back(&mut self, length: usize) -> Result<News, Failure> {
        let length = length.min(self.moves.len());
        self.keep(&GameStep::taken_back_to(length))?;
        self.followed = self.replay(length);
        self.version += 1;
        self.line.moves.truncate(length);
        self.moves.truncate(length);
        self.look();
        self.result = self.followed.result();
        self.undo_asked = None;
        self.running = self.result.is_none().then(Instant::now);
        Ok(self.news(length))
    }

    /// A person takes a seat, with this secret.
    ///
    /// # Errors
    /// The disk refuses it, or the game is played elsewhere.
    pub fn seat(&mut self, side: Side, seat: GameSeat, key: String) -> Result<(), Failure> {
        local_players(self)?;
        self.keep(&GameStep::joined(side.into(), &seat, &key))?;
        local_players(self)?.keys.set(side, key);
        self.seats[side as usize] = seat;
        Ok(())
    }

    /// Ends the game with what was decided elsewhere; what the rules have decided stands.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn end(&mut self, outcome: Outcome, reason: &str) -> Result<News, Failure> {
        self.close(Verdict::new(outcome, reason))
    }

    /// Ends the game where the side to move has used up its time; none where it goes on.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn drop_flag(&mut self) -> Result<Option<News>, Failure> {
        let side = self.side();
        let spent = self.running.map_or(0.0, |began| milliseconds(began.elapsed()));
        match self.left(side.into()) {
            Some(left) if self.running.is_some() && left <= spent => {
                self.end(Outcome::Win(!side), &format!("{side} ran out of time")).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The milliseconds that a side had when the running move began.
    pub(super) fn left(&self, side: Colour) -> Option<f64> {
        let own = self.moves.iter().filter(|played| played.side == side);
        Some(self.bank?.left(own.filter_map(|played| played.ms)))
    }

    /// Ends the game without a result, as it will not continue.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn break_off(&mut self, reason: &str) -> Result<News, Failure> {
        self.close(Verdict::none(reason))
    }

    fn close(&mut self, verdict: Verdict) -> Result<News, Failure> {
        if self.result.is_none() {
            self.keep(&GameStep::ended(&verdict))?;
        }
        self.result.get_or_insert(verdict);
        self.version += 1;
        self.now.legal.clear();
        self.running = None;
        Ok(self.news(self.moves.len()))
    }

    /// The game cannot be followed any more, and loses its file.
    pub fn leave(&mut self) -> News {
        self.gone = true;
        if let Some(journal) = self.journal.take() {
            journal.remove();
        }
        News::new("gone", &json!({}))
    }
}
