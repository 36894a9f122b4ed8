//! A game as pages follow it: players, moves, position, clocks.
//!
//! The one idea: its events alone change a game, by the rules or not at all. A game that is kept on
//! disk changes only once that has the change. Permissions and the source of moves (a person, an
//! engine, a referee, a match) are not checked here.

mod events;
mod news;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use alesia::game::{ParseError, Side};
use alesia::games::GameSpec;
use alesia::record::game_record::{self, GameLine};
use alesia_answers::report_view::ReportView;
use serde::Serialize;

use super::game_file::{GameFile, GameStep};
use super::game_seat::{GameSeat, Sitter};
use super::journal::Journal;
use super::local_players::LocalPlayers;
use super::time_bank::TimeBank;
use crate::door::failure::Failure;
use crate::door::places::Visitor;
use alesia_answers::position::{self, Board, Followed, Played, Position, Verdict};

/// Where the moves of a game come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Board,
    Referee,
    Match,
    Tournament,
}

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A seat is open, or a player elsewhere has not come.
    Waiting,
    /// All are there, and the clock does not run yet.
    Warmup,
    /// A side is to move.
    Playing,
    Over,
}

/// A game.
pub struct GameTable {
    /// Its name in addresses.
    pub id: String,
    pub game: GameSpec,
    pub source: Source,
    /// What it belongs to, in words; may be empty.
    pub title: String,
    /// The day on which it was set up, where that is known.
    pub date: Option<game_record::Date>,
    pub seats: [GameSeat; 2],
    /// Time for a move, where there is a limit.
    pub limit: Option<Duration>,
    /// Time for the game, where people have agreed on it.
    pub bank: Option<TimeBank>,
    /// The side that has asked to take moves back.
    pub undo_asked: Option<Side>,
    /// None for a game that is played elsewhere.
    pub local_players: Option<LocalPlayers>,
    /// Who set it up on the page.
    pub owner: Option<Visitor>,
    /// How many follow it, as last published.
    pub listeners: usize,
    /// When somebody was last known to follow it.
    pub watched: Instant,
    /// The same as `moves`, with the board it began with.
    line: GameLine,
    start: Board,
    moves: Vec<Played>,
    /// How many of them it was set up with.
    given: usize,
    followed: Followed,
    now: Position,
    result: Option<Verdict>,
    /// When the running move began; none before the game begins and after its end.
    running: Option<Instant>,
    /// What players think of moves that have not been played here yet, by the plies before them:
    /// the page may be several moves behind the players.
    expected: BTreeMap<usize, ReportView>,
    /// Grows with every move, undo and end: it distinguishes positions of the same ply.
    version: u64,
    /// When something happened last.
    touched: Instant,
    gone: bool,
    /// Its file, where games are kept.
    journal: Option<Journal>,
    /// Why the disk has refused the last change, if it has.
    unkept: Option<String>,
}

impl GameTable {
    /// A game before its clock runs.
    ///
    /// # Errors
    /// The board cannot be read, or a move is not legal.
    pub fn new(
        id: String,
        game: GameSpec,
        source: Source,
        title: String,
        seats: [GameSeat; 2],
        line: GameLine,
    ) -> Result<GameTable, ParseError> {
        let (start, followed) = position::begin(game, line.board.as_deref())?;
        let mut table = GameTable {
            id,
            game,
            source,
            title,
            date: Some(game_record::today()),
            seats,
            limit: None,
            bank: None,
            undo_asked: None,
            local_players: None,
            owner: None,
            listeners: 0,
            watched: Instant::now(),
            line: GameLine { board: line.board, moves: Vec::new() },
            start,
            moves: Vec::new(),
            given: line.moves.len(),
            now: followed.now(),
            result: followed.result(),
            followed,
            running: None,
            expected: BTreeMap::new(),
            version: 0,
            touched: Instant::now(),
            gone: false,
            journal: None,
            unkept: None,
        };
        for (number, text) in (1..).zip(&line.moves) {
            let step = table.step(text, None, None);
            table.advance(step.map_err(|error| error.within(format!("move {number}")))?);
        }
        table.look();
        table.running = None;
        Ok(table)
    }

    /// From now on the game changes only once its file has the change.
    pub fn keep_in(&mut self, journal: Journal) {
        self.journal = Some(journal);
    }

    /// Writes its file anew, so that it survives a loss of power.
    ///
    /// # Errors
    /// The disk's.
    pub fn renew_file(&mut self) -> io::Result<()> {
        let Some(mut journal) = self.journal.take() else { return Ok(()) };
        let renewed = GameFile::of(self).map_or(Ok(()), |game| journal.renew(&game.bytes()));
        self.journal = Some(journal);
        renewed
    }

    /// Whether that is its file.
    pub fn is_kept_in(&self, path: &Path) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.path() == path)
    }

    /// Adds what is about to be done to the file.
    ///
    /// # Errors
    /// The disk refuses it, so it must not be done.
    fn keep(&mut self, step: &GameStep) -> Result<(), Failure> {
        let Some(mut journal) = self.journal.take() else { return Ok(()) };
        let whole = || GameFile::of(self).map(|game| game.bytes()).unwrap_or_default();
        let kept = journal.add(step, whole);
        self.journal = Some(journal);
        self.unkept = kept.as_ref().err().map(ToString::to_string);
        kept.map_err(|error| Failure::unkept(&error))
    }

    pub fn side(&self) -> Side {
        self.now.board.side.into()
    }

    /// Plies since the game's own start, which a page names with a move so that a stale one is
    /// known.
    pub fn ply(&self) -> usize {
        self.now.board.ply
    }

    /// A number that no other position of this game has had.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How far it is.
    pub fn phase(&self) -> Phase {
        if self.result.is_some() {
            Phase::Over
        } else if self.runs() {
            Phase::Playing
        } else if self.seats.iter().any(GameSeat::is_awaited) {
            Phase::Waiting
        } else {
            Phase::Warmup
        }
    }

    /// Moves on this board.
    pub fn length(&self) -> usize {
        self.moves.len()
    }

    /// The board it began with and all moves.
    pub fn line(&self) -> &GameLine {
        &self.line
    }

    /// The side that moved first.
    pub fn first(&self) -> Side {
        self.start.side.into()
    }

    /// The moves as they were played.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Sets what is known of the moves of a game that was kept: the time and the thought of each.
    pub fn restore(
        &mut self,
        given: usize,
        moves: impl Iterator<Item = (Option<f64>, Option<ReportView>)>,
    ) {
        self.given = given.min(self.moves.len());
        for (played, (ms, report)) in self.moves.iter_mut().zip(moves) {
            (played.ms, played.report) = (ms, report);
        }
    }

    /// When something happened last.
    pub fn changed_at(&self) -> Instant {
        self.touched
    }

    /// How many of them it was set up with.
    pub fn given(&self) -> usize {
        self.given.min(self.moves.len())
    }

    /// Whether the rules have ended it.
    pub fn ended_by_rule(&self) -> bool {
        self.followed.result().is_some()
    }

    /// How it has ended.
    pub fn result(&self) -> Option<&Verdict> {
        self.result.as_ref()
    }

    /// The sides with an open seat.
    pub fn open(&self) -> impl Iterator<Item = Side> + '_ {
        let open = |&side: &Side| self.seats[side as usize].kind == Sitter::Open;
        [Side::White, Side::Black].into_iter().filter(open)
    }

    /// The number of a side's last move.
    pub fn last_turn(&self, side: Side) -> Option<usize> {
        self.moves.iter().rposition(|played| played.side == side.into())
    }

    /// Whether it has begun and is not over.
    pub fn runs(&self) -> bool {
        self.running.is_some()
    }

    /// For how long nothing has happened and nobody has followed it, as far as is known.
    pub fn idle(&self) -> Duration {
        self.touched.max(self.watched).elapsed()
    }

    /// As if nothing had happened since then.
    #[cfg(test)]
    pub fn set_idle_since(&mut self, moment: Instant) {
        (self.touched, self.watched) = (moment, moment);
    }

    /// Whether nobody would miss it: two engines play, a seat was never taken, or no move was made.
    pub fn is_idle_play(&self) -> bool {
        let engines = self.seats.iter().all(|seat| seat.kind == Sitter::Engine);
        let begun = self.open().next().is_none() && self.length() > self.given;
        self.local_players.is_some() && (engines || !begun)
    }
}

#[cfg(test)]
mod tests;
