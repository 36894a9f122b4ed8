//! The games of a referee, as it tells of them on a pipe.
//!
//! The one idea: one event is one line of plain text, so that the player needs nothing but a pipe to
//! be shown. What cannot be understood ends what is shown of its game, and nothing else.

use std::collections::HashMap;
use std::io::BufRead;
use std::str::FromStr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use alesia::game::{Outcome, ParseError, Side, quoted};
use alesia::games::GameSpec;

use super::failure::Failure;
use super::hall::Hall;
use super::seat::{NOBODY, Seat, Sitter};
use super::table::{Source, Table};
use super::topic::Topic;
use crate::matches::players::Line;

/// What `--feed` reads; written by `alesia referee` (src/cli/page.rs).
pub const FORMAT: &str = "\
The feed of a referee (`alesia referee -gui` writes it), an event on each line, games numbered from 1:
  game NUMBER OF GAME MS BOARD         of so many; MS for a move; its first player comes
  seated NUMBER White|Black ADDRESS
  left NUMBER                          its only player has gone before the game
  started NUMBER MS                    after so much warm-up White's first turn begins
  moved NUMBER White|Black MOVE MS
  ended NUMBER White|Black|tie REASON";

/// Shows the games of a feed until its end.
pub fn follow(hall: &Arc<Hall>, lines: impl BufRead) {
    let mut feed = Feed { hall, games: HashMap::new() };
    for line in lines.lines().map_while(Result::ok) {
        feed.hear(&line);
    }
    for table in feed.games.into_values().flatten() {
        break_off(hall, &table, "the referee has ended");
    }
}

fn break_off(hall: &Hall, table: &Topic<Table>, reason: &str) {
    let broken = |table: &mut Table| match table.result() {
        Some(_) => Err(()),
        None => Ok(table.break_off(reason)),
    };
    // Nothing to tell where it is over.
    let _ = hall.change(table, broken);
}

struct Feed<'a> {
    hall: &'a Arc<Hall>,
    /// By number; none for those that are not shown any more.
    games: HashMap<u64, Option<Arc<Topic<Table>>>>,
}

impl Feed<'_> {
    /// Does what a line says.
    fn hear(&mut self, line: &str) {
        let mut words = Words { rest: line };
        let (Ok(event), Ok(number)) = (words.next("an event"), words.number("the game's number"))
        else {
            return log::error!("feed: found {}, expected an event and a number", quoted(line));
        };
        let heard = match event {
            "game" => self.begin(&mut words, number).map(|table| {
                if let Some(Some(former)) = self.games.insert(number, Some(table)) {
                    break_off(self.hall, &former, "another game has its number");
                }
            }),
            _ => match self.games.get(&number) {
                Some(Some(table)) => self.told(event, &mut words, &table.clone()),
                // It was lost before, and that was said then.
                Some(None) => Ok(()),
                None => Err(Failure::unknown("it has not begun")),
            },
        };
        if let Err(failure) = heard {
            log::error!("feed, game {number}, {}: {}", quoted(line), failure.message());
            if let Some(Some(table)) = self.games.insert(number, None) {
                break_off(self.hall, &table, "the page has lost track of it");
            }
        } else if event == "left" {
            self.games.remove(&number);
        }
    }

    fn begin(&self, words: &mut Words, number: u64) -> Result<Arc<Topic<Table>>, Failure> {
        let of: u64 = words.number("the number of games")?;
        let game: GameSpec = words.next("a game")?.parse()?;
        let limit: u64 = words.number("milliseconds")?;
        let line = Line { board: Some(words.rest.to_owned()), moves: Vec::new() };
        let title = if of > 1 { format!("game {number} of {of}") } else { String::new() };
        let seat =
            Seat { kind: Sitter::Remote, name: NOBODY.to_owned(), engine: None, ms: Some(limit) };
        let seats = [seat.clone(), seat];
        self.hall.add(|id| {
            let mut table = Table::new(id, game, Source::Referee, title, seats, line)?;
            table.limit = Some(Duration::from_millis(limit));
            Ok::<_, ParseError>(table)
        })
    }

    fn told(
        &self,
        event: &str,
        words: &mut Words,
        table: &Arc<Topic<Table>>,
    ) -> Result<(), Failure> {
        match event {
            "seated" => {
                let (side, name) = (words.side()?, words.next("an address")?.to_owned());
                self.hall.change(table, |table| {
                    table.seats[side as usize].name = name;
                    Ok(table.news(table.length()))
                })
            }
            "left" => {
                self.hall.remove(table);
                Ok(())
            }
            "started" => {
                let warm_up = Duration::from_millis(words.number("milliseconds")?);
                let (hall, table) = (self.hall.clone(), table.clone());
                thread::spawn(move || {
                    thread::sleep(warm_up);
                    // The clock of a later move runs already.
                    let first = |table: &mut Table| match table.length() {
                        0 => Ok(table.begin()),
                        _ => Err(()),
                    };
                    let _ = hall.change(&table, first);
                });
                Ok(())
            }
            "moved" => {
                let (side, text) = (words.side()?, words.next("a move")?);
                let took: f64 = words.number("milliseconds")?;
                let took = Duration::try_from_secs_f64(took / 1000.0).unwrap_or_default();
                self.hall.change(table, |table| {
                    if table.side() != side {
                        let expected = format!("a move of {}", table.side());
                        return Err(ParseError::new("side", side.to_string(), expected).into());
                    }
                    Ok::<_, Failure>(table.play(text, Some(took), None)?)
                })
            }
            "ended" => {
                let outcome = words.outcome()?;
                self.hall.change(table, |table| Ok(table.end(outcome, words.rest)))
            }
            other => {
                let expected = "game, seated, left, started, moved or ended";
                Err(ParseError::new("event", quoted(other), expected).into())
            }
        }
    }
}

/// What is left of a line.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &str) -> Result<&'a str, Failure> {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest;
        if word.is_empty() {
            Err(ParseError::new("line", "nothing", expected).into())
        } else {
            Ok(word)
        }
    }

    fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, Failure> {
        let word = self.next(expected)?;
        word.parse().map_err(|_| ParseError::new("line", quoted(word), expected).into())
    }

    fn side(&mut self) -> Result<Side, Failure> {
        match self.outcome()? {
            Outcome::Win(side) => Ok(side),
            Outcome::Draw => Err(ParseError::new("line", "tie", "White or Black").into()),
        }
    }

    fn outcome(&mut self) -> Result<Outcome, Failure> {
        match self.next("White, Black or tie")? {
            "White" => Ok(Outcome::Win(Side::White)),
            "Black" => Ok(Outcome::Win(Side::Black)),
            "tie" => Ok(Outcome::Draw),
            other => Err(ParseError::new("line", quoted(other), "White, Black or tie").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::table::Phase;

    fn follow_text(text: &str) -> Vec<Arc<Topic<Table>>> {
        let hall = Arc::new(Hall::new());
        follow(&hall, text.as_bytes());
        (1..=9)
            .filter_map(|n| hall.search(|table| table.title.starts_with(&format!("game {n}"))))
            .collect()
    }

    fn result(table: &Topic<Table>) -> String {
        table.state().result().unwrap().text.clone()
    }

    #[test]
    fn a_game_is_followed_from_its_first_player_to_its_end() {
        let games = follow_text(
            "game 1 2 hadron3 500 .../.../... w 0\nseated 1 White 10.0.0.5:4711\n\
             game 2 2 hadron3 500 .../.../... w 0\nseated 2 White 10.0.0.7:1\n\
             seated 1 Black 10.0.0.6:4712\nstarted 1 0\nmoved 1 White B1 12.5\n\
             moved 1 Black A3 3\nended 1 White Black disconnected\n",
        );
        let table = games[0].state();
        assert_eq!(
            table.seats.each_ref().map(|seat| &*seat.name),
            ["10.0.0.5:4711", "10.0.0.6:4712"]
        );
        assert_eq!(table.line().moves, ["B1", "A3"]);
        assert_eq!(table.result().unwrap().text, "White (Black disconnected)");
        assert_eq!(result(&games[1]), "no result (the referee has ended)");
    }

    #[test]
    fn a_game_waits_for_its_players_then_for_the_end_of_the_warm_up() {
        let hall = Arc::new(Hall::new());
        let mut feed = Feed { hall: &hall, games: HashMap::new() };
        let mut hear = |line: &str| {
            feed.hear(line);
            feed.games[&1].as_ref().unwrap().state().phase()
        };
        assert_eq!(hear("game 1 1 hadron3 500 .../.../... w 0"), Phase::Waiting);
        assert_eq!(hear("seated 1 Black a:1"), Phase::Waiting);
        assert_eq!(hear("seated 1 White b:2"), Phase::Warmup);
        assert_eq!(hear("started 1 60000"), Phase::Warmup);
        assert_eq!(hear("moved 1 White B1 3"), Phase::Playing);
        assert_eq!(hear("ended 1 tie agreed"), Phase::Over);
    }

    #[test]
    fn who_leaves_before_the_game_takes_it_along() {
        let board = "hadron3 500 .../.../... w 0";
        let games = follow_text(&format!(
            "game 1 2 {board}\nseated 1 White a:1\nleft 1\ngame 1 2 {board}\nseated 1 White b:2\n"
        ));
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].state().seats[0].name, "b:2");
    }

    #[test]
    fn what_is_not_understood_ends_its_own_game_alone() {
        let board = "hadron3 500 .../.../... w 0";
        for wrong in ["moved 1 White B9 1", "moved 1 Black B1 1", "moved 1 White", "sung 1 White"] {
            let games = follow_text(&format!(
                "game 1 2 {board}\ngame 2 2 {board}\nnonsense\n{wrong}\nmoved 1 White B1 1\n\
                 moved 2 White B1 1\nended 2 tie agreed\n"
            ));
            assert_eq!(result(&games[0]), "no result (the page has lost track of it)", "{wrong}");
            assert_eq!(games[0].state().length(), 0);
            assert_eq!(result(&games[1]), "tie (agreed)");
        }
    }
}
