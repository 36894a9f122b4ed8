//! The games of the page on disk, so that they outlive a restart of the server.
//!
//! The one idea: a game is a file of its own, written whole beside the old one and renamed over it,
//! some time after each change. What the disk refuses is tried again later. A game that is removed
//! from the page loses its file. The files contain the secrets of the seats, so only their owner
//! may read them.

use std::collections::HashMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alesia::record::lock::Lock;
use alesia_match::files::disk::{self, MAX_TEXT, Readers};

use super::definitions::Definitions;
use super::game_file::GameFile;
use super::game_table::GameTable;

/// How the name of a game's file ends.
const ENDING: &str = "json";

/// The time between two tries where the disk refuses.
const PAUSE: Duration = Duration::from_secs(30);

/// A game as its file should have it.
pub struct Unsaved {
    id: String,
    /// How new it is.
    changed: Instant,
    text: Vec<u8>,
}

/// The folder of the games.
pub struct GamesFolder {
    folder: PathBuf,
    /// No other server writes there.
    _lock: Lock,
    /// The games on disk, and how new each is.
    saved: HashMap<String, Instant>,
    /// The games whose file could not be written or removed, and when that was last tried.
    refused: HashMap<String, Instant>,
    pause: Duration,
}

impl GamesFolder {
    /// Opens a folder, which is made if it is not there, and reads its games; their definitions are
    /// kept. One that cannot be read is left alone, with a line in the log.
    ///
    /// # Errors
    /// The folder cannot be made or read, or another server uses it.
    pub fn open(
        folder: &Path,
        definitions: &Definitions,
    ) -> io::Result<(GamesFolder, Vec<GameTable>)> {
        fs::create_dir_all(folder)?;
        let lock = Lock::take_folder(folder)?;
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                files.push((fs::metadata(&path).and_then(|data| data.modified()).ok(), path));
            }
        }
        files.sort();
        let read = |(_, path): &(_, PathBuf)| {
            let table = read(path, definitions);
            if let Err(reason) = &table {
                log::error!("{}: {reason}", path.display());
            }
            table.ok()
        };
        let tables: Vec<GameTable> = files.iter().filter_map(read).collect();
        let saved = tables.iter().map(|table| (table.id.clone(), table.changed_at())).collect();
        let (folder, refused) = (folder.to_owned(), HashMap::new());
        Ok((GamesFolder { folder, _lock: lock, saved, refused, pause: PAUSE }, tables))
    }

    /// A game that has changed since it was last written, unless it is too early for another try.
    pub fn unsaved(&self, table: &GameTable) -> Option<Unsaved> {
        let (id, changed) = (&table.id, table.changed_at());
        if self.saved.get(id) == Some(&changed) || !self.may_try(id) {
            return None;
        }
        let text = serde_json::to_vec(&GameFile::of(table)?);
        let text = text.expect("a game can be written as JSON");
        Some(Unsaved { id: id.clone(), changed, text })
    }

    /// Writes a game.
    pub fn save(&mut self, game: Unsaved) {
        let Unsaved { id, changed, text } = game;
        let written = disk::replace(&self.path(&id), &text, Readers::Owner);
        if self.note(&id, written) {
            self.saved.insert(id, changed);
        }
    }

    /// Removes the files of games that are not on the page any more.
    pub fn keep_only(&mut self, stays: impl Fn(&str) -> bool) {
        let may_go = |id: &&String| !stays(id) && self.may_try(id);
        let known = self.saved.keys().chain(self.refused.keys());
        let gone: Vec<String> = known.filter(may_go).cloned().collect();
        for id in gone {
            let removed = fs::remove_file(self.path(&id));
            let removed = removed.or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            });
            if self.note(&id, removed) {
                self.saved.remove(&id);
            }
        }
    }

    /// From now on everything is tried at once: there may be no other time.
    pub fn hurry(&mut self) {
        self.pause = Duration::ZERO;
    }

    fn may_try(&self, id: &str) -> bool {
        self.refused.get(id).is_none_or(|tried| tried.elapsed() >= self.pause)
    }

    /// Notes whether the disk did what it should. One that stays full gets one line in the log.
    fn note(&mut self, id: &str, done: io::Result<()>) -> bool {
        let is_done = done.is_ok();
        match done {
            Ok(()) => drop(self.refused.remove(id)),
            Err(error) => {
                if self.refused.is_empty() {
                    let (path, seconds) = (self.path(id), self.pause.as_secs());
                    log::error!("{}: {error}; tried again every {seconds} s", path.display());
                }
                self.refused.insert(id.to_owned(), Instant::now());
            }
        }
        is_done
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(id).with_extension(ENDING)
    }
}

fn read(path: &Path, definitions: &Definitions) -> Result<GameTable, String> {
    let text = disk::read(path, MAX_TEXT).map_err(|error| error.to_string())?;
    let game: GameFile = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    if path.file_stem().is_none_or(|name| *name != *game.id()) {
        return Err(format!("found the game {}, expected that of the file's name", game.id()));
    }
    game.table(definitions).map_err(|failure| failure.message().to_owned())
}

#[cfg(test)]
mod tests {
    use alesia::game::Outcome;
    use alesia::record::game_record::GameLine;

    use super::*;
    use crate::games::game_table::Source;
    use crate::games::keys::Keys;
    use crate::games::local_players::LocalPlayers;
    use crate::games::play::seats_for_tests;
    use crate::page::topic::Subject;

    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("alesia-games-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn table(id: &str) -> GameTable {
        let line = GameLine { board: None, moves: vec!["B1".into()] };
        let seats = seats_for_tests();
        let game = "hadron3".parse().unwrap();
        let mut table =
            GameTable::new(id.into(), game, Source::Board, String::new(), seats, line).unwrap();
        let keys = Keys::new([true, false]);
        table.local_players = Some(LocalPlayers { keys, ..LocalPlayers::default() });
        table.begin();
        table
    }

    fn save(games: &mut GamesFolder, table: &GameTable) {
        if let Some(game) = games.unsaved(table) {
            games.save(game);
        }
    }

    #[test]
    fn a_game_comes_back_with_its_moves_seats_keys_and_end() {
        let folder = folder("back");
        let (mut games, none) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert!(none.is_empty());
        let mut playing = table("playing");
        playing.date = "2026-10-31".parse().ok();
        playing.play("A3", None, None).unwrap();
        let mut over = table("over");
        over.end(Outcome::Win(alesia::game::Side::Black), "White resigned");
        for table in [&playing, &over] {
            save(&mut games, table);
        }
        let error = GamesFolder::open(&folder, &Definitions::default()).err().unwrap().to_string();
        assert!(error.contains(", expected one writer ("), "{error}");
        drop(games);
        let (_, mut tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        tables.sort_by_key(|table| table.id.clone());
        let [again_over, again] = &tables[..] else { panic!("two games") };
        assert_eq!(again.line().moves, ["B1", "A3"]);
        assert_eq!((again.given(), again.runs()), (1, true));
        assert_eq!((again.date, again_over.date), ("2026-10-31".parse().ok(), over.date));
        assert_eq!(again.moves()[1].ms, playing.moves()[1].ms);
        assert_eq!(again.seats[1].engine, Some("random"));
        let keys = |table: &GameTable| table.local_players.as_ref().unwrap().keys.all();
        assert_eq!(keys(again), keys(&playing));
        assert_eq!(again_over.result(), over.result());
        assert!(!again_over.runs() && !again.ended());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_of_an_older_version_has_no_date() {
        let folder = folder("older");
        let (mut games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        save(&mut games, &table("one"));
        drop(games);
        let file = folder.join("one.json");
        let mut game: serde_json::Value =
            serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert!(game.as_object_mut().unwrap().remove("date").unwrap().is_string());
        fs::write(&file, game.to_string()).unwrap();
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!((tables.len(), tables[0].date), (1, None));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_game_of_a_pasted_definition_comes_back_with_its_rules() {
        let folder = folder("variant");
        let (mut games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let text = "# Kept.\n[kept:gardner]\n[other:chess]\n";
        let game = Definitions::default().keep(None, text, "kept").unwrap();
        let line = GameLine { board: None, moves: vec!["a2a3".into()] };
        let (id, seats) = ("kept".to_owned(), seats_for_tests());
        let mut table =
            GameTable::new(id, game, Source::Board, String::new(), seats, line).unwrap();
        table.local_players = Some(LocalPlayers::default());
        save(&mut games, &table);
        drop(games);
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!((tables[0].game, &tables[0].line().moves[0][..]), (game, "a2a3"));
        // Another process knows nothing of the text but what is in the file.
        let file = folder.join("kept.json");
        let stored = fs::read_to_string(&file).unwrap();
        let other = stored.replace("# Kept.", "# Elsewhere.");
        fs::write(&file, other).unwrap();
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!(tables[0].game.title(), "Elsewhere");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn removes_files_of_removed_games_and_keeps_unreadable_ones() {
        let folder = folder("gone");
        let (mut games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        save(&mut games, &table("one"));
        save(&mut games, &table("two"));
        fs::write(folder.join("three.json"), "{}").unwrap();
        games.keep_only(|id| id == "two");
        drop(games);
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!(tables.iter().map(|table| &*table.id).collect::<Vec<_>>(), ["two"]);
        assert!(folder.join("three.json").exists());
        fs::rename(folder.join("two.json"), folder.join("four.json")).unwrap();
        assert!(
            GamesFolder::open(&folder, &Definitions::default()).unwrap().1.is_empty(),
            "the name is another"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn tries_again_after_the_disk_refused() {
        let folder = folder("again");
        let (mut games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let table = table("one");
        // No file can be written there.
        let hidden = folder.with_extension("hidden");
        fs::rename(&folder, &hidden).unwrap();
        save(&mut games, &table);
        fs::rename(&hidden, &folder).unwrap();
        assert!(games.unsaved(&table).is_none(), "not at once");
        games.hurry();
        save(&mut games, &table);
        assert!(folder.join("one.json").exists() && games.unsaved(&table).is_none());
        // Nor can this be removed.
        fs::remove_file(folder.join("one.json")).unwrap();
        fs::create_dir(folder.join("one.json")).unwrap();
        games.keep_only(|_| false);
        fs::remove_dir(folder.join("one.json")).unwrap();
        fs::write(folder.join("one.json"), "{}").unwrap();
        games.keep_only(|_| false);
        assert!(!folder.join("one.json").exists() && games.refused.is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
