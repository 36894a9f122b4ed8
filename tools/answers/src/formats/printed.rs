//! What `alesia play` and `alesia referee` print: lines `NUMBER SIDE MOVE MS ms`, then `result: …`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::{ForeignGame, ForeignMove, Take};
use alesia::game::{ParseError, quoted};
use alesia::record::game_record::Winner;

/// Max games at once.
const MOST_OPEN: usize = 1000;

/// Whether a line is that of a move.
pub fn is_move(line: &str) -> bool {
    move_of(without_name(line).1, 0).is_some()
}

/// Hands the games of a text to `take`; other lines are left out. A referee's games at once are
/// told apart by their names.
pub fn read(text: &str, take: &mut Take) -> ControlFlow<()> {
    let mut open: BTreeMap<&str, ForeignGame> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (name, rest) = without_name(line.trim());
        if let Some((first, m)) = move_of(rest, number) {
            if open.len() >= MOST_OPEN && !open.contains_key(name) {
                let expected = format!("at most {MOST_OPEN} games that have no result yet");
                return take(Err(ParseError::new(
                    format!("line {number}"),
                    quoted(name),
                    expected,
                )));
            }
            let game = open.entry(name).or_default();
            // A game begins anew without the result of the one before.
            if first && !game.moves.is_empty() {
                take(Ok(std::mem::take(game)))?;
            }
            if game.line == 0 {
                game.line = number;
            }
            game.add(number, m.text, m.ms);
        } else if let Some((outcome, reason)) = result(rest) {
            let mut game = open.remove(name).unwrap_or_default();
            (game.result, game.reason) = (Some(outcome), Some(reason.to_owned()));
            if game.line == 0 {
                game.line = number;
            }
            take(Ok(game))?;
        }
    }
    open.into_values().try_for_each(|game| take(Ok(game)))
}

/// The name of the game that a line begins with, such as `game 3`, and the rest.
fn without_name(line: &str) -> (&str, &str) {
    match line.split_once(": ") {
        Some((name, rest)) if name.starts_with("game ") => (name, rest),
        _ => ("", line),
    }
}

/// A move, and whether it is the first of its game.
fn move_of(line: &str, number: usize) -> Option<(bool, ForeignMove)> {
    let mut words = line.split(' ');
    let ply: usize = words.next()?.parse().ok()?;
    if !matches!(words.next()?, "White" | "Black") {
        return None;
    }
    let text = words.next().filter(|text| !text.is_empty())?.to_owned();
    let ms = match (words.next(), words.next()) {
        (Some(ms), Some("ms")) => Some(ms.parse().ok()?),
        _ => None,
    };
    Some((ply == 1, ForeignMove { line: number, text, ms }))
}

/// The winner and the reason of a result line.
fn result(line: &str) -> Option<(Winner, &str)> {
    let (outcome, reason) = line.strip_prefix("result: ")?.split_once(" (")?;
    let winner = match outcome {
        "White" => Winner::White,
        "Black" => Winner::Black,
        "tie" => Winner::Nobody,
        _ => return None,
    };
    Some((winner, reason.strip_suffix(')')?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::all;
    use super::*;

    fn read(text: &str) -> Vec<ForeignGame> {
        all(|take| super::read(text, take)).unwrap()
    }

    #[test]
    fn the_lines_of_a_player_and_of_a_referee() {
        let text = "\
listening on 0.0.0.0:8901
game 1: the game begins
game 2: 1 White A1 12 ms
game 1: 1 White B1 3 ms
game 1: 2 Black A2 850 ms (+0.3)
game 1: result: Black (no legal move)
game 2: 2 Black B2
";
        let games = read(text);
        assert_eq!(games.len(), 2);
        let of = |game: &ForeignGame| {
            game.moves.iter().map(|m| (m.text.clone(), m.ms)).collect::<Vec<_>>()
        };
        assert_eq!(of(&games[0]), [("B1".into(), Some(3.0)), ("A2".into(), Some(850.0))]);
        assert_eq!(games[0].result, Some(Winner::Black));
        assert_eq!(games[0].reason.as_deref(), Some("no legal move"));
        assert_eq!(of(&games[1]), [("A1".into(), Some(12.0)), ("B2".into(), None)]);
        assert_eq!((games[1].result, games[1].line), (None, 3));
    }

    #[test]
    fn another_game_begins_with_its_first_move() {
        let games = read("1 White A1 1 ms\n2 Black A2 1 ms\n1 White B1 1 ms\n");
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1]);
    }
}
