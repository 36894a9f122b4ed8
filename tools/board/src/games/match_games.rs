//! The games of a match or a tournament, shown while they are played.
//!
//! The one idea: the page is the [`Audience`] of a match. A game on it is over when the match drops
//! its spectator.

use std::collections::{HashMap, VecDeque};
use std::io::{Write, stderr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use alesia::game::ParseError;
use alesia::games::GameSpec;
use alesia::net::feed::GameEvent;
use alesia::record::game_record::GameLine;
use alesia::record::game_record::{GameRecord, Key};
use alesia_answers::report_view::ReportView;
use alesia_match::players::entrant::{Entrant, Protocol};
use alesia_match::players::limit::Limit;
use alesia_match::run::audience::{Audience, Spectator};
use serde::Serialize;
use serde_json::Value;

use super::game_seat::{GameSeat, Sitter};
use super::game_table::GameTable;
pub use super::game_table::Source;
use super::hall::Hall;
use super::remote_events;
use crate::door::failure::Failure;
use crate::page::topic::Topic;

/// Games that have ended and can still be seen.
const MAX_ENDED: usize = 100;

/// A page counts as closed after this time without listeners: while it reloads, it has none for a
/// moment.
const GRACE: Duration = Duration::from_secs(1);

/// How long the page of a finished tournament stays without visitors.
const VISITING_TIME: Duration = Duration::from_secs(600);

/// Max time for which a match waits for spectators.
const MAX_STAY: Duration = Duration::from_secs(600);

pub struct MatchGames {
    hall: Arc<Hall>,
    source: Source,
    title: String,
    visible: Mutex<Visible>,
}

/// The games that can be seen.
#[derive(Default)]
struct Visible {
    ids: HashMap<Key, String>,
    /// The oldest first.
    ended: VecDeque<(Key, Arc<Topic<GameTable>>)>,
}

impl MatchGames {
    /// Shows games in a hall, with their titles beginning so.
    pub fn new(hall: Arc<Hall>, source: Source, title: String) -> MatchGames {
        MatchGames { hall, source, title, visible: Mutex::default() }
    }

    fn visible(&self) -> MutexGuard<'_, Visible> {
        self.visible.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes how a tournament stands.
    pub fn publish_standings(&self, content: &impl Serialize) {
        self.hall.publish_standings(content);
    }

    /// Shows a game that was played before, with its result.
    pub fn show(&self, game: GameSpec, record: &GameRecord) {
        let title = self.title_of(record.key);
        let added = self.hall.add(|id| {
            let seats = [&record.white, &record.black].map(|name| GameSeat {
                kind: Sitter::Remote,
                name: name.clone(),
                engine: None,
                ms: None,
            });
            let mut table = GameTable::new(id, game, self.source, title, seats, record.line())?;
            table.date = record.occasion.date;
            let side =
                |ply: usize| if ply.is_multiple_of(2) { table.first() } else { !table.first() };
            let opening = record.opening.len();
            let played = (opening..).zip(&record.moves);
            let known =
                played.map(|(ply, m)| (m.ms, ReportView::of_thought(&m.thought, side(ply))));
            let known: Vec<_> = (0..opening).map(|_| (None, None)).chain(known).collect();
            table.restore(opening, known.into_iter());
            table.end(record.result.outcome(), &record.reason)?;
            Ok::<_, Failure>(table)
        });
        match added {
            Ok(table) => {
                let id = table.state().id.clone();
                self.visible().ids.insert(record.key, id);
                self.ended(record.key, table);
            }
            Err(failure) => log::error!("a game cannot be shown: {}", failure.message()),
        }
    }

    fn title_of(&self, key: Key) -> String {
        format!("{}, pair {}, game {}", self.title, key.pair + 1, key.leg + 1)
    }

    /// Waits until nobody has had the page open for a while.
    pub fn await_visitors(&self) {
        let minutes = VISITING_TIME.as_secs() / 60;
        let _ = writeln!(
            stderr(),
            "all games have been played; the page closes once nobody has had it open for \
             {minutes} minutes; Ctrl-C ends it"
        );
        self.hall.stay(VISITING_TIME, None);
    }

    /// A game has ended; the oldest make room.
    fn ended(&self, key: Key, table: Arc<Topic<GameTable>>) {
        let mut visible = self.visible();
        visible.ended.push_back((key, table));
        if visible.ended.len() > MAX_ENDED
            && let Some((key, oldest)) = visible.ended.pop_front()
        {
            visible.ids.remove(&key);
            drop(visible);
            self.hall.remove(&oldest);
        }
    }
}

impl Audience for MatchGames {
    fn begin(
        &self,
        key: Key,
        game: GameSpec,
        entrants: [&Entrant; 2],
        line: &GameLine,
    ) -> Option<Box<dyn Spectator + '_>> {
        let title = self.title_of(key);
        let limit = move_time(entrants[0]).filter(|time| move_time(entrants[1]) == Some(*time));
        let added = self.hall.add(|id| {
            let seats = entrants.map(seat);
            let mut table = GameTable::new(id, game, self.source, title, seats, line.clone())?;
            table.limit = limit;
            table.begin();
            Ok::<_, ParseError>(table)
        });
        let table = match added {
            Ok(table) => table,
            Err(failure) => {
                log::error!("a game cannot be shown: {}", failure.message());
                return None;
            }
        };
        self.visible().ids.insert(key, table.state().id.clone());
        Some(Box::new(MatchGame { games: self, key, table }))
    }

    fn id(&self, key: Key) -> Option<String> {
        let id = self.visible().ids.get(&key).cloned();
        // There was no room for all of the page's games.
        id.filter(|id| self.hall.find(id).is_ok())
    }

    fn publish(&self, standing: &Value) {
        self.publish_standings(standing);
    }

    fn stay(&self) {
        if self.hall.is_open() {
            let minutes = MAX_STAY.as_secs() / 60;
            let _ = writeln!(
                stderr(),
                "the page stays while it is open, at most {minutes} minutes; Ctrl-C ends it"
            );
            self.hall.stay(GRACE, Some(MAX_STAY));
        }
    }
}

fn move_time(entrant: &Entrant) -> Option<Duration> {
    match entrant.limit {
        Limit::MoveTime(time) => Some(time),
        Limit::Clock { .. } | Limit::Depth(_) | Limit::Nodes(_) => None,
    }
}

fn seat(entrant: &Entrant) -> GameSeat {
    let engine = match entrant.protocol {
        Protocol::Internal { kind, .. } => Some(kind.name()),
        _ => None,
    };
    GameSeat {
        kind: if engine.is_some() { Sitter::Engine } else { Sitter::Remote },
        name: entrant.name.clone(),
        engine,
        ms: move_time(entrant).map(|time| time.as_millis() as u64),
    }
}

struct MatchGame<'a> {
    games: &'a MatchGames,
    key: Key,
    table: Arc<Topic<GameTable>>,
}

impl Spectator for MatchGame<'_> {
    fn hear(&self, event: &GameEvent) {
        if let Err(failure) = remote_events::hear(&self.games.hall, &self.table, event) {
            log::error!("a game on the page: {}", failure.message());
        }
    }
}

impl Drop for MatchGame<'_> {
    fn drop(&mut self) {
        if self.table.state().result().is_none() {
            let end = |table: &mut GameTable| table.break_off("stopped");
            let _ = self.games.hall.change(&self.table, end);
        }
        self.games.ended(self.key, self.table.clone());
    }
}

#[cfg(test)]
mod tests {
    use alesia::game::{Outcome, Side};
    use alesia::net::tournament::MoveText;

    use super::*;
    use alesia_match::words::grammar::Group;

    #[test]
    fn a_game_that_was_played_before_has_its_own_date() {
        let games = MatchGames::new(Arc::default(), Source::Tournament, "cup".to_owned());
        let line = r#"{"seed":7,"pair":0,"leg":0,"game":"hadron3","white":"A","black":"B","date":"2026-10-31","opening":[],"moves":[{"move":"B1"}],"result":"1-0","cause":"reported","reason":"agreed"}"#;
        let record: GameRecord = alesia::record::game_record::read("line", line).unwrap();
        games.show("hadron3".parse().unwrap(), &record);
        let table = games.hall.find(&games.id(record.key).unwrap()).unwrap();
        assert_eq!(table.state().date, "2026-10-31".parse().ok());
    }

    #[test]
    fn the_games_that_ended_last_can_be_seen() {
        let game: GameSpec = "hadron3".parse().unwrap();
        let words = ["name=A", "nodes=7"].map(str::to_owned);
        let entrant = Entrant::read(&Group::of("test".into(), &words), None, game).unwrap();
        let games = MatchGames::new(Arc::default(), Source::Match, "match".to_owned());
        let line = GameLine { board: None, moves: vec!["B1".to_owned()] };
        let begin = |pair| {
            let key = Key { seed: 0, pair, leg: 0 };
            (key, games.begin(key, game, [&entrant, &entrant], &line).unwrap())
        };
        let (running, first) = begin(0);
        let result = |key: Key| {
            let table = games.hall.find(&games.id(key)?).ok()?;
            let table = table.state();
            table.result().map(|result| result.text.clone())
        };
        for pair in 1..=MAX_ENDED as u32 + 1 {
            let (_, game) = begin(pair);
            let text = MoveText::from("A3").unwrap();
            game.hear(&GameEvent::Moved { side: Side::Black, text, elapsed: Duration::ZERO });
            let (outcome, reason) = (Outcome::Win(Side::Black), "White disconnects".to_owned());
            game.hear(&GameEvent::Ended { outcome, reason });
        }
        let key = |pair| Key { seed: 0, pair, leg: 0 };
        assert_eq!(games.id(key(1)), None);
        assert_eq!(result(key(2)).unwrap(), "Black (White disconnects)");
        // A running game stays, however old; this one was then stopped.
        assert!(games.id(running).is_some() && result(running).is_none());
        drop(first);
        assert_eq!(result(running).unwrap(), "no result (stopped)");
        // One that is gone from the page has no link.
        let gone = games.hall.find(&games.id(key(50)).unwrap()).unwrap();
        games.hall.remove(&gone);
        assert_eq!(games.id(key(50)), None);
        assert_eq!(games.id(key(2)), None);
    }
}
