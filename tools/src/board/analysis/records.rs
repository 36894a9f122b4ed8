//! Games in a text that a person has pasted or chosen.
//!
//! The one idea: four kinds of text are told apart by how they look, each is read into lines of moves
//! by what the rest of the program has for it, and every game is played by the rules before it is
//! shown. Whatever is wrong is named with its line.

use alesia::check::check;
use alesia::game::{Game, ParseError, Side, quoted};
use alesia::games::loa::Layout;
use alesia::games::{GameSpec, Loa};
use alesia::with_game;
use serde::Serialize;

use crate::board::position::{OFFERED, ReportView, Verdict, value_for_white};
use crate::matches::opening::{is_comment, split};
use crate::matches::players::Line;
use crate::matches::record::{self, Record};

/// The longest text.
pub const MOST_BYTES: usize = 8 << 20;

/// The most games in it.
const MOST_GAMES: usize = 5000;

/// What the first line of a game in a file of positions begins with.
const GAME_WORD: &str = "GAME";

/// What stands before moves that are printed by `alesia play`.
const MOVES_WORD: &str = "moves:";

/// What a text may be.
const KINDS: &str =
    "game records of `alesia-lab match`, a text board, moves, or a file of positions";

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoadedGame {
    /// For a list of games.
    pub title: String,
    /// As on the command line.
    pub game: String,
    /// The text board it begins with, where that is not the game's own.
    pub board: Option<String>,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// In the game's notation.
    pub moves: Vec<String>,
    /// What the player of each move expected, for White.
    pub values: Vec<Option<f32>>,
    /// How it ended, in words.
    pub result: Option<String>,
}

/// Reads all games of a text. `game` is what is played where the text does not say it.
///
/// # Errors
/// The first thing that is wrong: where, what was found, what was expected.
pub fn read(game: Option<GameSpec>, text: &str) -> Result<Vec<LoadedGame>, ParseError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.len() > MOST_BYTES {
        let expected = format!("at most {} MiB", MOST_BYTES >> 20);
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
        of_lines(game, text)
    }
}

/// The lines that say something, with their places.
fn lines(text: &str) -> impl Iterator<Item = (String, &str)> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    let saying = numbered.filter(|(_, line)| !line.is_empty() && !is_comment(line));
    saying.map(|(number, line)| (format!("line {number}"), line))
}

/// Refuses another game where there are too many.
fn room(place: &str, games: usize) -> Result<(), ParseError> {
    if games < MOST_GAMES {
        return Ok(());
    }
    let expected = format!("at most {MOST_GAMES} games");
    Err(ParseError::new(place, format!("game {}", games + 1), expected))
}

/// What the rules say of a line: its result, and who moved first.
fn play(game: GameSpec, line: &Line) -> Result<(Option<String>, Side), ParseError> {
    fn on<G: Game>(start: G, line: &Line) -> Result<(Option<String>, Side), ParseError> {
        let begun = Line { board: line.board.clone(), moves: Vec::new() };
        let first = begun.state(start).map_err(|error| error.within("board"))?;
        let state = line.state(start)?;
        let result = state.ending().map(|ending| ending.to_string());
        Ok((result, first.position.side()))
    }
    with_game!(game, start => on(start, line))
}

/// Game records of a match, a JSON line each.
fn of_match(text: &str) -> Result<Vec<LoadedGame>, ParseError> {
    let mut games = Vec::new();
    for (place, line) in lines(text) {
        // The first line of a match that can be resumed.
        if line.starts_with(r#"{"match":"#) {
            continue;
        }
        room(&place, games.len())?;
        let record: Record = record::read(&place, line)?;
        games.push(of_record(record).map_err(|error| error.within(&place))?);
    }
    match games.is_empty() {
        true => Err(ParseError::new("text", "no game", "game records of `alesia-lab match`")),
        false => Ok(games),
    }
}

fn of_record(record: Record) -> Result<LoadedGame, ParseError> {
    let game: GameSpec = record.game.parse()?;
    let line = record.line();
    let (_, first) = play(game, &line)?;
    let side = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
    let opening = record.opening.len();
    let value = |(number, m): (usize, &record::RecordedMove)| {
        let view = ReportView::of_thought(&m.thought, side(opening + number))?;
        view.proof.map(|proof| value_for_white(proof.winner)).or(view.value)
    };
    let values = record.moves.iter().enumerate().map(value);
    let values = std::iter::repeat_n(None, opening).chain(values).collect();
    let Record { key, white, black, result, reason, .. } = record;
    Ok(LoadedGame {
        title: format!("{white} – {black}, pair {}, game {}", key.pair + 1, key.leg + 1),
        game: game.to_string(),
        board: line.board,
        white,
        black,
        moves: line.moves,
        values,
        result: Some(Verdict::new(result.outcome(), reason).text),
    })
}

/// A game of which no more is known than its moves.
fn plain(game: GameSpec, line: Line, number: usize, result: Option<String>) -> LoadedGame {
    fn title<G: Game>(_: &G) -> &'static str {
        G::TITLE
    }
    let title = with_game!(game, start => title(&start));
    LoadedGame {
        title: format!("{title}, game {number}"),
        game: game.to_string(),
        values: vec![None; line.moves.len()],
        board: line.board,
        white: Side::White.to_string(),
        black: Side::Black.to_string(),
        moves: line.moves,
        result,
    }
}

/// Text boards with moves or without, a line each; or moves alone, on as many lines as they need.
fn of_lines(game: Option<GameSpec>, text: &str) -> Result<Vec<LoadedGame>, ParseError> {
    let mut found: Vec<(String, Line)> = Vec::new();
    for (place, text) in lines(text) {
        let words = text.strip_prefix(MOVES_WORD).unwrap_or(text);
        let line = split(words);
        match found.last_mut() {
            Some((_, last)) if line.board.is_none() => last.moves.extend(line.moves),
            _ => {
                room(&place, found.len())?;
                found.push((place, line));
            }
        }
    }
    let games = (1..).zip(found).map(|(number, (place, line))| {
        let read = || {
            let game = match (game, &line.board) {
                (Some(game), _) => game,
                (None, Some(board)) => guess(board)?,
                (None, None) => {
                    let found = quoted(&line.moves.join(" "));
                    return Err(ParseError::new("game", found, "the name of its game with moves"));
                }
            };
            let (result, _) = play(game, &line)?;
            Ok(plain(game, line, number, result))
        };
        read().map_err(|error: ParseError| error.within(place))
    });
    games.collect()
}

/// The game of which this is a text board.
fn guess(board: &str) -> Result<GameSpec, ParseError> {
    let named: Vec<GameSpec> = OFFERED.iter().filter_map(|name| name.parse().ok()).collect();
    let fits = |game: GameSpec| with_game!(game, start => start.parse_board(board).is_ok());
    let mut fitting = named.into_iter().filter(|&game| fits(game));
    // Boards of Hadron may have any size.
    let rows = board.split_whitespace().next().unwrap_or_default();
    let (height, width) = (rows.split('/').count(), rows.split('/').next().map_or(0, str::len));
    let sized = || format!("hadron{height}x{width}").parse().ok().filter(|&game| fits(game));
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

/// Where the games of a file of positions begin.
struct Beginning {
    game: GameSpec,
    /// The text board, where that is not the game's own.
    board: Option<String>,
}

impl Beginning {
    fn usual(game: GameSpec) -> Beginning {
        Beginning { game, board: None }
    }

    /// Where Lines of Action begins, if with white stones on the files.
    fn files() -> Beginning {
        let board = Loa::start(Layout::Files).to_string();
        Beginning { game: GameSpec::Loa(Layout::Files), board: Some(board) }
    }

    fn rows(&self) -> String {
        with_game!(self.game, start => start.rows().to_string())
    }
}

/// A file of positions, see [`alesia::check`]. Everything in it must be as the rules have it.
fn of_positions(game: Option<GameSpec>, text: &str) -> Result<Vec<LoadedGame>, ParseError> {
    let rows = text.lines().find_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields.len() == 5 && !is_comment(line)).then(|| fields[2])
    });
    let beginning = begin_with(game, rows.unwrap_or_default())?;
    let mut mismatch = None;
    with_game!(beginning.game, start => check(start, text, &mut |found| {
        mismatch.get_or_insert(found);
    }))?;
    if let Some(mismatch) = mismatch {
        let place = format!("line {}, {}", mismatch.line, mismatch.subject);
        return Err(ParseError::new(place, mismatch.file, mismatch.rules));
    }
    let mut games: Vec<Line> = Vec::new();
    for (place, line) in lines(text) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            [GAME_WORD, _] => {
                room(&place, games.len())?;
                games.push(Line { board: beginning.board.clone(), moves: Vec::new() });
            }
            [_, _, _, _, played] => {
                if let Some(game) = games.last_mut() {
                    game.moves.push(played.to_owned());
                }
            }
            _ => {}
        }
    }
    let games = (1..).zip(games).map(|(number, line)| {
        let (result, _) = play(beginning.game, &line)?;
        Ok(plain(beginning.game, line, number, result))
    });
    games.collect()
}

/// Where games begin whose first position has these rows.
fn begin_with(game: Option<GameSpec>, rows: &str) -> Result<Beginning, ParseError> {
    match game {
        Some(GameSpec::Loa(_)) if rows == Beginning::files().rows() => Ok(Beginning::files()),
        // What is different from its start is named with its line.
        Some(game) => Ok(Beginning::usual(game)),
        None => {
            let named = OFFERED.iter().filter_map(|name| name.parse().ok());
            let all = named.map(Beginning::usual).chain([Beginning::files()]);
            let mut fitting = all.filter(|beginning| beginning.rows() == rows);
            fitting.next().ok_or_else(|| {
                let expected = "the rows of a game's start, or the name of the game";
                ParseError::new("first position", quoted(rows), expected)
            })
        }
    }
}
