//! Games in a text that a person has pasted or chosen.
//!
//! The one idea: the kinds of text are distinguished by their form. Each is read into lines of
//! moves by the parser of the program for it, and every game is played by the rules before it is
//! shown. An error names its line.

use std::borrow::Cow;
use std::ops::ControlFlow;

use alesia::game::check::check;
use alesia::game::{Game, MAX_PLIES, ParseError, Side, quoted};
use alesia::games::{AnyGame, GameSpec};
use alesia::record::game_record::GameLine;
use alesia::record::game_record::{self, GameRecord};
use alesia_match::formats::{ForeignGame, Format, is_finished};
use alesia_match::players::report_view::ReportView;
use alesia_match::run::opening::{is_comment, split};
use serde::{Serialize, Serializer};

use super::nearest::{Wrong, nearest};
use crate::door::intake::MAX_RECORDS;
use crate::page::position::Verdict;

const MAX_GAMES: usize = 5000;

/// Max bytes of a game record. A thousand moves with all that is said of them need half of it.
const MAX_RECORD: usize = 1 << 20;

/// Max characters of a player's name, and of the reason for a result. The rest is left out.
const MAX_NAME: usize = 100;

/// What the first line of a game in a file of positions begins with.
const GAME_WORD: &str = "GAME";

/// What stands before moves that are printed by `alesia play`.
const MOVES_WORD: &str = "moves:";

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

/// Reads all games of a text. `game` is the game if the text does not name it.
///
/// # Errors
/// What is wrong with the text, or with its first game if none is right: where, what was found,
/// what was expected.
pub fn read(game: Option<GameSpec>, text: &str) -> Result<Loaded, ParseError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.len() > MAX_RECORDS {
        let expected = format!("at most {} MiB", MAX_RECORDS >> 20);
        return Err(ParseError::new("text", format!("{} bytes", text.len()), expected));
    }
    let is_game = |line: &str| line.split_whitespace().next() == Some(GAME_WORD);
    if text.trim().is_empty() {
        Err(ParseError::new("text", "nothing", KINDS))
    } else if text.trim_start().starts_with('{') {
        of_match(text)
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
    let mut result = Ok(());
    form.read(text, &mut |foreign| {
        let number = loaded.games.len() + loaded.left_out;
        let place = foreign.as_ref().map_or("text".to_owned(), line_of);
        let read = foreign.and_then(|foreign| of_other(game, foreign, number));
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
    let mut loaded = of_record(record)?;
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
fn of_match(text: &str) -> Result<Loaded, ParseError> {
    let mut loaded = Loaded::default();
    let mut first_error = None;
    for (number, line) in lines(text) {
        // The first line of a match that can be resumed.
        if line.starts_with(r#"{"match":"#) {
            continue;
        }
        let place = format!("line {number}");
        let read = match line.len() {
            0..=MAX_RECORD => game_record::read(&place, line)
                .and_then(|record| of_record(record).map_err(|error| error.within(&place))),
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

fn of_record(record: GameRecord) -> Result<LoadedGame, ParseError> {
    let game: GameSpec = record.game.parse()?;
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
        board: line.board,
        white: Side::White.to_string(),
        black: Side::Black.to_string(),
        moves: Moves::of(&line.moves),
        result,
    }
}

/// A text board, moves, or both, with the numbers of the lines where they stand.
struct Pasted {
    begin: usize,
    line: GameLine,
    moves_at: Vec<usize>,
}

impl Pasted {
    /// The game and how it ended.
    fn played(&self, chosen: Option<GameSpec>) -> Result<(GameSpec, Option<String>), ParseError> {
        let begin = |error: ParseError| error.within(format!("line {}", self.begin));
        let game = match (chosen, &self.line.board) {
            (Some(game), _) => game,
            (None, Some(board)) => guess(board).map_err(begin)?,
            (None, None) => {
                let fitting = GameSpec::fitting(|&game| play(game, &self.line).is_ok());
                let texts = self.line.moves.iter().map(String::as_str);
                let moves: Vec<(usize, &str)> = self.moves_at.iter().copied().zip(texts).collect();
                only(fitting, self.begin, &moves, true)?
            }
        };
        let result = play(game, &self.line).map_err(|error| {
            let line = format!("line {}", self.line_of_error(game));
            of_game(chosen, game, error.within(line))
        });
        Ok((game, result?.0))
    }

    /// The line of the first move that is wrong in a game, or of the board if that is wrong.
    fn line_of_error(&self, game: GameSpec) -> usize {
        let is_right = |count: usize| {
            let moves = self.line.moves[..count].to_vec();
            play(game, &GameLine { board: self.line.board.clone(), moves }).is_ok()
        };
        if !is_right(0) {
            return self.begin;
        }
        // The moves before the first that is wrong, and at least one more.
        let (mut right, mut wrong) = (0, self.line.moves.len());
        while wrong - right > 1 {
            let middle = right.midpoint(wrong);
            if is_right(middle) { right = middle } else { wrong = middle }
        }
        self.moves_at.get(right).copied().unwrap_or(self.begin)
    }
}

/// Text boards with moves or without, a line each; or moves alone, on as many lines as they need.
/// The first error is that of the text, which may be of another form.
fn of_lines(game: Option<GameSpec>, text: &str) -> Result<Loaded, ParseError> {
    let mut loaded = Loaded::default();
    let mut end = |pasted: Option<Pasted>| -> Result<(), ParseError> {
        let Some(pasted) = pasted else { return Ok(()) };
        let place = format!("line {}", pasted.begin);
        let (game, result) = pasted.played(game)?;
        let number = loaded.games.len() + 1;
        loaded.add(&place, Ok(plain(game, pasted.line, number, result)))
    };
    let mut open: Option<Pasted> = None;
    for (begin, text) in lines(text) {
        let words = text.strip_prefix(MOVES_WORD).unwrap_or(text);
        let (board, moves) = split(words);
        let pasted = match &mut open {
            Some(pasted) if board.is_none() => pasted,
            _ => {
                end(open.take())?;
                let line = GameLine { board: board.map(Cow::into_owned), moves: Vec::new() };
                open.insert(Pasted { begin, line, moves_at: Vec::new() })
            }
        };
        // One more than a game has, which the rules refuse.
        let room = (MAX_PLIES + 1).saturating_sub(pasted.moves_at.len());
        pasted.line.moves.extend(moves.split_whitespace().take(room).map(str::to_owned));
        pasted.moves_at.resize(pasted.line.moves.len(), begin);
    }
    end(open)?;
    Ok(loaded)
}

/// The game of which this is a text board.
fn guess(board: &str) -> Result<GameSpec, ParseError> {
    let fits = |game: &GameSpec| AnyGame::start(*game).parse_board(board).is_ok();
    let mut fitting = GameSpec::fitting(fits).into_iter();
    let rows = board.split_whitespace().next().unwrap_or_default();
    let (height, width) = (rows.split('/').count(), rows.split('/').next().map_or(0, str::len));
    let sized = || GameSpec::of_size(height, width).into_iter().find(fits);
    match (fitting.next(), fitting.next()) {
        (Some(game), None) => Ok(game),
        (Some(one), Some(other)) => {
            let found = format!("a text board of {one} and of {other}");
            Err(ParseError::new("board", found, "the name of its game with it"))
        }
        (None, _) => sized().ok_or_else(|| {
            let expected = "a text board of a game: rows joined by `/`, side to move, plies";
            ParseError::new("board", quoted(board), expected)
        }),
    }
}

/// The rows of a game's start.
fn rows_of(game: GameSpec) -> String {
    AnyGame::start(game).rows().to_string()
}

/// A file of positions, see [`alesia::game::check`]. Everything in it must be as the rules have it.
fn of_positions(game: Option<GameSpec>, text: &str) -> Result<Loaded, ParseError> {
    let rows = text.lines().find_map(|line| match is_comment(line) {
        true => None,
        false => fields(line).map(|[_, _, rows, ..]| rows),
    });
    let game = begin_with(game, rows.unwrap_or_default())?;
    let mut mismatch = None;
    check(AnyGame::start(game), text, &mut |found| {
        mismatch.get_or_insert(found);
    })?;
    if let Some(mismatch) = mismatch {
        let place = format!("line {}, {}", mismatch.line, mismatch.subject);
        return Err(ParseError::new(place, mismatch.file, mismatch.rules));
    }
    let mut loaded = Loaded::default();
    let mut end = |begin: usize, moves: Vec<String>| {
        let line = GameLine { board: None, moves };
        let (result, _) = play(game, &line)?;
        let number = loaded.games.len() + 1;
        loaded.add(&format!("line {begin}"), Ok(plain(game, line, number, result)))
    };
    let mut open: Option<(usize, Vec<String>)> = None;
    for (number, line) in lines(text) {
        if line.split_whitespace().next() == Some(GAME_WORD) {
            if let Some((begin, moves)) = open.replace((number, Vec::new())) {
                end(begin, moves)?;
            }
        } else if let (Some([.., played]), Some((_, moves))) = (fields(line), &mut open) {
            moves.push(played.to_owned());
        }
    }
    if let Some((begin, moves)) = open {
        end(begin, moves)?;
    }
    Ok(loaded)
}

/// The fields of a line with a position.
fn fields(line: &str) -> Option<[&str; 5]> {
    let mut fields = line.split('\t');
    let all = [(); 5].map(|()| fields.next());
    let [Some(ply), Some(side), Some(rows), Some(moves), Some(played)] = all else { return None };
    fields.next().is_none().then_some([ply, side, rows, moves, played])
}

/// The game, with its setup, whose first position has these rows.
fn begin_with(game: Option<GameSpec>, rows: &str) -> Result<GameSpec, ParseError> {
    let setups = game.map_or_else(GameSpec::setups, GameSpec::alternatives);
    let fitting = setups.into_iter().find(|&setup| rows_of(setup) == rows);
    // A difference from the start of a named game is an error with its line.
    fitting.or(game).ok_or_else(|| {
        let expected = "the rows of a game's start, or the name of the game";
        ParseError::new("first position", quoted(rows), expected)
    })
}

#[cfg(test)]
mod memory;

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use alesia::game::GameState;
    use proptest::prelude::*;

    use super::*;

    const RECORD: &str = r#"{"seed":7,"pair":3,"leg":1,"game":"hadron3","white":"A","black":"B","opening":["B1"],"moves":[{"move":"A3","ms":1.5,"value":0.25},{"move":"C2","ms":1.5,"mate":1}],"result":"1-0","cause":"rule","reason":"no legal move"}"#;

    fn game(name: &str) -> Option<GameSpec> {
        Some(name.parse().unwrap())
    }

    /// The games of a text, of which none is wrong.
    fn read(game: Option<GameSpec>, text: &str) -> Result<Vec<LoadedGame>, ParseError> {
        super::read(game, text).map(|loaded| {
            assert_eq!((loaded.left_out, loaded.wrong), (0, None), "{text}");
            loaded.games
        })
    }

    /// What is wrong with a text, or with the first game of it that is wrong.
    fn error(game: Option<GameSpec>, text: &str) -> String {
        super::read(game, text)
            .map_or_else(|error| error.to_string(), |loaded| loaded.wrong.unwrap())
    }

    /// A random game in the format of the files.
    fn positions(spec: GameSpec, seed: u64) -> String {
        fn on(start: AnyGame, seed: u64) -> String {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut state = GameState::new(start);
            let mut text = format!("# a comment\nGAME\t{seed}\n");
            loop {
                let position = state.position;
                if let Some(ending) = state.ending() {
                    let result = match ending.outcome {
                        alesia::game::Outcome::Win(Side::White) => 'w',
                        alesia::game::Outcome::Win(Side::Black) => 'b',
                        alesia::game::Outcome::Draw => 'd',
                    };
                    let rows = position.rows();
                    writeln!(text, "END\t{}\t{result}\t{rows}", position.ply()).unwrap();
                    return text;
                }
                let mut list = alesia::game::MoveList::new();
                position.moves(&mut list);
                let mut moves: Vec<String> =
                    list.iter().map(|&m| position.notation(m).to_string()).collect();
                moves.sort();
                let m = position.random_move(&mut rng).unwrap();
                let side = if position.side() == Side::White { 'w' } else { 'b' };
                let (rows, played) = (position.rows(), position.notation(m));
                let moves = moves.join(" ");
                writeln!(text, "{}\t{side}\t{rows}\t{moves}\t{played}", position.ply()).unwrap();
                state.play(m);
            }
        }
        on(AnyGame::start(spec), seed)
    }

    #[test]
    fn of_long_names_and_reasons_the_begin_is_shown() {
        let long = |text: &str| text.repeat(MAX_NAME + 1);
        let record = RECORD.replace("\"A\"", &format!("\"{}\"", long("é")));
        let record = record.replace("no legal move", &long("x"));
        let game = read(None, &record).unwrap().remove(0);
        assert_eq!(game.white, "é".repeat(MAX_NAME) + "…");
        assert_eq!(game.title, format!("{} – B, pair 4, game 2", game.white));
        assert_eq!(game.result.unwrap(), format!("White ({}…)", "x".repeat(MAX_NAME)));
        let pgn = format!("[White \"{}\"]\n[Black \"B\"]\n\n1. e4 *\n", long("W"));
        let game = read(self::game("variant:chess"), &pgn).unwrap().remove(0);
        assert_eq!(game.title, format!("{}… – B, game 1", "W".repeat(MAX_NAME)));
    }

    #[test]
    fn records_of_a_match_have_values_for_white() {
        let text = format!("\u{feff}{{\"match\":[\"-game\"]}}\n\n{RECORD}\n");
        let games = read(None, &text).unwrap();
        let LoadedGame { title, moves, values, result, .. } = &games[0];
        assert_eq!(title, "A – B, pair 4, game 2");
        assert_eq!(moves.0, "B1 A3 C2");
        assert_eq!(values, &[None, Some(0.75), Some(1.0)]);
        assert_eq!(result.as_deref(), Some("White (no legal move)"));
    }

    #[test]
    fn boards_say_by_themselves_what_is_played() {
        let guessed = |text: &str| read(None, text).map(|games| games[0].game.clone());
        for name in ["murus", "hadron", "hadron5", "hadron7", "loa", "voidrider", "hadron4x5"] {
            let board = AnyGame::start(name.parse().unwrap()).to_string();
            assert_eq!(guessed(&board).as_deref(), Ok(name), "{board}");
        }
        let found = read(None, ".../.w./... b 1 moves A1 A3\nB1\n../.. w 0\n").unwrap();
        let all: Vec<_> = found.iter().map(|game| (&game.game[..], game.moves.0.clone())).collect();
        assert_eq!(all, [("hadron3", "A1 A3 B1".to_owned()), ("hadron2", String::new())]);
    }

    #[test]
    fn moves_are_played_by_the_rules_of_the_game_that_is_named() {
        let games = read(game("hadron3"), "moves: B1 A3\nC2").unwrap();
        assert_eq!(games[0].result.as_deref(), Some("White (no legal move)"));
        assert_eq!((games[0].title.as_str(), games.len()), ("Hadron, game 1", 1));
    }

    #[test]
    fn games_of_other_programs_and_people_are_read() {
        let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n[Variant \"hadron3\"]\n\n1. B1 A3 2. C2 1-0\n";
        let found = &read(None, pgn).unwrap()[0];
        assert_eq!((&*found.title, &*found.game), ("Ann – Bob, game 1", "hadron3"));
        assert_eq!(found.result.as_deref(), Some("White (no legal move)"));
        let sgf = "(;GM[9]PB[Ann];B[b1-b3];W[a2-c2])";
        assert_eq!(read(None, sgf).unwrap()[0].moves.0, "B1-B3 A2-C2");
        let printed = "1 White B1 3 ms\n2 Black A3 4 ms\n3 White C2 1 ms\n";
        assert_eq!(read(game("hadron3"), printed).unwrap()[0].moves.iter().count(), 3);
        // A list is known by its moves.
        let list = "1. b1-b3 a2xc2 2. d1-d3 *\n";
        let found = &read(None, list).unwrap()[0];
        assert_eq!((&*found.game, found.result.as_deref()), ("loa", None));
        assert_eq!(read(None, "B1-B3 A2-C2").unwrap()[0].game, "loa");
    }

    #[test]
    fn chess_is_read_as_chess_programs_write_it() {
        // Moves alone, with numbers or without; PGN with the tag `Variant` or without.
        for text in [
            "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. 0-0 *",
            "[White \"Ann\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:03:00]} Nc6 3. Bc4 Nf6 4. O-O *\n",
            "[Variant \"Standard\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O 1/2-1/2\n",
            "[Variant \"variant:chess\"]\n\n1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 g8f6 4. e1g1 *\n",
        ] {
            let found = &read(None, text).unwrap()[0];
            assert_eq!(found.game, "variant:chess", "{text}");
            assert_eq!(found.moves.0, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1", "{text}");
        }
        assert_eq!(
            read(game("variant:losalamos"), "1. Nd3 b4").unwrap()[0].moves.iter().count(),
            2
        );
        for (text, error_of) in [
            (
                "[White \"Ann\"]\n\n1. e4 e5\n2. Nf6 *\n",
                "line 4, Chess (FIDE), move 3, move: found `Nf6`, expected a legal move of White such as",
            ),
            ("[Variant \"losalamos\"]\n\n1. d3 d4 2. Nd7 *\n", "line 3, Los Alamos chess, "),
            ("1. e4 e5 2. Nf6 *", "line 1, Chess (FIDE), move 3, move: found `Nf6`"),
            (
                "[Variant \"crazyhouse\"]\n\n1. e4 *",
                "line 1, game: found `crazyhouse`, expected murus",
            ),
        ] {
            let found = error(None, text);
            assert!(found.starts_with(error_of), "{found}");
        }
    }

    #[test]
    fn files_of_positions_are_read_for_every_game_and_both_layouts() {
        for name in ["murus", "hadron5", "loa", "voidrider"] {
            let spec: GameSpec = name.parse().unwrap();
            let text = positions(spec, 1) + &positions(spec, 2);
            let games = read(None, &text).unwrap();
            let found: Vec<_> = games.iter().map(|game| (&game.game[..], &game.board)).collect();
            assert_eq!(found, [(name, &None), (name, &None)]);
            assert_eq!(games, read(Some(spec), &text).unwrap());
            assert!(games.iter().all(|game| game.result.is_some()));
        }
        let in_files = game("loa:files").unwrap();
        let files = positions(in_files, 3);
        for named in [None, game("loa")] {
            assert_eq!(read(named, &files).unwrap()[0].game, "loa:files");
        }
    }

    #[test]
    fn names_errors_with_their_line() {
        let wrong = RECORD.replace("A3", "B1");
        let found = error(None, &format!("{RECORD}\n{wrong}\n"));
        assert!(found.starts_with("line 2, Hadron, move 2, move: found `B1`, expected"), "{found}");
        assert!(error(None, "{}").starts_with("line 1: found `{}`, expected a game record ("));
        assert!(error(None, " \n").starts_with("text: found nothing, expected game records"));
        assert!(error(None, "# no\n\nB1 A3").starts_with("line 3, game: found `B1 A3`, expected"));
        let found = error(game("hadron3"), "\nB1 A3 A3");
        assert!(found.starts_with("line 2, move 3, move: found `A3`"), "{found}");
        let found = error(None, "ab/cd w 0");
        assert!(found.starts_with("line 1, board: found `ab/cd w 0`, expected a text"), "{found}");
        let found = error(game("loa"), "../.. w 0");
        assert!(found.starts_with("line 1, board, text board: found 2 rows"), "{found}");
        let text = positions(game("murus").unwrap(), 1);
        let found = error(game("hadron"), &text);
        assert!(found.starts_with("line 3, board: found `BBBB"), "{found}");
        assert!(
            error(None, "GAME\t0\n").starts_with("first position: found ``, expected the rows")
        );
        let many = format!("{RECORD}\n").repeat(MAX_GAMES + 1);
        assert_eq!(error(None, &many), "line 5001: found game 5001, expected at most 5000 games");
    }

    #[test]
    fn an_illegal_move_is_named_with_its_own_line_and_its_game() {
        let voidrider = game("voidrider").unwrap();
        let board = AnyGame::start(voidrider).to_string();
        let record = RECORD
            .replace("hadron3", "voidrider")
            .replace("\"B1\"", "\"b3-b4\"")
            .replace("A3", "b3-b4");
        let black = "expected a legal move of Black";
        for (text, place) in [
            ("G4,NE A5,SE\nG3,N G3,N\n", "line 2, Murus Gallicus, move 4: found `G3,N`"),
            ("1. b3-b4 d7-d6\n2. e3-e4 e3-e4", "line 2, Voidrider Chess, move 4: found `e3-e4`"),
            (
                "[Variant \"voidrider\"]\n\n1. b3-b4\nb3-b4 *\n",
                "line 4, Voidrider Chess, move 2, move: found `b3-b4`",
            ),
            (
                &*format!("# a board\n{board}\nb3-b4\nb3-b4 d7-d6"),
                "line 4, Voidrider Chess, move 2, move: found `b3-b4`",
            ),
            (&record, "line 1, Voidrider Chess, move 2, move: found `b3-b4`"),
        ] {
            let found = error(None, text);
            assert!(found.starts_with(&format!("{place}, {black}")), "{found}");
        }
        let found = error(game("hadron3"), "B1\nA3\n# a comment\nA3 C2");
        assert!(found.starts_with("line 4, move 3, move: found `A3`"), "{found}");
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>(), named in any::<bool>()) {
            let _ = super::read(game("hadron3").filter(|_| named), &text);
        }

        #[test]
        fn pieces_of_what_can_be_read_are_read_or_refused(
            pieces in proptest::collection::vec((0..14_usize, 0..200_usize, 1..200_usize), 1..8),
            named in proptest::option::of(0..GameSpec::setups().len()),
        ) {
            let sources = [
                RECORD.to_owned(), positions(game("murus").unwrap(), 1), "GAME\t0\n".to_owned(),
                "moves: B1 A3".to_owned(), ".../.w./... b 1 moves A1 A3".to_owned(),
                AnyGame::start(game("voidrider").unwrap()).to_string(),
                AnyGame::start(game("loa").unwrap()).to_string(),
                "END\t3\tw\t...\n".to_owned(), "\n".to_owned(), " moves ".to_owned(),
                positions("hadron2x2".parse().unwrap(), 1), "é\u{0}\t".to_owned(),
                "[White \"A\"]\n\n1. e4 d5 2. exd5 {a} c5 3. dxc6+ e.p. (O-O) *\n".to_owned(),
                "1. Nf3 Nf6 2. Ng1 0-0 e8=Q# Ra10xb2".to_owned(),
            ];
            let cut = |&(source, from, length): &(usize, usize, usize)| -> String {
                sources[source].chars().skip(from).take(length).collect()
            };
            let text: String = pieces.iter().map(cut).collect();
            let _ = super::read(named.map(|number| GameSpec::setups()[number]), &text);
        }
    }
}
