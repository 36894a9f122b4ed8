//! A game as pages follow it: players, moves, position, clocks.
//!
//! The one idea: every event of a game is a method here, which changes the game by the rules or not
//! at all, and returns the events for the pages. Permissions and the source of moves (a person, an
//! engine, a referee, a match) are not checked here.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use alesia::game::{MAX_PLIES, Outcome, ParseError, Side};
use alesia::games::GameSpec;
use alesia::record::game_record::{self, GameLine, milliseconds};
use alesia_match::players::report_view::{Colour, ReportView};
use serde::Serialize;
use serde_json::json;

use super::game_seat::{GameSeat, Sitter};
use super::local_players::LocalPlayers;
use crate::door::failure::Failure;
use crate::door::places::Visitor;
use crate::page::position::{self, Board, Followed, Played, Position, Verdict};
use crate::page::topic::{News, Subject};

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
        };
        for (number, text) in (1..).zip(&line.moves) {
            table.play(text, None, None).map_err(|error| error.within(format!("move {number}")))?;
        }
        table.running = None;
        Ok(table)
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
    /// It is not legal, or the game is over.
    pub fn play(
        &mut self,
        text: &str,
        took: Option<Duration>,
        report: Option<ReportView>,
    ) -> Result<News, ParseError> {
        if let Some(result) = &self.result {
            let expected = format!("nothing, as the game is over: {}", result.text);
            return Err(ParseError::new("move", alesia::game::quoted(text), expected));
        }
        let ply = self.ply();
        let expected = || self.expected.get(&ply).cloned();
        let report = report.or_else(expected).map(|report| self.followed.legal_part(report));
        let mut played = self.followed.play(text)?;
        self.expected = self.expected.split_off(&(ply + 1));
        self.version += 1;
        let took = took.or(self.running.map(|began| began.elapsed()));
        played.ms = took.map(milliseconds);
        played.report = report;
        self.line.moves.push(played.shape.text.clone());
        self.moves.push(played);
        self.undo_asked = None;
        self.now = self.followed.now();
        self.result = self.followed.result();
        self.running = self.result.is_none().then(Instant::now);
        Ok(self.news(self.moves.len() - 1))
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
    pub fn take_back(&mut self, length: usize) -> News {
        let length = length.min(self.moves.len());
        let followed = self.replay(length);
        self.version += 1;
        self.line.moves.truncate(length);
        self.moves.truncate(length);
        self.now = followed.now();
        self.result = followed.result();
        self.followed = followed;
        self.undo_asked = None;
        self.running = self.result.is_none().then(Instant::now);
        self.news(length)
    }

    /// Ends the game with what was decided elsewhere; what the rules have decided stands.
    pub fn end(&mut self, outcome: Outcome, reason: &str) -> News {
        self.close(Verdict::new(outcome, reason))
    }

    /// Ends the game without a result, as it will not continue.
    pub fn break_off(&mut self, reason: &str) -> News {
        self.close(Verdict::none(reason))
    }

    fn close(&mut self, verdict: Verdict) -> News {
        self.result.get_or_insert(verdict);
        self.version += 1;
        self.now.legal.clear();
        self.running = None;
        self.news(self.moves.len())
    }

    /// The game cannot be followed any more.
    pub fn leave(&mut self) -> News {
        self.gone = true;
        News::new("gone", &json!({}))
    }

    /// What has changed, the moves from a number on.
    pub fn news(&mut self, from: usize) -> News {
        self.touched = Instant::now();
        let GameTable { seats, moves, now, result, undo_asked, listeners, .. } = &*self;
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
        let error = table.play("C3", None, None).unwrap_err().to_string();
        assert!(error.contains("the game is over: White (no legal move)"), "{error}");
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
        table.take_back(1);
        assert_eq!((table.length(), table.side()), (1, Side::Black));
        assert!(table.result().is_none() && !table.now.legal.is_empty());
        table.play("A3", None, None).unwrap();
    }

    #[test]
    fn a_result_from_elsewhere_ends_an_open_game() {
        let mut open = table("B1");
        open.end(Outcome::Win(Side::White), "Black resigned");
        assert_eq!(open.result().unwrap().text, "White (Black resigned)");
        assert!(open.now.legal.is_empty() && open.play("A3", None, None).is_err());
        let mut over = table("B1 A3 C2");
        over.end(Outcome::Win(Side::Black), "White disconnected");
        assert_eq!(over.result().unwrap().text, "White (no legal move)");
    }
}
