//! A game as pages follow it: players, moves, position, clocks.
//!
//! The one idea: every event of a game is a method here, which changes the game by the rules or not
//! at all, and returns the events for the pages. A game that is kept on disk changes only once that
//! has the change. Permissions and the source of moves (a person, an
//! engine, a referee, a match) are not checked here.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use alesia::game::{MAX_PLIES, Outcome, ParseError, Side};
use alesia::games::GameSpec;
use alesia::record::game_record::{self, GameLine, milliseconds};
use alesia_answers::report_view::{Colour, ReportView};
use serde::Serialize;
use serde_json::json;

use super::game_file::{GameFile, GameStep};
use super::game_seat::{GameSeat, Sitter};
use super::journal::Journal;
use super::local_players::LocalPlayers;
use super::play::local_players;
use crate::door::failure::Failure;
use crate::door::places::Visitor;
use crate::page::topic::{News, Subject};
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
    fn step(
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

    fn advance(&mut self, (after, played): (Followed, Played)) {
        self.followed = after;
        self.expected = self.expected.split_off(&self.followed.ply());
        self.version += 1;
        self.line.moves.push(played.shape.text.clone());
        self.moves.push(played);
        self.undo_asked = None;
        self.result = self.followed.result();
    }

    /// Sees where the game stands now.
    fn look(&mut self) {
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

    /// What has changed, the moves from a number on.
    pub fn news(&mut self, from: usize) -> News {
        self.touched = Instant::now();
        let GameTable { seats, moves, now, result, undo_asked, listeners, unkept, .. } = &*self;
        let content = json!({
            "from": from,
            "version": self.version,
            "phase": self.phase(),
            "moves": &moves[from..],
            "now": now,
            "result": result,
            "clock": self.clock(),
            "seats": of_sides(seats),
            "undo_asked": undo_asked.map(Colour::from),
            "listeners": listeners,
            "unkept": unkept,
        });
        News::new("change", &content)
    }

    /// What an engine thinks at the moment.
    pub fn thinking(&self, side: Side, report: &ReportView) -> News {
        News::new("thinking", &json!({ "side": Colour::from(side), "report": report }))
    }

    fn clock(&self) -> serde_json::Value {
        let used = |colour| -> f64 {
            let own = self.moves.iter().filter(|played| played.side == colour);
            own.filter_map(|played| played.ms).sum()
        };
        json!({
            "limit": self.limit.map(|limit| limit.as_millis() as u64),
            "running": self.running.map(|_| self.now.board.side),
            "elapsed": self.running.map_or(0.0, |began| milliseconds(began.elapsed())),
            "used": { "white": used(Colour::White), "black": used(Colour::Black) },
        })
    }

    /// The game in a line of the lobby.
    pub fn listed(&self, listeners: usize) -> serde_json::Value {
        let [white, black] = &self.seats;
        let open: Vec<Colour> = self.open().map(Colour::from).collect();
        json!({
            "id": self.id,
            "game": self.game.to_string(),
            "source": self.source,
            "title": self.title,
            "white": white.name,
            "black": black.name,
            "open": open,
            "plies": self.moves.len(),
            "side": self.now.board.side,
            "rows": self.now.board.rows,
            "phase": self.phase(),
            "result": self.result.as_ref().map(|result| &result.text),
            "listeners": listeners,
        })
    }
}

fn of_sides(seats: &[GameSeat; 2]) -> serde_json::Value {
    let [white, black] = seats;
    json!({ "white": white, "black": black })
}

impl Subject for GameTable {
    fn whole(&self, listeners: usize) -> News {
        let GameTable { id, source, title, start, seats, moves, now, result, .. } = self;
        let content = json!({
            "id": id,
            "game": self.game.to_string(),
            "source": source,
            "title": title,
            "start": start,
            "version": self.version,
            "phase": self.phase(),
            "seats": of_sides(seats),
            "moves": moves,
            "now": now,
            "result": result,
            "clock": self.clock(),
            "undo_asked": self.undo_asked.map(Colour::from),
            "listeners": listeners,
            "unkept": self.unkept,
        });
        News::new("game", &content)
    }

    fn ended(&self) -> bool {
        self.gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(moves: &str) -> GameTable {
        let seat = GameSeat { kind: Sitter::Person, name: "A".into(), engine: None, ms: None };
        let line =
            GameLine { board: None, moves: moves.split_whitespace().map(str::to_owned).collect() };
        let game = "hadron3".parse().unwrap();
        let seats = [seat.clone(), seat];
        GameTable::new("x".into(), game, Source::Board, String::new(), seats, line).unwrap()
    }

    #[test]
    fn moves_are_played_by_the_rules_or_not_at_all() {
        let mut table = table("B1");
        assert!(table.play("B2", None, None).is_err());
        assert_eq!((table.ply(), table.length(), table.side()), (1, 1, Side::Black));
        table.play("a3", None, None).unwrap();
        assert_eq!(table.line().moves, ["B1", "A3"]);
        table.play("C2", None, None).unwrap();
        assert_eq!(table.result().unwrap().text, "White (no legal move)");
        let error = table.play("C3", None, None).unwrap_err();
        assert!(error.message().contains("the game is over: White (no legal move)"), "{error:?}");
    }

    #[test]
    fn a_thought_is_shown_with_its_move_whichever_comes_first() {
        let report = |nodes| ReportView { nodes: Some(nodes), ..ReportView::default() };
        let nodes = |table: &GameTable, number: usize| table.moves[number].report.as_ref()?.nodes;
        // Several moves of a side may be ahead.
        let mut behind = self::table("");
        for ply in [0, 2] {
            assert!(behind.think(Side::White, ply, report(ply as u64 + 1)).unwrap().is_none());
        }
        for text in ["B1", "A3", "C2"] {
            behind.play(text, None, None).unwrap();
        }
        assert_eq!([0, 1, 2].map(|number| nodes(&behind, number)), [Some(1), None, Some(3)]);
        let mut table = table("B1");
        assert!(table.think(Side::White, 0, report(1)).unwrap().is_some());
        assert_eq!(nodes(&table, 0), Some(1));
        // The page may hear of moves later than the players.
        assert!(table.think(Side::White, 2, report(3)).unwrap().is_none());
        assert!(table.think(Side::Black, 1, report(2)).unwrap().is_none());
        assert!(table.think(Side::White, 1, report(9)).is_err(), "a move of Black");
        for text in ["A3", "C2"] {
            table.play(text, None, None).unwrap();
        }
        assert_eq!([nodes(&table, 1), nodes(&table, 2)], [Some(2), Some(3)]);
        assert!(table.think(Side::Black, 3, report(4)).is_err(), "the game is over");
    }

    #[test]
    fn taking_back_removes_moves_and_the_end() {
        let mut table = table("B1 A3 C2");
        table.take_back(1).unwrap();
        assert_eq!((table.length(), table.side()), (1, Side::Black));
        assert!(table.result().is_none() && !table.now.legal.is_empty());
        table.play("A3", None, None).unwrap();
    }

    #[test]
    fn a_result_from_elsewhere_ends_an_open_game() {
        let mut open = table("B1");
        open.end(Outcome::Win(Side::White), "Black resigned").unwrap();
        assert_eq!(open.result().unwrap().text, "White (Black resigned)");
        assert!(open.now.legal.is_empty() && open.play("A3", None, None).is_err());
        let mut over = table("B1 A3 C2");
        over.end(Outcome::Win(Side::Black), "White disconnected").unwrap();
        assert_eq!(over.result().unwrap().text, "White (no legal move)");
    }
}
