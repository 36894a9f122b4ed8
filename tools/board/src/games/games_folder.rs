//! The games of the page on disk, so that they outlive a restart of the server.
//!
//! The one idea: a game is a file of its own ([`Journal`]), which has each change before anybody
//! sees it. What is left to do, making that survive a loss of power and removing what could not be
//! removed, is done a few times a second, and tried again where the disk refuses. The files contain
//! the secrets of the seats, so only their owner may read them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use alesia::game::{counted, plain_file};
use alesia::record::lock::Lock;
use alesia::record::system_file::bounded;
use alesia_match::files::disk::MAX_TEXT;
use alesia_match::words::logging::warn;

use super::definitions::Definitions;
use super::game_file::GameFile;
use super::game_table::GameTable;
use super::journal::{ENDING, Journal, SharedDisk, remove};
use crate::door::failure::Failure;

/// The time between two tries where the disk refuses.
const PAUSE: Duration = Duration::from_secs(30);

/// How the name of a file ends that was not yet one of a game when its writer was killed.
const UNFINISHED: &str = ".json.new";

/// After this time it is said what is being read.
const SLOW: Duration = Duration::from_secs(1);

/// Max files that the log names because they cannot be read.
const MAX_NAMED: usize = 10;

/// The folder of the games.
pub struct GamesFolder {
    folder: PathBuf,
    /// No other server writes there.
    _lock: Lock,
    disk: SharedDisk,
    /// When something that is left to do was last refused.
    refused: Mutex<Option<Instant>>,
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
        let disk = SharedDisk::default();
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                files.push((fs::metadata(&path).and_then(|data| data.modified()).ok(), path));
            } else if path.to_string_lossy().ends_with(UNFINISHED) {
                remove(&path)?;
            }
        }
        files.sort();
        let (mut tables, mut unreadable) = (Vec::new(), 0);
        let (count, mut slow) = (files.len(), Some(Instant::now() + SLOW));
        for (_, path) in files {
            if slow.take_if(|slow| Instant::now() > *slow).is_some() {
                warn(&format!("--data {}: reading {count} files", folder.display()));
            }
            match read(path.clone(), definitions, &disk) {
                Ok(table) => tables.push(table),
                Err(reason) => {
                    unreadable += 1;
                    if unreadable <= MAX_NAMED {
                        log::error!("{}: {reason}", path.display());
                    }
                }
            }
        }
        if unreadable > MAX_NAMED {
            let more = unreadable - MAX_NAMED;
            log::error!("{}: {more} more files cannot be read", folder.display());
        }
        let folder = folder.to_owned();
        Ok((GamesFolder { folder, _lock: lock, disk, refused: Mutex::default() }, tables))
    }

    /// Gives a new game its file; one that is played elsewhere has none.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn keep(&self, table: &mut GameTable) -> Result<(), Failure> {
        let Some(game) = GameFile::of(table) else { return Ok(()) };
        let journal = Journal::create(&self.folder, &table.id, &self.disk, &game.bytes());
        table.keep_in(journal.map_err(|error| Failure::unkept(&error))?);
        Ok(())
    }

    /// Makes what is in the files survive a loss of power, and removes the files that could not be
    /// removed. Where the disk refuses, the game is written anew (`renew`), unless it is too early
    /// for another try; at the end there is one more.
    pub fn settle(&self, is_last: bool, renew: impl Fn(&Path) -> io::Result<()>) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_last && refused.is_some_and(|tried| tried.elapsed() < PAUSE) {
            return;
        }
        let was_refused = refused.take().is_some();
        let (files, gone) = {
            let mut disk = self.disk.get();
            (std::mem::take(&mut disk.unsafe_files), std::mem::take(&mut disk.undeleted))
        };
        let mut failure = None;
        for path in files {
            // After an error the system may say that all is well without having written it.
            let synced = match was_refused {
                true => renew(&path),
                false => File::options().write(true).open(&path).and_then(|file| file.sync_data()),
            };
            if let Err(error) = synced.or_else(|_| renew(&path)) {
                failure = Some(format!("{}: {error}", path.display()));
                self.disk.get().unsafe_files.insert(path);
            }
        }
        for path in gone {
            if let Err(error) = remove(&path) {
                failure = Some(format!("{}: {error}", path.display()));
                self.disk.get().undeleted.insert(path);
            }
        }
        if let Some(failure) = failure {
            if !was_refused {
                log::error!("{failure}; tried again every {} s", PAUSE.as_secs());
            }
            *refused = Some(Instant::now());
        }
    }

    /// What is to be said at the end where not all was kept that somebody wanted to be kept.
    pub fn closing_word(&self) -> Option<String> {
        let (folder, disk) = (self.folder.display(), self.disk.get());
        if !disk.unsafe_files.is_empty() {
            let games = counted(disk.unsafe_files.len(), "game");
            return Some(format!(
                "--data {folder}: the last changes of {games} may not survive a loss of power"
            ));
        }
        (disk.refusals > 0).then(|| {
            let refusals = counted(disk.refusals, "change");
            format!("--data {folder}: the disk refused {refusals}; nothing else is lost")
        })
    }
}

fn read(path: PathBuf, definitions: &Definitions, disk: &SharedDisk) -> Result<GameTable, String> {
    // A pipe would be waited for.
    let content = plain_file::open(&path).and_then(|file| bounded(file, MAX_TEXT));
    let content = content.map_err(|error| error.to_string())?;
    let (game, length) = GameFile::read(&content)?;
    if path.file_stem().is_none_or(|name| *name != *game.id()) {
        return Err(format!("found the game {}, expected that of the file's name", game.id()));
    }
    let mut table = game.table(definitions).map_err(|failure| failure.message().to_owned())?;
    table.keep_in(Journal::of_file(path, length, disk));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use alesia::game::{Outcome, Side};
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

    #[test]
    fn a_game_comes_back_with_its_moves_seats_keys_and_end() {
        let folder = folder("back");
        let (games, none) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert!(none.is_empty());
        let mut playing = table("playing");
        playing.date = "2026-10-31".parse().ok();
        playing.bank = serde_json::from_str(r#"{ "base": 60000, "increment": 2000 }"#).ok();
        games.keep(&mut playing).unwrap();
        playing.play("C3", None, None).unwrap();
        playing.take_back(1).unwrap();
        playing.play("A3", None, None).unwrap();
        let mut over = table("over");
        games.keep(&mut over).unwrap();
        over.end(Outcome::Win(Side::Black), "White resigned").unwrap();
        let error = GamesFolder::open(&folder, &Definitions::default()).err().unwrap().to_string();
        assert!(error.contains(", expected one writer ("), "{error}");
        drop(games);
        let (_, mut tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        tables.sort_by_key(|table| table.id.clone());
        let [again_over, again] = &tables[..] else { panic!("two games") };
        assert_eq!(again.line().moves, ["B1", "A3"]);
        assert_eq!((again.given(), again.runs()), (1, true));
        assert_eq!((again.date, again_over.date), ("2026-10-31".parse().ok(), over.date));
        assert!(again.bank.is_some() && again.bank == playing.bank && again_over.bank.is_none());
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
        let (games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        games.keep(&mut table("one")).unwrap();
        drop(games);
        let file = folder.join("one.json");
        let mut game: serde_json::Value =
            serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let fields = game.as_object_mut().unwrap();
        assert!(fields.remove("date").unwrap().is_string() && fields.remove("crc32").is_some());
        fs::write(&file, game.to_string()).unwrap();
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!((tables.len(), tables[0].date), (1, None));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_game_of_a_pasted_definition_comes_back_with_its_rules() {
        let folder = folder("variant");
        let (games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let text = "# Kept.\n[kept:gardner]\n[other:chess]\n";
        let game = Definitions::default().keep(None, text, "kept").unwrap();
        let line = GameLine { board: None, moves: vec!["a2a3".into()] };
        let (id, seats) = ("kept".to_owned(), seats_for_tests());
        let mut table =
            GameTable::new(id, game, Source::Board, String::new(), seats, line).unwrap();
        table.local_players = Some(LocalPlayers::default());
        games.keep(&mut table).unwrap();
        drop(games);
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!((tables[0].game, &tables[0].line().moves[0][..]), (game, "a2a3"));
        // Another process knows nothing of the text but what is in the file.
        let file = folder.join("kept.json");
        let stored = fs::read_to_string(&file).unwrap();
        // Older files have no sums.
        let stored = stored.split(",\"crc32\"").next().unwrap().to_owned() + "}";
        let other = stored.replace("# Kept.", "# Elsewhere.");
        fs::write(&file, other).unwrap();
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!(tables[0].game.title(), "Elsewhere");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn removes_files_of_removed_games_and_keeps_unreadable_ones() {
        let folder = folder("gone");
        let (games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let [mut one, mut two] = ["one", "two"].map(table);
        for table in [&mut one, &mut two] {
            games.keep(table).unwrap();
        }
        fs::write(folder.join("three.json"), "{}").unwrap();
        fs::write(folder.join("four.json.new"), "{").unwrap();
        one.leave();
        drop(games);
        let (games, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!(tables.iter().map(|table| &*table.id).collect::<Vec<_>>(), ["two"]);
        assert!(folder.join("three.json").exists() && !folder.join("four.json.new").exists());
        drop(games);
        fs::rename(folder.join("two.json"), folder.join("four.json")).unwrap();
        assert!(
            GamesFolder::open(&folder, &Definitions::default()).unwrap().1.is_empty(),
            "the name is another"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    /// The moves of the only game of a folder whose file has this content; none where it is
    /// refused.
    fn moves_of(folder: &Path, content: &[u8]) -> Option<Vec<String>> {
        fs::write(folder.join("one.json"), content).unwrap();
        let (_, tables) = GamesFolder::open(folder, &Definitions::default()).unwrap();
        tables.first().map(|table| table.line().moves.clone())
    }

    #[test]
    fn of_a_file_that_was_cut_anywhere_the_whole_lines_count() {
        let folder = folder("cut");
        let (games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let mut table = table("one");
        games.keep(&mut table).unwrap();
        table.play("C3", None, None).unwrap();
        table.play("A2", None, None).unwrap();
        drop(games);
        let whole = fs::read(folder.join("one.json")).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        assert_eq!(ends.len(), 2);
        for length in ends[0]..=whole.len() {
            let count = 1 + usize::from(length >= ends[1]) + usize::from(length == whole.len());
            let moves = moves_of(&folder, &whole[..length]).unwrap();
            assert_eq!(moves, ["B1", "C3", "A2"][..count], "{length} bytes");
        }
        let lost = [&whole[..ends[1] + 1], &[0; 50]].concat();
        assert_eq!(moves_of(&folder, &lost).unwrap(), ["B1", "C3"]);
        let text = String::from_utf8(whole).unwrap();
        assert_eq!(moves_of(&folder, text.replace("C3", "C1").as_bytes()), None, "it was changed");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_the_disk_refuses_has_not_happened() {
        let folder = folder("refused");
        let (games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let mut table = table("one");
        games.keep(&mut table).unwrap();
        // No file can be written there.
        let hidden = folder.with_extension("hidden");
        fs::rename(&folder, &hidden).unwrap();
        let (version, key) = (table.version(), "key".to_owned());
        let seat = table.seats[1].clone();
        let refusals = [
            table.play("C3", None, None).err(),
            table.take_back(0).err(),
            table.end(Outcome::Draw, "agreed").err(),
            table.seat(Side::Black, seat, key).err(),
            games.keep(&mut self::table("two")).err(),
        ];
        for refusal in &refusals {
            let message = refusal.as_ref().unwrap().message();
            assert!(message.starts_with("the server could not keep this ("), "{message}");
        }
        assert_eq!((table.length(), table.version()), (1, version));
        assert!(table.result().is_none());
        let said = games.closing_word().unwrap();
        assert!(said.ends_with(": the disk refused 5 changes; nothing else is lost"), "{said}");
        fs::rename(&hidden, &folder).unwrap();
        table.play("C3", None, None).unwrap();
        drop(games);
        let (_, tables) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        assert_eq!(tables[0].line().moves, ["B1", "C3"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn tries_again_after_the_disk_refused() {
        let folder = folder("again");
        let (games, _) = GamesFolder::open(&folder, &Definitions::default()).unwrap();
        let mut table = table("one");
        games.keep(&mut table).unwrap();
        table.play("C3", None, None).unwrap();
        let refuse = |_: &Path| Err(io::ErrorKind::StorageFull.into());
        fs::remove_file(folder.join("one.json")).unwrap();
        games.settle(false, refuse);
        games.settle(false, |_| panic!("not at once"));
        assert!(games.closing_word().unwrap().contains("the last changes of 1 game may"));
        let renewed = std::cell::RefCell::new(&mut table);
        games.settle(true, |_| renewed.borrow_mut().renew_file());
        assert!(folder.join("one.json").exists() && games.closing_word().is_none());
        // Nor can this be removed.
        fs::remove_file(folder.join("one.json")).unwrap();
        fs::create_dir(folder.join("one.json")).unwrap();
        table.leave();
        fs::remove_dir(folder.join("one.json")).unwrap();
        fs::write(folder.join("one.json"), "{}").unwrap();
        games.settle(false, refuse);
        assert!(!folder.join("one.json").exists());
        fs::remove_dir_all(folder).unwrap();
    }
}
