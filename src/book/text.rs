//! The text of a book: a line for each position, with the moves that lead to it, a bar, and the
//! good answers.
//!
//! ```text
//! # A line with this sign is a comment.
//! | D5,S/512 D4,S/512
//! D5,S | G5,NE/497
//! ```
//!
//! The number behind an answer is its expected result for the side to move, in thousandths of a
//! point. The one idea: every move of a book is played by the rules when it is parsed, so all
//! answers are legal.

use crate::game::{Game, GameState, Move, ParseError, quoted};
use crate::games::{AnyGame, Symmetry};

/// Between the moves and the answers.
const BAR: &str = "|";

/// A good move, and its expected result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub m: Move,
    /// The expected result for its player, in thousandths of a point.
    pub thousandths: u16,
}

/// A position and its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// The moves from the standard start.
    pub moves: Vec<Move>,
    /// At least one, the best first.
    pub answers: Vec<Answer>,
}

impl BookLine {
    /// Reads a line.
    ///
    /// # Errors
    /// It is not written as it must be, a move is illegal, or the game is over before the answers.
    pub fn read(start: AnyGame, text: &str) -> Result<BookLine, ParseError> {
        let (moves, answers) = text.split_once(BAR).ok_or_else(|| {
            ParseError::new(
                "line",
                quoted(text),
                "moves, a bar and answers, such as `A1 B2 | C3/500`",
            )
        })?;
        let mut line = BookLine { moves: Vec::new(), answers: Vec::new() };
        let mut state = GameState::new(start);
        for (number, text) in (1..).zip(moves.split_whitespace()) {
            let m = state.position.parse_move(text);
            let m = m.map_err(|error| error.within(format!("move {number}")))?;
            line.moves.push(m);
            state.play(m);
            if let Some(ending) = state.ending() {
                let expected = "a game that is not over";
                return Err(ParseError::new(
                    format!("move {number}"),
                    ending.to_string(),
                    expected,
                ));
            }
        }
        for (number, text) in (1..).zip(answers.split_whitespace()) {
            let answer = Answer::read(&state.position, text);
            let answer = answer.map_err(|error| error.within(format!("answer {number}")))?;
            if line.answers.iter().any(|other| other.m == answer.m) {
                let place = format!("answer {number}");
                return Err(ParseError::new(place, quoted(text), "each answer once"));
            }
            line.answers.push(answer);
        }
        if line.answers.is_empty() {
            return Err(ParseError::new("answers", "none", "at least one, such as `C3/500`"));
        }
        Ok(line)
    }

    /// The line as text, in the form that is parsed.
    pub fn text(&self, start: AnyGame) -> String {
        let mut position = start;
        let mut text = String::new();
        for &m in &self.moves {
            text += &format!("{} ", position.notation(m));
            position.play(m);
        }
        text += BAR;
        for Answer { m, thousandths } in &self.answers {
            text += &format!(" {}/{thousandths}", position.notation(*m));
        }
        text
    }
}

impl Answer {
    fn read(position: &AnyGame, text: &str) -> Result<Answer, ParseError> {
        let (m, thousandths) = text.split_once('/').ok_or_else(|| {
            ParseError::new("answer", quoted(text), "a move and thousandths, such as `C3/500`")
        })?;
        let m = position.parse_move(m)?;
        let number = thousandths.parse().ok().filter(|number| (0..=1000).contains(number));
        let thousandths = number.ok_or_else(|| {
            ParseError::new("thousandths", quoted(thousandths), "a whole number from 0 to 1000")
        })?;
        Ok(Answer { m, thousandths })
    }
}

/// The answers of a position, whose board may be turned or mirrored against that of the line.
struct Entry {
    position: AnyGame,
    /// The line that it comes from.
    number: usize,
    answers: Vec<Answer>,
}

/// The positions of a book with their good answers.
pub struct Book {
    /// In the order of their keys.
    entries: Vec<Entry>,
    lines: usize,
}

impl Book {
    /// A book in which nothing is found.
    pub const fn empty() -> Book {
        Book { entries: Vec::new(), lines: 0 }
    }

    /// The book of a game that is compiled in.
    ///
    /// # Errors
    /// As for [`Book::read`].
    pub fn compiled_in(game: &AnyGame) -> Result<Book, ParseError> {
        Book::read(game, game.book())
    }

    /// Reads a whole text of a game, and turns and mirrors what it says.
    ///
    /// # Errors
    /// The first line that is none, or is that of an earlier position.
    pub fn read(game: &AnyGame, text: &str) -> Result<Book, ParseError> {
        let start = game.standard_start();
        let mut book = Book::empty();
        for (number, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let place = |error: ParseError| error.within(format!("line {number}"));
            let line = BookLine::read(start, text).map_err(place)?;
            for &symmetry in game.symmetries() {
                let (position, answers) = image(start, &line, symmetry).map_err(place)?;
                book.entries.push(Entry { position, number, answers });
            }
            book.lines += 1;
        }
        // Stable: a line's images of the same position stay together.
        book.entries.sort_by_key(|entry| (entry.position.key(), entry.number));
        let mut repeated = None;
        book.entries.dedup_by(|next, kept| {
            let same = next.position == kept.position;
            if same && next.number != kept.number {
                repeated.get_or_insert((next.number, kept.number));
            }
            if same {
                let known = &mut kept.answers;
                let others =
                    next.answers.iter().filter(|&&Answer { m, .. }| known.iter().all(|k| k.m != m));
                let others: Vec<Answer> = others.copied().collect();
                known.extend(others);
            }
            same
        });
        match repeated {
            None => Ok(book),
            Some((number, before)) => {
                let found = format!("the position of line {before}, perhaps turned or mirrored");
                Err(ParseError::new(format!("line {number}"), found, "each position once"))
            }
        }
    }

    /// The answers in a position; none where the book does not have it.
    pub fn answers(&self, position: &AnyGame) -> &[Answer] {
        let key = position.key();
        let first = self.entries.partition_point(|entry| entry.position.key() < key);
        let mut same_key = self.entries[first..].iter().take_while(|e| e.position.key() == key);
        same_key.find(|entry| entry.position == *position).map_or(&[], |entry| &entry.answers)
    }

    /// How many positions its text has.
    pub fn lines(&self) -> usize {
        self.lines
    }
}

/// A line's position and answers, turned or mirrored.
fn image(
    start: AnyGame,
    line: &BookLine,
    symmetry: Symmetry,
) -> Result<(AnyGame, Vec<Answer>), ParseError> {
    // Side by side, as a move's notation needs the position that it is played in.
    let (mut plain, mut turned) = (start, start);
    let turn = |plain: &AnyGame, turned: &AnyGame, m: Move| {
        turned.parse_move(&symmetry.image(&plain.notation(m).to_string()))
    };
    for &m in &line.moves {
        let other = turn(&plain, &turned, m)?;
        plain.play(m);
        turned.play(other);
    }
    let answer = |answer: &Answer| {
        let m = turn(&plain, &turned, answer.m)?;
        Ok(Answer { m, ..*answer })
    };
    Ok((turned, line.answers.iter().map(answer).collect::<Result<Vec<Answer>, ParseError>>()?))
}
