//! Move lists: the moves of a game with a result after them.
//!
//! The one idea: what is no move is left out (numbers, comments, remarks), so lists copied from
//! anywhere can be read. A game ends at a result or at an empty line.

use std::ops::ControlFlow;

use super::remarks::Remarks;
use super::words::Word;
use super::{ForeignGame, Take, chess, token};
use crate::opening_lines::is_comment;
use alesia::game::ParseError;
use alesia::record::game_record::GameRecord;

/// A record on one line, as `-openings` reads it, but for the result at its end.
pub fn text(record: &GameRecord) -> String {
    let line = record.line();
    let board = line.board.map_or(String::new(), |board| format!("{board} moves "));
    format!("{board}{} {}\n", line.moves.join(" "), token(record))
}

/// Hands the games of a text to `take`; at the end, that there is none or a remark has no end.
pub fn read(text: &str, take: &mut Take) -> ControlFlow<()> {
    let mut game = ForeignGame::default();
    let mut remarks = Remarks::default();
    let mut found = false;
    let mut end = |game: &mut ForeignGame| {
        let game = std::mem::take(game);
        if game.moves.is_empty() && game.board.is_none() {
            return ControlFlow::Continue(());
        }
        found = true;
        take(Ok(game))
    };
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() && !remarks.are_open() {
            end(&mut game)?;
        }
        if !remarks.are_open() && is_comment(line) {
            continue;
        }
        let line = remarks.left_out(line, number);
        let mut rest = line.trim();
        if let Some((board, moves)) = rest.split_once(" moves ") {
            end(&mut game)?;
            (game.board, game.line) = (Some(board.to_owned()), number);
            rest = moves;
        }
        for word in rest.split_whitespace() {
            match Word::of(word) {
                Word::Mark => {}
                Word::Result(result) => {
                    game.result = result;
                    end(&mut game)?;
                }
                Word::Move(text) => {
                    if game.line == 0 {
                        game.line = number;
                    }
                    if game.moves.is_empty() {
                        game.usual = chess();
                    }
                    game.add(number, text, None);
                }
            }
        }
    }
    if let Err(error) = remarks.end() {
        return take(Err(error));
    }
    end(&mut game)?;
    match found {
        true => ControlFlow::Continue(()),
        false => take(Err(ParseError::new("moves", "no move", "moves such as `1. A1 B2`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::all;
    use super::*;
    use alesia::record::game_record::Winner;

    fn read(text: &str) -> Result<Vec<ForeignGame>, ParseError> {
        all(|take| super::read(text, take))
    }

    fn texts(game: &ForeignGame) -> Vec<&str> {
        game.moves.iter().map(|m| m.text.as_str()).collect()
    }

    #[test]
    fn numbers_comments_and_remarks_are_left_out() {
        let games = read("# a game\n1. A1 {good} B2\n2.C3 (2. D4 (or E5)) 2... D1 1-0\n").unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!(texts(&games[0]), ["A1", "B2", "C3", "D1"]);
        assert_eq!((games[0].result, games[0].line), (Some(Winner::White), 2));
        assert_eq!(games[0].moves[3].line, 3);
    }

    #[test]
    fn games_end_at_a_result_or_an_empty_line() {
        let games = read("A1 B2 1-0 C3 *\nD4\n\n..b/w../... w 2 moves A1\n").unwrap();
        let all: Vec<_> = games.iter().map(texts).collect();
        assert_eq!(all, [vec!["A1", "B2"], vec!["C3"], vec!["D4"], vec!["A1"]]);
        assert_eq!(games[3].board.as_deref(), Some("..b/w../... w 2"));
        assert_eq!((games[1].result, games[2].result), (None, None));
    }

    #[test]
    fn comments_may_go_on_over_lines() {
        let text = "{A good game, which moves on\n\n# from A1 :)} 1. A1 (B1\nor C1) {x} B2 1-0\n";
        let games = read(text).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!((texts(&games[0]), games[0].line), (vec!["A1", "B2"], 3));
        let error = read("A1 B2\nC3 {no end\nD4\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: found a comment without end"), "{error}");
    }

    #[test]
    fn a_game_has_the_line_of_its_first_move() {
        let games = read("{first}\nA1 B2 1-0\n\n{second}\nC3 * D4\n").unwrap();
        let lines: Vec<usize> = games.iter().map(|game| game.line).collect();
        assert_eq!(lines, [2, 5, 5]);
    }

    #[test]
    fn a_text_without_moves_is_refused() {
        for text in ["", "\n\n", "# nothing", "1. 2. 3."] {
            assert!(read(text).unwrap_err().to_string().contains("no move"), "{text}");
        }
    }
}
