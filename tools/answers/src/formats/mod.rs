//! Game records in the forms that other programs use.
//!
//! The one idea: every writer takes a [`GameRecord`] that the rules have checked, and every reader
//! gives [`ForeignGame`]s, one at a time, whose moves the rules then check. What they have is what
//! the forms have in common.

mod csv;
mod moves;
pub mod notes;
mod pgn;
pub mod plain_text;
mod printed;
mod remarks;
mod sgf;
mod words;

use std::ops::ControlFlow;
use std::str::FromStr;

use alesia::game::{Game, GameState, MAX_PLIES, Outcome, ParseError, Side, quoted, without_bom};
use alesia::games::{AnyGame, AnyState, GameSpec};

pub use self::csv::no_formula;
use self::notes::Note;
pub use self::pgn::BEGINNING as PGN_BEGINNING;
use alesia::record::end::Cause;
use alesia::record::game_record::{GameRecord, Key, Occasion, RecordedMove, Winner};
use alesia::record::thought::Thought;

/// What a disk has lost reads as this, which no line has.
pub const LOST: char = '\0';

/// A form of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation (S. J. Edwards, 1994), with the tag `Variant` but for chess.
    Pgn,
    /// Smart Game Format (A. Hollosi, `FF[4]`, 1999), for Lines of Action alone (`GM[9]`).
    Sgf,
    /// A row for each move.
    Csv,
    /// The moves of a game on a line, and its result.
    Moves,
    /// What `alesia play` and `alesia referee` print. Only read.
    Printed,
}

impl Format {
    /// The names on the command line.
    pub const NAMES: [(&str, Format); 5] = [
        ("pgn", Format::Pgn),
        ("sgf", Format::Sgf),
        ("csv", Format::Csv),
        ("moves", Format::Moves),
        ("printed", Format::Printed),
    ];

    /// The forms in which records of a game can be written, with their names.
    pub fn written(game: GameSpec) -> impl Iterator<Item = (&'static str, Format)> {
        let suits = move |&(_, format): &(&str, Format)| match format {
            Format::Sgf => sgf::has(game),
            Format::Printed => false,
            Format::Pgn | Format::Csv | Format::Moves => true,
        };
        Format::NAMES.into_iter().filter(suits)
    }

    /// The form that a text seems to have.
    pub fn of(text: &str) -> Format {
        let text = after_remarks(text);
        if text.starts_with('(') && text[1..].trim_start().starts_with(';') {
            Format::Sgf
        } else if text.starts_with('[') && text[1..].trim_start().starts_with(char::is_alphabetic) {
            Format::Pgn
        } else if text.lines().any(printed::is_move) {
            Format::Printed
        } else {
            Format::Moves
        }
    }

    /// What people call a text of this form, where the text shows that it has it.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Format::Pgn => Some("PGN"),
            Format::Sgf => Some("SGF"),
            Format::Csv => Some("CSV"),
            Format::Printed => Some("the lines of a game as `play` and `referee` print them"),
            Format::Moves => None,
        }
    }

    /// The text before the first record.
    pub fn head(self) -> String {
        if self == Format::Csv { csv::head() } else { String::new() }
    }

    /// A record as text, with the line end after it.
    ///
    /// # Errors
    /// The record is not of its game, or the form is not for that game or cannot be written.
    pub fn text(self, record: &GameRecord) -> Result<String, ParseError> {
        self.text_by(record, record.spec()?)
    }

    /// The same by the rules of a game that is read already, whatever has become of its file.
    ///
    /// # Errors
    /// As for [`Format::text`].
    pub fn text_by(self, record: &GameRecord, game: GameSpec) -> Result<String, ParseError> {
        self.text_with(record, game, &[])
    }

    /// The same with what people have written to the moves, one after the other. Tables and plain
    /// moves have no place for that.
    ///
    /// # Errors
    /// As for [`Format::text`].
    pub fn text_with(
        self,
        record: &GameRecord,
        game: GameSpec,
        notes: &[Note],
    ) -> Result<String, ParseError> {
        let start = AnyGame::start(game);
        let first = start.begin(record.board.as_deref())?;
        record.line().state(start)?;
        match self {
            Format::Pgn => pgn::text(record, first, notes),
            Format::Sgf => sgf::text(record, &first, notes),
            Format::Csv => Ok(csv::rows(record, first.side())),
            Format::Moves => Ok(moves::text(record)),
            Format::Printed => {
                Err(ParseError::new("format", "`printed`", "pgn, sgf, csv or moves"))
            }
        }
    }

    /// Hands the games of a text to `take`, each as soon as it is read, until it has enough; of a
    /// game that is wrong, what is wrong with its line.
    pub fn read(self, text: &str, take: &mut Take) {
        // Whether `take` has enough does not matter any more.
        let _: ControlFlow<()> = match self {
            Format::Pgn => pgn::read(text, take),
            Format::Sgf => sgf::read(text, take),
            Format::Moves => moves::read(text, take),
            Format::Printed => printed::read(text, take),
            Format::Csv => {
                take(Err(ParseError::new("format", "`csv`", "pgn, sgf, moves or printed")))
            }
        };
    }
}

/// What takes the games of a text, one after the other.
pub type Take<'a> = dyn FnMut(Result<ForeignGame, ParseError>) -> ControlFlow<()> + 'a;

impl FromStr for Format {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Format, ParseError> {
        let found = Format::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, format)| format).ok_or_else(|| {
            ParseError::new("format", quoted(text), "pgn, sgf, csv, moves or printed")
        })
    }
}

/// A text from its first line that is no comment of PGN, nor a line for programs.
fn after_remarks(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let end = match text.chars().next() {
            Some(';' | '%') => '\n',
            Some('{') => '}',
            _ => return text,
        };
        let Some((_, after)) = text.split_once(end) else { return text };
        text = after.trim_start();
    }
}

/// What a file with games holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Game records, as lines of JSON.
    Records,
    /// The table of [`Format::Csv`].
    Table,
    /// Games in a form that is read.
    Games(Format),
}

impl Content {
    /// What a text seems to hold; its first line is enough for all but [`Format::Moves`].
    pub fn of(text: &str) -> Content {
        // The disk may have lost the first lines.
        let text = without_bom(text).trim_start_matches(|c: char| c.is_whitespace() || c == LOST);
        // Otherwise it is a comment.
        let is_object =
            text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
        if is_object {
            Content::Records
        } else if text.starts_with(csv::head().trim_end()) {
            Content::Table
        } else {
            Content::Games(Format::of(text))
        }
    }
}

/// A game as another program has written it. Nothing of it is checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignGame {
    /// The line in the text where it begins, from 1.
    pub line: usize,
    /// The game, where the text names it.
    pub game: Option<String>,
    /// The game that is usual in such a text, and which is tried where the text names none.
    pub usual: Option<GameSpec>,
    /// Where and when it was played.
    pub occasion: Occasion,
    /// The names of White and Black, who moves second.
    pub names: [Option<String>; 2],
    /// The board before the first move, where it is not that of the game.
    pub board: Option<String>,
    /// Whether the first mover is called Black; then a game in which White moves first is read with
    /// the colours exchanged.
    pub black_is_first: bool,
    /// The moves.
    pub moves: Vec<ForeignMove>,
    /// What people have written to moves, by their numbers from 0.
    pub notes: Vec<(usize, Note)>,
    /// The result and why, where the text has them.
    pub result: Option<Winner>,
    /// Why.
    pub reason: Option<String>,
}

/// A move in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignMove {
    /// The line where it stands, from 1.
    pub line: usize,
    /// As written.
    pub text: String,
    /// Milliseconds that it took, where the text has them.
    pub ms: Option<f64>,
}

impl ForeignGame {
    /// Adds a move, unless the game must have ended before it.
    fn add(&mut self, line: usize, text: String, ms: Option<f64>) {
        // One too many, which the rules refuse.
        if self.moves.len() <= MAX_PLIES {
            self.moves.push(ForeignMove { line, text, ms });
        }
    }

    /// What is written to the last move.
    fn last_note(&mut self) -> Option<&mut Note> {
        let last = self.moves.len().checked_sub(1)?;
        if self.notes.last().is_none_or(|&(number, _)| number != last) {
            self.notes.push((last, Note::default()));
        }
        self.notes.last_mut().map(|(_, note)| note)
    }

    /// Adds a comment to the last move; one before the first move belongs to none.
    fn comment(&mut self, text: &str) {
        if let Some(note) = self.last_note() {
            note.add(text);
        }
    }

    /// Sets the mark of the last move, unless it is none.
    fn judge(&mut self, mark: u8) {
        if mark > 0
            && let Some(note) = self.last_note()
        {
            note.mark = mark;
        }
    }

    /// The same as a record, the `number`-th of its file from 0, checked by the rules.
    ///
    /// # Errors
    /// The first thing that the rules refuse.
    pub fn record(&self, spec: GameSpec, number: u32) -> Result<GameRecord, ParseError> {
        let start = AnyGame::start(spec);
        match self.black_is_first && start.side() == Side::White {
            true => self.exchanged().checked(start, spec, number),
            false => self.checked(start, spec, number),
        }
    }

    /// The same game with White for Black.
    fn exchanged(&self) -> ForeignGame {
        let [white, black] = self.names.clone();
        let other = |winner| match winner {
            Winner::White => Winner::Black,
            Winner::Black => Winner::White,
            Winner::Nobody => Winner::Nobody,
        };
        let resigns = |reason: &String| match reason.as_str() {
            "White resigns" => "Black resigns".to_owned(),
            "Black resigns" => "White resigns".to_owned(),
            other => other.to_owned(),
        };
        ForeignGame {
            names: [black, white],
            board: self.board.as_deref().map(sgf::exchanged),
            black_is_first: false,
            result: self.result.map(other),
            reason: self.reason.as_ref().map(resigns),
            ..self.clone()
        }
    }

    /// The games to which all moves belong, of those that are listed. The usual game comes before
    /// them, unless more of the moves belong to another: then it is the only one.
    pub fn candidates(&self) -> Vec<GameSpec> {
        if let Some(usual) = self.usual {
            let own = self.legal(usual).filter(|&own| own > 0 || self.moves.is_empty());
            let others = || GameSpec::setups().iter().filter_map(|&game| self.legal(game)).max();
            // No other game has more than all moves.
            if own.is_some() && (own == Some(self.moves.len()) || own >= others()) {
                return vec![usual];
            }
        }
        GameSpec::fitting(|&spec| self.record(spec, 0).is_ok())
    }

    /// What the usual game refuses of the board.
    pub fn wrong_board(&self) -> Option<ParseError> {
        let board = self.board.as_ref()?;
        let wrong = AnyGame::start(self.usual?).parse_board(board).err()?;
        Some(wrong.within(format!("line {}", self.line)))
    }

    /// The number of moves before the first that is wrong in a game; none if the board is.
    fn legal(&self, spec: GameSpec) -> Option<usize> {
        fn on(game: &ForeignGame, start: AnyGame) -> Option<usize> {
            let mut state = GameState::new(start.begin(game.board.as_deref()).ok()?);
            let is_legal = |ForeignMove { text, .. }: &&ForeignMove| {
                let m = state.position.understand(text).ok().filter(|_| state.ending().is_none());
                m.map(|m| state.play(m)).is_some()
            };
            Some(game.moves.iter().take_while(is_legal).count())
        }
        on(self, AnyGame::start(spec))
    }

    fn checked(
        &self,
        start: AnyGame,
        spec: GameSpec,
        number: u32,
    ) -> Result<GameRecord, ParseError> {
        let first = start.begin(self.board.as_deref());
        let first = first.map_err(|error| error.within(format!("line {}", self.line)))?;
        let mut state = GameState::new(first);
        let mut moves = Vec::with_capacity(self.moves.len());
        for (number, ForeignMove { line, text, ms }) in (1..).zip(&self.moves) {
            let within = |error: ParseError| error.within(format!("line {line}, move {number}"));
            if let Some(ending) = state.ending() {
                let found = format!("{} after the end", quoted(text));
                return Err(within(ParseError::new("move", found, ending.to_string())));
            }
            let m = state.position.understand(text).map_err(within)?;
            let text = state.position.notation(m).to_string();
            moves.push(RecordedMove { text, ms: *ms, thought: Thought::default() });
            state.play(m);
        }
        let (result, cause, reason) = self.end(&state)?;
        let [white, black] =
            [Side::White, Side::Black].map(|side| self.names[side as usize].clone());
        Ok(GameRecord {
            key: Key { seed: 0, pair: number, leg: 0 },
            game: spec.to_string(),
            white: white.unwrap_or_else(|| Side::White.to_string()),
            black: black.unwrap_or_else(|| Side::Black.to_string()),
            board: self.board.as_ref().map(|_| first.to_string()),
            definition: spec.fingerprint(),
            rules: None,
            occasion: self.occasion.clone(),
            opening: Vec::new(),
            moves,
            result,
            cause,
            reason,
        })
    }

    /// The result: by the rules, or else by the text's word.
    fn end(&self, state: &AnyState) -> Result<(Winner, Cause, String), ParseError> {
        if let Some(ending) = state.ending() {
            let by_rule = Winner::from(ending.outcome);
            return match self.result {
                Some(other) if other != by_rule => {
                    let found = other.outcome().to_string();
                    let error = ParseError::new("result", found, ending.to_string());
                    Err(error.within(format!("line {}", self.line)))
                }
                _ => Ok((by_rule, Cause::Rule, ending.rule.to_string())),
            };
        }
        let reason = || self.reason.clone();
        match self.result {
            Some(result) => {
                Ok((result, Cause::Reported, reason().unwrap_or_else(|| "as reported".into())))
            }
            None => {
                Ok((Winner::Nobody, Cause::Reported, reason().unwrap_or_else(|| UNFINISHED.into())))
            }
        }
    }
}

/// The reason of a record whose text has no result. It counts as a draw, which says nothing.
pub const UNFINISHED: &str = "not finished";

/// Chess, of which most texts in its notation are.
fn chess() -> Option<GameSpec> {
    "variant:chess".parse().ok()
}

/// Whether a record has a result.
pub fn is_finished(record: &GameRecord) -> bool {
    record.cause != Cause::Reported || record.reason != UNFINISHED
}

/// The result at the end of a game in chess's notation; `*` where there is none.
fn token(record: &GameRecord) -> &'static str {
    if !is_finished(record) {
        return "*";
    }
    match record.result.outcome() {
        Outcome::Win(Side::White) => "1-0",
        Outcome::Win(Side::Black) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All games of a text, or the first that is wrong.
    pub(super) fn all(
        read: impl FnOnce(&mut Take) -> ControlFlow<()>,
    ) -> Result<Vec<ForeignGame>, ParseError> {
        let mut games = Vec::new();
        let _ = read(&mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        games.into_iter().collect()
    }

    #[test]
    fn a_text_is_known_by_what_its_comments_stand_before() {
        use Content::{Games, Records};
        for (text, content) in [
            ("{\"seed\":0}", Records),
            ("{ \n \"seed\": 0}", Records),
            ("\0\0\n{\"seed\":0}", Records),
            ("{A good game} 1. A1 B2 1-0", Games(Format::Moves)),
            ("{A good game}\n[White \"A\"]\n", Games(Format::Pgn)),
            ("; by hand\n% 2\n\n[White \"A\"]\n", Games(Format::Pgn)),
            ("; by hand\n1. A1 B2", Games(Format::Moves)),
            ("; by hand", Games(Format::Moves)),
            ("{without an end", Games(Format::Moves)),
            ("; by hand\n(;GM[9])", Games(Format::Sgf)),
        ] {
            assert_eq!(Content::of(text), content, "{text}");
        }
    }
}
