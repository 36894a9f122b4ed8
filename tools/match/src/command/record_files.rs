//! The files of `-pgnout` and `-jsonlout`, which grow as games end.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use alesia::games::GameSpec;
use alesia::record::append_only::AppendOnlyFile;
use alesia::record::game_record::GameRecord;
use alesia::record::record_file::{beginning, check_content};
use alesia::words::command_error::CommandError;

use super::output_options::RecordOutput;
use alesia_answers::formats::{Format, PGN_BEGINNING};

/// Opens the files of `-pgnout` and `-jsonlout`, which may hold the games that are done.
pub fn outputs(
    files: &[RecordOutput],
    game: GameSpec,
    done: &BTreeMap<u64, GameRecord>,
) -> Result<Vec<Output>, CommandError> {
    let open = |RecordOutput { place, path, is_pgn }: &RecordOutput| {
        Output::open(path, game, *is_pgn, done).map_err(|error| {
            CommandError::Failed(format!("{place}, file={}: {error}", path.display()))
        })
    };
    files.iter().map(open).collect()
}

/// A file to which games go.
pub struct Output {
    pub file: AppendOnlyFile,
    pub game: GameSpec,
    pub is_pgn: bool,
}

impl Output {
    /// Opens a file at its end; games of an earlier run that it lacks are added.
    pub fn open(
        path: &Path,
        game: GameSpec,
        is_pgn: bool,
        done: &BTreeMap<u64, GameRecord>,
    ) -> io::Result<Output> {
        if is_pgn { check_pgn(path) } else { check_content(path) }?;
        let mut output = Output { file: AppendOnlyFile::append(path)?, game, is_pgn };
        if path.is_file() && !done.is_empty() {
            match is_pgn {
                true => {
                    let texts = done.values().map(|record| in_pgn(record, game));
                    output.file.add_missing_texts(PGN_BEGINNING, texts)?;
                }
                false => output.file.add_missing(done.values())?,
            }
        }
        Ok(output)
    }

    pub fn add(&mut self, record: &GameRecord) {
        match self.is_pgn {
            true => self.file.add_text(&in_pgn(record, self.game)),
            false => self.file.add(record),
        }
    }
}

/// Refuses a file that holds something other than games in PGN.
fn check_pgn(path: &Path) -> io::Result<()> {
    match beginning(path)?.trim_ascii_start().first() {
        None | Some(b'[') => Ok(()),
        Some(_) => {
            let text = "found something else in it, expected a new file or one of games in PGN";
            Err(io::Error::other(text))
        }
    }
}

/// A record by the rules by which it was played.
fn in_pgn(record: &GameRecord, game: GameSpec) -> String {
    Format::Pgn.text_by(record, game).expect("a game that was played follows the rules")
}

#[cfg(test)]
mod tests {
    use super::*;
    use alesia_answers::formats::ForeignGame;

    #[test]
    fn games_are_written_by_the_rules_by_which_they_are_played() {
        let folder = std::env::temp_dir().join(format!("alesia-output-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (rules, pgn) = (folder.join("mine.ini"), folder.join("games.pgn"));
        std::fs::write(&rules, "[mine:losalamos]\n").unwrap();
        let game = GameSpec::open(&format!("{}:mine", rules.display())).unwrap();
        let record = ForeignGame::default().record(game, 0).unwrap();
        let mut output = Output::open(&pgn, game, true, &BTreeMap::new()).unwrap();
        for edited in ["[mine:chess]\n", "[other:chess]\n"] {
            std::fs::write(&rules, edited).unwrap();
            output.add(&record);
        }
        output.file.commit().unwrap();
        let text = std::fs::read_to_string(&pgn).unwrap();
        assert_eq!(text.matches(PGN_BEGINNING).count(), 2, "{text}");
        drop(output);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
