//! How games begin: random legal moves that follow from the seed, or lines of a file.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alesia::game::chance::Chance;
use alesia::game::{Game, GameState, ParseError, quoted, without_bom};
use alesia::games::{AnyGame, AnyState, GameSpec};
use alesia::search::duel::random_opening;

use super::seeds::seed_of;
use crate::files::disk;
use crate::formats::{ForeignGame, Format};
use alesia::record::game_record::GameLine;
use alesia::words::command_error::CommandError;

/// Where openings come from.
#[derive(Clone, Debug)]
pub enum Openings {
    /// A number of random legal moves.
    Plies(usize),
    /// Lines of a file, one after the other or in an order that follows from the seed.
    File {
        /// Its name, without folders, for the result.
        name: String,
        /// All lines, at least one, in the order in which they are used.
        lines: Vec<GameLine>,
    },
}

/// The form of a file of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// An opening on each line.
    Lines,
    /// Games in Portable Game Notation.
    Pgn,
}

/// A file of openings.
#[derive(Clone, Debug)]
pub struct OpeningFile<'a> {
    pub path: &'a Path,
    /// None: as its name says, PGN where it ends in `.pgn`.
    pub format: Option<FileFormat>,
    /// The moves of an opening that are played; none: all.
    pub plies: Option<usize>,
    /// The seed that shuffles its openings; none: they come in the order of the file.
    pub shuffled_by: Option<u64>,
}

/// How a pair of games begins.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its moves, for external players.
    pub line: GameLine,
    /// The game after it, which is not over.
    pub state: AnyState,
}

impl Openings {
    /// Reads a file: games in PGN, or on each line a text board, or moves from the start position,
    /// or a text board, the word `moves` and moves, or a position in EPD. Empty lines and comments,
    /// which begin with `#`, are left out.
    ///
    /// # Errors
    /// The system's, an empty file, or the first line or game that is no opening of the game.
    pub fn read(game: GameSpec, file: &OpeningFile) -> Result<Openings, CommandError> {
        let OpeningFile { path, format, plies, shuffled_by } = *file;
        let start = AnyGame::start(game);
        let place = format!("-openings, file={}", path.display());
        let text = disk::read_text(path)
            .map_err(|error| CommandError::Failed(format!("{place}: {error}")))?;
        let is_pgn = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
        let mut lines = match format {
            Some(FileFormat::Pgn) => Openings::games(game, &text, plies, &place)?,
            None if is_pgn => Openings::games(game, &text, plies, &place)?,
            _ => Openings::lines_of(start, &text, plies, &place)?,
        };
        if let Some(seed) = shuffled_by {
            fastrand::Rng::with_seed(seed).mix(&mut lines);
        }
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        Ok(Openings::File { name: name.display().to_string(), lines })
    }

    /// Begins with the opening of that number, counted from 1; those before it come last. After
    /// the last one, the count continues with the first.
    pub fn begin_with(&mut self, number: usize) {
        if let Openings::File { lines, .. } = self {
            let before = number.saturating_sub(1) % lines.len();
            lines.rotate_left(before);
        }
    }

    /// The beginnings of games in PGN; `place` says in errors where they are from.
    fn games(
        spec: GameSpec,
        text: &str,
        plies: Option<usize>,
        place: &str,
    ) -> Result<Vec<GameLine>, ParseError> {
        let (mut lines, mut wrong) = (Vec::new(), None);
        Format::Pgn.read(text, &mut |game| {
            match game.and_then(|game| Openings::beginning(spec, &game, plies)) {
                Ok(line) => lines.push(line),
                Err(error) => {
                    wrong = Some(error.within(place));
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        wrong.map_or(Ok(lines), Err)
    }

    /// The beginning of a game of the match's game.
    fn beginning(
        spec: GameSpec,
        game: &ForeignGame,
        plies: Option<usize>,
    ) -> Result<GameLine, ParseError> {
        let at = |line: usize| format!("line {line}");
        if let Some(other) = game.game.as_ref().filter(|name| name.parse() != Ok(spec)) {
            return Err(ParseError::new(at(game.line), quoted(other), spec.to_string()));
        }
        let first = AnyGame::start(spec).begin(game.board.as_deref());
        let first = first.map_err(|error| error.within(at(game.line)))?;
        let mut state = GameState::new(first);
        let mut moves = Vec::new();
        for own in game.moves.iter().take(plies.unwrap_or(usize::MAX)) {
            let m = state.position.understand(&own.text);
            let m = m.map_err(|error| error.within(at(own.line)))?;
            moves.push(state.position.notation(m).to_string());
            state.play(m);
            if let Some(ending) = state.ending() {
                let expected = "an opening, or plies=N for the first N moves of each game";
                return Err(ParseError::new(at(own.line), ending.to_string(), expected));
            }
        }
        Ok(GameLine { board: game.board.as_ref().map(|_| first.to_string()), moves })
    }

    /// The lines of a file; `place` says in errors which.
    ///
    /// # Errors
    /// As for [`Openings::read`].
    pub fn lines(start: AnyGame, text: &str, place: &str) -> Result<Vec<GameLine>, ParseError> {
        Openings::lines_of(start, text, None, place)
    }

    /// The same with some of their moves alone.
    fn lines_of(
        start: AnyGame,
        text: &str,
        plies: Option<usize>,
        place: &str,
    ) -> Result<Vec<GameLine>, ParseError> {
        let numbered = (1..).zip(without_bom(text).lines().map(str::trim));
        let lines = numbered
            .filter(|(_, line)| !line.is_empty() && !is_comment(line))
            .map(|(number, text)| {
                let (board, moves) = split(text);
                let moves = moves.split_whitespace().take(plies.unwrap_or(usize::MAX));
                let line = GameLine {
                    board: board.map(Cow::into_owned),
                    moves: moves.map(str::to_owned).collect(),
                };
                let error = |error: ParseError| error.within(format!("{place}, line {number}"));
                let state = line.state(start).map_err(error)?;
                match state.ending() {
                    None => Ok(line),
                    Some(ending) => {
                        let expected = "a game that is not over";
                        Err(error(ParseError::new("opening", ending.to_string(), expected)))
                    }
                }
            })
            .collect::<Result<Vec<GameLine>, ParseError>>()?;
        if lines.is_empty() {
            return Err(ParseError::new(place, "no line", "an opening on each line"));
        }
        Ok(lines)
    }

    /// The opening of a round, which does not depend on the rounds before.
    ///
    /// # Errors
    /// There is no random opening of the length asked for.
    pub fn of_round(&self, start: AnyGame, seed: u64, round: u32) -> Result<Opening, CommandError> {
        match self {
            Openings::Plies(plies) => {
                let mut rng = fastrand::Rng::with_seed(seed_of(seed, 2 * u64::from(round)));
                let opening = random_opening(start, *plies, &mut rng).ok_or_else(|| {
                    CommandError::Usage(format!(
                        "-openings: found no game of {plies} plies that is still open, expected \
                         fewer plies"
                    ))
                })?;
                let mut position = start;
                let mut text = |&m| {
                    let text = position.notation(m).to_string();
                    position.play(m);
                    text
                };
                let moves = opening.moves.iter().map(&mut text).collect();
                Ok(Opening { line: GameLine { board: None, moves }, state: opening.state })
            }
            Openings::File { lines, .. } => {
                let line = lines[round as usize % lines.len()].clone();
                let state = line.state(start)?;
                Ok(Opening { line, state })
            }
        }
    }
}

/// Whether a line is a comment; a board may begin with `#` too, but has a `/` before the first
/// blank.
pub fn is_comment(line: &str) -> bool {
    line.starts_with('#') && !line.split_whitespace().next().is_some_and(|word| word.contains('/'))
}

/// A line of a file as a board and moves. Rows of a text board are joined by `/`, which no move
/// contains.
pub fn split(text: &str) -> (Option<Cow<'_, str>>, &str) {
    if let Some(board) = of_epd(text) {
        return (Some(Cow::Owned(board)), "");
    }
    match text.split_once(" moves ") {
        Some((board, moves)) => (Some(Cow::Borrowed(board)), moves),
        None if text.contains('/') => (Some(Cow::Borrowed(text)), ""),
        None => (None, text),
    }
}

/// The board of a line in Extended Position Description (S. J. Edwards, 1994): four fields, then
/// operations such as `hmvc 0; id "x";`. Of these only the numbers of the position are read.
fn of_epd(text: &str) -> Option<String> {
    let mut rest = text;
    let fields = [(); 4].map(|()| {
        let (field, after) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
        rest = after;
        field
    });
    let is_operation = |text: &str| text.starts_with(char::is_alphabetic);
    let is_position = fields[0].contains('/') && matches!(fields[1], "w" | "b");
    if !is_position || fields[3] == "moves" || fields[2] == "moves" {
        return None;
    }
    let operations = rest.trim_start();
    if !is_operation(operations) || operations.starts_with("moves ") {
        return None;
    }
    let operand = |name: &str| {
        let mut operations = operations.split(';').map(str::trim_start);
        operations.find_map(|text| text.strip_prefix(name)?.strip_prefix(' ').map(str::trim))
    };
    let numbers = [operand("hmvc").unwrap_or("0"), operand("fmvn").unwrap_or("1")];
    Some([&fields[..], &numbers].concat().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_may_be_boards_moves_both_or_epd() {
        let rows = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (text, board, moves) in [
            ("A1 B2", None, "A1 B2"),
            ("../.. w 0", Some("../.. w 0".to_owned()), ""),
            ("../.. w 0 moves A1 B2", Some("../.. w 0".to_owned()), "A1 B2"),
            (rows, Some(rows.to_owned()), ""),
            (&format!("{rows} 3 12"), Some(format!("{rows} 3 12")), ""),
            (&format!("{rows} moves e2e4"), Some(rows.to_owned()), "e2e4"),
            (&format!("{rows} 3 12 moves e2e4"), Some(format!("{rows} 3 12")), "e2e4"),
            (&format!("{rows} hmvc 3; fmvn 12;"), Some(format!("{rows} 3 12")), ""),
            (
                &format!("{rows} bm e4; id \"all moves / w\"; fmvn 7;"),
                Some(format!("{rows} 0 7")),
                "",
            ),
        ] {
            let found = split(text);
            assert_eq!((found.0.map(Cow::into_owned), found.1), (board, moves), "{text}");
        }
    }

    #[test]
    fn lines_of_epd_are_openings_of_chess() {
        let chess = AnyGame::start("variant:chess".parse().unwrap());
        for text in [HMVC, FOUR_FIELDS] {
            let lines = Openings::lines(chess, text, "file").unwrap();
            assert_eq!(lines.len(), text.lines().count());
        }
        let wrong = HMVC.replace("hmvc 0", "hmvc x");
        let error = Openings::lines(chess, &wrong, "file").unwrap_err().to_string();
        assert!(error.starts_with("file, line 1, quiet plies: found `x`"), "{error}");
    }

    const PGN: &str = "[White \"A\"]\n\n1. e4 {best} e5 2. Nf3 Nc6 *\n\n[White \"B\"]\n\n1. d4 *\n";

    fn chess() -> GameSpec {
        "variant:chess".parse().unwrap()
    }

    #[test]
    fn games_in_pgn_are_openings_up_to_a_number_of_plies() {
        let moves = |plies| -> Vec<String> {
            let lines = Openings::games(chess(), PGN, plies, "file").unwrap();
            lines.iter().map(|line| line.moves.join(" ")).collect()
        };
        assert_eq!(moves(None), ["e2e4 e7e5 g1f3 b8c6", "d2d4"]);
        assert_eq!(moves(Some(3)), ["e2e4 e7e5 g1f3", "d2d4"]);
        let error = |spec: GameSpec, text: &str| {
            Openings::games(spec, text, None, "file").unwrap_err().to_string()
        };
        let wrong = error(chess(), "[White \"A\"]\n\n1. e4 Ke4 *\n");
        assert!(wrong.starts_with("file, line 3, move: found `Ke4`"), "{wrong}");
        let over = error(chess(), "1. f3 e5 2. g4 Qh4# 0-1\n");
        assert!(
            over.ends_with("expected an opening, or plies=N for the first N moves of each game")
        );
        let other = error(chess(), "[Variant \"murus\"]\n\n1. a1 *\n");
        assert_eq!(other, "file, line 1: found `murus`, expected variant:chess");
        assert!(error("loa".parse().unwrap(), PGN).contains("line 3"));
    }

    #[test]
    fn a_file_is_cut_shuffled_and_begun_where_asked_for() {
        let folder = std::env::temp_dir().join(format!("alesia-openings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let read = |name: &str, text: &str, format, start| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            let file = OpeningFile { path: &path, format, plies: Some(2), shuffled_by: None };
            let mut openings = Openings::read(chess(), &file).unwrap();
            openings.begin_with(start);
            let Openings::File { lines, .. } = openings else { unreachable!() };
            lines.iter().map(|line| line.moves.join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(read("book.pgn", PGN, None, 1), ["e2e4 e7e5", "d2d4"]);
        assert_eq!(read("book", PGN, Some(FileFormat::Pgn), 2), ["d2d4", "e2e4 e7e5"]);
        let lines = "e2e4 e7e5 g1f3\nd2d4\na2a3\n";
        // Servers count on through a book again and again.
        let from_third = ["a2a3", "e2e4 e7e5", "d2d4"];
        assert_eq!(read("book.txt", lines, None, 3), from_third);
        assert_eq!(read("book.txt", lines, Some(FileFormat::Lines), 9), from_third);
        std::fs::remove_dir_all(folder).unwrap();
    }

    const HMVC: &str = include_str!("../../tests/data/operations.epd");
    const FOUR_FIELDS: &str = include_str!("../../tests/data/four-fields.epd");
}
