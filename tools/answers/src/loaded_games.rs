//! Games in a text that a person has pasted or chosen.
//!
//! The one idea: the kinds of text are distinguished by their form. Each is read into lines of
//! moves by the parser of the program for it, and every game is played by the rules before it is
//! shown. An error names its line.

mod pasted;
mod positions;

use std::ops::ControlFlow;

use crate::definitions::{self, Wanted};
use crate::formats::notes::Note;
use crate::formats::{ForeignGame, Format, UNFINISHED, is_finished};
use crate::opening_lines::is_comment;
use crate::report_view::ReportView;
use alesia::game::{Game, ParseError, Side, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::game_record::GameLine;
use alesia::record::game_record::{self, GameRecord};
use serde::{Serialize, Serializer};

use pasted::of_lines;
use positions::of_positions;

use crate::nearest::{Wrong, nearest};
use crate::position::Verdict;

/// Max bytes of a text with games.
pub const MAX_RECORDS: usize = 64 << 20;

const MAX_GAMES: usize = 5000;

/// Max bytes of a game record. A thousand moves with all that is said of them need half of it.
const MAX_RECORD: usize = 1 << 20;

/// Max characters of a player's name, and of the reason for a result. The rest is left out.
const MAX_NAME: usize = 100;

/// What the first line of a game in a file of positions begins with.
const GAME_WORD: &str = "GAME";

/// The notes to moves that are kept of a text, as there may be millions.
const MAX_NOTES: usize = 2000;

/// What a text may be.
const KINDS: &str =
    "game records, PGN, SGF, a text board, moves, printed lines, or a file of positions";

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoadedGame {
    /// For a list of games.
    pub title: String,
    /// As on the command line.
    pub game: String,
    /// The text board it begins with, where that is not the game's own.
    pub board: Option<String>,
    pub white: String,
    pub black: String,
    pub moves: Moves,
    /// The first of these that no player chose.
    pub opening: usize,
    /// What the player of each move expected, for White; empty where none said anything.
    pub values: Vec<Option<f32>>,
    /// What is written to the moves; empty where nothing is.
    pub notes: Vec<(usize, Note)>,
    /// How it ended, in words.
    pub result: Option<String>,
}

/// The moves of a game in one text, with blanks between them, as there may be millions.
#[derive(Clone, Debug, PartialEq)]
pub struct Moves(String);

impl Moves {
    fn of(moves: &[String]) -> Moves {
        Moves(moves.join(" "))
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }
}

impl Serialize for Moves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// What is in a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Loaded {
    /// The games that are right.
    pub games: Vec<LoadedGame>,
    /// How many are wrong.
    pub left_out: usize,
    /// What is wrong with the first of these.
    pub wrong: Option<String>,
}

impl Loaded {
    /// Adds a game that begins at a place of the text.
    ///
    /// # Errors
    /// There are too many.
    fn add(&mut self, place: &str, game: Result<LoadedGame, ParseError>) -> Result<(), ParseError> {
        let games = self.games.len() + self.left_out;
        if games == MAX_GAMES {
            let expected = format!("at most {MAX_GAMES} games");
            return Err(ParseError::new(place, format!("game {}", games + 1), expected));
        }
        match game {
            Ok(game) => self.games.push(game),
            Err(error) => {
                self.left_out += 1;
                self.wrong.get_or_insert_with(|| error.to_string());
            }
        }
        Ok(())
    }
}

/// Reads all games of a text. `game` is the game if the text does not name it. `room` is asked for
/// a place before rules that a record carries are kept for as long as the program runs.
///
/// # Errors
/// What is wrong with the text, or with its first game if none is right: where, what was found,
/// what was expected.
pub fn read<R>(
    game: Option<GameSpec>,
    text: &str,
    room: impl Fn() -> Result<R, ParseError>,
) -> Result<Loaded, ParseError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.len() > MAX_RECORDS {
        let expected = format!("at most {} MiB", MAX_RECORDS >> 20);
        return Err(ParseError::new("text", format!("{} bytes", text.len()), expected));
    }
    let is_game = |line: &str| line.split_whitespace().next() == Some(GAME_WORD);
    if text.trim().is_empty() {
        Err(ParseError::new("text", "nothing", KINDS))
    } else if text.trim_start().starts_with('{') {
        of_match(text, room)
    } else if text.lines().any(is_game) {
        of_positions(game, text)
    } else {
        match Format::of(text) {
            // The forms of our own come first, and what is wrong is said of them.
            Format::Moves => of_lines(game, text).or_else(|error| {
                let others = of_others(game, text, Format::Moves);
                others.map_err(|other| if is_numbered(text) { other } else { error })
            }),
            form => of_others(game, text, form),
        }
    }
}

/// Games as other programs or people write them.
fn of_others(game: Option<GameSpec>, text: &str, form: Format) -> Result<Loaded, ParseError> {
    let mut loaded = Loaded::default();
    let mut first_error = None;
    let mut noted = 0;
    let mut result = Ok(());
    form.read(text, &mut |foreign| {
        let number = loaded.games.len() + loaded.left_out;
        let place = foreign.as_ref().map_or("text".to_owned(), line_of);
        let mut read = foreign.and_then(|foreign| of_other(game, foreign, number));
        if let Ok(game) = &mut read {
            noted += game.notes.len();
            if noted > MAX_NOTES {
                game.notes = Vec::new();
            }
        }
        if let Err(error) = &read {
            first_error.get_or_insert_with(|| error.clone());
        }
        result = loaded.add(&place, read);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match first_error {
        Some(error) if loaded.games.is_empty() => Err(error),
        _ => result.map(|()| loaded),
    }
}

fn line_of(foreign: &ForeignGame) -> String {
    format!("line {}", foreign.line)
}

/// A game as another program or a person writes it; `number` others came before it.
fn of_other(
    game: Option<GameSpec>,
    foreign: ForeignGame,
    number: usize,
) -> Result<LoadedGame, ParseError> {
    let place = line_of(&foreign);
    let named = foreign.game.as_deref().map(str::parse).transpose();
    let named = named.map_err(|error: ParseError| error.within(&place))?;
    let spec = match game.or(named) {
        Some(game) => game,
        None => {
            let moves: Vec<(usize, &str)> =
                foreign.moves.iter().map(|m| (m.line, m.text.as_str())).collect();
            let candidates = foreign.candidates();
            if let Some(error) = foreign.wrong_board().filter(|_| candidates.is_empty()) {
                return Err(error);
            }
            only(candidates, foreign.line, &moves, foreign.board.is_none())?
        }
    };
    let record = foreign.record(spec, 0).map_err(|error| of_game(game, spec, error))?;
    let finished = is_finished(&record);
    let mut notes = foreign.notes;
    if let Some((_, last)) = notes.last_mut() {
        last.without(if finished { &record.reason } else { UNFINISHED });
    }
    notes.retain(|(_, note)| !note.is_empty());
    let mut loaded = of_record(record, spec)?;
    loaded.notes = notes;
    loaded.title = match foreign.names.iter().any(Option::is_some) {
        true => format!("{} – {}, game {}", loaded.white, loaded.black, number + 1),
        false => format!("{}, game {}", spec.title(), number + 1),
    };
    if !finished {
        loaded.result = None;
    }
    Ok(loaded)
}

/// An error in a game that a person has not chosen: the game that the text is of, in which the
/// sides may have names of their own, stands behind its line.
fn of_game(chosen: Option<GameSpec>, found: GameSpec, error: ParseError) -> ParseError {
    if chosen.is_some() {
        return error;
    }
    let place = match error.place.split_once(", ") {
        Some((line, place)) if line.starts_with("line ") => {
            format!("{line}, {}, {place}", found.title())
        }
        _ => format!("{}, {}", found.title(), error.place),
    };
    ParseError { place, ..error }
}

/// The only game to which moves belong, which have the numbers of their lines and may begin at the
/// start of a game. `begin` is the line of the first.
fn only(
    candidates: Vec<GameSpec>,
    begin: usize,
    moves: &[(usize, &str)],
    from_start: bool,
) -> Result<GameSpec, ParseError> {
    let texts: Vec<&str> = moves.iter().map(|(_, text)| *text).collect();
    match candidates[..] {
        [game] => return Ok(game),
        [] if from_start => {
            if let Some(Wrong { index, error }) = nearest(&texts) {
                let line = moves.get(index).map_or(begin, |(line, _)| *line);
                return Err(error.within(format!("line {line}")));
            }
        }
        _ => {}
    }
    let found = quoted(&texts.join(" "));
    let error = ParseError::new("game", found, "the name of its game with moves");
    Err(error.within(format!("line {begin}")))
}

/// Whether moves have numbers before them, such as `1.`.
fn is_numbered(text: &str) -> bool {
    let is_number = |word: &str| {
        word.split_once('.').is_some_and(|(number, _)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    text.split_whitespace().any(is_number)
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    numbered.filter(|(_, line)| !line.is_empty() && !is_comment(line))
}

/// The result of a line by the rules, and the side that moved first.
fn play(game: GameSpec, line: &GameLine) -> Result<(Option<String>, Side), ParseError> {
    fn on(start: AnyGame, line: &GameLine) -> Result<(Option<String>, Side), ParseError> {
        let begun = GameLine { board: line.board.clone(), moves: Vec::new() };
        let first = begun.state(start).map_err(|error| error.within("board"))?;
        let state = line.state(start)?;
        let result = state.ending().map(|ending| ending.to_string());
        Ok((result, first.position.side()))
    }
    on(AnyGame::start(game), line)
}

/// Game records of a match, a JSON line each.
fn of_match<R>(text: &str, room: impl Fn() -> Result<R, ParseError>) -> Result<Loaded, ParseError> {
    let mut loaded = Loaded::default();
    let mut first_error = None;
    for (number, line) in lines(text) {
        // The first line of a match that can be resumed.
        if line.starts_with(r#"{"match":"#) {
            continue;
        }
        let place = format!("line {number}");
        let read = match line.len() {
            0..=MAX_RECORD => game_record::read(&place, line).and_then(|record| {
                let game = game_of(&record, &room);
                let loaded = game.and_then(|game| of_record(record, game));
                loaded.map_err(|error| error.within(&place))
            }),
            bytes => {
                let expected = format!("at most {} MiB", MAX_RECORD >> 20);
                Err(ParseError::new(&*place, format!("a record of {bytes} bytes"), expected))
            }
        };
        if let Err(error) = &read {
            first_error.get_or_insert_with(|| error.clone());
        }
        loaded.add(&place, read)?;
    }
    match (loaded.games.is_empty(), first_error) {
        (true, Some(error)) => Err(error),
        (true, None) => {
            Err(ParseError::new("text", "no game", "game records of `alesia-lab match`"))
        }
        (false, _) => Ok(loaded),
    }
}

/// The game of a record. Its name opens no file, as it is from outside; nor does it name the rules
/// that the record carries, as somebody else may have pasted others of that name.
fn game_of<R>(
    record: &GameRecord,
    room: impl Fn() -> Result<R, ParseError>,
) -> Result<GameSpec, ParseError> {
    let known = record.game.parse();
    let is_it = |game: &GameSpec| game.fingerprint() == record.definition;
    let (Some(text), Some((_, name))) = (&record.rules, record.game.rsplit_once(':')) else {
        return known;
    };
    if known.as_ref().is_ok_and(is_it) {
        return known;
    }
    let wanted = Wanted { text: text.clone(), name: Some(name.to_owned()) };
    let game = wanted.check_size().and_then(|()| match definitions::loaded(text, name) {
        Some(game) => Ok(game),
        None => {
            let (game, place) = definitions::load(text, name, room)?;
            // For ever, as the rules are.
            std::mem::forget(place);
            Ok(game)
        }
    });
    let game = game.map_err(|error: ParseError| error.within("rules"))?;
    if is_it(&game) {
        return Ok(game);
    }
    let expected = format!("[{name}] with the fingerprint of the record");
    Err(ParseError::new("rules", "other rules", expected))
}

fn of_record(record: GameRecord, game: GameSpec) -> Result<LoadedGame, ParseError> {
    let line = record.line();
    let (_, first) = play(game, &line).map_err(|error| of_game(None, game, error))?;
    let side = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
    let opening = record.opening.len();
    let value = |(number, m): (usize, &game_record::RecordedMove)| {
        ReportView::of_thought(&m.thought, side(opening + number))?.value
    };
    let values = record.moves.iter().enumerate().map(value);
    let mut values: Vec<Option<f32>> = std::iter::repeat_n(None, opening).chain(values).collect();
    if values.iter().all(Option::is_none) {
        values = Vec::new();
    }
    let GameRecord { key, white, black, result, reason, .. } = record;
    let [white, black, reason] = [white, black, reason].map(shortened);
    Ok(LoadedGame {
        title: format!("{white} – {black}, pair {}, game {}", key.pair + 1, key.leg + 1),
        game: game.to_string(),
        board: line.board,
        white,
        black,
        moves: Moves::of(&line.moves),
        opening,
        values,
        notes: Vec::new(),
        result: Some(Verdict::new(result.outcome(), reason).text),
    })
}

/// A text of which the end is left out if it is too long.
fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_NAME) {
        text.truncate(end);
        text.shrink_to_fit();
        text.push('…');
    }
    text
}

/// A game of which no more is known than its moves.
fn plain(game: GameSpec, line: GameLine, number: usize, result: Option<String>) -> LoadedGame {
    LoadedGame {
        title: format!("{}, game {number}", game.title()),
        game: game.to_string(),
        opening: 0,
        values: Vec::new(),
        notes: Vec::new(),
        board: line.board,
        white: Side::White.to_string(),
        black: Side::Black.to_string(),
        moves: Moves::of(&line.moves),
        result,
    }
}

#[cfg(test)]
mod memory;
#[cfg(test)]
mod tests;
