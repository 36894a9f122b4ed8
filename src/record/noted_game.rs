//! A game while it is played, for [`GameRecord`].
//!
//! The one idea: what is noted during a game has its room from the beginning, so that noting a move
//! allocates nothing. The record is made after the end.

use std::time::Duration;

use arrayvec::ArrayVec;
use jiff::civil::Date;

use super::end::End;
use super::game_record::{GameRecord, Key, Occasion, RecordedMove, milliseconds, today};
use super::thought::Thought;
use crate::game::{MAX_PLIES, Side};
use crate::net::tournament::MoveText;

/// A move that was played.
#[derive(Clone, Copy, Debug)]
struct NotedMove {
    text: MoveText,
    elapsed: Option<Duration>,
    thought: Thought,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct NotedGame {
    /// As on the command line.
    game: String,
    names: [String; 2],
    /// The text board at the beginning, where that is not the game's own.
    board: Option<String>,
    /// The fingerprint of the definition, see [`fingerprint`](crate::games::GameSpec::fingerprint).
    definition: Option<String>,
    /// When it began.
    date: Date,
    moves: Box<ArrayVec<NotedMove, MAX_PLIES>>,
}

impl NotedGame {
    /// A game that begins today, as it is called on the command line, between White and Black.
    /// `board` is the text board before the first move, where that is not the one of the name.
    pub fn new(game: String, names: [String; 2], board: Option<String>) -> NotedGame {
        NotedGame { game, names, board, definition: None, date: today(), moves: Box::default() }
    }

    /// The same of a game whose rules stand in a file, with their fingerprint.
    pub fn with_definition(self, definition: Option<String>) -> NotedGame {
        NotedGame { definition, ..self }
    }

    /// Changes the name of a side.
    pub fn name(&mut self, side: Side, name: String) {
        self.names[side as usize] = name;
    }

    /// Notes a move, and the time that it took and what its player thought where that is known.
    /// Allocates nothing.
    pub fn moved(&mut self, text: MoveText, elapsed: Option<Duration>, thought: Option<Thought>) {
        let thought = thought.unwrap_or_default();
        // No game is longer.
        let _ = self.moves.try_push(NotedMove { text, elapsed, thought });
    }

    /// Takes back all moves but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
    }

    /// Begins anew at a board: a move that led there is not known.
    pub fn restart(&mut self, board: String) {
        self.board = Some(board);
        self.moves.clear();
    }

    /// The number of moves.
    pub fn length(&self) -> usize {
        self.moves.len()
    }

    /// The record of the game that ended so.
    pub fn finished(&self, end: &End) -> GameRecord {
        let [white, black] = self.names.clone();
        let of = |noted: &NotedMove| RecordedMove {
            text: noted.text.to_string(),
            ms: noted.elapsed.map(milliseconds),
            thought: noted.thought,
        };
        GameRecord {
            key: Key::default(),
            game: self.game.clone(),
            white,
            black,
            board: self.board.clone(),
            definition: self.definition.clone(),
            rules: None,
            occasion: Occasion { date: Some(self.date), ..Occasion::default() },
            opening: Vec::new(),
            moves: self.moves.iter().map(of).collect(),
            result: end.outcome.into(),
            cause: end.cause,
            reason: end.reason.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::checked_line::json_line;
    use super::super::end::Cause;
    use super::*;
    use crate::game::Outcome;

    #[test]
    fn a_game_becomes_a_line() {
        let names = ["A \"x\"\n".to_owned(), "b\\c".to_owned()];
        let mut record = NotedGame::new("hadron2x2".into(), names, None);
        let thought = Thought {
            value: Some(0.75),
            mate: Some(-3),
            depth: Some(4),
            nodes: Some(50),
            cp: None,
        };
        let time = Some(Duration::from_micros(1500));
        record.moved(MoveText::from("A1").unwrap(), time, Some(thought));
        record.moved(MoveText::from("B2").unwrap(), None, None);
        record.moved(MoveText::from("B1").unwrap(), None, None);
        record.truncate(2);
        record.name(Side::Black, "B".into());
        let reason = "Black disconnects".to_owned();
        let outcome = Outcome::Win(Side::White);
        let line = json_line(&record.finished(&End { outcome, cause: Cause::Disconnect, reason }));
        let date = format!(r#","date":"{}","#, today());
        assert!(line.contains(&date), "{line}");
        let line = line.replace(&date, ",");
        let expected = r#"{"seed":0,"pair":0,"leg":0,"game":"hadron2x2","white":"A \"x\"\n","black":"B","opening":[],"moves":[{"move":"A1","ms":1.5,"value":0.75,"mate":-3,"depth":4,"nodes":50},{"move":"B2"}],"result":"1-0","cause":"disconnect","reason":"Black disconnects","crc32":""#;
        assert!(line.starts_with(expected), "{line}");
    }

    #[test]
    fn a_game_of_a_definition_has_its_fingerprint() {
        let record = NotedGame::new("a.ini:x".into(), Default::default(), None);
        let outcome = Outcome::Draw;
        let end = End { outcome, cause: Cause::Reported, reason: String::new() };
        assert!(!json_line(&record.finished(&end)).contains("definition"));
        let line = json_line(&record.with_definition(Some("0123".into())).finished(&end));
        assert!(line.contains(r#","black":"","definition":"0123","date""#), "{line}");
    }

    #[test]
    fn another_beginning_is_part_of_the_line() {
        let names = ["A".to_owned(), "B".to_owned()];
        let record = NotedGame::new("hadron2x2".into(), names, Some("w./.. b 1".into()));
        let end = End::as_said(Outcome::Draw, "a draw is agreed".into(), None);
        let line = json_line(&record.finished(&end));
        assert!(line.contains("\"black\":\"B\",\"board\":\"w./.. b 1\",\"date\""), "{line}");
        assert!(line.contains("\"cause\":\"reported\",\"reason\":\"a draw is agreed\""), "{line}");
    }
}
