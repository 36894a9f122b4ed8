//! What the opening book knows of a position.
//!
//! The one idea: the engine plays these moves without a search, so a person sees them with the
//! value that they were found to have. A book is read once, when its game is first asked for.

use std::sync::{Arc, Mutex, PoisonError};

use alesia::book::Book;
use alesia::game::{Game, Side};
use alesia::games::AnyGame;
use serde::Serialize;

use crate::shape::MoveShape;

/// A good move of the book.
#[derive(Clone, Debug, Serialize)]
pub struct BookMove {
    #[serde(flatten)]
    pub shape: MoveShape,
    /// The expected result for White, 0 to 1.
    pub value: f32,
}

/// The books that were read, by the standard start of their game.
static BOOKS: Mutex<Vec<(AnyGame, Arc<Book>)>> = Mutex::new(Vec::new());

fn book_of(position: &AnyGame) -> Arc<Book> {
    let start = position.standard_start();
    let mut books = BOOKS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, book)) = books.iter().find(|(known, _)| *known == start) {
        return book.clone();
    }
    // The library's tests read every book.
    let book = Arc::new(Book::compiled_in(&start).unwrap_or_else(|_| Book::empty()));
    books.push((start, book.clone()));
    book
}

/// The moves of the book in a position, the best first; none where it is not in the book.
pub fn book_moves(position: &AnyGame) -> Vec<BookMove> {
    if position.book().is_empty() {
        return Vec::new();
    }
    let for_white = |value: f32| if position.side() == Side::White { value } else { 1.0 - value };
    let book = book_of(position);
    let moves = book.answers(position).iter().map(|answer| BookMove {
        shape: MoveShape::of(position, answer.m),
        value: for_white(f32::from(answer.thousandths) / 1000.0),
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(game: &str, moves: &str) -> Vec<(String, f32)> {
        let mut position = AnyGame::named(game).unwrap();
        for text in moves.split_whitespace() {
            let m = position.parse_move(text).unwrap();
            position.play(m);
        }
        let found = book_moves(&position).into_iter();
        found.map(|book| (book.shape.text, book.value)).collect()
    }

    #[test]
    fn a_position_of_the_book_has_its_moves_with_their_value_for_white() {
        let best = &of("murus", "")[0];
        assert!((best.1 - 0.5).abs() < 0.1, "{best:?}");
        let answers = of("murus", &best.0);
        assert!(!answers.is_empty());
        // Black's answer is worth to White about what White's move was.
        assert!((answers[0].1 - best.1).abs() < 0.05, "{answers:?} after {best:?}");
    }

    #[test]
    fn other_starts_and_games_without_a_book_have_none() {
        for game in ["loa:files", "murus:white-wall", "variant:chess"] {
            assert!(of(game, "").is_empty(), "{game}");
        }
    }
}
