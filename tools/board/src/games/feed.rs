//! The games of a referee, with events as lines on a pipe.
//!
//! The one idea: a line that cannot be understood ends the display of its game only.

use std::collections::HashMap;
use std::io::BufRead;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use alesia::game::{ParseError, quoted};
use alesia::games::GameSpec;
use alesia::net::feed::{FeedLine, GameEvent};
use alesia::record::game_record::GameLine;
use alesia_match::files::disk::begin_of_line;

use super::game_seat::{GameSeat, NOBODY, Sitter};
use super::game_table::{GameTable, Source};
use super::hall::Hall;
use super::remote_events;
use crate::door::failure::Failure;
use crate::page::topic::Topic;

/// Max bytes of a line: several times what the longest thought needs.
const LONGEST_LINE: usize = 64 << 10;

/// Shows the games of a feed until its end.
pub fn follow(hall: &Arc<Hall>, mut lines: impl BufRead) {
    let mut feed = Feed { hall, games: HashMap::new() };
    let mut line = Vec::new();
    loop {
        match begin_of_line(&mut lines, &mut line, LONGEST_LINE) {
            Ok(0) => break,
            Ok(length) => feed.hear(&String::from_utf8_lossy(&line), length > LONGEST_LINE),
            Err(error) => {
                log::error!("feed: {error}");
                break;
            }
        }
    }
    for table in feed.games.into_values().flatten() {
        break_off(hall, &table, "the referee has ended");
    }
}

fn break_off(hall: &Hall, table: &Topic<GameTable>, reason: &str) {
    let broken = |table: &mut GameTable| match table.result() {
        Some(_) => Err(None),
        None => table.break_off(reason).map_err(Some),
    };
    // Where it is over there is no news.
    let _ = hall.change(table, broken);
}

struct Feed<'a> {
    hall: &'a Arc<Hall>,
    /// By number; none for those that are not shown any more.
    games: HashMap<usize, Option<Arc<Topic<GameTable>>>>,
}

impl Feed<'_> {
    /// Does what a line says, unless its end is missing.
    fn hear(&mut self, line: &str, is_cut: bool) {
        let Some(number) = FeedLine::number_in(line) else {
            return log::error!("feed: found {}, expected an event and a number", quoted(line));
        };
        let read = match is_cut {
            true => Err(Failure::unreadable(format!("expected at most {LONGEST_LINE} bytes"))),
            false => line.parse::<FeedLine>().map_err(Failure::from),
        };
        if let Err(failure) = read.and_then(|line| self.follow(number, line.event)) {
            log::error!("feed, game {number}, {}: {}", quoted(line), failure.message());
            if let Some(Some(table)) = self.games.insert(number, None) {
                break_off(self.hall, &table, "the page could not follow it");
            }
        }
    }

    /// Shows an event of a game.
    fn follow(&mut self, number: usize, event: GameEvent) -> Result<(), Failure> {
        if let GameEvent::Opened { games, game, move_time, board } = event {
            let title = if games > 1 { format!("game {number} of {games}") } else { String::new() };
            // The referee may have been started with a file of definitions.
            let table = self.begin(title, GameSpec::open(&game)?, move_time, board)?;
            if let Some(Some(former)) = self.games.insert(number, Some(table)) {
                break_off(self.hall, &former, "another game has the same number");
            }
            return Ok(());
        }
        let table = match self.games.get(&number) {
            Some(Some(table)) => table.clone(),
            // It was lost before, and that was said then.
            Some(None) => return Ok(()),
            None => return Err(Failure::unknown("it has not begun")),
        };
        match event {
            GameEvent::Left => {
                self.hall.remove(&table);
                self.games.remove(&number);
                Ok(())
            }
            GameEvent::Started { warm_up } => {
                let hall = self.hall.clone();
                thread::spawn(move || {
                    thread::sleep(warm_up);
                    remote_events::hear(&hall, &table, &event)
                });
                Ok(())
            }
            event => remote_events::hear(self.hall, &table, &event),
        }
    }

    fn begin(
        &self,
        title: String,
        game: GameSpec,
        move_time: Duration,
        board: String,
    ) -> Result<Arc<Topic<GameTable>>, Failure> {
        let line = GameLine { board: Some(board), moves: Vec::new() };
        let ms = Some(move_time.as_millis() as u64);
        let seat = GameSeat { kind: Sitter::Remote, name: NOBODY.to_owned(), engine: None, ms };
        let seats = [seat.clone(), seat];
        self.hall.add(|id| {
            let mut table = GameTable::new(id, game, Source::Referee, title, seats, line)?;
            table.limit = Some(move_time);
            Ok::<_, ParseError>(table)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game_table::Phase;

    fn follow_text(text: impl AsRef<[u8]>) -> Vec<Arc<Topic<GameTable>>> {
        let hall = Arc::new(Hall::default());
        follow(&hall, text.as_ref());
        (1..=9)
            .filter_map(|n| hall.search(|table| table.title.starts_with(&format!("game {n}"))))
            .collect()
    }

    fn result(table: &Topic<GameTable>) -> String {
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
    fn a_game_of_a_definition_is_followed() {
        let folder = std::env::temp_dir().join(format!("alesia feed {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("tiny.ini");
        let text = "[tiny]\nking = k\nmaxRank = 3\nmaxFile = 3\nstartFen = k2/3/2K w - - 0 1\n";
        std::fs::write(&file, text).unwrap();
        let tiny = GameSpec::open(file.to_str().unwrap()).unwrap();
        let opened = GameEvent::Opened {
            games: 2,
            game: tiny.to_string(),
            move_time: Duration::from_secs(1),
            board: "k2/3/2K w - - 0 1".to_owned(),
        };
        let opened = alesia::net::feed::FeedLine { number: 1, event: opened };
        let games = follow_text(format!("{opened}\nmoved 1 White c1b1 5\n"));
        std::fs::remove_dir_all(folder).unwrap();
        assert_eq!((games.len(), games[0].state().length()), (1, 1));
    }

    #[test]
    fn a_game_waits_for_its_players_then_for_the_end_of_the_warm_up() {
        let hall = Arc::new(Hall::default());
        let mut feed = Feed { hall: &hall, games: HashMap::new() };
        let mut hear = |line: &str| {
            feed.hear(line, false);
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
    fn a_player_that_leaves_before_the_game_removes_it() {
        let board = "hadron3 500 .../.../... w 0";
        let games = follow_text(format!(
            "game 1 2 {board}\nseated 1 White a:1\nleft 1\ngame 1 2 {board}\nseated 1 White b:2\n"
        ));
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].state().seats[0].name, "b:2");
    }

    #[test]
    fn a_bad_line_ends_its_own_game_alone() {
        let board = "hadron3 500 .../.../... w 0";
        for wrong in ["moved 1 White B9 1", "moved 1 Black B1 1", "moved 1 White", "sung 1 White"] {
            let games = follow_text(format!(
                "game 1 2 {board}\ngame 2 2 {board}\nnonsense\n{wrong}\nmoved 1 White B1 1\n\
                 moved 2 White B1 1\nended 2 tie agreed\n"
            ));
            assert_eq!(result(&games[0]), "no result (the page could not follow it)", "{wrong}");
            assert_eq!(games[0].state().length(), 0);
            assert_eq!(result(&games[1]), "tie (agreed)");
        }
    }
    /// No line ends the feed, whatever bytes it has, and however many.
    #[test]
    fn a_long_line_and_other_bytes_than_text_end_their_own_game_alone() {
        let board = "hadron3 500 .../.../... w 0";
        let long = [b"thought 1 White 0 info ".to_vec(), vec![b'x'; LONGEST_LINE]].concat();
        for wrong in [&b"moved 1 White B1\xff 1"[..], &long, b"\xff\xfe 1"] {
            let begin = format!("game 1 2 {board}\ngame 2 2 {board}\n");
            let rest = b"\nmoved 2 White B1 1\nended 2 tie agr\xe9ed\n";
            let games = follow_text([begin.as_bytes(), wrong, rest].concat());
            assert_eq!(result(&games[0]), "no result (the page could not follow it)");
            assert_eq!(result(&games[1]), "tie (agr\u{fffd}ed)");
        }
    }
}
