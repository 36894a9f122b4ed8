//! All games of the page, and the lobby that lists them.
//!
//! The one idea: a game is found by its name, and the lobby learns, a few times a second at most,
//! that something has changed in one. A game that nobody would miss ends after a while, and earlier
//! if there is no room for another.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use alesia::words::command_error::CommandError;
use alesia_match::run::stop_requests::{self, Watch};
use serde::Serialize;
use serde_json::{Value, json};

use super::definitions::Definitions;
use super::game_table::{GameTable, Source};
use super::games_folder::GamesFolder;
use super::published_standings::Standings;
use crate::door::failure::Failure;
use crate::door::places::Visitor;
use crate::door::secrets::secret;
use crate::engines::mind::Minds;
use crate::page::topic::{News, Subject, Topic};

/// Max games kept.
const MAX_TABLES: usize = 1000;

/// Max games of a visitor.
const MAX_TABLES_EACH: usize = 100;

/// Characters of a game's name.
const NAME_LENGTH: usize = 8;

/// The time between two messages of the lobby.
const LOBBY_TIME: Duration = Duration::from_millis(300);

/// How long games without listeners are kept.
struct Patience {
    /// Where there is no room for another.
    crowded: Duration,
    /// That nobody would miss.
    idle_play: Duration,
    ended: Duration,
    /// All others.
    open: Duration,
}

/// A browser on a busy machine needs as long from asking for the page to listening.
const LOADING: Duration = Duration::from_secs(10);

const PATIENCE: Patience = Patience {
    // A page that has made a game, or is loaded again, follows it sooner.
    crowded: Duration::from_secs(10),
    idle_play: Duration::from_secs(10 * 60),
    ended: Duration::from_secs(60 * 60),
    open: Duration::from_secs(24 * 60 * 60),
};

/// Where games are kept on disk: long enough to find a result again.
const PATIENCE_WITH_DISK: Patience = Patience {
    ended: Duration::from_secs(30 * 24 * 60 * 60),
    open: Duration::from_secs(30 * 24 * 60 * 60),
    ..PATIENCE
};

type Table = Arc<Topic<GameTable>>;

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
    tables: Mutex<Vec<(String, Table)>>,
    lobby: Arc<Topic<Lobby>>,
    standings: Arc<Topic<Standings>>,
    /// The lobby does not know of something yet.
    changed: AtomicBool,
    /// When the page was last asked for.
    loaded: Mutex<Option<Instant>>,
    /// Where games are kept on disk.
    folder: OnceLock<GamesFolder>,
    /// The engines of all games and searches.
    pub minds: Minds,
    /// The chess variants that have been defined here.
    pub definitions: Definitions,
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
            loaded: Mutex::new(None),
            folder: OnceLock::new(),
            minds,
            definitions: Definitions::default(),
        }
    }

    fn tables(&self) -> MutexGuard<'_, Vec<(String, Table)>> {
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
        make: impl FnOnce(String) -> Result<GameTable, E>,
    ) -> Result<Table, Failure> {
        self.add_of(None, make)
    }

    /// The same for a visitor, who gets only a part of all games.
    ///
    /// # Errors
    /// As for [`Hall::add`], or this visitor has too many.
    pub fn add_of<E: Into<Failure>>(
        &self,
        owner: Option<Visitor>,
        make: impl FnOnce(String) -> Result<GameTable, E>,
    ) -> Result<Table, Failure> {
        let id = secret()[..NAME_LENGTH].to_owned();
        let mut table = make(id.clone()).map_err(Into::into)?;
        table.owner = owner;
        if let Some(folder) = self.folder.get() {
            // Before anybody can find it.
            folder.keep(&mut table)?;
        }
        let table = Arc::new(Topic::new(table));
        self.seat(id, owner, table.clone()).inspect_err(|_| drop(table.state().leave()))?;
        self.touch();
        Ok(table)
    }

    /// Adds a game where there is room.
    fn seat(&self, id: String, owner: Option<Visitor>, table: Table) -> Result<(), Failure> {
        let mut tables = self.tables();
        let own = |table: &Table| owner.is_some() && table.state().owner == owner;
        if tables.iter().filter(|(_, table)| own(table)).count() >= MAX_TABLES_EACH
            && !give_way(&mut tables, own)
        {
            return Err(Failure::greedy(format!(
                "you have {MAX_TABLES_EACH} games already: end one, or try again in a minute"
            )));
        }
        if tables.len() >= MAX_TABLES && !give_way(&mut tables, |_| true) {
            let most = format!("there are {MAX_TABLES} games already; wait until some have ended");
            return Err(Failure::busy(most));
        }
        tables.push((id, table));
        Ok(())
    }

    /// Keeps games on disk from now on, and shows those that are there. Asked to end, the process
    /// first makes them survive a loss of power.
    ///
    /// # Errors
    /// The system refuses a thread, or to tell when it is asked to end.
    pub fn keep_in(
        self: &Arc<Self>,
        folder: GamesFolder,
        games: Vec<GameTable>,
    ) -> Result<(), CommandError> {
        stop_requests::end_with_us()?;
        let watch = Watch::start();
        let named = |table: GameTable| (table.id.clone(), Arc::new(Topic::new(table)));
        self.tables().extend(games.into_iter().map(named));
        let _ = self.folder.set(folder);
        self.touch();
        let hall = self.clone();
        // A disk is slow to make things survive, and nobody may wait for that.
        let keeper = thread::Builder::new().name("keeper".into()).spawn(move || {
            let folder = hall.folder.get().expect("it was set above");
            loop {
                thread::sleep(LOBBY_TIME);
                let is_last = watch.is_asked();
                folder.settle(is_last, |path| hall.renew_file(path));
                if is_last {
                    watch.end_with(folder.closing_word());
                }
            }
        });
        keeper.map(drop).map_err(|error| CommandError::Failed(format!("no thread: {error}")))
    }

    /// Writes the game of a file anew; nothing is done for one that is gone.
    fn renew_file(&self, path: &Path) -> io::Result<()> {
        match self.search(|table| table.is_kept_in(path)) {
            Some(table) => table.state().renew_file(),
            None => Ok(()),
        }
    }

    /// Finds a game.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn find(&self, id: &str) -> Result<Table, Failure> {
        let tables = self.tables();
        let found = tables.iter().find(|(name, _)| name == id);
        found
            .map(|(_, table)| table.clone())
            .ok_or_else(|| Failure::unknown("game not found: the server may have been restarted"))
    }

    /// The newest game that fits.
    pub fn search(&self, fits: impl Fn(&GameTable) -> bool) -> Option<Table> {
        let tables = self.tables().clone();
        let mut newest = tables.into_iter().rev().map(|(_, table)| table);
        newest.find(|table| fits(&table.state()))
    }

    /// Removes a game, and notifies its listeners unless that has been done.
    pub fn remove(&self, table: &Table) {
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

    /// A browser asks for the page.
    pub fn note_loading(&self) {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether somebody has the page open, or is about to: it listens some time after it was
    /// asked for.
    pub fn is_open(&self) -> bool {
        let loaded = *self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        self.listeners() > 0 || loaded.is_some_and(|loaded| loaded.elapsed() < LOADING)
    }

    /// Waits until the page has not been open for a given time, or `most` is over.
    pub fn stay(&self, grace: Duration, most: Option<Duration>) {
        let began = Instant::now();
        let mut listened = began;
        while listened.elapsed() < grace && most.is_none_or(|most| began.elapsed() < most) {
            thread::sleep(LOBBY_TIME);
            if self.is_open() {
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
        table: &Topic<GameTable>,
        change: impl FnOnce(&mut GameTable) -> Result<News, E>,
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
            let on_disk = self.folder.get().is_some();
            self.remove_old(if on_disk { &PATIENCE_WITH_DISK } else { &PATIENCE });
            self.drop_flags();
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

    /// Ends the games in which a player has used up all time.
    fn drop_flags(&self) {
        let clocked = |(_, table): &(String, Table)| {
            let has_clock = table.state().bank.is_some();
            has_clock.then(|| table.clone())
        };
        let tables: Vec<Table> = self.tables().iter().filter_map(clocked).collect();
        for table in tables {
            // What the disk refuses is tried again.
            let _ = self.change(&table, |table| table.drop_flag().ok().flatten().ok_or(()));
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

    fn remove_old(&self, patience: &Patience) {
        self.tables().retain(|(_, table)| {
            let mut state = table.state();
            if table.listeners() > 0 {
                state.watched = Instant::now();
                return true;
            }
            // How many of these stay is for the match to say.
            if matches!(state.source, Source::Match | Source::Tournament) {
                return true;
            }
            let time = match state.result() {
                Some(_) => patience.ended,
                None if state.is_idle_play() => patience.idle_play,
                None => patience.open,
            };
            if state.idle() <= time {
                return true;
            }
            self.touch();
            // Two engines' game is a result to look at, for as long as others.
            if state.result().is_none() && state.runs() && state.is_idle_play() {
                // What the disk refuses is tried again.
                if state.break_off("nobody has watched it").is_ok() {
                    stop_thinking(&state);
                }
                return true;
            }
            close(&mut state);
            false
        });
    }
}

/// Removes the oldest of the games that fit and may go; whether there was one.
fn give_way(tables: &mut Vec<(String, Table)>, fits: impl Fn(&Table) -> bool) -> bool {
    let may_go = |table: &Table| {
        let state = table.state();
        let missed = state.result().is_none() && !state.is_idle_play();
        table.listeners() == 0 && !missed && state.idle() > PATIENCE.crowded
    };
    let found = tables.iter().position(|(_, table)| fits(table) && may_go(table));
    let Some(found) = found else { return false };
    let (_, table) = tables.remove(found);
    close(&mut table.state());
    true
}

/// Nobody listens to this game, and it cannot be found any more.
fn close(table: &mut GameTable) {
    table.leave();
    stop_thinking(table);
}

fn stop_thinking(table: &GameTable) {
    if let Some(local_players) = &table.local_players {
        local_players.interrupt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_seat::{GameSeat, Sitter};
    use crate::games::local_players::LocalPlayers;
    use alesia::record::game_record::GameLine;

    #[test]
    fn games_are_found_by_name_and_listed_with_the_newest_first() {
        let hall = Hall::default();
        let seat = GameSeat { kind: Sitter::Open, name: String::new(), engine: None, ms: None };
        let add = |title: &str| {
            let (title, seats) = (title.to_owned(), [seat.clone(), seat.clone()]);
            let line = GameLine { board: None, moves: Vec::new() };
            let game = "hadron3".parse().unwrap();
            let made = hall.add(|id| GameTable::new(id, game, Source::Board, title, seats, line));
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

    /// Sets up a game of persons for a visitor.
    fn add(hall: &Hall, owner: Option<Visitor>) -> Result<Table, Failure> {
        add_seats(hall, owner, [Sitter::Person; 2])
    }

    fn add_seats(
        hall: &Hall,
        owner: Option<Visitor>,
        kinds: [Sitter; 2],
    ) -> Result<Table, Failure> {
        let seat = |kind| GameSeat { kind, name: String::new(), engine: None, ms: None };
        let line = GameLine { board: None, moves: Vec::new() };
        let (game, seats) = ("hadron3".parse().unwrap(), kinds.map(seat));
        hall.add_of(owner, |id| {
            let mut table = GameTable::new(id, game, Source::Board, String::new(), seats, line)?;
            table.local_players = Some(LocalPlayers::default());
            Ok::<_, Failure>(table)
        })
    }

    #[test]
    fn there_is_an_end_to_the_number_of_games() {
        let hall = Hall::default();
        (0..MAX_TABLES).for_each(|_| drop(add(&hall, None).unwrap()));
        let error = add(&hall, None).err().unwrap();
        assert!(error.message().starts_with("there are 1000 games already"), "{error:?}");
    }

    #[test]
    fn a_thousand_games_of_one_visitor_are_refused_to_that_one_alone() {
        let hall = Hall::default();
        let visitor = |number| Some(Visitor::at([10, 0, 0, number].into()));
        let made: Vec<_> = (0..1000).map(|_| add(&hall, visitor(1))).collect();
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), MAX_TABLES_EACH);
        let error = made[999].as_ref().err().unwrap();
        assert!(error.message().starts_with("you have 100 games already"), "{error:?}");
        assert!(add(&hall, visitor(2)).is_ok() && add(&hall, None).is_ok());
        // What has ended, or was never played, gives way; what is played does not.
        let [ended, played] = [&made[5], &made[4]].map(|made| made.as_ref().ok().unwrap());
        ended.state().break_off("over").unwrap();
        played.state().play("B1", None, None).unwrap();
        let long_ago = || Instant::now().checked_sub(Duration::from_secs(11)).unwrap();
        for table in [ended, played] {
            table.state().set_idle_since(long_ago());
        }
        assert!(add(&hall, visitor(1)).is_ok());
        assert!(ended.state().ended() && !played.state().ended());
        assert!(add(&hall, visitor(1)).is_err());
    }

    #[test]
    fn games_that_nobody_watches_end() {
        let hall = Hall::default();
        let engines = add_seats(&hall, None, [Sitter::Engine; 2]).unwrap();
        engines.state().begin();
        let open = add_seats(&hall, None, [Sitter::Person, Sitter::Open]).unwrap();
        let [unmoved, played, watched] = [0; 3].map(|_| add(&hall, None).unwrap());
        played.state().play("B1", None, None).unwrap();
        let listener = watched.follower();
        let patience = Patience { idle_play: Duration::ZERO, ..PATIENCE };
        hall.remove_old(&patience);
        let text = |table: &Table| table.state().result().map(|result| result.text.clone());
        assert_eq!(text(&engines).unwrap(), "no result (nobody has watched it)");
        assert!(open.state().ended() && unmoved.state().ended());
        for table in [&played, &watched] {
            assert!(text(table).is_none() && !table.state().ended());
        }
        // The time begins when the last listener has left, even if no move was made.
        watched
            .state()
            .set_idle_since(Instant::now().checked_sub(Duration::from_secs(11)).unwrap());
        hall.remove_old(&patience);
        drop(listener);
        hall.remove_old(&PATIENCE);
        assert!(watched.state().idle() < Duration::from_secs(5));
        // A match has its own count of those that stay.
        watched.state().source = Source::Match;
        let none = Duration::ZERO;
        hall.remove_old(&Patience { crowded: none, idle_play: none, ended: none, open: none });
        assert!(played.state().ended() && !watched.state().ended());
        assert_eq!(hall.tables().len(), 1);
    }
}
