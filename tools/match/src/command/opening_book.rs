//! A file of openings: lines, or games in PGN.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alesia::game::{Game, GameState, ParseError, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::game_record::GameLine;
use alesia::words::command_error::CommandError;

use crate::files::disk;
use crate::run::opening::Openings;
use alesia_answers::formats::{ForeignGame, Format};

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

/// Reads a file: games in PGN, or on each line a text board, or moves from the start position,
/// or a text board, the word `moves` and moves, or a position in EPD. Empty lines and comments,
/// which begin with `#`, are left out.
///
/// # Errors
/// The system's, an empty file, or the first line or game that is no opening of the game.
pub fn read_file(game: GameSpec, file: &OpeningFile) -> Result<Openings, CommandError> {
    let OpeningFile { path, format, plies, shuffled_by } = *file;
    let start = AnyGame::start(game);
    let place = format!("-openings, file={}", path.display());
    let text =
        disk::read_text(path).map_err(|error| CommandError::Failed(format!("{place}: {error}")))?;
    let is_pgn = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    let lines = match format {
        Some(FileFormat::Pgn) => games(game, &text, plies, &place)?,
        None if is_pgn => games(game, &text, plies, &place)?,
        _ => Openings::lines_of(start, &text, plies, &place)?,
    };
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    Ok(Openings::of_file(name.display().to_string(), lines, shuffled_by))
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
        match game.and_then(|game| beginning(spec, &game, plies)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "[White \"A\"]\n\n1. e4 {best} e5 2. Nf3 Nc6 *\n\n[White \"B\"]\n\n1. d4 *\n";

    fn chess() -> GameSpec {
        "variant:chess".parse().unwrap()
    }

    #[test]
    fn games_in_pgn_are_openings_up_to_a_number_of_plies() {
        let moves = |plies| -> Vec<String> {
            let lines = games(chess(), PGN, plies, "file").unwrap();
            lines.iter().map(|line| line.moves.join(" ")).collect()
        };
        assert_eq!(moves(None), ["e2e4 e7e5 g1f3 b8c6", "d2d4"]);
        assert_eq!(moves(Some(3)), ["e2e4 e7e5 g1f3", "d2d4"]);
        let error =
            |spec: GameSpec, text: &str| games(spec, text, None, "file").unwrap_err().to_string();
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
            let mut openings = read_file(chess(), &file).unwrap();
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
}
