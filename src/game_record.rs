//! Finished games as lines of JSON, as `alesia-lab match` writes them (`-jsonlout`).
//!
//! The one idea: what is noted during a game has its room from the beginning, so that noting a move
//! allocates nothing. The line is made and written after the end.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use arrayvec::ArrayVec;

use crate::game::{Ending, Game, MAX_PLIES, Outcome, Side};
use crate::net::tournament::MoveText;

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A rule of the game.
    Rule,
    /// A limit of moves below that of the game.
    MoveLimit,
    /// A player's move came too late.
    Time,
    /// A player's move was illegal.
    IllegalMove,
    /// A player's connection ended.
    Disconnect,
    /// The word of a server or a person: the game was not over by the rules.
    Reported,
}

impl Cause {
    /// As the lab names it.
    fn name(self) -> &'static str {
        match self {
            Cause::Rule => "rule",
            Cause::MoveLimit => "move-limit",
            Cause::Time => "time",
            Cause::IllegalMove => "illegal-move",
            Cause::Disconnect => "disconnect",
            Cause::Reported => "reported",
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won.
    pub outcome: Outcome,
    /// What decided it.
    pub cause: Cause,
    /// The same in words.
    pub reason: String,
}

impl End {
    /// An end by the rules.
    pub fn by_rule(ending: Ending) -> End {
        End { outcome: ending.outcome, cause: Cause::Rule, reason: ending.rule.to_string() }
    }
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// As on the command line.
    game: String,
    names: [String; 2],
    /// The text board at the beginning, where that is not the game's own.
    board: Option<String>,
    moves: Box<ArrayVec<(MoveText, Duration), MAX_PLIES>>,
}

impl GameRecord {
    /// A game, as it is called on the command line, between White and Black, from a position that
    /// may be another than its `start`.
    pub fn new<G: Game>(game: String, names: [String; 2], start: &G, first: &G) -> GameRecord {
        let board = (first != start).then(|| first.to_string());
        GameRecord { game, names, board, moves: Box::default() }
    }

    /// Changes the name of a side.
    pub fn name(&mut self, side: Side, name: String) {
        self.names[side as usize] = name;
    }

    /// Notes a move and the time that it took. Allocates nothing.
    pub fn moved(&mut self, text: MoveText, elapsed: Duration) {
        // No game is longer.
        let _ = self.moves.try_push((text, elapsed));
    }

    /// Takes back all moves but the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.moves.truncate(count);
    }

    /// The record as a line, with its end.
    pub fn line(&self, end: &End) -> String {
        let mut line = String::from("{\"seed\":0,\"pair\":0,\"leg\":0,\"game\":");
        push_text(&mut line, &self.game);
        for (key, name) in ["white", "black"].iter().zip(&self.names) {
            push_key(&mut line, key);
            push_text(&mut line, name);
        }
        if let Some(board) = &self.board {
            push_key(&mut line, "board");
            push_text(&mut line, board);
        }
        line.push_str(",\"opening\":[],\"moves\":[");
        for (index, (text, elapsed)) in self.moves.iter().enumerate() {
            line.push_str(if index == 0 { "{\"move\":" } else { ",{\"move\":" });
            push_text(&mut line, text);
            // To a thousandth of a millisecond. Writing to a string cannot fail.
            let _ = write!(line, ",\"ms\":{:?}}}", elapsed.as_micros() as f64 / 1000.0);
        }
        line.push(']');
        let result = match end.outcome {
            Outcome::Win(Side::White) => "1-0",
            Outcome::Win(Side::Black) => "0-1",
            Outcome::Draw => "1/2-1/2",
        };
        for (key, value) in
            [("result", result), ("cause", end.cause.name()), ("reason", &*end.reason)]
        {
            push_key(&mut line, key);
            push_text(&mut line, value);
        }
        let sum = crc32([line.as_bytes(), b"}"]);
        let _ = writeln!(line, ",\"crc32\":\"{sum:08x}\"}}");
        line
    }
}

fn push_key(line: &mut String, key: &str) {
    let _ = write!(line, ",\"{key}\":");
}

/// A text as JSON has it.
fn push_text(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('"');
}

/// The checksum of IEEE 802.3, by which the lab sees whether a line was changed.
fn crc32(parts: [&[u8]; 2]) -> u32 {
    let mut sum = !0_u32;
    for &byte in parts.iter().copied().flatten() {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            let low = sum & 1;
            sum = (sum >> 1) ^ (0xedb8_8320 & low.wrapping_neg());
        }
    }
    !sum
}

/// A file to which records are appended.
#[derive(Debug)]
pub struct RecordFile(File);

impl RecordFile {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// The system's.
    pub fn append(path: &Path) -> io::Result<RecordFile> {
        OpenOptions::new().create(true).append(true).open(path).map(RecordFile)
    }

    /// Writes a line, and returns when it survives a loss of power.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(line.as_bytes())?;
        self.0.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Hadron;

    #[test]
    fn a_game_becomes_a_line() {
        let start = Hadron::start(2, 2);
        let names = ["A \"x\"\n".to_owned(), "b\\c".to_owned()];
        let mut record = GameRecord::new("hadron2x2".into(), names, &start, &start);
        record.moved(MoveText::from("A1").unwrap(), Duration::from_micros(1500));
        record.moved(MoveText::from("B2").unwrap(), Duration::ZERO);
        record.moved(MoveText::from("B1").unwrap(), Duration::ZERO);
        record.truncate(2);
        record.name(Side::Black, "B".into());
        let reason = "Black disconnects".to_owned();
        let outcome = Outcome::Win(Side::White);
        let line = record.line(&End { outcome, cause: Cause::Disconnect, reason });
        let expected = r#"{"seed":0,"pair":0,"leg":0,"game":"hadron2x2","white":"A \"x\"\u000a","black":"B","opening":[],"moves":[{"move":"A1","ms":1.5},{"move":"B2","ms":0.0}],"result":"1-0","cause":"disconnect","reason":"Black disconnects","crc32":""#;
        assert!(line.starts_with(expected), "{line}");
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32([b"1234", b"56789"]), 0xcbf4_3926);
    }

    #[test]
    fn another_beginning_is_part_of_the_line() {
        let start = Hadron::start(2, 2);
        let mut first = start;
        first.play(start.parse_move("A1").unwrap());
        let names = || ["A".to_owned(), "B".to_owned()];
        let board = |first: &Hadron| {
            let record = GameRecord::new("hadron2x2".into(), names(), &start, first);
            let end = End { outcome: Outcome::Draw, cause: Cause::Reported, reason: "?".into() };
            record.line(&end).contains(&format!("\"board\":\"{first}\""))
        };
        assert!(board(&first) && !board(&start));
    }
}
