//! `--resume FILE`: proved positions of the first plies, a line each.
//!
//! The one idea: a line is written when its position is proved, so that work that was stopped loses
//! no more than the position it was at. A last line that was cut off is removed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use alesia::game::{Game, ParseError, quoted};
use alesia::games::hadron::Size;
use alesia::games::hadron::endgame::boards::key;
use alesia::games::{Hadron, Setup};
use alesia::record::lock::Lock;
use alesia::record::system_file::MAX_GAMES;
use alesia::words::command_error::CommandError;
use alesia_match::files::disk;

/// The results for the side to move.
const RESULTS: [(&str, bool); 2] = [("wins", true), ("loses", false)];

/// What is proved, by the key of the position; and its file, if there is one.
#[derive(Default)]
pub struct Kept {
    known: HashMap<u128, bool>,
    file: Option<OpenFile>,
}

struct OpenFile {
    path: PathBuf,
    file: File,
    _lock: Lock,
}

fn failed(path: &Path) -> impl Fn(io::Error) -> CommandError {
    let path = path.display().to_string();
    move |error| CommandError::Failed(format!("{path}: {error}"))
}

/// The first line of the file of a board.
fn head(start: Hadron) -> String {
    let (rows, columns) = start.size();
    let size = Size { rows, columns }.suffix();
    format!("# alesia-lab solve hadron{size}: proved positions, for the side to move")
}

impl Kept {
    /// Reads the file, or makes a new one. No other process may write it.
    ///
    /// # Errors
    /// The system's, or the file is not one of this board.
    pub fn open(path: &Path, start: Hadron) -> Result<Kept, CommandError> {
        let fails = failed(path);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path).map_err(&fails)?;
        if !file.metadata().map_err(&fails)?.is_file() {
            return Err(fails(io::Error::other("found a device or a pipe, expected a file")));
        }
        let lock = Lock::take(path).map_err(&fails)?;
        let bytes = disk::lines(BufReader::new(&file), MAX_GAMES).map_err(&fails)?;
        // Bytes that are no text are no lines of this file either.
        let text = String::from_utf8_lossy(&bytes);
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let at = |number: usize| format!("{}:{number}", path.display());
        let mut known = HashMap::new();
        match text[..whole].lines().next() {
            Some(first) if first != head(start) => {
                let expected =
                    format!("a new file or one that begins with {}", quoted(&head(start)));
                return Err(ParseError::new(at(1), quoted(first), expected).into());
            }
            None if !text.is_empty() && !head(start).starts_with(&*text) => {
                let expected = "a new file or one of proved positions";
                return Err(ParseError::new(at(1), quoted(&text), expected).into());
            }
            _ => {}
        }
        for (index, line) in text[..whole].lines().enumerate().skip(1) {
            let (position, wins) =
                read(line, start).map_err(|error| error.within(at(index + 1)))?;
            known.insert(key(&position), wins);
        }
        file.set_len(whole as u64).map_err(&fails)?;
        if whole == 0 {
            writeln!(file, "{}", head(start)).map_err(&fails)?;
        }
        let file = Some(OpenFile { path: path.to_owned(), file, _lock: lock });
        Ok(Kept { known, file })
    }

    /// Whether the side to move wins, if it was proved.
    pub fn find(&self, position: &Hadron) -> Option<bool> {
        self.known.get(&key(position)).copied()
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, position: &Hadron, wins: bool) -> Result<(), CommandError> {
        self.known.insert(key(position), wins);
        let Some(OpenFile { path, file, .. }) = &mut self.file else { return Ok(()) };
        let result = RESULTS.iter().find(|(_, value)| *value == wins).map_or("", |(word, _)| word);
        // One call, so that a line is cut off only if the system is.
        file.write_all(format!("{position} {result}\n").as_bytes()).map_err(failed(path))
    }
}

/// A position and whether the side to move wins.
fn read(line: &str, start: Hadron) -> Result<(Hadron, bool), ParseError> {
    let (board, word) = line.rsplit_once(' ').unwrap_or((line, ""));
    let position = start.parse_board(board)?;
    let result = RESULTS.iter().find(|(name, _)| *name == word);
    let error = || ParseError::new("result", quoted(word), "`wins` or `loses`");
    result.map(|&(_, wins)| (position, wins)).ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn board() -> Hadron {
        Hadron::start(3, 4)
    }

    fn open(path: &Path) -> Result<Kept, CommandError> {
        Kept::open(path, board())
    }

    fn after(moves: &str) -> Hadron {
        let mut position = board();
        for m in moves.split(' ') {
            position.play(position.parse_move(m).unwrap());
        }
        position
    }

    #[test]
    fn results_come_back_for_all_symmetric_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proved.txt");
        let mut kept = open(&path).unwrap();
        kept.add(&after("A1"), true).unwrap();
        kept.add(&after("A1 C3"), false).unwrap();
        assert!(open(&path).is_err(), "one writer");
        drop(kept);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().nth(1), Some("w.../..../.... b 1 wins"), "{text}");
        let kept = open(&path).unwrap();
        assert_eq!(kept.find(&after("C4")), Some(true));
        assert_eq!(kept.find(&after("C4 A2")), Some(false));
        assert_eq!(kept.find(&after("A2")), None);
    }

    #[test]
    fn a_line_that_was_cut_off_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proved.txt");
        open(&path).unwrap().add(&after("A1"), true).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}.w../.... b 1 wi")).unwrap();
        let mut kept = open(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        kept.add(&after("A2"), false).unwrap();
        drop(kept);
        assert_eq!(fs::read_to_string(&path).unwrap(), whole + ".w../..../.... b 1 loses\n");
        fs::write(&path, &head(board())[..20]).unwrap();
        open(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), head(board()) + "\n");
    }

    #[test]
    fn leaves_other_files_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proved.txt");
        let head = head(board());
        for (content, expected) in [
            ("buy milk\n".to_owned(), ":1: found `buy milk`, expected a new file"),
            ("buy milk".to_owned(), ":1: found `buy milk`, expected a new file"),
            (head.replace("3x4", "3x5") + "\n", "expected a new file or one that begins with"),
            (format!("{head}\nw.../..../.... b 1 draws\n"), ":2, result: found `draws`"),
            (format!("{head}\nw../.../... b 1 wins\n"), ":2, "),
            (format!("{head}\n\n"), ":2, "),
        ] {
            fs::write(&path, &content).unwrap();
            let error = open(&path).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
}
