//! The games of one or several files, in the order of their numbers.
//!
//! The one idea: in each file the numbers grow, so the files are merged while they are read. A game
//! that is in two of them is seen when its turn comes, and one game is in memory.

use std::path::{Path, PathBuf};

use alesia::eval::Evaluate;
use alesia::game::ParseError;
use alesia::words::command_error::CommandError;

use super::games_file::{Games, Lines, failed, shard_of, shown};
use super::record::SelfPlayRecord;

/// Files of games of the same settings.
pub struct Data<G> {
    start: G,
    settings: String,
    paths: Vec<PathBuf>,
    /// Games from this number on are left out; those before it should all be there.
    end: Option<u64>,
}

/// What was found in the files.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub games: u64,
    /// How many games are in no file of those that should be there (up to the last one that is, if
    /// nothing else is known), and the first of them.
    pub missing: u64,
    pub first_missing: Option<u64>,
    /// Last lines that were cut short, and are left out.
    pub cut: Vec<String>,
}

impl<G: Evaluate> Data<G> {
    /// Files whose heads have these settings, with a shard or without. Games are read from `start`
    /// on; those from the number `end` on are left out.
    ///
    /// # Errors
    /// A file cannot be read, or has other settings.
    pub fn open(
        start: G,
        settings: &str,
        paths: &[PathBuf],
        end: Option<u64>,
    ) -> Result<Data<G>, CommandError> {
        let data = Data { start, settings: settings.to_owned(), paths: paths.to_vec(), end };
        for path in &data.paths {
            data.games_of(path)?;
        }
        Ok(data)
    }

    /// A file at its first game.
    fn games_of(&self, path: &Path) -> Result<Games<G>, CommandError> {
        let mut lines = Lines::open(path).map_err(|error| failed(path, &error))?;
        let place = lines.place();
        let head = lines.next_whole()?.unwrap_or_default().to_owned();
        let shard = shard_of(&head, &self.settings).ok_or_else(|| {
            let expected = format!("`{}`, perhaps with a shard", self.settings);
            ParseError::new(place, shown(&head), expected)
        })?;
        Ok(Games::new(self.start, lines, shard))
    }

    /// Hands each game on with its number, in order.
    ///
    /// # Errors
    /// Those of `see`, or of a file: it cannot be read, has something else, or has a game that
    /// another one has too.
    pub fn each(
        &self,
        mut see: impl FnMut(u64, &SelfPlayRecord) -> Result<(), CommandError>,
    ) -> Result<Found, CommandError> {
        let mut files = Vec::new();
        for path in &self.paths {
            files.push((path, self.games_of(path)?));
        }
        let (mut found, mut last) = (Found::default(), None);
        let is_wanted = |number: u64| self.end.is_none_or(|end| number < end);
        loop {
            let next = files.iter_mut().min_by_key(|(_, games)| games.next_number());
            let Some((path, games)) = next.filter(|(_, games)| is_wanted(games.next_number()))
            else {
                let seen = last.map_or(0, |(last, _)| last + 1);
                found.miss(seen, self.end.unwrap_or(seen));
                return Ok(found);
            };
            let (number, place) = (games.next_number(), games.lines.place());
            let Some(record) = games.next_game()? else {
                found.cut.extend(Some(place).filter(|_| !games.lines.cut().is_empty()));
                let path = *path;
                files.retain(|(other, _)| !std::ptr::eq(*other, path));
                continue;
            };
            if let Some((last, path)) = last.filter(|&(last, _)| last == number) {
                let found = format!("game {last}, which {} has too", Path::display(path));
                return Err(ParseError::new(place, found, "each game once").into());
            }
            found.miss(last.map_or(0, |(last, _)| last + 1), number);
            found.games += 1;
            last = Some((number, *path));
            see(number, &record)?;
        }
    }
}

impl Found {
    /// Counts the games of these numbers, which are in no file.
    fn miss(&mut self, first: u64, end: u64) {
        self.missing += end - first;
        if end > first {
            self.first_missing.get_or_insert(first);
        }
    }
}

/// Whether a file has a shard of the games of these settings.
///
/// # Errors
/// The system's.
pub fn is_shard(path: &Path, settings: &str) -> Result<bool, CommandError> {
    let Ok(mut lines) = Lines::open(path) else { return Ok(false) };
    let head = lines.next_whole()?.unwrap_or_default();
    Ok(head != settings && shard_of(head, settings).is_some())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use alesia::game::{Game, GameState};
    use alesia::games::Voidrider;

    use super::*;
    use crate::tune::games_file::head;
    use crate::tune::shard::Shard;

    const SETTINGS: &str = "some settings";

    /// A game that is like no other: random moves to its end.
    fn line(number: u64) -> String {
        use alesia::game::chance::Chance;
        let mut rng = fastrand::Rng::with_seed(number);
        let mut state = GameState::new(Voidrider::start());
        let mut opening = Vec::new();
        let outcome = loop {
            if let Some(ending) = state.ending() {
                break ending.outcome;
            }
            let moves = state.position.legal_moves();
            let m = moves[rng.index(..moves.len())];
            opening.push(m);
            state.play(m);
        };
        SelfPlayRecord { opening, plies: Vec::new(), outcome }.line(Voidrider::start())
    }

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Folder {
            Folder(tempfile::tempdir().unwrap())
        }

        /// A file with the first `count` games of a shard, and a rest.
        fn file(&self, name: &str, shard: &str, count: usize, rest: &str) -> PathBuf {
            let shard = Some(shard).filter(|text| !text.is_empty()).map(|s| s.parse().unwrap());
            let mut text = head(SETTINGS, shard) + "\n";
            for place in 0..count {
                text += &(line(shard.unwrap_or(Shard::WHOLE).number(place)) + "\n");
            }
            let path = self.0.path().join(name);
            fs::write(&path, text + rest).unwrap();
            path
        }
    }

    /// The numbers and games that are found.
    fn read(paths: &[PathBuf], end: Option<u64>) -> Result<(Vec<u64>, Found), String> {
        let mut numbers = Vec::new();
        let start = Voidrider::start();
        let found = Data::open(start, SETTINGS, paths, end).and_then(|data| {
            data.each(|number, record| {
                assert_eq!(record.line(start), line(number));
                numbers.push(number);
                Ok(())
            })
        });
        found.map(|found| (numbers, found)).map_err(|error| error.to_string())
    }

    #[test]
    fn games_of_several_files_come_in_the_order_of_their_numbers() {
        let folder = Folder::new();
        let files = [
            folder.file("a", "1/3", 2, ""),
            folder.file("b", "2/3", 2, ""),
            folder.file("c", "0/3", 3, ""),
        ];
        let (numbers, found) = read(&files, None).unwrap();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(found, Found { games: 7, ..Found::default() });
        let (numbers, found) = read(&files, Some(4)).unwrap();
        assert_eq!((&*numbers, found.missing), (&[0, 1, 2, 3][..], 0));
        let (_, found) = read(&files, Some(9)).unwrap();
        assert_eq!((found.games, found.missing, found.first_missing), (7, 2, Some(7)));
    }

    #[test]
    fn missing_games_are_counted_and_cut_ones_left_out() {
        let folder = Folder::new();
        let files = [folder.file("a", "0/3", 3, ""), folder.file("b", "2/3", 1, "w e3-")];
        let (numbers, found) = read(&files, None).unwrap();
        assert_eq!(numbers, [0, 2, 3, 6]);
        let cut = vec![format!("{}, line 3", files[1].display())];
        assert_eq!(found, Found { games: 4, missing: 3, first_missing: Some(1), cut });
    }

    #[test]
    fn other_settings_and_a_game_in_two_files_are_refused() {
        let folder = Folder::new();
        let whole = folder.file("whole", "", 3, "");
        let shard = folder.file("shard", "2/4", 1, "");
        let error = read(&[whole.clone(), shard.clone()], None).unwrap_err();
        let [whole_place, shard_place] = [&whole, &shard].map(|path| path.display().to_string());
        let first = format!("{shard_place}, line 2: found game 2, which {whole_place} has too");
        let second = format!("{whole_place}, line 4: found game 2, which {shard_place} has too");
        assert!([first, second].map(|text| text + ", expected each game once").contains(&error));
        let twice = read(&[whole.clone(), whole.clone()], None).unwrap_err();
        assert!(twice.contains(", line 2: found game 0, which "), "{twice}");
        let other = folder.0.path().join("other");
        for text in ["other settings\n", "some settings shard=4/4\n", ""] {
            fs::write(&other, text).unwrap();
            let error = read(&[whole.clone(), other.clone()], None).unwrap_err();
            let expected = format!(
                "{}, line 1: found `{}`, expected `some settings`, perhaps with a shard",
                other.display(),
                text.trim_end()
            );
            assert_eq!(error, expected);
        }
    }
}
