//! All games of the page, and the lobby that lists them.
//!
//! The one idea: a game is found by its name, and the lobby learns, a few times a second at most,
//! that something has changed in one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};

use super::failure::Failure;
use super::guard::secret;
use super::mind::Minds;
use super::standings::Standings;
use super::table::BoardTable;
use super::topic::{News, Subject, Topic};

/// Max games kept.
const MAX_TABLES: usize = 1000;

/// Characters of a game's name.
const NAME_LENGTH: usize = 8;

/// The time between two messages of the lobby.
const LOBBY_TIME: Duration = Duration::from_millis(300);

/// How long a game that has ended is kept without listeners.
const ENDED_TIME: Duration = Duration::from_secs(60 * 60);

/// The same for a running game.
const OPEN_TIME: Duration = Duration::from_secs(24 * 60 * 60);

pub struct Lobby {
    games: Vec<Value>,
    standings: bool,
}

impl Subject for Lobby {
    fn whole(&self, _: usize) -> News {
        News::new("lobby", &json!({ "games": self.games, "standings": self.standings }))
    }
}

/// All games, and the engines for them.
pub struct Hall {
    /// With their names, in the order in which they came.
    tables: Mutex<Vec<(String, Arc<Topic<BoardTable>>)>>,
    lobby: Arc<Topic<Lobby>>,
    standings: Arc<Topic<Standings>>,
    /// The lobby does not know of something yet.
    changed: AtomicBool,
    /// The engines of all games and searches.
    pub minds: Minds,
}

impl Default for Hall {
    /// No games yet, and engines with the usual memory.
    fn default() -> Hall {
        Hall::with_engines(Minds::default())
    }
}

impl Hall {
    pub fn with_engines(minds: Minds) -> Hall {
        Hall {
            tables: Mutex::new(Vec::new()),
            lobby: Arc::new(Topic::new(Lobby { games: Vec::new(), standings: false })),
            standings: Arc::new(Topic::new(Standings::default())),
            changed: AtomicBool::new(false),
            minds,
        }
    }

    fn tables(&self) -> MutexGuard<'_, Vec<(String, Arc<Topic<BoardTable>>)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn lobby(&self) -> &Arc<Topic<Lobby>> {
        &self.lobby
    }

    pub fn standings(&self) -> &Arc<Topic<Standings>> {
        &self.standings
    }

    /// Adds a game, made with the name that it is given.
    ///
    /// # Errors
    /// There are too many already, or it cannot be made.
    pub fn add<E: Into<Failure>>(
        &self,
        make: impl FnOnce(String) -> Result<BoardTable, E>,
    ) -> Result<Arc<Topic<BoardTable>>, Failure> {
        let id = secret()[..NAME_LENGTH].to_owned();
        let table = Arc::new(Topic::new(make(id.clone()).map_err(Into::into)?));
        let mut tables = self.tables();
        if tables.len() >= MAX_TABLES {
            let most = format!("there are {MAX_TABLES} games already; wait until some have ended");
            return Err(Failure::busy(most));
        }
        tables.push((id, table.clone()));
        drop(tables);
        self.touch();
        Ok(table)
    }

    /// Finds a game.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn find(&self, id: &str) -> Result<Arc<Topic<BoardTable>>, Failure> {
        let tables = self.tables();
        let found = tables.iter().find(|(name, _)| name == id);
        found
            .map(|(_, table)| table.clone())
            .ok_or_else(|| Failure::unknown("game not found: the server may have been restarted"))
    }

    /// The newest game that fits.
    pub fn search(&self, fits: impl Fn(&BoardTable) -> bool) -> Option<Arc<Topic<BoardTable>>> {
        let tables = self.tables().clone();
        let mut newest = tables.into_iter().rev().map(|(_, table)| table);
        newest.find(|table| fits(&table.state()))
    }

    /// Removes a game, and notifies its listeners unless that has been done.
    pub fn remove(&self, table: &Arc<Topic<BoardTable>>) {
        self.tables().retain(|(_, other)| !Arc::ptr_eq(other, table));
        table.change(|table, publish| {
            if !table.ended() {
                publish(table.leave());
            }
        });
        self.touch();
    }

    /// How many pages listen to something.
    pub fn listeners(&self) -> usize {
        let games: usize = self.tables().iter().map(|(_, table)| table.listeners()).sum();
        games + self.lobby.listeners() + self.standings.listeners()
    }

    /// Waits until there have been no listeners for a given time, or `most` is over.
    pub fn stay(&self, grace: Duration, most: Option<Duration>) {
        let began = Instant::now();
        let mut listened = began;
        while listened.elapsed() < grace && most.is_none_or(|most| began.elapsed() < most) {
            thread::sleep(LOBBY_TIME);
            if self.listeners() > 0 {
                listened = Instant::now();
            }
        }
    }

    /// Changes a game, and notifies its listeners and the lobby.
    ///
    /// # Errors
    /// Those of the change, which then sends no notice.
    pub fn change<E>(
        &self,
        table: &Topic<BoardTable>,
        change: impl FnOnce(&mut BoardTable) -> Result<News, E>,
    ) -> Result<(), E> {
        let listeners = table.listeners();
        table.change(|table, publish| {
            table.listeners = listeners;
            change(table).map(publish)
        })?;
        self.touch();
        Ok(())
    }

    /// Publishes how a tournament stands.
    pub fn publish_standings(&self, content: &impl Serialize) {
        self.standings.change(|standings, publish| publish(standings.set(content)));
        self.touch();
    }

    /// Something in the lobby has changed.
    pub fn touch(&self) {
        // Relaxed: a flag alone; what it stands for is behind locks.
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Publishes changes in the lobby and removes old games, for ever.
    pub async fn keep(&self) {
        let mut listeners = 0;
        loop {
            tokio::time::sleep(LOBBY_TIME).await;
            self.remove_old();
            // A listener that comes or leaves changes nothing else.
            let before = std::mem::replace(&mut listeners, self.listeners());
            if listeners != before {
                self.touch();
            }
            if self.changed.swap(false, Ordering::Relaxed) {
                self.publish();
            }
        }
    }

    fn publish(&self) {
        let tables = self.tables().clone();
        // The newest first.
        let listed = tables.iter().rev().map(|(_, table)| {
            let listeners = table.listeners();
            table.state().listed(listeners)
        });
        let games = listed.collect();
        let standings = self.standings.state().are_known();
        self.lobby.change(|lobby, publish| {
            lobby.games = games;
            lobby.standings = standings;
            publish(lobby.whole(0));
        });
    }

    fn remove_old(&self) {
        self.tables().retain(|(_, table)| {
            let idle = table.state().touched().elapsed();
            let time = if table.state().result().is_some() { ENDED_TIME } else { OPEN_TIME };
            let old = idle > time && table.listeners() == 0;
            if old {
                table.change(|table, publish| publish(table.leave()));
                self.touch();
            }
            !old
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::{BoardSeat, Sitter};
    use crate::table::Source;
    use alesia_match::players::GameLine;

    #[test]
    fn games_are_found_by_name_and_listed_with_the_newest_first() {
        let hall = Hall::default();
        let seat = BoardSeat { kind: Sitter::Open, name: String::new(), engine: None, ms: None };
        let add = |title: &str| {
            let (title, seats) = (title.to_owned(), [seat.clone(), seat.clone()]);
            let line = GameLine { board: None, moves: Vec::new() };
            let game = "hadron3".parse().unwrap();
            let made = hall.add(|id| BoardTable::new(id, game, Source::Board, title, seats, line));
            made.unwrap().state().id.clone()
        };
        let (first, second) = (add("first"), add("second"));
        assert_eq!(hall.find(&first).unwrap().state().title, "first");
        assert!(hall.find("nowhere").is_err());
        hall.publish();
        let lobby = hall.lobby().state();
        let names: Vec<_> = lobby.games.iter().map(|game| game["id"].clone()).collect();
        assert_eq!(names, [second.clone(), first.clone()]);
    }

    #[test]
    fn there_is_an_end_to_the_number_of_games() {
        let hall = Hall::default();
        let seat = BoardSeat { kind: Sitter::Open, name: String::new(), engine: None, ms: None };
        let add = || {
            let line = GameLine { board: None, moves: Vec::new() };
            let (game, seats) = ("hadron3".parse().unwrap(), [seat.clone(), seat.clone()]);
            let title = String::new();
            hall.add(|id| BoardTable::new(id, game, Source::Board, title, seats, line)).map(drop)
        };
        (0..MAX_TABLES).for_each(|_| add().unwrap());
        assert!(add().unwrap_err().message().starts_with("there are 1000 games already"));
    }
}
